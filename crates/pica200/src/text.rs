//! Operands as text: the syntax that picasso reads.

use crate::operand::SourceBits;
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Swizzle};
use shisa_rows::{LETTERS, Line, Name, Scan, mask_name, swizzle_name};

/// Comparisons by number. The last two, which are always true, have no name in picasso.
pub(crate) const COMPARISONS: &[&str] = &["eq", "ne", "lt", "le", "gt", "ge", "true6", "true7"];

const INDEXES: [&str; 4] = ["", "[a0.x]", "[a0.y]", "[aL]"];

/// Writes a source: its number among all, sign, selector, index register.
#[inline]
pub(crate) fn print_source(number: usize, negated: bool, selector: usize, index: usize, out: &mut Line<'_>) {
    if negated {
        out.byte(b'-');
    }
    if let Some(name) = SOURCES.get(number) {
        out.name(name);
    }
    if index != 0 {
        out.text(INDEXES[index & 3]);
    }
    print_selection(selector, out);
}

/// Writes a source's swizzle; nothing for the identity.
#[inline]
pub(crate) fn print_selection(selector: usize, out: &mut Line<'_>) {
    if let Some(name) = SELECTIONS.get(selector) {
        out.name(name);
    }
}

/// A letter and a number below 100.
const fn register(letter: u8, n: usize) -> Name {
    let digits = [letter, b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
    if n < 10 { Name::ascii(&[letter, digits[2]]) } else { Name::ascii(&digits) }
}

/// All registers that can be read, by number.
static SOURCES: [Name; 128] = {
    let mut names = [Name::new(""); 128];
    let mut n = 0;
    while n < 128 {
        names[n] = match n {
            0..16 => register(b'v', n),
            16..32 => register(b'r', n - 16),
            _ => register(b'c', n - 32),
        };
        n += 1;
    }
    names
};

/// All registers that can be written, by number.
static DESTINATIONS: [Name; 32] = {
    let mut names = [Name::new(""); 32];
    let mut n = 0;
    while n < 32 {
        names[n] = if n < 16 { register(b'o', n) } else { register(b'r', n - 16) };
        n += 1;
    }
    names
};

/// Every mask, x in bit 3.
static MASKS: [Name; 16] = {
    let mut names = [Name::new(""); 16];
    let mut mask = 0u8;
    while mask < 16 {
        names[mask as usize] = mask_name(Mask(mask.reverse_bits() >> 4));
        mask += 1;
    }
    names
};

/// Every selector, x in the highest bits.
static SELECTIONS: [Name; 256] = {
    let mut names = [Name::new(""); 256];
    let mut selector = 0;
    while selector < 256 {
        let s = selector as u8;
        names[selector] = swizzle_name(Swizzle(s >> 6 | s >> 2 & 0x0c | s << 2 & 0x30 | s << 6));
        selector += 1;
    }
    names
};

/// The identity selector.
const STRAIGHT: u8 = 0b00_01_10_11;

/// Reads a source. The hardware ignores the index of a register that is not a constant.
pub(crate) fn parse_source(text: &mut Scan<'_>) -> Result<SourceBits, Diagnostic> {
    let negated = text.eat(b'-');
    let number = parse_register(text, &[(b'v', 0, 16), (b'r', 16, 16), (b'c', 32, 96)])?;
    let found = INDEXES.iter().rposition(|i| text.rest().starts_with(i)).unwrap_or(0);
    text.eat_str(INDEXES[found]);
    let mut selector = STRAIGHT;
    if text.eat(b'.') {
        let at = text.pos();
        let letters = text.word().bytes();
        let parts =
            letters.map(|b| LETTERS.iter().position(|c| *c == b)).collect::<Option<alloc::vec::Vec<_>>>();
        let Some(parts) = parts.filter(|p| (1..=4).contains(&p.len())) else {
            return Err(Diagnostic::error("asm-swizzle", "a swizzle is one to four of x, y, z, w")
                .at_text(text.since(at), ""));
        };
        // A short swizzle repeats its last component.
        selector = (0..4).fold(0, |s, i| s << 2 | parts[i.min(parts.len() - 1)] as u8);
    }
    Ok(SourceBits { number, negated, selector, index: found as u8 })
}

/// A letter of `files` and a number: the number with its file's offset.
pub(crate) fn parse_register(text: &mut Scan<'_>, files: &[(u8, u32, u64)]) -> Result<u32, Diagnostic> {
    let at = text.pos();
    let unknown = |text: &Scan<'_>| {
        Diagnostic::error("asm-operand", "unknown register").at_text(at..text.pos().max(at + 1), "")
    };
    let found = files.iter().find(|f| text.peek() == Some(f.0));
    let Some(&(letter, offset, count)) = found else { return Err(unknown(text)) };
    text.eat(letter);
    match text.dec() {
        Some(n) if n < count => Ok(offset + n as u32),
        _ => Err(unknown(text)),
    }
}

/// Writes a destination without its mask.
#[inline]
pub(crate) fn print_dest(number: usize, out: &mut Line<'_>) {
    if let Some(name) = DESTINATIONS.get(number) {
        out.name(name);
    }
}

/// Reads a destination without its mask.
pub(crate) fn parse_dest(text: &mut Scan<'_>) -> Result<u32, Diagnostic> {
    parse_register(text, &[(b'o', 0, 16), (b'r', 16, 16)])
}

/// Writes a mask, x in bit 3; nothing for all components.
#[inline]
pub(crate) fn print_mask(mask: usize, out: &mut Line<'_>) {
    if let Some(name) = MASKS.get(mask) {
        out.name(name);
    }
}

/// Reads a mask, components in order.
pub(crate) fn parse_mask(text: &mut Scan<'_>) -> Result<Mask, Diagnostic> {
    if !text.eat(b'.') {
        return Ok(Mask::ALL);
    }
    let at = text.pos();
    let mut mask = 0;
    for b in text.word().bytes() {
        match LETTERS.iter().position(|c| *c == b) {
            Some(i) if mask >> i == 0 => mask |= 1 << i,
            _ => mask = 0x80,
        }
    }
    if mask == 0 || mask > 15 {
        return Err(Diagnostic::error("asm-mask", "a mask consists of x, y, z, w in this order")
            .at_text(text.since(at), ""));
    }
    Ok(Mask(mask))
}

/// Writes a condition on the flags.
pub(crate) fn print_test(bits: u64, out: &mut Line<'_>) {
    let (x, y) = (bits & 8 != 0, bits & 4 != 0);
    let x = if x { "cmp.x" } else { "!cmp.x" };
    let y = if y { "cmp.y" } else { "!cmp.y" };
    let (first, join, second) = match bits & 3 {
        0 => (x, " || ", y),
        1 => (x, " && ", y),
        2 => (x, "", ""),
        _ => (y, "", ""),
    };
    [first, join, second].iter().for_each(|t| out.text(t));
}

/// Reads a condition on the flags.
pub(crate) fn parse_test(text: &mut Scan<'_>) -> Result<u64, Diagnostic> {
    let (first, wanted) = parse_flag(text)?;
    let end = text.pos();
    text.blanks();
    let join = if text.eat_str("||") {
        0
    } else if text.eat_str("&&") {
        1
    } else {
        text.rewind(end);
        // The flag that is not tested is compared with true.
        return Ok((2 + first) | u64::from(wanted) << (3 - first) | 1 << (2 + first));
    };
    text.blanks();
    let at = text.pos();
    let (second, also) = parse_flag(text)?;
    if second == first {
        return Err(Diagnostic::error("asm-condition", "a condition tests each flag at most once")
            .at_text(text.since(at), ""));
    }
    Ok(join | u64::from(wanted) << (3 - first) | u64::from(also) << (3 - second))
}

/// 0 for `cmp.x`, 1 for `cmp.y`, and whether it must hold.
fn parse_flag(text: &mut Scan<'_>) -> Result<(u64, bool), Diagnostic> {
    let at = text.pos();
    let wanted = !text.eat(b'!');
    match (text.eat_str("cmp.x"), text.eat_str("cmp.y")) {
        (true, _) => Ok((0, wanted)),
        (_, true) => Ok((1, wanted)),
        _ => Err(Diagnostic::error("asm-condition", "expected cmp.x or cmp.y").at_text(at..at, "")),
    }
}

/// Reads the purpose of the next vertex: winding in bit 0, primitive in bit 1.
pub(crate) fn parse_emit_flags(text: &mut Scan<'_>) -> Result<u64, Diagnostic> {
    let mut flags = 0;
    loop {
        let at = text.pos();
        flags |= match text.word() {
            "inv" | "invert" => 1,
            "prim" | "primitive" => 2,
            _ => {
                let message = "expected one of inv, invert, prim, primitive";
                return Err(Diagnostic::error("asm-operand", message).at_text(text.since(at), ""));
            }
        };
        let end = text.pos();
        text.blanks();
        if !text.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
            text.rewind(end);
            return Ok(flags);
        }
    }
}
