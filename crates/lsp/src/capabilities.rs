//! What the server can do.

use crate::position::Encoding;
use crate::semantic::{MODIFIERS, TYPES};
use serde_json::{Value, json};

/// The response to `initialize`.
pub(crate) fn initialized(encoding: Encoding) -> Value {
    json!({
        "serverInfo": {"name": "shisa", "version": env!("CARGO_PKG_VERSION")},
        "capabilities": {
            "positionEncoding": encoding.name(),
            "textDocumentSync": {"openClose": true, "change": 2},
            "hoverProvider": true,
            "completionProvider": {"triggerCharacters": [".", "#", ","], "resolveProvider": true},
            "signatureHelpProvider": {"triggerCharacters": [" ", ","]},
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "renameProvider": {"prepareProvider": true},
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "foldingRangeProvider": true,
            "inlayHintProvider": true,
            "semanticTokensProvider": {
                "legend": {"tokenTypes": TYPES, "tokenModifiers": MODIFIERS}, "full": true, "range": true,
            },
        },
    })
}
