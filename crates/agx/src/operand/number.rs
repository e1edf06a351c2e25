//! Numbers and names.

use super::{A, AgxLift, CACHING, COND, LEVELS, SATURATES, SHIFTED, expected, operand};
use crate::{Agx, Ctx, SPECIALS, Syntax, registers::SPECIAL_NAMES};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Swizzle, Type, Value};
use shisa_rows::{Field, Insn, Kind, Line, Number, OneOf, Operand, Scan};

/// A number of 16 bits.
pub(crate) const IMM16: Operand<Agx> = operand(A, Field::at(16, 16), &NUMBER);
/// A number of 32 bits.
pub(crate) const IMM32: Operand<Agx> = operand(A, Field::at(16, 32), &NUMBER);
/// Levels of nesting.
pub(crate) const NEST: Operand<Agx> = operand(LEVELS, Field::at(11, 2), &NUMBER);
/// A distance in bytes from the start of the instruction.
pub(crate) const OFFSET: Operand<Agx> = operand(A, Field::at(16, 32), &Offset);
/// A special register.
pub(crate) const SPECIAL: Operand<Agx> = operand(A, Field::at(16, 6).then(26, 2), &Special);
/// A shift of the second source of a sum.
pub(crate) const SHIFT: Operand<Agx> =
    operand(SHIFTED, Field::at(39, 1).then(52, 2), &OneOf::optional("name", SHIFTS));
/// Clamps the result.
pub(crate) const SATURATE: Operand<Agx> =
    operand(SATURATES, Field::at(6, 1), &OneOf::optional("name", &["", "sat"]));
/// Keeps the nesting counter in the register cache.
pub(crate) const CACHE: Operand<Agx> =
    operand(CACHING, Field::at(7, 1), &OneOf::optional("name", &["", "cache"]));
/// What a selection compares.
pub(crate) const CSEL_COND: [Operand<Agx>; 2] = [
    operand(COND, Field::at(61, 3), &OneOf::new("name", INTEGER)),
    operand(COND, Field::at(61, 3), &OneOf::new("name", FLOAT)),
];
/// What a condition compares, integers.
pub(crate) const COND4_I: Operand<Agx> =
    operand(COND, Field::at(13, 3).then(8, 1), &OneOf::new("name", INTEGER));
/// What a condition compares, floats.
pub(crate) const COND4_F: Operand<Agx> =
    operand(COND, Field::at(13, 3).then(8, 1), &OneOf::new("name", FLOAT));

const NUMBER: Number = Number::new("number");
/// Shifts by number.
pub(crate) const SHIFTS: &[&str] = &["", "lsl 1", "lsl 2", "lsl 3", "lsl 4"];
const INTEGER: &[&str] =
    &["ieq", "ult", "ugt", "", "seq", "slt", "sgt", "", "ine", "ugte", "ulte", "", "nseq", "sgte", "slte"];
const FLOAT: &[&str] = &[
    "feq", "flt", "fgt", "fltn", "", "fgte", "flte", "fgtn", "fneq", "fnlt", "fngt", "fnltn", "", "fngte",
    "fnlte", "fngtn",
];

/// A signed distance, written as a label where its target has a name.
#[derive(Debug)]
struct Offset;

fn offset_of(insn: &Insn<Agx>) -> Option<&Operand<Agx>> {
    insn.form().operand(A).filter(|op| (op.kind as &dyn core::any::Any).is::<Offset>())
}

/// Whether an instruction has a distance.
pub(crate) fn names_target(insn: &Insn<Agx>) -> bool {
    offset_of(insn).is_some()
}

/// The offset that an instruction at `pc` names as a target, if it names one.
pub(crate) fn target_of(insn: &Insn<Agx>, pc: u32) -> Option<u32> {
    let op = offset_of(insn)?;
    pc.checked_add_signed(op.field.get(&insn.word) as u32 as i32)
}

impl Kind<Agx> for Offset {
    fn describe(&self) -> &'static str {
        "distance in bytes"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        let distance = op.field.get(&insn.word) as u32 as i32;
        let name = ctx.symbols.and_then(|s| s.name(ctx.pc.checked_add_signed(distance)?));
        if let Some(name) = name {
            return out.text(name);
        }
        if ctx.syntax == Syntax::Applegpu {
            out.text(if distance < 0 { "pc" } else { "pc+" });
        }
        if distance < 0 {
            out.byte(b'-');
        }
        out.dec(u64::from(distance.unsigned_abs()));
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let name = text.label();
        let distance = match ctx.symbols {
            Some(symbols) if !name.is_empty() => {
                let target = symbols.address(name).ok_or_else(|| {
                    Diagnostic::error("asm-label", format!("there is no label {name}"))
                        .at_text(text.since(at), "")
                })?;
                Some(i64::from(target) - i64::from(ctx.pc))
            }
            _ => {
                text.rewind(at);
                let negative = text.eat(b'-');
                let magnitude = text.dec().ok_or_else(|| expected("a label or a distance in bytes", text))?;
                i64::try_from(magnitude).ok().map(|m| if negative { -m } else { m })
            }
        };
        let distance = distance.and_then(|d| i32::try_from(d).ok()).ok_or_else(|| {
            Diagnostic::error("asm-range", "the distance needs more than 32 bits").at_text(text.since(at), "")
        })?;
        op.field.set(word, u64::from(distance as u32));
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// A special register.
#[derive(Debug)]
struct Special;

impl Kind<Agx> for Special {
    fn describe(&self) -> &'static str {
        "special register"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let n = op.field.get(&insn.word);
        match SPECIAL_NAMES.iter().find(|s| u64::from(s.0) == n) {
            Some(s) => out.text(s.1),
            None => {
                out.text("sr");
                out.dec(n);
            }
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let name = text.word();
        let known = SPECIAL_NAMES.iter().find(|s| s.1 == name).map(|s| s.0);
        let n = known.or_else(|| name.strip_prefix("sr")?.parse().ok()).ok_or_else(|| {
            Diagnostic::error("asm-operand", "unknown special register").at_text(at..at + name.len(), "")
        })?;
        op.field.set(word, u64::from(n));
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let n = op.field.get(&l.insn.word) as u16;
        l.read(Reg::new(SPECIALS, n), Swizzle::IDENTITY, Type::I32)
    }
}
