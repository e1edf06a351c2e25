//! What a word's result is called in translations.

use crate::operand::D;
use crate::{Pica200, Program, word};
use shisa_rows::Insn;

fn insn(program: &Program, number: usize) -> Option<Insn<Pica200>> {
    let code = program.code.get(number)?;
    Insn::decode(word::fuse(*code, &program.descriptors))
}

/// The name of the register that a word writes, such as `r3`; empty for one that writes none.
pub fn result_name(program: &Program, number: usize) -> &'static str {
    const NAMES: [&str; 32] = [
        "o0", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "o10", "o11", "o12", "o13", "o14", "o15",
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
    ];
    let Some(insn) = insn(program, number) else { return "" };
    if insn.form().operands.iter().all(|o| o.slot != D) {
        return "";
    }
    // The address registers have only a mask.
    if insn.form().name == "mova" { "a0" } else { NAMES[insn.field(D) as usize & 0x1f] }
}
