//! Work on a document that takes longer than an answer: it needs neither the server nor the document, so another thread can
//! do it.

use crate::code::Code;
use crate::findings::findings;
use shisa::Settings;
use shisa::diag::Diagnostic;

/// The kind of work, in the order in which it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A check.
    Findings,
    /// Assembling, with live registers and costs.
    Code,
}

/// Work on one version of a document.
pub struct Task {
    pub(crate) kind: Kind,
    pub(crate) uri: String,
    /// The version of the text, as the server counts.
    pub(crate) edition: u64,
    pub(crate) text: String,
    pub(crate) settings: Settings,
}

/// The result of a [`Task`], for [`Server::finish`](crate::Server::finish).
pub struct Done {
    pub(crate) uri: String,
    pub(crate) edition: u64,
    pub(crate) outcome: Outcome,
}

/// What work leads to.
pub(crate) enum Outcome {
    Findings(Vec<Diagnostic>),
    Code(Code),
}

impl Task {
    /// Does the work.
    pub fn run(self) -> Done {
        let outcome = match self.kind {
            Kind::Findings => Outcome::Findings(findings(&self.text, &self.settings)),
            Kind::Code => Outcome::Code(Code::of(&self.text, &self.settings)),
        };
        Done { uri: self.uri, edition: self.edition, outcome }
    }
}
