//! The data obeys its schema, and the pages link only to pages that exist.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use serde_json::Value;
use shisa_reference::{isa, pages};
use std::collections::BTreeSet;

#[path = "../../../docs/schema/check.rs"]
mod schema;

const SCHEMA: &str = include_str!("../../../docs/schema/isa.schema.json");

#[test]
fn the_data_obeys_its_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let data = serde_json::to_value(isa().unwrap()).unwrap();
    assert_eq!(schema::faults(&schema, &schema, &data, "isa"), [""; 0]);
}

#[test]
fn every_row_has_a_summary_an_example_and_an_explanation() {
    for family in isa().unwrap().families {
        for form in &family.forms {
            assert!(!form.summary.is_empty() && !form.examples.is_empty(), "{} {}", family.name, form.name);
            let named = |word: &str| word.split(", ").any(|word| word.eq_ignore_ascii_case(form.name));
            assert!(family.words.iter().any(|word| named(&word.word)), "{} {}", family.name, form.name);
        }
    }
}

#[test]
fn pages_link_to_pages() {
    let pages = pages(&isa().unwrap());
    let paths: BTreeSet<&str> = pages.iter().map(|page| page.path.as_str()).collect();
    assert_eq!(paths.len(), pages.len());
    assert!(pages.len() > 1500, "{}", pages.len());
    let lower: BTreeSet<String> = paths.iter().map(|path| path.to_lowercase()).collect();
    assert_eq!(lower.len(), paths.len(), "some systems do not distinguish upper and lower case");
    let mut links = 0;
    for page in &pages {
        let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for link in page.text.split("](").skip(1).filter_map(|rest| rest.split_once(".md)")) {
            let path = format!("{}.md", link.0);
            let path = if folder.is_empty() { path } else { format!("{folder}/{path}") };
            assert!(paths.contains(path.as_str()), "{} links to {path}", page.path);
            links += 1;
        }
    }
    assert!(links > 3000, "{links}");
}
