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

#[cfg(test)]
mod tests {
    use super::super::{check, first};
    use alloc::{vec, vec::Vec};
    use shisa_diag::Limits;

    fn program(change: &[(usize, u8)]) -> Vec<u8> {
        let mut bytes = vec![0xa0, 1, 0, 0, 0, 0xa1, 1];
        bytes.extend([0, 0, 0, 0, 0, 0, 15, 3, 0, 0, 0, 0xe4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        change.iter().for_each(|&(i, b)| bytes[i] = b);
        bytes
    }

    #[test]
    fn the_header_in_order() {
        let limits = Limits::default();
        let number = |bytes: &[u8]| first(bytes, &limits).unwrap().map(|f| f.number);
        assert_eq!(number(&program(&[])), None);
        assert_eq!(number(&[]), Some(3615));
        assert_eq!(number(&program(&[])[..30]), Some(3615));
        assert_eq!(number(&program(&[(0, 0xa2), (1, 9), (5, 0), (6, 2)])), Some(3616));
        assert_eq!(number(&program(&[(1, 5), (5, 0), (6, 2)])), Some(3617));
        assert_eq!(number(&program(&[(4, 1)])), Some(3617));
        assert_eq!(number(&program(&[(5, 0), (6, 2)])), Some(3618));
        assert_eq!(number(&program(&[(6, 2)])), Some(3619));
        assert_eq!(number(&program(&[(1, 0)])), None, "version 0 counts as 1");
    }

    #[test]
    fn every_fault_of_the_header_is_reported() {
        let bytes = program(&[(0, 0), (1, 9), (5, 0), (6, 2)]);
        let all = check(&bytes, &Limits::default()).unwrap();
        assert_eq!(all.iter().map(|f| f.number).collect::<Vec<_>>(), [3616, 3617, 3618, 3619]);
        let text = "AGAL validation failed: Bad AGAL version for fragment program. Current version is 4.";
        assert_eq!(all[1].diagnostic.message, text);
        assert_eq!(all[1].diagnostic.offset(), Some(1));
        let empty = first(&[], &Limits::default()).unwrap().unwrap();
        let text = "AGAL validation failed: Program size below minimum length for  program.";
        assert_eq!(empty.diagnostic.message, text);
    }

    #[test]
    fn embedded_glsl_is_named() {
        let text = b"void main() { gl_FragColor = vec4(1.0); }";
        let mut bytes = vec![0xb0, text.len() as u8, 0];
        bytes.extend(text);
        let found = first(&bytes, &Limits::default()).unwrap().unwrap();
        assert_eq!(found.number, 3616);
        assert!(found.diagnostic.notes[0].contains("OpenFL"));
    }
}
