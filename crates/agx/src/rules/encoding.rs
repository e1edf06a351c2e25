//! What words may hold.

use super::code::{Code, Found, Step, operands};
use crate::abi::{Registers, Uniforms};
use crate::operand::lacks_hint;
use crate::{Ctx, FILES, REGISTERS, UNIFORMS};
use alloc::{format, string::String};
use core::any::Any;
use shisa_diag::Diagnostic;
use shisa_rows::{OneOf, Word};

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    for (_, step) in code.running() {
        bits(step, found);
        kinds(step, found);
        footprint(code, step, found);
    }
}

fn bits(step: &Step, found: &mut Found<'_>) {
    let unknown = step.insn.unknown_bits();
    if !unknown.is_zero() {
        let text = format!("bits {unknown:#x} of the word have no meaning, and are set");
        found.at(step, Diagnostic::error("agx-unknown-bits", text));
    }
}

/// Operands that are none.
fn kinds(step: &Step, found: &mut Found<'_>) {
    let insn = &step.insn;
    for op in insn.form().operands {
        if op.kind.faithful(op, insn, Ctx::default()) {
            continue;
        }
        let kind: &dyn Any = op.kind;
        let what = op.kind.describe();
        if let Some(registers) = op.kind.registers(op, insn) {
            let first = usize::from(registers.first.unit);
            let units = FILES.get(usize::from(registers.first.file.0)).map_or(0, |f| usize::from(f.units));
            if first + usize::from(registers.units) > units {
                let text = format!("the {what} reaches past the last one");
                found.at(step, Diagnostic::error("agx-register-past", text));
            } else if first % 2 != 0 {
                let text = format!("the {what} begins at an odd half");
                found.at(step, Diagnostic::error("agx-register-odd", text));
            }
        } else if let Some(lacks) = lacks_hint(op, insn) {
            let (code, text) = match lacks {
                true => ("agx-hint", format!("the {what} is a register and has the hint 0")),
                false => ("agx-type", format!("the type of the {what} does not exist")),
            };
            found.at(step, Diagnostic::error(code, text));
        } else if kind.is::<OneOf>() {
            let text = format!("{} is no {what}", op.field.get(&insn.word));
            found.at(step, Diagnostic::error("agx-value", text));
        }
    }
}

/// Registers and uniforms past those that there are for the program.
fn footprint(code: &Code<'_>, step: &Step, found: &mut Found<'_>) {
    for r in operands(&step.insn) {
        let (first, end) = (usize::from(r.first.unit), usize::from(r.first.unit) + usize::from(r.units));
        let names: String;
        let (rule, said) = if r.first.file == REGISTERS {
            names = Registers::range(first, end).names('r');
            ("agx-register-count", code.expect.registers)
        } else if r.first.file == UNIFORMS && r.read {
            names = Uniforms::range(first, end).names('u');
            ("agx-uniform-count", code.expect.uniforms)
        } else {
            continue;
        };
        if let Some(said) = said.filter(|said| end > *said as usize) {
            let text = format!("{names} is used, and the program has {said} halves");
            found.at(step, Diagnostic::error(rule, text));
        }
    }
}
