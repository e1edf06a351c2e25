//! Printing many instructions: text that was written before for the same bits is copied.
//!
//! A [`Printer`] parts the text of each row into stretches that few bits decide: the mnemonic with what stands
//! before it, then an operand or several small ones. Kinds are asked only where the bits of a stretch are new.

use crate::bits::{self, Bits};
use crate::kept::{Kept, LONGEST};
use crate::text::{Before, Piece, pieces};
use crate::{Field, Form, Insn, Isa, Line, Word};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::any::{Any, TypeId};

/// Bits that decide a mnemonic with more beside it, or several operands, at most. What is used of the values of more
/// bits is too much to be met again.
const TOGETHER: [u32; 2] = [10, 17];

/// The number of stretches that are not kept.
const ASKED: u16 = u16::MAX;

/// Some pieces of a row's text.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// What decides its text; none where something else does as well.
    bits: Bits,
    /// Its number above those bits, the same for stretches of several rows that have the same operands. One that so many
    /// bits decide that there is no room above them has a table of its own.
    number: u64,
    /// Its table among [`Printer::kept`].
    table: u16,
    /// Where its pieces begin and end.
    pieces: [u32; 2],
    /// What stands before its first operand.
    before: Before,
}

/// A row, made ready if it has stretches.
#[derive(Clone, Copy, Debug, Default)]
struct Row<W> {
    /// Where its stretches begin and end.
    stretches: [u32; 2],
    /// Bits in the last piece of the word of which only counts whether they have one value, and the value: then all
    /// of them are taken to be set, otherwise none.
    whole: u64,
    value: u64,
    /// The bits with a meaning, and those without one that are set all the same.
    known: W,
    filler: W,
}

/// An operand, told from all others: its kind and where its bits are.
type Identity = (TypeId, usize, Field);

/// Prints many instructions of the same surroundings.
pub struct Printer<I: Isa> {
    /// The rows of the table.
    rows: Vec<Row<I::Word>>,
    stretches: Vec<Stretch>,
    pieces: Vec<Piece<I>>,
    /// The numbers of stretches without a mnemonic, by what they are and which bits decide them.
    numbers: BTreeMap<(Before, Vec<Identity>, I::Word), u16>,
    /// The last number that was given to a stretch.
    last: u16,
    /// The tables that stretches have for themselves, by their numbers.
    tables: BTreeMap<u16, u16>,
    /// The table of most stretches, and behind it those of stretches that have their own.
    kept: Vec<Kept>,
}

/// Which piece of a word is the last.
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
    /// Without any text; a row is made ready when it is first met.
    pub fn new() -> Self {
        Printer {
            rows: I::table().forms().iter().map(|_| Row::default()).collect(),
            stretches: Vec::new(),
            pieces: Vec::new(),
            numbers: BTreeMap::new(),
            last: 0,
            tables: BTreeMap::new(),
            kept: vec![Kept::new()],
        }
    }

    /// Writes an instruction as text, as [`print`](crate::print) does. The contexts given to one printer must
    /// be alike in all that operands look at whose kinds name the bits that decide their text
    /// ([`Hints::decided_by`](crate::Hints::decided_by)).
    #[inline]
    pub fn print(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) {
        self.line::<false>(insn, ctx, out);
    }

    /// The same. Gives the bits of the instruction as [`Insn::unknown_bits`], and whether its text tells the others,
    /// as [`tells`](crate::tells).
    #[inline]
    pub fn print_told(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) -> (I::Word, bool) {
        let told = self.line::<true>(insn, ctx, out);
        let row = self.rows.get(insn.number()).copied().unwrap_or_default();
        let unknown = insn.word.without(&row.filler).or(&row.filler.without(&insn.word)).without(&row.known);
        (unknown, told)
    }

    /// Writes the stretches of a row. Whether they tell all bits, if that is asked.
    #[inline(always)]
    fn line<const TOLD: bool>(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) -> bool {
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
        let mut told = true;
        let mut pen = out.pen(most);
        for stretch in stretches {
            let key = stretch.number | stretch.bits.get::<I::Word>(&words);
            let Some(kept) = self.kept.get_mut(usize::from(stretch.table)) else { continue };
            if let Some(text) = kept.find(key) {
                pen.text(text.bytes(), text.len());
                told &= text.told();
                continue;
            }
            let at = pen.at();
            out.seek(at);
            told &= write::<I, TOLD>(stretch, key, &self.pieces, kept, insn, ctx, out);
            pen = out.pen(most);
        }
        let at = pen.at();
        out.seek(at);
        told
    }

    /// Makes an instruction's row ready.
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
            let number = word.map_or(ASKED, |word| self.number(stretch, before, word));
            let (bits, number, table) = match (near, wide) {
                (Some(bits), _) => (bits, above(number), 0),
                (None, Some(bits)) if number != ASKED => (bits, 0, self.table(number)),
                _ => (Bits::NONE, above(ASKED), 0),
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

    /// The table of a stretch that has one of its own, by its number.
    fn table(&mut self, number: u16) -> u16 {
        let next = self.kept.len() as u16;
        let table = *self.tables.entry(number).or_insert(next);
        if table == next {
            self.kept.push(Kept::new());
        }
        table
    }
}

/// Where the stretches of a row's pieces end.
fn ends<I: Isa>(pieces: &[Piece<I>], decided_by: impl Fn(&[Piece<I>]) -> Option<I::Word>) -> Vec<usize> {
    // A mnemonic takes along operands that may be left out, because of what stands before the first that is written.
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
        // What one bit decides goes anywhere.
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

/// The bits that decide some pieces, unless something else does as well.
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

/// The bits of an operand of which one value stands out, and that value in them, if there is such an operand, in the
/// last piece of the word, and nothing else is decided by its bits.
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

/// Writes a stretch that is not kept in its first slot; and keeps it, if it may be and is not too long. Whether it
/// tells its bits, if that is asked.
#[inline(never)]
fn write<I: Isa, const TOLD: bool>(
    stretch: &Stretch,
    key: u64,
    pieces: &[Piece<I>],
    kept: &mut Kept,
    insn: &Insn<I>,
    ctx: I::Ctx<'_>,
    out: &mut Line<'_>,
) -> bool {
    // A key of 0 means none: the only bits of a table of its own that have no key.
    let asked = key == 0 || stretch.number == u64::from(ASKED) << bits::WIDTH;
    if let Some(text) = kept.search(key).ok().filter(|_| !asked) {
        let mut pen = out.pen(LONGEST);
        pen.text(text.bytes(), text.len());
        let at = pen.at();
        out.seek(at);
        return text.told();
    }
    let [from, to] = stretch.pieces.map(|at| at as usize);
    let (pieces, start) = (pieces.get(from..to).unwrap_or_default(), out.written());
    pieces.iter().fold(stretch.before, |before, piece| piece.print(before, insn, ctx, out));
    let told = (TOLD || !asked) && pieces.iter().all(|piece| piece.tells(insn, ctx));
    if let Some(text) = out.since(start).filter(|_| !asked) {
        kept.keep(key, text, told);
    }
    told
}
