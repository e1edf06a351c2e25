//! Runs of a program.

use crate::Program;
use crate::surroundings::Bound;
use shisa_diag::{Diagnostic, Limit};
use shisa_eval::{Batch, Column, NoEnvironment};
use shisa_exec::{Attribute, Outputs, Runner, Slot};
use shisa_ir::{FileId, FileKind, Reg};

/// The uniforms and the memory of runs of a program, for one thread at a time.
///
/// With the batch engine and machine code a run allocates nothing, after the first one with the same slots.
pub struct Session {
    program: Program,
    engine: Memory,
}

/// What the engine needs.
enum Memory {
    /// The uniforms, file by file.
    Evaluator(Vec<(Reg, Vec<u32>)>),
    Runner(Box<Runner>),
}

impl Program {
    /// The memory of runs, with the uniforms that the program states; all others are zero.
    pub fn session(&self) -> Session {
        Session::new(self)
    }
}

impl Session {
    fn new(program: &Program) -> Session {
        let engine = match program.compiled() {
            Some(compiled) => {
                let mut runner = compiled.runner();
                runner.set_limits(program.limits().clone());
                Memory::Runner(Box::new(runner))
            }
            None => {
                let files = (0..).map(FileId).zip(program.files());
                let uniforms = files.filter(|(_, f)| f.kind == FileKind::Uniform);
                Memory::Evaluator(
                    uniforms.map(|(id, f)| (Reg::new(id, 0), vec![0; f.units.into()])).collect(),
                )
            }
        };
        let mut session = Session { program: program.clone(), engine };
        for (first, bits) in program.source().constants() {
            session.set(*first, bits);
        }
        session
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Sets units of uniforms from `first` on. Other units keep their values.
    ///
    /// # Errors
    /// `exec-attribute` if such units do not exist.
    pub fn set_uniforms(&mut self, first: Reg, bits: &[u32]) -> Result<(), Diagnostic> {
        let file = self.program.files().get(usize::from(first.file.0));
        let file = file.filter(|f| f.kind == FileKind::Uniform);
        if file.is_none_or(|f| bits.len() > usize::from(f.units.saturating_sub(first.unit))) {
            let text = format!(
                "{} units from unit {} of register file {} on are no uniforms",
                bits.len(),
                first.unit,
                first.file.0
            );
            return Err(Diagnostic::error("exec-attribute", text));
        }
        self.set(first, bits);
        Ok(())
    }

    fn set(&mut self, first: Reg, bits: &[u32]) {
        match &mut self.engine {
            Memory::Runner(runner) => runner.set_uniforms(first, bits),
            Memory::Evaluator(files) => {
                let own = files.iter_mut().find(|(reg, _)| reg.file == first.file);
                let units = own.map_or(&mut [][..], |(_, units)| units);
                units.iter_mut().skip(first.unit.into()).zip(bits).for_each(|(to, from)| *to = *from);
            }
        }
    }

    /// Runs lanes 0 to `lanes`, as [`Runner::run`] does, on the program's engine.
    ///
    /// # Errors
    /// `exec-attribute` if an array is too short for the lanes or names a register that does not exist;
    /// `eval-no-environment` if a lane reads a texture; `limit-exceeded`; what the evaluator refuses. After an error the
    /// outputs of some lanes are written.
    pub fn run(
        &mut self,
        lanes: usize,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        killed: &mut [bool],
    ) -> Result<(), Diagnostic> {
        match &mut self.engine {
            Memory::Runner(runner) => {
                runner.run_with(lanes, attributes, outputs, killed, &mut Bound::new(&mut NoEnvironment))
            }
            Memory::Evaluator(uniforms) => {
                evaluate(&self.program, uniforms, lanes, attributes, outputs, killed)
            }
        }
    }
}

/// The indices of a slot's units, lane by lane.
fn indices(slot: &Slot, lanes: usize) -> impl Iterator<Item = usize> {
    (0..lanes).flat_map(move |lane| {
        let first = slot.offset + lane * slot.stride;
        (0..usize::from(slot.units)).map(move |unit| first + unit * slot.step)
    })
}

fn evaluate(
    program: &Program,
    uniforms: &[(Reg, Vec<u32>)],
    lanes: usize,
    attributes: &[Attribute<'_>],
    outputs: &mut Outputs<'_>,
    killed: &mut [bool],
) -> Result<(), Diagnostic> {
    let limits = program.limits();
    attributes.iter().try_for_each(|a| a.check(lanes, program.files()))?;
    outputs.check(lanes, program.files())?;
    let units: usize = attributes.iter().map(|a| usize::from(a.slot.units)).sum();
    limits.check(Limit::Memory, "bytes of inputs", lanes.saturating_mul(units * size_of::<u32>()))?;
    let column = |a: &Attribute<'_>| {
        let bits = indices(&a.slot, lanes).filter_map(|at| a.data.get(at).copied()).collect();
        Column { reg: a.slot.reg, units: a.slot.units, bits }
    };
    let batch = Batch {
        lanes,
        // The first attribute of a register counts, and of the evaluator's inputs the last.
        inputs: attributes.iter().rev().map(column).collect(),
        uniforms: uniforms.to_vec(),
        outputs: outputs.slots.iter().map(|slot| (slot.reg, slot.units)).collect(),
        ..Batch::default()
    };
    let outcome = program.source().evaluate(batch, limits)?;
    for (slot, column) in outputs.slots.iter().zip(&outcome.outputs) {
        for (at, bits) in indices(slot, lanes).zip(&column.bits) {
            if let Some(to) = outputs.data.get_mut(at) {
                *to = *bits;
            }
        }
    }
    killed.iter_mut().zip(&outcome.killed).for_each(|(to, from)| *to = *from);
    Ok(())
}
