//! AGX's listings for machines.

use crate::parts::file::code;
use crate::{Listing, Result, Settings, disassemble};
use serde_json::{Value, json};
use shisa_agx::{Agx, Ctx, FILES, Syntax, fetch, length};
use shisa_rows::{Insn, Line, Operand, print, spell};

pub(super) fn json(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Value> {
    let text = disassemble(bytes, listing, settings)?;
    let bytes = &*code(bytes, settings)?;
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
        value["offset"] = json!(at);
        value["bytes"] = raw.iter().map(|b| format!("{b:02x}")).collect::<String>().into();
        list.push(value);
        at += size;
    }
    Ok(json!({
        "version": 1, "isa": "agx", "chip": null, "stage": null, "text": text, "instructions": list,
    }))
}

fn instruction(insn: &Insn<Agx>, ctx: Ctx<'_>) -> Value {
    let mut line = Vec::new();
    match ctx.syntax {
        Syntax::Applegpu => spell(insn, ctx, &mut Line::new(&mut line)),
        _ => print(insn, ctx, &mut Line::new(&mut line)),
    }
    let named = |written: bool| {
        let registers = |op: &Operand<Agx>| op.kind.registers(op, insn);
        let all = insn.form().operands.iter().filter_map(registers);
        let some = all.filter(|r| if written { r.written } else { r.read });
        some.flat_map(|r| names(r.first, r.units)).collect::<Vec<String>>()
    };
    json!({
        "text": String::from_utf8_lossy(&line), "reads": named(false), "writes": named(true),
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
