//! What the adapter can do, and what the client expects.

use crate::breakpoint::On;
use serde_json::{Value, json};

/// What a client stated about itself.
pub(super) struct Client {
    /// The number of the first line.
    pub(super) first_line: usize,
    /// The number of the first column.
    pub(super) first_column: usize,
}

impl Client {
    /// From the arguments of `initialize`.
    pub(super) fn new(arguments: &Value) -> Client {
        let first = |key: &str| usize::from(arguments[key] != false);
        Client { first_line: first("linesStartAt1"), first_column: first("columnsStartAt1") }
    }
}

/// The answer to `initialize`. Clients restart a session by a new one, so that it reads changed files.
pub(super) fn capabilities() -> Value {
    let filters = On::NAMED.iter().map(|(name, _)| {
        json!({
            "filter": name, "label": name, "supportsCondition": true, "default": false,
            "conditionDescription": "an expression that holds for the lane",
        })
    });
    json!({
        "exceptionBreakpointFilters": filters.collect::<Vec<_>>(),
        "supportsBreakpointLocationsRequest": true,
        "supportsClipboardContext": true,
        "supportsCompletionsRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsConfigurationDoneRequest": true,
        "supportsDataBreakpoints": true,
        "supportsDisassembleRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsExceptionFilterOptions": true,
        "supportsExceptionInfoRequest": true,
        "supportsFunctionBreakpoints": true,
        "supportsGotoTargetsRequest": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsInstructionBreakpoints": true,
        "supportsLoadedSourcesRequest": true,
        "supportsLogPoints": true,
        "supportsReadMemoryRequest": true,
        "supportsSingleThreadExecutionRequests": true,
        "supportsStepBack": true,
        "supportsSteppingGranularity": true,
        "supportsTerminateRequest": true,
    })
}
