//! Textures, samplers and images that a row names.

use crate::operand::list::{Given, List, number};
use crate::operand::listed::Lists;
use crate::operand::{A, AgxLift, B, HEAP, Size};
use crate::options::{HeapNumbers, left_open};
use crate::{Agx, Ctx};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, SamplerRef, Scalar, TextureRef, Value};
use shisa_rows::{Line, Operand, Scan, Slot, Word};

/// The bit that states that there is a heap, the uppermost one of the reference that follows.
const HEAP_BIT: u32 = 39;
/// Size in bytes of the descriptor of a texture or an image, as Mesa lays out tables of them.
const DESCRIPTOR: u64 = 24;

/// Four uniforms with the address of a heap, if there is one.
#[derive(Debug)]
pub(super) struct Heap;

impl Lists for Heap {
    fn describe(&self) -> &'static str {
        "address of a heap"
    }

    fn beside(&self) -> u128 {
        1 << HEAP_BIT
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        (word.get(HEAP_BIT, 1) != 0).then(|| List::address(op.field.get(&word) as u16 * 4))
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<u64, Diagnostic> {
        let n = heap(text, op.field.width())?;
        word.set(HEAP_BIT, 1, 1);
        Ok(n)
    }

    fn optional(&self) -> bool {
        true
    }
}

/// Reads four uniforms, whose first must be a multiple of four halves, as a number of the given number of bits.
pub(super) fn heap(text: &mut Scan<'_>, bits: u32) -> Result<u64, Diagnostic> {
    let at = text.pos();
    let unit = List::parse_like(List::address(0), text)?;
    let n = u64::from(unit / 4);
    if unit % 4 != 0 || n >> bits != 0 {
        let text_of = format!("the address of a heap must be an even du up to du{}", (2 << bits) - 2);
        return Err(Diagnostic::error("asm-operand", text_of).at_text(text.since(at), ""));
    }
    Ok(n)
}

/// A texture or sampler: depending on the bits above the number a state register, one whose number a register holds,
/// or, with a heap, a number or the offset in a 32-bit register.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) state: &'static str,
    /// Whether there are two bits above the number.
    pub(super) wide: bool,
}

impl Lists for Reference {
    fn describe(&self) -> &'static str {
        if self.wide { "texture" } else { "sampler" }
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        let unit = bits as u16 & 0xff;
        match bits >> 8 {
            1 => Some(List::of(unit, Size::Half, 1)),
            3 => Some(List::of(unit, Size::Word, 1)),
            _ => None,
        }
    }

    fn print_other(&self, bits: u64, out: &mut Line<'_>) {
        out.text(if bits >> 8 == 0 { self.state } else { "" });
        out.dec(bits & 0xff);
    }

    fn parse(
        &self,
        _: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<u64, Diagnostic> {
        // The heap operand before has set its bit.
        if self.wide && word.get(HEAP_BIT, 1) != 0 {
            Ok(match Given::parse(8, List::of(0, Size::Word, 1), text)? {
                Given::Number(n) => n | 2 << 8,
                Given::Registers(unit) => u64::from(unit) | 3 << 8,
            })
        } else if text.eat_str(self.state) {
            number(text, 8)
        } else {
            Ok(u64::from(List::parse_within(List::of(0, Size::Half, 1), text)?) | 1 << 8)
        }
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> bool {
        self.list(op, word, ctx).is_none_or(|list| list.lies_within(256))
    }
}

/// The texture that a row names.
pub(crate) fn texture(l: &mut AgxLift<'_, '_>) -> TextureRef {
    let bits = l.insn.field(A);
    let (unit, kind) = (bits as u16 & 0xff, bits >> 8);
    match kind {
        0 => TextureRef::Unit(unit),
        1 => {
            let number = List::of(unit, Size::Half, 1).read(l);
            TextureRef::Numbered(l.convert(Convert::ZeroExtend, number, Scalar::I32))
        }
        2 => {
            let (heap, offset) = (l.src(HEAP), numbered(l, unit));
            let offset = l.constant(Scalar::I64.by(1), offset);
            TextureRef::Handle(l.iadd(heap, offset))
        }
        _ => {
            let heap = l.src(HEAP);
            let offset = List::of(unit, Size::Word, 1).read(l);
            let offset = l.convert(Convert::ZeroExtend, offset, Scalar::I64);
            TextureRef::Handle(l.iadd(heap, offset))
        }
    }
}

/// The byte offset in a heap for a number.
fn numbered(l: &mut AgxLift<'_, '_>, number: u16) -> u64 {
    let number = u64::from(number);
    match l.ctx.options.heap_numbers {
        _ if number == 0 => 0,
        HeapNumbers::Descriptors => number * DESCRIPTOR,
        HeapNumbers::Bytes => number,
        HeapNumbers::Refuse => {
            let what = "which texture of a heap a number means";
            left_open(l, what, &["heap-numbers=descriptors", "heap-numbers=bytes"]);
            0
        }
    }
}

/// The address for a heap and the offset in a register.
pub(crate) fn described(l: &mut AgxLift<'_, '_>, heap: Slot, offset: Slot) -> Value {
    let heap = l.src(heap);
    let offset = l.src(offset);
    let offset = l.convert(Convert::ZeroExtend, offset, Scalar::I64);
    l.iadd(heap, offset)
}

/// The sampler that a row names.
pub(crate) fn sampler(l: &mut AgxLift<'_, '_>) -> SamplerRef {
    let bits = l.insn.field(B);
    let unit = bits as u16 & 0xff;
    if bits >> 8 == 0 {
        return SamplerRef::Unit(unit);
    }
    let half = List::of(unit, Size::Half, 1).read(l);
    SamplerRef::Handle(l.convert(Convert::ZeroExtend, half, Scalar::I32))
}
