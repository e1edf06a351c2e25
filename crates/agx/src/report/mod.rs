//! What a program costs, from its code alone: registers, occupancy, cycles of each unit, and where it waits for memory.

mod occupancy;
#[cfg(test)]
mod tests;

pub use crate::facts::{Time, Unit};
pub use occupancy::{Occupancy, occupancy};

use crate::Agx;
use crate::code::{Code, Step, group, target};
use crate::facts::{Control, Cost, Role, facts};
use crate::sets::Touched;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use shisa_diag::{Diagnostic, Limits};
use shisa_rows::Insn;

/// The cost of a unit's instructions, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Instructions.
    pub instructions: u32,
    /// Cycles for which the unit is busy. Cycles of the complex unit count twice, for its half rate.
    pub cycles: u32,
}

/// A `wait`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Its offset in the code.
    pub at: u32,
    /// The group: 0 for a, 1 for b.
    pub group: u8,
    /// Accesses that it waits for: those of the group since the last `wait` for it.
    pub accesses: u32,
    /// Cycles of arithmetic between the last of them and the `wait`, which hide some of its latency.
    pub hidden: u32,
}

/// A loop: from its first instruction to the jump back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Offset of its first instruction.
    pub start: u32,
    /// Offset after the jump.
    pub end: u32,
    /// Cycles of arithmetic of an iteration that runs everything in it once.
    pub cycles: u32,
}

/// The cost of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Bytes of code, without the traps at its end.
    pub bytes: u32,
    /// Instructions, without the traps at the end.
    pub instructions: u32,
    /// Halves of registers: one more than the last named one.
    pub registers: u32,
    /// Halves of uniforms: one more than the last named one.
    pub uniforms: u32,
    /// The use of each unit, in the order of [`Unit::ALL`].
    pub units: [Use; Unit::ALL.len()],
    /// Its waits.
    pub waits: Vec<Wait>,
    /// Its loops, by their first instructions.
    pub loops: Vec<Loop>,
}

/// The unit that executes an instruction, and its timing; `None` if no time is published.
pub fn timing(insn: &Insn<Agx>) -> (Unit, Time) {
    match facts(insn).cost {
        Cost::Measured(unit, time) => (unit, time),
        Cost::Chosen { unit, slot, zero, other } => (unit, if insn.field(slot) == 0 { zero } else { other }),
        Cost::Unmeasured => (Unit::Unmeasured, Time::default()),
        Cost::Memory => (Unit::Memory, Time::default()),
        Cost::Control => (Unit::Control, Time::default()),
    }
}

impl Report {
    /// The report for the code in this range of `bytes`, up to bytes that are not an instruction, and without traps
    /// at its end.
    ///
    /// # Errors
    /// `limit-exceeded` if there are too many instructions.
    pub fn new(bytes: &[u8], range: Range<usize>, limits: &Limits) -> Result<Report, Diagnostic> {
        let code = Code::read(bytes, range, limits)?;
        let start = code.range.start;
        let mut steps: Vec<Step<'_>> = code.steps().collect();
        while steps.pop_if(|step| step.role() == Role::Control(Control::Trap)).is_some() {}
        let mut report = Report::default();
        // Cycles before each instruction.
        let mut before = Vec::with_capacity(steps.len());
        let mut pending = [(0, 0); 2];
        for step in &steps {
            let (at, end) = (step.bytes().start - start, step.bytes().end - start);
            before.push(report.cycles());
            report.count(step);
            report.bytes = end as u32;
            report.wait(at as u32, step, &mut pending);
            if let Some(head) = head(&steps, step) {
                let cycles = report.cycles() - before[head];
                let first = steps[head].bytes().start - start;
                report.loops.push(Loop { start: first as u32, end: end as u32, cycles });
            }
        }
        report.loops.sort_unstable_by_key(|l| (l.start, core::cmp::Reverse(l.end)));
        Ok(report)
    }

    fn count(&mut self, step: &Step<'_>) {
        let (unit, time) = timing(&step.insn);
        let used = &mut self.units[unit as usize];
        used.instructions += 1;
        used.cycles += u32::from(time.busy) * if unit == Unit::Complex { 2 } else { 1 };
        self.instructions += 1;
        for Touched { registers, uniforms } in [step.reads(), step.writes()] {
            self.registers = self.registers.max(registers.end() as u32);
            self.uniforms = self.uniforms.max(uniforms.end() as u32);
        }
    }

    /// Tracks accesses and waits; `pending` has for each group the number of accesses, and the cycles before the last
    /// of them.
    fn wait(&mut self, at: u32, step: &Step<'_>, pending: &mut [(u32, u32); 2]) {
        if step.role() == Role::Wait {
            let group = group(&step.insn);
            let (accesses, since) = core::mem::take(&mut pending[group]);
            let hidden = if accesses > 0 { self.cycles() - since } else { 0 };
            self.waits.push(Wait { at, group: group as u8, accesses, hidden });
        } else if let Some(group) = step.group() {
            pending[group] = (pending[group].0 + 1, self.cycles());
        }
    }

    /// Cycles of the units that share an issue slot: all but the complex unit, whose instructions take one cycle here
    /// to issue.
    pub const fn simple_cycles(&self) -> u32 {
        let [float32, float16, simple] = [Unit::Float32, Unit::Float16, Unit::Simple];
        let own = self.units[float32 as usize].cycles
            + self.units[float16 as usize].cycles
            + self.units[simple as usize].cycles;
        own + self.units[Unit::Complex as usize].instructions
    }

    /// Cycles of the complex unit.
    pub const fn complex_cycles(&self) -> u32 {
        self.units[Unit::Complex as usize].cycles
    }

    /// Cycles of arithmetic for 32 lanes that run each instruction once. The units run in parallel if there are other
    /// waves, so the busier one counts. Instructions without published times count as zero.
    pub const fn cycles(&self) -> u32 {
        let (simple, complex) = (self.simple_cycles(), self.complex_cycles());
        if simple > complex { simple } else { complex }
    }

    /// The occupancy for the named registers.
    pub fn occupancy(&self) -> Occupancy {
        occupancy(self.registers)
    }
}

impl Wait {
    /// The group's name: `a` or `b`.
    pub const fn group_name(&self) -> &'static str {
        if self.group == 0 { "a" } else { "b" }
    }
}

/// The report as text.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instructions = |n| if n == 1 { "instruction" } else { "instructions" };
        writeln!(f, "{} {}, {} bytes", self.instructions, instructions(self.instructions), self.bytes)?;
        let Occupancy { threads, better } = self.occupancy();
        write!(f, "registers  {} halves: {threads} threads at a time", self.registers)?;
        match better {
            Some(halves) => writeln!(f, ", more with {halves} halves or fewer")?,
            None => writeln!(f, ", the maximum")?,
        }
        writeln!(f, "uniforms   {} halves", self.uniforms)?;
        let (simple, complex) = (self.simple_cycles(), self.complex_cycles());
        writeln!(
            f,
            "cycles     {} ({simple} simple and float, {complex} complex in parallel)",
            self.cycles()
        )?;
        for (unit, u) in Unit::ALL.iter().zip(&self.units).filter(|(_, u)| u.instructions > 0) {
            let what = instructions(u.instructions);
            match u.cycles {
                0 => writeln!(f, "  {:<11}{:>6} {what}", unit.name(), u.instructions)?,
                cycles => {
                    writeln!(f, "  {:<11}{:>6} {what:<12}{cycles:>8} cycles", unit.name(), u.instructions)?;
                }
            }
        }
        for l in &self.loops {
            writeln!(f, "loop       {:#06x} to {:#06x}: {} cycles an iteration", l.start, l.end, l.cycles)?;
        }
        for w in &self.waits {
            let (group, accesses, hidden) = (w.group_name(), w.accesses, w.hidden);
            write!(f, "wait {group}     {:#06x}: ", w.at)?;
            match accesses {
                0 => writeln!(f, "nothing of the group since the last one")?,
                1 => writeln!(f, "1 access, {hidden} cycles after it")?,
                n => writeln!(f, "{n} accesses, {hidden} cycles after the last")?,
            }
        }
        Ok(())
    }
}

/// The number of the first instruction of the loop that an instruction closes, if it jumps back.
fn head(steps: &[Step<'_>], step: &Step<'_>) -> Option<usize> {
    if !matches!(step.role(), Role::Control(Control::Jump | Control::ShortJump)) {
        return None;
    }
    let at = step.bytes().start as i64;
    let to = at.checked_add(target(&step.insn)?).filter(|to| *to <= at)?;
    steps.binary_search_by(|s| (s.bytes().start as i64).cmp(&to)).ok()
}
