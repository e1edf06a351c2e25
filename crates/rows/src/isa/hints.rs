//! Properties of a kind of operand that only serve speed.
//!
//! # What is cached
//! A [`Printer`](crate::Printer) splits the text of each row into stretches: the mnemonic with its suffixes, then one
//! operand or several small ones. It caches the text of a stretch under the bits of the word that decide it. When it
//! meets the same bits again it copies the text and calls no kind. A line then costs about three lookups, so
//! [`Kind::print`](crate::Kind::print) never needs a fast path of its own.
//!
//! A [`Parser`](crate::Parser) caches the word of every line whose text alone decides it, and the candidate rows of
//! each mnemonic with its suffixes. Of the candidates it skips those whose operand cannot begin with the next
//! character, and builds no error message for them.
//!
//! # The contract
//! * [`Hints::decided_by`] names *every* bit that [`print`](crate::Kind::print), [`faithful`](crate::Kind::faithful)
//!   and [`shown`](crate::Details::shown) read. A kind that also reads the context returns `None` if that part of the
//!   context differs between instructions (a program counter, a label), but not if it is the same for a whole listing
//!   (a syntax, an edition).
//! * [`Hints::special_value`] is correct only if all other values print alike with the same neighbours.
//! * [`Hints::begins`] may allow too much, never too little: `parse` must fail on every text that it rules out.
//!
//! The defaults are correct for a kind that reads only its own bits. A wrong hint causes wrong text, not slow text.
//! Therefore [`Suite`](crate::testing::Suite) compares the printer, the parser and the hints with uncached printing and
//! parsing on random words of every row.
//!
//! # What it gains
//! Printing calls no kind for bits that were printed before, and assembling calls no kind for a line that was parsed
//! before. A kind without hints of its own is cached, too; only kinds that read bits beyond their field must state so.

use crate::{Begins, Isa, Operand};

/// What a [`Kind`](crate::Kind) states for the caches; the [module](self) explains the contract. Every method has a
/// default.
pub trait Hints<I: Isa> {
    /// The bits of the word that decide how the operand is printed, whether it is printed, and whether its text is
    /// faithful; `None` if something that differs between instructions also decides it, such as the program counter.
    /// Default: the bits of the operand's field.
    fn decided_by(&self, op: &Operand<I>, ctx: I::Ctx<'_>) -> Option<I::Word> {
        let _ = ctx;
        Some(op.field.mask())
    }

    /// The one value of the field that prints differently from all others, such as Maxwell's `RZ`. The cache then
    /// depends only on whether the field has this value. Default: none.
    fn special_value(&self, ctx: I::Ctx<'_>) -> Option<u64> {
        let _ = ctx;
        None
    }

    /// The characters that the operand's text can begin with. [`Kind::parse`](crate::Kind::parse) must fail on a text
    /// that begins with any other character. Default: any.
    fn begins(&self, op: &Operand<I>, word: &I::Word) -> Begins {
        let _ = (op, word);
        Begins::ANY
    }
}
