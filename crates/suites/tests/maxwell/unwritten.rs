//! Suffixes that other assemblers write and nvdisasm leaves out.

use super::rows::words;
use shisa_maxwell::*;
use shisa_rows::{Insn, Isa, Modifier, Names, Parser, Scan, testing};
use std::collections::BTreeSet;

/// The suffixes that an instruction prints before one of its row's modifiers.
fn suffixes(insn: &Insn<Maxwell>, before: usize) -> String {
    let name = |m: &Modifier| m.names.get(m.field.get(&insn.word) as usize).copied().unwrap_or("???");
    insn.form().modifiers[..before].iter().map(name).collect()
}

/// Each modifier of each row, among random other suffixes and operands.
#[test]
fn the_usual_value_may_be_written() {
    let (names, mut parser) = (Names::<Maxwell>::new(), Parser::<Maxwell>::new());
    let mut random = testing::Random(17);
    let mut seen = BTreeSet::new();
    for form in Maxwell::table().forms() {
        for (n, m) in form.modifiers.iter().enumerate().filter(|(_, m)| !m.unwritten.is_empty()) {
            let usual = m.names.iter().position(|name| name.is_empty()).unwrap();
            let mut tried = 0;
            for _ in 0..400 {
                let mut word = SUITE.word(form, &mut random);
                m.field.set(&mut word, usual as u64);
                let ctx = (SUITE.ctx)(form);
                let Some(insn) = Insn::<Maxwell>::decode(word) else { continue };
                if !std::ptr::eq(insn.form(), form) || !shisa_rows::faithful(&insn, ctx) {
                    continue;
                }
                let text = testing::text(&insn, ctx);
                let head = [form.name, &suffixes(&insn, n)].concat();
                let Some(at) = text.find(&head) else { continue };
                let (before, after) = text.split_at(at + head.len());
                let whole = [before, m.unwritten, after].concat();
                let read = shisa_rows::parse(&names, &mut Scan::new(&whole, 0), ctx);
                assert_eq!(read.map(|i| i.word), Ok(insn.word), "{whole}");
                let read = parser.parse(&mut Scan::new(&whole, 0), ctx);
                assert_eq!(read.map(|i| i.word), Ok(insn.word), "{whole}");
                tried += 1;
            }
            assert!(tried > 0, "{}: no word has the usual value of {}", form.name, m.unwritten);
            seen.insert(m.unwritten);
        }
    }
    let all = [".32", ".C", ".GT", ".INC", ".MN", ".RGBA", ".RN", ".S32", ".U16.U16", ".U32"];
    assert_eq!(seen, BTreeSet::from(all));
}

/// The name is not one of another value, and none that could belong to a later modifier.
#[test]
fn names_that_are_not_printed_are_unambiguous() {
    for form in Maxwell::table().forms() {
        let lists = [form.modifiers, form.older.unwrap_or_default()];
        for (n, m) in lists.iter().flat_map(|list| list.iter().enumerate()) {
            let later = lists.iter().flat_map(|list| list.iter().skip(n)).flat_map(|m| m.names);
            let begins = |name: &&&str| {
                let rest = m.unwritten.strip_prefix(**name);
                !name.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            let clash = (!m.unwritten.is_empty()).then(|| later.clone().find(begins)).flatten();
            assert_eq!(clash, None, "{}: {}", form.name, m.unwritten);
        }
    }
}

#[test]
fn other_assemblers_suffixes() {
    let pairs = [
        ("SHR.S32 R0, R1, R2", "SHR R0, R1, R2"),
        ("LDG.E.32 R0, [R2]", "LDG.E R0, [R2]"),
        ("FADD.FTZ.RN R0, R1, R2", "FADD.FTZ R0, R1, R2"),
        ("FCMP.GT R0, R1, R2, R3", "FCMP R0, R1, R2, R3"),
        ("ISETP.GE.S32.AND P0, PT, R0, R1, PT", "ISETP.GE.AND P0, PT, R0, R1, PT"),
    ];
    for (long, short) in pairs {
        assert_eq!(words(&[long]), words(&[short]), "{long}");
        assert!(words(&[short])[0].is_ok(), "{short}");
    }
    // A value that is not the usual one has its own name, and one suffix is not repeated.
    assert_eq!(words(&["SHR.S32.U32 R0, R1, R2"]), [Err("asm-unknown-modifier")]);
    assert_eq!(words(&["LDG.E.32.64 R0, [R2]"]), [Err("asm-unknown-modifier")]);
    assert_eq!(words(&["FADD.S32 R0, R1, R2"]), [Err("asm-unknown-modifier")]);
}
