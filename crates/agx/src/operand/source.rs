//! Typed sources: register, uniform or number in one field.
//!
//! All have the same shape: six low bits of a number, two of a hint (in a uniform its highest bit and its size), one
//! or two of a type, bits for modifiers, and in the long form two more of the number. Type 0 without a hint is an
//! immediate number.

use super::{AgxLift, Size, is_aligned, minifloat, parse_register, print_named, read_units};
use crate::{Agx, Ctx, REGISTERS, Syntax, UNIFORMS};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, FloatRule, Reg, Scalar, Value};
use shisa_rows::{Details, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan, Slot};

pub(super) const PLAIN: Source = Source { changes: Changes::None, widest: Size::Word };
pub(super) const FACTOR: Source = Source { changes: Changes::Extend, widest: Size::Word };
pub(super) const TERM: Source = Source { changes: Changes::Extend, widest: Size::Double };
pub(super) const FLOAT: Source = Source { changes: Changes::Float, widest: Size::Word };
pub(super) const HALF: Source = Source { changes: Changes::Float, widest: Size::Half };

/// The modifiers of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changes {
    None,
    /// A bit for sign extension.
    Extend,
    /// Bits for magnitude and sign.
    Float,
}

/// A source with its modifiers. If halves are the widest, the type has one bit, else two.
#[derive(Debug)]
pub(super) struct Source {
    changes: Changes,
    widest: Size,
}

/// The name in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// Eight bits.
    Number(u8),
    Uniform(u16, Size),
    /// Hint: 1 none, 2 cache, 3 last use.
    Register(u16, Size, u8),
}

impl Name {
    pub(super) fn print(self, syntax: Syntax, out: &mut Line<'_>) {
        match self {
            Name::Number(n) => out.dec(u64::from(n)),
            Name::Uniform(unit, size) => print_named(b'u', unit, size, 1, syntax, out),
            Name::Register(unit, size, hint) => print_named(b'r', unit, size, hint, syntax, out),
        }
    }

    pub(super) fn registers(self) -> Option<Registers> {
        let (first, size) = match self {
            Name::Number(_) => return None,
            Name::Uniform(unit, size) => (Reg::new(UNIFORMS, unit), size),
            Name::Register(unit, size, _) => (Reg::new(REGISTERS, unit), size),
        };
        Some(Registers { first, units: size.units() as u8, read: true, written: false })
    }
}

impl Source {
    /// The lowest bit of the modifiers.
    pub(super) const fn changes_at(&self) -> u8 {
        match self.widest {
            Size::Half => 9,
            _ => 10,
        }
    }

    /// The number of bits before the further ones of the number.
    pub(super) const fn width(&self) -> u8 {
        self.changes_at()
            + match self.changes {
                Changes::None => 0,
                Changes::Extend => 1,
                Changes::Float => 2,
            }
    }

    /// The name in the field, and its modifier bits; `None` for an undefined type.
    pub(super) fn decode(&self, bits: u64) -> (Option<Name>, u64) {
        let (low, hint) = (bits & 63, bits >> 6 & 3);
        let kind = bits >> 8 & ((1 << (self.changes_at() - 8)) - 1);
        let changes = bits >> self.changes_at() & ((1 << (self.width() - self.changes_at())) - 1);
        let number = (low | (bits >> self.width() & 3) << 6) as u16;
        let name = match (kind, hint) {
            // Half numbers have no modifiers.
            (0, 0) if self.widest != Size::Half || changes == 0 => Some(Name::Number(number as u8)),
            (1, _) => match (hint & 2 != 0, self.widest) {
                (false, _) => Some(Name::Uniform(number | (hint as u16 & 1) << 8, Size::Half)),
                (true, Size::Half) => None,
                (true, _) => Some(Name::Uniform(number | (hint as u16 & 1) << 8, Size::Word)),
            },
            (_, 0) => None,
            (0, _) => Some(Name::Register(number, Size::Half, hint as u8)),
            (2, _) => Some(Name::Register(number, Size::Word, hint as u8)),
            _ if self.widest == Size::Double => Some(Name::Register(number, Size::Double, hint as u8)),
            _ => None,
        };
        (name, changes)
    }

    pub(super) fn encode(&self, name: Name, changes: u64) -> Option<u64> {
        let (number, hint, kind) = match name {
            Name::Number(n) => (u16::from(n), 0, 0),
            Name::Uniform(n, Size::Half) => (n & 255, u64::from(n >> 8), 1),
            Name::Uniform(n, Size::Word) => (n & 255, 2 | u64::from(n >> 8), 1),
            Name::Register(n, Size::Half, hint) => (n, u64::from(hint), 0),
            Name::Register(n, Size::Word, hint) => (n, u64::from(hint), 2),
            Name::Register(n, Size::Double, hint) => (n, u64::from(hint), 3),
            _ => return None,
        };
        let n = u64::from(number);
        let bits =
            n & 63 | hint << 6 | kind << 8 | changes << self.changes_at() | (n >> 6 & 3) << self.width();
        (number < 256 && self.decode(bits) == (Some(name), changes)).then_some(bits)
    }

    pub(super) fn print_bits(&self, bits: u64, syntax: Syntax, out: &mut Line<'_>) {
        let (name, changes) = self.decode(bits);
        match name {
            Some(Name::Number(n)) if self.changes == Changes::Float => {
                if n & 0x80 != 0 {
                    out.byte(b'-');
                }
                out.name(&minifloat::TEXTS[usize::from(n & 0x7f)]);
            }
            Some(name) => name.print(syntax, out),
            None => out.byte(b'?'),
        }
        // applegpu has no sign extension for numbers.
        let plain = syntax == Syntax::Applegpu && matches!(name, Some(Name::Number(_)));
        if changes != 0 && !(plain && self.changes == Changes::Extend) {
            out.text(match self.changes {
                Changes::Float => ["", ".abs", ".neg", ".abs.neg"][changes as usize & 3],
                _ => ".sx",
            });
        }
    }
}

/// Consumes a sign, digits, and a fraction if digits follow the point.
fn take_number<'a>(text: &mut Scan<'a>) -> &'a str {
    let rest = text.rest();
    let bytes = rest.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut end = usize::from(bytes.first() == Some(&b'-'));
    while digit(end) || bytes.get(end) == Some(&b'.') && digit(end + 1) {
        end += 1;
    }
    text.rewind(text.pos() + end);
    rest.get(..end).unwrap_or("")
}

/// Reads the hint before a register.
pub(super) fn parse_hint(text: &mut Scan<'_>) -> u8 {
    match (text.eat(b'$'), text.eat(b'^')) {
        (true, _) => 2,
        (_, true) => 3,
        _ => 1,
    }
}

impl Kind<Agx> for Source {
    fn describe(&self) -> &'static str {
        match (self.changes, self.widest) {
            (Changes::None, _) => "source",
            (Changes::Extend, Size::Double) => "source of any size",
            (Changes::Extend, _) => "source with or without sign",
            (Changes::Float, Size::Half) => "half source",
            (Changes::Float, _) => "float source",
        }
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        self.print_bits(op.field.get(&insn.word), ctx.syntax, out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let name = if text.peek().is_some_and(|b| b.is_ascii_digit() || b == b'-') {
            let digits = take_number(text);
            let number = if self.changes == Changes::Float {
                digits.parse::<f32>().ok().and_then(minifloat::encode)
            } else {
                digits.parse::<u8>().ok()
            };
            Name::Number(number.ok_or_else(|| {
                Diagnostic::error("asm-range", "this number has no form of eight bits")
                    .at_text(text.since(at), "")
            })?)
        } else {
            let hint = parse_hint(text);
            match parse_register(text)? {
                (b'u', unit, size) if hint == 1 => Name::Uniform(unit, size),
                (b'r', unit, size) => Name::Register(unit, size, hint),
                _ => {
                    return Err(
                        Diagnostic::error("asm-operand", "uniforms have no hint").at_text(text.since(at), "")
                    );
                }
            }
        };
        let changes = match self.changes {
            Changes::None => 0,
            Changes::Extend => u64::from(text.eat_str(".sx")),
            Changes::Float => u64::from(text.eat_str(".abs")) | u64::from(text.eat_str(".neg")) << 1,
        };
        let bits = self.encode(name, changes).ok_or_else(|| {
            Diagnostic::error("asm-operand", "this source does not fit here").at_text(text.since(at), "")
        })?;
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        match self.decode(op.field.get(&insn.word)).0 {
            Some(Name::Uniform(unit, size) | Name::Register(unit, size, _)) => is_aligned(unit, size),
            Some(Name::Number(_)) => true,
            None => false,
        }
    }

    /// Integers in their own size (numbers have 16 bits). Floats as 32 bits, or as halves if no wider ones are
    /// allowed.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let (name, changes) = self.decode(op.field.get(&l.insn.word));
        match (self.changes, self.widest) {
            (Changes::Float, Size::Half) => {
                let v = match name {
                    Some(Name::Number(n)) => {
                        let v = minifloat::value(n).to_bits();
                        let bits = shisa_ir::scalar::convert(
                            Convert::Float,
                            FloatRule::IEEE,
                            Scalar::F32,
                            Scalar::F16,
                            u64::from(v),
                        );
                        l.constant(Scalar::F16.by(1), bits)
                    }
                    _ => {
                        let bits = integer(l, name, Size::Half);
                        l.convert(Convert::Bits, bits, Scalar::F16)
                    }
                };
                changed(l, v, changes)
            }
            (Changes::Float, _) => {
                let v = match name {
                    Some(Name::Number(n)) => l.f32(minifloat::value(n), 1),
                    _ => {
                        let bits = integer(l, name, Size::Word);
                        as_float(l, bits)
                    }
                };
                changed(l, v, changes)
            }
            _ => integer(l, name, Size::Word),
        }
    }
}

impl Details<Agx> for Source {
    fn parts(&self) -> &'static [Part] {
        const LOW: Part = Part::new(0, 6, "number, low bits");
        const HINT: Part = Part::new(6, 2, "hint; of a uniform the highest bit of its number and its size");
        const TYPE: Part = Part::new(8, 2, "type");
        const fn high(lo: u8) -> Part {
            Part::new(lo, 2, "number, high bits")
        }
        match (self.changes, self.widest) {
            (Changes::None, _) => const { &[LOW, HINT, TYPE, high(10)] },
            (Changes::Extend, _) => {
                const { &[LOW, HINT, TYPE, Part::new(10, 1, "extends its sign"), high(11)] }
            }
            (Changes::Float, Size::Half) => {
                const {
                    &[
                        LOW,
                        HINT,
                        Part::new(8, 1, "type"),
                        Part::new(9, 1, "magnitude"),
                        Part::new(10, 1, "other sign"),
                        high(11),
                    ]
                }
            }
            (Changes::Float, _) => {
                const {
                    &[
                        LOW,
                        HINT,
                        TYPE,
                        Part::new(10, 1, "magnitude"),
                        Part::new(11, 1, "other sign"),
                        high(12),
                    ]
                }
            }
        }
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        self.decode(op.field.get(&insn.word)).0?.registers()
    }
}

impl Hints<Agx> for Source {}

/// The integer that a source names; an undefined one has size `otherwise`.
pub(super) fn integer(l: &mut AgxLift<'_, '_>, name: Option<Name>, otherwise: Size) -> Value {
    match name {
        Some(Name::Number(n)) => l.constant(Scalar::I16.by(1), u64::from(n)),
        Some(Name::Uniform(unit, size)) => read_units(l, true, unit, size, 1),
        Some(Name::Register(unit, size, _)) => read_units(l, false, unit, size, 1),
        None => {
            l.refuse(Diagnostic::error("lift-operand", "a source has a type that does not exist"));
            l.constant(otherwise.scalar().by(1), 0)
        }
    }
}

/// 16 or 32 bits as a 32-bit float. Halves keep their denormals.
pub(crate) fn as_float(l: &mut AgxLift<'_, '_>, bits: Value) -> Value {
    if l.ty(bits).scalar != Scalar::I16 {
        return l.convert(Convert::Bits, bits, Scalar::F32);
    }
    let half = l.convert(Convert::Bits, bits, Scalar::F16);
    let rule = core::mem::replace(&mut l.rule, FloatRule::IEEE);
    let wide = l.convert(Convert::Float, half, Scalar::F32);
    l.rule = rule;
    wide
}

/// Magnitude and sign of a float.
fn changed(l: &mut AgxLift<'_, '_>, v: Value, changes: u64) -> Value {
    let v = if changes & 1 != 0 { l.fabs(v) } else { v };
    if changes & 2 != 0 { l.fneg(v) } else { v }
}

/// Whether a source of a sum or product extends its sign.
pub(crate) fn extends(l: &AgxLift<'_, '_>, slot: Slot) -> bool {
    l.insn.field(slot) >> 10 & 1 != 0
}

/// Whether a source of a sum names four halves.
pub(crate) fn is_double(l: &AgxLift<'_, '_>, slot: Slot) -> bool {
    l.insn.field(slot) >> 8 & 3 == 3
}
