//! What a client configures.

use serde_json::Value;

/// Which hints are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// The registers that are live after each instruction.
    pub(crate) live: bool,
    /// The cost of each program.
    pub(crate) cost: bool,
    /// The bytes of each instruction.
    pub(crate) bytes: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { live: true, cost: true, bytes: true }
    }
}

impl Options {
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
