//! The text of AGAL: what AGALMiniAssembler reads.

mod names;
mod parse;
mod print;
mod sampler;

pub(crate) use parse::{parse_dest, parse_sampler, parse_source};
pub(crate) use print::{
    dest_is_faithful, print_dest, print_sampler, print_source, sampler_is_faithful, source_is_faithful,
};

/// The name of a texel format; empty for one that does not exist.
pub(crate) fn format_name(format: u8) -> &'static str {
    names::FORMAT.labels.get(usize::from(format)).map_or("", |n| n.as_str())
}
