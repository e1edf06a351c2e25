//! The composition of most words' text: derived from the rows once, so that printing a word is a few copies.

use crate::forms::{self, OPCODES};
use crate::operand::{D, Destination, NUMBER, SOURCES};
use crate::text::{print_dest, print_mask, print_source};
use crate::{Options, Pica200, word};
use alloc::vec::Vec;
use shisa_rows::{Form, Insn, Line, Name};

/// A word with a destination and sources: the offsets of its parts.
#[derive(Clone, Debug)]
struct Shape {
    name: &'static Name,
    known: u64,
    dest: u8,
    sources: Vec<Source>,
    /// The bits of the descriptor's number.
    number: u32,
}

#[derive(Clone, Copy, Debug)]
struct Source {
    number: u8,
    last: u32,
    selector: u8,
    /// 64 for no index register.
    index: u8,
}

impl Shape {
    /// `None` if the row has other operands, too.
    fn of(form: &'static Form<Pica200>) -> Option<Shape> {
        let mut shape =
            Shape { name: &form.label, known: form.known(), dest: 64, sources: Vec::new(), number: 0 };
        for op in form.operands {
            let run = |n: usize| op.field.runs().get(n).copied();
            let (lo, width) = run(0)?;
            match op.slot {
                D if matches!(Destination::of(op), Some(Destination::Register)) => shape.dest = lo,
                slot if SOURCES.contains(&slot) => shape.sources.push(Source {
                    number: lo,
                    last: (1 << width) - 1,
                    selector: run(1)?.0,
                    index: run(2).map_or(64, |r| r.0),
                }),
                NUMBER => shape.number = (1 << width) - 1,
                _ => return None,
            }
        }
        (shape.dest < 64).then_some(shape)
    }
}

/// The shapes of all opcodes.
#[derive(Debug)]
pub(super) struct Shapes(Vec<Option<Shape>>);

impl Default for Shapes {
    fn default() -> Self {
        Shapes((0..OPCODES).map(|opcode| Shape::of(forms::of_opcode(opcode)?)).collect())
    }
}

impl Shapes {
    /// Writes the text of a word; `.word` and its bits if no text assembles to them. Returns the bits of the
    /// descriptor that the text determines.
    #[inline]
    pub(super) fn print(&self, code: u32, descriptor: u32, line: &mut Line<'_>) -> u32 {
        let fused = u64::from(code) | u64::from(descriptor) << 32;
        match self.0.get(forms::opcode(code)) {
            Some(Some(shape)) if descriptor & 15 != 0 && u64::from(code) & !shape.known == 0 => {
                shape.print(fused, line);
                (shape.known >> 32) as u32
            }
            _ => print(fused, line),
        }
    }
}

impl Shape {
    #[inline]
    fn print(&self, fused: u64, line: &mut Line<'_>) {
        let at = |lo: u8| (fused >> (lo & 63)) as usize;
        line.name(self.name);
        line.byte(b' ');
        print_dest(at(self.dest) & 31, line);
        print_mask(at(32) & 15, line);
        for s in &self.sources {
            line.name(const { &Name::new(", ") });
            let index = if s.index < 64 { at(s.index) & 3 } else { 0 };
            let (number, selector) = (at(s.number) & s.last as usize, at(s.selector));
            print_source(number, selector & 1 != 0, selector >> 1 & 0xff, index, line);
        }
        let number = fused as u32 & self.number;
        if number != 0 {
            line.name(const { &Name::new(", d") });
            line.dec(number.into());
        }
    }
}

/// Writes the text of any word.
fn print(fused: u64, line: &mut Line<'_>) -> u32 {
    let insn = Insn::<Pica200>::decode(fused).map(|mut insn| {
        insn.word &= insn.form().known() | 0xffff_ffff;
        insn
    });
    match insn.filter(|i| shisa_rows::faithful(i, &Options::DEFAULT)) {
        Some(insn) => {
            shisa_rows::print(&insn, &Options::DEFAULT, line);
            word::split(insn.form().known()).1
        }
        None => {
            line.text(".word 0x");
            line.hex(fused & 0xffff_ffff, 8);
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    /// Shapes write the same text as the rows.
    #[test]
    fn shapes_are_those_of_the_rows() {
        let shapes = Shapes::default();
        assert!(shapes.0.iter().flatten().count() > 30);
        let mut random = 1u64;
        for n in 0..200_000u32 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (code, descriptor) = ((random >> 32) as u32 >> 6 | n << 26, (random >> 20) as u32);
            let text = |write: &dyn Fn(&mut Line<'_>) -> u32| {
                let mut out = Vec::new();
                let read = write(&mut Line::new(&mut out));
                (String::from_utf8(out).unwrap(), read)
            };
            let short = text(&|line| shapes.print(code, descriptor, line));
            let long = text(&|line| print(u64::from(code) | u64::from(descriptor) << 32, line));
            assert_eq!(short, long, "{code:08x}:{descriptor:08x}");
        }
    }
}
