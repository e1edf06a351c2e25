//! Operand kinds that several instruction sets use.

use crate::{Begins, Details, Hints, Insn, Isa, Kind, Lift, Line, Operand, Scan};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Scalar, Value};

/// An unsigned decimal number after a prefix. Its value is the number itself: 16 bits wide if its field has at most 16
/// bits, else 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// What the number counts, for the reference.
    pub what: &'static str,
    /// The text before the number.
    pub prefix: &'static str,
    /// Whether 0 is omitted.
    pub optional: bool,
}

impl Number {
    /// A number without a prefix that is always written.
    pub const fn new(what: &'static str) -> Number {
        Number { what, prefix: "", optional: false }
    }
}

impl<I: Isa> Kind<I> for Number {
    fn describe(&self) -> &'static str {
        self.what
    }

    fn print(&self, op: &Operand<I>, insn: &Insn<I>, _: I::Ctx<'_>, out: &mut Line<'_>) {
        out.text(self.prefix);
        out.dec(op.field.get(&insn.word));
    }

    fn parse(
        &self,
        op: &Operand<I>,
        word: &mut I::Word,
        text: &mut Scan<'_>,
        _: I::Ctx<'_>,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        match text.eat_str(self.prefix).then(|| text.dec()).flatten() {
            Some(n) if n >> op.field.width() == 0 => {
                op.field.set(word, n);
                Ok(())
            }
            Some(_) => {
                let text_of = format!("the number is above {}", (1u64 << op.field.width()) - 1);
                Err(Diagnostic::error("asm-range", text_of).at_text(text.since(at), ""))
            }
            None => {
                let wanted = match self.prefix {
                    "" => "expected a number".into(),
                    prefix => format!("expected {prefix} and a number"),
                };
                Err(Diagnostic::error("asm-operand", wanted).at_text(at..at, ""))
            }
        }
    }

    fn faithful(&self, _: &Operand<I>, _: &Insn<I>, _: I::Ctx<'_>) -> bool {
        true
    }

    fn read(&self, op: &Operand<I>, lift: &mut Lift<'_, '_, I>) -> Value {
        let n = op.field.get(&lift.insn.word);
        let scalar = if op.field.width() > 16 { Scalar::I32 } else { Scalar::I16 };
        lift.constant(scalar.by(1), n)
    }
}

impl<I: Isa> Details<I> for Number {
    fn optional(&self) -> bool {
        self.optional
    }
}

impl<I: Isa> Hints<I> for Number {
    fn begins(&self, _: &Operand<I>, _: &I::Word) -> Begins {
        match self.prefix.as_bytes() {
            [first, ..] => Begins::with(&[*first]),
            [] => Begins::with(b"0123456789"),
        }
    }
}

/// One of a list of names. An empty name is invalid, or, at 0 of an optional operand, omitted.
#[derive(Clone, Copy, Debug)]
pub struct OneOf {
    /// What the names denote, for the reference.
    pub what: &'static str,
    /// The names by value.
    pub names: &'static [&'static str],
    /// Whether value 0 is omitted.
    pub optional: bool,
}

impl OneOf {
    /// A name that is always written.
    pub const fn new(what: &'static str, names: &'static [&'static str]) -> OneOf {
        OneOf { what, names, optional: false }
    }

    /// A name that is omitted for value 0.
    pub const fn optional(what: &'static str, names: &'static [&'static str]) -> OneOf {
        OneOf { what, names, optional: true }
    }
}

impl<I: Isa> Kind<I> for OneOf {
    fn describe(&self) -> &'static str {
        self.what
    }

    fn print(&self, op: &Operand<I>, insn: &Insn<I>, _: I::Ctx<'_>, out: &mut Line<'_>) {
        let n = op.field.get(&insn.word);
        match self.names.get(n as usize) {
            Some(name) if !name.is_empty() => out.text(name),
            _ => {
                out.byte(b'?');
                out.dec(n);
            }
        }
    }

    fn parse(
        &self,
        op: &Operand<I>,
        word: &mut I::Word,
        text: &mut Scan<'_>,
        _: I::Ctx<'_>,
    ) -> Result<(), Diagnostic> {
        let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let fits = |name: &str| {
            !name.is_empty() && text.rest().strip_prefix(name).is_some_and(|rest| !rest.starts_with(goes_on))
        };
        // Rows share lists of names; the names past a narrower field are not allowed.
        let room = self.names.len().min(1 << op.field.width().min(16));
        let names = &self.names[..room];
        let Some((n, name)) = (0..).zip(names).find(|(_, name)| fits(name)) else {
            let at = text.pos();
            let names = names.iter().filter(|n| !n.is_empty()).copied().collect::<Vec<_>>();
            let message = format!("expected one of {}", names.join(" "));
            let word = text.word().len();
            return Err(Diagnostic::error("asm-operand", message).at_text(at..at + word, ""));
        };
        op.field.set(word, n);
        text.eat_str(name);
        Ok(())
    }

    fn faithful(&self, op: &Operand<I>, insn: &Insn<I>, _: I::Ctx<'_>) -> bool {
        let n = op.field.get(&insn.word);
        self.names.get(n as usize).is_some_and(|name| !name.is_empty()) || n == 0 && self.optional
    }

    fn read(&self, _: &Operand<I>, lift: &mut Lift<'_, '_, I>) -> Value {
        lift.no_value()
    }
}

impl<I: Isa> Details<I> for OneOf {
    fn optional(&self) -> bool {
        self.optional
    }
}

impl<I: Isa> Hints<I> for OneOf {
    fn begins(&self, _: &Operand<I>, _: &I::Word) -> Begins {
        let firsts = self.names.iter().filter_map(|name| name.bytes().next());
        firsts.fold(Begins::with(b""), |all, first| all.or(first, true))
    }
}
