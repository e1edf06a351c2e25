//! What a program takes, told from its code alone: registers, threads at a time, cycles of each unit, and where
//! it waits for memory.

#[cfg(test)]
mod tests;
mod timing;

pub use timing::{Occupancy, Timing, Unit, occupancy, timing};

use crate::operand::{WAIT, offset_of};
use crate::{Agx, REGISTERS, UNIFORMS, fetch, length};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_rows::Insn;

/// What instructions of a unit take, each counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Instructions.
    pub instructions: u32,
    /// Cycles for which they keep the unit. Cycles of the complex unit count twice, for its half rate.
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
    /// Cycles of arithmetic between the last of them and the `wait`, which hide some of its time.
    pub hidden: u32,
}

/// A loop: from its head to the jump back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Offset of its first instruction.
    pub start: u32,
    /// Offset behind the jump.
    pub end: u32,
    /// Cycles of arithmetic of a turn that runs everything in it once.
    pub cycles: u32,
}

/// What a program takes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Bytes of code, without what stands behind the last `stop`.
    pub bytes: u32,
    /// Instructions, without what stands behind the last `stop`.
    pub instructions: u32,
    /// Halves of registers: one more than the last that is named.
    pub registers: u32,
    /// Halves of uniforms: one more than the last that is named.
    pub uniforms: u32,
    /// What each unit is used for, in the order of [`Unit::ALL`].
    pub units: [Use; 6],
    /// Where it waits.
    pub waits: Vec<Wait>,
    /// Its loops, by their heads.
    pub loops: Vec<Loop>,
}

impl Report {
    /// Of the code in this range of `bytes`, up to bytes that are no instruction, and without traps at its end.
    ///
    /// # Errors
    /// `limit-exceeded` when there are too many instructions.
    pub fn new(bytes: &[u8], range: Range<usize>, limits: &Limits) -> Result<Report, Diagnostic> {
        let end = range.end.min(bytes.len());
        let code = bytes.get(range.start.min(end)..end).unwrap_or_default();
        let mut insns = Vec::new();
        let mut at = 0;
        while let Some(insn) = fetch(&code[at..]) {
            limits.check(Limit::Instructions, "instructions", insns.len() + 1)?;
            insns.push((at, insn));
            at += length(&insn);
        }
        while insns.pop_if(|(_, insn)| insn.form().name == "trap").is_some() {}
        let mut report = Report::default();
        // Cycles before each instruction.
        let mut before = Vec::with_capacity(insns.len());
        let mut pending = [(0, 0); 2];
        for (at, insn) in &insns {
            before.push(report.cycles());
            report.count(insn);
            report.bytes = (at + length(insn)) as u32;
            report.wait(*at, insn, &mut pending);
            let distance = offset_of(insn).map(|op| op.field.get(&insn.word) as u32 as i32);
            let target = distance.map(|d| *at as i64 + i64::from(d)).filter(|t| *t <= *at as i64);
            if let Some(head) = target.and_then(|t| insns.binary_search_by(|i| (i.0 as i64).cmp(&t)).ok()) {
                let cycles = report.cycles() - before[head];
                report.loops.push(Loop { start: insns[head].0 as u32, end: report.bytes, cycles });
            }
        }
        report.loops.sort_unstable_by_key(|l| (l.start, core::cmp::Reverse(l.end)));
        Ok(report)
    }

    fn count(&mut self, insn: &Insn<Agx>) {
        let t = timing(insn);
        let unit = &mut self.units[t.unit as usize];
        unit.instructions += 1;
        unit.cycles += u32::from(t.busy) * if t.unit == Unit::Complex { 2 } else { 1 };
        self.instructions += 1;
        for r in insn.form().operands.iter().filter_map(|op| op.kind.registers(op, insn)) {
            let end = u32::from(r.first.unit) + u32::from(r.units);
            if r.first.file == REGISTERS {
                self.registers = self.registers.max(end);
            } else if r.first.file == UNIFORMS {
                self.uniforms = self.uniforms.max(end);
            }
        }
    }

    /// Follows accesses and waits; `pending` has for each group how many there are, and the cycles before the
    /// last of them.
    fn wait(&mut self, at: usize, insn: &Insn<Agx>, pending: &mut [(u32, u32); 2]) {
        let group = insn.field(WAIT) as usize & 1;
        if insn.form().name == "wait" {
            let (accesses, since) = core::mem::take(&mut pending[group]);
            let hidden = if accesses > 0 { self.cycles() - since } else { 0 };
            self.waits.push(Wait { at: at as u32, group: group as u8, accesses, hidden });
        } else if insn.form().operand(WAIT).is_some() {
            pending[group] = (pending[group].0 + 1, self.cycles());
        }
    }

    /// Cycles of the units that take turns: all but the complex one, whose instructions take one cycle here to
    /// be handed over.
    pub const fn simple_cycles(&self) -> u32 {
        let own = self.units[0].cycles + self.units[1].cycles + self.units[2].cycles;
        own + self.units[Unit::Complex as usize].instructions
    }

    /// Cycles of the complex unit.
    pub const fn complex_cycles(&self) -> u32 {
        self.units[Unit::Complex as usize].cycles
    }

    /// Cycles of arithmetic of 32 lanes that run each instruction once. The units run side by side where there are other
    /// waves, so the busier one counts.
    pub const fn cycles(&self) -> u32 {
        let (simple, complex) = (self.simple_cycles(), self.complex_cycles());
        if simple > complex { simple } else { complex }
    }

    /// How many threads run at a time, by the registers named.
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

/// For people.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instructions = |n| if n == 1 { "instruction" } else { "instructions" };
        writeln!(f, "{} {}, {} bytes", self.instructions, instructions(self.instructions), self.bytes)?;
        let Occupancy { threads, better } = self.occupancy();
        write!(f, "registers  {} halves: {threads} threads at a time", self.registers)?;
        match better {
            Some(halves) => writeln!(f, ", more with {halves} halves or fewer")?,
            None => writeln!(f, ", the most there are")?,
        }
        writeln!(f, "uniforms   {} halves", self.uniforms)?;
        let (simple, complex) = (self.simple_cycles(), self.complex_cycles());
        writeln!(
            f,
            "cycles     {} ({simple} simple and float, {complex} complex beside them)",
            self.cycles()
        )?;
        for (unit, u) in Unit::ALL.iter().zip(&self.units).filter(|(_, u)| u.instructions > 0) {
            let what = instructions(u.instructions);
            match u.cycles {
                0 => writeln!(f, "  {:<9}{:>6} {what}", unit.name(), u.instructions)?,
                cycles => {
                    writeln!(f, "  {:<9}{:>6} {what:<12}{cycles:>8} cycles", unit.name(), u.instructions)?;
                }
            }
        }
        for l in &self.loops {
            writeln!(f, "loop       {:#06x} to {:#06x}: {} cycles a turn", l.start, l.end, l.cycles)?;
        }
        for w in &self.waits {
            let (group, accesses, hidden) = (w.group_name(), w.accesses, w.hidden);
            write!(f, "wait {group}     {:#06x}: ", w.at)?;
            match accesses {
                0 => writeln!(f, "nothing of the group since the last one")?,
                1 => writeln!(f, "1 access, {hidden} cycles behind it")?,
                n => writeln!(f, "{n} accesses, {hidden} cycles behind the last")?,
            }
        }
        Ok(())
    }
}
