//! AGX for translators: compute programs.

use super::{Kind, Lowered};
use crate::{AgxPart, Result, Settings, identify};
use shisa_agx::{Ctx, Program, SPECIALS, Sequencer, WORD_FILES, instructions, up_to_trap};
use shisa_ir::{Addresses, Name, Op, Reg, Stage};
use shisa_rows::{Line, print};

/// Threads of a workgroup where nothing tells them.
const WORKGROUP: [u32; 3] = [32, 1, 1];

/// A part that is a compute program, or bare code. Memory is reached by the low 32 bits of addresses: what a program
/// touches lies in one stretch of 4 GiB, and the buffer bound as memory begins there.
pub(super) fn lower(bytes: &[u8], settings: &Settings) -> Result<Lowered> {
    let limits = &settings.limits;
    let program = program(bytes, settings)?;
    if program.stage != Stage::Compute {
        return Err(identify::not_built("translating AGX programs that draw"));
    }
    let lifted = shisa_agx::lift(&program)?;
    let interface = shisa_agx::interface(&program, &lifted);
    let given = |reg: Reg| interface.inputs.iter().any(|i| (i.reg.unit..i.reg.unit + 3).contains(&reg.unit));
    let special = lifted.nodes.list.iter().find_map(|n| match n.op {
        Op::Read { reg, .. } if reg.file == SPECIALS && !given(reg) => Some(reg.unit),
        _ => None,
    });
    if let Some(number) = special {
        return Err(identify::not_built(&format!("translating AGX programs that read sr{number}")));
    }
    let mut func = shisa_ir::recover(&lifted, &Sequencer, 0, limits)?;
    shisa_ir::simplify(&mut func, limits)?;
    shisa_ir::narrow(&mut func, WORD_FILES, Addresses::Window)?;
    let tree = shisa_ir::structurise(&mut func, limits)?;
    Ok(Lowered { kind: Kind::Agx(program), func, tree, interface })
}

/// The main code up to its traps, and what surrounds it.
fn program(bytes: &[u8], settings: &Settings) -> Result<Program> {
    if !AgxPart::sniff(bytes) {
        return Ok(Program { stage: Stage::Compute, code: up_to_trap(bytes).into(), workgroup: WORKGROUP });
    }
    let part = AgxPart::read(bytes, settings)?.part;
    let meta = &part.meta;
    let main = part.code.get(meta.main_offset as usize..).unwrap_or_default();
    let main = main.get(..meta.main_size as usize).unwrap_or(main);
    let workgroup = match meta.workgroup_size {
        [0, _, _] | [_, 0, _] | [_, _, 0] => WORKGROUP,
        size => size,
    };
    Ok(Program { stage: meta.stage, code: up_to_trap(main).into(), workgroup })
}

/// The name of the register that each instruction writes; they have none of their own.
pub(super) fn results(program: &Program) -> Vec<Name> {
    instructions(&program.code).map(|_| "".into()).collect()
}

/// The text of each instruction.
pub(super) fn texts(program: &Program) -> Vec<String> {
    let text = |(at, insn)| {
        let mut text = Vec::new();
        print(&insn, Ctx { pc: at as u32, ..Ctx::default() }, &mut Line::new(&mut text));
        String::from_utf8(text).unwrap_or_default()
    };
    instructions(&program.code).map(text).collect()
}
