//! The rules that programs must obey, with Flash Player's numbers.

use alloc::format;
use core::ops::Range;
use shisa_diag::Diagnostic;

/// A fault of the header.
pub(crate) fn header_error(number: u16, bytes: &[u8], place: Range<usize>) -> Diagnostic {
    let kind = match bytes.get(6) {
        Some(0) => "vertex",
        Some(1) => "fragment",
        _ => "",
    };
    let (code, text) = match number {
        3615 => ("agal-3615", "Program size below minimum length"),
        3616 => ("agal-3616", "Not an AGAL program. Wrong magic byte"),
        3617 => ("agal-3617", "Bad AGAL version"),
        3618 => ("agal-3618", "Bad AGAL program type identifier"),
        _ => ("agal-3619", "Shader type must be either fragment or vertex"),
    };
    Diagnostic::error(code, format!("AGAL validation failed: {text} for {kind} program.")).at_bytes(place, "")
}
