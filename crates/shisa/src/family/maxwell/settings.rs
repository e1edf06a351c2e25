//! Settings for Maxwell only.

use shisa_maxwell::{Chip, Options, Words};

/// Settings for Maxwell only.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The chip. For binary code it applies if the file does not state one, else 5.3 does; in a source it overrides
    /// `.chip`.
    pub chip: Option<Chip>,
    /// Fills in the control bits of all instructions of a source, so that each waits for its operands.
    pub schedule: bool,
    /// Choices that nothing published settles.
    pub options: Options,
    /// The control word of the bundle for single words; each is the first instruction of its bundle.
    pub control: u64,
    /// The address of each single word.
    pub base: u32,
    /// Looks for races, reads of memory that nothing wrote, and divergent barriers while a kernel runs.
    pub findings: bool,
    /// Counts what instructions cost while a kernel runs: divergence, and how their memory accesses are served.
    pub profile: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            chip: None,
            schedule: false,
            options: Options::DEFAULT,
            control: Words::CONTROL,
            base: Words::BASE,
            findings: false,
            profile: false,
        }
    }
}
