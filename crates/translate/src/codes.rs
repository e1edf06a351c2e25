//! Codes of diagnostics of translation.

/// Each code with what it means.
pub const CODES: &[(&str, &str)] = &[
    (
        "internal-translate",
        "The translator contradicts itself: a fault of shisa, not of the program. Please report it with the program and the target.",
    ),
    (
        "translate-bindless",
        "A handle that names a texture or a sampler, or is loaded into a state register, depends on more than constants, uniforms and the memory found through them, or on the path that the program takes, so it may name several while the program runs. Other languages bind each by a number.",
    ),
    (
        "translate-compute-derivative",
        "A program that runs over lanes has no neighbouring pixels to take derivatives from.",
    ),
    (
        "translate-compute-lod",
        "A program that runs over lanes has no neighbouring pixels to choose a level of detail from.",
    ),
    (
        "translate-divergent-derivative",
        "A derivative is taken where not all pixels of a quad may be; its value is undefined there.",
    ),
    (
        "translate-geometry-input",
        "No geometry stage takes the vertices as the program does: its number of vertices varies, or is none of the usual ones. It becomes a compute kernel, a lane a primitive, where the language has those.",
    ),
    (
        "translate-lanes",
        "Lanes of a program that draws exchange values. Other languages do not say which pixels or vertices run together: each is translated as a wave of its own, and exchange among the four pixels of a quad is refused.",
    ),
    (
        "translate-memory-size",
        "A program uses memory of a workgroup or a thread, and nothing states how much there is; or it uses an address past the end.",
    ),
    ("translate-name", "A name asked for is no name in the target language."),
    (
        "translate-no-writer",
        "This build of shisa was made without the target language. Each language is a feature of the crates `shisa` and `shisa-translate`.",
    ),
    ("translate-refused", "The printer of the target language refused the program."),
    ("translate-rounding", "The target language cannot round as the program does."),
    (
        "translate-sample",
        "A fragment program reads what belongs to another sample of the pixel. In other languages it runs for each sample by itself.",
    ),
    ("translate-shape", "A value has a shape that the target language does not have."),
    ("translate-special", "A program reads a special register that holds nothing other languages know."),
    (
        "translate-stage",
        "An instruction is for programs of another stage, such as stores to the tile in a vertex program.",
    ),
    (
        "translate-texture",
        "The target language cannot say a texture operation: offsets must be constants, comparisons in text languages are at level 0 or at the computed one, texels are written at level 0, and WGSL has fewer shapes. Or a program uses one texture for two purposes: of two shapes, read and written, with comparisons and without.",
    ),
    (
        "translate-tile",
        "A fragment program does what other languages cannot where it draws: reads or stores a colour in two formats, has more than eight, or writes a block of the tile to an image, and where in the tile it lies is decided while the program runs.",
    ),
    (
        "translate-uniform-range",
        "The program reads a constant register that the host's buffer does not hold. The buffer holds what the option for lengths of uniform arrays states, or else what the program's interface states.",
    ),
    ("translate-unsupported", "The target language cannot say this."),
];
