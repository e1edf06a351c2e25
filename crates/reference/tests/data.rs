//! The data obeys its schema, and has what it promises for each row.

use crate::ISA;
use serde_json::Value;
use shisa_agal::Agal;
use shisa_agx::Agx;
use shisa_maxwell::Maxwell;
use shisa_pica200::Pica200;
use shisa_reference::{Family, help, pages};
use shisa_rows::Isa;
use std::collections::BTreeSet;

#[path = "../../../docs/schema/check.rs"]
mod schema;

const SCHEMA: &str = include_str!("../../../docs/schema/isa.schema.json");

#[test]
fn the_data_obeys_its_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let data = serde_json::to_value(&*ISA).unwrap();
    assert_eq!(schema::faults(&schema, &schema, &data, "isa"), [""; 0]);
}

#[test]
fn every_row_has_a_summary_an_example_and_an_explanation() {
    for family in &ISA.families {
        for form in &family.forms {
            let name = format!("{} {}", family.name, form.name);
            assert!(!form.summary.is_empty() && !form.examples.is_empty(), "{name}");
            assert!(form.written.starts_with(form.name) && !form.group.is_empty(), "{name}");
            assert!(!form.chips.is_empty() && !form.stages.is_empty(), "{name}");
            let named = |word: &str| word.split(", ").any(|word| word.eq_ignore_ascii_case(form.name));
            assert!(family.words.iter().any(|word| named(&word.word)), "{name}");
        }
    }
}

/// Rows without a lift have a reason in place of pseudocode, and no other row has one.
#[test]
fn effects_are_stated_or_the_reason_is() {
    let mut stated = 0;
    for form in ISA.families.iter().flat_map(|family| &family.forms) {
        assert!(form.pseudocode.is_none() || form.unstated.is_empty(), "{}", form.name);
        assert!(form.unstated.is_empty() || form.operations.is_empty(), "{}", form.name);
        stated += usize::from(form.unstated.is_empty());
    }
    assert!(stated > 500, "{stated}");
}

/// Values of operands have room for their parts; the older texts of a modifier differ from the present ones; pseudocode
/// names the instruction.
#[test]
fn parts_of_forms_are_consistent() {
    let mut older = 0;
    for form in ISA.families.iter().flat_map(|family| &family.forms) {
        for operand in form.operands.iter().chain(&form.prefix).chain(&form.suffix) {
            let width: u8 = operand.bits.iter().map(|(_, width)| width).sum();
            assert!(
                operand.parts.iter().all(|part| part.lo + part.width <= width),
                "{}: {}",
                form.name,
                operand.kind
            );
        }
        for modifier in &form.modifiers {
            assert_ne!(modifier.older, Some(modifier.names), "{}", form.name);
            older += usize::from(modifier.older.is_some());
        }
        if let Some(pseudocode) = &form.pseudocode {
            assert!(pseudocode.of.contains(form.name), "{}: {}", form.name, pseudocode.of);
            assert!(!pseudocode.lines.is_empty(), "{}", form.name);
        }
    }
    assert!(older > 0);
}

#[test]
fn effects_are_those_of_the_instructions() {
    let next = "determines which instruction runs next, or in which lanes";
    let wait = "waits for threads of the workgroup, or arrives at a barrier";
    for (family, name, effects, operation) in [
        ("agal", "rcp", &[][..], "frcp f32"),
        ("agal", "add", &[], "fadd f32"),
        ("agal", "tex", &["reads a texture"], "texture f32"),
        ("agal", "kil", &["ends pixels: they are not written"], ""),
        ("pica200", "emit", &["outputs a vertex"], ""),
        ("pica200", "setemit", &["chooses the next vertex of a primitive"], ""),
        ("pica200", "jmpu", &[next], ""),
        ("maxwell", "STG", &["writes device memory"], ""),
        ("maxwell", "LDG", &["reads device memory"], "load_device i8"),
        ("maxwell", "STS", &["writes memory of the workgroup"], ""),
        ("maxwell", "BRA", &[next], ""),
        ("maxwell", "BAR", &[wait], ""),
        ("maxwell", "FADD", &[], "fadd f32"),
        ("agx", "imgw", &["writes a texture"], ""),
        ("agx", "barrier", &[wait], ""),
    ] {
        let family = ISA.families.iter().find(|f| f.name == family).unwrap();
        let form = family.forms.iter().find(|form| form.name == name).unwrap();
        let has = |effect: &str| form.effects.iter().any(|e| e == effect);
        assert!(effects.iter().all(|effect| has(effect)), "{name}: {:?}", form.effects);
        assert_eq!(has(next), effects.contains(&next), "{name}: {:?}", form.effects);
        assert!(
            operation.is_empty() || form.operations.iter().any(|o| o == operation),
            "{name}: {:?}",
            form.operations
        );
    }
}

fn every_form_and_example_is_there<I: Isa>(family: &Family) {
    let rows = I::table().forms();
    assert_eq!(rows.len(), family.forms.len(), "{}", family.name);
    for (row, form) in rows.iter().zip(&family.forms) {
        assert_eq!((row.name, row.examples.len()), (form.name, form.examples.len()), "{}", family.name);
    }
}

#[test]
fn the_data_has_every_row() {
    let [agal, pica200, maxwell, agx] = &ISA.families[..] else { panic!("four families") };
    every_form_and_example_is_there::<Agal>(agal);
    every_form_and_example_is_there::<Pica200>(pica200);
    every_form_and_example_is_there::<Maxwell>(maxwell);
    every_form_and_example_is_there::<Agx>(agx);
}

#[test]
fn the_index_of_the_help_has_the_page_of_every_word() {
    let pages = pages(&ISA, "").unwrap();
    let paths: BTreeSet<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    let help = help(&ISA).unwrap();
    let words = ISA.words.len() + ISA.families.iter().map(|family| family.words.len()).sum::<usize>();
    assert_eq!(help.words.len(), words);
    for word in &help.words {
        assert!(paths.contains(format!("{}.md", word.page).as_str()), "{}", word.page);
        assert!(!word.names.is_empty() && !word.summary.is_empty(), "{}", word.page);
    }
    // Each word that is explained leads to a page, also one of another tool.
    let names: BTreeSet<&str> = help.words.iter().flat_map(|word| &word.names).map(String::as_str).collect();
    for word in shisa::explain::words(None) {
        assert!(names.contains(word.as_str()), "{word}");
    }
}
