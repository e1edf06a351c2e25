//! The generic parser: mnemonic, modifiers, operands separated by commas.

use crate::{Form, Insn, Isa, Modifier, Names, Operand, Scan, Word, determines, nearest};
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Span};

/// Parses one instruction. The cursor ends after its last operand.
///
/// If several rows have the name, the first one that accepts the operands wins. If no row does, the error is that of
/// the row whose parse got furthest.
///
/// # Errors
/// An unknown mnemonic (`asm-unknown-opcode`), an unknown modifier (`asm-unknown-modifier`), a missing operand
/// (`asm-operand-count`), or the error of an operand's kind.
pub fn parse<I: Isa>(names: &Names<I>, text: &mut Scan<'_>, ctx: I::Ctx<'_>) -> Result<Insn<I>, Diagnostic> {
    let before = text.blanks().pos();
    let prefix = prefix::<I>(text, ctx)?;
    let start = text.pos();
    let name = text.word();
    let after_name = text.pos();
    let rows = names.find(name);
    let bare = |form: &Form<I>| start > before && form.prefix().next().is_none();
    // Most rows that do not match fail at one character. Error messages are built only if no row matches.
    for (i, form) in rows.clone().filter(|(_, form)| !bare(form)) {
        if let Ok(word) = parse_form(form, prefix, text, ctx, false) {
            return settled(Insn::of(word, i), ctx, text.since(start));
        }
        text.rewind(after_name);
    }
    // The findings of these attempts are found again below.
    text.findings();
    let mut failure: Option<(usize, Diagnostic)> = None;
    for (_, form) in rows {
        text.rewind(after_name);
        if bare(form) {
            let message = format!("{name} allows no guard or other operand before the mnemonic");
            failure.get_or_insert((0, Diagnostic::error("asm-operand", message).at_text(before..start, "")));
        } else if let Err(Some(d)) = parse_form(form, prefix, text, ctx, true)
            && failure.as_ref().is_none_or(|(at, _)| text.pos() > *at)
        {
            failure = Some((text.pos(), d));
        }
    }
    Err(failure.map(|(_, d)| d).unwrap_or_else(|| {
        let message = match name {
            "" => "expected an opcode".into(),
            _ => format!("unknown opcode \"{name}\""),
        };
        let d = Diagnostic::error("asm-unknown-opcode", message).at_text(start..after_name, "");
        match nearest(name, names.all()) {
            Some(near) => d.did_you_mean(near),
            None => d,
        }
    }))
}

/// Parses the operands before the mnemonic.
pub(crate) fn prefix<I: Isa>(text: &mut Scan<'_>, ctx: I::Ctx<'_>) -> Result<I::Word, Diagnostic> {
    let mut word = I::Word::default();
    for op in I::prefix() {
        operand(op, &mut word, text, ctx)?;
        text.blanks();
    }
    Ok(word)
}

/// The parsed instruction. It is an error if its row yields and its word belongs to a row of another name, or to one
/// whose text cannot express it.
pub(crate) fn settled<I: Isa>(insn: Insn<I>, ctx: I::Ctx<'_>, at: Span) -> Result<Insn<I>, Diagnostic> {
    let form = insn.form();
    let yields = form.otherwise || form.yields_to[0].is_some();
    let other = yields.then(|| Insn::<I>::decode(insn.word)).flatten();
    let same = |other: &Insn<I>| other.number() == insn.number();
    let Some(other) = other.filter(|other| !same(other)) else { return Ok(insn) };
    if other.form().name == form.name && determines(&other, ctx) {
        return Ok(insn);
    }
    let text =
        format!("with these operands {} would encode another instruction: {}", form.name, other.form().name);
    Err(Diagnostic::error("asm-alias-row", text).at_text(at, ""))
}

/// Parses what follows the mnemonic of a row. An error has a message only if `explain` is set or an operand's kind
/// provides one.
fn parse_form<I: Isa>(
    form: &'static Form<I>,
    prefix: I::Word,
    text: &mut Scan<'_>,
    ctx: I::Ctx<'_>,
    explain: bool,
) -> Result<I::Word, Option<Diagnostic>> {
    let mut word = form.template();
    parse_modifiers(form.suffixes(ctx), &mut word, text, explain)?;
    for op in form.prefix() {
        op.field.set(&mut word, op.field.get(&prefix));
    }
    operands(form, word, text, ctx, explain)
}

/// Parses the operands after the mnemonic of a row into a word, as [`parse_form`].
pub(crate) fn operands<I: Isa>(
    form: &'static Form<I>,
    mut word: I::Word,
    text: &mut Scan<'_>,
    ctx: I::Ctx<'_>,
    explain: bool,
) -> Result<I::Word, Option<Diagnostic>> {
    let mut given = 0;
    let mut left_out = Vec::new();
    for op in form.operands {
        let at = text.blanks().pos();
        if given > 0 && !text.eat(b',') {
            if op.kind.optional() {
                op.kind.absent(op, &mut word);
                continue;
            }
            return Err(explain.then(|| {
                let wants = form.operands.iter().filter(|o| !o.kind.optional()).count();
                let message = format!("{} takes {wants} operands, {given} given", form.name);
                Diagnostic::error("asm-operand-count", message).at_text(at..at, "expected `,`")
            }));
        }
        text.blanks();
        let fits = op.kind.begins(op, &word).allows(text.peek());
        if !fits && !explain && !op.kind.optional() {
            return Err(None);
        }
        if (fits || explain) && operand(op, &mut word, text, ctx)? {
            given += 1;
        } else {
            op.kind.absent(op, &mut word);
            text.rewind(at);
            left_out.extend((explain && fits).then_some(op));
        }
    }
    let at = text.blanks().pos();
    if text.eat(b',') {
        return Err(explain.then(|| {
            surplus_error(&left_out, &mut word, text, ctx).unwrap_or_else(|| {
                let message = format!("{} takes only {given} operands", form.name);
                Diagnostic::error("asm-operand-count", message).at_text(at..at + 1, "one too many")
            })
        }));
    }
    for op in form.suffix() {
        text.blanks();
        operand(op, &mut word, text, ctx)?;
    }
    Ok(word)
}

/// The error of a surplus operand, if it is meant as one of the optional operands that were considered omitted.
fn surplus_error<I: Isa>(
    left_out: &[&Operand<I>],
    word: &mut I::Word,
    text: &mut Scan<'_>,
    ctx: I::Ctx<'_>,
) -> Option<Diagnostic> {
    let at = text.blanks().pos();
    let mut found: Vec<Diagnostic> = Vec::new();
    for op in left_out {
        text.rewind(at);
        found.extend(op.kind.parse(op, word, text, ctx).err());
    }
    // `asm-operand` errors only state that something else is expected, so any other error is more specific.
    let best = found.iter().position(|d| d.code != "asm-operand").unwrap_or(0);
    (best < found.len()).then(|| found.swap_remove(best))
}

/// Parses one operand. Returns false, with the cursor unchanged, if the operand is optional and not present.
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

/// Parses the suffixes of a mnemonic. An error has a message only if `explain` is set.
pub(crate) fn parse_modifiers<W: Word>(
    modifiers: &[Modifier],
    word: &mut W,
    text: &mut Scan<'_>,
    explain: bool,
) -> Result<(), Option<Diagnostic>> {
    for m in modifiers {
        match m.find(text.bytes()) {
            Some((value, length)) => {
                text.skip(length);
                m.field.set(word, value as u64);
            }
            None => {
                return Err(explain.then(|| {
                    let at = text.pos();
                    Diagnostic::error("asm-unknown-modifier", "a modifier is missing")
                        .at_text(at..at, "")
                        .help(format!("one of {}", m.names.join(" ")))
                }));
            }
        }
    }
    if text.peek() == Some(b'.') {
        return Err(explain.then(|| {
            let at = text.pos();
            text.eat(b'.');
            let name = format!(".{}", text.word());
            unknown_modifier(modifiers, &name, text.since(at))
        }));
    }
    Ok(())
}

/// The error for a suffix that a row does not have.
fn unknown_modifier(modifiers: &[Modifier], name: &str, at: Span) -> Diagnostic {
    let d = Diagnostic::error("asm-unknown-modifier", format!("unknown modifier \"{name}\""));
    let d = d.at_text(at, "");
    let names = |m: &Modifier| m.names.iter().copied().chain([m.unwritten]).collect::<Vec<_>>();
    let mut known: Vec<&str> = modifiers.iter().flat_map(names).collect();
    known.retain(|name| !name.is_empty() && !name.contains("INVALID") && !name.contains('?'));
    match nearest(name, known.iter().copied()) {
        Some(near) if near == name => d.help(format!("{near} is in the wrong position, or is repeated")),
        Some(near) => d.did_you_mean(near),
        None if known.is_empty() => d.help("the instruction takes no modifiers"),
        None => d.help(format!("there are {}", known.join(" "))),
    }
}

impl Modifier {
    /// The value that a text names at its beginning, and the length of the name in bytes. The longest matching name
    /// wins: `.U32` is not `.U3`. If several values have the same name, the first one wins; without a name, the first
    /// value that has an empty name. That value is also meant by the name that is not printed.
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
        match found {
            Some((value, 0)) if !self.unwritten.is_empty() => {
                let rest = text.strip_prefix(self.unwritten.as_bytes());
                Some((value, rest.filter(|rest| !continues(rest)).map_or(0, |_| self.unwritten.len())))
            }
            _ => found,
        }
    }
}

fn continues(rest: &[u8]) -> bool {
    rest.first().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Field;

    /// The first value of several with one name is meant by it.
    #[test]
    fn the_first_of_equal_suffixes_wins() {
        let modifier = Modifier::new(Field::at(0, 2), &["", ".S", ".S", ""]);
        assert_eq!((modifier.find(b".S R1"), modifier.find(b" R1")), (Some((1, 2)), Some((0, 0))));
    }

    /// The longest suffix that fits wins, wherever in the list it is.
    #[test]
    fn suffixes_are_read_whole() {
        const NAMES: [&[&str]; 4] = [
            &["", ".S", ".S32", ".S32.F16", ".S32.F16.X"],
            &[".S32.F16.X", ".S32.F16", ".S32", ".S", ""],
            &[".S32", ".S", ".S32.F16.X", "", ".S32.F16"],
            &[".S32.F16", "", ".S", ".S32.F16.X", ".S32"],
        ];
        for names in NAMES {
            let modifier = Modifier::new(Field::at(0, 3), names);
            for rest in ["", " R1", ".Z", ", R2"] {
                for name in names.iter().filter(|name| !name.is_empty() || !rest.starts_with('.')) {
                    let text = format!("{name}{rest}");
                    let found = modifier.find(text.as_bytes()).map(|(value, length)| (names[value], length));
                    assert_eq!(found, Some((*name, name.len())), "{text} of {names:?}");
                }
            }
            // What goes on with other letters is another suffix.
            for text in [".S3", ".S32_", ".S32F16"] {
                let found = modifier.find(text.as_bytes()).map(|(value, _)| names[value]);
                assert_eq!(found, Some(""), "{text}");
            }
        }
    }
}
