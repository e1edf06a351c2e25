//! Runs of a program.

use crate::Program;
use crate::surroundings::Bound;
use shisa_diag::{Diagnostic, Limit};
use shisa_eval::{Batch, Column, Environment, Grid, NoEnvironment, Plane};
use shisa_exec::{Attribute, Outputs, Runner, Slot};
use shisa_ir::{FileId, FileKind, Reg};

/// The uniforms and the memory of runs of a program, for one thread at a time.
///
/// With the batch engine and machine code a run allocates nothing, after the first one with the same slots.
pub struct Session {
    program: Program,
    /// The uniforms, file by file.
    uniforms: Vec<(Reg, Vec<u32>)>,
    /// Whether lanes 4k to 4k + 3 are a quad.
    quads: bool,
    /// The memory of the batch engine; `None` if the evaluator runs the program.
    runner: Option<Box<Runner>>,
    /// The memory of operands of accesses to textures.
    operands: Vec<Plane>,
}

impl Program {
    /// The memory of runs, with the uniforms that the program states; all others are zero.
    pub fn session(&self) -> Session {
        Session::new(self)
    }
}

impl Session {
    fn new(program: &Program) -> Session {
        let files = (0..).map(FileId).zip(program.files()).filter(|(_, f)| f.kind == FileKind::Uniform);
        let uniforms = files.map(|(id, f)| (Reg::new(id, 0), vec![0; f.units.into()])).collect();
        let runner = program.compiled().map(|compiled| {
            let mut runner = compiled.runner();
            runner.set_limits(program.limits().clone());
            Box::new(runner)
        });
        let mut session =
            Session { program: program.clone(), uniforms, quads: false, runner, operands: Vec::new() };
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
        let own = self.uniforms.iter_mut().find(|(reg, _)| reg.file == first.file);
        let units = own.map_or(&mut [][..], |(_, units)| units);
        units.iter_mut().skip(first.unit.into()).zip(bits).for_each(|(to, from)| *to = *from);
        if let Some(runner) = &mut self.runner {
            runner.set_uniforms(first, bits);
        }
    }

    /// Sets whether lanes 4k to 4k + 3 of a run are a quad: upper left, upper right, lower left, lower right. Without
    /// quads, which is the default, lanes have no neighbours and derivatives are zero.
    pub fn set_quads(&mut self, quads: bool) {
        self.quads = quads;
        if let Some(runner) = &mut self.runner {
            runner.set_quads(quads);
        }
    }

    /// Runs lanes 0 to `lanes`, as [`Runner::run`] does, on the program's engine, without textures and memory.
    ///
    /// # Errors
    /// As [`Session::run_with`]; `eval-no-environment` if a lane reads a texture.
    pub fn run(
        &mut self,
        lanes: usize,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        killed: &mut [bool],
    ) -> Result<(), Diagnostic> {
        self.run_with(lanes, attributes, outputs, killed, &mut NoEnvironment)
    }

    /// As [`Session::run`], with textures and memory, such as a [`shisa_eval::TextureSet`], and with what takes emitted
    /// vertices. The evaluator runs the lanes if
    /// another engine cannot: where only some lanes of a quad take a derivative, and to report where an access is refused.
    /// Other engines do not run a read whose result nothing uses, so they do not miss its texture.
    ///
    /// # Errors
    /// `exec-attribute` if an array is too short for the lanes or names a register that does not exist, or lanes are quads
    /// and their number is no multiple of four; the errors of the environment; `limit-exceeded`; what the evaluator
    /// refuses. After an error the outputs of some lanes are written.
    pub fn run_with(
        &mut self,
        lanes: usize,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        killed: &mut [bool],
        environment: &mut dyn Environment,
    ) -> Result<(), Diagnostic> {
        if self.quads && !lanes.is_multiple_of(QUAD) {
            let text = format!("lanes are quads, and {lanes} is no multiple of {QUAD}");
            return Err(Diagnostic::error("exec-attribute", text));
        }
        let Some(runner) = &mut self.runner else {
            return self.evaluate(lanes, attributes, outputs, killed, environment);
        };
        let mut around = Bound::reusing(&mut *environment, std::mem::take(&mut self.operands));
        let ran = runner.run_with(lanes, attributes, outputs, killed, &mut around);
        let (operands, failed) = around.end();
        self.operands = operands;
        match ran {
            Err(d) if failed || d.code == "exec-divergent" => {
                let ran = self.evaluate(lanes, attributes, outputs, killed, environment);
                // A program of values has no instructions that the evaluator could run.
                if ran.as_ref().is_err_and(|d| d.code == "exec-unsupported") { Err(d) } else { ran }
            }
            other => other,
        }
    }

    fn evaluate(
        &self,
        lanes: usize,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        killed: &mut [bool],
        environment: &mut dyn Environment,
    ) -> Result<(), Diagnostic> {
        let (program, limits) = (&self.program, self.program.limits());
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
            uniforms: self.uniforms.clone(),
            outputs: outputs.slots.iter().map(|slot| (slot.reg, slot.units)).collect(),
            // Quads that follow each other are a column of two pixels' width.
            grid: self.quads.then_some(Grid { width: 2, height: lanes / 2 }),
            ..Batch::default()
        };
        let outcome = program.source().evaluate(batch, environment, limits)?;
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
}

/// Lanes of a quad.
const QUAD: usize = 4;

/// The indices of a slot's units, lane by lane.
fn indices(slot: &Slot, lanes: usize) -> impl Iterator<Item = usize> {
    (0..lanes).flat_map(move |lane| {
        let first = slot.offset + lane * slot.stride;
        (0..usize::from(slot.units)).map(move |unit| first + unit * slot.step)
    })
}
