//! The generic printer and parser: mnemonic, modifiers, operands separated by commas.

use crate::{Form, Insn, Isa, Line, Modifier, Name, Operand, Scan, Word};
use alloc::{format, vec::Vec};
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
    sorted: Vec<(&'static str, u16)>,
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
        Names { sorted, isa: core::marker::PhantomData }
    }

    /// The rows of this name, in table order.
    pub fn find(&self, name: &str) -> impl Iterator<Item = (u16, &'static Form<I>)> + '_ {
        let start = self.sorted.partition_point(|e| e.0 < name);
        let len = self.sorted[start..].partition_point(|e| e.0 == name);
        self.sorted[start..start + len].iter().map(|&(_, i)| (i, &I::table().forms()[usize::from(i)]))
    }

    /// Every mnemonic once, in alphabetical order.
    pub fn all(&self) -> impl Iterator<Item = &'static str> + '_ {
        let mut last = "";
        self.sorted.iter().filter_map(move |&(n, _)| (core::mem::replace(&mut last, n) != n).then_some(n))
    }
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
    let mut failure: Option<(usize, Diagnostic)> = None;
    for (i, form) in names.find(name) {
        text.rewind(after_name);
        if start > before && form.prefix().next().is_none() {
            let message = format!("{name} takes nothing before its name");
            failure.get_or_insert((0, Diagnostic::error("asm-operand", message).at_text(before..start, "")));
            continue;
        }
        match parse_form(form, prefix, text, ctx) {
            Ok(word) => return Ok(Insn::of(word, i)),
            Err(d) => {
                if failure.as_ref().is_none_or(|(at, _)| text.pos() > *at) {
                    failure = Some((text.pos(), d));
                }
            }
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

fn parse_form<I: Isa>(
    form: &'static Form<I>,
    prefix: I::Word,
    text: &mut Scan<'_>,
    ctx: I::Ctx<'_>,
) -> Result<I::Word, Diagnostic> {
    let mut word = form.template();
    for op in form.prefix() {
        op.field.set(&mut word, op.field.get(&prefix));
    }
    parse_modifiers(form.suffixes(ctx), &mut word, text)?;
    let mut given = 0;
    for op in form.operands {
        let at = text.blanks().pos();
        if given > 0 && !text.eat(b',') {
            if op.kind.optional() {
                op.kind.absent(op, &mut word);
                continue;
            }
            let wants = form.operands.iter().filter(|o| !o.kind.optional()).count();
            let message = format!("{} takes {wants} operands, {given} given", form.name);
            return Err(Diagnostic::error("asm-operand-count", message).at_text(at..at, "expected `,`"));
        }
        text.blanks();
        if operand(op, &mut word, text, ctx)? {
            given += 1;
        } else {
            op.kind.absent(op, &mut word);
            text.rewind(at);
        }
    }
    let at = text.blanks().pos();
    if text.peek() == Some(b',') {
        let message = format!("{} takes only {given} operands", form.name);
        return Err(Diagnostic::error("asm-operand-count", message).at_text(at..at + 1, "one too many"));
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

fn parse_modifiers<W: Word>(
    modifiers: &[Modifier],
    word: &mut W,
    text: &mut Scan<'_>,
) -> Result<(), Diagnostic> {
    for m in modifiers {
        // The longest name that fits wins: `.U32` is not `.U3`. Of several values with one name the first does.
        let fits =
            |n: &&str| !n.is_empty() && text.rest().starts_with(n) && !continues(&text.rest()[n.len()..]);
        let found = m.names.iter().enumerate().filter(|(_, n)| fits(n)).rev().max_by_key(|(_, n)| n.len());
        let empty = m.names.iter().position(|n| n.is_empty());
        match (found, empty) {
            (Some((v, n)), _) => {
                text.eat_str(n);
                m.field.set(word, v as u64);
            }
            (None, Some(v)) => m.field.set(word, v as u64),
            (None, None) => {
                let at = text.pos();
                return Err(Diagnostic::error("asm-unknown-modifier", "a modifier is missing")
                    .at_text(at..at, "")
                    .help(format!("one of {}", m.names.join(" "))));
            }
        }
    }
    if text.peek() == Some(b'.') {
        let at = text.pos();
        text.eat(b'.');
        let name = text.word();
        return Err(Diagnostic::error("asm-unknown-modifier", format!("unknown modifier \".{name}\""))
            .at_text(text.since(at), ""));
    }
    Ok(())
}

fn continues(rest: &str) -> bool {
    rest.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_')
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
