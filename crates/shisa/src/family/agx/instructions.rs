//! AGX's instructions as data.

use super::file::AgxFile;
use super::spelling::{syntax, text};
use crate::explain::row;
use crate::family::Each;
use crate::fields::{self, Field};
use crate::instruction::Instruction;
use crate::{Listing, Result, Settings};
use serde_json::Map;
use shisa_agx::{Agx, Ctx, FILES, fetch, length};
use shisa_diag::bytes::part;
use shisa_rows::{Insn, Operand};

/// Passes on the instructions of a program. For a part these are all of its code, including the code before the main
/// code.
pub(super) fn list(
    file: &AgxFile<'_>,
    index: usize,
    how: &Listing,
    settings: &Settings,
    each: &mut Each<'_>,
) -> Result<()> {
    let (range, _) = file.program(index)?;
    let range = if matches!(file, AgxFile::Image(_)) { range } else { 0..file.bytes().len() };
    let start = range.start;
    let bytes = part(file.bytes(), range)?;
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|r| !r.is_empty()) {
        let ctx = Ctx {
            pc: at as u32,
            syntax: syntax(how.syntax),
            revision: settings.agx.revision,
            ..Ctx::default()
        };
        let insn = fetch(rest);
        let size = insn.as_ref().map_or(rest.len().min(2), length);
        let raw = part(rest, 0..size)?;
        let named = |written| insn.as_ref().map_or(Vec::new(), |insn| registers(insn, written));
        let passed = each(Instruction {
            offset: start + at,
            bytes: raw.iter().map(|b| format!("{b:02x}")).collect(),
            reads: named(false),
            writes: named(true),
            text: insn.as_ref().map(|insn| text(insn, ctx)),
            more: Map::new(),
        });
        if passed.is_break() {
            break;
        }
        at += size;
    }
    Ok(())
}

/// The fields of the instruction at an offset; none for bytes that are no instruction.
pub(super) fn fields(file: &AgxFile<'_>, offset: usize) -> Vec<Field> {
    let insn = file.bytes().get(offset..).and_then(fetch);
    insn.map_or(Vec::new(), |insn| fields::of(&insn, 8 * length(&insn) as u8, row::range))
}

/// The registers that an instruction writes, or those that it reads.
fn registers(insn: &Insn<Agx>, written: bool) -> Vec<String> {
    let registers = |op: &Operand<Agx>| op.kind.registers(op, insn);
    let all = insn.form().operands.iter().filter_map(registers);
    let some = all.filter(|r| if written { r.written } else { r.read });
    some.flat_map(|r| names(r.first, r.units)).collect()
}

/// Register names as in the text: a whole register if both halves are accessed.
fn names(first: shisa_ir::Reg, units: u8) -> Vec<String> {
    let letter = FILES.get(usize::from(first.file.0)).map_or("?", |f| f.name);
    let (mut list, end) = (Vec::new(), first.unit + u16::from(units));
    let mut unit = first.unit;
    while unit < end {
        let number = unit / 2;
        match unit % 2 {
            0 if unit + 1 < end => list.push(format!("{letter}{number}")),
            0 => list.push(format!("{letter}{number}l")),
            _ => list.push(format!("{letter}{number}h")),
        }
        unit += 2 - unit % 2;
    }
    list
}
