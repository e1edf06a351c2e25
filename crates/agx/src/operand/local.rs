//! Operands of the memory that a workgroup shares.

use super::atomic::{ATOMICS, Answer, Taken};
use super::list::{List, number, too_large, value_follows};
use super::listed::{Listed, Lists, half_or_number};
use super::memory::{FORMATS, MASKS, Masked};
use super::{
    A, AgxLift, B, COMPONENTS, D, OPERATION, SHAPE, Size, TAKEN, expected, operand, parse_register,
    print_register, read_units,
};
use crate::{Agx, Ctx};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Value};
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, OneOf, Operand, Registers, Scan};

/// The registers loaded.
pub(crate) const LOCAL_LOADED: Operand<Agx> =
    operand(D, LOCAL, &Listed(Masked { written: true, ..LOCAL_STORED_KIND }));
/// The registers stored.
pub(crate) const LOCAL_STORED: Operand<Agx> = operand(D, LOCAL, &Listed(LOCAL_STORED_KIND));
/// The base address in bytes.
pub(crate) const LOCAL_BASE: Operand<Agx> =
    operand(A, Field::at(16, 6).then(58, 2).then(22, 2), &Listed(Base));
/// The number of the element.
pub(crate) const LOCAL_INDEX: Operand<Agx> = operand(B, Field::at(28, 6).then(48, 10).then(34, 1), &Index);
/// The memory format, of the workgroup or of a tile.
pub(crate) const LOCAL_FORMAT: Operand<Agx> = operand(SHAPE, Field::at(24, 4), &OneOf::new("name", FORMATS));
/// Which elements are loaded or stored.
pub(crate) const LOCAL_MASK: Operand<Agx> = operand(COMPONENTS, Field::at(36, 4), &OneOf::new("name", MASKS));
/// The atomic operation.
pub(crate) const LOCAL_ATOMIC_OP: Operand<Agx> =
    operand(OPERATION, Field::at(24, 4), &OneOf::new("name", ATOMICS));
/// The destination of the old value.
pub(crate) const LOCAL_ATOMIC_DEST: Operand<Agx> =
    operand(D, Field::at(9, 6).then(60, 2).then(38, 1).then(8, 1), &Listed(Answer { tag: 2 }));
/// The operand of an atomic operation.
pub(crate) const LOCAL_ATOMIC_SOURCE: Operand<Agx> =
    operand(TAKEN, Field::at(64, 8), &Listed(Taken { op: LOCAL_ATOMIC_OP.field }));

const LOCAL: Field = Field::at(9, 6).then(60, 2).then(8, 1);
const LOCAL_STORED_KIND: Masked = Masked { size: 8, mask: LOCAL_MASK.field, another: None, written: false };

/// An optional 16-bit base address: a register, or depending on the bits above the number nothing or a uniform.
#[derive(Debug)]
struct Base;

impl Lists for Base {
    fn describe(&self) -> &'static str {
        "base address of 16 bits"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        let list = List::of(bits as u16 & 0xff, Size::Half, 1);
        match bits >> 8 {
            0 => Some(list),
            2 => None,
            high => Some(List { letter: b'u', unit: list.unit | (high as u16 & 2) << 7, ..list }),
        }
    }

    /// An index must follow it: otherwise this is the index.
    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        let bits = match parse_register(text)? {
            (b'u', unit, Size::Half) => u64::from(unit & 0xff) | (1 | u64::from(unit >> 8) << 1) << 8,
            (_, unit @ 0..256, Size::Half) => u64::from(unit),
            _ => return Err(expected("a base address of 16 bits", text)),
        };
        if !value_follows(text) {
            return Err(expected("the number of an element", text));
        }
        Ok(bits)
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> bool {
        let bits = op.field.get(&word);
        bits >> 8 != 2 || bits & 0xff == 0
    }

    fn optional(&self) -> bool {
        true
    }

    fn absent(&self) -> u64 {
        2 << 8
    }

    /// As 32 bits; zero if there is none.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let word = l.insn.word;
        if !self.faithful(op, word, Ctx::default()) {
            l.refuse(Diagnostic::error("lift-operand", "a base address of unknown kind"));
        }
        half_or_number(l, self.touched(op, word), 0)
    }
}

/// The number of an element: 16 bits, then whether they are a signed number or a 16-bit register.
#[derive(Debug)]
struct Index;

impl Kind<Agx> for Index {
    fn describe(&self) -> &'static str {
        "number of the element"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        if bits >> 16 == 0 {
            return print_register(b'r', bits as u16, Size::Half, out);
        }
        let v = bits as u16 as i16;
        if v < 0 {
            out.byte(b'-');
        }
        out.dec(u64::from(v.unsigned_abs()));
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let negative = text.eat(b'-');
        let bits = if negative || text.peek().is_some_and(|b| b.is_ascii_digit()) {
            let n = number(text, 16)?;
            if n > if negative { 0x8000 } else { 0x7fff } {
                return Err(too_large(text, at, 15));
            }
            (if negative { 0x1_0000 - n } else { n }) & 0xffff | 1 << 16
        } else {
            u64::from(List::parse_like(List::of(0, Size::Half, 1), text)?)
        };
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        let bits = op.field.get(&insn.word);
        bits >> 16 != 0 || bits >> 8 == 0
    }

    /// As 32 bits.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        if bits >> 16 != 0 {
            let n = i32::from(bits as u16 as i16) as u32;
            return l.constant(Scalar::I32.by(1), u64::from(n));
        }
        if bits >> 8 != 0 {
            l.refuse(Diagnostic::error("lift-operand", "an index of unknown kind"));
        }
        let n = read_units(l, false, bits as u16 & 0xff, Size::Half, 1);
        l.convert(Convert::ZeroExtend, n, Scalar::I32)
    }
}

impl Details<Agx> for Index {
    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        let bits = op.field.get(&insn.word);
        (bits >> 16 == 0).then(|| List::of(bits as u16 & 0xff, Size::Half, 1).named(false))
    }
}

impl Hints<Agx> for Index {}
