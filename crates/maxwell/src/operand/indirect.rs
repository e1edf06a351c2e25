//! Targets in registers.

use super::place::parse_name;
use super::{
    MaxwellLift, Span, fit, parse_register, parse_signed, print_register, print_signed, registers, sign,
};
use crate::{ControlText, Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Details, Hints, Insn, Kind, Line, Operand, Registers, Scan};

/// A target: register, then an offset with a sign, which a blank separates.
#[derive(Debug)]
pub(crate) struct Indirect {
    /// Whether it counts from the address after the instruction. Then the address from which the register counts may have a
    /// name, which our own text writes in place of the offset.
    pub(crate) relative: bool,
}

impl Indirect {
    /// The offset that a word has.
    fn offset(op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> i64 {
        sign(op.field.get(&insn.word) >> 8, op.field.width() - 8)
    }
}

/// The address from which the register counts by which an instruction at `pc` branches, if it does.
pub(crate) fn base_of(insn: &Insn<Maxwell>, pc: u32) -> Option<i64> {
    let op = insn.form().operands.last()?;
    let kind = (op.kind as &dyn core::any::Any).downcast_ref::<Indirect>()?;
    kind.relative.then(|| i64::from(pc) + 8 + Indirect::offset(op, insn))
}

/// The bits of an instruction that change when code between it and its target does; none of one without such a target.
pub(crate) fn distance_bits(insn: &Insn<Maxwell>) -> u128 {
    let Some(op) = insn.form().operands.last() else { return 0 };
    let kind = op.kind as &dyn core::any::Any;
    let indirect = kind.downcast_ref::<Indirect>().is_some_and(|kind| kind.relative);
    if !indirect && !kind.is::<super::Target>() {
        return 0;
    }
    let mut bits = 0;
    op.field.fill(&mut bits, if indirect { !0xff } else { !0 });
    bits
}

impl Kind<Maxwell> for Indirect {
    fn describe(&self) -> &'static str {
        "target in a register"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        print_register(op.field.get(&insn.word) & 255, out);
        let names = ctx.symbols.filter(|_| self.relative && ctx.control == ControlText::Apart);
        let base = base_of(insn, ctx.pc).and_then(|base| u32::try_from(base).ok());
        if let Some(name) = names.zip(base).and_then(|(names, base)| names.name(base)) {
            out.byte(b' ');
            out.text(name);
            return;
        }
        let offset = Indirect::offset(op, insn);
        if offset != 0 {
            out.byte(b' ');
            print_signed(offset, out);
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let n = parse_register(text)?;
        let at = text.blanks().pos();
        let offset = match text.peek() {
            Some(b'0' | b'-') => parse_signed(text)?,
            _ if self.relative => {
                parse_name(text, ctx)?.map_or(0, |base| i64::from(base) - i64::from(ctx.pc) - 8)
            }
            _ => 0,
        };
        op.field.set(word, n | fit(offset, op.field.width() - 8, text, at)? << 8);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    /// The address.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let register = registers(l, op.field.get(&l.insn.word) & 255, 1);
        let offset = Indirect::offset(op, &l.insn) as i32;
        let base = if self.relative { l.pc.wrapping_add(8) as i32 } else { 0 };
        let base = l.i32(base.wrapping_add(offset));
        l.iadd(register, base)
    }
}

impl Details<Maxwell> for Indirect {
    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        Span::One.read(op.field.get(&insn.word) & 255, &insn.word)
    }
}

impl Hints<Maxwell> for Indirect {
    /// The address of the instruction decides the name.
    fn decided_by(&self, op: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        (!self.relative).then(|| op.field.mask())
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"R")
    }
}
