//! Memory with code.

use super::context::Context;
use super::vectors::Vectors;
use crate::host::HostLevel;
use memmap2::{Mmap, MmapMut};
use shisa_diag::{Diagnostic, Limit, Limits};

/// Functions of a [`Context`], in memory from which the processor can run them.
pub(super) struct Executable {
    memory: Mmap,
    /// Number of bytes.
    length: usize,
    level: HostLevel,
    vectors: Vectors,
}

impl Executable {
    /// Copies code to memory that is writable first and executable afterwards.
    ///
    /// # Errors
    /// `limit-exceeded`; `exec-memory` if the operating system does not grant memory for code.
    pub(super) fn new(
        bytes: &[u8],
        (level, vectors): (HostLevel, Vectors),
        limits: &Limits,
    ) -> Result<Executable, Diagnostic> {
        limits.check(Limit::Memory, "bytes of machine code", bytes.len())?;
        let memory = executable(bytes).map_err(|e| {
            Diagnostic::error("exec-memory", format!("the operating system grants no memory for code: {e}"))
                .help("run the program without machine code")
        })?;
        Ok(Executable { memory, length: bytes.len(), level, vectors })
    }

    /// The vector units that the code uses.
    pub(super) fn level(&self) -> HostLevel {
        self.level
    }

    pub(super) fn vectors(&self) -> Vectors {
        self.vectors
    }

    /// Number of bytes of code.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Calls the function at an offset.
    ///
    /// # Safety
    /// A function in the calling convention of `sysv64` that takes a context begins there. The processor has the level of the
    /// code. The pointers of the context lead to memory that lives until the call returns, that nothing else refers to, and
    /// that is as large as the code needs.
    #[allow(unsafe_code)]
    pub(super) unsafe fn call(&self, start: usize, context: &mut Context) {
        // SAFETY: the caller's promise; the offset is within the memory.
        let function: extern "sysv64" fn(&mut Context) =
            unsafe { std::mem::transmute(self.memory.as_ptr().add(start)) };
        function(context);
    }
}

fn executable(bytes: &[u8]) -> std::io::Result<Mmap> {
    let mut memory = MmapMut::map_anon(bytes.len().max(1))?;
    memory[..bytes.len()].copy_from_slice(bytes);
    memory.make_exec()
}
