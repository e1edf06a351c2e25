//! Operand text for output only.

use crate::operand::{A, AgxLift, expected};
use crate::{Agx, Ctx};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, Operand, Scan, Word};

/// Writes an operand of a word.
pub(super) type Print = fn(&Field, u128, &mut Line<'_>);

/// Text of applegpu.
pub(super) enum Written {
    /// Constant text.
    Text(&'static str),
    /// Computed from the word.
    Made(Print),
    /// Computed from the word; empty if the condition is false.
    If(fn(u128) -> bool, Print),
}

impl Kind<Agx> for Written {
    fn describe(&self) -> &'static str {
        "text of applegpu"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        match self {
            Written::Text(text) => out.text(text),
            Written::Made(print) | Written::If(_, print) => print(&op.field, insn.word, out),
        }
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<(), Diagnostic> {
        Err(expected("text of Mesa", text))
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        false
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Agx> for Written {
    fn shown(&self, _: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        match self {
            Written::If(holds, _) => holds(insn.word),
            _ => true,
        }
    }
}

impl Hints<Agx> for Written {
    fn decided_by(&self, _: &Operand<Agx>, _: Ctx) -> Option<u128> {
        None
    }
}

/// An operand whose text is computed from a field.
pub(super) const fn made(field: Field, kind: &'static Written) -> Operand<Agx> {
    Operand { slot: A, field, kind }
}

/// An operand whose text is computed from the whole word.
pub(super) const fn whole(kind: &'static Written) -> Operand<Agx> {
    made(Field::at(0, 1), kind)
}

/// Bits without a name, as a number.
pub(super) const fn number(lo: u8, width: u8) -> Operand<Agx> {
    made(Field::at(lo, width), &Written::Made(|field, word, out| out.dec(field.get(&word))))
}

/// Bits without a name, one by one.
pub(super) const fn binary(lo: u8, width: u8) -> Operand<Agx> {
    made(
        Field::at(lo, width),
        &Written::Made(|field, word, out| {
            let bits = field.get(&word);
            out.text("0b");
            (0..field.width()).rev().for_each(|i| out.byte(b'0' + (bits >> i & 1) as u8));
        }),
    )
}

/// The name of a field's value, or the value itself if it has none.
pub(super) fn named(names: &[&str], value: u64, out: &mut Line<'_>) {
    match names.get(value as usize).filter(|n| !n.is_empty()) {
        Some(name) => out.text(name),
        None => out.dec(value),
    }
}

/// A signed number of 16 bits.
pub(super) fn signed(bits: u64, out: &mut Line<'_>) {
    let v = bits as u16 as i16;
    if v < 0 {
        out.byte(b'-');
    }
    out.dec(u64::from(v.unsigned_abs()));
}

/// The bits of a field that has several runs.
pub(super) fn get(word: u128, runs: &[(u32, u32)]) -> u64 {
    let (mut value, mut at) = (0, 0);
    for (lo, width) in runs {
        value |= word.get(*lo, *width) << at;
        at += width;
    }
    value
}

/// Registers of 16 bits, or of 32, that follow each other.
pub(super) fn registers(letter: u8, first: u64, words: bool, count: u64, out: &mut Line<'_>) {
    for i in 0..count {
        if i > 0 {
            out.byte(b'_');
        }
        out.byte(letter);
        let unit = first + i;
        if words {
            out.dec(first / 2 + i);
        } else {
            out.dec(unit / 2);
            out.byte(if unit & 1 == 0 { b'l' } else { b'h' });
        }
    }
}
