//! The outcomes of a verb.

use std::ffi::OsStr;
use std::io;
use std::process::ExitCode;

/// The status of a verb that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// No errors.
    Fine,
    /// The input has errors, which have been reported.
    Faults,
    /// Wrong usage, or a file that cannot be read or written, which has been reported.
    Failed,
}

impl Status {
    /// All of them.
    pub(crate) const ALL: [Status; 3] = [Status::Fine, Status::Faults, Status::Failed];

    /// What it means.
    pub(crate) const fn about(self) -> &'static str {
        match self {
            Status::Fine => "All is fine; there may be warnings.",
            Status::Faults => {
                "The input has errors, or is of no known kind, or a run did not compute what its input expects."
            }
            Status::Failed => "The arguments are wrong, or a file could not be read or written.",
        }
    }

    /// The exit status.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Status::Fine => 0,
            Status::Faults => 1,
            Status::Failed => 2,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status.number())
    }
}

/// Why a verb could not do its work.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The output is closed.
    Closed,
    /// Wrong usage.
    Failed(String),
    /// A file that cannot be read or written.
    File(String),
}

impl Stop {
    /// A file that could not be read or written.
    pub(crate) fn file(what: &str, name: impl AsRef<OsStr>, e: &io::Error) -> Stop {
        let name = shisa::diag::escape(&name.as_ref().to_string_lossy());
        match e.kind() {
            io::ErrorKind::BrokenPipe => Stop::Closed,
            _ => Stop::File(format!("cannot {what} {name}: {e}")),
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
