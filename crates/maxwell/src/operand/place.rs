//! Special registers and targets.

use super::fillable::Fillable;
use super::names::named;
use super::{AT, MaxwellLift, Number, expected, fit, parse_signed, print_signed, sign};
use crate::registers::special;
use crate::{Ctx, Maxwell, SPECIALS};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Swizzle, Type, Value};
use shisa_rows::{Details, Hints, Insn, Kind, Line, Operand, Scan, nearest};

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
            let d = Diagnostic::error("asm-operand", "unknown special register");
            let d = d.at_text(at..at + name.len(), "");
            match nearest(name, special::SPECIAL_REGISTERS.iter().map(|s| s.name)) {
                Some(near) => d.did_you_mean(near),
                None => d.help("registers without a name are SR0 to SR255"),
            }
        })?;
        op.field.set(word, n);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let n = op.field.get(&l.insn.word) as u16;
        special(l, n)
    }
}

/// The value of the special register with a number.
pub(crate) fn special(l: &mut MaxwellLift<'_, '_>, number: u16) -> Value {
    l.read(Reg::new(SPECIALS, number), Swizzle::IDENTITY, Type::I32)
}

impl Details<Maxwell> for Special {}

impl Hints<Maxwell> for Special {}

/// A target.
#[derive(Debug)]
pub(crate) struct Target;

impl Target {
    /// The target as a relocation can fill it in, in the field of an instruction at `pc` with these bits.
    pub(super) fn fillable(op: &Operand<Maxwell>, bits: u64, pc: u32) -> Fillable {
        Fillable::new(op, (0, op.field.width() as u8), target(bits, pc).into())
    }
}

/// The address that a target's bits mean for an instruction at `pc`.
pub(crate) fn target(bits: u64, pc: u32) -> i64 {
    i64::from(pc) + 8 + sign(bits, 24)
}

/// The address of the label that comes next, if one does.
pub(super) fn parse_name(text: &mut Scan<'_>, ctx: Ctx) -> Result<Option<u32>, Diagnostic> {
    let at = text.pos();
    let Some((name, symbols)) = ctx.symbols.map(|s| (text.label(), s)).filter(|(name, _)| !name.is_empty())
    else {
        return Ok(None);
    };
    let unknown = || {
        let d = Diagnostic::error("asm-label", format!("there is no label {name}"));
        d.at_text(text.since(at), "")
    };
    symbols.address(name).ok_or_else(unknown).map(Some)
}

/// Addresses in code, by their labels or addresses, with commas between them.
pub(crate) fn parse_places(text: &mut Scan<'_>, ctx: Ctx) -> Result<Vec<u32>, Diagnostic> {
    let mut all = Vec::new();
    loop {
        text.blanks();
        all.push(match parse_name(text, ctx)? {
            Some(address) => address,
            None => u32::try_from(parse_signed(text)?).map_err(|_| expected("an address", text))?,
        });
        match text.blanks().is_empty() {
            true => return Ok(all),
            false if text.eat(b',') => {}
            false => return Err(expected("`,`", text)),
        }
    }
}

/// The address that an instruction at `pc` names as a target, if it names one.
pub(crate) fn target_of(insn: &Insn<Maxwell>, pc: u32) -> Option<u32> {
    // Rows that have a target write it last.
    let op = insn.form().operands.last().filter(|op| (op.kind as &dyn core::any::Any).is::<Target>())?;
    u32::try_from(target(op.field.get(&insn.word), pc)).ok()
}

/// As [`target_of`] for an instruction at the context's address, unless the target has a name of its own there.
pub(crate) fn unnamed_target(insn: &Insn<Maxwell>, ctx: Ctx<'_>) -> Option<u32> {
    let op = insn.form().operands.last()?;
    if named(op, 0, ctx).is_some() { None } else { target_of(insn, ctx.pc) }
}

/// The absolute address that an instruction holds as its target, if it holds one.
pub(crate) fn absolute_target(insn: &Insn<Maxwell>) -> Option<u32> {
    let op = insn.form().operand(AT)?;
    (op.kind as &dyn core::any::Any).is::<Number>().then(|| op.field.get(&insn.word) as u32)
}

impl Kind<Maxwell> for Target {
    fn describe(&self) -> &'static str {
        "target"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        if let Some(name) = named(op, 0, ctx) {
            return out.text(name);
        }
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
        let address = match parse_name(text, ctx)? {
            Some(address) => i64::from(address),
            None => parse_signed(text)?,
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

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let address = target(op.field.get(&l.insn.word), l.pc);
        if address < 0 {
            l.refuse(Diagnostic::error("lift-target", "the target is before the code"));
        }
        l.i32(address as i32)
    }
}

impl Details<Maxwell> for Target {}

impl Hints<Maxwell> for Target {
    /// The address of the instruction decides, too.
    fn decided_by(&self, _: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        None
    }
}
