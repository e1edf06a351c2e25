//! Rules for code beyond its single instructions, whatever part of a program it is.
//!
//! [`check`] reads code from its first instruction and applies each kind of rule to reachable code: the contents of
//! instructions (`encoding`), where control may go (`control`), what must be waited for (`waits`), and the order of
//! accesses to samples and to the pixel in the tile (`tile`). [`crate::abi`] checks the ABI between the parts of a
//! program.

mod codes;
mod control;
mod encoding;
mod found;
#[cfg(test)]
mod tests;
mod tile;
mod waits;

pub use codes::CODES;
pub(crate) use tile::tests_all;

use crate::code::Code;
use alloc::vec::Vec;
use core::ops::Range;
use found::{Checked, Found};
use shisa_diag::{Diagnostic, Limits, Sink};

/// Facts about code besides its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// Whether the program ends here, by `stop` and traps; otherwise the next part follows.
    pub ends: bool,
    /// Whether the rules about the pixel in the tile apply: they do to a complete fragment program that draws, and
    /// not to one that fills or empties the tile.
    pub draws: bool,
    /// Whether the code is made of several parts. Samples that one part has tested or killed are then no fault of another:
    /// drivers link such parts.
    pub joined: bool,
    /// Halves of registers that the program requests.
    pub registers: Option<u32>,
    /// Halves of uniforms that the program receives.
    pub uniforms: Option<u32>,
}

/// Every kind of rule.
const RULES: &[fn(&Checked<'_>, &mut Found<'_>)] =
    &[encoding::check, control::check, waits::check, tile::check];

/// All errors in the code in this range of `bytes`. Labels count bytes from the start of `bytes`, notes show the
/// instruction. At most [`Limits::diagnostics`] findings, and a note that counts the rest.
pub fn check(bytes: &[u8], range: Range<usize>, expect: &Expect, limits: &Limits) -> Vec<Diagnostic> {
    let mut sink = Sink::new(limits.diagnostics);
    match Code::read(bytes, range, limits) {
        Ok(code) => {
            let mut found = Found::new(code.range.start, &mut sink);
            let checked = Checked { code, expect };
            RULES.iter().for_each(|rule| rule(&checked, &mut found));
        }
        Err(d) => sink.push(d),
    }
    sink.finish()
}

/// Errors in the order of accesses to samples in code that is made of several parts.
pub(crate) fn check_samples(code: &[u8], limits: &Limits) -> Vec<Diagnostic> {
    let expect = Expect { draws: true, joined: true, ..Expect::default() };
    let mut sink = Sink::new(limits.diagnostics);
    if let Ok(code) = Code::read(code, 0..code.len(), limits) {
        let mut found = Found::new(0, &mut sink);
        tile::check(&Checked { code, expect: &expect }, &mut found);
    }
    let mut found = sink.finish();
    found.retain(|d| tile::CODES.contains(&d.code));
    found
}
