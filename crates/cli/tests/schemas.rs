//! The JSON of the command is what its schemas state.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

#[path = "../../../docs/schema/check.rs"]
mod schema;

use serde_json::Value as Json;
use std::process::Command;

const IDENTIFY: &str = include_str!("../../../docs/schema/identify.schema.json");
const DIAGNOSTIC: &str = include_str!("../../../docs/schema/diagnostic.schema.json");

/// The JSON lines that the command writes to both outputs.
fn lines(args: &[&str]) -> Vec<Json> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let out = Command::new(env!("CARGO_BIN_EXE_shisa")).args(args).current_dir(root).output().unwrap();
    let text = [out.stdout, out.stderr].concat();
    String::from_utf8(text).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn conform(schema: &str, lines: &[Json]) {
    let schema: Json = serde_json::from_str(schema).unwrap();
    for line in lines {
        assert_eq!(schema::faults(&schema, &schema, line, ""), [""; 0]);
    }
}

#[test]
fn identify() {
    let found = lines(&[
        "identify",
        "--format",
        "json",
        "examples/fog.frag.agal",
        "tests/swf/shaders.swf",
        "Cargo.toml",
    ]);
    assert_eq!(found.len(), 3);
    conform(IDENTIFY, &found);
}

#[test]
fn diagnostics() {
    let text = lines(&["check", "--format", "json", "tests/check/broken.agal"]);
    let bytes = lines(&["check", "--format", "json", "tests/swf/shaders.swf"]);
    let none = lines(&["check", "--format", "json", "Cargo.toml"]);
    assert!(text.len() > 1 && !bytes.is_empty() && none.len() == 1);
    for found in [text, bytes, none] {
        conform(DIAGNOSTIC, &found);
    }
}

/// The check itself finds faults.
#[test]
fn wrong_json_is_noticed() {
    let schema: Json = serde_json::from_str(IDENTIFY).unwrap();
    let mut line = lines(&["identify", "--format", "json", "Cargo.toml"]).remove(0);
    line["version"] = 2.into();
    assert_eq!(schema::faults(&schema, &schema, &line, "").len(), 1);
}
