//! Special registers, targets and memory addresses.

use super::{
    MaxwellLift, RZ, Span, expected, fit, parse_register, parse_signed, print_register, print_signed,
    registers, sign,
};
use crate::registers::special;
use crate::{Ctx, Maxwell, SPECIALS};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Scalar, Swizzle, Type, Value};
use shisa_rows::{Field, Insn, Kind, Line, Operand, Registers, Scan};

/// A special register.
#[derive(Debug)]
pub(crate) struct Special;

impl Kind<Maxwell> for Special {
    fn describe(&self) -> &'static str {
        "special register"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        let n = op.field.get(&insn.word);
        match special::name(n as u8, ctx.chip) {
            Some(name) => out.text(name),
            None => {
                out.text("SR");
                out.dec(n);
            }
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let name = text.take(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.');
        let known = special::number(name, ctx.chip).map(u64::from);
        let number = || name.strip_prefix("SR")?.parse::<u8>().ok().map(u64::from);
        let n = known.or_else(number).ok_or_else(|| {
            Diagnostic::error("asm-operand", "unknown special register").at_text(at..at + name.len(), "")
        })?;
        op.field.set(word, n);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let n = op.field.get(&l.insn.word) as u16;
        l.read(Reg::new(SPECIALS, n), Swizzle::IDENTITY, Type::I32)
    }
}

/// A target.
#[derive(Debug)]
pub(crate) struct Target;

/// The address that a target's bits mean for an instruction at `pc`.
pub(crate) fn target(bits: u64, pc: u32) -> i64 {
    i64::from(pc) + 8 + sign(bits, 24)
}

/// The address that an instruction at `pc` names as a target, if it names one.
pub(crate) fn target_of(insn: &Insn<Maxwell>, pc: u32) -> Option<u32> {
    let op = insn.form().operand(super::AT).filter(|op| (op.kind as &dyn core::any::Any).is::<Target>())?;
    u32::try_from(target(op.field.get(&insn.word), pc)).ok()
}

impl Kind<Maxwell> for Target {
    fn describe(&self) -> &'static str {
        "target"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        let address = target(op.field.get(&insn.word), ctx.pc);
        let name = ctx.symbols.and_then(|s| s.name(u32::try_from(address).ok()?));
        match name {
            Some(name) => out.text(name),
            None => print_signed(address, out),
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        // nvdisasm quotes labels.
        let quoted = text.eat_str("`(");
        let address = match ctx.symbols.map(|s| (label(text), s)) {
            Some((name, symbols)) if !name.is_empty() => {
                i64::from(symbols.address(name).ok_or_else(|| {
                    let d = Diagnostic::error("asm-label", format!("there is no label {name}"));
                    d.at_text(text.since(at), "")
                })?)
            }
            _ => parse_signed(text)?,
        };
        if quoted && !text.eat(b')') {
            return Err(expected("`)`", text));
        }
        op.field.set(word, fit(address - i64::from(ctx.pc) - 8, 24, text, at)?);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// The name of a label, if one comes next: letters, digits, `_`, `.` and `$`, no digit first.
fn label<'a>(text: &mut Scan<'a>) -> &'a str {
    match text.peek() {
        Some(b'0'..=b'9') => "",
        _ => text.take(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$')),
    }
}

/// A memory address: register, offset with sign.
#[derive(Debug)]
pub(crate) struct Address;

impl Kind<Maxwell> for Address {
    fn describe(&self) -> &'static str {
        "memory address"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        out.byte(b'[');
        let offset = sign(bits >> 8, 24);
        if bits & 255 != RZ || offset == 0 {
            print_register(bits & 255, out);
        }
        if offset != 0 {
            if bits & 255 != RZ {
                out.byte(b'+');
            }
            print_signed(offset, out);
        }
        out.byte(b']');
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        if !text.eat(b'[') {
            return Err(expected("an address such as [R0+0x10]", text));
        }
        let named = text.peek() == Some(b'R');
        let n = if named { parse_register(text)? } else { RZ };
        let at = text.pos();
        let offset = if !named || text.eat(b'+') { parse_signed(text)? } else { 0 };
        let bits = fit(offset, 24, text, at)?;
        if !text.eat(b']') {
            return Err(expected("`]`", text));
        }
        op.field.set(word, n | bits << 8);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        let wide = |word: &u128| 1 + WIDE.get(word) as u8;
        Span::By(wide).read(op.field.get(&insn.word) & 255, &insn.word)
    }

    /// 64 bits from two registers where the row has `.E`, else 32 bits.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let wide = WIDE.get(&l.insn.word) != 0;
        let registers = registers(l, bits & 255, 1 + u8::from(wide));
        let base = if wide { l.pair(registers, Scalar::I64) } else { registers };
        let ty = l.ty(base);
        let offset = sign(bits >> 8, 24) as u64;
        let offset = l.constant(ty, if wide { offset } else { offset & 0xffff_ffff });
        l.iadd(base, offset)
    }
}

/// Whether a global address takes two registers.
pub(crate) const WIDE: Field = Field::at(45, 1);
