//! AGAL's programs in pairs.

use super::program;
use crate::{Program, Result};
use shisa_agal::rules;
use shisa_diag::Diagnostic;
use shisa_ir::Stage;

/// Something wrong with a pair of programs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkFinding {
    /// The program that its labels point into.
    pub program: Stage,
    /// What is wrong.
    pub diagnostic: Diagnostic,
}

/// Whether a vertex and a fragment program go together: everything that is wrong.
///
/// # Errors
/// `program-isa` when one of them is no AGAL program.
pub fn check_pair(vertex: &Program<'_>, fragment: &Program<'_>) -> Result<Vec<LinkFinding>> {
    let (vertex, fragment) = (program(vertex)?, program(fragment)?);
    let of_fragment = |number| matches!(number, 3630 | 3632 | 3634);
    let finding = |f: rules::Finding| LinkFinding {
        program: if of_fragment(f.number) { Stage::Fragment } else { Stage::Vertex },
        diagnostic: f.diagnostic,
    };
    Ok(rules::link(vertex, fragment).into_iter().map(finding).collect())
}
