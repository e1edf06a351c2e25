//! The names of registers, predicates and numbers as text, and back.

use super::{PT, RZ, expected};
use crate::{Ctx, Maxwell, Symbols};
use shisa_diag::Diagnostic;
use shisa_rows::{Line, Name, Operand, Scan};

/// The names of all registers.
static REGISTER_NAMES: [Name; 256] = {
    let mut names = [Name::new("RZ"); 256];
    let mut n = 0;
    while n < RZ as usize {
        let digits = [b'R', b'0' + (n / 100) as u8, b'0' + (n / 10 % 10) as u8, b'0' + (n % 10) as u8];
        let text = match n {
            0..10 => &[digits[0], digits[3]] as &[u8],
            10..100 => &[digits[0], digits[2], digits[3]],
            _ => &digits,
        };
        names[n] = Name::ascii(text);
        n += 1;
    }
    names
};

pub(crate) fn print_register(n: u64, out: &mut Line<'_>) {
    out.name(&REGISTER_NAMES[n as usize & 255]);
}

/// The names of all predicates; bit 3 negates.
#[rustfmt::skip]
static PREDICATE_NAMES: [Name; 16] = names([
    "P0", "P1", "P2", "P3", "P4", "P5", "P6", "PT", "!P0", "!P1", "!P2", "!P3", "!P4", "!P5", "!P6", "!PT",
]);

/// Texts ready to be copied.
pub(crate) const fn names<const N: usize>(texts: [&str; N]) -> [Name; N] {
    let (mut out, mut i) = ([Name::new(""); N], 0);
    while i < N {
        out[i] = Name::new(texts[i]);
        i += 1;
    }
    out
}

#[inline]
pub(crate) fn parse_register(text: &mut Scan<'_>) -> Result<u64, Diagnostic> {
    if let [b'R', name @ ..] = text.bytes() {
        let (mut n, mut length) = (0, 0);
        while let Some(b @ b'0'..=b'9') = name.get(length)
            && n < RZ
        {
            n = 10 * n + u64::from(b - b'0');
            length += 1;
        }
        if length == 0 && name.first() == Some(&b'Z') {
            (n, length) = (RZ, 1);
        } else if length == 0 || n >= RZ {
            return Err(expected("a register", text));
        }
        text.skip(1 + length);
        return Ok(n);
    }
    Err(expected("a register", text))
}

/// Reads a register to which nothing is done, if one comes next: most are such.
#[inline]
pub(crate) fn plain_register(text: &mut Scan<'_>) -> Option<u64> {
    let (n, digits) = match text.bytes() {
        [b'R', b'Z', ..] => (RZ, 1),
        [b'R', a @ b'0'..=b'9', b @ b'0'..=b'9', ..] => (u64::from(10 * (a - b'0') + (b - b'0')), 2),
        [b'R', a @ b'0'..=b'9', ..] => (u64::from(a - b'0'), 1),
        _ => return None,
    };
    let ends = matches!(text.bytes().get(1 + digits), Some(b',' | b' ' | b';'));
    ends.then(|| {
        text.skip(1 + digits);
        n
    })
}

/// Writes a predicate; bit 3 negates.
pub(crate) fn print_predicate(bits: u64, out: &mut Line<'_>) {
    out.name(&PREDICATE_NAMES[bits as usize & 15]);
}

/// Reads a predicate; bit 3 negates.
pub(crate) fn parse_predicate(text: &mut Scan<'_>) -> Result<u64, Diagnostic> {
    let start = text.pos();
    let not = u64::from(text.eat(b'!')) << 3;
    if text.eat_str("PT") {
        return Ok(not | PT);
    }
    match text.eat(b'P').then(|| text.dec()).flatten() {
        Some(n) if n < PT => Ok(not | n),
        _ => {
            let d = Diagnostic::error("asm-operand", "expected a predicate, P0 to P6 or PT");
            Err(d.at_text(text.since(start), ""))
        }
    }
}

/// The name of the number that begins at bit `lo` of an operand's field, if it has one in the instruction at the
/// context's address. Other bits of the field may be below it in the word.
pub(super) fn named<'a>(op: &Operand<Maxwell>, lo: u8, ctx: Ctx<'a>) -> Option<&'a str> {
    let symbols = ctx.symbols?;
    let (bit, _) = op.field.part(lo, 1).next()?;
    symbols.number(ctx.pc, bit.into())
}

/// The bits that decide how an operand is printed whose number may have a name at its address.
pub(super) fn unless_named(op: &Operand<Maxwell>, ctx: Ctx) -> Option<u128> {
    (!ctx.symbols.is_some_and(Symbols::names_numbers)).then(|| op.field.mask())
}
