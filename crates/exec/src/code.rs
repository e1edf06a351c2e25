//! The code of host levels. All levels have one source; the code of a level is a copy of [`run`] that the compiler made for
//! its instructions.

#[cfg(target_arch = "x86_64")]
use crate::host::Fused;
use crate::host::{HostLevel, Separate};
use crate::parts::Parts;
use crate::plan::Plan;
use crate::run::run;
use crate::task::{End, Stopped, Task};
use crate::working::Memory;

/// The code of a level that this processor has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Code(HostLevel);

impl Code {
    /// The code that every processor of the target can run.
    pub(crate) const BASE: Code = Code(HostLevel::Base);

    /// The code of a level; `None` if the processor lacks it.
    pub(crate) fn of(level: HostLevel) -> Option<Code> {
        level.is_available().then_some(Code(level))
    }

    /// The level.
    pub(crate) fn level(self) -> HostLevel {
        self.0
    }

    /// [`run`], compiled for the level.
    #[allow(unsafe_code)]
    pub(crate) fn run(
        self,
        program: &Plan,
        memory: &mut Memory,
        task: Task<'_>,
        parts: Option<&mut dyn Parts>,
    ) -> Result<Stopped, End> {
        match self.0 {
            HostLevel::Base => run::<Separate>(program, memory, task, parts),
            // SAFETY: only `Code::of` makes a `Code` of this level, after the processor reported its features.
            #[cfg(target_arch = "x86_64")]
            HostLevel::Avx2 => unsafe { run_avx2(program, memory, task, parts) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            HostLevel::Avx512 => unsafe { run_avx512(program, memory, task, parts) },
            #[cfg(not(target_arch = "x86_64"))]
            HostLevel::Avx2 | HostLevel::Avx512 => run::<Separate>(program, memory, task, parts),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2(
    program: &Plan,
    memory: &mut Memory,
    task: Task<'_>,
    parts: Option<&mut dyn Parts>,
) -> Result<Stopped, End> {
    run::<Fused>(program, memory, task, parts)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512bw,avx512dq")]
fn run_avx512(
    program: &Plan,
    memory: &mut Memory,
    task: Task<'_>,
    parts: Option<&mut dyn Parts>,
) -> Result<Stopped, End> {
    run::<Fused>(program, memory, task, parts)
}
