//! Choices by name.

use crate::Result;
use crate::run::wrong;
use shisa_eval::Compare;

pub(super) const COMPARISONS: [(&str, Compare); 8] = [
    ("never", Compare::Never),
    ("less", Compare::Less),
    ("equal", Compare::Equal),
    ("less_equal", Compare::LessEqual),
    ("greater", Compare::Greater),
    ("not_equal", Compare::NotEqual),
    ("greater_equal", Compare::GreaterEqual),
    ("always", Compare::Always),
];

/// The value of a name in a list of what there is.
///
/// # Errors
/// `run-input` for a name that is not known.
pub(super) fn named<T: Copy>(list: &[(&str, T)], name: &str, what: &str) -> Result<T> {
    let found = list.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let names: Vec<&str> = list.iter().map(|(known, _)| *known).collect();
        wrong(format!("\"{}\" is not a {what}; known are {}", shisa_diag::escape(name), names.join(", ")))
    })
}
