//! Lowers AGX for translators.

use super::file::{AgxCode, AgxFile};
use super::spelling;
use crate::lower::{Lowered, Origin};
use crate::{Result, Settings};
use shisa_agx::part::STACK_UNIT;
use shisa_agx::{Imageblock, Program, Staged, instructions, link, up_to_trap};
use shisa_diag::Diagnostic;
use shisa_ir::{Name, Natives, Scratch, Stage};
use std::sync::Arc;

/// Threads of a workgroup if nothing states them.
const WORKGROUP: [u32; 3] = [32, 1, 1];

/// Lowers a part, a program made of parts, a program of a container, or bare code.
pub(super) fn lower(
    file: &AgxFile<'_>,
    index: usize,
    settings: &Settings,
    natives: Natives,
    scratch: &mut Scratch,
) -> Result<Lowered> {
    let mut staged = staged(file, index, settings)?;
    if let Some(workgroup) = settings.agx.workgroup {
        staged.program.workgroup = workgroup;
    }
    if let Some(samples) = settings.agx.samples {
        staged.samples = samples;
    }
    if staged.program.stage == Stage::Compute {
        let imageblock = settings.agx.imageblock.or(staged.program.imageblock);
        staged.program.imageblock = Some(imageblock.unwrap_or_default());
    }
    staged.subgroups = settings.subgroups;
    staged.natives = natives;
    let (func, tree, interface, warnings) = staged.lower_in(scratch, &settings.limits)?;
    let (origin, limits) = (Arc::new(staged.program), settings.limits.clone());
    Ok(Lowered { func, tree, interface, warnings, origin, limits })
}

/// The code up to its traps, and its environment.
fn staged(file: &AgxFile<'_>, index: usize, settings: &Settings) -> Result<Staged> {
    let AgxCode { bytes, stage: known, .. } = file.code(index)?;
    let part = match file {
        AgxFile::Part(file) => &file.part,
        other => {
            // A program linked as a vertex program may be one that runs as compute.
            let stage = known.filter(|s| *s == Stage::Fragment).unwrap_or_else(|| Staged::stage_of(bytes));
            let stack = match other {
                AgxFile::Linked(file) => file.linked.meta.scratch_size.saturating_mul(STACK_UNIT),
                _ => 0,
            };
            let program = Program::new(stage, bytes.to_vec(), settings.agx.options);
            let program = Program { workgroup: WORKGROUP, ..program };
            let samples = link::SampleLoop::of(bytes).map_or(1, |turns| turns.samples);
            return Ok(Staged {
                program,
                preamble: 0,
                constants: (0, Vec::new()),
                shared: 0,
                stack,
                samples,
                subgroups: false,
                natives: Natives::default(),
            });
        }
    };
    let meta = &part.meta;
    // The preamble does not give its part back.
    let stack = meta.scratch_size.saturating_add(meta.preamble_scratch_size).saturating_mul(STACK_UNIT);
    let mut code = match part.preamble()? {
        Some(range) => up_to_trap(shisa_diag::bytes::part(&part.code, range)?).to_vec(),
        None => Vec::new(),
    };
    let preamble = code.len();
    code.extend(bytes);
    let workgroup = match meta.workgroup_size {
        [0, _, _] | [_, 0, _] | [_, _, 0] => WORKGROUP,
        size => size,
    };
    let rodata = meta.rodata;
    let constants = match part.constants()? {
        Some(range) => shisa_diag::bytes::part(&part.code, range)?,
        None => &[],
    };
    let first = u16::try_from(rodata.base_uniform).map_err(|_| {
        let text = format!("the constants begin at uniform {}, which does not exist", rodata.base_uniform);
        Diagnostic::error("agx-part-meta", text)
    })?;
    Ok(Staged {
        program: Program {
            workgroup,
            imageblock: Imageblock::of_compiler(meta.imageblock_stride)?,
            ..Program::new(meta.stage, code, settings.agx.options)
        },
        preamble,
        constants: (first, constants.to_vec()),
        shared: meta.local_size,
        stack,
        samples: 1,
        subgroups: false,
        natives: Natives::default(),
    })
}

impl Origin for Program {
    /// Registers have no names of their own.
    fn results(&self) -> Vec<Name> {
        instructions(&self.code).map(|_| "".into()).collect()
    }

    fn texts(&self) -> Vec<String> {
        spelling::texts(&self.code).map(|(_, text)| text).collect()
    }
}
