//! Operands of what only fragment and vertex programs do: coefficients, tiles, samples, outputs.

use super::list::{List, ahead, number};
use super::memory::named;
use super::{
    A, AgxLift, B, C, COND, D, FLAGS, NUMBER, Size, TARGET, as_units, expected, flag, operand, read_units,
    write_units,
};
use crate::{Agx, Ctx};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Value};
use shisa_rows::{Field, Insn, Kind, Line, Number, OneOf, Operand, Registers, Scan, Word};

/// The register of 32 bits whose value leaves a vertex program.
pub(crate) const VARYING: Operand<Agx> = operand(A, Field::at(10, 5).then(24, 2), &WholeRegister);
/// The slot that takes it.
pub(crate) const UVS: Operand<Agx> =
    operand(B, Field::at(16, 6).then(26, 2).then(23, 1), &Either { register_at: 0, halves: 1 });
/// Whether it is the last.
pub(crate) const LAST: Operand<Agx> = flag(FLAGS[0], 7, &OneOf::optional("name", &["", "last"]));
/// The register that an address is mapped at, or no longer.
pub(crate) const MAPPED: Operand<Agx> = operand(A, Field::at(11, 5).then(40, 2), &WholeRegister);

/// Registers that take what an iterator yields.
pub(crate) const ITERATED: Operand<Agx> = operand(D, ITERATED_FIELD, &Iterated { coefficients: false });
/// Registers that take three coefficients.
pub(crate) const COEFFICIENTS: Operand<Agx> = operand(D, ITERATED_FIELD, &Iterated { coefficients: true });
/// The first coefficient register, or a register with its number.
pub(crate) const COEFFICIENT: Operand<Agx> =
    operand(A, Field::at(16, 6).then(58, 2).then(23, 1), &Coefficient { fixed: false });
/// The coefficient register of W.
pub(crate) const PERSPECTIVE: Operand<Agx> =
    operand(B, Field::at(24, 6).then(60, 2), &Coefficient { fixed: true });
/// The sample that is iterated at, as the interpolation says.
pub(crate) const ITER_SAMPLE: Operand<Agx> = operand(C, Field::at(32, 8), &Sample { own: false });
/// The same with the bits that say whether there is one.
pub(crate) const LDCF_SAMPLE: Operand<Agx> = operand(C, Field::at(32, 8).then(48, 2), &Sample { own: true });
/// Where in the pixel.
pub(crate) const INTERPOLATION: Operand<Agx> = operand(COND, INTERPOLATION_FIELD, &Interpolation);

/// Whether a register of an earlier iteration is taken.
pub(crate) const FORWARD: Operand<Agx> = flag(FLAGS[0], 22, &OneOf::optional("name", &["", "fwd"]));
/// Whether helpers are left out.
pub(crate) const ELIDE: Operand<Agx> = flag(FLAGS[1], 46, &OneOf::optional("name", &["", "elide"]));
/// Whether helpers end.
pub(crate) const ITER_KILL: Operand<Agx> = flag(FLAGS[2], 52, &OneOf::optional("name", &["", "kill"]));

/// Samples that a mask or an emission is for.
pub(crate) const TARGET_SAMPLES: Operand<Agx> =
    operand(TARGET, Field::at(9, 6).then(24, 2).then(8, 1), &Either { register_at: 0, halves: 1 });
/// Samples that go on.
pub(crate) const LIVE_SAMPLES: Operand<Agx> =
    operand(A, Field::at(16, 6).then(26, 2).then(23, 1), &Either { register_at: 0, halves: 1 });
/// Depth and stencil.
pub(crate) const DEPTH_STENCIL: Operand<Agx> =
    operand(A, Field::at(16, 6).then(26, 2).then(29, 2), &DepthStencil);
/// Where in the tile.
pub(crate) const TILE_COORD: Operand<Agx> =
    operand(A, Field::at(16, 6).then(58, 2).then(55, 1), &Either { register_at: 1, halves: 2 });
/// The byte of a pixel in the tile.
pub(crate) const TILE_OFFSET: Operand<Agx> =
    operand(NUMBER, Field::at(28, 7).then(40, 2), &Number::new("offset in bytes"));
/// Whether the place in the tile is given.
pub(crate) const TILE_EXPLICIT: Operand<Agx> =
    flag(FLAGS[0], 35, &OneOf::optional("name", &["", "explicit_coords"]));
/// Which pixels are waited for or released.
pub(crate) const PIXELS: [Operand<Agx>; 2] = [
    operand(TARGET, Field::at(8, 10), &Number::new("mask")),
    operand(NUMBER, Field::at(22, 2), &Number::new("number")),
];
/// Which samples of a pixel in the tile.
pub(crate) const TILE_SAMPLES: Operand<Agx> =
    operand(TARGET, Field::at(42, 6).then(56, 2).then(22, 1), &Either { register_at: 1, halves: 1 });

const ITERATED_FIELD: Field = Field::at(8, 7).then(56, 2).then(30, 2);
const INTERPOLATION_FIELD: Field = Field::at(48, 2);

/// A register of 32 bits by its number.
#[derive(Debug)]
struct WholeRegister;

impl WholeRegister {
    fn list(op: &Operand<Agx>, word: u128) -> List {
        List::of(op.field.get(&word) as u16 * 2, Size::Word, 1)
    }
}

impl Kind<Agx> for WholeRegister {
    fn describe(&self) -> &'static str {
        "register of 32 bits"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        Self::list(op, insn.word).print(out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let unit = within(List::of(0, Size::Word, 1), text)?;
        op.field.set(word, u64::from(unit / 2));
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Some(named(Self::list(op, insn.word), false))
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let list = Self::list(op, l.insn.word);
        read_units(l, false, list.unit, Size::Word, 1)
    }
}

/// Reads registers of a shape that lie within the file.
pub(super) fn within(like: List, text: &mut Scan<'_>) -> Result<u16, Diagnostic> {
    let at = text.pos();
    let unit = List::parse_like(like, text)?;
    if (List { unit, ..like }).lies_within(256) {
        return Ok(unit);
    }
    Err(Diagnostic::error("asm-operand", "there is no such register").at_text(text.since(at), ""))
}

/// Halves of registers, or a number of eight bits; the uppermost bit tells which.
#[derive(Debug)]
pub(super) struct Either {
    /// The uppermost bit where it is a register.
    pub(super) register_at: u64,
    pub(super) halves: u8,
}

impl Either {
    fn list(&self, op: &Operand<Agx>, word: u128) -> Option<List> {
        let bits = op.field.get(&word);
        (bits >> 8 == self.register_at).then(|| List::of(bits as u16 & 0xff, Size::Half, self.halves.into()))
    }
}

impl Kind<Agx> for Either {
    fn describe(&self) -> &'static str {
        "register or number"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        match self.list(op, insn.word) {
            Some(list) => list.print(out),
            None => out.dec(op.field.get(&insn.word) & 0xff),
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let bits = if text.peek().is_some_and(|b| b.is_ascii_digit()) {
            number(text, 8)? | (1 - self.register_at) << 8
        } else {
            u64::from(within(List::of(0, Size::Half, self.halves.into()), text)?) | self.register_at << 8
        };
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        self.list(op, insn.word).is_none_or(|list| list.lies_within(256))
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        self.list(op, insn.word).map(|list| named(list, false))
    }

    /// A number or halves, of 16 bits each.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let n = op.field.get(&l.insn.word) & 0xff;
        match self.list(op, l.insn.word) {
            Some(list) => read_units(l, false, list.unit, Size::Half, self.halves),
            None => l.constant(Scalar::I16.by(1), n),
        }
    }
}

/// Registers that an iterator writes: their size, the first one's number, and how many, 0 for four.
/// Coefficients are three, of which the bits say one.
#[derive(Debug)]
struct Iterated {
    coefficients: bool,
}

impl Iterated {
    fn list(&self, op: &Operand<Agx>, word: u128) -> List {
        let bits = op.field.get(&word);
        let size = if bits & 1 != 0 { Size::Word } else { Size::Half };
        let count = match bits >> 9 {
            _ if self.coefficients => 3,
            0 => 4,
            n => n as u16,
        };
        List::of((bits >> 1) as u16 & 0xff, size, count)
    }
}

impl Kind<Agx> for Iterated {
    fn describe(&self) -> &'static str {
        "destination registers"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        self.list(op, insn.word).print(out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
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
        op.field.set(word, u64::from(list.size == Size::Word) | u64::from(list.unit) << 1 | count << 9);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        let one = op.field.get(&insn.word) >> 9 == 1;
        self.list(op, insn.word).lies_within(256) && (one || !self.coefficients)
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Some(named(self.list(op, insn.word), true))
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }

    /// Takes as many floats of 32 bits as there are registers.
    fn write(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>, value: Value) {
        let list = self.list(op, l.insn.word);
        let value = as_units(l, value, list.size);
        write_units(l, list.unit, list.size, value);
    }
}

/// A coefficient register by its number, or a register that holds the number.
#[derive(Debug)]
struct Coefficient {
    /// Whether it is always a number.
    fixed: bool,
}

impl Coefficient {
    fn list(&self, op: &Operand<Agx>, word: u128) -> Option<List> {
        let bits = op.field.get(&word);
        (!self.fixed && bits >> 8 != 0).then(|| List::of(bits as u16 & 0xff, Size::Half, 1))
    }
}

impl Kind<Agx> for Coefficient {
    fn describe(&self) -> &'static str {
        "coefficient register"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        match self.list(op, insn.word) {
            Some(list) => list.print(out),
            None => {
                out.text("cf");
                out.dec(op.field.get(&insn.word) & 0xff);
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
        let bits = if text.eat_str("cf") {
            number(text, 8)?
        } else if self.fixed {
            return Err(expected("a coefficient register such as cf0", text));
        } else {
            u64::from(within(List::of(0, Size::Half, 1), text)?) | 1 << 8
        };
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        self.list(op, insn.word).map(|list| named(list, false))
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let n = op.field.get(&l.insn.word) & 0xff;
        match self.list(op, l.insn.word) {
            Some(list) => {
                let n = read_units(l, false, list.unit, Size::Half, 1);
                l.convert(Convert::ZeroExtend, n, Scalar::I32)
            }
            None => l.constant(Scalar::I32.by(1), n),
        }
    }
}

/// The sample that is iterated at: by interpolation 1 a number, by 3 a register; otherwise none.
#[derive(Debug)]
struct Sample {
    /// Whether the bits of the interpolation belong to this operand.
    own: bool,
}

impl Sample {
    fn list(op: &Operand<Agx>, word: u128) -> Option<List> {
        let unit = op.field.get(&word) as u16 & 0xff;
        (INTERPOLATION_FIELD.get(&word) == 3).then(|| List::of(unit, Size::Half, 1))
    }
}

impl Kind<Agx> for Sample {
    fn describe(&self) -> &'static str {
        "sample by register or number"
    }

    fn decided_by(&self, op: &Operand<Agx>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | INTERPOLATION_FIELD.mask::<u128>())
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        match Self::list(op, insn.word) {
            Some(list) => list.print(out),
            None => out.dec(op.field.get(&insn.word) & 0xff),
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        if !self.own && ahead(text, &["sample"]).is_none() {
            return Err(expected("`sample` behind the sample", text));
        }
        let (n, interpolation) = if text.peek().is_some_and(|b| b.is_ascii_digit()) {
            (number(text, 8)?, 1)
        } else {
            (u64::from(within(List::of(0, Size::Half, 1), text)?), 3)
        };
        op.field.set(word, n);
        INTERPOLATION_FIELD.set(word, interpolation);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        let bits = op.field.get(&insn.word);
        match INTERPOLATION_FIELD.get(&insn.word) {
            1 | 3 => true,
            2 if self.own => false,
            _ => bits & 0xff == 0,
        }
    }

    fn optional(&self) -> bool {
        true
    }

    fn shown(&self, _: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        insn.word.get(48, 1) != 0
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Self::list(op, insn.word).map(|list| named(list, false))
    }

    /// As 32 bits.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let n = op.field.get(&l.insn.word) & 0xff;
        match Self::list(op, l.insn.word) {
            Some(list) => {
                let n = read_units(l, false, list.unit, Size::Half, 1);
                l.convert(Convert::ZeroExtend, n, Scalar::I32)
            }
            None => l.constant(Scalar::I32.by(1), n),
        }
    }
}

/// Where in the pixel: its center, a sample that was named before, or the centroid.
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
        // The sample before has set the bits.
        match (text.word(), op.field.get(word)) {
            ("sample", 1 | 3) => {}
            ("centroid", 0) => op.field.set(word, 2),
            _ => return Err(expected("centroid, or sample behind the sample", text)),
        }
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn optional(&self) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// Depth, stencil, both behind each other, or neither, as the bits above the number say.
#[derive(Debug)]
struct DepthStencil;

/// The depth of 32 bits and the stencil value of 16 that a row gives, as far as there are such.
pub(crate) fn depth_stencil(l: &mut AgxLift<'_, '_>) -> (Option<Value>, Option<Value>) {
    let Some(list) = DepthStencil::list(&DEPTH_STENCIL, l.insn.word) else { return (None, None) };
    let depth = |l: &mut AgxLift<'_, '_>| read_units(l, false, list.unit, Size::Word, 1);
    match (list.size, list.count) {
        (Size::Word, _) => (Some(depth(l)), None),
        (_, 1) => (None, Some(read_units(l, false, list.unit, Size::Half, 1))),
        _ => (Some(depth(l)), Some(read_units(l, false, list.unit + 2, Size::Half, 1))),
    }
}

/// How many registers an interpolation writes.
pub(crate) fn iterated(l: &AgxLift<'_, '_>) -> u8 {
    (Iterated { coefficients: false }).list(&ITERATED, l.insn.word).count as u8
}

impl DepthStencil {
    fn list(op: &Operand<Agx>, word: u128) -> Option<List> {
        List::word_and_half(op.field.get(&word))
    }
}

impl Kind<Agx> for DepthStencil {
    fn describe(&self) -> &'static str {
        "depth and stencil"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        if let Some(list) = Self::list(op, insn.word) {
            list.print(out);
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
        let list = List::parse(text)?;
        let kind = match (list.letter, list.size, list.count, list.tail) {
            (b'r', Size::Word, 1, 0) => 1,
            (b'r', Size::Half, 1, 0) => 2,
            (b'r', Size::Half, 3, 0) => 3,
            _ => {
                return Err(Diagnostic::error(
                    "asm-operand",
                    "depth has 32 bits, stencil 16, and both are three halves",
                )
                .at_text(text.since(at), ""));
            }
        };
        if !list.lies_within(256) {
            return Err(
                Diagnostic::error("asm-operand", "there is no such register").at_text(text.since(at), "")
            );
        }
        op.field.set(word, u64::from(list.unit) | kind << 8);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        match Self::list(op, insn.word) {
            Some(list) => list.lies_within(256),
            None => op.field.get(&insn.word) == 0,
        }
    }

    fn optional(&self) -> bool {
        true
    }

    fn shown(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        Self::list(op, insn.word).is_some()
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Self::list(op, insn.word).map(|list| named(list, false))
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}
