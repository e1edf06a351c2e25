//! Lowers Maxwell for translators.

use super::file::{MaxwellFile, chip};
use super::instructions;
use crate::lower::{Lowered, Origin};
use crate::{Result, Settings};
use shisa_ir::{Name, Natives, Scratch, Stage};
use shisa_maxwell::bundle::{self, BUNDLE_BYTES};
use shisa_maxwell::container::{Container, Image, Own};
use shisa_maxwell::flow::Targets;
use shisa_maxwell::launch::{Driver, Kernel, LOCAL_WINDOW, SHARED_WINDOW, STACK, STACK_TOP, TEXTURES};
use shisa_maxwell::lower::Staged;
use shisa_maxwell::{Chip, Ctx, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Threads of a workgroup if nothing states them.
const WORKGROUP: [u32; 3] = [32, 1, 1];
/// The bank of a cubin's literals, which no host changes.
const LITERALS: u8 = 2;

/// Lowers a program of a DKSH or of NVN, a kernel of a cubin, code after a Shader Program Header, or bare code. Bare code has no constants and, unless the
/// settings state it, no shared memory.
pub(super) fn lower(
    file: &MaxwellFile<'_>,
    index: usize,
    settings: &Settings,
    natives: Natives,
    scratch: &mut Scratch,
) -> Result<Lowered> {
    let image = file.image();
    let mut staged = staged(image, index, settings)?;
    if let Some(workgroup) = settings.maxwell.workgroup {
        staged.program.workgroup = workgroup;
    }
    if let Some(shared) = settings.maxwell.shared {
        staged.shared = shared;
    }
    if let Some(local) = settings.maxwell.local {
        staged.local = local;
    }
    staged.primitive = settings.maxwell.primitive;
    if staged.program.drawing.is_none() {
        staged.known = known(image, staged.program.workgroup);
    }
    staged.textures.clone_from(&settings.maxwell.textures);
    staged.subgroups = settings.subgroups;
    staged.natives = natives;
    let (func, tree, interface, warnings) = staged.lower_in(scratch, &settings.limits)?;
    let origin = Code { words: staged.program.code, chip: chip(image, index, settings) };
    let limits = settings.limits.clone();
    Ok(Lowered { func, tree, interface, warnings, origin: Arc::new(origin), limits })
}

/// The code and its environment.
fn staged(image: &Image<'_>, index: usize, settings: &Settings) -> Result<Staged> {
    if let Some((kernel, drawing)) = super::stages::drawn(image, index, settings)? {
        let stage = drawing.stage;
        // Other drivers' handles are numbered from 0 on, in a bank that the code does not state.
        let handles = match image.container {
            Container::Dksh => Driver::Deko3dStage(drawing.stage).textures(),
            _ => 0,
        };
        return Ok(Staged {
            constants: kernel.banks,
            handles,
            local: kernel.local,
            stack: kernel.stack.unwrap_or(0),
            registers: kernel.registers,
            division: super::stages::division(image, index, settings),
            ..Staged::new(Program { stage, code: kernel.code, workgroup: [1; 3], drawing: Some(drawing) })
        });
    }
    let program = |code, workgroup| Program { stage: Stage::Compute, code, workgroup, drawing: None };
    if let Some(dksh) = image.dksh()
        && let Some(described) = dksh.programs.get(index)
        && let Own::Compute { block, .. } = described.own
    {
        let kernel = Kernel::of_dksh(dksh, described)?;
        return Ok(Staged {
            constants: kernel.banks,
            handles: TEXTURES,
            shared: kernel.shared,
            local: kernel.local,
            stack: kernel.stack.unwrap_or(0),
            registers: kernel.registers,
            ..Staged::new(program(kernel.code, block.map(|n| n.max(1))))
        });
    }
    let described = image.programs.get(index);
    let targets = described.map_or_else(Targets::new, |p| p.targets.clone());
    if let Some((cubin, function)) = image.function(index) {
        let kernel = Kernel::load(cubin, function, 0, &settings.limits)?;
        // The host fills in the other banks.
        let literals = kernel.banks.into_iter().filter(|(number, _)| *number == LITERALS);
        return Ok(Staged {
            constants: literals.collect(),
            targets,
            shared: kernel.shared,
            stack: kernel.stack.unwrap_or(STACK),
            registers: kernel.registers,
            ..Staged::new(program(kernel.code, WORKGROUP))
        });
    }
    let bundles = image.code(index).chunks(BUNDLE_BYTES);
    let code = bundles.flat_map(|b| bundle::fuse(bundle::words(b))).collect();
    Ok(Staged { targets, ..Staged::new(program(code, WORKGROUP)) })
}

/// The words of bank 0 that a launch of these workgroups determines.
fn known(image: &Image<'_>, workgroup: [u32; 3]) -> BTreeMap<(u8, u32), u32> {
    let sizes = |first: u32| (0..).zip(workgroup).map(move |(i, size)| ((0, first + 4 * i), size));
    match image.container {
        Container::Dksh => sizes(0).collect(),
        Container::Cubin | Container::Fatbin | Container::Host => {
            let windows = [(0, SHARED_WINDOW as u32), (4, LOCAL_WINDOW as u32), (0x20, STACK_TOP)];
            windows.map(|(at, word)| ((0, at), word)).into_iter().chain(sizes(8)).collect()
        }
        _ => BTreeMap::new(),
    }
}

/// The instructions of a lowered program.
#[derive(Debug)]
struct Code {
    words: Vec<u128>,
    chip: Chip,
}

impl Origin for Code {
    /// Registers have no names of their own.
    fn results(&self) -> Vec<Name> {
        Vec::new()
    }

    fn texts(&self) -> Vec<String> {
        let ctx = |number| Ctx { pc: bundle::address(number), chip: self.chip, ..Ctx::default() };
        (0..).zip(&self.words).map(|(number, word)| instructions::text(*word, ctx(number))).collect()
    }
}
