//! Printing many instructions, with a cache of text by the bits that decide it.
//!
//! A [`Printer`] splits the text of each row into stretches that few bits decide: the mnemonic with what comes before
//! it, then one operand or several small ones. Kinds are called only for bits that are not in the cache.

use crate::bits::{self, Bits};
use crate::cache::{Cache, LONGEST};
use crate::text::{Before, Piece, pieces};
use crate::{Field, Form, Insn, Isa, Line, Word};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::any::{Any, TypeId};

/// Limits on the number of bits that decide a stretch: a mnemonic with operands, and several operands. Values of more
/// bits are too unlikely to occur again.
const TOGETHER: [u32; 2] = [10, 17];

/// The number of uncached stretches.
const UNCACHED: u16 = u16::MAX;

/// Consecutive pieces of a row's text.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// The bits that decide its text; none if something else decides it, too.
    bits: Bits,
    /// Its number, placed above those bits; equal for stretches of several rows that have the same operands. If the
    /// bits leave no room for a number above them, the stretch has its own cache.
    number: u64,
    /// Index of its cache in [`Printer::caches`].
    table: u16,
    /// The range of its pieces.
    pieces: [u32; 2],
    /// What is written before its first operand.
    before: Before,
}

/// A row, prepared if it has stretches.
#[derive(Clone, Copy, Debug, Default)]
struct Row<W> {
    /// The range of its stretches.
    stretches: [u32; 2],
    /// Bits in the last 64-bit piece of the word that matter only as "equal to the special value or not", and that
    /// value: in a cache key they are all set if they have the value, otherwise all clear.
    whole: u64,
    value: u64,
    /// The bits with a meaning, and the bits without a meaning that are set nevertheless.
    known: W,
    filler: W,
}

/// The identity of an operand: its kind and its bits.
type Identity = (TypeId, usize, Field);

/// Prints many instructions with similar contexts.
pub struct Printer<I: Isa> {
    /// The rows of the table.
    rows: Vec<Row<I::Word>>,
    stretches: Vec<Stretch>,
    pieces: Vec<Piece<I>>,
    /// The numbers of stretches without a mnemonic, by their operands and the bits that decide them.
    numbers: BTreeMap<(Before, Vec<Identity>, I::Word), u16>,
    /// The last assigned stretch number.
    last: u16,
    /// The index of the cache of each stretch that has its own, by stretch number.
    tables: BTreeMap<u16, u16>,
    /// The cache that most stretches share, followed by those of stretches that have their own.
    caches: Vec<Cache>,
}

/// Index of the last 64-bit piece of a word.
const fn last<W: Word>() -> usize {
    (W::BITS as usize - 1) / 64
}

impl<I: Isa> core::fmt::Debug for Printer<I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Printer").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl<I: Isa> Default for Printer<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Isa> Printer<I> {
    /// Without any cached text; a row is prepared when it first occurs.
    pub fn new() -> Self {
        Printer {
            rows: I::table().forms().iter().map(|_| Row::default()).collect(),
            stretches: Vec::new(),
            pieces: Vec::new(),
            numbers: BTreeMap::new(),
            last: 0,
            tables: BTreeMap::new(),
            caches: vec![Cache::new()],
        }
    }

    /// Prints an instruction, as [`print`](crate::print) does. The contexts given to one printer must agree in
    /// everything that the operand kinds read whose text is decided by bits alone
    /// ([`Hints::decided_by`](crate::Hints::decided_by)).
    #[inline]
    pub fn print(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) {
        self.line::<false>(insn, ctx, out);
    }

    /// As [`Printer::print`]. Also returns the unknown bits of the instruction ([`Insn::unknown_bits`]), and whether
    /// its text determines all other bits ([`determines`](crate::determines)).
    #[inline]
    pub fn print_told(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) -> (I::Word, bool) {
        let lossless = self.line::<true>(insn, ctx, out);
        let row = self.rows.get(insn.number()).copied().unwrap_or_default();
        let unknown = insn.word.without(&row.filler).or(&row.filler.without(&insn.word)).without(&row.known);
        (unknown, lossless)
    }

    /// Prints the stretches of a row. If `LOSSLESS` is set, returns whether the text determines all bits.
    #[inline(always)]
    fn line<const LOSSLESS: bool>(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) -> bool {
        if self.rows.get(insn.number()).is_none_or(|row| row.stretches[1] == 0) {
            self.make(insn, ctx);
        }
        let Some(row) = self.rows.get(insn.number()) else { return false };
        let mut words = insn.word.words();
        let piece = &mut words[const { last::<I::Word>() }];
        *piece = if *piece & row.whole == row.value { *piece | row.whole } else { *piece & !row.whole };
        let [from, to] = row.stretches;
        let stretches = self.stretches.get(from as usize..to as usize).unwrap_or_default();
        let most = stretches.len() * LONGEST;
        let mut lossless = true;
        let mut pen = out.pen(most);
        for stretch in stretches {
            let key = stretch.number | stretch.bits.get::<I::Word>(&words);
            let Some(cache) = self.caches.get_mut(usize::from(stretch.table)) else { continue };
            if let Some(text) = cache.find(key) {
                pen.text(text.bytes(), text.len());
                lossless &= text.lossless();
                continue;
            }
            let at = pen.at();
            out.seek(at);
            lossless &= write::<I, LOSSLESS>(stretch, key, &self.pieces, cache, insn, ctx, out);
            pen = out.pen(most);
        }
        let at = pen.at();
        out.seek(at);
        lossless
    }

    /// Prepares an instruction's row.
    #[cold]
    fn make(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>) {
        let form = insn.form();
        let pieces: Vec<Piece<I>> = pieces(form).collect();
        let [whole, value] = whole(&pieces, form, ctx);
        let decided_by = |pieces: &[Piece<I>]| {
            let bits = decided_by(pieces, form, ctx)?;
            let rest = bits.without(&whole);
            Some(if rest == bits { bits } else { rest.or(&lowest(&whole)) })
        };
        let first = self.stretches.len() as u32;
        let (mut start, mut before) = (0, Before::Nothing);
        for end in ends(&pieces, decided_by) {
            let stretch = pieces.get(start..end).unwrap_or_default();
            let above = |number: u16| u64::from(number) << bits::WIDTH;
            let word = decided_by(stretch);
            let [near, wide] =
                [bits::WIDTH, u64::BITS].map(|width| word.and_then(|word| Bits::of(&word, width)));
            let number = word.map_or(UNCACHED, |word| self.number(stretch, before, word));
            let (bits, number, table) = match (near, wide) {
                (Some(bits), _) => (bits, above(number), 0),
                (None, Some(bits)) if number != UNCACHED => (bits, 0, self.table(number)),
                _ => (Bits::NONE, above(UNCACHED), 0),
            };
            let pieces = [start, end].map(|at| (self.pieces.len() + at) as u32);
            self.stretches.push(Stretch { bits, number, table, pieces, before });
            before = if let Some(Piece::Blank) = stretch.last() { Before::Nothing } else { Before::Comma };
            start = end;
        }
        self.pieces.extend(pieces);
        let filler = I::Word::from_words([form.filler as u64, (form.filler >> 64) as u64, 0]);
        let stretches = [first, self.stretches.len() as u32];
        let [whole, value] = [whole, value].map(|word| word.words()[last::<I::Word>()]);
        if let Some(row) = self.rows.get_mut(insn.number()) {
            *row = Row { stretches, whole, value, known: form.known(), filler };
        }
    }

    /// The number of a stretch.
    fn number(&mut self, stretch: &[Piece<I>], before: Before, decided_by: I::Word) -> u16 {
        let next = self.last.saturating_add(1);
        let identity = |piece: &Piece<I>| {
            let op = piece.operand()?;
            let kind: &dyn Any = op.kind;
            Some((kind.type_id(), core::ptr::from_ref(kind).addr(), op.field))
        };
        let operands: Option<Vec<Identity>> = stretch.iter().map(identity).collect();
        let number = match operands {
            Some(operands) => *self.numbers.entry((before, operands, decided_by)).or_insert(next),
            None => next,
        };
        self.last = self.last.max(number);
        number
    }

    /// The index of the cache of a stretch that has its own.
    fn table(&mut self, number: u16) -> u16 {
        let next = self.caches.len() as u16;
        let table = *self.tables.entry(number).or_insert(next);
        if table == next {
            self.caches.push(Cache::new());
        }
        table
    }
}

/// The end of each stretch in a row's pieces.
fn ends<I: Isa>(pieces: &[Piece<I>], decided_by: impl Fn(&[Piece<I>]) -> Option<I::Word>) -> Vec<usize> {
    // A mnemonic is joined with optional operands, because the text before the first printed operand depends on them.
    let sure = |piece: &Piece<I>| match piece {
        Piece::Blank => true,
        Piece::Operand(op) => !op.kind.optional(),
        _ => false,
    };
    let own = |piece: &Piece<I>| !matches!(piece, Piece::Shared(_));
    let head =
        pieces.iter().position(sure).or_else(|| pieces.iter().rposition(own)).map_or(0, |last| last + 1);
    let mut ends = vec![head];
    let mut start = 0;
    let bits = |from: usize, to: usize| Bits::of(&decided_by(pieces.get(from..to)?)?, bits::WIDTH);
    for at in head..pieces.len() {
        // A piece that a single bit decides fits into any stretch.
        let alone = bits(start, at).map_or(0, |bits| bits.count());
        let limit = TOGETHER[usize::from(start > 0)].max(alone + 1);
        let few = bits(start, at + 1).is_some_and(|bits| bits.count() <= limit);
        match ends.last_mut() {
            Some(end) if few => *end = at + 1,
            _ => {
                start = at;
                ends.push(at + 1);
            }
        }
    }
    ends
}

/// The bits that decide some pieces; `None` if something else decides them, too.
fn decided_by<I: Isa>(pieces: &[Piece<I>], form: &'static Form<I>, ctx: I::Ctx<'_>) -> Option<I::Word> {
    pieces.iter().try_fold(I::Word::default(), |bits, piece| {
        let more = match piece {
            Piece::Shared(op) | Piece::Operand(op) => op.kind.decided_by(op, ctx)?,
            Piece::Name => form.modifiers.iter().fold(bits, |bits, m| bits.or(&m.field.mask())),
            Piece::Blank => bits,
        };
        Some(bits.or(&more))
    })
}

/// The bits of an operand with a special value, and that value in these bits, if there is such an operand, its bits are
/// in the last piece of the word, and they decide nothing else.
fn whole<I: Isa>(pieces: &[Piece<I>], form: &'static Form<I>, ctx: I::Ctx<'_>) -> [I::Word; 2] {
    let found = pieces.iter().enumerate().find_map(|(i, piece)| {
        let op = piece.operand()?;
        let mut value = I::Word::default();
        op.field.set(&mut value, op.kind.special_value(ctx)?);
        Some((i, [op.field.mask(), value]))
    });
    let alone = |(at, [mask, _]): &(usize, [I::Word; 2])| {
        let others = pieces.iter().enumerate().filter(|(i, _)| i != at);
        let mut bits = others.filter_map(|(_, piece)| decided_by(core::slice::from_ref(piece), form, ctx));
        let pieces = mask.words();
        let last = pieces.iter().enumerate().all(|(i, piece)| *piece == 0 || i == last::<I::Word>());
        last && bits.all(|bits| bits.without(mask) == bits)
    };
    found.filter(alone).map_or_else(Default::default, |(_, whole)| whole)
}

/// The lowest bit that is set.
fn lowest<W: Word>(word: &W) -> W {
    let [pieces @ .., _] = word.words();
    let mut higher = false;
    W::from_words(pieces.map(|piece| {
        let lowest = if higher { 0 } else { piece & piece.wrapping_neg() };
        higher |= piece != 0;
        lowest
    }))
}

/// Prints a stretch that is not cached in its first slot, and caches it if possible. If `LOSSLESS` is set, returns
/// whether the text determines the bits.
#[inline(never)]
fn write<I: Isa, const LOSSLESS: bool>(
    stretch: &Stretch,
    key: u64,
    pieces: &[Piece<I>],
    cache: &mut Cache,
    insn: &Insn<I>,
    ctx: I::Ctx<'_>,
    out: &mut Line<'_>,
) -> bool {
    // A key of 0 marks a free slot; only in a stretch's own cache can the bits yield this key.
    let uncached = key == 0 || stretch.number == u64::from(UNCACHED) << bits::WIDTH;
    if let Some(text) = cache.search(key).ok().filter(|_| !uncached) {
        let mut pen = out.pen(LONGEST);
        pen.text(text.bytes(), text.len());
        let at = pen.at();
        out.seek(at);
        return text.lossless();
    }
    let [from, to] = stretch.pieces.map(|at| at as usize);
    let (pieces, start) = (pieces.get(from..to).unwrap_or_default(), out.written());
    pieces.iter().fold(stretch.before, |before, piece| piece.print(before, insn, ctx, out));
    let lossless = (LOSSLESS || !uncached) && pieces.iter().all(|piece| piece.is_lossless(insn, ctx));
    if let Some(text) = out.since(start).filter(|_| !uncached) {
        cache.insert(key, text, lossless);
    }
    lossless
}
