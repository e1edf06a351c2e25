//! Operands that are left out where they say what is usual.

use super::{Dest, MaxwellLift, Number, PT, Predicate, RZ};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Insn, Kind, Line, Operand, Registers, Scan};

/// A number without a sign, left out where it is the usual one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnlessUsual(pub(crate) u64);

impl Kind<Maxwell> for UnlessUsual {
    fn describe(&self) -> &'static str {
        "number"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        Number::PLAIN.print(op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        Number::PLAIN.parse(op, word, text, ctx)
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn optional(&self) -> bool {
        true
    }

    fn absent(&self, op: &Operand<Maxwell>, word: &mut u128) {
        op.field.set(word, self.0);
    }

    fn shown(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        op.field.get(&insn.word) != self.0
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        Number::PLAIN.read(op, l)
    }
}

/// A predicate to be written, left out where it is `PT`, which takes nothing.
#[derive(Debug)]
pub(crate) struct UnlessTrue;

const WRITTEN: Predicate = Predicate { written: true };

impl Kind<Maxwell> for UnlessTrue {
    fn describe(&self) -> &'static str {
        "predicate"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        WRITTEN.print(op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        WRITTEN.parse(op, word, text, ctx)
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn optional(&self) -> bool {
        true
    }

    fn absent(&self, op: &Operand<Maxwell>, word: &mut u128) {
        op.field.set(word, PT);
    }

    fn shown(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        op.field.get(&insn.word) != PT
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        WRITTEN.registers(op, insn)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        WRITTEN.read(op, l)
    }

    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        WRITTEN.write(op, l, value);
    }
}

/// A register to be written, left out where it is `RZ`, which takes nothing.
#[derive(Debug)]
pub(crate) struct UnlessZero;

impl Kind<Maxwell> for UnlessZero {
    fn describe(&self) -> &'static str {
        Dest::ONE.describe()
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        Dest::ONE.print(op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        Dest::ONE.parse(op, word, text, ctx)
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn optional(&self) -> bool {
        true
    }

    fn absent(&self, op: &Operand<Maxwell>, word: &mut u128) {
        op.field.set(word, RZ);
    }

    fn shown(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        op.field.get(&insn.word) != RZ
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        Dest::ONE.registers(op, insn)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        Dest::ONE.read(op, l)
    }

    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        Dest::ONE.write(op, l, value);
    }
}
