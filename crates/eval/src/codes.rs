//! The evaluator's diagnostic codes.

/// Each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("eval-batch", "Inputs and outputs of a batch have different numbers of lanes."),
    ("eval-buffer", "A buffer of memory overlaps another one or is outside of its memory space."),
    (
        "eval-barrier",
        "Waves of a workgroup wait at a barrier that others never reach, or they disagree about the barrier or its number of threads.",
    ),
    ("eval-dispatch", "A workgroup has no threads or too many."),
    ("eval-malformed", "The program is not well formed, so the evaluator cannot plan it."),
    ("eval-memory-constant", "A program writes memory that is constant."),
    (
        "eval-memory-outside",
        "A program reads or writes memory outside of the buffers that the host provides.",
    ),
    (
        "eval-no-environment",
        "The program uses a texture, memory or other resource that the host does not provide.",
    ),
    (
        "eval-off-program",
        "A lane runs to an address at which the program has no instruction. The option past-end sets what PICA200 programs execute there.",
    ),
    ("eval-register", "The register or the lane does not exist."),
    ("eval-restore", "A wave is restored from the state of a wave of another program."),
    ("eval-unsupported", "The evaluator does not support this operation."),
    (
        "internal-access",
        "A fault of shisa: the evaluator makes a memory access that no operation has. Please report it.",
    ),
    ("internal-batch", "A fault of shisa: the evaluator lacks a value of a lane. Please report it."),
    ("internal-dispatch", "A fault of shisa: the evaluator lacks a wave of a workgroup. Please report it."),
    (
        "internal-plan",
        "A fault of shisa: the evaluator's plan of a program refers to something that does not exist. Please report it.",
    ),
    (
        "internal-texture",
        "A fault of shisa: the texture unit reads a texel that does not exist. Please report it.",
    ),
    (
        "internal-trace",
        "A fault of shisa: a recorded trace has a write that no program can make. Please report it.",
    ),
    ("texture-gather", "A gather selects a component that colors do not have."),
    ("texture-missing", "The program samples a texture that is not bound."),
    (
        "texture-outside",
        "The program accesses a texel outside of the texture, and the instruction treats this as an error.",
    ),
    ("texture-shape", "The bound texture has another shape than the program samples."),
    ("texture-store", "The program writes texels of a texture whose format the evaluator can only read."),
];
