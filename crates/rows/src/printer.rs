//! Printing many instructions: text that was written before for the same bits is copied.
//!
//! A [`Printer`] parts the text of each row into stretches that few bits decide: the mnemonic with what stands
//! before it, then an operand or several small ones. Kinds are asked only where the bits of a stretch are new.

use crate::bits::Bits;
use crate::kept::{Kept, LONGEST, Tag};
use crate::text::{Before, Piece, pieces};
use crate::{Field, Form, Insn, Isa, Line, Word};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::any::{Any, TypeId};

/// Bits that decide a mnemonic with more beside it, or several operands, at most. What is used of the values of more
/// bits is too much to be met again.
const TOGETHER: [u32; 2] = [8, 14];

/// The number of stretches that are not kept.
const ASKED: u16 = u16::MAX;

/// Some pieces of a row's text.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// What decides its text; none where something else does as well.
    bits: Bits,
    /// The same for stretches of several rows that have the same operands.
    tag: Tag,
    /// Where its pieces begin and end.
    pieces: [u32; 2],
    /// What stands before its first operand.
    before: Before,
}

/// A row made ready.
#[derive(Clone, Copy, Debug)]
struct Row<W> {
    /// Where its stretches begin and end.
    stretches: [u32; 2],
    /// The bits with a meaning, and those without one that are set all the same.
    known: W,
    filler: W,
}

/// An operand, told from all others: its kind and where its bits are.
type Identity = (TypeId, usize, Field);

/// Prints many instructions of the same surroundings.
pub struct Printer<I: Isa> {
    /// For each row of the table one more than its place in `rows`; 0 for one that was not met yet.
    places: Vec<u16>,
    rows: Vec<Row<I::Word>>,
    stretches: Vec<Stretch>,
    pieces: Vec<Piece<I>>,
    /// The numbers of stretches without a mnemonic.
    numbers: BTreeMap<(Before, Vec<Identity>), u16>,
    /// The last number that was given to a stretch.
    last: u16,
    kept: Kept,
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
            places: vec![0; I::table().forms().len()],
            rows: Vec::new(),
            stretches: Vec::new(),
            pieces: Vec::new(),
            numbers: BTreeMap::new(),
            last: 0,
            kept: Kept::new(),
        }
    }

    /// Writes an instruction as text, as [`print`](crate::print) does. The contexts given to one printer must
    /// be alike in all that operands look at whose kinds name the bits that decide their text
    /// ([`Kind::decided_by`](crate::Kind::decided_by)).
    #[inline]
    pub fn print(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) {
        let row = self.row(insn, ctx);
        self.line::<false>(row, insn, ctx, out);
    }

    /// The same. Gives the bits of the instruction as [`Insn::unknown_bits`], and whether its text tells the others,
    /// as [`tells`](crate::tells).
    #[inline]
    pub fn print_told(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) -> (I::Word, bool) {
        let row = self.row(insn, ctx);
        let told = self.line::<true>(row, insn, ctx, out);
        let unknown = |row: &Row<I::Word>| {
            insn.word.without(&row.filler).or(&row.filler.without(&insn.word)).without(&row.known)
        };
        (self.rows.get(row).map(unknown).unwrap_or_default(), told)
    }

    /// Where the row of an instruction is.
    #[inline(always)]
    fn row(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>) -> usize {
        match self.places.get(insn.number()) {
            Some(place) if *place > 0 => usize::from(*place) - 1,
            _ => self.make(insn, ctx),
        }
    }

    /// Writes the stretches of a row. Whether they tell all bits, if that is asked.
    #[inline(always)]
    fn line<const TOLD: bool>(
        &mut self,
        row: usize,
        insn: &Insn<I>,
        ctx: I::Ctx<'_>,
        out: &mut Line<'_>,
    ) -> bool {
        let words = insn.word.words();
        let [from, to] = self.rows.get(row).map_or([0; 2], |row| row.stretches);
        let stretches = self.stretches.get(from as usize..to as usize).unwrap_or_default();
        let most = stretches.len() * LONGEST;
        let mut told = true;
        let mut pen = out.pen(most);
        for stretch in stretches {
            let key = stretch.bits.get::<I::Word>(&words);
            if let Some(text) = self.kept.find(stretch.tag, key) {
                pen.text(text.bytes(), text.len());
                told &= text.told();
                continue;
            }
            let at = pen.at();
            out.seek(at);
            told &= write::<I, TOLD>(stretch, key, &self.pieces, &mut self.kept, insn, ctx, out);
            pen = out.pen(most);
        }
        let at = pen.at();
        out.seek(at);
        told
    }

    /// Makes an instruction's row ready.
    #[cold]
    fn make(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>) -> usize {
        let form = insn.form();
        let pieces: Vec<Piece<I>> = pieces(form).collect();
        let first = self.stretches.len() as u32;
        let (mut start, mut before) = (0, Before::Nothing);
        for end in ends(&pieces, form, ctx) {
            let stretch = pieces.get(start..end).unwrap_or_default();
            let bits = decided_by(stretch, form, ctx).and_then(|bits| Bits::of(&bits));
            let number = if bits.is_some() { self.number(stretch, before) } else { ASKED };
            let pieces = [start, end].map(|at| (self.pieces.len() + at) as u32);
            let (bits, tag) = (bits.unwrap_or(Bits::NONE), Tag::new(number));
            self.stretches.push(Stretch { bits, tag, pieces, before });
            before = if let Some(Piece::Blank) = stretch.last() { Before::Nothing } else { Before::Comma };
            start = end;
        }
        self.pieces.extend(pieces);
        let filler = I::Word::from_words([form.filler as u64, (form.filler >> 64) as u64, 0]);
        self.rows.push(Row { stretches: [first, self.stretches.len() as u32], known: form.known(), filler });
        if let Some(place) = self.places.get_mut(insn.number()) {
            *place = self.rows.len() as u16;
        }
        self.rows.len() - 1
    }

    /// The number of a stretch.
    fn number(&mut self, stretch: &[Piece<I>], before: Before) -> u16 {
        let next = self.last.saturating_add(1);
        let identity = |piece: &Piece<I>| {
            let op = piece.operand()?;
            let kind: &dyn Any = op.kind;
            Some((kind.type_id(), core::ptr::from_ref(kind).addr(), op.field))
        };
        let operands: Option<Vec<Identity>> = stretch.iter().map(identity).collect();
        let number = match operands {
            Some(operands) => *self.numbers.entry((before, operands)).or_insert(next),
            None => next,
        };
        self.last = self.last.max(number);
        number
    }
}

/// Where the stretches of a row's pieces end.
fn ends<I: Isa>(pieces: &[Piece<I>], form: &'static Form<I>, ctx: I::Ctx<'_>) -> Vec<usize> {
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
    for at in head..pieces.len() {
        let limit = TOGETHER[usize::from(start > 0)];
        let joined = pieces.get(start..=at).and_then(|joined| decided_by(joined, form, ctx));
        let few = joined.and_then(|bits| Bits::of(&bits)).is_some_and(|bits| bits.count() <= limit);
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
    if let Ok(text) = kept.search(stretch.tag, key) {
        let mut pen = out.pen(LONGEST);
        pen.text(text.bytes(), text.len());
        let at = pen.at();
        out.seek(at);
        return text.told();
    }
    let [from, to] = stretch.pieces.map(|at| at as usize);
    let (pieces, start) = (pieces.get(from..to).unwrap_or_default(), out.written());
    pieces.iter().fold(stretch.before, |before, piece| piece.print(before, insn, ctx, out));
    let asked = stretch.tag.number() == ASKED;
    let told = (TOLD || !asked) && pieces.iter().all(|piece| piece.tells(insn, ctx));
    if let Some(text) = out.since(start).filter(|_| !asked) {
        kept.keep(stretch.tag, key, text, told);
    }
    told
}
