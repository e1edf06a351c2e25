//! What applies to every verb.

use serde::Serialize;
use shisa_diag::Limits;

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Isa {
    /// The shader bytecode of Flash and AIR.
    #[cfg(feature = "agal")]
    Agal,
    /// The shader unit of the Nintendo 3DS.
    #[cfg(feature = "pica200")]
    Pica200,
    /// NVIDIA's SPA 5.x: GTX 900, the Switch.
    #[cfg(feature = "maxwell")]
    Maxwell,
    /// Apple's G13: M1.
    #[cfg(feature = "agx")]
    Agx,
}

impl Isa {
    /// All that this build knows.
    pub const ALL: &[Isa] = &[
        #[cfg(feature = "agal")]
        Isa::Agal,
        #[cfg(feature = "pica200")]
        Isa::Pica200,
        #[cfg(feature = "maxwell")]
        Isa::Maxwell,
        #[cfg(feature = "agx")]
        Isa::Agx,
    ];

    /// The name on the command line and in JSON: `agal`.
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(feature = "agal")]
            Isa::Agal => "agal",
            #[cfg(feature = "pica200")]
            Isa::Pica200 => "pica200",
            #[cfg(feature = "maxwell")]
            Isa::Maxwell => "maxwell",
            #[cfg(feature = "agx")]
            Isa::Agx => "agx",
        }
    }
}

/// Bounds and choices that every verb obeys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The instruction set of what is given; `None` tells it by the content. With one, bytes of no known container
    /// are raw code of it, and files that hold several programs are not looked into for others.
    pub isa: Option<Isa>,
    /// Bounds on input and work.
    pub limits: Limits,
    /// What players of AGAL leave open.
    #[cfg(feature = "agal")]
    pub agal: shisa_agal::Options,
    /// What no published test of PICA200's hardware settles.
    #[cfg(feature = "pica200")]
    pub pica200: shisa_pica200::Options,
    /// What nothing published settles of AGX.
    #[cfg(feature = "agx")]
    pub agx: shisa_agx::Options,
}
