//! What a kind of operand states for the sake of speed.
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
//!   and [`shown`](crate::Details::shown) look at. A kind that also looks at the context returns `None` where the
//!   context differs between instructions (a program counter, a label) and not where it is the same for a whole
//!   listing (a syntax, an edition).
//! * [`Hints::special_value`] is right only if all other values print alike with the same neighbours.
//! * [`Hints::begins`] may allow too much, never too little: `parse` must fail on every text that it rules out.
//!
//! The defaults are right for a kind that looks at its own bits only. A wrong hint gives wrong text, not slow text;
//! [`Suite`](crate::testing::Suite) therefore compares the printer, the parser and the hints with plain printing and
//! parsing on random words of every row.
//!
//! # What it gains
//! Printing needs no kind at all for bits that were printed before, and assembling no kind for a line that was read
//! before. A kind without hints of its own is cached too; only kinds that look beyond their field must say so.

use crate::{Begins, Isa, Operand};

/// What a [`Kind`](crate::Kind) states for caches; the [module](self) explains the contract. Every method has a default.
pub trait Hints<I: Isa> {
    /// The bits of the word that decide how the operand is written, whether it is written, and whether its text is
    /// faithful; `None` where something that differs between instructions decides it too, such as the program
    /// counter. Default: the bits of the operand's field.
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

    /// The characters with which the operand's text can begin. [`Kind::parse`](crate::Kind::parse) must fail on a
    /// text that begins with another one. Default: any.
    fn begins(&self, op: &Operand<I>, word: &I::Word) -> Begins {
        let _ = (op, word);
        Begins::ANY
    }
}
