//! What a word's result is called in translations.

use crate::operand::D;
use crate::{Pica200, Program, word};
use alloc::{format, string::String};
use shisa_rows::Insn;

fn insn(program: &Program, number: usize) -> Option<Insn<Pica200>> {
    let code = program.code.get(number)?;
    Insn::decode(word::fuse(*code, &program.descriptors))
}

/// The name of the register that a word writes, such as `r3`; empty for one that writes none.
pub fn result_name(program: &Program, number: usize) -> String {
    let Some(insn) = insn(program, number) else { return String::new() };
    if insn.form().operands.iter().all(|o| o.slot != D) {
        return String::new();
    }
    // The address registers have only a mask.
    match insn.field(D) as u32 & 0x1f {
        _ if insn.form().name == "mova" => "a0".into(),
        n @ 0..16 => format!("o{n}"),
        n => format!("r{}", n - 16),
    }
}
