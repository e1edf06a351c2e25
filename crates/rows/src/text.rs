//! The generic printer and parser: mnemonic, modifiers, operands separated by commas.

use crate::{Form, Insn, Isa, Line, Modifier, Name, Operand, Scan, Word};
use alloc::{format, vec, vec::Vec};
use shisa_diag::Diagnostic;

/// Writes an instruction as text, without the end of the line.
pub fn print<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) {
    let form = insn.form();
    let shown = |op: &&Operand<I>| op.kind.shown(op, insn, ctx);
    for op in form.prefix().filter(shown) {
        op.kind.print(op, insn, ctx, out);
    }
    let start = out.written();
    out.name(&form.label);
    for m in form.suffixes(ctx) {
        out.text(m.names.get(m.field.get(&insn.word) as usize).copied().unwrap_or(""));
    }
    let mut first = true;
    for op in form.operands {
        if !shown(&op) {
            continue;
        }
        if first {
            if I::COLUMN > 0 {
                (out.written() - start..I::COLUMN).for_each(|_| out.byte(b' '));
            }
            if !form.close {
                out.byte(b' ');
            }
        } else {
            out.name(const { &Name::new(", ") });
        }
        first = false;
        op.kind.print(op, insn, ctx, out);
    }
    for op in form.suffix().filter(shown) {
        op.kind.print(op, insn, ctx, out);
    }
}

/// Whether parsing the text that [`print`] writes gives the same word.
pub fn faithful<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool {
    insn.unknown_bits().is_zero() && tells(insn, ctx)
}

/// Whether the text that [`print`] writes tells all bits to which the row gives a meaning.
pub fn tells<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool {
    let form = insn.form();
    let faithful = |op: &Operand<I>| op.kind.faithful(op, insn, ctx);
    suffixes_tell(insn)
        && form.operands.iter().all(faithful)
        && form.prefix().all(faithful)
        && form.suffix().all(faithful)
}

/// Whether the suffixes tell the values of their fields.
pub(crate) fn suffixes_tell<I: Isa>(insn: &Insn<I>) -> bool {
    let form = insn.form();
    form.modifiers.iter().all(|m| m.faithful(m.field.get(&insn.word) as usize, form.refined))
}

impl Modifier {
    /// Whether the value has a name, which stands for no value before it unless operands tell them apart.
    fn faithful(&self, value: usize, refined: bool) -> bool {
        self.names.get(value).is_some_and(|name| refined || !self.names[..value].contains(name))
    }
}

/// Rows by mnemonic, for parsing.
#[derive(Debug)]
pub struct Names<I: Isa> {
    /// Rows by name, then in table order.
    sorted: Vec<(&'static str, u16)>,
    /// Where the rows of a name begin and end in `sorted`, at the first place from [`hash`] on that was free.
    places: Vec<(u16, u16)>,
    isa: core::marker::PhantomData<I>,
}

impl<I: Isa> Default for Names<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Isa> Names<I> {
    /// Sorts the names of the table.
    pub fn new() -> Self {
        let forms = I::table().forms();
        let mut sorted: Vec<_> = forms.iter().enumerate().map(|(i, f)| (f.name, i as u16)).collect();
        sorted.sort_unstable();
        // At most half full, so that there is always a free place.
        let mut places = vec![(0, 0); (2 * sorted.len()).next_power_of_two()];
        let mut start = 0;
        for rows in sorted.chunk_by(|a, b| a.0 == b.0) {
            let name = rows.first().map_or("", |row| row.0);
            let free = probes(name, places.len()).find(|at| places.get(*at) == Some(&(0, 0)));
            if let Some(place) = free.and_then(|at| places.get_mut(at)) {
                *place = (start, start + rows.len() as u16);
            }
            start += rows.len() as u16;
        }
        Names { sorted, places, isa: core::marker::PhantomData }
    }

    /// The rows of this name, in table order.
    pub fn find(&self, name: &str) -> impl Iterator<Item = (u16, &'static Form<I>)> + Clone + '_ {
        let rows = probes(name, self.places.len()).find_map(|at| {
            let (start, end) = *self.places.get(at)?;
            let rows = self.sorted.get(usize::from(start)..usize::from(end))?;
            rows.first().is_none_or(|row| row.0 == name).then_some(rows)
        });
        rows.unwrap_or_default().iter().map(|&(_, i)| (i, &I::table().forms()[usize::from(i)]))
    }

    /// Every mnemonic once, in alphabetical order.
    pub fn all(&self) -> impl Iterator<Item = &'static str> + '_ {
        let mut last = "";
        self.sorted.iter().filter_map(move |&(n, _)| (core::mem::replace(&mut last, n) != n).then_some(n))
    }
}

/// The places of a table, so many that it is a power of two, in the order in which a name is looked for.
fn probes(name: &str, places: usize) -> impl Iterator<Item = usize> {
    let hash = name.bytes().fold(0usize, |hash, b| (hash ^ usize::from(b)).wrapping_mul(0x0100_0193));
    (0..places).map(move |i| (hash ^ hash >> 15).wrapping_add(i) & (places - 1))
}

/// Reads one instruction. The cursor ends behind its last operand.
///
/// Of several rows with the name the first that takes the operands wins; when none does, the error is
/// that of the row that got furthest.
///
/// # Errors
/// An unknown mnemonic (`asm-unknown-opcode`), an unknown modifier (`asm-unknown-modifier`), a missing
/// operand (`asm-operand-count`), or what an operand's kind says.
pub fn parse<I: Isa>(names: &Names<I>, text: &mut Scan<'_>, ctx: I::Ctx<'_>) -> Result<Insn<I>, Diagnostic> {
    let mut prefix = I::Word::default();
    let before = text.blanks().pos();
    for op in I::prefix() {
        operand(op, &mut prefix, text, ctx)?;
        text.blanks();
    }
    let start = text.pos();
    let name = text.word();
    let after_name = text.pos();
    let rows = names.find(name);
    let bare = |form: &Form<I>| start > before && form.prefix().next().is_none();
    // Most rows that do not fit are told by a character. What is wrong is asked only if none fits.
    for (i, form) in rows.clone().filter(|(_, form)| !bare(form)) {
        if let Ok(word) = parse_form(form, prefix, text, ctx, false) {
            return Ok(Insn::of(word, i));
        }
        text.rewind(after_name);
    }
    // What those rows found on the way is found again.
    text.findings();
    let mut failure: Option<(usize, Diagnostic)> = None;
    for (_, form) in rows {
        text.rewind(after_name);
        if bare(form) {
            let message = format!("{name} takes nothing before its name");
            failure.get_or_insert((0, Diagnostic::error("asm-operand", message).at_text(before..start, "")));
        } else if let Err(Some(d)) = parse_form(form, prefix, text, ctx, true)
            && failure.as_ref().is_none_or(|(at, _)| text.pos() > *at)
        {
            failure = Some((text.pos(), d));
        }
    }
    Err(failure.map(|(_, d)| d).unwrap_or_else(|| {
        let d = Diagnostic::error("asm-unknown-opcode", format!("unknown opcode \"{name}\""))
            .at_text(start..after_name, "");
        match nearest(name, names.all()) {
            Some(near) => d.help(format!("did you mean {near}?")),
            None => d,
        }
    }))
}

/// Reads what follows the mnemonic of a row. What is wrong is told where that is asked for or a kind says it.
fn parse_form<I: Isa>(
    form: &'static Form<I>,
    prefix: I::Word,
    text: &mut Scan<'_>,
    ctx: I::Ctx<'_>,
    ask: bool,
) -> Result<I::Word, Option<Diagnostic>> {
    let mut word = form.template();
    parse_modifiers(form.suffixes(ctx), &mut word, text, ask)?;
    let mut given = 0;
    for op in form.operands {
        let at = text.blanks().pos();
        if given > 0 && !text.eat(b',') {
            if op.kind.optional() {
                op.kind.absent(op, &mut word);
                continue;
            }
            return Err(ask.then(|| {
                let wants = form.operands.iter().filter(|o| !o.kind.optional()).count();
                let message = format!("{} takes {wants} operands, {given} given", form.name);
                Diagnostic::error("asm-operand-count", message).at_text(at..at, "expected `,`")
            }));
        }
        text.blanks();
        let fits = op.kind.begins(op, &word).allows(text.peek());
        if !fits && !ask && !op.kind.optional() {
            return Err(None);
        }
        if (fits || ask) && operand(op, &mut word, text, ctx)? {
            given += 1;
        } else {
            op.kind.absent(op, &mut word);
            text.rewind(at);
        }
    }
    let at = text.blanks().pos();
    if text.peek() == Some(b',') {
        return Err(ask.then(|| {
            let message = format!("{} takes only {given} operands", form.name);
            Diagnostic::error("asm-operand-count", message).at_text(at..at + 1, "one too many")
        }));
    }
    for op in form.prefix() {
        op.field.set(&mut word, op.field.get(&prefix));
    }
    for op in form.suffix() {
        text.blanks();
        operand(op, &mut word, text, ctx)?;
    }
    Ok(word)
}

/// Reads one operand; false, and the cursor as it was, when it is optional and not there.
fn operand<I: Isa>(
    op: &Operand<I>,
    word: &mut I::Word,
    text: &mut Scan<'_>,
    ctx: I::Ctx<'_>,
) -> Result<bool, Diagnostic> {
    let start = text.pos();
    match op.kind.parse(op, word, text, ctx) {
        Ok(()) => Ok(true),
        Err(_) if op.kind.optional() => {
            text.rewind(start);
            Ok(false)
        }
        Err(d) => Err(d),
    }
}

/// Reads the suffixes of a mnemonic; what is wrong is told where that is asked for.
fn parse_modifiers<W: Word>(
    modifiers: &[Modifier],
    word: &mut W,
    text: &mut Scan<'_>,
    ask: bool,
) -> Result<(), Option<Diagnostic>> {
    for m in modifiers {
        match m.find(text.bytes()) {
            Some((value, length)) => {
                text.skip(length);
                m.field.set(word, value as u64);
            }
            None => {
                return Err(ask.then(|| {
                    let at = text.pos();
                    Diagnostic::error("asm-unknown-modifier", "a modifier is missing")
                        .at_text(at..at, "")
                        .help(format!("one of {}", m.names.join(" ")))
                }));
            }
        }
    }
    if text.peek() == Some(b'.') {
        return Err(ask.then(|| {
            let at = text.pos();
            text.eat(b'.');
            let name = text.word();
            Diagnostic::error("asm-unknown-modifier", format!("unknown modifier \".{name}\""))
                .at_text(text.since(at), "")
        }));
    }
    Ok(())
}

impl Modifier {
    /// The value that a text names at its beginning, and how many bytes the name has. The longest name that fits
    /// wins: `.U32` is not `.U3`. Of several values with one name the first does, and without a name the first
    /// that has none.
    fn find(&self, text: &[u8]) -> Option<(usize, usize)> {
        let [b'.', second, ..] = text else {
            return self.names.iter().position(|name| name.is_empty()).map(|value| (value, 0));
        };
        let mut found = None;
        for (value, name) in self.names.iter().enumerate() {
            let name = name.as_bytes();
            let longer = found.is_none_or(|(_, length)| name.len() > length);
            let fits = name.is_empty()
                || name.get(1) == Some(second)
                    && text.strip_prefix(name).is_some_and(|rest| !continues(rest));
            if longer && fits {
                found = Some((value, name.len()));
            }
        }
        found
    }
}

fn continues(rest: &[u8]) -> bool {
    rest.first().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// The candidate that differs from `word` by the fewest letters inserted, removed, changed or swapped,
/// for a hint; `None` when none is close. The first of several equals wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words are no slips of the pen, and the table below stays small.
    const LONGEST: usize = 32;
    let word = word.to_ascii_lowercase();
    let close = |c: &&str| c.len() <= LONGEST && word.len() <= LONGEST;
    let allowed = (word.len() / 3).max(1);
    let scored = candidates.into_iter().filter(close).map(|c| (distance(word.as_bytes(), c.as_bytes()), c));
    scored.filter(|s| s.0 <= allowed).min_by_key(|s| s.0).map(|s| s.1)
}

/// Edit distance with swaps of neighbours.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for (i, x) in a.iter().enumerate() {
        let mut row = alloc::vec![i + 1; b.len() + 1];
        for (j, y) in b.iter().enumerate() {
            let swapped = i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y;
            let swap = if swapped { before[j - 1] + 1 } else { usize::MAX };
            row[j + 1] = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1).min(swap);
        }
        before = core::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}
