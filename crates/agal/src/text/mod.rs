//! The text of AGAL: AGALMiniAssembler's language.
//!
//! [`assemble`] is strict: it reports every fault, where Adobe's tool skips what it does not know. With
//! [`AsmOptions::lenient`] it accepts what that tool accepts. [`disassemble`] writes a listing that assembles to the
//! same bytes, whatever they are. Its first line states version and stage (`// agal 1 fragment`, with `, unchecked`
//! if the program breaks rules). `{raw …}` after an instruction has bits that the text does not determine, `.token`
//! is a token that has no text, `.bytes` has what follows the last token, and `.header` a header that is not valid.

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

/// The name of a texel format; empty for an undefined one.
pub(crate) fn format_name(format: u8) -> &'static str {
    names::FORMAT.labels.get(usize::from(format)).map_or("", |n| n.as_str())
}
