//! Numbers and names.

use super::{A, AgxLift, CACHING, COND, LEVELS, SATURATES, SHIFTED, expected, not_read, operand};
use crate::{Agx, Ctx, SPECIALS, registers::SPECIAL_NAMES};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Scalar, Swizzle, Type, Value};
use shisa_rows::{Field, Insn, Kind, Line, Operand, Scan};

/// A number of 16 bits.
pub(crate) const IMM16: Operand<Agx> = operand(A, Field::at(16, 16), &Number);
/// A number of 32 bits.
pub(crate) const IMM32: Operand<Agx> = operand(A, Field::at(16, 32), &Number);
/// Levels of nesting.
pub(crate) const NEST: Operand<Agx> = operand(LEVELS, Field::at(11, 2), &Number);
/// A distance in bytes from the start of the instruction.
pub(crate) const OFFSET: Operand<Agx> = operand(A, Field::at(16, 32), &Offset);
/// A special register.
pub(crate) const SPECIAL: Operand<Agx> = operand(A, Field::at(16, 6).then(26, 2), &Special);
/// A shift of the second source of a sum.
pub(crate) const SHIFT: Operand<Agx> =
    operand(SHIFTED, Field::at(39, 1).then(52, 2), &Name { names: SHIFTS, optional: true });
/// Clamps the result.
pub(crate) const SATURATE: Operand<Agx> =
    operand(SATURATES, Field::at(6, 1), &Name { names: &["", "sat"], optional: true });
/// Keeps the nesting counter in the register cache.
pub(crate) const CACHE: Operand<Agx> =
    operand(CACHING, Field::at(7, 1), &Name { names: &["", "cache"], optional: true });
/// What a selection compares.
pub(crate) const CSEL_COND: [Operand<Agx>; 2] = [
    operand(COND, Field::at(61, 3), &Name { names: INTEGER, optional: false }),
    operand(COND, Field::at(61, 3), &Name { names: FLOAT, optional: false }),
];
/// What a condition compares, integers.
pub(crate) const COND4_I: Operand<Agx> =
    operand(COND, Field::at(13, 3).then(8, 1), &Name { names: INTEGER, optional: false });
/// What a condition compares, floats.
pub(crate) const COND4_F: Operand<Agx> =
    operand(COND, Field::at(13, 3).then(8, 1), &Name { names: FLOAT, optional: false });

/// Shifts by number.
pub(crate) const SHIFTS: &[&str] = &["", "lsl 1", "lsl 2", "lsl 3", "lsl 4"];
const INTEGER: &[&str] =
    &["ieq", "ult", "ugt", "", "seq", "slt", "sgt", "", "ine", "ugte", "ulte", "", "nseq", "sgte", "slte"];
const FLOAT: &[&str] = &[
    "feq", "flt", "fgt", "fltn", "", "fgte", "flte", "fgtn", "fneq", "fnlt", "fngt", "fnltn", "", "fngte",
    "fnlte", "fngtn",
];

/// A number in decimal.
#[derive(Debug)]
struct Number;

impl Kind<Agx> for Number {
    fn describe(&self) -> &'static str {
        "number"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        out.dec(op.field.get(&insn.word));
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        match text.dec() {
            Some(n) if n >> op.field.width() == 0 => {
                op.field.set(word, n);
                Ok(())
            }
            Some(_) => {
                Err(Diagnostic::error("asm-range", "the number is too large").at_text(text.since(at), ""))
            }
            None => Err(expected("a number", text)),
        }
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let n = op.field.get(&l.insn.word);
        let scalar = if op.field.width() > 16 { Scalar::I32 } else { Scalar::I16 };
        l.constant(scalar.by(1), n)
    }
}

/// A signed distance.
#[derive(Debug)]
struct Offset;

impl Kind<Agx> for Offset {
    fn describe(&self) -> &'static str {
        "distance in bytes"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let distance = op.field.get(&insn.word) as u32 as i32;
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
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let negative = text.eat(b'-');
        let magnitude = text.dec().ok_or_else(|| expected("a distance", text))?;
        let distance = i64::try_from(magnitude).map(|m| if negative { -m } else { m });
        let distance = distance.ok().and_then(|d| i32::try_from(d).ok()).ok_or_else(|| {
            Diagnostic::error("asm-range", "the distance needs more than 32 bits").at_text(text.since(at), "")
        })?;
        op.field.set(word, u64::from(distance as u32));
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        not_read(l)
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

/// One of some names; an empty one does not exist or, at 0 of an optional operand, is not written.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) names: &'static [&'static str],
    pub(super) optional: bool,
}

impl Kind<Agx> for Name {
    fn describe(&self) -> &'static str {
        "name"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
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
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let ends =
            |n: &str| !text.rest()[n.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let fits = |n: &&str| !n.is_empty() && text.rest().starts_with(*n) && ends(n);
        let found = self.names.iter().enumerate().find(|(_, n)| fits(n));
        let Some((i, name)) = found else {
            return Err(expected(&format!("one of {}", self.names.join(" ")), text));
        };
        op.field.set(word, i as u64);
        text.eat_str(name);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        let n = op.field.get(&insn.word) as usize;
        self.names.get(n).is_some_and(|name| !name.is_empty()) || n == 0 && self.optional
    }

    fn optional(&self) -> bool {
        self.optional
    }

    fn shown(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        !self.optional || op.field.get(&insn.word) != 0
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        not_read(l)
    }
}
