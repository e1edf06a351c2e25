//! Operands of device memory, the stack and stores to uniforms.

use super::list::{List, ahead, too_large};
use super::listed::{COMPLETE, Listed, Lists};
use super::{
    A, AgxLift, B, CACHING, COMPONENTS, D, SHAPE, SHIFTED, Size, WAIT, operand, parse_register,
    print_register, read_units,
};
use crate::{Agx, Ctx, Syntax};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Value};
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, OneOf, Operand, Registers, Scan, Word};

/// The registers loaded.
pub(crate) const LOADED: Operand<Agx> = operand(D, MEMORY, &Listed(Masked { written: true, ..STORED_KIND }));
/// The registers stored.
pub(crate) const STORED: Operand<Agx> = operand(D, MEMORY, &Listed(STORED_KIND));
/// The base address.
pub(crate) const LOAD_BASE: Operand<Agx> =
    operand(A, Field::at(16, 4).then(36, 4).then(27, 1), &Listed(Base));
/// The number of the element.
pub(crate) const INDEX: Operand<Agx> =
    operand(B, Field::at(20, 4).then(32, 4).then(56, 8).then(24, 2), &Index);
/// A further shift of the element's number.
pub(crate) const LOAD_SHIFT: Operand<Agx> =
    operand(SHIFTED, Field::at(42, 2), &OneOf::optional("name", &["", "lsl 1", "lsl 2", "lsl 3"]));
/// The memory format.
pub(crate) const FORMAT: Operand<Agx> =
    operand(SHAPE, Field::at(7, 3).then(48, 1), &OneOf::new("name", FORMATS));
/// The same on the stack.
pub(crate) const STACK_FORMAT: Operand<Agx> =
    operand(SHAPE, Field::at(8, 2).then(50, 2), &OneOf::new("name", FORMATS));
/// Which elements are loaded or stored.
pub(crate) const LOAD_MASK: Operand<Agx> = operand(COMPONENTS, Field::at(52, 4), &OneOf::new("name", MASKS));
/// The coherency of cached data.
pub(crate) const COHERENCY: Operand<Agx> =
    operand(CACHING, Field::at(44, 2), &OneOf::optional("name", &["", "coherent1", "coherent2", "coherent"]));
/// The group that waits for the access.
pub(crate) const GROUP: Operand<Agx> = operand(WAIT, Field::at(30, 1), &OneOf::new("name", GROUPS));
/// The group to wait for.
pub(crate) const WAIT_GROUP: Operand<Agx> = operand(WAIT, Field::at(8, 1), &OneOf::new("name", GROUPS));
const MEMORY: Field = Field::at(10, 6).then(40, 2).then(49, 1);
const STORED_KIND: Masked = Masked { size: 49, mask: LOAD_MASK.field, another: None, written: false };
pub(super) const GROUPS: &[&str] = &["a", "b"];
pub(crate) const FORMATS: &[&str] = &[
    "i8",
    "i16",
    "i32",
    "f16",
    "u8norm",
    "s8norm",
    "u16norm",
    "s16norm",
    "rgb10a2",
    "",
    "srgba8",
    "",
    "rg11b10f",
    "rgb9e5",
    "rg11b10f_rtz",
    "rgb9e5_rtz",
];
pub(super) const MASKS: &[&str] =
    &["none", "x", "y", "xy", "z", "xz", "yz", "xyz", "w", "xw", "yw", "xyw", "zw", "xzw", "yzw", "xyzw"];
/// As many consecutive registers as another field has bits set; the last bit states their size.
#[derive(Debug)]
pub(super) struct Masked {
    pub(super) size: u8,
    pub(super) mask: Field,
    /// The bit that states that one more register is accessed, which the text does not name.
    pub(super) another: Option<u8>,
    pub(super) written: bool,
}

impl Lists for Masked {
    fn describe(&self) -> &'static str {
        "registers"
    }

    fn beside(&self) -> u128 {
        self.mask.mask()
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let size = if word.get(u32::from(self.size), 1) != 0 { Size::Word } else { Size::Half };
        let unit = op.field.get(&word) & ((1 << (op.field.width() - 1)) - 1);
        Some(List::of(unit as u16, size, self.mask.get(&word).count_ones().max(1) as u16))
    }

    fn touched(&self, op: &Operand<Agx>, word: u128) -> Option<List> {
        let list = self.list(op, word, COMPLETE)?;
        let another = self.another.is_some_and(|bit| word.get(u32::from(bit), 1) != 0);
        Some(List { count: list.count + u16::from(another), ..list })
    }

    fn written(&self) -> bool {
        self.written
    }

    /// The mask, which follows, states how many there are.
    fn parse(&self, op: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        let at = text.pos();
        let count = ahead(text, MASKS).map(|mask| mask.count_ones().max(1) as u16);
        let list = List::parse(text)?;
        let top = op.field.width() - 1;
        let refused = |what| Err(Diagnostic::error("asm-operand", what).at_text(text.since(at), ""));
        if list.letter != b'r' || list.size == Size::Double || list.tail > 0 || list.unit >> top != 0 {
            return refused("these registers do not fit here");
        }
        if count.is_some_and(|count| count != list.count) {
            return refused("there are not as many registers as the mask chooses");
        }
        Ok(u64::from(list.unit) | u64::from(list.size == Size::Word) << top)
    }
}

/// A 64-bit base address: the last bit selects a uniform, the lowest must be clear.
#[derive(Debug)]
pub(super) struct Base;

impl Base {
    /// The number of the first half register, and whether it is a uniform.
    fn first(op: &Operand<Agx>, word: u128) -> (u16, bool) {
        let (bits, top) = (op.field.get(&word), op.field.width() - 1);
        ((bits & ((1 << top) - 1)) as u16, bits >> top != 0)
    }
}

impl Lists for Base {
    fn describe(&self) -> &'static str {
        "base address"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let (unit, uniform) = Base::first(op, word);
        let letter = if uniform { b'u' } else { b'r' };
        Some(List { letter, ..List::of(unit & !1, Size::Double, 1) })
    }

    fn parse(&self, op: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        let (at, top) = (text.pos(), op.field.width() - 1);
        match parse_register(text)? {
            (letter, unit, Size::Double) if unit >> top == 0 => {
                Ok(u64::from(unit) | u64::from(letter == b'u') << top)
            }
            _ => {
                let last = ((1 << top) - 2) / 2;
                let what = alloc::format!("an address has 64 bits, dr0 to dr{last} or du0 to du{last}");
                Err(Diagnostic::error("asm-operand", what).at_text(text.since(at), ""))
            }
        }
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> bool {
        op.field.get(&word) & 1 == 0
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let (unit, uniform) = Base::first(op, l.insn.word);
        if unit & 1 != 0 {
            l.refuse(Diagnostic::error("lift-operand", "a base address must be an even half register"));
        }
        read_units(l, uniform, unit & !1, Size::Double, 1)
    }
}

/// The base address of a memory row with the low bits, below the element's size, cleared.
pub(crate) fn memory_base(l: &mut AgxLift<'_, '_>, size: u8) -> Value {
    let base = l.src(A);
    let mask = l.constant(Scalar::I64.by(1), !(u64::from(size) - 1));
    l.and(base, mask)
}

/// The number of an element: 16 bits, then whether they are a number, then whether they are unsigned.
#[derive(Debug)]
struct Index;

impl Kind<Agx> for Index {
    fn describe(&self) -> &'static str {
        "number of the element"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        match bits >> 16 {
            1 => {
                let v = bits as u16 as i16;
                if v < 0 {
                    out.byte(b'-');
                }
                out.dec(u64::from(v.unsigned_abs()));
            }
            3 => {
                out.dec(bits & 0xffff);
                // Other tools do not write whether the number is extended with zeros.
                out.text(if ctx.syntax == Syntax::Full && bits & 0x8000 == 0 { ".zx" } else { "" });
            }
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
            Some(n) if !negative && n < 0x1_0000 => {
                let unsigned = text.eat_str(".zx") || n >= 0x8000;
                n | 1 << 16 | u64::from(unsigned) << 17
            }
            Some(n) if negative && n <= 0x8000 => (0x1_0000 - n) & 0xffff | 1 << 16,
            Some(_) => return Err(too_large(text, at, 16)),
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

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        let bits = op.field.get(&insn.word);
        match bits >> 16 {
            1 => true,
            3 => bits & 0x8000 != 0 || ctx.syntax == Syntax::Full,
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

impl Details<Agx> for Index {
    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        let bits = op.field.get(&insn.word);
        (bits >> 16 & 1 == 0).then(|| List::of(bits as u16 & 0xfe, Size::Word, 1).named(false))
    }
}

impl Hints<Agx> for Index {}

/// The number of the first element, shifted by the row's amount.
pub(crate) fn index(l: &mut AgxLift<'_, '_>) -> Value {
    let n = l.src(B);
    let by = l.insn.field(SHIFTED).min(2);
    let by = l.constant(Scalar::I64.by(1), by);
    l.shl(n, by)
}
