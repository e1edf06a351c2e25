//! Mutated programs that are almost valid.

use crate::Random;
use shisa::Language;
use shisa::agal::{HEADER_BYTES, token::TOKEN_BYTES};

/// The sources of `examples/`.
pub(crate) const SOURCES: &[&str] = &[
    include_str!("../../../examples/lit.vert.agal"),
    include_str!("../../../examples/lit.frag.agal"),
    include_str!("../../../examples/bump.frag.agal"),
    include_str!("../../../examples/fog.frag.agal"),
    include_str!("../../../examples/skin.vert.agal"),
];

/// The programs of `examples/`.
pub fn examples() -> Vec<Vec<u8>> {
    let settings = shisa::Settings::default();
    let assemble = |s: &&str| shisa::assemble(s, Language::Agal, &settings).ok().map(|a| a.bytes);
    SOURCES.iter().filter_map(assemble).collect()
}

/// Generates mutated programs; all of them share one buffer.
#[derive(Debug)]
pub struct Mutator {
    examples: Vec<Vec<u8>>,
    bytes: Vec<u8>,
}

impl Default for Mutator {
    fn default() -> Self {
        Self::new()
    }
}

impl Mutator {
    /// Mutates the programs of `examples/`.
    pub fn new() -> Mutator {
        Mutator { examples: examples(), bytes: Vec::new() }
    }

    /// Adds programs to mutate.
    pub fn add(&mut self, programs: impl IntoIterator<Item = Vec<u8>>) {
        self.examples.extend(programs);
    }

    /// The next program: one to four changes to a valid one.
    pub fn next(&mut self, random: &mut Random) -> &[u8] {
        self.bytes.clear();
        self.bytes.extend(random.pick(&self.examples).into_iter().flatten());
        for _ in 0..=random.below(4) {
            self.change(random);
        }
        &self.bytes
    }

    fn change(&mut self, random: &mut Random) {
        let tokens = self.bytes.len().saturating_sub(HEADER_BYTES) / TOKEN_BYTES;
        let span = |i: usize| HEADER_BYTES + i * TOKEN_BYTES..HEADER_BYTES + (i + 1) * TOKEN_BYTES;
        let (a, b) = (random.below(tokens), random.below(tokens));
        let at = random.below(self.bytes.len());
        match random.below(10) {
            // A bit, a byte, or a field of a token.
            0 => self.put(at, |v| v ^ 1 << (at % 8)),
            1 => {
                let value =
                    random.pick(&[0, 1, 2, 3, 4, 7, 8, 15, 0x7f, 0x80, 0xe4, 0xff]).copied().unwrap_or(0);
                self.put(at, |_| value);
            }
            2 | 3 if tokens > 0 => {
                let opcode = random.below(0x30) as u8;
                self.put(span(a).start, |_| opcode);
            }
            4 | 5 if tokens > 0 => {
                let field = random.pick(&[4, 6, 7, 8, 11, 12, 16, 19, 20, 23]).copied().unwrap_or(4);
                let value = random.below(8) as u8;
                self.put(span(a).start + field, |_| value);
            }
            // Tokens of this program and of other programs.
            6 if tokens > 0 => {
                let copy = self.bytes.get(span(a)).unwrap_or_default().to_vec();
                self.bytes.splice(span(b).start..span(b).start, copy);
            }
            7 if tokens > 1 => drop(self.bytes.drain(span(a))),
            8 => {
                let other = random.pick(&self.examples).map_or(&[][..], |e| e);
                let count = other.len().saturating_sub(HEADER_BYTES) / TOKEN_BYTES;
                let token = other.get(span(random.below(count))).unwrap_or_default();
                self.bytes.extend_from_slice(token);
            }
            // The header, or the length.
            _ => match random.below(8) {
                0 => self.bytes.truncate(at),
                1 => self.put(6, |v| v ^ 1),
                n => self.put(1, |_| n as u8 & 3),
            },
        }
    }

    fn put(&mut self, at: usize, f: impl Fn(u8) -> u8) {
        if let Some(b) = self.bytes.get_mut(at) {
            *b = f(*b);
        }
    }
}

/// Sources in the language of AGALMacroAssembler.
pub(crate) const MACROS: &[&str] = &[
    include_str!("../../../tests/agal/macro/colour-transform.agalm"),
    include_str!("../../../tests/agal/macro/conditions-of-agal.agalm"),
    include_str!("../../../tests/agal/macro/macro-calls-macro.agalm"),
];

/// Words for mutated sources, valid and invalid.
#[rustfmt::skip]
pub(crate) const WORDS: &[&str] = &[
    "mov", "m44", "tex", "ife", "eif", "oc", "op", "ft0.xyz", "vc[va0.x+4]", "<2d", "linear>", "{raw", ".token",
    "0x", ",", "\n", "//", "é", "v99999999999", ".xyzwx", "[", "]",
];

/// One of the sources with up to four words replaced: half of them by other words of the source.
pub(crate) fn text(random: &mut Random, sources: &[&str], words: &[&str]) -> String {
    let source = random.pick(sources).copied().unwrap_or_default();
    let mut all: Vec<&str> = source.split_inclusive([' ', '\n', '\t']).collect();
    for _ in 0..random.below(5) {
        let own = all.get(random.below(all.len())).copied();
        let word = if random.below(2) == 0 { own } else { random.pick(words).copied() };
        let at = random.below(all.len());
        if let (Some(slot), Some(word)) = (all.get_mut(at), word) {
            *slot = word;
        }
    }
    all.concat()
}
