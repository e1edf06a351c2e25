//! Instruction words: decoded, printed, and parsed.

use super::{Leg, Outcome, Part, Shares, Worker};
use crate::Random;
use core::cell::RefCell;
use shisa::rows::{Insn, Isa, Line, Names, Word, testing};

/// Number of words in a piece.
const WORDS: u64 = 1_000;

/// The properties of a family's words.
pub(super) trait Family: Isa {
    /// The parameters of the row tests.
    fn suite() -> testing::Suite<'static, Self>;
    /// Makes a word of random bits, as an instruction fetch would; `prefix` is 16 bits of it that select the row.
    fn fetch(random: &mut Random, prefix: Option<u16>) -> Option<Insn<Self>>;
    /// Prints and parses a word as part of a stream of words, if the family has a stream syntax in addition to that of
    /// its rows.
    fn stream() -> Box<Stream<Self::Word>> {
        Box::new(|_| Ok(()))
    }
}

/// Checks a word that is printed and parsed; returns the fault.
type Stream<W> = dyn Fn(W) -> Result<(), String>;

/// The legs of a family: words by prefix, words of random bits, the same as lines of a stream, and words of rows printed
/// and parsed. Each must decode at least a share, in percent, of the words of random bits. `prefixes` are the shares of the
/// words by prefix.
pub(super) fn legs<I: Family>(family: &'static str, prefixes: Shares, least: u64) -> Vec<Leg> {
    let leg = |what: &str, commit, campaign, part, kind| Leg {
        name: format!("{family}/{what}"),
        commit,
        campaign,
        parts: vec![part],
        worker: Box::new(move |_: &[Vec<u8>]| -> Box<dyn Worker> { Box::new(Words::<I>::new(kind)) }),
    };
    let decoded = Part::property("decoded", least);
    vec![
        leg("words-by-prefix", 1 << 14, 1 << 16, Part { shares: prefixes, ..decoded }, Kind::Prefix),
        leg("words", 10_000, 1_000_000, decoded, Kind::Bits),
        leg("words-to-lines", 1_000, 1_000_000, decoded, Kind::Lines),
        leg("words-to-text", 1_000, 1_000_000, Part::property("parsed", 100), Kind::Text),
    ]
}

/// The prefix of a piece. Consecutive pieces are far from each other, so that the first ones are a representative sample.
fn spread(piece: u64) -> u16 {
    (piece as u16).wrapping_mul(0x9e37)
}

/// Every PICA200 word, with the identity operand descriptor.
pub(super) fn every() -> Leg {
    Leg {
        name: "pica200/every-word".into(),
        commit: 128,
        campaign: 1 << 16,
        parts: vec![Part::property("decoded", 100)],
        worker: Box::new(|_| Box::new(Every::default())),
    }
}

#[derive(Default)]
struct Every {
    /// The upper 16 bits of the words of this piece.
    prefix: u32,
    words: shisa_pica200::Words,
    text: Vec<u8>,
    digits: Vec<u8>,
}

impl Worker for Every {
    fn make(&mut self, number: u64, _: &mut Random) {
        self.prefix = u32::from(spread(number));
    }

    fn test(&mut self, _: usize) -> Outcome {
        for low in 0..1 << 16 {
            let word = self.prefix << 16 | low;
            self.text.clear();
            self.digits.clear();
            let digits = format!("{word:08x}");
            self.words.disassemble(&digits, &mut self.text).expect(&digits);
            let text = std::str::from_utf8(&self.text).expect(&digits);
            let done = self.words.assemble(text, &mut self.digits);
            done.unwrap_or_else(|e| panic!("{digits} `{text}`: {e}"));
            assert!(self.digits.starts_with(digits.as_bytes()), "{digits} `{text}` is another word");
        }
        Outcome { accepted: 1 << 16, refused: 0 }
    }

    fn tested(&self) -> String {
        format!("words from {:04x}0000", self.prefix)
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Prefix,
    Bits,
    Lines,
    Text,
}

struct Words<I: Family> {
    kind: Kind,
    suite: testing::Suite<'static, I>,
    names: Names<I>,
    stream: Box<Stream<I::Word>>,
    piece: u64,
    random: Random,
    latest: Option<I::Word>,
    text: Vec<u8>,
}

impl<I: Family> Words<I> {
    fn new(kind: Kind) -> Self {
        Words {
            kind,
            suite: I::suite(),
            names: Names::new(),
            stream: I::stream(),
            piece: 0,
            random: Random::new(0),
            latest: None,
            text: Vec::new(),
        }
    }

    /// Decodes and prints a word.
    fn decode(&mut self, prefix: Option<u16>) -> bool {
        let Some(insn) = I::fetch(&mut self.random, prefix) else { return false };
        self.latest = Some(insn.word);
        if matches!(self.kind, Kind::Lines) {
            (self.stream)(insn.word).unwrap_or_else(|fault| panic!("{fault}"));
            return true;
        }
        self.text.clear();
        shisa::rows::print(&insn, (self.suite.ctx)(insn.form()), &mut Line::new(&mut self.text));
        assert!(std::str::from_utf8(&self.text).is_ok_and(|t| !t.is_empty()), "no text");
        true
    }

    /// Prints and parses a random word of a random row.
    fn round_trip(&mut self) -> bool {
        let forms = I::table().forms();
        let Some(form) = forms.get(self.random.below(forms.len())) else { return false };
        let mut bits = testing::Random(self.random.bits());
        let mut word = self.suite.word(form, &mut bits);
        self.latest = Some(word);
        let Some(insn) = Insn::<I>::decode(word) else { panic!("a word of {} does not decode", form.name) };
        self.suite.comes_back(&self.names, insn).unwrap_or_else(|fault| panic!("{fault}"));
        let bit = self.random.below(I::Word::BITS as usize) as u32;
        let flipped = 1 - word.get(bit, 1);
        word.set(bit, 1, flipped);
        self.latest = Some(word);
        (self.stream)(word).unwrap_or_else(|fault| panic!("{fault}"));
        true
    }
}

impl<I: Family> Worker for Words<I> {
    fn make(&mut self, number: u64, random: &mut Random) {
        (self.piece, self.random) = (number, random.clone());
    }

    fn test(&mut self, _: usize) -> Outcome {
        let prefix = spread(self.piece);
        let mut outcome = Outcome::default();
        for _ in 0..WORDS {
            let accepted = match self.kind {
                Kind::Prefix => self.decode(Some(prefix)),
                Kind::Bits | Kind::Lines => self.decode(None),
                Kind::Text => self.round_trip(),
            };
            outcome += accepted.into();
        }
        outcome
    }

    fn tested(&self) -> String {
        format!("{:x?}", self.latest)
    }
}

/// A word of random bits with a given prefix.
fn bits<W: Word>(random: &mut Random, at: u32, prefix: Option<u16>) -> W {
    let mut word = W::default();
    for lo in (0..W::BITS).step_by(32) {
        word.set(lo, 32.min(W::BITS - lo), random.bits() & 0xffff_ffff);
    }
    if let Some(prefix) = prefix {
        word.set(at, 16, u64::from(prefix));
    }
    word
}

impl Family for shisa::agal::Agal {
    fn suite() -> testing::Suite<'static, Self> {
        shisa::agal::SUITE
    }

    /// Opcodes have 32 bits, of which only the lowest six are ever set. So a prefix is these six bits, the mask of the
    /// destination, and six of the eight bits of its register file.
    fn fetch(random: &mut Random, prefix: Option<u16>) -> Option<Insn<Self>> {
        let mut word: Self::Word = bits(random, 0, None);
        if let Some(prefix) = prefix.map(u64::from) {
            word.set(0, 32, prefix & 0x3f);
            word.set(48, 4, prefix >> 6 & 0xf);
            word.set(56, 6, prefix >> 10);
            return Insn::decode(word);
        }
        if random.bits() & 1 == 0 {
            word[0] &= !0xffff_0000;
        }
        if random.bits() & 1 == 0 {
            word[0] &= !0xffc0;
        }
        Insn::decode(word)
    }

    fn stream() -> Box<Stream<Self::Word>> {
        let words = shisa::agal::Words::new(shisa::agal::LAST_VERSION, shisa::ir::Stage::Fragment);
        let words = RefCell::new(words);
        Box::new(move |word| {
            let mut words = words.borrow_mut();
            let (mut text, mut back) = (Vec::new(), Vec::new());
            words.print(&word, &mut Line::new(&mut text));
            let text = String::from_utf8(text).map_err(|e| e.to_string())?;
            words.assemble(&text, &mut back).map_err(|d| format!("{text}: {d}"))?;
            let bytes = shisa::agal::token::split(&word);
            let same = back == super::hex(&bytes).as_bytes();
            if same { Ok(()) } else { Err(format!("{text} is another token")) }
        })
    }
}

impl Family for shisa_pica200::Pica200 {
    fn suite() -> testing::Suite<'static, Self> {
        shisa_pica200::SUITE
    }

    fn fetch(random: &mut Random, prefix: Option<u16>) -> Option<Insn<Self>> {
        let word: u64 = bits(random, 16, prefix);
        let pool = [(word >> 32) as u32; shisa_pica200::word::DESCRIPTORS];
        Insn::decode(shisa_pica200::word::fuse(word as u32, &pool))
    }

    fn stream() -> Box<Stream<Self::Word>> {
        let words = shisa_pica200::Words::default();
        Box::new(move |word| {
            let (code, descriptor) = shisa_pica200::word::split(word);
            let digits = match shisa_pica200::word::descriptor(code) {
                Some(_) => format!("{code:08x}:{descriptor:08x}"),
                None => format!("{code:08x}"),
            };
            let (mut text, mut back) = (Vec::new(), Vec::new());
            words.disassemble(&digits, &mut text).map_err(|e| format!("{digits}: {e}"))?;
            let text = String::from_utf8(text).map_err(|e| e.to_string())?;
            words.assemble(&text, &mut back).map_err(|e| format!("{digits} `{text}`: {e}"))?;
            let same = back == digits.as_bytes();
            if same { Ok(()) } else { Err(format!("{digits} `{text}` is another word")) }
        })
    }
}

impl Family for shisa_maxwell::Maxwell {
    fn suite() -> testing::Suite<'static, Self> {
        shisa_maxwell::SUITE
    }

    fn fetch(random: &mut Random, prefix: Option<u16>) -> Option<Insn<Self>> {
        let word: u128 = bits(random, 48, prefix);
        // An instruction with its 21 scheduling bits.
        Insn::decode(word & ((1 << 85) - 1))
    }

    /// A word that its text determines is preserved; any other word either yields one with the same text, or is
    /// rejected.
    fn stream() -> Box<Stream<Self::Word>> {
        use shisa_maxwell::{Ctx, Words, decode};
        let words = Words::new(Ctx::default(), Words::CONTROL, Words::BASE);
        Box::new(move |word| {
            let digits = format!("{:016x}", word as u64);
            let text_of = |digits: &str| {
                let mut text = Vec::new();
                words.disassemble(digits, &mut text).map_err(|e| format!("{digits}: {e}"))?;
                String::from_utf8(text).map_err(|e| e.to_string())
            };
            let Ok(text) = text_of(&digits) else { return Ok(()) };
            let control = u128::from(Words::CONTROL & 0x1f_ffff) << 64;
            let ctx = Ctx { pc: Words::BASE, ..Ctx::default() };
            let insn = decode(word & u128::from(u64::MAX) | control, ctx).map_err(|e| e.to_string())?;
            let told = insn.unknown_bits() as u64 == 0 && shisa::rows::determines(&insn, ctx);
            let mut back = Vec::new();
            match words.assemble(&text, &mut back) {
                Ok(()) if back == digits.as_bytes() => Ok(()),
                Ok(()) if told => Err(format!("{digits} `{text}` is another word")),
                Ok(()) => {
                    let same = text_of(&String::from_utf8_lossy(&back))? == text;
                    if same { Ok(()) } else { Err(format!("{digits} `{text}` is read as another text")) }
                }
                Err(e) if told => Err(format!("{digits} `{text}`: {e}")),
                Err(_) => Ok(()),
            }
        })
    }
}

impl Family for shisa_agx::Agx {
    fn suite() -> testing::Suite<'static, Self> {
        shisa_agx::SUITE
    }

    fn fetch(random: &mut Random, prefix: Option<u16>) -> Option<Insn<Self>> {
        let word: u128 = bits(random, 0, prefix);
        shisa_agx::fetch(&word.to_le_bytes())
    }

    /// Every word has a line, of text or of bytes, that assembles to the word, and no line has bits without a text.
    fn stream() -> Box<Stream<Self::Word>> {
        use shisa_agx::text::Words;
        let words = [shisa_agx::Revision::Mesa25_2, shisa_agx::Revision::Mesa26]
            .map(|revision| Words::new(shisa_agx::Ctx { revision, ..shisa_agx::Ctx::default() }));
        Box::new(move |word| {
            let bytes = word.to_le_bytes();
            let Some(insn) = shisa_agx::fetch(&bytes) else { return Ok(()) };
            let digits = super::hex(&bytes[..shisa_agx::length(&insn)]);
            for words in &words {
                let (mut text, mut back) = (Vec::new(), Vec::new());
                words.disassemble(&digits, &mut text).map_err(|e| format!("{digits}: {e}"))?;
                let text = String::from_utf8(text).map_err(|e| e.to_string())?;
                words.assemble(&text, &mut back).map_err(|e| format!("{digits} `{text}`: {e}"))?;
                if back != digits.as_bytes() {
                    return Err(format!("{digits} `{text}` is another word"));
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random words of AGX, one after the other as in code, and as lines.
    #[test]
    fn random_words_of_agx_are_lines_that_assemble_to_them() {
        let mut worker = Words::<shisa_agx::Agx>::new(Kind::Lines);
        let mut outcome = Outcome::default();
        for number in 0..30 {
            worker.make(number, &mut Random::new(number));
            outcome += worker.test(0);
        }
        assert!(outcome.accepted > 10_000, "{outcome:?}");
    }
}
