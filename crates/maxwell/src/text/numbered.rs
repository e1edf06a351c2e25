//! Special registers that source names by their numbers.

use crate::operand::AT;
use crate::registers::special;
use crate::role::Role;
use crate::{Chip, Maxwell};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::Insn;

/// Reports a special register that is given by its number although it has a name.
pub(super) fn numbered(insn: &Insn<Maxwell>, text: &str, at: usize, chip: Chip) -> Option<Diagnostic> {
    let Role::ReadSpecial { .. } = insn.form().attr.role else { return None };
    let start = text.find(',')? + 1;
    let start = start + text.get(start..)?.find("SR")?;
    let digits = text.get(start + 2..)?.bytes().take_while(u8::is_ascii_digit).count();
    let name = special::name(insn.field(AT) as u8, chip).filter(|_| digits > 0)?;
    let d = Diagnostic::warning("maxwell-special-number", format!("this register has a name, {name}"));
    let d = d
        .at_text(at + start..at + start + 2 + digits, "")
        .note("numbers may mean other registers on other chips");
    Some(d.help(format!("write {name}")))
}
