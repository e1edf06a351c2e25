//! What a client can do and configures.

use serde_json::Value;

/// Which hints are shown, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The registers that are live after each instruction.
    pub(crate) live: bool,
    /// The cost of each program.
    pub(crate) cost: bool,
    /// The bytes of each instruction.
    pub(crate) bytes: bool,
    /// Whether the client asks for hints again if the server requests it.
    pub(crate) refreshes: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { live: true, cost: true, bytes: true, refreshes: false }
    }
}

impl Options {
    /// The options for the capabilities of a client.
    pub(crate) fn of(capabilities: &Value) -> Options {
        let refreshes = capabilities["workspace"]["inlayHint"]["refreshSupport"] == true;
        Options { refreshes, ..Options::default() }
    }

    /// Takes over what a configuration states: `hints` with `live`, `cost` and `bytes`. All else stays as it is.
    pub(crate) fn configure(&mut self, configuration: &Value) {
        let hints = &configuration["hints"];
        for (key, value) in [("live", &mut self.live), ("cost", &mut self.cost), ("bytes", &mut self.bytes)] {
            if let Some(stated) = hints[key].as_bool() {
                *value = stated;
            }
        }
    }
}
