//! The file that its programs share.

use crate::Settings;
use crate::family::opened::Opened;
use crate::identity::Identity;
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
