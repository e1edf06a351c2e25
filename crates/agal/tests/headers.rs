//! Rules of the header, and the table of messages.

use shisa_agal::rules::{Scope, all, check, first, message};
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

#[test]
fn every_number_is_found_under_its_code() {
    for rule in all() {
        assert_eq!(message(rule.number), Some(rule));
        assert_eq!(rule.code, format!("agal-{}", rule.number));
        assert!(matches!(rule.number, 3600..=3805));
        assert!(!rule.text.is_empty());
        let explained = !rule.meaning.is_empty();
        assert!(explained || matches!(rule.scope, Scope::Draw | Scope::Interface), "{}", rule.number);
    }
    assert_eq!(all().count(), 197);
    assert_eq!(message(3733), None);
    assert_eq!(message(3599), None);
}
