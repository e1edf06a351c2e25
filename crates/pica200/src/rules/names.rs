//! Names of registers and table entries in messages.

use crate::container::{self, Dvle};
use alloc::{format, string::String, vec::Vec};

/// Components of registers as text: `o1.xw, o2`.
pub(super) fn listed(file: char, set: u64) -> String {
    let mut names: Vec<String> = Vec::new();
    for n in 0..16 {
        let mask = set >> (4 * n) & 0xf;
        if mask == 0 {
            continue;
        }
        let letters: String =
            "xyzw".chars().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|c| c.1).collect();
        names.push(if mask == 0xf { format!("{file}{n}") } else { format!("{file}{n}.{letters}") });
    }
    names.join(", ")
}

/// The longest name that is looked for, in bytes.
const NAME: usize = 1024;

/// The name at an offset of the symbols, if there is one and it is not too long to be one.
pub(super) fn name(dvle: &Dvle, offset: u32) -> Option<&str> {
    let text = dvle.symbols.get(usize::try_from(offset).ok()?..)?;
    container::text_at(text.get(..NAME).unwrap_or(text), 0)
}

/// The name of a uniform or of an input, in quotes.
pub(super) fn uniform(dvle: &Dvle, entry: &container::Uniform) -> String {
    name(dvle, entry.name).map_or_else(|| "without a name".into(), |n| format!("\"{n}\""))
}
