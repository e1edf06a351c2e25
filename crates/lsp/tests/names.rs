//! Definitions, references and renaming of names.

use crate::client::{Client, URI, edited, params, range};
use serde_json::{Value, json};

const TWO: &str = ".code \"a\"\nhere:\n    BRA here ;\n.code \"b\"\n    BRA here ;\nhere:\n    EXIT ;\n";
const PICA: &str = ".fvec tint\n.out o position\n.proc main\n\tmul o, tint.x, tint\n\tcall helper\n\tend\n.end\n.proc helper\n\tmov r0, tint\n.end\n";

#[test]
fn labels_are_known_within_their_program() {
    let mut client = Client::of("maxwell", TWO);
    assert_eq!(client.at("textDocument/definition", 2, 9)["range"], range([1, 0, 1, 4]));
    assert_eq!(client.at("textDocument/definition", 4, 9)["range"], range([5, 0, 5, 4]));
    assert_eq!(client.at("textDocument/definition", 6, 5), Value::Null);
}

#[test]
fn references_include_the_definition_if_that_is_wanted() {
    let mut client = Client::of("pica200", PICA);
    let mut asked = params(3, 9);
    asked["context"] = json!({"includeDeclaration": true});
    let ranges: Vec<Value> = client
        .ask("textDocument/references", asked)
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["range"].clone())
        .collect();
    assert_eq!(ranges, [[0, 6, 0, 10], [3, 8, 3, 12], [3, 16, 3, 20], [8, 9, 8, 13]].map(range));
    let found = client.at("textDocument/references", 0, 7);
    assert_eq!(found.as_array().map(Vec::len), Some(3));
    let found = client.at("textDocument/documentHighlight", 0, 7);
    assert_eq!(
        (found.as_array().map(Vec::len), &found[0]["kind"], &found[1]["kind"]),
        (Some(4), &json!(3), &json!(2))
    );
}

#[test]
fn names_are_renamed_everywhere() {
    let mut client = Client::of("pica200", PICA);
    assert_eq!(client.at("textDocument/prepareRename", 4, 8)["placeholder"], "helper");
    let mut asked = params(4, 8);
    asked["newName"] = "shade".into();
    let edit = client.ask("textDocument/rename", asked);
    let done = edited(PICA, &edit["changes"][URI]);
    assert_eq!(done, PICA.replace("helper", "shade"));
    let mut client = Client::of("maxwell", TWO);
    let mut asked = params(4, 9);
    asked["newName"] = "there".into();
    let edit = client.ask("textDocument/rename", asked);
    assert_eq!(edit["changes"][URI].as_array().map(Vec::len), Some(2), "only the second program changes");
}

#[test]
fn names_that_would_mean_something_else_are_refused() {
    let mut client = Client::of("pica200", PICA);
    for (line, character, name) in [
        (4, 8, "main"),
        (4, 8, "tint"),
        (4, 8, ""),
        (4, 8, "a b"),
        (4, 8, "1a"),
        (4, 8, "a\nb"),
        (4, 8, ";"),
        (4, 8, "\"x\""),
        (3, 9, "a, b"),
        (3, 9, "o"),
    ] {
        let mut asked = params(line, character);
        asked["newName"] = name.into();
        let error = client.request("textDocument/rename", asked).expect_err(name);
        assert_eq!(error["code"], -32803, "{error}");
    }
    // Words that name nothing yet would name what is renamed.
    let mut client = Client::of("pica200", &PICA.replace("mov r0, tint", "call shade"));
    let mut asked = params(4, 8);
    asked["newName"] = "shade".into();
    assert!(client.request("textDocument/rename", asked).is_err(), "another call has this name");
    let mut asked = params(5, 3);
    asked["newName"] = "x".into();
    assert!(client.request("textDocument/rename", asked).is_err(), "a mnemonic is no name");
}
