//! Programs of graphics stages with their environment, as far as the container states it.

use crate::{Result, Settings};
use shisa_ir::Division;
use shisa_maxwell::container::{Container, Image, Sph};
use shisa_maxwell::launch::Kernel;
use shisa_maxwell::{Drawing, ShaderStage};
use std::collections::BTreeMap;

/// The bank of constants that code files of NVN hold.
const CONSTANTS: u8 = 1;

/// A program of a graphics stage with its environment.
#[derive(Clone, Debug)]
pub(super) struct GraphicsProgram {
    pub(super) kernel: Kernel,
    pub(super) drawing: Drawing,
    /// How patches are divided, as far as settings or file state it.
    pub(super) division: Option<Division>,
}

impl GraphicsProgram {
    /// A program of a file; `None` if nothing states that it is one of a graphics stage.
    ///
    /// # Errors
    /// The faults of the container.
    pub(super) fn of(
        image: &Image<'_>,
        index: usize,
        settings: &Settings,
    ) -> Result<Option<GraphicsProgram>> {
        let Some((kernel, drawing)) = drawn(image, index, settings)? else { return Ok(None) };
        let division = division(image, index, settings);
        Ok(Some(GraphicsProgram { kernel, drawing, division }))
    }
}

/// A program of a file as one of a graphics stage; `None` if nothing states that it is one.
///
/// # Errors
/// The faults of the container.
pub(super) fn drawn(
    image: &Image<'_>,
    index: usize,
    settings: &Settings,
) -> Result<Option<(Kernel, Drawing)>> {
    let header = image.header(index);
    let program = image.programs.get(index);
    let stage = program.and_then(|p| p.stage).or(header.as_ref().and_then(Sph::stage));
    let Some(stage) = stage.filter(|stage| *stage != ShaderStage::Compute) else { return Ok(None) };
    let drawing = Drawing::new(stage, header, settings.maxwell.options);
    if let Some(dksh) = image.dksh()
        && let Some(program) = dksh.programs.get(index)
    {
        return Ok(Some((Kernel::of_dksh(dksh, program)?, drawing)));
    }
    let registers = program.and_then(|p| p.registers).unwrap_or(0);
    let mut kernel = Kernel::of_stage(image.code(index), header.as_ref(), registers);
    if image.container == Container::NvnCode {
        let nvn = image.nvn_file(&settings.limits)?;
        let constants = nvn.bytes.get(nvn.constants.clone()).filter(|bytes| !bytes.is_empty());
        kernel.banks = constants.map_or_else(BTreeMap::new, |c| BTreeMap::from([(CONSTANTS, c.to_vec())]));
    }
    Ok(Some((kernel, drawing)))
}

/// How patches are divided: as the settings state it, or a DKSH for its tessellation evaluation program.
pub(super) fn division(image: &Image<'_>, index: usize, settings: &Settings) -> Option<Division> {
    let stated = || image.dksh()?.programs.get(index)?.own.division();
    settings.maxwell.division.or_else(stated)
}
