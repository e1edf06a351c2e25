//! Choices by name.

use crate::Result;
use crate::run::wrong;

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
