//! The seven bytes before the tokens.

use super::finding::Finding;
use super::messages::given;
use crate::layout::{self, HEADER_BYTES, LAST_VERSION};
use crate::token::TOKEN_BYTES;
use alloc::{format, vec::Vec};
use core::ops::Range;
use shisa_diag::Diagnostic;

/// The first fault of the header.
pub(crate) fn header(bytes: &[u8]) -> Option<Finding> {
    faults(bytes).next()
}

/// All faults of the header.
pub(super) fn faults(bytes: &[u8]) -> impl Iterator<Item = Finding> {
    let byte = |i: usize| bytes.get(i).copied();
    let version = bytes.get(1..5).map(layout::version);
    let checks: [(u16, Range<usize>, bool); 5] = [
        (3615, 0..bytes.len(), bytes.len() < HEADER_BYTES + TOKEN_BYTES),
        (3616, 0..1, byte(0).is_some_and(|b| b != 0xa0)),
        (3617, 1..5, version.is_some_and(|v| v > LAST_VERSION)),
        (3618, 5..6, byte(5).is_some_and(|b| b != 0xa1)),
        (3619, 6..7, byte(6).is_some_and(|b| b > 1)),
    ];
    let wrong = checks.into_iter().filter(|c| c.2);
    wrong.map(|(number, range, _)| finding(number, bytes, range))
}

fn finding(number: u16, bytes: &[u8], range: Range<usize>) -> Finding {
    // Flash names the stage by the call that received the program; here it comes from the bytes, if they state it.
    let stage = match bytes.get(6) {
        Some(0) => "vertex",
        Some(_) => "fragment",
        None => "",
    };
    let rule = given(number);
    let text = rule.text.replace("%1", stage).replace("%2", &format!("{LAST_VERSION}"));
    let seen = bytes.get(range.clone()).unwrap_or_default();
    let hex = |b: &[u8]| b.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ");
    let mut d = Diagnostic::error(rule.code, text);
    if layout::embedded_glsl(bytes).is_some() {
        d = d
            .note("byte b0 and a length before text: OpenFL stores GLSL in this form; it is not AGAL")
            .help("give the GLSL to a GLSL tool, or have OpenFL export AGAL");
    }
    let (label, help) = match number {
        3615 => (
            format!("{} bytes", bytes.len()),
            format!(
                "a program has {HEADER_BYTES} bytes of header and at least one token of {TOKEN_BYTES} bytes"
            ),
        ),
        3616 => (format!("{} where a0 is wanted", hex(seen)), "AGAL begins with the byte a0".into()),
        3617 => {
            let version = layout::version(seen);
            let swapped = version.swap_bytes() <= LAST_VERSION;
            let order = if swapped { "; here the most significant byte comes first" } else { "" };
            (
                format!("version {version}"),
                format!(
                    "versions are 1 to {LAST_VERSION}, four bytes with the least significant first{order}"
                ),
            )
        }
        3618 => {
            (format!("{} where a1 is wanted", hex(seen)), "the byte after the version is always a1".into())
        }
        _ => (format!("shader type {}", hex(seen)), "00 is a vertex program, 01 a fragment program".into()),
    };
    Finding {
        number,
        token: None,
        part: None,
        doubtful: false,
        diagnostic: d.at_bytes(range, label).help(help),
    }
}
