//! Operand kinds: what fields stand for. How they are written is in `text`.

use crate::{
    ADDRESS, BOOLEANS, CONSTANTS, FLAGS, INPUTS, OUTPUTS, Options, Pica200, TEMPORARIES,
    text::{self, COMPARISONS},
};
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Op, Reg, Scalar, Swizzle, Type, Value};
use shisa_rows::{Field, Insn, Kind, Lift, Line, Number, OneOf, Operand, Part, Scan, Slot};

/// What a row is lifted with.
pub(crate) type PicaLift<'a, 'c> = Lift<'a, 'c, Pica200>;

/// The destination.
pub(crate) const D: Slot = Slot(0);
/// The first source.
pub(crate) const A: Slot = Slot(1);
/// The second source.
pub(crate) const B: Slot = Slot(2);
/// The third source.
pub(crate) const C: Slot = Slot(3);
/// The comparison that sets `cmp.x`.
pub(crate) const X: Slot = Slot(4);
/// The comparison that sets `cmp.y`.
pub(crate) const Y: Slot = Slot(5);
/// A condition on the flags, a boolean or an integer vector.
pub(crate) const TEST: Slot = Slot(6);
/// The word gone to.
pub(crate) const TO: Slot = Slot(7);
/// How many words run, or are skipped.
pub(crate) const COUNT: Slot = Slot(8);
/// The vertex slot of the geometry stage.
pub(crate) const VERTEX: Slot = Slot(9);
/// What the next emitted vertex is for.
pub(crate) const EMISSION: Slot = Slot(10);
/// The number of the operand descriptor.
pub(crate) const NUMBER: Slot = Slot(11);

const fn operand(slot: Slot, field: Field, kind: &'static dyn Kind<Pica200>) -> Operand<Pica200> {
    Operand { slot, field, kind }
}

/// Where sign and swizzle of source `n` lie in the descriptor.
const fn selector(field: Field, n: u8) -> Field {
    field.then(32 + 4 + 9 * n, 9)
}

/// A source of five or seven bits of register number, sign, swizzle, and index where there is one.
const fn source(slot: Slot, lo: u8, width: u8, n: u8, index: u8) -> Operand<Pica200> {
    let field = selector(Field::at(lo, width), n);
    match (width, index) {
        (5, 0) => operand(slot, field, &Source { wide: false, indexed: false }),
        (5, _) => operand(slot, field.then(index, 2), &Source { wide: false, indexed: true }),
        (_, 0) => operand(slot, field, &Source { wide: true, indexed: false }),
        _ => operand(slot, field.then(index, 2), &Source { wide: true, indexed: true }),
    }
}

/// Destination and mask of formats 1 and 5.
pub(crate) const DEST: Operand<Pica200> = operand(D, Field::at(21, 5).then(32, 4), &Dest);
/// See [`DEST`].
pub(crate) const DEST5: Operand<Pica200> = operand(D, Field::at(24, 5).then(32, 4), &Dest);
/// The address register of `mova`.
pub(crate) const DEST_A0: Operand<Pica200> = operand(D, Field::at(32, 4), &Address);
/// First source of format 1.
pub(crate) const A1: Operand<Pica200> = source(A, 12, 7, 0, 19);
/// Second source of format 1.
pub(crate) const B1: Operand<Pica200> = source(B, 7, 5, 1, 0);
/// First source of format 1i.
pub(crate) const A1I: Operand<Pica200> = source(A, 14, 5, 0, 0);
/// Second source of format 1i.
pub(crate) const B1I: Operand<Pica200> = source(B, 7, 7, 1, 19);
/// First source of format 5.
pub(crate) const A5: Operand<Pica200> = source(A, 17, 5, 0, 0);
/// Second source of format 5.
pub(crate) const B5: Operand<Pica200> = source(B, 10, 7, 1, 22);
/// Third source of format 5.
pub(crate) const C5: Operand<Pica200> = source(C, 5, 5, 2, 0);
/// Second source of format 5i.
pub(crate) const B5I: Operand<Pica200> = source(B, 12, 5, 1, 0);
/// Third source of format 5i.
pub(crate) const C5I: Operand<Pica200> = source(C, 5, 7, 2, 22);
/// Comparison for `cmp.x`.
pub(crate) const CMP_X: Operand<Pica200> =
    operand(X, Field::at(24, 3), &OneOf::new("comparison", COMPARISONS));
/// Comparison for `cmp.y`.
pub(crate) const CMP_Y: Operand<Pica200> =
    operand(Y, Field::at(21, 3), &OneOf::new("comparison", COMPARISONS));
/// A condition on the flags.
pub(crate) const FLAG_TEST: Operand<Pica200> = operand(TEST, Field::at(22, 4), &FlagTest);
/// A boolean.
pub(crate) const BOOLEAN: Operand<Pica200> = operand(TEST, Field::at(22, 4), &Boolean { negated: false });
/// A boolean, wanted true or false.
pub(crate) const BOOLEAN_OR_NOT: Operand<Pica200> =
    operand(TEST, Field::at(22, 4).then(0, 1), &Boolean { negated: true });
/// An integer vector.
pub(crate) const INTEGER: Operand<Pica200> =
    operand(TEST, Field::at(22, 2), &Number { prefix: "i", ..Number::new("integer vector") });
/// A word of the program.
pub(crate) const TARGET: Operand<Pica200> = operand(TO, Field::at(10, 12), &Number::new("word"));
/// A number of words.
pub(crate) const WORDS: Operand<Pica200> = operand(COUNT, Field::at(0, 8), &Number::new("number of words"));
/// A vertex slot.
pub(crate) const VERTEX_SLOT: Operand<Pica200> =
    operand(VERTEX, Field::at(24, 2), &Number::new("vertex slot"));
/// What the next emitted vertex is for: inverted winding, primitive.
pub(crate) const EMIT_FLAGS: Operand<Pica200> = operand(EMISSION, Field::at(22, 2), &EmitFlags);
const DESCRIPTOR_NUMBER: Number =
    Number { what: "number of the operand descriptor", prefix: "d", optional: true };
/// The number of the descriptor. It adds nothing to what the instruction means.
pub(crate) const DESCRIPTOR: Operand<Pica200> = operand(NUMBER, Field::at(0, 7), &DESCRIPTOR_NUMBER);
/// See [`DESCRIPTOR`].
pub(crate) const DESCRIPTOR5: Operand<Pica200> = operand(NUMBER, Field::at(0, 5), &DESCRIPTOR_NUMBER);

/// What parts of operands are, as the reference tells and finds them.
pub(crate) mod parts {
    pub(crate) const REGISTER: &str = "register";
    pub(crate) const SIGN: &str = "sign";
    pub(crate) const SWIZZLE: &str = "swizzle";
    pub(crate) const INDEX: &str = "index register";
    pub(crate) const MASK: &str = "mask";
    pub(crate) const JOIN: &str = "how the flags are joined";
    pub(crate) const Y: &str = "what cmp.y must be";
    pub(crate) const X: &str = "what cmp.x must be";
    pub(crate) const FALSE: &str = "wanted false";
    pub(crate) const WINDING: &str = "inverted winding";
    pub(crate) const PRIMITIVE: &str = "completes a triangle";
}

/// A register to be read: number, sign (bit 0) and swizzle, index register.
#[derive(Debug)]
pub(crate) struct Source {
    /// Whether seven bits reach the constants.
    wide: bool,
    /// Whether an index register can be added.
    indexed: bool,
}

/// The parts of a source's field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceBits {
    pub(crate) number: u32,
    pub(crate) negated: bool,
    /// As the machine counts: the first component in the top bits.
    pub(crate) selector: u8,
    pub(crate) index: u8,
}

impl SourceBits {
    /// The parts of an operand, if it is a source.
    pub(crate) fn of(op: &Operand<Pica200>, word: u64) -> Option<Self> {
        let kind: &dyn core::any::Any = op.kind;
        let source = kind.downcast_ref::<Source>()?;
        Some(SourceBits::new(op.field.get(&word), source.wide))
    }

    pub(crate) fn new(bits: u64, wide: bool) -> Self {
        let n = if wide { 7 } else { 5 };
        SourceBits {
            number: (bits & ((1 << n) - 1)) as u32,
            negated: bits >> n & 1 != 0,
            selector: (bits >> (n + 1)) as u8,
            index: (bits >> (n + 9)) as u8 & 3,
        }
    }

    pub(crate) fn bits(self, wide: bool) -> u64 {
        let n = if wide { 7 } else { 5 };
        u64::from(self.number)
            | u64::from(self.negated) << n
            | u64::from(self.selector) << (n + 1)
            | u64::from(self.index) << (n + 9)
    }

    /// Component by component.
    pub(crate) fn swizzle(self) -> Swizzle {
        Swizzle::from_slice(&[6, 4, 2, 0].map(|shift| self.selector >> shift & 3))
    }
}

impl Kind<Pica200> for Source {
    fn describe(&self) -> &'static str {
        if self.wide { "source" } else { "source without constants" }
    }

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
        if !self.wide && bits.number >= 32 {
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

/// Of a source, the components that the destination's mask keeps, one behind the other: all that an
/// operation on each component for itself needs.
pub(crate) fn kept(l: &mut PicaLift<'_, '_>, slot: Slot) -> Value {
    let value = l.src(slot);
    // A destination has the number of its register below the mask, `a0` has not.
    let bits = l.insn.field(D);
    let kept = mask(if l.insn.form().name == "mova" { bits & 0b1100 } else { bits >> 5 });
    if kept.0 == 0 || kept == Mask::ALL { value } else { narrow(l, value, kept) }
}

/// The components in a mask of a source just read, which nothing else uses yet.
fn narrow(l: &mut PicaLift<'_, '_>, value: Value, kept: Mask) -> Value {
    let ty = Scalar::F32.by(kept.count());
    match l.nodes.op(value) {
        Op::Read { reg, swizzle } => {
            l.nodes.list[value.index()].op = Op::Read { reg, swizzle: swizzle.under(kept) };
            l.nodes.list[value.index()].ty = ty;
            value
        }
        Op::Unary { a, .. } if matches!(l.nodes.op(a), Op::Read { .. }) => {
            narrow(l, a, kept);
            l.nodes.list[value.index()].ty = ty;
            value
        }
        _ => l.swizzle(value, Swizzle::IDENTITY.under(kept), kept.count()),
    }
}

/// Constant `n` plus an address register. Offsets beyond a signed byte count as zero; what lies behind
/// the last constant reads as ones.
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

/// A register to be written, with a mask.
#[derive(Debug)]
struct Dest;

/// The mask, x first; the machine has x in the highest of four bits.
fn mask(bits: u64) -> Mask {
    Mask((0..4).fold(0, |m, i| m | ((bits >> (3 - i) & 1) as u8) << i))
}

/// Writes to `reg` the components that the mask keeps of a vector, or a scalar to all of them.
fn write(l: &mut PicaLift<'_, '_>, reg: Reg, mask: Mask, value: Value) {
    if mask.0 == 0 {
        return;
    }
    let value = match l.ty(value).count {
        1 => l.splat(value, mask.count()),
        n if n == mask.count() => value,
        _ => l.swizzle(value, Swizzle::IDENTITY.under(mask), mask.count()),
    };
    l.write(reg, mask, value);
}

impl Kind<Pica200> for Dest {
    fn describe(&self) -> &'static str {
        "destination"
    }

    fn parts(&self) -> &'static [Part] {
        const { &[Part::new(0, 5, parts::REGISTER), Part::new(5, 4, parts::MASK)] }
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word) as usize;
        text::print_dest(bits & 31, out);
        text::print_mask(bits >> 5 & 15, out);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        let (number, kept) = text::parse_dest(text)?;
        op.field.set(word, u64::from(number) | u64::from(kept.0.reverse_bits() >> 4) << 5);
        Ok(())
    }

    /// A destination without components has no text.
    fn faithful(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options) -> bool {
        op.field.get(&insn.word) >> 5 != 0
    }

    fn read(&self, _: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        l.no_value()
    }

    /// Takes a vector of four, of which the mask keeps some; just those; or a scalar for all of them.
    fn write(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>, value: Value) {
        let bits = op.field.get(&l.insn.word);
        let file = if bits & 16 == 0 { OUTPUTS } else { TEMPORARIES };
        write(l, Reg::new(file, 4 * (bits as u16 & 15)), mask(bits >> 5), value);
    }
}

/// `a0` with a mask.
#[derive(Debug)]
struct Address;

impl Kind<Pica200> for Address {
    fn describe(&self) -> &'static str {
        "address register"
    }

    fn parts(&self) -> &'static [Part] {
        const { &[Part::new(0, 4, parts::MASK)] }
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        out.text("a0");
        text::print_mask(op.field.get(&insn.word) as usize & 15, out);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        if !text.eat_str("a0") {
            return Err(Diagnostic::error("asm-operand", "expected a0").at_text(at..at, ""));
        }
        let kept = text::parse_mask(text)?;
        op.field.set(word, u64::from(kept.0.reverse_bits() >> 4));
        Ok(())
    }

    fn faithful(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options) -> bool {
        op.field.get(&insn.word) != 0
    }

    fn read(&self, _: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        l.no_value()
    }

    /// Takes four integers, of which only x and y have a register, or those that the mask keeps.
    fn write(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>, value: Value) {
        let kept = Mask(mask(op.field.get(&l.insn.word)).0 & 3);
        write(l, Reg::new(ADDRESS, 0), kept, value);
    }
}

/// A condition on the flags: how they are joined (bits 0 and 1), then what each is compared with, y
/// first.
#[derive(Debug)]
struct FlagTest;

impl Kind<Pica200> for FlagTest {
    fn describe(&self) -> &'static str {
        "condition"
    }

    fn parts(&self) -> &'static [Part] {
        const { &[Part::new(0, 2, parts::JOIN), Part::new(2, 1, parts::Y), Part::new(3, 1, parts::X)] }
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        text::print_test(op.field.get(&insn.word), out);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        let bits = text::parse_test(text)?;
        op.field.set(word, bits);
        Ok(())
    }

    /// A flag that is not asked must be compared with true, as assemblers have it.
    fn faithful(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options) -> bool {
        let bits = op.field.get(&insn.word);
        match bits & 3 {
            2 => bits & 4 != 0,
            3 => bits & 8 != 0,
            _ => true,
        }
    }

    fn read(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let flag = |l: &mut PicaLift<'_, '_>, unit: u16, wanted: bool| {
            let flag = l.read(Reg::new(FLAGS, unit), Swizzle::IDENTITY, Type::BOOL);
            if wanted { flag } else { l.not(flag) }
        };
        let (x, y) = (bits & 8 != 0, bits & 4 != 0);
        match bits & 3 {
            2 => flag(l, 0, x),
            3 => flag(l, 1, y),
            join => {
                let (x, y) = (flag(l, 0, x), flag(l, 1, y));
                if join == 0 { l.or(x, y) } else { l.and(x, y) }
            }
        }
    }
}

/// A boolean; bit 4, where there is one, asks for false.
#[derive(Debug)]
struct Boolean {
    negated: bool,
}

impl Kind<Pica200> for Boolean {
    fn describe(&self) -> &'static str {
        "boolean"
    }

    fn parts(&self) -> &'static [Part] {
        const ALL: &[Part] = &[Part::new(0, 4, parts::REGISTER), Part::new(4, 1, parts::FALSE)];
        if self.negated { ALL } else { &ALL[..1] }
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        if bits & 16 != 0 {
            out.byte(b'!');
        }
        out.byte(b'b');
        out.dec(bits & 15);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        let not = self.negated && text.eat(b'!');
        let n = text::parse_register(text, &[(b'b', 0, 16)])?;
        op.field.set(word, u64::from(n) | u64::from(not) << 4);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Pica200>, _: &Insn<Pica200>, _: &Options) -> bool {
        true
    }

    fn read(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let held = l.read(Reg::new(BOOLEANS, bits as u16 & 15), Swizzle::IDENTITY, Type::BOOL);
        if bits & 16 == 0 { held } else { l.not(held) }
    }
}

/// Winding in bit 0, primitive in bit 1; nothing is written for neither.
#[derive(Debug)]
struct EmitFlags;

impl Kind<Pica200> for EmitFlags {
    fn describe(&self) -> &'static str {
        "emission flags"
    }

    fn parts(&self) -> &'static [Part] {
        const { &[Part::new(0, 1, parts::WINDING), Part::new(1, 1, parts::PRIMITIVE)] }
    }

    fn print(&self, op: &Operand<Pica200>, insn: &Insn<Pica200>, _: &Options, out: &mut Line<'_>) {
        out.text(["", "inv", "prim", "prim inv"][op.field.get(&insn.word) as usize & 3]);
    }

    fn parse(
        &self,
        op: &Operand<Pica200>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: &Options,
    ) -> Result<(), Diagnostic> {
        op.field.set(word, text::parse_emit_flags(text)?);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Pica200>, _: &Insn<Pica200>, _: &Options) -> bool {
        true
    }

    fn optional(&self) -> bool {
        true
    }

    fn read(&self, op: &Operand<Pica200>, l: &mut PicaLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        l.i32(bits as i32)
    }
}
