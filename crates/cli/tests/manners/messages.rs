//! The form of messages.

use crate::command::{fed, run};
use serde_json::Value;

/// The codes of JSON lines on the error output.
fn codes(err: &str) -> Vec<String> {
    let code = |line: &str| serde_json::from_str::<Value>(line).unwrap()["code"].as_str().unwrap().to_owned();
    err.lines().map(code).collect()
}

#[test]
fn errors_of_usage_and_files_are_json_too() {
    for (command, code) in [
        ("identify no-such-file", "io"),
        ("asm no-such-file", "io"),
        ("asm examples/fog.frag.agal -o no/such/file", "io"),
        ("identify", "usage"),
        ("nonsense", "usage"),
        ("identify x --limit files=3", "usage"),
        ("identify x --format xml", "usage"),
        ("dis examples/fog.frag.agal --syntax mesa", "usage"),
        ("man nothing", "usage"),
        ("explain nonsensical", "explain-unknown"),
    ] {
        for form in ["--format json", "--format=json", "--json"] {
            if command.contains("--format") && form != "--json" {
                continue;
            }
            let done = run(&format!("{command} {form}"));
            assert_eq!(codes(&done.err), [code], "{command} {form}: {done:?}");
            assert_eq!(done.status, if code == "explain-unknown" { 1 } else { 2 }, "{command}");
            assert!(done.out.is_empty(), "{command}");
        }
    }
}

#[test]
fn json_is_short_for_format_json() {
    for verb in ["identify", "check", "dis"] {
        let file = "tests/swf/shaders.swf";
        assert_eq!(run(&format!("{verb} {file} --json")), run(&format!("--format json {verb} {file}")));
    }
    assert_eq!(run("identify x --json --format text").status, 2);
}

#[test]
fn a_form_feed_does_not_lose_the_excerpt() {
    let done = fed("asm --isa agal", b"// agal 1 fragment\n\x0cmov oc, v0 v1\n\x0c\n");
    assert!(done.status == 1 && done.err.contains("2 |  mov oc, v0 v1"), "{}", done.err);
}
