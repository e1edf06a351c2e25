//! Parsing many instructions, with caches of lines and of mnemonics with suffixes.

use crate::lines::{Lines, Read};
use crate::parse::{operands, parse_modifiers, prefix, settled};
use crate::{Form, Insn, Isa, Names, Scan, Word, parse};
use alloc::{vec, vec::Vec};
use shisa_diag::Diagnostic;

/// Longest cached mnemonic with suffixes, in bytes.
const LONGEST: usize = 32;
/// Number of cached mnemonics with suffixes; a power of two.
const HEADS: usize = 1024;
/// Number of cached rows; more are never needed at once.
const ROWS: usize = 8192;

/// A mnemonic with its suffixes: its bytes, the first one lowest, and the edition of the instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    text: [u128; 2],
    edition: u8,
}

impl Key {
    /// The key at the beginning of a text, up to the character that ends the mnemonic, and its length in bytes.
    #[inline]
    fn of(text: &[u8], edition: u8) -> Option<(Key, usize)> {
        let ends = |b: &u8| matches!(b, b' ' | b'\t' | b',' | b';' | b'[' | b'{');
        let len = text.iter().position(ends).unwrap_or(text.len());
        let bytes = match text.first_chunk::<LONGEST>() {
            Some(bytes) => *bytes,
            None => {
                let mut bytes = [0; LONGEST];
                bytes.iter_mut().zip(text).for_each(|(to, b)| *to = *b);
                bytes
            }
        };
        let half = |i: usize| bytes.as_chunks::<16>().0.get(i).map_or(0, |half| u128::from_le_bytes(*half));
        let cut = |bits: u128, len: usize| if len >= 16 { bits } else { bits & !(u128::MAX << (8 * len)) };
        let text = [cut(half(0), len), if len <= 16 { 0 } else { cut(half(1), len - 16) }];
        (1..=LONGEST).contains(&len).then_some((Key { text, edition }, len))
    }

    /// Its slot.
    #[inline]
    fn slot(&self) -> usize {
        let [a, b] = self.text.map(|half| half as u64 ^ ((half >> 64) as u64).rotate_left(29));
        let hash = (a ^ b.rotate_left(13)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32) as usize % HEADS
    }
}

/// The candidate rows of a mnemonic with its suffixes.
#[derive(Clone, Copy, Debug)]
struct Head {
    key: Key,
    /// The range of its rows in [`Parser::rows`].
    rows: [u16; 2],
}

/// A candidate row.
#[derive(Clone, Copy, Debug)]
struct Row<W> {
    number: u16,
    /// The word with the suffixes and without operands.
    word: W,
    /// Whether no text may come before the mnemonic, and the bits of shared operands that are fixed in this row.
    bare: bool,
    fixed: W,
    /// Whether the text alone decides the word.
    plain: bool,
}

/// Parses many instructions. A `Parser` caches the instruction word of every line that contains no address, and the
/// candidate rows of each mnemonic with its suffixes.
#[derive(Debug)]
pub struct Parser<I: Isa> {
    names: Names<I>,
    /// Each in its [`Key::slot`].
    heads: Vec<Option<Head>>,
    rows: Vec<Row<I::Word>>,
    lines: Lines<I::Word>,
}

impl<I: Isa> Default for Parser<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Isa> Parser<I> {
    /// An empty cache; mnemonics are looked up when they first occur.
    pub fn new() -> Self {
        Parser { names: Names::new(), heads: vec![None; HEADS], rows: Vec::new(), lines: Lines::new() }
    }

    /// Parses one instruction, as [`parse`] does.
    ///
    /// # Errors
    /// As [`parse`].
    pub fn parse(&mut self, text: &mut Scan<'_>, ctx: I::Ctx<'_>) -> Result<Insn<I>, Diagnostic> {
        let begin = text.blanks().pos();
        let (line, edition) = (text.bytes(), I::edition(ctx));
        if let Some(Read { bytes, row, word }) = self.lines.find(line, edition) {
            text.skip(usize::from(bytes));
            return Ok(Insn::of(word, row));
        }
        if let Some((insn, plain)) = self.insn(text, ctx)? {
            if plain && !text.has_findings() {
                let (bytes, row) = ((text.pos() - begin) as u8, insn.number() as u16);
                self.lines.insert(line, edition, Read { bytes, row, word: insn.word });
            }
            return Ok(insn);
        }
        // Errors, and mnemonics that cannot be cached, take the slow path.
        text.findings();
        text.rewind(begin);
        parse(&self.names, text, ctx)
    }

    /// Parses one instruction with the first candidate row that accepts its operands. Also returns whether the text
    /// alone decided the result.
    fn insn(&mut self, text: &mut Scan<'_>, ctx: I::Ctx<'_>) -> Result<Option<(Insn<I>, bool)>, Diagnostic> {
        let begin = text.pos();
        let before = prefix::<I>(text, ctx)?;
        let start = text.pos();
        let Some((key, len)) = Key::of(text.bytes(), I::edition(ctx)) else { return Ok(None) };
        let known = self.heads.get(key.slot()).copied().flatten().filter(|head| head.key == key);
        let head = known.or_else(|| self.learn(key, len, text, ctx));
        let rows = head.and_then(|h| self.rows.get(usize::from(h.rows[0])..usize::from(h.rows[1])));
        for row in rows.unwrap_or_default().iter().filter(|row| !row.bare || start == begin) {
            text.rewind(start + len);
            let Some(form) = I::table().forms().get(usize::from(row.number)) else { continue };
            let word = row.word.or(&before.without(&row.fixed));
            if let Ok(word) = operands(form, word, text, ctx, false) {
                let insn = settled(Insn::of(word, row.number), ctx, text.since(start))?;
                return Ok(Some((insn, row.plain)));
            }
        }
        Ok(None)
    }

    /// Finds and caches the candidate rows of a mnemonic with suffixes; `None` if the suffixes end elsewhere.
    #[cold]
    fn learn(&mut self, key: Key, len: usize, text: &Scan<'_>, ctx: I::Ctx<'_>) -> Option<Head> {
        if self.rows.len() + I::table().forms().len() > ROWS {
            self.rows.clear();
            self.heads.fill(None);
        }
        let first = self.rows.len();
        let mut text = text.clone();
        let end = text.pos() + len;
        let name = text.word();
        let after_name = text.pos();
        for (number, form) in self.names.find(name) {
            text.rewind(after_name);
            let mut word = form.template();
            if parse_modifiers(form.suffixes(ctx), &mut word, &mut text, false).is_err() {
                continue;
            }
            if text.pos() != end {
                self.rows.truncate(first);
                return None;
            }
            let (known, mut fixed) = (form.prefix().next(), I::Word::default());
            for op in I::prefix().iter().filter(|op| form.prefix().all(|taken| taken.slot != op.slot)) {
                fixed = fixed.or(&op.field.mask());
            }
            self.rows.push(Row { number, word, bare: known.is_none(), fixed, plain: plain(form, ctx) });
        }
        let head = Head { key, rows: [first as u16, self.rows.len() as u16] };
        *self.heads.get_mut(key.slot())? = Some(head);
        Some(head)
    }
}

/// Whether the text of the operands alone decides their bits.
fn plain<I: Isa>(form: &'static Form<I>, ctx: I::Ctx<'_>) -> bool {
    let shared = form.prefix().chain(form.suffix());
    shared.chain(form.operands).all(|op| op.kind.decided_by(op, ctx).is_some())
}
