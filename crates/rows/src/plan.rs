//! Print plans: rows made ready for printing many instructions.
//!
//! A [`Printer`] keeps for each row the fields as shifts and masks and the texts as wide copies, so that the
//! usual operands are written without asking their kinds. It writes what [`print`](crate::print) writes.

use crate::line::Pen;
use crate::{Field, Form, Insn, Isa, Line, Modifier, Name, Operand, Short, Word, ones};
use alloc::{vec, vec::Vec};

/// Writes an operand by its plan, or has its kind write it.
macro_rules! operand {
    ($write:ident, $op:ident, $plan:ident, $words:ident, $insn:ident, $ctx:ident, $pen:ident, $out:ident, $most:ident) => {
        if !$plan.$write(&$words, &mut $pen) {
            let at = $pen.at();
            $out.seek(at);
            $op.kind.print($op, $insn, $ctx, $out);
            $pen = $out.pen($most);
        }
    };
}

/// Adjacent bits of a word, at most 32.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    word: u8,
    shift: u8,
    mask: u32,
}

impl Run {
    /// No bits: always zero.
    pub const NONE: Run = Run { word: 0, shift: 0, mask: 0 };

    /// The bits of a field from its bit `lo` on; `None` where they do not lie side by side within 64 bits of
    /// the word.
    pub fn of(field: &Field, lo: u8, width: u8) -> Option<Run> {
        let mut parts = field.part(lo, width);
        let (Some((start, len)), None) = (parts.next(), parts.next()) else { return None };
        let fits = len == width && (1..=32).contains(&len) && start % 64 + len <= 64;
        let mask = u32::MAX >> (32 - u32::from(len.clamp(1, 32)));
        fits.then_some(Run { word: start / 64, shift: start % 64, mask })
    }

    #[inline(always)]
    fn get(self, words: &[u64; 4]) -> u64 {
        words[usize::from(self.word & 3)] >> (self.shift & 63) & u64::from(self.mask)
    }
}

/// A number with a sign: bits, how far they are shifted left, and the bit of the sign, which counts as the
/// one above them.
#[derive(Clone, Copy, Debug)]
pub struct Signed {
    bits: Run,
    sign: Run,
    above: u8,
    scale: u8,
}

impl Signed {
    /// Always zero.
    pub const NONE: Signed = Signed { bits: Run::NONE, sign: Run::NONE, above: 0, scale: 0 };

    /// `width` bits of a field from its bit `lo` on, the last of them a sign, shifted left by `scale`.
    pub fn of(field: &Field, lo: u8, width: u8, scale: u8) -> Option<Signed> {
        let above = width.checked_sub(1)?;
        let bits = if above == 0 { Run::NONE } else { Run::of(field, lo, above)? };
        let sign = Run::of(field, lo + above, 1)?;
        Some(Signed { bits, sign, above, scale: scale & 31 })
    }

    /// Without a sign.
    pub fn unsigned(field: &Field, lo: u8, width: u8) -> Option<Signed> {
        Some(Signed { bits: Run::of(field, lo, width)?, sign: Run::NONE, above: 0, scale: 0 })
    }

    #[inline(always)]
    fn get(self, words: &[u64; 4]) -> i64 {
        let value = self.bits.get(words) as i64 - ((self.sign.get(words) as i64) << (self.above & 63));
        value << (self.scale & 63)
    }
}

/// How the text of an operand follows from its bits, where a kind can say it so.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// The kind writes it.
    Ask,
    /// One of some texts by number, then perhaps one more.
    Name {
        /// The number.
        number: Run,
        /// The texts; one for each number.
        names: &'static [Short],
        /// The bit that calls for one more text.
        more: Run,
        /// That text.
        text: &'static Short,
    },
    /// One of some texts by a number of up to three runs of bits, the lowest first. The kind writes an operand
    /// whose text is empty.
    Pieces {
        /// The bits, and how far each run is shifted left.
        runs: [(Run, u8); 3],
        /// The texts; one for each number.
        names: &'static [Short],
    },
    /// A hexadecimal number with sign.
    Number(Signed),
    /// A hexadecimal number and one with sign, with texts around them.
    Indexed {
        /// The texts before the first, between the numbers and behind them.
        texts: &'static [Short; 3],
        /// The first number.
        index: Run,
        /// The second number.
        offset: Signed,
    },
    /// One of some texts by number and, unless it is zero, a plus and a hexadecimal number with sign, with
    /// texts around them.
    Based {
        /// The texts around.
        texts: &'static [Short; 2],
        /// The number of the first.
        base: Run,
        /// The texts; one for each number. The kind writes an operand of the last.
        names: &'static [Short],
        /// What is added.
        offset: Signed,
    },
    /// One of two texts.
    Either {
        /// Bits that decide.
        bits: Run,
        /// The value for which the first is written.
        value: u32,
        /// The texts.
        texts: [Short; 2],
    },
}

impl Step {
    /// One of some texts by parts of fields (their lowest bit and how many), the least significant first;
    /// `None` where a part does not lie side by side or there are more than three.
    pub fn pieces(parts: &[(Field, u8, u8)], names: &'static [Short]) -> Option<Step> {
        let (mut runs, mut at) = ([(Run::NONE, 0); 3], 0);
        for (i, (field, lo, width)) in parts.iter().enumerate() {
            *runs.get_mut(i)? = (Run::of(field, *lo, *width)?, at);
            at += width;
        }
        Some(Step::Pieces { runs, names })
    }
}

/// The number that runs of bits make.
#[inline(always)]
fn number(runs: &[(Run, u8); 3], words: &[u64; 4]) -> usize {
    runs.iter().fold(0, |n, (run, shift)| n | run.get(words) << (shift & 63)) as usize
}

/// When an operand is left out.
#[derive(Clone, Copy, Debug)]
enum Left {
    /// The kind says.
    Ask,
    /// Never.
    Never,
    /// Where its bits have this value.
    At(u64),
}

/// How an operand is written: a step, and for which words of the row it holds. Where it does not the kind writes
/// the operand.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    step: Step,
    /// Bits that must be zero, the lowest first.
    zero: [u64; 2],
    left: Left,
    /// Whether the text tells all of the operand's bits.
    told: bool,
}

impl Plan {
    /// The kind writes the operand.
    pub const ASK: Plan = Plan { step: Step::Ask, zero: [0; 2], left: Left::Ask, told: false };

    /// The step, if there is one, for all words of the row. Its text tells all of the operand's bits.
    pub fn new(step: Option<Step>) -> Plan {
        step.map_or(Plan::ASK, |step| Plan { step, zero: [0; 2], left: Left::Never, told: true })
    }

    /// The same only where `width` bits of the operand's field from its bit `lo` on are zero.
    pub fn where_zero(mut self, field: &Field, lo: u8, width: u8) -> Plan {
        for (start, len) in field.part(lo, width) {
            for bit in start..start + len {
                let Some(word) = self.zero.get_mut(usize::from(bit / 64)) else { return Plan::ASK };
                *word |= 1 << (bit % 64);
            }
        }
        self
    }

    /// The same for an operand that is left out where its bits have this value.
    pub fn left_out_at(self, value: u64) -> Plan {
        if matches!(self.step, Step::Ask) { self } else { Plan { left: Left::At(value), ..self } }
    }

    /// The same where the text does not tell all bits.
    pub const fn untold(self) -> Plan {
        Plan { told: false, ..self }
    }

    /// Whether the operand is written.
    #[inline(always)]
    fn shown<I: Isa>(&self, op: &Operand<I>, insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool {
        match self.left {
            Left::Never => true,
            Left::At(value) => op.field.get(&insn.word) != value,
            Left::Ask => op.kind.shown(op, insn, ctx),
        }
    }

    /// Whether the step holds for a word.
    fn holds(&self, words: &[u64; 4]) -> bool {
        let zero = words[0] & self.zero[0] | words[1] & self.zero[1] == 0;
        zero && match &self.step {
            Step::Ask => false,
            Step::Based { base, names, .. } => base.get(words) as usize + 1 < names.len(),
            Step::Pieces { runs, names } => names.get(number(runs, words)).is_some_and(|n| !n.is_empty()),
            _ => true,
        }
    }

    /// Writes the operand; false, and nothing written, where the step does not hold.
    #[inline(always)]
    fn write(&self, words: &[u64; 4], pen: &mut Pen<'_>) -> bool {
        words[0] & self.zero[0] | words[1] & self.zero[1] == 0 && self.put(words, pen)
    }

    /// The same where the bits that must be zero are.
    #[inline(always)]
    fn put(&self, words: &[u64; 4], pen: &mut Pen<'_>) -> bool {
        match &self.step {
            Step::Ask => return false,
            Step::Name { number, names, more, text } => {
                pen.short(name(names, *number, words));
                if more.get(words) != 0 {
                    pen.short(text);
                }
            }
            Step::Pieces { runs, names } => match names.get(number(runs, words)) {
                Some(name) if !name.is_empty() => pen.short(name),
                _ => return false,
            },
            Step::Number(number) => pen.signed(number.get(words)),
            Step::Indexed { texts, index, offset } => {
                pen.short(&texts[0]);
                pen.signed(index.get(words) as i64);
                pen.short(&texts[1]);
                pen.signed(offset.get(words));
                pen.short(&texts[2]);
            }
            Step::Based { texts, base, names, offset } => {
                if base.get(words) as usize + 1 >= names.len() {
                    return false;
                }
                pen.short(&texts[0]);
                pen.short(name(names, *base, words));
                let offset = offset.get(words);
                if offset != 0 {
                    pen.byte(b'+');
                    pen.signed(offset);
                }
                pen.short(&texts[1]);
            }
            Step::Either { bits, value, texts } => {
                pen.short(&texts[usize::from(bits.get(words) != u64::from(*value))]);
            }
        }
        true
    }

    /// Writes an operand: for kinds whose plan holds for all words.
    pub fn print(&self, word: &impl Word, out: &mut Line<'_>) {
        let mut pen = out.pen(MOST);
        self.write(&word.words(), &mut pen);
        let at = pen.at();
        out.seek(at);
    }
}

/// A name with blanks behind it up to a column, if that is no longer than a short text.
fn padded(label: Short, name: &str, column: usize) -> Short {
    let mut text = [b' '; Short::MOST];
    match text.get_mut(..name.len()) {
        Some(start) if (name.len()..=Short::MOST).contains(&column) => start.copy_from_slice(name.as_bytes()),
        _ => return label,
    }
    Short::ascii(&text[..column])
}

/// The text of a number; nothing where there is none.
#[inline(always)]
fn name<'t>(names: &'t [Short], number: Run, words: &[u64; 4]) -> &'t Short {
    names.get(number.get(words) as usize).unwrap_or(const { &Short::new("") })
}

/// Characters that a step or a suffix writes at most, separators included.
const MOST: usize = 96;

/// A suffix of a mnemonic.
#[derive(Clone, Copy, Debug)]
enum Suffix {
    /// One of the texts that the printer keeps from this place on.
    Choice(Run, u32),
    /// Any other.
    Other(&'static Modifier),
}

/// An operand.
struct Planned<I: Isa> {
    op: &'static Operand<I>,
    plan: Plan,
}

/// A row made ready: where its pieces begin and end.
#[derive(Clone, Copy, Debug)]
struct Row<W> {
    label: Short,
    /// From where on its suffixes are, and its operands before the mnemonic, behind it, and at the end; then
    /// where these end.
    suffixes: [u32; 2],
    operands: [u32; 4],
    /// Characters of its text at most, as far as kinds are not asked.
    most: usize,
    /// The bits that decide all before the first operand; 0 where others do as well.
    head: u64,
    /// Whether the blank before the first operand belongs to it.
    blank: bool,
    /// Bits of which none is set in words whose operands are all written by their plans, if that can be said.
    plain: Option<[u64; 2]>,
    /// The bits with a meaning, and those without one that are set all the same.
    known: W,
    filler: W,
}

/// The text of a row before its first operand, for some values of the bits that decide it.
#[derive(Clone, Copy, Debug)]
struct Head {
    row: usize,
    bits: u64,
    text: Name,
}

/// How many heads are kept; a power of two.
const HEADS: usize = 512;

/// Prints many instructions of the same surroundings.
pub struct Printer<I: Isa> {
    rows: Vec<Option<Row<I::Word>>>,
    /// Heads met before, each at a place that follows from its row and bits.
    heads: Vec<Head>,
    suffixes: Vec<Suffix>,
    operands: Vec<Planned<I>>,
    texts: Vec<Short>,
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
    /// Without any plans; a row is planned when it is first met.
    pub fn new() -> Self {
        let rows = vec![None; I::table().forms().len()];
        let none = Head { row: usize::MAX, bits: 0, text: Name::new("") };
        Printer {
            rows,
            heads: vec![none; HEADS],
            suffixes: Vec::new(),
            operands: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Writes an instruction as text, as [`print`](crate::print) does. The contexts given to one printer must
    /// be alike in what [`Kind::plan`](crate::Kind::plan) looks at.
    #[inline]
    pub fn print(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) {
        let Some(Some(row)) = self.rows.get(insn.number()) else {
            self.plan(insn, ctx);
            return crate::print(insn, ctx, out);
        };
        let words = insn.word.words();
        let most = row.most;
        let run = |from: usize| {
            let run = row.operands[from] as usize..row.operands[from + 1] as usize;
            self.operands.get(run).unwrap_or_default()
        };
        let mut pen = out.pen(most);
        let bits = words[0] & row.head;
        let place = (bits ^ insn.number() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let mut start = pen.at();
        match self.heads.get(place as usize % HEADS) {
            Some(head) if head.row == insn.number() && head.bits == bits => pen.name(&head.text),
            _ => {
                for Planned { op, plan } in run(0) {
                    if plan.shown(op, insn, ctx) {
                        operand!(write, op, plan, words, insn, ctx, pen, out, most);
                    }
                }
                let begin = pen.at();
                pen.short(&row.label);
                let suffixes = self.suffixes.get(row.suffixes[0] as usize..row.suffixes[1] as usize);
                for suffix in suffixes.unwrap_or_default() {
                    match suffix {
                        Suffix::Choice(run, first) => {
                            let texts = self.texts.get(*first as usize..).unwrap_or_default();
                            pen.short(name(texts, *run, &words));
                        }
                        Suffix::Other(m) => {
                            let at = pen.at();
                            out.seek(at);
                            out.text(m.names.get(m.field.get(&insn.word) as usize).copied().unwrap_or(""));
                            pen = out.pen(0);
                        }
                    }
                }
                if row.blank {
                    pen.byte(b' ');
                }
                if row.head != 0
                    && let Some(text) = pen.since(start)
                    && let Some(head) = self.heads.get_mut(place as usize % HEADS)
                {
                    *head = Head { row: insn.number(), bits, text };
                }
                start = begin;
            }
        }
        let plain = row.plain.is_some_and(|bits| words[0] & bits[0] | words[1] & bits[1] == 0);
        if plain && row.blank {
            let mut comma = 0;
            for Planned { op, plan } in run(1) {
                pen.comma(comma);
                comma = 2;
                operand!(put, op, plan, words, insn, ctx, pen, out, most);
            }
            for Planned { op, plan } in run(2) {
                operand!(put, op, plan, words, insn, ctx, pen, out, most);
            }
            let at = pen.at();
            return out.seek(at);
        }
        let mut comma = 0;
        for Planned { op, plan } in run(1) {
            if !plan.shown(op, insn, ctx) {
                continue;
            }
            if comma == 0 && !row.blank {
                if I::COLUMN > 0 {
                    (pen.at() - start..I::COLUMN).for_each(|_| pen.byte(b' '));
                }
                if !insn.form().close {
                    pen.byte(b' ');
                }
            }
            pen.comma(comma);
            comma = 2;
            operand!(write, op, plan, words, insn, ctx, pen, out, most);
        }
        for Planned { op, plan } in run(2) {
            if plan.shown(op, insn, ctx) {
                operand!(write, op, plan, words, insn, ctx, pen, out, most);
            }
        }
        let at = pen.at();
        out.seek(at);
    }

    /// Bits of an instruction as [`Insn::unknown_bits`], and whether its text tells the others, as
    /// [`tells`](crate::tells). The context may ask for more text than that given to [`Printer::print`].
    pub fn told(&self, insn: &Insn<I>, ctx: I::Ctx<'_>) -> (I::Word, bool) {
        let Some(Some(row)) = self.rows.get(insn.number()) else {
            return (insn.unknown_bits(), crate::tells(insn, ctx));
        };
        let words = insn.word.words();
        let unknown = insn.word.without(&row.filler).or(&row.filler.without(&insn.word)).without(&row.known);
        let operands = self.operands.get(row.operands[0] as usize..row.operands[3] as usize);
        let mut told = operands
            .unwrap_or_default()
            .iter()
            .map(|Planned { op, plan }| plan.told && plan.holds(&words) || op.kind.faithful(op, insn, ctx));
        (unknown, crate::text::suffixes_tell(insn) && told.all(|told| told))
    }

    /// Makes the plan of an instruction's row.
    #[cold]
    fn plan(&mut self, insn: &Insn<I>, ctx: I::Ctx<'_>) {
        let form = insn.form();
        let Some(label) = Short::of(form.name) else { return };
        let mut most = label.len() + I::COLUMN + MOST;
        let first = self.suffixes.len() as u32;
        for m in form.suffixes(ctx) {
            let suffix = self.suffix(m);
            most += match suffix {
                Suffix::Other(m) => m.names.iter().map(|n| n.len()).max().unwrap_or(0),
                _ => Short::MOST,
            };
            self.suffixes.push(suffix);
        }
        let suffixes = [first, self.suffixes.len() as u32];
        let mut operands = [self.operands.len() as u32; 4];
        let mut add = |i: usize, ops: &mut dyn Iterator<Item = &'static Operand<I>>| {
            self.operands.extend(ops.map(|op| Planned { op, plan: op.kind.plan(op, ctx) }));
            operands[i] = self.operands.len() as u32;
        };
        add(1, &mut form.prefix());
        add(2, &mut form.operands.iter());
        add(3, &mut form.suffix());
        most += MOST * (operands[3] - operands[0]) as usize;
        let filler = I::Word::from_words([form.filler as u64, (form.filler >> 64) as u64, 0]);
        let (head, blank) = self.head(form, operands);
        let written = self.operands.get(operands[1] as usize..).unwrap_or_default();
        let plain = written.iter().try_fold([0; 2], |bits: [u64; 2], Planned { plan, .. }| {
            let [low, high] = plan.zero;
            let always = matches!(plan.left, Left::Never) && !matches!(plan.step, Step::Ask);
            always.then_some([bits[0] | low, bits[1] | high])
        });
        let label = if blank { padded(label, form.name, I::COLUMN) } else { label };
        let row = Row { label, suffixes, operands, most, head, blank, plain, known: form.known(), filler };
        // Rows of which a line may not fit are left to their kinds.
        if most <= Line::ROOM
            && let Some(slot) = self.rows.get_mut(insn.number())
        {
            *slot = Some(row);
        }
    }

    /// Which bits of the lowest 64 decide all before the first operand (0 where others do as well), and
    /// whether a blank belongs to that.
    fn head(&self, form: &'static Form<I>, operands: [u32; 4]) -> (u64, bool) {
        let run = |from: usize| {
            let run = operands[from] as usize..operands[from + 1] as usize;
            self.operands.get(run).unwrap_or_default()
        };
        let written = |o: &Planned<I>| matches!(o.plan.left, Left::Never);
        // What stands before the column is as wide as the mnemonic where there are no suffixes.
        let known = I::COLUMN == 0 || form.modifiers.is_empty() && I::COLUMN <= Short::MOST;
        let blank = known && !form.close && run(1).first().is_some_and(written);
        let mut bits = 0;
        let mut fields = Vec::new();
        for Planned { op, plan } in run(0) {
            if plan.zero != [0; 2] || matches!(plan.step, Step::Ask) {
                return (0, blank);
            }
            fields.push(&op.field);
        }
        fields.extend(form.modifiers.iter().map(|m| &m.field));
        for &(lo, width) in fields.iter().flat_map(|f| f.runs()) {
            if lo + width > 64 {
                return (0, blank);
            }
            bits |= ones(u32::from(width)) << lo;
        }
        // Such a column is counted from the mnemonic.
        (if I::COLUMN == 0 { bits } else { 0 }, blank)
    }

    /// Makes a suffix ready.
    fn suffix(&mut self, m: &'static Modifier) -> Suffix {
        let width = m.field.width() as u8;
        let run = if width == 0 { Some(Run::NONE) } else { Run::of(&m.field, 0, width) };
        let short: Option<Vec<Short>> = m.names.iter().map(|n| Short::of(n)).collect();
        match (run, short.as_deref(), width) {
            (Some(run), Some(texts), 0..=MOST_WIDTH) => {
                let first = self.texts.len() as u32;
                self.texts.extend_from_slice(texts);
                // Values without a name.
                let none = (1usize << width).saturating_sub(texts.len());
                self.texts.extend(core::iter::repeat_n(Short::new(""), none));
                Suffix::Choice(run, first)
            }
            _ => Suffix::Other(m),
        }
    }
}

/// How wide the field of a suffix is at most whose texts a printer keeps.
const MOST_WIDTH: u8 = 6;
