//! Operands of rows that load states of textures and samplers.

use super::reference::heap;
use crate::operand::list::{Given, List, number};
use crate::operand::listed::{COMPLETE, Listed, Lists};
use crate::operand::memory::GROUPS;
use crate::operand::{A, AgxLift, B, D, Size, WAIT, expected, operand};
use crate::{Agx, Ctx, Revision};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, OneOf, Operand, Scan, Word};

/// A texture state register.
pub(crate) const TEXTURE_STATE: Operand<Agx> = operand(D, Field::at(8, 7), &State("ts"));
/// A sampler state register.
pub(crate) const SAMPLER_STATE: Operand<Agx> = operand(D, Field::at(8, 7), &State("ss"));
/// The uniforms that hold the address of the heap of states.
pub(crate) const STATE_HEAP: Operand<Agx> = operand(A, Field::at(59, 5), &Listed(StateHeap));
/// The offset of the state in the heap.
pub(crate) const STATE_OFFSET: Operand<Agx> = operand(B, Field::at(26, 31).then(58, 1), &Listed(StateOffset));
/// The group that waits for the state.
pub(crate) const STATE_GROUP: Operand<Agx> = operand(WAIT, Field::at(16, 1), &OneOf::new("name", GROUPS));

/// A numbered register of some state.
#[derive(Debug)]
struct State(&'static str);

impl Kind<Agx> for State {
    fn describe(&self) -> &'static str {
        "state register"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        out.text(self.0);
        out.dec(op.field.get(&insn.word));
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        if !text.eat_str(self.0) {
            return Err(expected(&format!("a state register such as {}0", self.0), text));
        }
        let n = number(text, op.field.width())?;
        op.field.set(word, n);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Agx> for State {}

impl Hints<Agx> for State {}

/// The bit that the two revisions of a store of a state decode differently: the lowest of the heap's number in Mesa
/// 25.2, in Mesa 26 whether the offset is a number.
const STATE_BIT: u32 = 58;

/// Four uniforms with the address of a heap. Mesa 25.2 takes one more bit of their number from the next operand.
#[derive(Debug)]
struct StateHeap;

impl Lists for StateHeap {
    fn describe(&self) -> &'static str {
        "address of a heap"
    }

    fn beside(&self) -> u128 {
        1 << STATE_BIT
    }

    fn list(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> Option<List> {
        let fine = if ctx.revision == Revision::Mesa25_2 { word.get(STATE_BIT, 1) } else { 0 };
        Some(List::address((op.field.get(&word) * 4 + fine * 2) as u16))
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<u64, Diagnostic> {
        if ctx.revision == Revision::Mesa26 {
            return heap(text, op.field.width());
        }
        let at = text.pos();
        let unit = List::parse_like(List::address(0), text)?;
        if unit >= 128 {
            return Err(Diagnostic::error("asm-operand", "the address of a heap must be a du up to du63")
                .at_text(text.since(at), ""));
        }
        word.set(STATE_BIT, 1, u64::from(unit / 2));
        Ok(u64::from(unit / 4))
    }

    fn faithful(&self, _: &Operand<Agx>, _: u128, _: Ctx) -> bool {
        true
    }
}

/// An offset into a heap: a 32-bit register or, in Mesa 26, a number if the uppermost bit is set.
#[derive(Debug)]
struct StateOffset;

impl Lists for StateOffset {
    fn describe(&self) -> &'static str {
        "offset into a heap"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        match ctx.revision {
            Revision::Mesa25_2 => Some(List::of(bits as u16 & 0xfe, Size::Word, 1)),
            Revision::Mesa26 if bits >> 31 == 0 => Some(List::of(bits as u16 & 0x1ff, Size::Word, 1)),
            Revision::Mesa26 => None,
        }
    }

    /// Only existing registers: the text also shows register numbers that do not exist.
    fn touched(&self, op: &Operand<Agx>, word: u128) -> Option<List> {
        self.list(op, word, COMPLETE).filter(|list| list.lies_within(256))
    }

    fn print_other(&self, bits: u64, out: &mut Line<'_>) {
        out.dec(bits & 0x7fff_ffff);
    }

    fn parse(
        &self,
        _: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<u64, Diagnostic> {
        let register = List::of(0, Size::Word, 1);
        if ctx.revision == Revision::Mesa25_2 {
            // The heap operand before has set the bit.
            return Ok(u64::from(List::parse_within(register, text)?) | word.get(STATE_BIT, 1) << 31);
        }
        Ok(match Given::parse(31, register, text)? {
            Given::Number(n) => n | 1 << 31,
            Given::Registers(unit) => unit.into(),
        })
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> bool {
        let bits = op.field.get(&word);
        let register = bits & 0x7fff_ff01 == 0;
        match ctx.revision {
            Revision::Mesa25_2 => register,
            Revision::Mesa26 => bits >> 31 != 0 || register,
        }
    }
}
