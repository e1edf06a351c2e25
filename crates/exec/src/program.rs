//! A compiled program, as callers see it.

use crate::access::Access;
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
    pub(crate) machine: Option<Arc<MachineCode>>,
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
    /// the processor lacks AVX2, or the program has too many registers or tables, changes textures or memory, waits at
    /// barriers, has operations between lanes, or does little but read textures and memory, which is no faster in machine
    /// code; `limit-exceeded`; `exec-memory` if the operating system grants no memory for code.
    pub fn add_machine_code(&mut self, limits: &Limits) -> Result<(), Diagnostic> {
        let level = HostLevel::best();
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if !MachineCode::is_faster(&self.plan, level) {
            let what = "machine code of programs that do little but read textures and memory";
            return Err(crate::codes::unsupported(what));
        }
        self.add_machine_code_for(level, limits)
    }

    /// As [`Program::add_machine_code`], for other vector units, those of [`HostLevel::Avx2`] or [`HostLevel::Avx512`], and
    /// whether it is faster or not.
    ///
    /// # Errors
    /// As [`Program::add_machine_code`]; `exec-unsupported` also if this processor lacks the level.
    pub fn add_machine_code_for(&mut self, level: HostLevel, limits: &Limits) -> Result<(), Diagnostic> {
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        return MachineCode::new(&self.plan, level, limits).map(|code| self.machine = Some(Arc::new(code)));
        #[cfg(not(all(feature = "jit", target_arch = "x86_64")))]
        {
            let _ = (level, limits);
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

    /// Whether the program uses textures or memory ([`crate::Runner::run_with`]).
    pub fn uses_environment(&self) -> bool {
        let mut accesses = self.plan.instructions.iter().filter_map(|i| i.access(&self.plan.accesses));
        accesses.any(Access::uses_environment)
    }

    /// Whether the program changes textures or memory: a run that ends early may have changed some of it.
    pub fn changes_environment(&self) -> bool {
        let mut accesses = self.plan.instructions.iter().filter_map(|i| i.access(&self.plan.accesses));
        accesses.any(Access::has_effect)
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
