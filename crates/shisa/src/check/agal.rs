//! AGAL's programs, alone and in pairs.

use crate::{Result, Settings};
use shisa_agal::{Program, rules};
use shisa_diag::{Diagnostic, Sink};
use shisa_ir::Stage;

pub(super) fn check(bytes: &[u8], settings: &Settings) -> Result<Vec<Diagnostic>> {
    let findings = rules::check(bytes, &settings.limits)?;
    let mut told = Sink::new(settings.limits.diagnostics);
    told.extend(findings.list.into_iter().map(|f| f.diagnostic));
    told.count(findings.more);
    Ok(told.finish())
}

/// Something wrong with a pair of programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkFinding {
    /// The program that its labels point into.
    pub program: Stage,
    /// What is wrong.
    pub diagnostic: Diagnostic,
}

/// Whether a vertex and a fragment program go together: everything that is wrong.
///
/// # Errors
/// When one of them is no program.
pub fn check_pair(vertex: &[u8], fragment: &[u8], settings: &Settings) -> Result<Vec<LinkFinding>> {
    let vertex = Program::read(vertex, &settings.limits)?;
    let fragment = Program::read(fragment, &settings.limits)?;
    let of_fragment = |number| matches!(number, 3630 | 3632 | 3634);
    let finding = |f: rules::Finding| LinkFinding {
        program: if of_fragment(f.number) { Stage::Fragment } else { Stage::Vertex },
        diagnostic: f.diagnostic,
    };
    Ok(rules::link(&vertex, &fragment).into_iter().map(finding).collect())
}
