//! Diagnostic codes of all engines.

/// Each code with its meaning: those of this crate and of each engine.
pub const CODES: [&[(&str, &str)]; 3] = [
    &[(
        "c-argument",
        "An argument of a function of the C interface is a null pointer, an impossible size, a misaligned or overlapping \
         array, or a name or number that does not exist.",
    )],
    shisa_eval::CODES,
    shisa_exec::CODES,
];

/// What the batch engine does not support.
pub(crate) fn unsupported(what: &str) -> shisa_diag::Diagnostic {
    shisa_diag::Diagnostic::error("exec-unsupported", format!("the batch engine does not support {what}"))
        .help("use the evaluator, which runs every program")
}
