//! The outcomes of a verb.

use std::io;

/// The status of a verb that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// No errors.
    Fine,
    /// The input has errors, which have been reported.
    Faults,
}

/// Why a verb could not do its work.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The output is closed.
    Closed,
    /// Wrong usage, or a file that cannot be read or written.
    Failed(String),
}

impl Stop {
    /// A file that could not be read or written.
    pub(crate) fn file(what: &str, name: &str, e: &io::Error) -> Stop {
        match e.kind() {
            io::ErrorKind::BrokenPipe => Stop::Closed,
            _ => Stop::Failed(format!("cannot {what} {}: {e}", shisa::diag::escape(name))),
        }
    }
}

impl From<io::Error> for Stop {
    fn from(e: io::Error) -> Self {
        Stop::file("write", "the output", &e)
    }
}

impl From<serde_json::Error> for Stop {
    fn from(e: serde_json::Error) -> Self {
        Stop::from(io::Error::from(e))
    }
}
