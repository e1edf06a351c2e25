//! Sources of arithmetic: registers that are read.

use super::source_bits::SourceBits;
use super::{A, B, C, Destination, PicaLift, parts};
use crate::{ADDRESS, CONSTANTS, INPUTS, Options, Pica200, TEMPORARIES, text};
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Op, Reg, Scalar, Swizzle, Type, Value};
use shisa_rows::{Details, Hints, Insn, Kind, Line, Operand, Part, Scan, Slot};

/// The slots of sources, in the order of the operands.
pub(crate) const SOURCES: [Slot; 3] = [A, B, C];

/// A register that is read. Its field has the number of the register, then sign and swizzle, then the index register.
#[derive(Debug)]
pub(crate) struct Source {
    /// Whether the register has seven bits, which reach the constants, and not five.
    pub(crate) wide: bool,
    /// Whether an index register can be added.
    pub(crate) indexed: bool,
}

impl Source {
    /// The kind of an operand, if it is a source.
    pub(crate) fn of(op: &Operand<Pica200>) -> Option<&'static Source> {
        let kind: &'static dyn core::any::Any = op.kind;
        kind.downcast_ref()
    }

    /// How many registers it reaches.
    pub(crate) const fn reach(&self) -> u32 {
        if self.wide { 0x80 } else { 0x20 }
    }

    /// The bits of the field that select the components of a mask.
    pub(crate) fn selections(&self, components: Mask) -> u64 {
        let selector = (0..4).filter(|i| components.0 >> i & 1 != 0).fold(0, |m, i| m | 3 << (6 - 2 * i));
        SourceBits { number: 0, negated: false, selector, index: 0 }.bits(self.wide)
    }
}

/// The parts of each source of an instruction.
pub(crate) fn sources(insn: &Insn<Pica200>) -> impl Iterator<Item = SourceBits> {
    let word = insn.word;
    insn.form().operands.iter().filter_map(move |op| {
        let source = Source::of(op)?;
        Some(SourceBits::new(op.field.get(&word), source.wide))
    })
}

impl Kind<Pica200> for Source {
    fn describe(&self) -> &'static str {
        if self.wide { "source" } else { "source without constants" }
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        let at = |run: usize| op.field.runs().get(run).map_or(0, |r| (insn.word >> (r.0 & 63)) as usize);
        let number = at(0) & if self.wide { 0x7f } else { 0x1f };
        let index = if self.indexed { at(2) & 3 } else { 0 };
        text::print_source(number, at(1) & 1 != 0, at(1) >> 1 & 0xff, index, out);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        let start = text.pos();
        let bits = text::parse_source(text)?;
        if !self.wide && bits.number >= self.reach() {
            return Err(Diagnostic::error("asm-operand", "this source cannot be a constant")
                .at_text(text.since(start), "only v and r fit here"));
        }
        if !self.indexed && bits.index != 0 {
            return Err(Diagnostic::error("asm-operand", "this source cannot be indexed")
                .at_text(text.since(start), ""));
        }
        op.field.set(word, bits.bits(self.wide));
        Ok(())
    }

    fn faithful(&self, _: &Operand<Pica200>, _: &Insn<Pica200>, _: &Options) -> bool {
        true
    }

    /// Four components.
    fn read(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        let bits = SourceBits::new(op.field.get(&l.insn.word), self.wide);
        let (swizzle, ty) = (bits.swizzle(), Scalar::F32.by(4));
        let value = match (bits.number, bits.index) {
            (n @ 0..16, _) => l.read(Reg::new(INPUTS, 4 * n as u16), swizzle, ty),
            (n @ 16..32, _) => l.read(Reg::new(TEMPORARIES, 4 * (n as u16 - 16)), swizzle, ty),
            (n, 0) => l.read(Reg::new(CONSTANTS, 4 * (n as u16 - 32)), swizzle, ty),
            (n, index) => indexed(l, n - 32, index, swizzle),
        };
        if bits.negated { l.fneg(value) } else { value }
    }
}

impl Details<Pica200> for Source {
    fn parts(&self) -> &'static [Part] {
        const NARROW: &[Part] = &[
            Part::new(0, 5, parts::REGISTER),
            Part::new(5, 1, parts::SIGN),
            Part::new(6, 8, parts::SWIZZLE),
            Part::new(14, 2, parts::INDEX),
        ];
        const WIDE: &[Part] = &[
            Part::new(0, 7, parts::REGISTER),
            Part::new(7, 1, parts::SIGN),
            Part::new(8, 8, parts::SWIZZLE),
            Part::new(16, 2, parts::INDEX),
        ];
        let all = if self.wide { WIDE } else { NARROW };
        if self.indexed { all } else { &all[..3] }
    }
}

impl Hints<Pica200> for Source {}

/// The components of a source that are in the destination's mask, packed together, for an operation that works on
/// each component separately.
pub(crate) fn masked(l: &mut PicaLift<'_, '_>, slot: Slot) -> Value {
    let value = l.src(slot);
    match Destination::mask(&l.insn) {
        Mask(0) | Mask::ALL => value,
        mask => narrow(l, value, mask),
    }
}

/// Narrows a source that was just read, and that no operation uses yet, to the components of a mask.
fn narrow(l: &mut PicaLift<'_, '_>, value: Value, mask: Mask) -> Value {
    let ty = Scalar::F32.by(mask.count());
    match l.nodes.op(value) {
        Op::Read { reg, swizzle } => {
            l.nodes.list[value.index()].op = Op::Read { reg, swizzle: swizzle.under(mask) };
            l.nodes.list[value.index()].ty = ty;
            value
        }
        Op::Unary { a, .. } if matches!(l.nodes.op(a), Op::Read { .. }) => {
            narrow(l, a, mask);
            l.nodes.list[value.index()].ty = ty;
            value
        }
        _ => l.swizzle(value, Swizzle::IDENTITY.under(mask), mask.count()),
    }
}

/// Reads the constant whose number is `n` plus an address register. Offsets outside of a signed byte count as zero;
/// numbers past the last constant read as ones.
fn indexed(l: &mut PicaLift<'_, '_>, n: u32, index: u8, swizzle: Swizzle) -> Value {
    let offset = l.read(Reg::new(ADDRESS, u16::from(index) - 1), Swizzle::IDENTITY, Type::I32);
    let (bias, range, zero) = (l.i32(128), l.i32(256), l.i32(0));
    let biased = l.iadd(offset, bias);
    let near = l.ult(biased, range);
    let offset = l.select(near, offset, zero);
    let (number, wrap, last) = (l.i32(n as i32), l.i32(127), l.i32(95));
    let sum = l.iadd(number, offset);
    let at = l.and(sum, wrap);
    let within = l.ule(at, last);
    let index = l.umin(at, last);
    let ty = Scalar::F32.by(4);
    let value = l.push(Op::ReadAt { file: CONSTANTS, base: 0, stride: 4, index, swizzle }, ty);
    let ones = l.f32(1.0, 4);
    l.select(within, value, ones)
}
