//! The file that its programs share.

use crate::family::opened::Opened;
use crate::identity::Identity;
use crate::{Listing, Result, Settings};
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use std::sync::OnceLock;

/// An opened file.
pub(crate) struct Inner<'b> {
    pub(crate) settings: Settings,
    pub(crate) opened: Box<dyn Opened + 'b>,
    /// Findings from opening: first those about the opening itself.
    pub(crate) found: Vec<Diagnostic>,
    pub(crate) own: usize,
    pub(crate) identity: OnceLock<Identity>,
}

impl Inner<'_> {
    pub(crate) fn identity(&self) -> &Identity {
        self.identity.get_or_init(|| self.opened.identity(&self.settings))
    }
}

impl std::fmt::Debug for Inner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("File").field(self.identity()).finish()
    }
}

impl Inner<'_> {
    /// The listing as JSON, with the instructions.
    pub(crate) fn listed(&self, which: Option<usize>, how: &Listing) -> Result<Value> {
        let text = self.opened.listing(which, how, &self.settings)?;
        let found = self.opened.instructions(which, how, &self.settings)?;
        let list = found.list.iter().map(serde_json::to_value).collect::<std::result::Result<Vec<_>, _>>();
        let list = list.map_err(|e| Diagnostic::error("internal-json", e.to_string()))?;
        Ok(json!({
            "version": 1, "isa": self.opened.isa(), "chip": found.chip, "stage": found.stage, "text": text,
            "instructions": list,
        }))
    }
}
