//! Sources with words replaced, in every dialect.

use super::{Leg, Worker};
use crate::mutate::{MACROS, SOURCES, WORDS};
use crate::{Random, Target, agx, agx_text, asm, macros, maxwell, maxwell_text, picasso};

/// Words of AGALMacroAssembler's language.
#[rustfmt::skip]
const MACRO_WORDS: &[&str] = &[
    "#if", "#else", "#endif", "#define A 1", "macro", "alias", "(", ")", "{", "}", "out", "Half(v0)", "+",
    "-", "*", "/", "=", ";", "/*", "*/", "//", "<2d>", "1e9", "ft0", "fc0.x", "v0.xyz", "C(1, 2)", "!",
    "&&", "\n", "é", "\0", "99999999999999", "[", "]", "elif",
];

pub(super) fn legs() -> Vec<Leg> {
    let leg = |name: &str, parts, worker| Leg {
        name: name.into(),
        commit: 100_000,
        campaign: 10_000_000,
        least: 0,
        parts,
        worker,
    };
    vec![
        leg("agal/text", vec!["asm"], |_| Box::new(Text::new(SOURCES, WORDS, asm))),
        leg("agal/macro-text", vec!["asm"], |_| Box::new(Text::new(MACROS, MACRO_WORDS, macros))),
        leg("pica200/text", vec!["picasso"], |_| {
            Box::new(Text::new(&picasso::EXAMPLES, picasso::WORDS, picasso))
        }),
        leg("maxwell/text", vec!["asm"], |_| {
            Box::new(Text::new(maxwell::SOURCES, maxwell::WORDS, maxwell_text))
        }),
        leg("agx/text", vec!["asm"], |_| Box::new(Text::new(agx::SOURCES, agx::WORDS, agx_text))),
    ]
}

struct Text {
    sources: &'static [&'static str],
    words: &'static [&'static str],
    target: Target,
    text: String,
}

impl Text {
    fn new(sources: &'static [&'static str], words: &'static [&'static str], target: Target) -> Self {
        Text { sources, words, target, text: String::new() }
    }
}

impl Worker for Text {
    fn make(&mut self, _: u64, random: &mut Random) {
        self.text = crate::mutate::text(random, self.sources, self.words);
    }

    fn test(&mut self, _: usize) -> bool {
        (self.target)(self.text.as_bytes())
    }

    fn tested(&self) -> String {
        format!("{:?}", self.text)
    }
}
