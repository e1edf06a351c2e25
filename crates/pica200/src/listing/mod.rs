//! Listings: picasso's language, with directives of our own for what it cannot express, so that a listing assembles
//! to the same file.
//!
//! # How
//!
//! A listing is written as a person would write it, as far as possible: declarations instead of tables, procedures,
//! loops and conditions instead of word numbers, and nothing where the assembler itself selects what the file has.
//! [`refine`] assembles the text to verify it: parts that differ or are refused are written more literally
//! ([`style::Style`]), until the text assembles to the original file.

mod code;
mod names;
pub use names::Symbol;
mod procedures;
mod quote;
mod refine;
mod shape;
mod style;
mod tables;
#[cfg(test)]
mod tests;
mod words;

pub use words::{Words, texts};

use crate::container::Shbin;
use alloc::{string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};
use style::Owner;

/// The beginning of every listing.
pub const LISTING: &str = "; pica200";

/// How to disassemble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisOptions {
    /// Shows each word's offset in the file, as a comment after it.
    pub offsets: bool,
    /// Shows each word and its descriptor, as a comment after it.
    pub bytes: bool,
}

/// For each word the registers to show in a comment after it.
pub type Live = [Option<Vec<String>>];

/// The listing of a file, which assembles to the same file.
///
/// `live` may be empty.
///
/// # Errors
/// `limit-exceeded`.
pub fn disassemble(
    file: &Shbin,
    options: &DisOptions,
    live: &Live,
    limits: &Limits,
) -> Result<String, Diagnostic> {
    let columns = Columns { options: *options, live, start: file.code_at() };
    let text = refine::text(file, &columns, limits)?;
    limits.check(Limit::TextOut, "bytes of text", text.len())?;
    Ok(text)
}

/// The text of each word as a listing has it, with the names that the file gives.
///
/// # Errors
/// `limit-exceeded`.
pub fn named_texts(file: &Shbin, limits: &Limits) -> Result<Vec<String>, Diagnostic> {
    refine::words(file, limits)
}

/// The comments after each word on its line.
#[derive(Clone, Copy, Debug)]
struct Columns<'a> {
    options: DisOptions,
    live: &'a Live,
    /// The offset of the first word in the file.
    start: usize,
}

impl Columns<'_> {
    /// Nothing.
    const NONE: Columns<'static> =
        Columns { options: DisOptions { offsets: false, bytes: false }, live: &[], start: 0 };
}

/// A listing, and the part of the file that each line represents.
#[derive(Debug, Default)]
struct Text {
    text: String,
    /// The offset of each line that represents something, in order.
    lines: Vec<(usize, Owner)>,
}

impl Text {
    /// Begins a line.
    fn begin(&mut self, owner: Owner) -> &mut String {
        self.lines.push((self.text.len(), owner));
        &mut self.text
    }

    /// A line.
    fn line(&mut self, owner: Owner, text: core::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = core::fmt::write(self.begin(owner), text);
        self.text.push('\n');
    }

    /// The part that the line at a byte represents.
    fn owner(&self, at: usize) -> Owner {
        let after = self.lines.partition_point(|l| l.0 <= at);
        after.checked_sub(1).and_then(|i| self.lines.get(i)).map_or(Owner::Shape, |l| l.1)
    }
}
