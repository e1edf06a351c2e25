//! Operands of memory and texture rows.

use super::{
    A, AgxLift, B, C, CACHING, COMPONENTS, D, DETAIL, SHAPE, SHIFTED, Size, WAIT, X, expected, is_aligned,
    operand, parse_register, print_register, read_units, write_units,
};
use crate::{Agx, Ctx};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Dim, FloatRule, Lod, Scalar, Value};
use shisa_rows::{Field, Insn, Kind, Line, OneOf, Operand, Scan, Word};

/// The registers loaded or stored.
pub(crate) const MEMORY: Operand<Agx> =
    operand(D, Field::at(10, 6).then(40, 2).then(49, 1), &Registers { size: 49, mask: LOAD_MASK.field });
/// The address that offsets are added to.
pub(crate) const LOAD_BASE: Operand<Agx> = operand(A, Field::at(16, 4).then(36, 4).then(27, 1), &Base);
/// The number of the element.
pub(crate) const INDEX: Operand<Agx> =
    operand(B, Field::at(20, 4).then(32, 4).then(56, 8).then(24, 2), &Index);
/// A further shift of the element's number.
pub(crate) const LOAD_SHIFT: Operand<Agx> =
    operand(SHIFTED, Field::at(42, 2), &OneOf::optional("name", &["", "lsl 1", "lsl 2", "lsl 3"]));
/// What lies in memory.
pub(crate) const FORMAT: Operand<Agx> =
    operand(SHAPE, Field::at(7, 3).then(48, 1), &OneOf::new("name", FORMATS));
/// Which elements are loaded or stored.
pub(crate) const LOAD_MASK: Operand<Agx> = operand(COMPONENTS, Field::at(52, 4), &OneOf::new("name", MASKS));
/// Who else sees what is cached.
pub(crate) const COHERENCY: Operand<Agx> =
    operand(CACHING, Field::at(44, 2), &OneOf::optional("name", &["", "coherent1", "coherent2", "coherent"]));
/// The group that waits for the access.
pub(crate) const GROUP: Operand<Agx> = operand(WAIT, Field::at(30, 1), &OneOf::new("name", GROUPS));
/// The group that is waited for.
pub(crate) const WAIT_GROUP: Operand<Agx> = operand(WAIT, Field::at(8, 1), &OneOf::new("name", GROUPS));

/// The registers that a texture read writes.
pub(crate) const SAMPLED: Operand<Agx> =
    operand(D, Field::at(9, 6).then(8, 1), &Registers { size: 8, mask: SMP_MASK.field });
/// A texture.
pub(crate) const TEXTURE: Operand<Agx> = operand(A, Field::at(32, 6), &State("ts"));
/// A sampler.
pub(crate) const SAMPLER: Operand<Agx> = operand(B, Field::at(56, 6), &State("ss"));
/// The first register of the coordinates.
pub(crate) const COORD: Operand<Agx> = operand(C, Field::at(16, 6), &Coordinates);
/// A number for the level of detail.
pub(crate) const LOD: Operand<Agx> = operand(X, Field::at(24, 6), &Level);
/// The shape of the texture.
pub(crate) const DIM: Operand<Agx> = operand(
    SHAPE,
    Field::at(40, 3),
    &OneOf::new("name", &["1d", "1d_array", "2d", "2d_array", "2d_ms", "3d", "cube", "cube_array"]),
);
/// The components that are written.
pub(crate) const SMP_MASK: Operand<Agx> = operand(COMPONENTS, Field::at(48, 4), &OneOf::new("name", MASKS));
/// Where the level of detail comes from.
pub(crate) const LOD_TYPE: Operand<Agx> =
    operand(DETAIL, LOD_TYPE_FIELD, &OneOf::new("name", &["auto_lod", "auto_lod_bias", "lod_min"]));
/// The group that waits for the texel.
pub(crate) const SMP_GROUP: Operand<Agx> = operand(WAIT, Field::at(63, 1), &OneOf::new("name", GROUPS));

const LOD_TYPE_FIELD: Field = Field::at(52, 2);
const GROUPS: &[&str] = &["a", "b"];
const FORMATS: &[&str] = &[
    "i8",
    "i16",
    "i32",
    "f16",
    "u8norm",
    "s8norm",
    "u16norm",
    "s16norm",
    "rgb10a2",
    "srgba8",
    "",
    "",
    "rg11b10f",
    "rgb9e5",
    "rg11b10f_rtz",
    "rgb9e5_rtz",
];
const MASKS: &[&str] =
    &["none", "x", "y", "xy", "z", "xz", "yz", "xyz", "w", "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"];

/// As many registers in a row as another field has bits set; the last bit tells their size.
#[derive(Debug)]
struct Registers {
    size: u8,
    mask: Field,
}

impl Registers {
    fn size(&self, word: u128) -> Size {
        if word.get(u32::from(self.size), 1) != 0 { Size::Word } else { Size::Half }
    }

    fn unit(op: &Operand<Agx>, word: u128) -> u16 {
        (op.field.get(&word) & ((1 << (op.field.width() - 1)) - 1)) as u16
    }
}

impl Kind<Agx> for Registers {
    fn describe(&self) -> &'static str {
        "registers"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let (unit, size) = (Self::unit(op, insn.word), self.size(insn.word));
        let count = self.mask.get(&insn.word).count_ones().max(1) as u16;
        for i in 0..count {
            if i > 0 {
                out.byte(b'_');
            }
            print_register(b'r', unit + i * size.units(), size, out);
        }
    }

    /// The mask behind tells how many there are; here they must follow each other.
    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let (letter, unit, size) = parse_register(text)?;
        let mut next = unit + size.units();
        while text.eat(b'_') {
            if parse_register(text)? != (letter, next, size) {
                return Err(Diagnostic::error("asm-operand", "these registers do not follow each other")
                    .at_text(text.since(at), ""));
            }
            next += size.units();
        }
        let bits = u64::from(unit) | u64::from(size == Size::Word) << (op.field.width() - 1);
        if letter != b'r' || size == Size::Double || unit >> (op.field.width() - 1) != 0 {
            return Err(Diagnostic::error("asm-operand", "these registers do not fit here")
                .at_text(text.since(at), ""));
        }
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        let (unit, size) = (Self::unit(op, insn.word), self.size(insn.word));
        let count = self.mask.get(&insn.word).count_ones().max(1) as u16;
        is_aligned(unit, size) && unit + count * size.units() <= 256
    }

    /// All of them, as integers of their size.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let word = l.insn.word;
        let count = self.mask.get(&word).count_ones().max(1) as u8;
        read_units(l, false, Self::unit(op, word), self.size(word), count)
    }

    /// Takes as many integers or floats of 32 bits as there are registers.
    fn write(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>, value: Value) {
        let (unit, size) = (Self::unit(op, l.insn.word), self.size(l.insn.word));
        let mut value = value;
        if l.ty(value).scalar == Scalar::F32 && size == Size::Half {
            let rule = core::mem::replace(&mut l.rule, FloatRule::IEEE);
            value = l.convert(Convert::Float, value, Scalar::F16);
            l.rule = rule;
        }
        let int = l.ty(value).scalar.as_int();
        if int != l.ty(value).scalar {
            value = l.convert(Convert::Bits, value, int);
        }
        if int.bits() < size.scalar().bits() {
            value = l.convert(Convert::ZeroExtend, value, size.scalar());
        } else if int.bits() > size.scalar().bits() {
            value = l.convert(Convert::Truncate, value, size.scalar());
        }
        write_units(l, unit, size, value);
    }
}

/// A base address of 64 bits: the last bit chooses a uniform, the lowest must be clear.
#[derive(Debug)]
struct Base;

impl Kind<Agx> for Base {
    fn describe(&self) -> &'static str {
        "base address"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        let letter = if bits >> 8 != 0 { b'u' } else { b'r' };
        print_register(letter, bits as u16 & 0xfe, Size::Double, out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        match parse_register(text)? {
            (letter, unit @ 0..256, Size::Double) => {
                op.field.set(word, u64::from(unit) | u64::from(letter == b'u') << 8);
                Ok(())
            }
            _ => Err(Diagnostic::error("asm-operand", "a base address has 64 bits, such as du0")
                .at_text(text.since(at), "")),
        }
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        op.field.get(&insn.word) & 1 == 0
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        if bits & 1 != 0 {
            l.refuse(Diagnostic::error("lift-operand", "a base address at an odd half"));
        }
        read_units(l, bits >> 8 != 0, bits as u16 & 0xfe, Size::Double, 1)
    }
}

/// The base address of a memory row with the low bits, below the element's size, cleared.
pub(crate) fn memory_base(l: &mut AgxLift<'_, '_>, size: u8) -> Value {
    let base = l.src(A);
    let mask = l.constant(Scalar::I64.by(1), !(u64::from(size) - 1));
    l.and(base, mask)
}

/// The number of an element: 16 bits, then whether they are a number, then whether they lack a sign.
#[derive(Debug)]
struct Index;

impl Kind<Agx> for Index {
    fn describe(&self) -> &'static str {
        "number of the element"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        match bits >> 16 {
            1 => {
                let v = bits as u16 as i16;
                if v < 0 {
                    out.byte(b'-');
                }
                out.dec(u64::from(v.unsigned_abs()));
            }
            3 => out.dec(bits & 0xffff),
            register => {
                print_register(b'r', bits as u16 & 0xfe, Size::Word, out);
                out.text(if register == 0 { ".sx" } else { "" });
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
        let at = text.pos();
        let negative = text.eat(b'-');
        let bits = match text.dec() {
            Some(n) if !negative && n < 0x8000 => n | 1 << 16,
            Some(n) if !negative && n < 0x1_0000 => n | 3 << 16,
            Some(n) if negative && n <= 0x8000 => (0x1_0000 - n) & 0xffff | 1 << 16,
            Some(_) => {
                return Err(Diagnostic::error("asm-range", "the number needs more than 16 bits")
                    .at_text(text.since(at), ""));
            }
            None => match parse_register(text)? {
                (b'r', unit, Size::Word) if !negative => {
                    u64::from(unit) | u64::from(!text.eat_str(".sx")) << 17
                }
                _ => {
                    return Err(Diagnostic::error(
                        "asm-operand",
                        "an index is a number or a register of 32 bits",
                    )
                    .at_text(text.since(at), ""));
                }
            },
        };
        op.field.set(word, bits);
        Ok(())
    }

    /// A number that fits with and without sign is written with it.
    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        let bits = op.field.get(&insn.word);
        match bits >> 16 {
            1 => true,
            3 => bits & 0x8000 != 0,
            _ => bits & 0xff01 == 0,
        }
    }

    /// As 64 bits.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let wide = Scalar::I64.by(1);
        match bits >> 16 {
            1 => l.constant(wide, i64::from(bits as u16 as i16) as u64),
            3 => l.constant(wide, bits & 0xffff),
            register => {
                if bits & 0xff01 != 0 {
                    l.refuse(Diagnostic::error("lift-operand", "an index of unknown kind"));
                }
                let n = read_units(l, false, bits as u16 & 0xfe, Size::Word, 1);
                let op = if register == 0 { Convert::SignExtend } else { Convert::ZeroExtend };
                l.convert(op, n, Scalar::I64)
            }
        }
    }
}

/// The number of the first element, shifted as the row says.
pub(crate) fn index(l: &mut AgxLift<'_, '_>) -> Value {
    let n = l.src(B);
    let by = l.insn.field(SHIFTED).min(2);
    let by = l.constant(Scalar::I64.by(1), by);
    l.shl(n, by)
}

/// A state register: its number behind a prefix.
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
        match text.eat_str(self.0).then(|| text.dec()).flatten() {
            Some(n) if n >> op.field.width() == 0 => {
                op.field.set(word, n);
                Ok(())
            }
            _ => Err(expected(&format!("{} and a number below 64", self.0), text)),
        }
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// Coordinates of 32 bits from a register on.
#[derive(Debug)]
struct Coordinates;

impl Kind<Agx> for Coordinates {
    fn describe(&self) -> &'static str {
        "coordinates"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        print_register(b'r', op.field.get(&insn.word) as u16, Size::Word, out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        match parse_register(text)? {
            (b'r', unit @ 0..64, Size::Word) => {
                op.field.set(word, u64::from(unit));
                Ok(())
            }
            _ => Err(Diagnostic::error("asm-operand", "coordinates are registers of 32 bits up to r31")
                .at_text(text.since(at), "")),
        }
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        op.field.get(&insn.word) & 1 == 0
    }

    /// As many floats as the texture has coordinates.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let unit = op.field.get(&l.insn.word) as u16;
        let count = dimension(l).map_or(2, Dim::coordinates);
        let bits = read_units(l, false, unit, Size::Word, count);
        l.convert(Convert::Bits, bits, Scalar::F32)
    }
}

/// A number for the level of detail: 0 or a uniform half, as its type says.
#[derive(Debug)]
struct Level;

impl Kind<Agx> for Level {
    fn describe(&self) -> &'static str {
        "level of detail"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        if LOD_TYPE_FIELD.get(&insn.word) == 0 {
            return out.dec(bits);
        }
        print_register(b'u', bits as u16, Size::Half, out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        if text.eat(b'0') {
            op.field.set(word, 0);
            return Ok(());
        }
        let at = text.pos();
        match parse_register(text)? {
            (b'u', unit @ 0..64, Size::Half) => {
                op.field.set(word, u64::from(unit));
                Ok(())
            }
            _ => Err(Diagnostic::error("asm-operand", "a level is 0 or a uniform half up to u31h")
                .at_text(text.since(at), "")),
        }
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        LOD_TYPE_FIELD.get(&insn.word) != 0 || op.field.get(&insn.word) == 0
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let unit = op.field.get(&l.insn.word) as u16;
        let bits = read_units(l, true, unit, Size::Half, 1);
        let half = l.convert(Convert::Bits, bits, Scalar::F16);
        l.convert(Convert::Float, half, Scalar::F32)
    }
}

/// The shape of the texture that a row reads, if it is known.
pub(crate) fn dimension(l: &AgxLift<'_, '_>) -> Option<Dim> {
    match l.insn.field(SHAPE) {
        2 => Some(Dim::D2),
        5 => Some(Dim::D3),
        6 => Some(Dim::Cube),
        _ => None,
    }
}

/// The level of detail of a texture read.
pub(crate) fn lod(l: &mut AgxLift<'_, '_>) -> Lod {
    match l.insn.field(DETAIL) {
        0 => Lod::Implicit,
        1 => Lod::Bias(l.src(X)),
        _ => Lod::Level(l.src(X)),
    }
}
