//! Rules that code obeys beyond what each instruction says by itself, whatever part of a program it is.
//!
//! [`check`] reads code from its first instruction on and holds what may run to each kind of rule: what words
//! may hold (`encoding`), where control may go (`flow`), what must be waited for (`waits`), and in which
//! order samples and the pixel in the tile are used (`tile`). What parts of a program expect of each other is
//! [`crate::abi`]'s.

mod code;
mod codes;
mod encoding;
mod flow;
#[cfg(test)]
mod tests;
mod tile;
mod waits;

pub use codes::CODES;

use alloc::vec::Vec;
use code::{Code, Found};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limits, Sink};

/// What is known about code that its bytes do not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// Whether the program ends here, by `stop` and traps; otherwise the next part follows.
    pub ends: bool,
    /// Whether the rules about the pixel in the tile hold: the whole of a fragment program that draws, and
    /// not one that fills or empties the tile.
    pub draws: bool,
    /// Halves of registers that the program asks for.
    pub registers: Option<u32>,
    /// Halves of uniforms that the program is given.
    pub uniforms: Option<u32>,
}

/// Every kind of rule.
const RULES: &[fn(&Code<'_>, &mut Found<'_>)] = &[encoding::check, flow::check, waits::check, tile::check];

/// All that is wrong with the code in this range of `bytes`. Labels count bytes from the start of `bytes`, notes
/// tell the instruction. At most [`Limits::diagnostics`] findings, and a note that counts the rest.
pub fn check(bytes: &[u8], range: Range<usize>, expect: &Expect, limits: &Limits) -> Vec<Diagnostic> {
    let mut sink = Sink::new(limits.diagnostics);
    match Code::read(bytes, range, expect, limits) {
        Ok(code) => {
            let mut found = Found::new(&code, limits, &mut sink);
            RULES.iter().for_each(|rule| rule(&code, &mut found));
        }
        Err(d) => sink.push(d),
    }
    sink.finish()
}
