//! Names of words' results in translations.

use crate::operand::{D, Destination};
use crate::{Program, word};

/// The name of the register that a word writes, such as `r3`; empty for one that writes none.
pub fn result_name(program: &Program, number: usize) -> &'static str {
    const NAMES: [&str; 32] = [
        "o0", "o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "o10", "o11", "o12", "o13", "o14", "o15",
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
    ];
    let insn = program.code.get(number).and_then(|code| word::decode(*code, &program.descriptors));
    let written = insn.and_then(|insn| {
        let op = insn.form().operand(D)?;
        Some((Destination::of(op)?, op.field.get(&insn.word)))
    });
    match written {
        Some((Destination::Register, field)) => NAMES[Destination::number(field)],
        Some((Destination::Address, _)) => "a0",
        None => "",
    }
}
