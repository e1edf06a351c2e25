//! The findings about a file, each with what it is about.

use shisa::diag::Diagnostic;
use shisa::{File, Program, Result};

/// A finding about a file, or about one of its programs.
#[derive(Clone, Debug)]
pub struct Found<'b> {
    /// The program, if it is about one. Labels count from its first byte.
    pub program: Option<Program<'b>>,
    /// The finding.
    pub diagnostic: Diagnostic,
}

/// All findings about a file, or only those about one of its programs.
///
/// # Errors
/// What keeps the file from being checked. A program that cannot be checked has the reasons as findings.
pub fn check<'b>(file: &File<'b>, program: Option<&Program<'b>>) -> Result<Vec<Found<'b>>> {
    if let Some(program) = program {
        let found = program.check().unwrap_or_else(|e| e.diagnostics);
        let about = |diagnostic| Found { program: Some(program.clone()), diagnostic };
        return Ok(found.into_iter().map(about).collect());
    }
    let about = |finding: shisa::data::Finding| Found {
        program: finding.program.and_then(|number| file.program(number).ok()),
        diagnostic: finding.diagnostic,
    };
    Ok(file.check()?.into_iter().map(about).collect())
}
