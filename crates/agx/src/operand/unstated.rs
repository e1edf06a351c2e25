//! Operands of instructions of which only the encoding is known.

use super::list::List;
use super::listed::{Listed, Lists};
use super::memory::Base;
use super::minifloat;
use super::source::{FLOAT, Name, parse_hint};
use super::{A, AgxLift, B, C, D, OPERATION, SHAPE, Size, UNKNOWN_BITS, operand};
use crate::{Agx, Ctx, Syntax};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, Number, OneOf, Operand, Registers, Scan};

/// Bits of unknown meaning, as one number.
pub(crate) const fn unknown(field: Field) -> Operand<Agx> {
    operand(UNKNOWN_BITS[0], field, &UNKNOWN)
}

/// Further bits of unknown meaning.
pub(crate) const fn more_unknown(field: Field) -> Operand<Agx> {
    operand(UNKNOWN_BITS[1], field, &UNKNOWN)
}

const UNKNOWN: Number = Number { what: "bits of unknown meaning", prefix: "unk", optional: false };

const OPERATION_NUMBER: Number = Number::new("number of the operation");

/// A number that is part of the opcode.
pub(crate) const fn number(field: Field) -> Operand<Agx> {
    operand(OPERATION, field, &OPERATION_NUMBER)
}

/// The first, second and third number of a barrier.
pub(crate) const BARRIER: [Operand<Agx>; 3] = [
    operand(A, Field::at(10, 2), &OPERATION_NUMBER),
    operand(B, Field::at(8, 2), &OPERATION_NUMBER),
    operand(C, Field::at(12, 4), &OPERATION_NUMBER),
];

/// The destination of a product of matrices: two registers.
pub(crate) const PAIR: Operand<Agx> = operand(D, Field::at(7, 8).then(60, 2), &Listed(PairedDest));
/// The sources of a product of matrices: two registers each.
pub(crate) const PAIR_A: Operand<Agx> = operand(A, Field::at(16, 10).then(52, 2).then(58, 2), &Paired);
/// See [`PAIR_A`].
pub(crate) const PAIR_B: Operand<Agx> = operand(B, Field::at(28, 12).then(56, 2), &Paired);
/// See [`PAIR_A`].
pub(crate) const PAIR_C: Operand<Agx> = operand(C, Field::at(40, 12).then(54, 2), &Paired);

/// Whether a copy has one dimension or two.
pub(crate) const COPIED: Operand<Agx> =
    operand(SHAPE, COPIED_FIELD, &OneOf::new("shape", &["copy_1d", "copy_2d"]));
/// The first address of a copy.
pub(crate) const COPY_TO: Operand<Agx> = operand(D, Field::at(9, 6).then(8, 1), &Listed(Base));
/// The second address of a copy, and its sizes.
pub(crate) const COPY_SIZES: Operand<Agx> =
    operand(A, Field::at(16, 4).then(36, 4).then(25, 1), &Listed(CopySizes));

const COPIED_FIELD: Field = Field::at(47, 1);

/// Two registers in a row that are written; the lowest bit is a cache hint, the next one the size.
#[derive(Debug)]
struct PairedDest;

impl Lists for PairedDest {
    fn describe(&self) -> &'static str {
        "two destination registers"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        let size = if bits & 2 != 0 { Size::Word } else { Size::Half };
        Some(List::of((bits >> 2) as u16, size, 2))
    }

    fn written(&self) -> bool {
        true
    }

    fn print_before(&self, bits: u64, out: &mut Line<'_>) {
        if bits & 1 != 0 {
            out.byte(b'$');
        }
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        let (at, cache) = (text.pos(), text.eat(b'$'));
        let list = two(text, at)?;
        Ok(u64::from(cache) | u64::from(list.size == Size::Word) << 1 | u64::from(list.unit) << 2)
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// Reads two registers of 16 or 32 bits in a row.
fn two(text: &mut Scan<'_>, at: usize) -> Result<List, Diagnostic> {
    let list = List::parse(text)?;
    let fits = list.letter == b'r' && list.size != Size::Double && (list.count, list.tail) == (2, 0);
    match fits {
        true => list.within(text, at),
        false => {
            let d = Diagnostic::error("asm-operand", "expected two registers of 16 or 32 bits in a row");
            Err(d.at_text(text.since(at), ""))
        }
    }
}

/// A float source that is two registers in a row. Other names are those of a float source.
#[derive(Debug)]
struct Paired;

impl Paired {
    /// The registers and their hint, if it names registers.
    fn list(bits: u64) -> Option<(List, u8)> {
        match FLOAT.decode(bits).0 {
            Some(Name::Register(unit, size, hint)) => Some((List::of(unit, size, 2), hint)),
            _ => None,
        }
    }
}

impl Kind<Agx> for Paired {
    fn describe(&self) -> &'static str {
        "two registers with floats"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        let (name, changes) = FLOAT.decode(bits);
        let applegpu = ctx.syntax == Syntax::Applegpu;
        match (Self::list(bits), name) {
            (Some((list, hint)), _) => {
                if !applegpu && hint > 1 {
                    out.byte(if hint == 2 { b'$' } else { b'^' });
                }
                list.print(out);
                if applegpu {
                    out.text(["", "", ".cache", ".discard"][usize::from(hint & 3)]);
                }
            }
            (None, Some(Name::Number(n))) => {
                if n & 0x80 != 0 {
                    out.byte(b'-');
                }
                out.name(&minifloat::TEXTS[usize::from(n & 0x7f)]);
            }
            (None, Some(name)) => name.print(ctx.syntax, out),
            (None, None) => out.byte(b'?'),
        }
        out.text(["", ".abs", ".neg", ".abs.neg"][changes as usize & 3]);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let hint = parse_hint(text);
        if text.peek() != Some(b'r') {
            text.rewind(at);
            return FLOAT.parse(op, word, text, ctx);
        }
        let list = two(text, at)?;
        let changes = u64::from(text.eat_str(".abs")) | u64::from(text.eat_str(".neg")) << 1;
        let bits = FLOAT.encode(Name::Register(list.unit, list.size, hint), changes).ok_or_else(|| {
            Diagnostic::error("asm-operand", "this source does not fit here").at_text(text.since(at), "")
        })?;
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        match Self::list(op.field.get(&insn.word)) {
            Some((list, _)) => list.lies_within(256),
            None => FLOAT.faithful(op, insn, ctx),
        }
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Agx> for Paired {
    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        let bits = op.field.get(&insn.word);
        match Self::list(bits) {
            Some((list, _)) => Some(list.named(false)),
            None => FLOAT.decode(bits).0?.registers(),
        }
    }
}

impl Hints<Agx> for Paired {}

/// The second address of a copy and the numbers after it: three registers or uniforms for one dimension, five for two.
/// The last bit selects.
#[derive(Debug)]
struct CopySizes;

impl CopySizes {
    fn count(word: u128) -> u16 {
        if COPIED_FIELD.get(&word) != 0 { 5 } else { 3 }
    }
}

impl Lists for CopySizes {
    fn describe(&self) -> &'static str {
        "address and sizes of a copy"
    }

    fn beside(&self) -> u128 {
        COPIED_FIELD.mask()
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        let letter = if bits >> 8 != 0 { b'u' } else { b'r' };
        Some(List { letter, ..List::of((bits as u16 & 0xff) * 2, Size::Word, Self::count(word)) })
    }

    /// The shape of the copy comes before.
    fn parse(
        &self,
        _: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<u64, Diagnostic> {
        let at = text.pos();
        let list = List::parse(text)?;
        let same = list.size == Size::Word && (list.count, list.tail) == (Self::count(*word), 0);
        if !same || !list.lies_within(limit(list.letter)) {
            let text_of = alloc::format!("expected {} registers of 32 bits in a row", Self::count(*word));
            return Err(Diagnostic::error("asm-operand", text_of).at_text(text.since(at), ""));
        }
        Ok(u64::from(list.unit / 2) | u64::from(list.letter == b'u') << 8)
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> bool {
        self.list(op, word, ctx).is_some_and(|list| list.lies_within(limit(list.letter)))
    }
}

/// The halves of a file by its letter.
const fn limit(letter: u8) -> u16 {
    if letter == b'u' { 512 } else { 256 }
}
