//! Codes of diagnostics of the evaluator.

/// Each code with what it means.
pub const CODES: &[(&str, &str)] = &[
    ("eval-batch", "Inputs and outputs of a batch have different numbers of lanes."),
    ("eval-buffer", "A buffer of memory overlaps another one or lies outside of its space."),
    (
        "eval-dispatch",
        "A workgroup has no threads or too many, or waits at a barrier that some of it never reach.",
    ),
    ("eval-malformed", "The program is not well formed, so the evaluator cannot plan it."),
    ("eval-memory-constant", "A program writes memory that is constant."),
    ("eval-memory-outside", "A program reads or writes memory that was not given to it."),
    ("eval-no-environment", "The program uses something outside of it that was not given."),
    (
        "eval-off-program",
        "A lane runs to where the program has no instruction. The option past-end says what PICA200 programs find there.",
    ),
    ("eval-register", "There is no such register, or no such lane."),
    ("eval-unsupported", "The evaluator does not do this operation."),
    (
        "internal-access",
        "A fault of shisa: the evaluator accesses memory as no operation does. Please report it.",
    ),
    ("internal-batch", "A fault of shisa: the evaluator lacks a value of a lane. Please report it."),
    ("internal-dispatch", "A fault of shisa: the evaluator lacks a wave of a workgroup. Please report it."),
    (
        "internal-plan",
        "A fault of shisa: the evaluator's plan of a program names what does not exist. Please report it.",
    ),
    (
        "internal-texture",
        "A fault of shisa: the texture unit reads a texel that does not exist. Please report it.",
    ),
    (
        "internal-trace",
        "A fault of shisa: a recorded trace has a write that no program makes. Please report it.",
    ),
    ("texture-gather", "A gather names a component that colors do not have."),
    ("texture-missing", "The program samples a texture that was not given."),
    ("texture-shape", "The texture given has another shape than the program samples."),
    ("texture-store", "The program writes texels of a texture whose format the evaluator only reads."),
];
