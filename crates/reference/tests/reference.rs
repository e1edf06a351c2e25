//! The data obeys its schema, and has what it promises for each row.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use serde_json::Value;
use shisa_agal::Agal;
use shisa_agx::Agx;
use shisa_maxwell::Maxwell;
use shisa_pica200::Pica200;
use shisa_reference::{Family, help, isa, pages};
use shisa_rows::Isa;
use std::collections::BTreeSet;
use std::sync::LazyLock;

#[path = "../../../docs/schema/check.rs"]
mod schema;

/// All tests read the same data.
static ISA: LazyLock<shisa_reference::Isa> = LazyLock::new(|| isa().unwrap());

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
