//! AGX for translators.

use super::{Kind, Lowered, Selection};
use crate::parts::file::{AgxCode, AgxFile};
use crate::{Result, Settings};
use shisa_agx::{Imageblock, Program, Staged, instructions, link, up_to_trap};
use shisa_ir::{Name, Stage};

/// Threads of a workgroup where nothing tells them.
const WORKGROUP: [u32; 3] = [32, 1, 1];

/// A part, a program made of parts, one of a container, or bare code.
pub(super) fn lower(bytes: &[u8], selection: &Selection, settings: &Settings) -> Result<Lowered> {
    let mut staged = staged(bytes, selection.program.unwrap_or(1), settings)?;
    if let Some(workgroup) = selection.workgroup {
        staged.program.workgroup = workgroup;
    }
    if let Some(samples) = selection.samples {
        staged.samples = samples;
    }
    if staged.program.stage == Stage::Compute {
        let imageblock = selection.imageblock.or(staged.program.imageblock);
        staged.program.imageblock = Some(imageblock.unwrap_or_default());
    }
    let (func, tree, interface, warnings) = staged.lower(&settings.limits)?;
    Ok(Lowered { kind: Kind::Agx(staged.program), func, tree, interface, warnings })
}

/// The code up to its traps, and what surrounds it.
fn staged(bytes: &[u8], number: usize, settings: &Settings) -> Result<Staged> {
    let file = AgxFile::read(bytes, settings)?;
    let AgxCode { bytes, stage: known, .. } = file.code(number)?;
    let part = match &file {
        AgxFile::Part(file) => &file.part,
        other => {
            // What is linked as a vertex program may be one that runs as compute.
            let stage = known.filter(|s| *s == Stage::Fragment).unwrap_or_else(|| Staged::stage_of(bytes));
            let stack = match other {
                AgxFile::Linked(file) => file.linked.meta.scratch_size,
                _ => 0,
            };
            let program = Program::new(stage, bytes.to_vec(), settings.agx);
            let program = Program { workgroup: WORKGROUP, ..program };
            let samples = link::SampleLoop::of(bytes).map_or(1, |turns| turns.samples);
            return Ok(Staged {
                program,
                preamble: 0,
                constants: (0, Vec::new()),
                shared: 0,
                stack,
                samples,
            });
        }
    };
    let meta = &part.meta;
    let mut code = match part.preamble()? {
        Some(range) => up_to_trap(&part.code[range]).to_vec(),
        None => Vec::new(),
    };
    let preamble = code.len();
    code.extend(bytes);
    let workgroup = match meta.workgroup_size {
        [0, _, _] | [_, 0, _] | [_, _, 0] => WORKGROUP,
        size => size,
    };
    let rodata = meta.rodata;
    let constants = part.code.get(rodata.offset as usize..).unwrap_or_default();
    let constants = &constants[..constants.len().min((rodata.size_16 as usize).saturating_mul(2))];
    Ok(Staged {
        program: Program {
            workgroup,
            imageblock: Imageblock::of_compiler(meta.imageblock_stride)?,
            ..Program::new(meta.stage, code, settings.agx)
        },
        preamble,
        constants: (u16::try_from(rodata.base_uniform).unwrap_or(u16::MAX), constants.to_vec()),
        shared: meta.local_size,
        stack: meta.scratch_size.max(meta.preamble_scratch_size),
        samples: 1,
    })
}

/// The name of the register that each instruction writes; they have none of their own.
pub(super) fn results(program: &Program) -> Vec<Name> {
    instructions(&program.code).map(|_| "".into()).collect()
}

/// The text of each instruction.
pub(super) fn texts(program: &Program) -> Vec<String> {
    crate::text::agx::texts(&program.code).map(|(_, text)| text).collect()
}
