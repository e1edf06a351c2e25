//! The instructions of SPIR-V modules.

/// The words of a module's header.
const HEADER: usize = 5;

/// The instructions of a module, each with its first word, which has its length and its opcode.
pub fn instructions(words: &[u32]) -> impl Iterator<Item = &[u32]> {
    let mut rest = &words[HEADER..];
    core::iter::from_fn(move || {
        let (instruction, others) = rest.split_at((rest.first()? >> 16) as usize);
        rest = others;
        Some(instruction)
    })
}

/// The opcode of an instruction.
pub fn opcode(instruction: &[u32]) -> u32 {
    instruction[0] & 0xffff
}
