//! Running what files of this instruction set hold.

use super::super::file::MaxwellFile;
use super::json::{Input, filled};
use crate::family::Runs;
use crate::run::{TraceSink, wrong};
use crate::{Result, Settings};
use serde_json::Value;
use shisa_maxwell::ShaderStage;
use shisa_maxwell::bundle::{self, BUNDLE_BYTES};
use shisa_maxwell::container::{Container, Cubin, Image};
use shisa_maxwell::launch::Kernel;

impl Runs for MaxwellFile<'_> {
    /// A function of a cubin is loaded with its constants and memory. Bare code has only what the input states.
    fn run_json(
        &self,
        which: Option<usize>,
        text: &str,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Value> {
        let input = Input::read(text)?;
        let image = self.image(settings)?;
        let index = match (which, &input.kernel) {
            (Some(index), _) => index,
            (None, Some(name)) => named(&image, name)?,
            (None, None) => image.programs.iter().position(|p| p.entry).unwrap_or(0),
        };
        let kernel = kernel(&image, index, &input, settings)?;
        filled(kernel, (&input, text), trace, settings)
    }
}

/// The number of a kernel by its name.
fn named(image: &Image<'_>, name: &str) -> Result<usize> {
    let found = image.programs.iter().position(|p| p.name == name);
    let bare = image.programs.len() == 1 && image.container != Container::Cubin;
    found.or(bare.then_some(0)).ok_or_else(|| {
        let names: Vec<&str> = image.programs.iter().take(8).map(|p| p.name.as_str()).collect();
        wrong(format!("the file has no kernel \"{}\"; it has {}", shisa_diag::escape(name), names.join(", ")))
    })
}

/// A program of a file as a kernel.
fn kernel(image: &Image<'_>, index: usize, input: &Input, settings: &Settings) -> Result<Kernel> {
    let limits = &settings.limits;
    let program = image.programs.get(index);
    if let Some(stage) = program.and_then(|p| p.stage).filter(|stage| *stage != ShaderStage::Compute) {
        return Err(crate::error::not_built(&format!("running {} programs of Maxwell", stage.name())));
    }
    if let (Some(bytes), Some(program)) = (image.cubin_bytes(index), program) {
        let cubin = Cubin::read(bytes, limits)?;
        if let Some(function) = cubin.functions.iter().find(|f| f.name == program.name) {
            return Ok(Kernel::load(&cubin, function, input.free()?, limits)?);
        }
    }
    let bundles = image.code(index).chunks(BUNDLE_BYTES);
    let code = bundles.flat_map(|b| bundle::fuse(bundle::words(b))).collect();
    let registers = program.and_then(|p| p.registers).unwrap_or(0);
    Ok(Kernel { code, registers, ..Kernel::default() })
}
