//! PICA200 for translators.

use super::{Kind, Lowered, Selection};
use crate::{Result, Settings};
use shisa_diag::Limits;
use shisa_ir::{Name, Stage};
use shisa_pica200::container::Shbin;
use shisa_pica200::{Program, Staged, result_name};

/// A program of a shader binary.
pub(super) fn select(bytes: &[u8], selection: &Selection, settings: &Settings) -> Result<Lowered> {
    let file = Shbin::read(bytes, &settings.limits)?;
    let number = selection.program.unwrap_or(1);
    let found = number.checked_sub(1).and_then(|i| Some((file.program(i)?, file.programs.get(i)?)));
    let Some((program, dvle)) = found else {
        return Err(crate::text::no_program(number, file.programs.len()).into());
    };
    // A geometry program takes what the vertex program beside it gives.
    let before = file.programs.iter().find(|d| d.stage() == Some(Stage::Vertex));
    let staged = Staged {
        program: &program,
        dvle: Some(dvle),
        outputs: selection.outputs,
        options: &settings.pica200,
        attributes: before.map(|d| d.output_mask.count_ones() as u8),
    };
    let (func, tree, interface) = staged.lower(&settings.limits)?;
    Ok(Lowered { kind: Kind::Pica200(file, program), func, tree, interface, warnings: Vec::new() })
}

pub(super) fn results(program: &Program) -> Vec<Name> {
    (0..program.code.len()).map(|i| result_name(program, i).into()).collect()
}

/// The text of each word: as a listing has it, or with numbers where that is too long.
pub(super) fn texts(file: &Shbin) -> Vec<String> {
    shisa_pica200::named_texts(file, &Limits::default()).unwrap_or_else(|_| shisa_pica200::texts(file))
}
