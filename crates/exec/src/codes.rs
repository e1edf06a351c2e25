//! The batch engine's diagnostic codes.

/// Each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    (
        "exec-attribute",
        "An array of attributes or results of a batch has fewer values than its lanes need, or names a register that does not exist.",
    ),
    (
        "exec-divergent",
        "Only some lanes of a quad run a derivative or a texture read that computes its level of detail, or only some lanes of a wave run an operation between lanes or come to a barrier. The result depends on registers that the batch engine does not have, or on where the lanes meet again. The evaluator runs the lanes.",
    ),
    (
        "exec-environment",
        "A program uses a texture or memory, and the caller of the batch engine provides none.",
    ),
    (
        "exec-memory",
        "The operating system does not grant memory for machine code. The program runs without machine code.",
    ),
    (
        "exec-unsupported",
        "The batch engine does not support an operation of the program. The evaluator runs the program.",
    ),
    (
        "internal-exec",
        "A fault of shisa: the compiled form of a program refers to something that does not exist. Please report it.",
    ),
];

/// An operation that the engine does not support.
pub(crate) fn unsupported(what: &str) -> shisa_diag::Diagnostic {
    shisa_diag::Diagnostic::error("exec-unsupported", format!("the batch engine does not support {what}"))
        .help("use the evaluator, which runs every program")
}

/// An impossible state.
pub(crate) fn internal(what: impl Into<String>) -> shisa_diag::Diagnostic {
    shisa_diag::Diagnostic::internal("internal-exec", what)
}
