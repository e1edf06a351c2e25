//! Lowers PICA200 for translators.

use crate::lower::{Lowered, Origin};
use crate::{Result, Settings, error};
use shisa_diag::Limits;
use shisa_ir::{FloatModel, Name, Scratch, Stage};
use shisa_pica200::container::Shbin;
use shisa_pica200::{Outputs, Program, Staged, result_name};
use std::sync::Arc;

/// A program, and the binary that contains it.
#[derive(Debug)]
struct Words {
    file: Arc<Shbin>,
    program: Program,
    model: FloatModel,
}

/// Lowers a program of a shader binary, by its number there. In raw words, outputs are registers.
pub(super) fn lower(
    file: &Arc<Shbin>,
    number: usize,
    raw: bool,
    settings: &Settings,
    scratch: &mut Scratch,
) -> Result<Lowered> {
    let Some((program, dvle)) = file.program(number).zip(file.programs.get(number)) else {
        return Err(error::no_program(number + 1, file.programs.len()).into());
    };
    // A geometry program reads what the vertex program in the same binary outputs.
    let before = file.programs.iter().find(|d| d.stage() == Some(Stage::Vertex));
    let staged = Staged {
        program: &program,
        dvle: Some(dvle),
        outputs: if raw { Outputs::Registers } else { settings.pica200.outputs },
        options: &settings.pica200.options,
        attributes: before.map(|d| d.enabled_outputs().count_ones() as u8),
    };
    let warnings = staged.warnings();
    let (func, tree, interface) = staged.lower_in(scratch, &settings.limits)?;
    let origin =
        Arc::new(Words { file: Arc::clone(file), program, model: settings.pica200.options.float_model() });
    let limits = settings.limits.clone();
    Ok(Lowered { func, tree, interface, warnings, origin, limits })
}

impl Origin for Words {
    fn float_model(&self) -> FloatModel {
        self.model
    }

    fn results(&self) -> Vec<Name> {
        (0..self.program.code.len()).map(|i| result_name(&self.program, i).into()).collect()
    }

    /// The text of each word: as in a listing, or with numbers if that is too long.
    fn texts(&self) -> Vec<String> {
        let named = shisa_pica200::named_texts(&self.file, &Limits::default());
        named.unwrap_or_else(|_| shisa_pica200::texts(&self.file))
    }
}
