//! AGAL's listings for machines.

use crate::{Listing, Result, Settings, disassemble};
use serde_json::{Value, json};
use shisa_agal::{Agal, Ctx, Program, RegType, Token, files, print_token, token};
use shisa_ir::{Lifted, Stage};
use shisa_rows::{Access, Facts, Insn, Line};

pub(super) fn json(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Value> {
    let text = disassemble(bytes, listing, settings)?;
    let program = Program::read(bytes, &settings.limits)?;
    let ctx = Ctx { version: program.version, stage: program.stage, options: &settings.agal };
    let mut scratch = Lifted::new(files(program.stage));
    let instructions: Vec<Value> = (0u32..)
        .zip(&program.tokens)
        .map(|(pc, word)| {
            let (reads, writes) = accesses(&mut scratch, word, ctx, pc);
            let mut line = Vec::new();
            print_token(word, ctx, &mut Line::new(&mut line));
            json!({
                "offset": Program::token_span(pc as usize).start,
                "bytes": token::split(word).iter().map(|b| format!("{b:02x}")).collect::<String>(),
                "text": String::from_utf8_lossy(&line),
                "reads": reads,
                "writes": writes,
            })
        })
        .collect();
    Ok(json!({
        "version": 1, "isa": "agal", "chip": program.version.to_string(), "stage": program.stage.name(),
        "text": text, "instructions": instructions,
    }))
}

/// The registers that a token reads and writes; nothing for one that is no instruction.
fn accesses(scratch: &mut Lifted, word: &Token, ctx: Ctx<'_>, pc: u32) -> (Vec<String>, Vec<String>) {
    let Some(insn) = Insn::<Agal>::decode(*word) else { return Default::default() };
    match Facts::of(scratch, insn, ctx, pc, pc + 1) {
        Ok(facts) => {
            let named = |a: Access| name(&a, ctx.stage);
            (facts.reads().map(named).collect(), facts.writes().map(named).collect())
        }
        Err(_) => Default::default(),
    }
}

/// A register with its components, such as `vt0.xy`; `vc[]` for one that is chosen while running.
fn name(access: &Access, stage: Stage) -> String {
    let kind = RegType(access.reg.file.0);
    super::vector(kind.name(stage).unwrap_or("?"), access)
}
