//! Operands that only fragment and vertex programs have: coefficients, tiles, samples, outputs.

use super::list::{Given, List, ahead, number};
use super::listed::{Either, Listed, Lists, Whole, WordAndHalf, half_or_number};
use super::{
    A, AgxLift, B, C, COND, D, EXPLICIT, FINAL, FLAGS, NUMBER, Size, TARGET, expected, flag, operand,
    read_units,
};
use crate::{Agx, Ctx};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, Number, OneOf, Operand, Scan};

/// The 32-bit register whose value a vertex program outputs.
pub(crate) const VARYING: Operand<Agx> =
    operand(A, Field::at(10, 5).then(24, 2), &Listed(Whole { written: false }));
/// The output slot.
pub(crate) const UVS: Operand<Agx> =
    operand(B, Field::at(16, 6).then(26, 2).then(23, 1), &Listed(Either { register_at: 0, halves: 1 }));
/// Whether it is the last.
pub(crate) const LAST: Operand<Agx> = flag(FINAL, 7, &OneOf::optional("name", &["", "last"]));
/// The register with the value to map.
pub(crate) const MAPPED: Operand<Agx> = operand(A, MAPPED_FIELD, &Listed(Whole { written: false }));
/// The register that receives the stack pointer.
pub(crate) const POINTER: Operand<Agx> =
    operand(D, Field::at(11, 5).then(40, 2), &Listed(Whole { written: true }));
/// The register that receives the unmapped value.
pub(crate) const UNMAPPED: Operand<Agx> = operand(A, MAPPED_FIELD, &Listed(Whole { written: true }));

/// Registers that receive the iterated values.
pub(crate) const ITERATED: Operand<Agx> =
    operand(D, ITERATED_FIELD, &Listed(Iterated { coefficients: false }));
/// Registers that receive three coefficients.
pub(crate) const COEFFICIENTS: Operand<Agx> =
    operand(D, ITERATED_FIELD, &Listed(Iterated { coefficients: true }));
/// The first coefficient register, or a register with its number.
pub(crate) const COEFFICIENT: Operand<Agx> =
    operand(A, Field::at(16, 6).then(58, 2).then(23, 1), &Listed(Coefficient { fixed: false }));
/// The coefficient register of W.
pub(crate) const PERSPECTIVE: Operand<Agx> =
    operand(B, Field::at(24, 6).then(60, 2), &Listed(Coefficient { fixed: true }));
/// The sample to iterate at, depending on the interpolation.
pub(crate) const ITER_SAMPLE: Operand<Agx> = operand(C, Field::at(32, 8), &Listed(Sample { own: false }));
/// The same with the bits that state whether there is one.
pub(crate) const LDCF_SAMPLE: Operand<Agx> =
    operand(C, Field::at(32, 8).then(48, 2), &Listed(Sample { own: true }));
/// The interpolation point in the pixel.
pub(crate) const INTERPOLATION: Operand<Agx> = operand(COND, INTERPOLATION_FIELD, &Interpolation);

/// Whether a register of an earlier iteration is reused.
pub(crate) const FORWARD: Operand<Agx> = flag(FLAGS[0], 22, &OneOf::optional("name", &["", "fwd"]));
/// Whether helpers are skipped.
pub(crate) const ELIDE: Operand<Agx> = flag(FLAGS[1], 46, &OneOf::optional("name", &["", "elide"]));
/// Whether helpers end.
pub(crate) const ITER_KILL: Operand<Agx> = flag(FLAGS[2], 52, &OneOf::optional("name", &["", "kill"]));

/// Samples that a mask or an emission applies to.
pub(crate) const TARGET_SAMPLES: Operand<Agx> =
    operand(TARGET, Field::at(9, 6).then(24, 2).then(8, 1), &Listed(Either { register_at: 0, halves: 1 }));
/// Samples that stay alive.
pub(crate) const LIVE_SAMPLES: Operand<Agx> =
    operand(A, Field::at(16, 6).then(26, 2).then(23, 1), &Listed(Either { register_at: 0, halves: 1 }));
/// Depth and stencil.
pub(crate) const DEPTH_STENCIL: Operand<Agx> = operand(
    A,
    Field::at(16, 6).then(26, 2).then(29, 2),
    &Listed(WordAndHalf {
        describe: "depth and stencil",
        expected: "depth has 32 bits, stencil 16, and both are three halves",
        announced: None,
    }),
);
/// The position in the tile.
pub(crate) const TILE_COORD: Operand<Agx> =
    operand(A, Field::at(16, 6).then(58, 2).then(55, 1), &Listed(Either { register_at: 1, halves: 2 }));
/// The byte offset in a pixel of the tile.
pub(crate) const TILE_OFFSET: Operand<Agx> =
    operand(NUMBER, Field::at(28, 7).then(40, 2), &Number::new("offset in bytes"));
/// Whether the position in the tile is stated.
pub(crate) const TILE_EXPLICIT: Operand<Agx> =
    flag(EXPLICIT, 35, &OneOf::optional("name", &["", "explicit_coords"]));
/// The pixels to wait for or to release.
pub(crate) const PIXELS: [Operand<Agx>; 2] = [
    operand(TARGET, Field::at(8, 10), &Number::new("mask")),
    operand(NUMBER, Field::at(22, 2), &Number::new("number")),
];
/// The samples of a pixel in the tile.
pub(crate) const TILE_SAMPLES: Operand<Agx> =
    operand(TARGET, Field::at(42, 6).then(56, 2).then(22, 1), &Listed(Either { register_at: 1, halves: 1 }));

const MAPPED_FIELD: Field = Field::at(11, 5).then(40, 2);
const ITERATED_FIELD: Field = Field::at(8, 7).then(56, 2).then(30, 2);
const INTERPOLATION_FIELD: Field = Field::at(48, 2);

/// Registers that an iterator writes: their size, the number of the first one, and how many, 0 for four. Coefficients
/// are always three, although the bits state one.
#[derive(Debug)]
struct Iterated {
    coefficients: bool,
}

impl Iterated {
    const fn count(&self, bits: u64) -> u16 {
        match bits >> 9 {
            _ if self.coefficients => 3,
            0 => 4,
            n => n as u16,
        }
    }
}

impl Lists for Iterated {
    fn describe(&self) -> &'static str {
        "destination registers"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        let size = if bits & 1 != 0 { Size::Word } else { Size::Half };
        Some(List::of((bits >> 1) as u16 & 0xff, size, self.count(bits)))
    }

    fn written(&self) -> bool {
        true
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        let at = text.pos();
        let list = List::parse(text)?;
        let counts = if self.coefficients { 3..=3 } else { 1..=4 };
        let fits = list.letter == b'r' && list.size != Size::Double && list.tail == 0;
        if !fits || !counts.contains(&list.count) || !list.lies_within(256) {
            let what =
                if self.coefficients { "expected three registers" } else { "expected one to four registers" };
            return Err(Diagnostic::error("asm-operand", what).at_text(text.since(at), ""));
        }
        let count = if self.coefficients { 1 } else { u64::from(list.count & 3) };
        Ok(u64::from(list.size == Size::Word) | u64::from(list.unit) << 1 | count << 9)
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> bool {
        let one = op.field.get(&word) >> 9 == 1;
        self.list(op, word, ctx).is_some_and(|list| list.lies_within(256)) && (one || !self.coefficients)
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// A coefficient register by its number, or a register that holds the number.
#[derive(Debug)]
struct Coefficient {
    /// Whether it is always a number.
    fixed: bool,
}

impl Lists for Coefficient {
    fn describe(&self) -> &'static str {
        "coefficient register"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        (!self.fixed && bits >> 8 != 0).then(|| List::of(bits as u16 & 0xff, Size::Half, 1))
    }

    fn print_other(&self, bits: u64, out: &mut Line<'_>) {
        out.text("cf");
        out.dec(bits & 0xff);
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        if text.eat_str("cf") {
            number(text, 8)
        } else if self.fixed {
            Err(expected("a coefficient register such as cf0", text))
        } else {
            Ok(u64::from(List::parse_within(List::of(0, Size::Half, 1), text)?) | 1 << 8)
        }
    }

    fn faithful(&self, _: &Operand<Agx>, _: u128, _: Ctx) -> bool {
        true
    }

    /// The register number as 32 bits.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let word = l.insn.word;
        half_or_number(l, self.touched(op, word), op.field.get(&word) & 0xff)
    }
}

/// The sample to iterate at: with interpolation 1 a number, with 3 a register; otherwise none.
#[derive(Debug)]
struct Sample {
    /// Whether the bits of the interpolation belong to this operand.
    own: bool,
}

impl Lists for Sample {
    fn describe(&self) -> &'static str {
        "sample by register or number"
    }

    fn beside(&self) -> u128 {
        INTERPOLATION_FIELD.mask()
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let unit = op.field.get(&word) as u16 & 0xff;
        (INTERPOLATION_FIELD.get(&word) == 3).then(|| List::of(unit, Size::Half, 1))
    }

    fn print_other(&self, bits: u64, out: &mut Line<'_>) {
        out.dec(bits & 0xff);
    }

    fn parse(
        &self,
        _: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<u64, Diagnostic> {
        if !self.own && ahead(text, &["sample"]).is_none() {
            return Err(expected("`sample` after the sample", text));
        }
        let (n, interpolation) = match Given::parse(8, List::of(0, Size::Half, 1), text)? {
            Given::Number(n) => (n, 1),
            Given::Registers(unit) => (unit.into(), 3),
        };
        INTERPOLATION_FIELD.set(word, interpolation);
        Ok(n | interpolation << 8)
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> bool {
        let bits = op.field.get(&word);
        match INTERPOLATION_FIELD.get(&word) {
            1 | 3 => true,
            2 if self.own => false,
            _ => bits & 0xff == 0,
        }
    }

    fn optional(&self) -> bool {
        true
    }

    fn shown(&self, _: &Operand<Agx>, word: u128, _: Ctx) -> bool {
        INTERPOLATION_FIELD.get(&word) & 1 != 0
    }

    /// The sample as 32 bits.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let word = l.insn.word;
        half_or_number(l, self.touched(op, word), op.field.get(&word) & 0xff)
    }
}

/// The interpolation point in the pixel: its centre, a sample that was named before, or the centroid.
#[derive(Debug)]
struct Interpolation;

impl Kind<Agx> for Interpolation {
    fn describe(&self) -> &'static str {
        "interpolation"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        out.text(if op.field.get(&insn.word) == 2 { "centroid" } else { "sample" });
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        // The sample operand before has set the bits.
        match (text.word(), op.field.get(word)) {
            ("sample", 1 | 3) => {}
            ("centroid", 0) => op.field.set(word, 2),
            _ => return Err(expected("centroid, or sample after the sample", text)),
        }
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Agx> for Interpolation {
    fn optional(&self) -> bool {
        true
    }
}

impl Hints<Agx> for Interpolation {}

/// The 32-bit depth and the 16-bit stencil value of a row, as far as it has them.
pub(crate) fn depth_stencil(l: &mut AgxLift<'_, '_>) -> (Option<Value>, Option<Value>) {
    let list = List::word_and_half(DEPTH_STENCIL.field.get(&l.insn.word));
    let Some(list) = list else { return (None, None) };
    let depth = |l: &mut AgxLift<'_, '_>| read_units(l, false, list.unit, Size::Word, 1);
    match (list.size, list.count) {
        (Size::Word, _) => (Some(depth(l)), None),
        (_, 1) => (None, Some(read_units(l, false, list.unit, Size::Half, 1))),
        _ => (Some(depth(l)), Some(read_units(l, false, list.unit + 2, Size::Half, 1))),
    }
}

/// The number of registers that an interpolation writes.
pub(crate) fn iterated(insn: &Insn<Agx>) -> u8 {
    (Iterated { coefficients: false }).count(ITERATED.field.get(&insn.word)) as u8
}
