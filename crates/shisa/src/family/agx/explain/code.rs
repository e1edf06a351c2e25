//! Codes of what is wrong with code.

use crate::explain::Explanation;
use shisa_agx::{abi, container, rules};

/// Each code with what it means.
#[rustfmt::skip]
const CODES: &[(&str, &str)] = &[
    ("asm-length", "The short form of the instruction cannot hold these operands."),
    ("lift-atomic", "The atomic operation has a number that means nothing."),
    ("lift-condition", "The comparison has a number that means nothing."),
    ("lift-format", "The memory format has a number that means nothing."),
    ("lift-mask", "No component is chosen."),
    ("lift-tile", "What is loaded from or stored to the tile does not lie in the pixel that the lane stands for, or not within the bytes of a sample of the workgroup's tile."),
    ("lift-unstated", "What the instruction does, or does with these operands, is not stated: nothing published tells. Where the help names a choice, that settles it."),
    ("imageblock", "A workgroup's tile has 32 by 32, 32 by 16 or 16 by 16 pixels of 1, 2 or 4 samples, and at most 32768 bytes."),
    ("lift-reduction", "The reduction has a number that means nothing."),
    ("flow-incomplete", "A program comes to jmp_incomplete, which stands where a linker is to put a jump. Where it goes is not known."),
    ("lift-round", "The conversion rounds in a way that is not known."),
    ("lift-shift", "A sum shifts its second source by at most 4."),
    ("lift-texture", "Textures of this shape are not read or written in this way: cubes have no texels by number, samples are not filtered."),
    ("report-isa", "What programs take is told of AGX; bytes that nothing tells to be AGX code need to be called so."),
];

fn codes() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    abi::CODES.iter().chain(rules::CODES).chain(container::CODES).chain(CODES)
}

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let found = codes().filter(|(code, _)| *code == word);
    let explained = found.map(|(code, text)| Explanation {
        word: (*code).into(),
        kind: "AGX error code",
        summary: (*text).into(),
        sections: Vec::new(),
    });
    explained.collect()
}

pub(super) fn words() -> impl Iterator<Item = String> {
    codes().map(|(code, _)| (*code).to_owned())
}
