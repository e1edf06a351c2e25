//! Generators of inputs: each makes inputs of one kind, most of which are almost valid.

use crate::mutate::{self, MACROS, SOURCES, WORDS};
use crate::{
    Binaries, Mutator, Random, agx as agx_code, examples, maxwell as maxwell_code, picasso as pica, targets,
};

/// Makes an input of random numbers.
pub type Inputs = Box<dyn FnMut(&mut Random) -> Vec<u8>>;

/// AGAL programs.
pub(crate) fn agal(corpus: &[Vec<u8>]) -> Inputs {
    let mut mutator = Mutator::new();
    mutator.add(corpus.iter().filter(|b| shisa::agal::Program::sniff(b)).cloned());
    Box::new(move |random| mutator.next(random).to_vec())
}

/// PICA200 shader binaries.
pub(crate) fn pica200(corpus: &[Vec<u8>]) -> Inputs {
    let mut binaries = Binaries::new();
    binaries.add(corpus.iter().cloned());
    Box::new(move |random| binaries.next(random))
}

/// Maxwell code.
pub(crate) fn maxwell(_: &[Vec<u8>]) -> Inputs {
    let samples = maxwell_code::samples();
    Box::new(move |random| maxwell_code::mutated(&samples, random))
}

/// Maxwell kernels: words of any rows, or changes to valid code.
pub(crate) fn maxwell_kernels(_: &[Vec<u8>]) -> Inputs {
    let samples = maxwell_code::samples();
    Box::new(move |random| match random.below(2) {
        0 => maxwell_code::made(random),
        _ => maxwell_code::mutated(&samples, random),
    })
}

/// AGX code.
pub(crate) fn agx(_: &[Vec<u8>]) -> Inputs {
    let samples = agx_code::samples();
    Box::new(move |random| agx_code::mutated(&samples, random))
}

/// Bytes for targets that take them for changes to a valid file.
pub(crate) fn bytes(_: &[Vec<u8>]) -> Inputs {
    Box::new(|random| (0..1 + 4 * (1 + random.below(3))).map(|_| random.bits() as u8).collect())
}

/// Flash movies, libraries of them, and movies within movies.
pub(crate) const MOVIES: [&[u8]; 5] = [
    include_bytes!("../../../tests/swf/shaders.swf"),
    include_bytes!("../../../tests/swf/built.swf"),
    include_bytes!("../../../tests/swf/nested.swf"),
    include_bytes!("../../../tests/swf/lying.swf"),
    include_bytes!("../../../tests/swf/library.swc"),
];

/// Flash movies with a few bytes changed, most of them after the header.
pub(crate) fn swf(_: &[Vec<u8>]) -> Inputs {
    const HEADER: usize = 8;
    Box::new(|random| {
        let mut bytes = random.pick(&MOVIES).copied().unwrap_or_default().to_vec();
        for _ in 0..random.below(4) {
            let first = if random.below(16) == 0 { 0 } else { HEADER };
            let at = first + random.below(bytes.len() - first);
            let value = match random.below(3) {
                0 => bytes[at] ^ 1 << random.below(8),
                1 => random.pick(&[0, 1, 2, 0x24, 0x2c, 0x7f, 0x80, 0xa0, 0xff]).copied().unwrap_or(0),
                _ => bytes[HEADER + random.below(bytes.len() - HEADER)],
            };
            bytes[at] = value;
        }
        bytes
    })
}

/// Sources with a few words replaced.
fn text(sources: &'static [&'static str], words: &'static [&'static str]) -> Inputs {
    Box::new(move |random| mutate::text(random, sources, words).into())
}

/// AGAL sources.
pub(crate) fn agal_text(_: &[Vec<u8>]) -> Inputs {
    text(SOURCES, WORDS)
}

/// Words of AGALMacroAssembler's language.
#[rustfmt::skip]
const MACRO_WORDS: &[&str] = &[
    "#if", "#else", "#endif", "#define A 1", "macro", "alias", "(", ")", "{", "}", "out", "Half(v0)", "+",
    "-", "*", "/", "=", ";", "/*", "*/", "//", "<2d>", "1e9", "ft0", "fc0.x", "v0.xyz", "C(1, 2)", "!",
    "&&", "\n", "é", "\0", "99999999999999", "[", "]", "elif",
];

/// Sources in the language of AGALMacroAssembler.
pub(crate) fn macros(_: &[Vec<u8>]) -> Inputs {
    text(MACROS, MACRO_WORDS)
}

/// Sources in picasso's language.
pub(crate) fn picasso(_: &[Vec<u8>]) -> Inputs {
    text(&pica::EXAMPLES, pica::WORDS)
}

/// Listings of Maxwell code.
pub(crate) fn maxwell_text(_: &[Vec<u8>]) -> Inputs {
    text(maxwell_code::SOURCES, maxwell_code::WORDS)
}

/// Inputs of Maxwell kernels and draw calls.
pub(crate) fn maxwell_input(_: &[Vec<u8>]) -> Inputs {
    text(maxwell_code::INPUTS, maxwell_code::INPUT_WORDS)
}

/// Listings of AGX code.
pub(crate) fn agx_text(_: &[Vec<u8>]) -> Inputs {
    text(agx_code::SOURCES, agx_code::WORDS)
}

/// Words for mutated functions, valid and invalid.
#[rustfmt::skip]
const FUNCTION_WORDS: &[&str] = &[
    "%0 ", "%7 ", "%9 ", "b0 ", "b1: ", "f32x4 ", "i1 ", "= ", "fadd ", "read ", "branch ", "exit ", "@3 ", "xyzw ",
    "xyz ", "0x3f800000 ", "( ", ", ", "unused: ", "\n",
];

/// The text of functions lowered from programs.
pub(crate) fn functions(_: &[Vec<u8>]) -> Inputs {
    let settings = shisa::Settings::default();
    let function = |bytes: Vec<u8>| targets::first(&bytes, &settings).and_then(|p| p.lower()).ok();
    let texts: Vec<String> =
        examples().into_iter().filter_map(function).map(|l| shisa::ir::print_func(&l.func)).collect();
    Box::new(move |random| {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        mutate::text(random, &texts, FUNCTION_WORDS).into()
    })
}
