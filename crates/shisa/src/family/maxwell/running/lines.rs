//! The listing and the names of a program for traces and debuggers.

use super::super::instructions::text;
use shisa_debug::Line;
use shisa_ir::{File, Reg};
use shisa_maxwell::{CODES, Chip, Ctx, bundle};

/// The condition codes, in the order of their units.
const CODE_NAMES: [&str; 4] = ["CC.Z", "CC.S", "CC.C", "CC.O"];

/// The instructions of a program with their program counters.
pub(super) fn lines(code: &[u128], chip: Chip) -> Vec<Line> {
    let line = |(number, word): (u32, &u128)| {
        let counter = bundle::address(number);
        Line { counter, text: text(*word, Ctx { pc: counter, chip, ..Ctx::default() }) }
    };
    (0..).zip(code).map(line).collect()
}

/// The name of a register, such as `R4`, `P0` or `CC.Z`.
pub(super) fn name(files: &'static [File], reg: Reg) -> String {
    let code = CODE_NAMES.get(usize::from(reg.unit)).filter(|_| reg.file == CODES);
    let file = files.get(usize::from(reg.file.0)).map_or("?", |f| f.name);
    code.map_or_else(|| format!("{file}{}", reg.unit), |code| (*code).into())
}
