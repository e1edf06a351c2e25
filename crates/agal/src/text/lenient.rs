//! What AGALMiniAssembler takes, byte for byte.

use super::assemble::Assembler;

/// Reads the source as AGALMiniAssembler does.
pub(super) fn read(asm: &mut Assembler<'_>) {
    let _ = asm;
}
