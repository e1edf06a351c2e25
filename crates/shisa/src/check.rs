//! Checking programs against the rules of their instruction set.

use crate::{Result, Settings, identify::not_recognised};
use shisa_agal::{Program, rules};
use shisa_diag::{Diagnostic, Sink};
use shisa_ir::Stage;

/// Everything that is wrong with a program, in the order in which its players find it; at most
/// [`shisa_diag::Limits::diagnostics`] findings, and a note that counts the rest. Labels count bytes from the start of the program.
///
/// # Errors
/// When the bytes are of no known kind, or a limit is exceeded.
pub fn check(bytes: &[u8], settings: &Settings) -> Result<Vec<Diagnostic>> {
    if bytes.first() != Some(&0xa0) {
        return Err(not_recognised());
    }
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
