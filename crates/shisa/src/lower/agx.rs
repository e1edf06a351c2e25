//! AGX for translators: compute programs.

use super::{Kind, Lowered, Selection};
use crate::{AgxPart, Result, Settings, identify};
use shisa_agx::{Ctx, Kernel, Program, instructions, up_to_trap};
use shisa_ir::{Name, Stage};
use shisa_rows::{Line, print};

/// Threads of a workgroup where nothing tells them.
const WORKGROUP: [u32; 3] = [32, 1, 1];

/// A part that is a compute program, or bare code.
pub(super) fn lower(bytes: &[u8], selection: &Selection, settings: &Settings) -> Result<Lowered> {
    let mut kernel = kernel(bytes, settings)?;
    if let Some(workgroup) = selection.workgroup {
        kernel.program.workgroup = workgroup;
    }
    if kernel.program.stage != Stage::Compute {
        return Err(identify::not_built("translating AGX programs that draw"));
    }
    let (func, tree, interface) = kernel.lower(&settings.limits)?;
    Ok(Lowered { kind: Kind::Agx(kernel.program), func, tree, interface })
}

/// The code up to its traps, and what surrounds it.
fn kernel(bytes: &[u8], settings: &Settings) -> Result<Kernel> {
    let program = |stage, code, workgroup| Program { stage, code, workgroup };
    if !AgxPart::sniff(bytes) {
        let program = program(Stage::Compute, up_to_trap(bytes).to_vec(), WORKGROUP);
        return Ok(Kernel { program, preamble: 0, constants: (0, Vec::new()), shared: 0, stack: 0 });
    }
    let part = AgxPart::read(bytes, settings)?.part;
    let meta = &part.meta;
    let mut code = match part.preamble()? {
        Some(range) => up_to_trap(&part.code[range]).to_vec(),
        None => Vec::new(),
    };
    let preamble = code.len();
    code.extend(up_to_trap(&part.code[part.main()?]));
    let workgroup = match meta.workgroup_size {
        [0, _, _] | [_, 0, _] | [_, _, 0] => WORKGROUP,
        size => size,
    };
    let rodata = meta.rodata;
    let constants = part.code.get(rodata.offset as usize..).unwrap_or_default();
    let constants = &constants[..constants.len().min((rodata.size_16 as usize).saturating_mul(2))];
    Ok(Kernel {
        program: program(meta.stage, code, workgroup),
        preamble,
        constants: (u16::try_from(rodata.base_uniform).unwrap_or(u16::MAX), constants.to_vec()),
        shared: meta.local_size,
        stack: meta.scratch_size.max(meta.preamble_scratch_size),
    })
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
