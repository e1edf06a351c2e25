//! The diagnostic codes of this crate.

/// Each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    (
        "internal-range",
        "A file lacks bytes that were there when it was read. This is a fault of shisa; please report it with the file.",
    ),
    (
        "limit-diagnostics",
        "There were more findings than the limit `diagnostics`; the rest are only counted.",
    ),
    ("limit-exceeded", "The input is larger than a limit; --limit NAME=N raises it."),
];
