//! The error type of all verbs.

use crate::Isa;
use shisa_diag::Diagnostic;
use std::fmt;

/// Why a verb failed: every fault that it found, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The faults in the order found.
    pub diagnostics: Vec<Diagnostic>,
}

/// The result of every fallible verb.
pub type Result<T> = std::result::Result<T, Error>;

impl From<Diagnostic> for Error {
    fn from(d: Diagnostic) -> Self {
        Error { diagnostics: vec![d] }
    }
}

impl From<Vec<Diagnostic>> for Error {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Error { diagnostics }
    }
}

impl fmt::Display for Error {
    /// One line for each fault, without locations; [`crate::diag::render`] shows locations.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.diagnostics.iter().enumerate();
        lines.try_for_each(|(i, d)| write!(f, "{}{d}", if i == 0 { "" } else { "\n" }))
    }
}

impl std::error::Error for Error {}

/// The error for something that is not implemented yet.
pub(crate) fn not_built(what: &str) -> Error {
    Diagnostic::error("not-built", format!("{what} is not built yet")).into()
}

/// The error for a program number that does not exist.
pub(crate) fn no_program(number: usize, count: usize) -> Diagnostic {
    let d = Diagnostic::error("no-program", format!("there is no program {number}"));
    d.note(match count {
        1 => "the file is a single program".into(),
        _ => format!("programs are numbered from 1; the file holds {count}"),
    })
}

/// The error for live registers in the text of another tool.
pub(crate) fn not_live(tool: &str) -> Diagnostic {
    Diagnostic::error("dis-live", format!("{tool}'s text does not show what is live"))
}

/// The error for bytes of no known kind.
pub(crate) fn not_recognised(bytes: &[u8]) -> Error {
    let kinds: Vec<&str> = Isa::BUILT.iter().map(|isa| isa.name()).collect();
    let d = Diagnostic::error("not-recognised", "this is not a program of a known kind");
    let d = d.note(format!("known are: {}", kinds.join(", ")));
    if bytes.is_empty() {
        return d.note("there are no bytes").into();
    }
    if let Some(encoding) = shisa_diag::other_unicode(bytes) {
        return d.note(format!("this is text in {encoding}")).help("save it as UTF-8").into();
    }
    let bytes = shisa_diag::without_mark(bytes);
    let plain = |c: char| !c.is_control() || c.is_ascii_whitespace();
    let Some(text) = std::str::from_utf8(bytes).ok().filter(|t| t.chars().all(plain)) else {
        return d.help("--isa reads it as code of an instruction set").into();
    };
    if text.trim_start().starts_with('{') {
        let d = match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Ok(_) => d.note("this is JSON, but not {code, meta}"),
            Err(e) => d.note(format!("this looks like JSON, but is not valid: {e}")),
        };
        return d.help("a shader part of AGX is JSON with its code in hexadecimal and its meta").into();
    }
    d.note("this is text")
        .help("sources are recognised by their first line, such as // agal 1 vertex, or by the extension of the file name")
        .into()
}
