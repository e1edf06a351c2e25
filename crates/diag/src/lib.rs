//! Diagnostics: what is wrong, where, and what to do about it.
//!
//! Every fallible function of shisa returns [`Diagnostic`]s: a stable [`Code`] that `shisa explain` describes, a
//! one-line message, [`Label`]s that point into the input, notes (facts) and help (advice). A label points either at
//! bytes of a binary or at bytes of a text.
//!
//! Functions that can find several errors collect them in a [`Sink`], which stops storing (but not counting) at its
//! limit. [`Limits`] names every bound of shisa on input and work.
//!
//! [`Record`] reads the fields of records in files, and [`bytes`] ranges of them.
//!
//! A code that begins with `internal-` reports a fault of shisa itself ([`Diagnostic::internal`]).
//!
//! With the feature `render`, a diagnostic renders with a source excerpt and colours.
#![no_std]
extern crate alloc;
#[cfg(feature = "render")]
extern crate std;

pub mod bytes;
mod choice;
mod codes;
mod confidence;
mod diagnostic;
mod encoding;
mod limits;
mod record;
#[cfg(feature = "render")]
mod render;
mod sink;
mod source;
mod span;
#[cfg(test)]
mod tests;
mod text;

pub use choice::Choice;
pub use codes::CODES;
pub use confidence::Confidence;
pub use diagnostic::{Code, Diagnostic, Severity};
pub use encoding::{other_unicode, without_mark};
pub use limits::{Bound, Limit, Limits, unsupported};
pub use record::Record;
#[cfg(feature = "render")]
pub use render::{render, render_in};
pub use sink::{Finding, Sink};
pub use source::Source;
pub use span::{Label, Place, Span};
pub use text::{escape, in_quotes, line_column};
