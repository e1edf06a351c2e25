extern crate std;

use super::*;
use crate::Syntax;
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use shisa_diag::Limits;

fn bytes(source: &str) -> Vec<u8> {
    let done = assemble(source, &AsmOptions::default(), &Limits::default());
    assert_eq!(done.diagnostics, [], "{source}");
    done.bytes.unwrap()
}

fn list(bytes: &[u8], layout: &Layout) -> String {
    disassemble(bytes, layout, &DisOptions::default(), &Limits::default()).unwrap()
}

#[test]
fn a_listing_gives_the_bytes_back() {
    let source = "
        .code \"main\"
        ldimm r1, 5
    again:
        iadd r1, r1, 1 // counts
        while r1, 9, 1, ult
        jmp_any again
        jmp_none past
        pop_exec 1
    past: stop
        .data \"rest\"
        .bytes 00 01ff
        .zero 32";
    let done = assemble(source, &AsmOptions::default(), &Limits::default());
    let code = done.bytes.unwrap();
    let listing = list(&code, &done.layout);
    assert_eq!(bytes(&listing), code, "{listing}");
    for part in ["jmp_any  L_0006", ".code \"main\"", ".data \"rest\"", ".zero 32", ".bytes 0001ff"] {
        assert!(listing.contains(part), "{part}: {listing}");
    }
}

/// Bytes that are not an instruction, and a branch to an offset at which no instruction begins.
#[test]
fn anything_gives_the_bytes_back() {
    let code = [0xff, 0xff, 0xff, 0x00, 0xc0, 0x03, 0, 0, 0, 0x88];
    let listing = list(&code, &Layout::raw(code.len()));
    assert_eq!(bytes(&listing), code, "{listing}");
    // Known instructions with meaningless bits set.
    let mut random = 1u64;
    for _ in 0..200 {
        let code: Vec<u8> = (0..24)
            .map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (random >> 40) as u8
            })
            .collect();
        let listing = list(&code, &Layout::raw(code.len()));
        assert_eq!(bytes(&listing), code, "{listing}");
    }
}

#[test]
fn all_faults_are_told() {
    let source = "a: stop\na: stop\nmov r999, r0\njmp_any nowhere\n.nothing\n/* no end";
    let done = assemble(source, &AsmOptions::default(), &Limits::default());
    let codes: Vec<_> = done.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["asm-label", "asm-register-range", "asm-label", "asm-directive", "asm-comment"]);
    assert!(done.bytes.is_none());
}

#[test]
fn notes_offsets_and_bytes_are_comments() {
    let code = bytes("stop\ntrap");
    let options = DisOptions {
        offsets: true,
        bytes: true,
        notes: BTreeMap::from([(2, Vec::from(["never reached".into()]))]),
        ..DisOptions::default()
    };
    let listing = disassemble(&code, &Layout::raw(4), &options, &Limits::default()).unwrap();
    assert!(listing.contains("/*0002*/    trap"), "{listing}");
    assert!(listing.contains("// never reached\n") && listing.contains("// 8800\n"), "{listing}");
    assert_eq!(bytes(&listing), code);
    let plain = plain(&code, &Layout::raw(4), Syntax::Mesa, &DisOptions::default(), &Limits::default());
    assert_eq!(plain.unwrap(), "stop\ntrap\n");
}

#[test]
fn applegpu_has_no_name_for_some_words() {
    let words = Words::new(crate::Ctx { syntax: Syntax::Applegpu, ..crate::Ctx::default() });
    for (digits, text) in [
        ("6f1162662480", "simd_shuf_op 0b1, 0b00, 0b01, r4, r17, r3"),
        ("6f1162662400", "simd_shuffle r4, r17, r3l"),
        ("4522003d02801000", "device_store.TODO 0, u8norm, x, r4l, u0_u1, 32, signed, 0, 1, 3, 0, 0"),
    ] {
        let mut out = Vec::new();
        words.disassemble(digits, &mut out).unwrap();
        assert_eq!(core::str::from_utf8(&out).unwrap(), text, "{digits}");
    }
}
