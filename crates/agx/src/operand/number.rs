//! Numbers and names.

use super::listed::{Listed, Whole};
use super::{
    A, AgxLift, CACHING, COND, COUNT, LEVELS, NUMBER as NUMBER_SLOT, OPERATION, PREFIXES, ROTATES, ROUNDING,
    SATURATES, SCOPE, SHIFTED, SHUFFLE, TARGET, expected, lane, operand,
};
use crate::{Agx, Ctx, SPECIALS, Syntax, registers::SPECIAL_NAMES};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{LaneOp, Op, Reg, Swizzle, Type, Value};
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, Number, OneOf, Operand, Scan, nearest};

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
/// The number of a doorbell.
pub(crate) const DOORBELL: Operand<Agx> = operand(NUMBER_SLOT, Field::at(8, 8), &NUMBER);
/// The distance of a jump that skips a doorbell.
pub(crate) const SKIP: Operand<Agx> = operand(NUMBER_SLOT, Field::at(16, 8), &NUMBER);
/// The target of a mapping.
pub(crate) const MAP_TARGET: Operand<Agx> = operand(TARGET, Field::at(36, 1), &NUMBER);
/// The kind of a mapping.
pub(crate) const MAP_VALUE: Operand<Agx> =
    operand(NUMBER_SLOT, Field::at(20, 4).then(32, 4).then(56, 8), &NUMBER);
/// Whether a reduction covers only the lanes before.
pub(crate) const PREFIX: Operand<Agx> =
    operand(PREFIXES, Field::at(30, 1), &OneOf::optional("name", &["", "prefix"]));
/// The operation of a reduction.
pub(crate) const REDUCTION: Operand<Agx> =
    operand(OPERATION, Field::at(28, 1).then(38, 3).then(47, 1), &OneOf::new("name", REDUCTIONS));
/// The table of a bit operation.
pub(crate) const TRUTH_TABLE: Operand<Agx> =
    operand(OPERATION, Field::at(26, 2).then(38, 2), &OneOf::new("table", TRUTH_TABLES));
/// A shift of the second source of a sum.
pub(crate) const SHIFT: Operand<Agx> =
    operand(SHIFTED, Field::at(39, 1).then(52, 2), &OneOf::optional("name", SHIFTS));
/// Clamps the result.
pub(crate) const SATURATE: Operand<Agx> =
    operand(SATURATES, Field::at(6, 1), &OneOf::optional("name", &["", "sat"]));
/// Keeps the nesting counter in the register cache.
pub(crate) const CACHE: Operand<Agx> =
    operand(CACHING, Field::at(7, 1), &OneOf::optional("name", &["", "cache"]));
/// The comparison of a selection.
pub(crate) const CSEL_COND: [Operand<Agx>; 2] =
    [operand(COND, Field::at(61, 3), &INTEGERS), operand(COND, Field::at(61, 3), &FLOATS)];
/// The comparison of a condition, on integers.
pub(crate) const COND4_I: Operand<Agx> = operand(COND, Field::at(13, 3).then(8, 1), &INTEGERS);
/// The comparison of a condition, on floats.
pub(crate) const COND4_F: Operand<Agx> = operand(COND, Field::at(13, 3).then(8, 1), &FLOATS);
/// The comparison of a vote, on integers.
pub(crate) const VOTE_I: Operand<Agx> = operand(COND, Field::at(61, 3).then(47, 1), &INTEGERS);
/// The comparison of a vote, on floats.
pub(crate) const VOTE_F: Operand<Agx> = operand(COND, Field::at(61, 3).then(47, 1), &VoteOnFloats);
/// The rounding of a conversion.
pub(crate) const ROUND: Operand<Agx> =
    operand(ROUNDING, Field::at(26, 2), &OneOf::new("rounding", &["rtz", "rte"]));
/// The number of bits in a bit field; 0 is 32.
pub(crate) const BITS: Operand<Agx> =
    operand(COUNT, Field::at(38, 2).then(50, 2).then(63, 1), &Number::new("number of bits, 0 for 32"));
/// Whether a vote is among four lanes only.
pub(crate) const VOTE_QUAD: Operand<Agx> = operand(SCOPE, Field::at(48, 1), &Quad);
/// Whether lanes exchange among four only.
pub(crate) const SHUFFLE_QUAD: Operand<Agx> = operand(SCOPE, Field::at(26, 1), &Quad);
/// Whether lane numbers wrap around.
pub(crate) const ROTATE: Operand<Agx> =
    operand(ROTATES, Field::at(47, 1), &OneOf::optional("rotation", &["", "rotate"]));
/// How a lane's number and the second source are combined to the number of the lane to read.
pub(crate) const SHUFFLED: Operand<Agx> =
    operand(SHUFFLE, Field::at(38, 2), &OneOf::optional("operation", &["", "xor", "up", "down"]));
/// A distance of which only eight bits are known.
pub(crate) const SHORT_OFFSET: Operand<Agx> = operand(A, Field::at(16, 8), &NUMBER);
/// A register with an address.
pub(crate) const ADDRESS: Operand<Agx> = operand(A, Field::at(9, 7), &Listed(Whole { written: false }));

const NUMBER: Number = Number::new("number");
const INTEGERS: OneOf = OneOf::new("comparison", INTEGER);
const FLOATS: OneOf = OneOf::new("comparison", FLOAT);
const REDUCTIONS: &[&str] = &[
    "and", "fadd", "or", "fmul", "xor", "fmin", "", "fmax", "", "", "", "", "", "", "", "", "iadd", "", "",
    "", "smin", "", "smax", "", "", "", "", "", "umin", "", "umax",
];
/// The results of a bit operation where neither source has a bit, only the first, only the second, both.
const TRUTH_TABLES: &[&str] = &[
    "0000", "1000", "0100", "1100", "0010", "1010", "0110", "1110", "0001", "1001", "0101", "1101", "0011",
    "1011", "0111", "1111",
];
/// Shifts by number.
pub(crate) const SHIFTS: &[&str] = &["", "lsl 1", "lsl 2", "lsl 3", "lsl 4"];
const INTEGER: &[&str] =
    &["ieq", "ult", "ugt", "", "seq", "slt", "sgt", "", "ine", "ugte", "ulte", "", "nseq", "sgte", "slte"];
const FLOAT: &[&str] = &[
    "feq", "flt", "fgt", "fltn", "", "fgte", "flte", "fgtn", "fneq", "fnlt", "fngt", "fnltn", "", "fngte",
    "fnlte", "fngtn",
];

/// Four lanes, if the bit is clear, or all 32, which is not written.
#[derive(Debug)]
struct Quad;

impl Kind<Agx> for Quad {
    fn describe(&self) -> &'static str {
        "lanes that take part"
    }

    fn print(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        out.text("quad");
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        if text.word() != "quad" {
            return Err(expected("quad", text));
        }
        op.field.set(word, 0);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Agx> for Quad {
    fn optional(&self) -> bool {
        true
    }

    fn absent(&self, op: &Operand<Agx>, word: &mut u128) {
        op.field.set(word, 1);
    }

    fn shown(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        op.field.get(&insn.word) == 0
    }
}

impl Hints<Agx> for Quad {}

/// The comparison of a vote on floats. Mesa writes the names of integer comparisons.
#[derive(Debug)]
struct VoteOnFloats;

impl VoteOnFloats {
    fn names(ctx: Ctx) -> &'static OneOf {
        if ctx.syntax == Syntax::Mesa { &INTEGERS } else { &FLOATS }
    }
}

impl Kind<Agx> for VoteOnFloats {
    fn describe(&self) -> &'static str {
        "comparison"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        Self::names(ctx).print(op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        Kind::<Agx>::parse(Self::names(ctx), op, word, text, ctx)
    }

    /// Mesa's text is that of the same vote on integers.
    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        ctx.syntax != Syntax::Mesa && FLOATS.faithful(op, insn, ctx)
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Agx> for VoteOnFloats {}

impl Hints<Agx> for VoteOnFloats {}

/// A signed distance, written as a label if its target has a name.
#[derive(Debug)]
struct Offset;

/// Whether the text of an instruction may name a label.
pub(crate) fn names_target(insn: &Insn<Agx>) -> bool {
    insn.form().operand(A).is_some_and(|op| (op.kind as &dyn core::any::Any).is::<Offset>())
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

impl Details<Agx> for Offset {}

impl Hints<Agx> for Offset {
    /// The offset of the instruction determines the text, too.
    fn decided_by(&self, _: &Operand<Agx>, _: Ctx) -> Option<u128> {
        None
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
            let d = Diagnostic::error("asm-operand", "unknown special register");
            let d = d.at_text(at..at + name.len(), "");
            match nearest(name, SPECIAL_NAMES.iter().map(|s| s.1)) {
                Some(near) => d.did_you_mean(near),
                None => d.help("registers without a name are sr0 to sr255"),
            }
        })?;
        op.field.set(word, u64::from(n));
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let n = op.field.get(&l.insn.word) as u16;
        match n {
            56..=59 => active_lanes(l, n < 58, n & 1 != 0),
            _ => l.read(Reg::new(SPECIALS, n), Swizzle::IDENTITY, Type::I32),
        }
    }
}

impl Details<Agx> for Special {}

impl Hints<Agx> for Special {}

/// The number of active lanes, of all or of the lane's four; all of them or those before the lane.
fn active_lanes(l: &mut AgxLift<'_, '_>, quad: bool, total: bool) -> Value {
    let yes = l.constant(Type::BOOL, 1);
    let mut active = l.push(Op::Lane { op: LaneOp::Ballot, a: yes, b: yes }, Type::I32);
    let (lane, one) = (lane(l), l.i32(1));
    if quad {
        let first = l.i32(!3);
        let first = l.and(lane, first);
        let four = l.i32(15);
        let four = l.shl(four, first);
        active = l.and(active, four);
    }
    if !total {
        let bit = l.shl(one, lane);
        let before = l.isub(bit, one);
        active = l.and(active, before);
    }
    l.popcount(active)
}
