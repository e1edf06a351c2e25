//! Checks of AGAL's programs in pairs.

use super::program;
use crate::{Program, Result};
use shisa_agal::rules;
use shisa_diag::Diagnostic;
use shisa_ir::Stage;

/// A fault in a pair of programs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkFinding {
    /// The program that its labels point into.
    pub program: Stage,
    /// The fault.
    pub diagnostic: Diagnostic,
}

/// All faults that keep a vertex and a fragment program from running together.
///
/// # Errors
/// `program-isa` if one of them is not an AGAL program.
pub fn check_pair(vertex: &Program<'_>, fragment: &Program<'_>) -> Result<Vec<LinkFinding>> {
    let (vertex, fragment) = (program(vertex)?, program(fragment)?);
    let of_fragment = |number| matches!(number, 3630 | 3632 | 3634);
    let finding = |f: rules::Finding| LinkFinding {
        program: if of_fragment(f.number) { Stage::Fragment } else { Stage::Vertex },
        diagnostic: f.diagnostic,
    };
    Ok(rules::link(vertex, fragment).into_iter().map(finding).collect())
}
