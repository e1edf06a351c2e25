//! Rules of a vertex and a fragment program together.

use shisa_agal::rules::{Part, link};
use shisa_agal::{Program, RegType, Token};
use shisa_ir::Stage;

/// `mov DEST, SOURCE`: kind, number and mask or swizzle of each.
fn mov(dest: (RegType, u16, u8), source: (RegType, u16, u8)) -> Token {
    let (d, s) = (dest, source);
    let dest = u64::from(d.1) | u64::from(d.2) << 16 | u64::from(d.0.0) << 24;
    [dest << 32, u64::from(s.1) | u64::from(s.2) << 24 | u64::from(s.0.0) << 32, 0]
}

/// A vertex program that writes these varyings and the position; a fragment program that reads these.
fn pair(written: &[(u16, u8)], read: &[(u16, u8)]) -> (Program, Program) {
    let (mut v, mut f) = (Program::new(1, Stage::Vertex), Program::new(1, Stage::Fragment));
    let input = (RegType::ATTRIBUTE, 0, 0xe4);
    v.tokens.extend(written.iter().map(|&(n, mask)| mov((RegType::VARYING, n, mask), input)));
    v.tokens.push(mov((RegType::OUTPUT, 0, 15), input));
    let temporary = (RegType::TEMPORARY, 0, 15);
    f.tokens.extend(read.iter().map(|&(n, swizzle)| mov(temporary, (RegType::VARYING, n, swizzle))));
    f.tokens.push(mov((RegType::OUTPUT, 0, 15), (RegType::TEMPORARY, 0, 0xe4)));
    (v, f)
}

fn numbers(vertex: &Program, fragment: &Program) -> Vec<u16> {
    link(vertex, fragment).iter().map(|f| f.number).collect()
}

#[test]
fn varyings() {
    let check = |written: &[(u16, u8)], read: &[(u16, u8)]| {
        let (v, f) = pair(written, read);
        numbers(&v, &f)
    };
    assert_eq!(check(&[(0, 15)], &[(0, 0xe4)]), [0_u16; 0]);
    assert_eq!(check(&[(0, 3), (0, 12)], &[(0, 0xe4)]), [0_u16; 0], "written in parts");
    assert_eq!(check(&[(0, 15), (1, 15)], &[(0, 0xe4)]), [0_u16; 0], "not read");
    assert_eq!(check(&[(0, 15)], &[(1, 0xe4)]), [3632]);
    assert_eq!(check(&[(0, 7)], &[(0, 0xe4)]), [3632, 3633]);
    assert_eq!(check(&[(0, 7)], &[(0, 0xa4)]), [3633], "xyzz is written, w is still required");
    assert_eq!(check(&[(0, 7)], &[]), [3633], "whoever reads it");
    assert_eq!(check(&[(1, 7)], &[(0, 0xe4), (2, 0)]), [3632, 3633, 3632], "by number");
}

#[test]
fn findings_name_the_varying_and_the_token() {
    let (v, f) = pair(&[(0, 15), (3, 7)], &[(0, 0xe4), (3, 0xff)]);
    let found = link(&v, &f);
    let text =
        "AGAL linkage: Varying v3 is read in the fragment shader but not written to by the vertex shader.";
    assert_eq!((found[0].diagnostic.message.as_str(), found[0].token), (text, Some(2)));
    assert_eq!(
        found[0].diagnostic.help,
        ["the fragment program reads v3.w, the vertex program does not write v3.w"]
    );
    assert_eq!((found[1].number, found[1].token, found[1].part), (3633, Some(2), Some(Part::Destination)));
    assert!(found[1].diagnostic.help[0].contains("v3.w"));
}

#[test]
fn outputs_stages_and_versions() {
    let (mut v, mut f) = pair(&[], &[]);
    assert_eq!(numbers(&f, &v), [3630, 3631]);
    assert_eq!(numbers(&v, &v), [3630]);
    assert_eq!(numbers(&f, &f), [3631]);
    f.version = 2;
    assert_eq!(numbers(&v, &f), [3757]);
    v.version = 0;
    f.version = 1;
    assert_eq!(numbers(&v, &f), [0_u16; 0], "0 counts as 1");
    v.tokens = vec![mov((RegType::OUTPUT, 0, 7), (RegType::ATTRIBUTE, 0, 0xe4))];
    assert_eq!(numbers(&v, &f), [3635]);
    f.tokens.clear();
    assert_eq!(numbers(&v, &f), [3634, 3635]);
}

/// Every row of a matrix of varyings counts.
#[test]
fn matrix_of_varyings() {
    let (v, mut f) = pair(&[(0, 15), (1, 15), (2, 15)], &[]);
    f.tokens.insert(0, [0x020f_0000_0000_0018, 0x4_e400_0000, 0x4_e400_0000]);
    assert_eq!(numbers(&v, &f), [3632]);
}
