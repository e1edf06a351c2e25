//! AGX's listings for machines.

use super::programs;
use crate::parts::file::AgxFile;
use crate::text::agx::{of_file, text};
use crate::{Listing, Result, Settings};
use serde_json::{Value, json};
use shisa_agx::{Agx, Ctx, FILES, fetch, length};
use shisa_rows::{Insn, Operand};
use std::ops::Range;

pub(super) fn json(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Value> {
    let file = AgxFile::read(bytes, settings)?;
    let AgxFile::Image(image) = &file else {
        // Of a part all of its code, with what runs before.
        return one(&file, 0..file.bytes().len(), listing, settings);
    };
    if let Some(number) = listing.program {
        return one(&file, file.program(number)?.0, listing, settings);
    }
    programs(image.container.name(), bytes, settings, |number| {
        one(&file, file.program(number)?.0, &Listing { program: Some(number), ..*listing }, settings)
    })
}

/// The listing of a program whose code lies in this range.
fn one(file: &AgxFile<'_>, range: Range<usize>, listing: &Listing, settings: &Settings) -> Result<Value> {
    let text = of_file(file, listing, settings)?;
    let stage = file.program(listing.program.unwrap_or(1))?.1;
    let start = range.start;
    let bytes = file.bytes().get(range).unwrap_or_default();
    let mut list = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|r| !r.is_empty()) {
        let ctx = Ctx {
            pc: at as u32,
            syntax: listing.agx.syntax,
            revision: listing.agx.revision,
            ..Ctx::default()
        };
        let (size, value) = match fetch(rest) {
            Some(insn) => (length(&insn), instruction(&insn, ctx)),
            None => (rest.len().min(2), json!({ "text": null, "reads": [], "writes": [] })),
        };
        let (mut value, raw) = (value, rest.get(..size).unwrap_or_default());
        value["offset"] = json!(start + at);
        value["bytes"] = raw.iter().map(|b| format!("{b:02x}")).collect::<String>().into();
        list.push(value);
        at += size;
    }
    Ok(json!({
        "version": 1, "isa": "agx", "chip": null, "stage": stage.map(|s| s.name()), "text": text,
        "instructions": list,
    }))
}

fn instruction(insn: &Insn<Agx>, ctx: Ctx<'_>) -> Value {
    let named = |written: bool| {
        let registers = |op: &Operand<Agx>| op.kind.registers(op, insn);
        let all = insn.form().operands.iter().filter_map(registers);
        let some = all.filter(|r| if written { r.written } else { r.read });
        some.flat_map(|r| names(r.first, r.units)).collect::<Vec<String>>()
    };
    json!({
        "text": text(insn, ctx), "reads": named(false), "writes": named(true),
    })
}

/// Registers as text has them: whole ones where both halves are meant.
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
