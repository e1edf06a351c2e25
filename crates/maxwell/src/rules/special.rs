//! Rule about special registers that have no value where they are read.

use super::code::{Code, Found};
use crate::operand::AT;
use crate::registers::special::{Knowledge, name, special_register};
use crate::role::Role;
use alloc::format;
use shisa_diag::Diagnostic;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    for (i, insn) in code.insns() {
        let Role::ReadSpecial { coupled } = insn.form().attr.role else { continue };
        let number = insn.field(AT) as u8;
        let known = special_register(number);
        let Some(register) = known.filter(|_| name(number, code.chip).is_some()) else {
            let text = format!("SR{number} is reserved on {} and reads as zero", code.chip);
            found.at(i, Diagnostic::warning("maxwell-special-reserved", text));
            continue;
        };
        let name = register.name;
        match register.knowledge {
            Knowledge::Described => {}
            Knowledge::Zero => {
                let text = format!("{name} is not implemented and reads as zero");
                found.at(i, Diagnostic::warning("maxwell-special-reserved", text));
                continue;
            }
            Knowledge::NameOnly => {
                let text = format!("{name} has a name, but is described as reserved");
                found.at(i, Diagnostic::warning("maxwell-special-reserved", text));
            }
        }
        if let Some(stage) = code.stage.filter(|s| register.reads_zero(*s)) {
            let text = format!("{name} always reads as zero in a {} program", stage.name());
            found.at(i, Diagnostic::warning("maxwell-special-stage", text));
        }
        if coupled && !register.coupled {
            let reader = insn.form().name;
            let text = format!("{name} is not coupled with execution, so {reader} reads it as zero");
            found.at(i, Diagnostic::warning("maxwell-special-coupled", text).help("read it with S2R"));
        }
    }
}
