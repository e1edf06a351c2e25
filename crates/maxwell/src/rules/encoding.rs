//! Rules about words: instructions, meaningless bits, registers.

use super::code::{Code, Found};
use crate::code::Effects;
use crate::registers::COUNT;
use crate::{Ctx, Maxwell, REGISTERS, bundle, decode};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::{Insn, Registers};

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    for (i, word) in code.words().enumerate().filter(|(i, _)| code.graph.may_run(*i)) {
        let Some(insn) = code.graph.insn(i) else {
            let ctx = Ctx { chip: code.chip, pc: bundle::address(i as u32), ..Ctx::default() };
            if let Err(d) = decode(word, ctx) {
                found.at(i, d);
            }
            continue;
        };
        // Above these are flags of the operand cache.
        let bits = insn.unknown_bits() as u64 & !insn.form().attr.ignored;
        if bits != 0 {
            let text = format!("bits that mean nothing are not as compilers set them: {bits:#x}");
            found.at(i, Diagnostic::warning("maxwell-ignored-bits", text));
        }
        for registers in named(insn) {
            let (first, units) = (registers.first.unit, u16::from(registers.units));
            if first + units > COUNT {
                let text = format!("{units} registers from R{first} on reach past the last one, R254");
                found.at(i, Diagnostic::error("maxwell-register-past", text));
            } else if !first.is_multiple_of(alignment(units)) {
                let text = format!("{units} registers begin at R{first}");
                let help = format!("such a run begins at a multiple of {units}");
                found.at(i, Diagnostic::error("maxwell-register-alignment", text).help(help));
            }
        }
    }
    count(code, found);
}

/// The general registers that operands name.
fn named(insn: &Insn<Maxwell>) -> impl Iterator<Item = Registers> {
    let all = insn.form().operands.iter().filter_map(move |op| op.kind.registers(op, insn));
    all.filter(|r| r.first.file == REGISTERS)
}

/// The alignment of the first of the given number of registers. For three registers, the alignment is not known for
/// all instructions.
fn alignment(units: u16) -> u16 {
    match units {
        2 | 4 => units,
        _ => 1,
    }
}

/// Checks that the program states as many registers as it uses.
fn count(code: &Code<'_>, found: &mut Found<'_>) {
    let Some(count) = code.program.registers else { return };
    let highest = |e: &Effects| e.reads.or(&e.writes).highest();
    let used = code.insns().filter_map(|(i, _)| Some((highest(&code.graph.effects(i)?)?, i)));
    // The first of the instructions that use the highest one.
    let most = used.max_by_key(|(register, i)| (*register, core::cmp::Reverse(*i)));
    if let Some((register, i)) = most.filter(|(register, _)| *register as u64 >= u64::from(count)) {
        let text = format!("R{register} is used, but the program asks for {count} registers");
        found.at(i, Diagnostic::error("maxwell-register-count", text));
    }
}
