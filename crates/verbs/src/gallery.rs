//! The programs of the folder `examples`.

use shisa::Isa;

/// A program of the folder `examples`.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The name of its file. It states the language and, of AGAL, the stage.
    pub name: &'static str,
    /// The instruction set.
    pub isa: Isa,
    /// What it shows, in a few words.
    pub title: &'static str,
    /// The source.
    pub source: &'static str,
    /// An input of `run` as JSON, if there is one.
    pub input: Option<&'static str>,
}

/// Declares the list of examples, some of which have an input.
macro_rules! examples {
    ($($isa:ident $name:literal $title:literal $($input:literal)?;)*) => {
        /// All examples, by instruction set.
        pub const EXAMPLES: &[Example] = &[$(Example {
            name: $name,
            isa: Isa::$isa,
            title: $title,
            source: include_str!(concat!("../../../examples/", $name)),
            input: examples!(@input $($input)?),
        },)*];
    };
    (@input) => { None };
    (@input $input:literal) => { Some(include_str!(concat!("../../../examples/", $input))) };
}

examples! {
    Agal "fog.frag.agal" "Fog that begins at a distance and hides what is past its end" "fog.json";
    Agal "bump.frag.agal" "A normal map without tangents, from derivatives";
    Agal "lit.frag.agal" "A textured surface lit by one light: the fragment program";
    Agal "lit.vert.agal" "A textured surface lit by one light: the vertex program";
    Agal "skin.vert.agal" "Two bones for each vertex, with matrices chosen by index";
    Pica200 "flat.v.pica" "A mesh with one flat colour for each vertex" "flat.json";
    Pica200 "figure.v.pica" "A figure moved by bones and lit by up to four lights, with fog";
    Pica200 "sprite.g.pica" "A geometry program that makes a square of a point";
    Maxwell "glow.maxwell" "A fragment program that draws a round light";
    Maxwell "saxpy.maxwell" "A kernel that adds a scaled array to another one" "saxpy.json";
    Agx "glow.agx" "A fragment program that draws a round light";
    Agx "collatz.agx" "A kernel with a loop that each thread leaves after another number of iterations" "collatz.json";
}
