//! Rules about the encoding of instructions.

use super::found::{Checked, Found};
use crate::code::Step;
use crate::operand::{UNKNOWN_BITS, lacks_hint};
use crate::sets::{Registers, Uniforms};
use crate::{Ctx, FILES, REGISTERS, UNIFORMS};
use alloc::{format, string::String};
use core::any::Any;
use shisa_diag::{Diagnostic, Severity};
use shisa_rows::{OneOf, Word};

pub(super) fn check(checked: &Checked<'_>, found: &mut Found<'_>) {
    for step in checked.code.running() {
        bits(&step, found);
        kinds(&step, found);
        footprint(checked, &step, found);
    }
}

fn bits(step: &Step<'_>, found: &mut Found<'_>) {
    let ignored = step.insn.unknown_bits() & step.insn.form().attr.ignored;
    if !ignored.is_zero() {
        let text = format!(
            "bits {ignored:#x} of the instruction have no meaning; a released compiler sets them, too"
        );
        found.at(step, Diagnostic::new(Severity::Note, "agx-unknown-bits", text));
    }
    let unknown = step.insn.unknown_bits() & !ignored;
    if !unknown.is_zero() {
        let text = format!("bits {unknown:#x} of the instruction have no meaning, but are set");
        found.at(step, Diagnostic::error("agx-unknown-bits", text));
    }
    if let Some(op) = step.insn.form().operand(UNKNOWN_BITS[0]) {
        let text = format!("this form of {} is known only from tables of encodings", step.name());
        let bits = step.insn.word & op.field.mask::<u128>();
        let d = Diagnostic::warning("agx-unknown-bits", text);
        found.at(step, d.note(format!("the meaning of its bits {bits:#x} is not known")));
    }
}

/// Operands that name nothing.
fn kinds(step: &Step<'_>, found: &mut Found<'_>) {
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
                true => ("agx-hint", format!("the {what} is a register with hint 0; hints are 1, 2 and 3")),
                false => ("agx-type", format!("the type of the {what} does not exist")),
            };
            found.at(step, Diagnostic::error(code, text));
        } else if kind.is::<OneOf>() {
            let text = format!("{} is no {what}", op.field.get(&insn.word));
            found.at(step, Diagnostic::error("agx-value", text));
        }
    }
}

/// Registers and uniforms past those that the program has.
fn footprint(checked: &Checked<'_>, step: &Step<'_>, found: &mut Found<'_>) {
    for r in step.runs() {
        let (first, end) = (usize::from(r.first.unit), usize::from(r.first.unit) + usize::from(r.units));
        let names: String;
        let (rule, there) = if r.first.file == REGISTERS {
            names = Registers::range(first, end).names('r');
            ("agx-register-count", checked.expect.registers)
        } else if r.first.file == UNIFORMS && r.read {
            names = Uniforms::range(first, end).names('u');
            ("agx-uniform-count", checked.expect.uniforms)
        } else {
            continue;
        };
        if let Some(there) = there.filter(|there| end > *there as usize) {
            let text = format!("{names} is used, but the program has {there} halves");
            found.at(step, Diagnostic::error(rule, text));
        }
    }
}
