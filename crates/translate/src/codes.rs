//! Diagnostic codes of the translator.

/// Each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    (
        "internal-translate",
        "The translator contradicts itself: a fault of shisa, not of the program. Please report it with the program and the target.",
    ),
    (
        "translate-banks",
        "A program computes which constant bank it reads. In the target languages each bank is a buffer: the translation reads all from the bank that the instruction names on, and takes one of the values.",
    ),
    ("translate-binding", "A resource has a binding point above 255, which GLSL is not printed with."),
    (
        "translate-bindless",
        "A handle that names a texture or a sampler, or is loaded into a state register, depends on more than constants, uniforms and the memory found through them, or on the path that the program takes. It may name several resources in one run. Languages bind each resource by a fixed number. Only SPIR-V has arrays of textures without an end: there, handles of Maxwell choose from such arrays.",
    ),
    (
        "translate-centroid",
        "A pixel program interpolates an attribute both at the centre of the pixel and at the centroid of its covered samples. In the target languages an input has one of them: it is translated at the centre.",
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
        "No geometry stage accepts the program's primitives: their number of vertices varies, or matches no primitive type. The program becomes a compute kernel with one lane for each primitive, in languages that have compute kernels.",
    ),
    (
        "translate-division",
        "Nothing states how the patches of a tessellation evaluation program of Maxwell are divided: a driver sets it, and only a DKSH has it in its file. The program is translated for triangles whose edges are divided into equal parts; `--division` states another division.",
    ),
    (
        "translate-emission",
        "A geometry program of Maxwell keeps the state of emission in a register, which other languages do not have. It is translated if each OUT and AST takes the state that the OUT before it wrote, and R0 has it at the end, as the hardware demands; `check` names the instructions that may not.",
    ),
    (
        "translate-geometry-stream",
        "Vertices of a geometry program go to several streams, or to one that is not the first, and the geometry stage of the language cannot have them: only SPIR-V and GLSL 450 have streams, GLSL for points only, and all outputs together have 32 locations. The program becomes a compute kernel that states the stream of each vertex, in languages that have compute kernels.",
    ),
    (
        "translate-lanes",
        "Lanes of a vertex, geometry or fragment program exchange values. The target languages do not define which pixels or vertices share a wave: each is translated as a wave of its own, and exchange among the four pixels of a quad is refused. Runs of a tessellation control program for one patch may load each other's outputs, but not in control flow, and no output with a computed number.",
    ),
    (
        "translate-location",
        "Two inputs or two outputs have the same location, after the locations that the host states.",
    ),
    (
        "translate-memory-size",
        "A program uses memory of a workgroup or a thread, and nothing states how much there is; or it uses an address past the end.",
    ),
    ("translate-name", "A requested name is not an identifier in the target language."),
    (
        "translate-no-writer",
        "This build of shisa was made without the target language. Each language is a feature of the crates `shisa` and `shisa-translate`.",
    ),
    (
        "translate-points",
        "A program outputs the size of points, or reads the position within a point. In WGSL and HLSL a point is one pixel: the size has no effect, and the position is the centre.",
    ),
    (
        "translate-primitive",
        "No file states the input primitive of a geometry program of Maxwell: a driver sets it. The program is translated for the smallest primitive that has the vertices which it reads; `--primitive` states another one.",
    ),
    ("translate-refused", "The printer of the target language refused the program."),
    ("translate-rounding", "The target language cannot round as the program does."),
    (
        "translate-sample",
        "A fragment program reads data of another sample of the pixel. In the target languages, a program that runs for each sample sees only its own.",
    ),
    (
        "translate-samples",
        "A pixel program reads how many samples a pixel has, or where they are. The target languages do not provide that: the program is translated for pixels of one sample at the centre.",
    ),
    ("translate-shape", "A value has a shape that the target language does not have."),
    (
        "translate-special",
        "A program reads a special register whose value has no counterpart in the target languages.",
    ),
    (
        "translate-stage",
        "An instruction is for programs of another stage, such as stores to the tile in a vertex program. Or no program of the stage is translated, such as fast geometry programs of Maxwell, which output their input primitive. Or the language lacks the stage: only GLSL 450 and SPIR-V have tessellation, and elsewhere evaluation programs become compute kernels.",
    ),
    (
        "translate-texture",
        "The target language cannot express a texture operation: offsets must be constants, comparisons in text languages are at level 0 or at the computed one, texels are written at level 0, and WGSL has fewer shapes. Or a program uses one texture for two purposes: of two shapes, read and written, with comparisons and without.",
    ),
    (
        "translate-tile",
        "A fragment program uses its colour targets as the target languages cannot: it reads or stores one colour in two formats, has more than eight colours, or writes a block of the tile to an image from an offset that is computed at run time.",
    ),
    (
        "translate-uniform-range",
        "The program reads a constant register that the host's buffer does not hold. The buffer holds what the option for lengths of uniform arrays states, or else what the program's interface states.",
    ),
    ("translate-unsupported", "The target language cannot express the operation."),
    (
        "translate-window",
        "A program accesses global memory at an address that does not start from one pointer in constant memory, such as one that it has loaded from memory. The access addresses one window of 4 GiB by the low 32 bits of the address, and the host binds a buffer that begins at the window's first byte.",
    ),
];
