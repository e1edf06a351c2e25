//! The list of instruction sets.

/// Calls a macro with all instruction sets: the feature that each needs, its module, the name of the type there that
/// is its [`super::Family`], the language of its listings, and its platform. Those with the most reliably identified
/// containers come first.
macro_rules! families {
    ($with:ident) => {
        $with! {
            /// The shader bytecode of Flash and AIR.
            "agal" agal Agal Agal "Flash and AIR";
            /// The shader unit of the Nintendo 3DS.
            "pica200" pica200 Pica200 Picasso "the Nintendo 3DS";
            /// NVIDIA's SPA 5.x: GTX 900, the Switch.
            "maxwell" maxwell Maxwell Maxwell "GTX 900 and the Switch";
            /// Apple's G13: M1.
            "agx" agx Agx Agx "Apple M1";
        }
    };
}

pub(crate) use families;
