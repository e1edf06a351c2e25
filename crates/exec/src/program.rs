//! A compiled program, as callers see it.

use crate::access::Access;
use crate::coding::Coding;
use crate::host::HostLevel;
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
use crate::jit::MachineCode;
use crate::plan::Plan;
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{File, Reg};
use std::sync::Arc;

/// A program that is compiled for batches. It owns all that it needs; clones share it, and so do [`crate::Runner`]s.
#[derive(Clone)]
pub struct Program {
    pub(crate) plan: Arc<Plan>,
    /// The program as instructions of the processor.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    pub(crate) machine: Option<MachineCode>,
}

impl Program {
    /// A program without machine code.
    pub(crate) fn of(plan: Plan) -> Program {
        Program {
            plan: Arc::new(plan),
            #[cfg(all(feature = "jit", target_arch = "x86_64"))]
            machine: None,
        }
    }

    /// The register files of the program.
    pub fn files(&self) -> &'static [File] {
        self.plan.files
    }

    /// The output units that the program writes, in order.
    pub fn outputs(&self) -> impl Iterator<Item = Reg> {
        self.plan.outputs.iter().map(|(reg, _)| *reg)
    }

    /// The input units that the program reads, in order.
    pub fn inputs(&self) -> impl Iterator<Item = Reg> {
        self.plan.inputs.iter().map(|load| load.reg)
    }

    /// Makes machine code of the program for the widest vector units of this processor, which runners made from now on use.
    ///
    /// # Errors
    /// The program stays as it is and runs without machine code: `exec-unsupported` if the build lacks the feature `jit`,
    /// the processor lacks AVX2, or the program reads more than four files by a computed index, or does little but access
    /// textures and memory, which is no faster in machine code; `limit-exceeded`; `exec-memory` if the operating system
    /// grants no memory for code.
    pub fn add_machine_code(&mut self, limits: &Limits) -> Result<(), Diagnostic> {
        self.add_machine_code_for(HostLevel::best(), limits)
    }

    /// As [`Program::add_machine_code`], for vector units of the caller's choice: a [`HostLevel`], or a [`Coding`].
    ///
    /// # Errors
    /// As [`Program::add_machine_code`]; `exec-unsupported` also if this processor lacks the level.
    pub fn add_machine_code_for(
        &mut self,
        coding: impl Into<Coding>,
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        let coding = coding.into();
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        return MachineCode::new(&self.plan, coding, limits).map(|code| self.machine = Some(code));
        #[cfg(not(all(feature = "jit", target_arch = "x86_64")))]
        {
            let _ = (coding, limits);
            Err(crate::codes::unsupported("machine code, because this build has none"))
        }
    }

    /// The vector units that the program's machine code uses, if it has any.
    pub fn machine_code_level(&self) -> Option<HostLevel> {
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        return self.machine.as_ref().map(|code| code.level());
        #[cfg(not(all(feature = "jit", target_arch = "x86_64")))]
        None
    }

    /// Number of bytes of machine code, if the program has any.
    pub fn machine_code(&self) -> Option<usize> {
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        return self.machine.as_ref().map(|code| code.length());
        #[cfg(not(all(feature = "jit", target_arch = "x86_64")))]
        None
    }

    /// Whether results depend on the other lanes of a quad, if lanes are quads ([`crate::Runner::set_quads`]).
    pub fn uses_quads(&self) -> bool {
        self.plan.uses_quads()
    }

    /// Whether the program uses textures or memory, or emits vertices ([`crate::Runner::run_with`]).
    pub fn uses_environment(&self) -> bool {
        let mut accesses = self.plan.instructions.iter().filter_map(|i| i.access(&self.plan.accesses));
        accesses.any(Access::uses_environment)
    }

    /// Whether the program changes textures or memory: a run that ends early may have changed some of it.
    pub fn changes_environment(&self) -> bool {
        let mut accesses = self.plan.instructions.iter().filter_map(|i| i.access(&self.plan.accesses));
        accesses.any(Access::changes_environment)
    }

    /// Whether the program emits vertices.
    pub fn emits(&self) -> bool {
        let mut accesses = self.plan.instructions.iter().filter_map(|i| i.access(&self.plan.accesses));
        accesses.any(Access::emits)
    }

    /// Whether a run can end with `exec-divergent`: an instruction needs all lanes of a quad or of a wave.
    pub fn needs_lanes_together(&self) -> bool {
        self.plan.needs_lanes_together()
    }

    /// Whether the lanes of a wave wait for other waves of their workgroup ([`crate::WaveRunner`]).
    pub fn has_barriers(&self) -> bool {
        self.plan.has_barriers()
    }

    /// Number of instructions: of uniforms, and of lanes.
    pub fn size(&self) -> (usize, usize) {
        let uniforms = self.plan.prologue.len();
        (uniforms, self.plan.instructions.len() - uniforms)
    }

    /// Number of bytes of memory that a run works on: uniforms and slabs.
    pub fn working_set(&self) -> usize {
        self.plan.working_set()
    }
}
