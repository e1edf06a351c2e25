//! Diagnostic codes about AGX code.

use crate::explain::Explanation;
use shisa_agx::{abi, container, rules};

/// Each code with its meaning.
#[rustfmt::skip]
const CODES: &[(&str, &str)] = &[
    ("agx-room", "Code of a program is replaced, and the file has no room for the new code: other parts of it follow."),
    ("asm-length", "The short form of the instruction cannot hold these operands."),
    ("lift-atomic", "The atomic operation has an undefined number."),
    ("lift-condition", "The comparison has an undefined number."),
    ("lift-format", "The memory format has an undefined number."),
    ("lift-mask", "No component is chosen."),
    ("lift-tile", "A tile load or store is outside of the lane's own pixel, or past the bytes of a sample of the workgroup's tile."),
    ("lift-unstated", "The effect of the instruction, or its effect with these operands, is not stated: nothing published describes it. If the help names a choice, that choice settles it."),
    ("imageblock", "A workgroup's tile has 32 by 32, 32 by 16 or 16 by 16 pixels of 1, 2 or 4 samples, and at most 32768 bytes."),
    ("lift-reduction", "The reduction has an undefined number."),
    ("flow-incomplete", "A program reaches jmp_incomplete, which reserves space for a jump that a linker fills in. Its target is not known."),
    ("lift-round", "The rounding of the conversion is not known."),
    ("lift-shift", "A sum shifts its second source by at most 4."),
    ("lift-texture", "The access does not exist for textures of this shape: texels of cubes have no coordinates, and multisampled textures are not filtered."),
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
