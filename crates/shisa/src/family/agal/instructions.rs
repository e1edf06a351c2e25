//! AGAL's instructions as data.

use crate::Settings;
use crate::explain::row;
use crate::family::{Each, pass_on};
use crate::fields::{self, Field};
use crate::instruction::{Instruction, vector};
use serde_json::Map;
use shisa_agal::{Agal, Ctx, Program, RegType, Token, files, print_token, token};
use shisa_ir::{Lifted, Stage};
use shisa_rows::{Access, Facts, Insn, Line};

/// Passes on the instructions of a program.
pub(super) fn list(program: &Program, settings: &Settings, each: &mut Each<'_>) {
    let ctx = Ctx { version: program.version, stage: program.stage, options: &settings.agal };
    let mut scratch = Lifted::new(files(program.stage));
    let list = (0u32..).zip(&program.tokens).map(|(pc, word)| {
        let (reads, writes) = accesses(&mut scratch, word, ctx, pc);
        let mut line = Vec::new();
        print_token(word, ctx, &mut Line::new(&mut line));
        Instruction {
            offset: Program::token_span(pc as usize).start,
            bytes: token::split(word).iter().map(|b| format!("{b:02x}")).collect(),
            text: Some(String::from_utf8_lossy(&line).into_owned()),
            reads,
            writes,
            more: Map::new(),
        }
    });
    pass_on(list, each);
}

/// The fields of the token at an offset; none for a token that is no instruction.
pub(super) fn fields(program: &Program, offset: usize) -> Vec<Field> {
    let number = offset.saturating_sub(Program::token_span(0).start) / token::TOKEN_BYTES;
    let insn = program.tokens.get(number).and_then(|word| Insn::<Agal>::decode(*word));
    insn.map_or(Vec::new(), |insn| fields::of(&insn, u8::MAX, row::range))
}

/// The registers that a token reads and writes; none for a token that is not an instruction.
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

/// A register with its components, such as `vt0.xy`; `vc[]` for a register whose index is computed at run time.
fn name(access: &Access, stage: Stage) -> String {
    let kind = RegType(access.reg.file.0);
    vector(kind.name(stage).unwrap_or("?"), access)
}
