//! What concerns PICA200 alone.

use shisa_pica200::{Options, Outputs, picasso};

/// What concerns PICA200 alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// What no published test of the hardware settles.
    pub options: Options,
    /// Which outputs a translated program has. Raw words always have registers.
    pub outputs: Outputs,
    /// How sources are assembled; verbs decide about its rules.
    pub assembling: picasso::Options,
}
