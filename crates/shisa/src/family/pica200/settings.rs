//! Settings for PICA200 only.

use shisa_pica200::{Options, Outputs, picasso};

/// Settings for PICA200 only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Choices that no published hardware test settles.
    pub options: Options,
    /// The outputs of a translated program. In raw words, outputs are always registers.
    pub outputs: Outputs,
    /// How sources are assembled; the verbs override its rules.
    pub assembling: picasso::Options,
}
