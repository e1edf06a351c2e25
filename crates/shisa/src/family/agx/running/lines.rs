//! The listing and the names of a program for traces and debuggers.

use super::super::spelling::text;
use crate::Settings;
use shisa_agx::{Ctx, REGISTERS, UNIFORMS, fetch, length};
use shisa_debug::Line;
use shisa_ir::{File, Reg};

/// The instructions of code with their program counters, which count bytes from its start.
pub(super) fn lines(code: &[u8], settings: &Settings) -> Vec<Line> {
    let (mut list, mut at) = (Vec::new(), 0);
    while let Some(rest) = code.get(at..).filter(|rest| !rest.is_empty()) {
        let ctx = Ctx { pc: at as u32, revision: settings.agx.revision, ..Ctx::default() };
        let insn = fetch(rest);
        if let Some(insn) = &insn {
            list.push(Line { counter: at as u32, text: text(insn, ctx) });
        }
        at += insn.as_ref().map_or(2, length);
    }
    list
}

/// The name of a register unit, such as `r0l`.
pub(super) fn name(files: &'static [File], reg: Reg) -> String {
    let file = files.get(usize::from(reg.file.0)).map_or("?", |f| f.name);
    match reg.file {
        REGISTERS | UNIFORMS => {
            format!("{file}{}{}", reg.unit / 2, if reg.unit & 1 == 0 { 'l' } else { 'h' })
        }
        _ => format!("{file}{}", reg.unit),
    }
}
