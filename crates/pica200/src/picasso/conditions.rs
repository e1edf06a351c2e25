//! Operands other than single registers: conditions, comparisons, address registers.

use super::source_text::Piece;
use crate::text::COMPARISONS;
use shisa_diag::Diagnostic;

/// The mask of an address register.
pub(super) fn address_mask(text: Piece<'_>) -> Result<u64, Diagnostic> {
    const NAMES: [(&str, u64); 6] =
        [("a0", 8), ("a0.x", 8), ("a1", 4), ("a0.y", 4), ("a01", 12), ("a0.xy", 12)];
    match NAMES.iter().find(|(name, _)| text.is(name)) {
        Some(&(_, mask)) => Ok(mask),
        None => Err(text
            .error("pica-operand", "an address register is expected")
            .help("a0.x, a0.y or a0.xy; aL is set only by loops")),
    }
}

/// The number of a comparison.
pub(super) fn comparison(text: Piece<'_>) -> Result<u64, Diagnostic> {
    let found = COMPARISONS.iter().position(|c| text.is(c));
    found.map(|n| n as u64).ok_or_else(|| {
        text.error("pica-condition", "a comparison is expected").help("one of eq, ne, lt, le, gt, ge")
    })
}

/// One or two flags: how they are combined (bits 0 and 1), then the reference values of y (bit 2) and x (bit 3).
pub(super) fn condition(text: Piece<'_>) -> Result<u64, Diagnostic> {
    let (first, after) = text.cut(b"&|");
    let Some(after) = after else {
        let (flag, wanted) = flag(text)?;
        // The flag that is not tested is compared with true.
        let reference = if wanted { 8 >> flag } else { 0 };
        return Ok((2 + flag) | 0b1100 & !(8 >> flag) | reference);
    };
    let sign = text.part(first.text.len(), first.text.len() + 1);
    let second = after.skip(usize::from(after.text.starts_with(sign.text)));
    let (b, second_wanted) = flag(second.trim())?;
    let (a, first_wanted) = flag(first.trim())?;
    if a == b {
        return Err(second.trim().error("pica-condition", "a condition tests each flag at most once"));
    }
    let wants = |flag: u64, wanted| if wanted { 8 >> flag } else { 0 };
    Ok(u64::from(sign.text == "&") | wants(a, first_wanted) | wants(b, second_wanted))
}

/// 0 for `cmp.x`, 1 for `cmp.y`, and whether it must hold.
fn flag(text: Piece<'_>) -> Result<(u64, bool), Diagnostic> {
    let nots = text.text.bytes().take_while(|b| *b == b'!').count();
    let name = text.skip(nots);
    let wanted = nots % 2 == 0;
    if name.is("cmp.x") {
        Ok((0, wanted))
    } else if name.is("cmp.y") {
        Ok((1, wanted))
    } else {
        Err(text.error("pica-condition", "cmp.x or cmp.y is expected"))
    }
}
