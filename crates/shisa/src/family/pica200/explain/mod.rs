//! Explains PICA200's opcodes, registers, fields, formats, codes and concepts.

mod codes;
mod concepts;
mod fields;
mod language;
mod opcode;
mod registers;
mod seed;

pub(super) use opcode::bit_names;

use crate::explain::{Explanation, option};
use shisa_pica200::{Options, Pica200};
use shisa_rows::Isa as _;

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let opcodes = Pica200::table().forms().iter().filter(|f| f.name == word).map(opcode::explain);
    let mut found: Vec<Explanation> = opcodes
        .chain(registers::explain(word))
        .chain(fields::format(word))
        .chain(fields::explain(word))
        .chain(fields::value(word))
        .chain(option::explain(Options::CHOICES, "PICA200 option", word))
        .chain(codes::explain(word))
        .chain(language::meaning(word))
        .chain(concepts::explain(word))
        .collect();
    // Some directives are named like opcodes and fields, but for the dot.
    if found.is_empty() {
        found.extend(language::directive(word));
    }
    found
}

pub(super) fn words() -> Vec<String> {
    let opcodes = Pica200::table().forms().iter().map(|f| f.name.to_owned());
    opcodes
        .chain(registers::words())
        .chain(fields::words())
        .chain(Options::CHOICES.iter().map(|c| c.key.to_owned()))
        .chain(codes::words())
        .chain(language::words())
        .chain(concepts::words())
        .collect()
}
