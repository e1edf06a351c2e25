//! The text of AGAL: AGALMiniAssembler's language.
//!
//! [`assemble`] is strict: it tells every fault, where Adobe's tool skips what it does not know. With
//! [`AsmOptions::lenient`] it takes what that tool takes. [`disassemble`] writes a listing that
//! assembles to the same bytes whatever they are: the first line tells version and stage
//! (`// agal 1 fragment`, with `, unchecked` where the program breaks rules), `{raw …}` behind an
//! instruction gives bits that its text does not say, `.token` a token that has no text, `.bytes` what
//! follows the last token, `.header` a header that is none.

mod adobe;
mod assemble;
mod assembler;
mod directive;
mod disassemble;
mod error;
mod findings;
mod headline;
mod lenient;
pub(crate) mod names;
pub(crate) mod opcodes;
mod parse;
mod print;
mod sampler;
mod statement;
mod words;

pub use assemble::{AsmOptions, Assembly, assemble};
pub use assembler::TokenLine;
pub use disassemble::{DisOptions, Syntax, disassemble, print_token};
pub use words::Words;

pub(crate) use assemble::fits;
pub(crate) use directive::FirstLine;
pub(crate) use opcodes::find as opcode;

pub(crate) use parse::{parse_dest, parse_sampler, parse_source};
pub(crate) use print::{
    dest_is_faithful, print_dest, print_sampler, print_source, sampler_is_faithful, source_is_faithful,
};

/// The name of a texel format; empty for one that does not exist.
pub(crate) fn format_name(format: u8) -> &'static str {
    names::FORMAT.labels.get(usize::from(format)).map_or("", |n| n.as_str())
}
