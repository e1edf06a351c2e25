//! The requests about documents.

use crate::document::Document;
use crate::message::Answer;
use crate::options::Options;
use crate::request::Request;
use crate::{actions, completion, folding, format, hints, hover, names, semantic, signature, symbols};

/// What a request needs before it can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing: it is about one position, and answered at once.
    Nothing,
    /// The time to read the whole document. Messages that wait are answered first.
    Time,
    /// As `Time`, and what a check finds.
    Findings,
    /// As `Time`, and the assembled program, unless the client repeats the request when it is there.
    Code,
}

/// The requests of one method.
#[derive(Clone, Copy)]
pub(crate) struct Feature {
    pub(crate) needs: Needs,
    /// Answers a request.
    pub(crate) answer: fn(&Request<'_>) -> Answer,
}

impl Feature {
    /// Whether a document has what the requests need.
    pub(crate) fn is_ready(self, document: &Document, options: Options) -> bool {
        match self.needs {
            Needs::Nothing | Needs::Time => true,
            Needs::Findings => document.known_findings().is_some(),
            Needs::Code => options.refreshes || document.known_code().is_some(),
        }
    }
}

/// The feature of a method.
pub(crate) fn feature(method: &str) -> Option<Feature> {
    let feature = |needs: Needs, answer: fn(&Request<'_>) -> Answer| Some(Feature { needs, answer });
    match method {
        "textDocument/hover" => feature(Needs::Nothing, hover::hover),
        "textDocument/completion" => feature(Needs::Nothing, completion::completion),
        "textDocument/signatureHelp" => feature(Needs::Nothing, signature::signature),
        "textDocument/definition" => feature(Needs::Nothing, names::definition),
        "textDocument/references" => feature(Needs::Nothing, names::references),
        "textDocument/documentHighlight" => feature(Needs::Nothing, names::highlights),
        "textDocument/prepareRename" => feature(Needs::Nothing, names::prepare_rename),
        "textDocument/semanticTokens/range" => feature(Needs::Nothing, semantic::tokens),
        "textDocument/rename" => feature(Needs::Time, names::rename),
        "textDocument/documentSymbol" => feature(Needs::Time, symbols::symbols),
        "textDocument/formatting" | "textDocument/rangeFormatting" => feature(Needs::Time, format::format),
        "textDocument/foldingRange" => feature(Needs::Time, folding::folding),
        "textDocument/semanticTokens/full" => feature(Needs::Time, semantic::tokens),
        "textDocument/codeAction" => feature(Needs::Findings, actions::actions),
        "textDocument/inlayHint" => feature(Needs::Code, hints::hints),
        _ => None,
    }
}
