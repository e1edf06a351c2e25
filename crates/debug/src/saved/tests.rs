//! Saved sessions: what is written is read again, and nothing else is accepted.

use super::*;

fn saved() -> Saved {
    let file =
        |name: &str| SavedFile { name: name.into(), selected: Some("2".into()), bytes: vec![0, 255, 7] };
    Saved {
        files: vec![file("a.bin"), SavedFile { selected: None, ..file("b.agal") }],
        companion: Some(file("c")),
        options: [("isa".into(), "agal".into())].into(),
        input: "{\"lanes\": 4}".into(),
        run: 2,
        state: State {
            step: 40,
            lane: Some(3),
            points: vec![Point { command: "break 0x8 if ft0.y > 0.5".into(), enabled: false }],
        },
    }
}

fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(&saved().to_json()).unwrap();
    change(&mut value);
    Saved::from_json(&value.to_string())
        .map_or_else(|d| format!("{}: {}", d.code, d.message), |_| "read".into())
}

#[test]
fn a_session_survives_its_file() {
    assert_eq!(Saved::from_json(&saved().to_json()), Ok(saved()));
    let plain = Saved { companion: None, state: State::default(), ..saved() };
    assert_eq!(Saved::from_json(&plain.to_json()), Ok(plain));
}

#[test]
fn other_files_are_refused_with_what_is_wrong() {
    let refused = |text: &str| Saved::from_json(text).unwrap_err().message;
    assert!(refused("").starts_with("a saved session is JSON"));
    assert!(refused(&"[".repeat(100_000)).contains("recursion limit"));
    assert_eq!(refused("[]"), "a saved session has \"format\": \"shisa-debug-session\"");
    let cases: [(&str, Value, &str); 14] = [
        ("format", json!("other"), "a saved session has \"format\": \"shisa-debug-session\""),
        ("version", json!(2), "the saved session has version 2; the known one is 1"),
        ("version", json!("\u{1b}[31m"), "the saved session has version \"\\u001b[31m\"; the known one is 1"),
        ("files", json!([]), "the saved session has no file"),
        ("files", json!({}), "\"files\" of the saved session is not a list"),
        ("files", json!([1]), "a file of the saved session is not an object"),
        ("files", json!([{"name": "a\n"}]), "a file of the saved session lacks \"bytes\""),
        ("files", json!([{"name": "a\n", "bytes": "?"}]), "the bytes of \"a\\n\" are not base64"),
        ("options", json!({"isa": 1}), "\"isa\" of the saved session is not a text"),
        ("run", json!(-1), "\"run\" of the saved session is not a number from 0"),
        ("lane", json!("x"), "\"lane\" of the saved session is not a number from 0"),
        ("breakpoints", json!([{"command": "break 0"}]), "\"enabled\" of a breakpoint is true or false"),
        ("input", json!(null), "\"input\" of the saved session is not a text"),
        ("more", json!(1), "the saved session has an unknown part \"more\""),
    ];
    for (part, value, message) in cases {
        assert_eq!(changed(|all| all[part] = value), format!("debug-session: {message}"));
    }
    for part in ["files", "options", "input", "run", "step", "breakpoints"] {
        let without = changed(|all| drop(all.as_object_mut().unwrap().remove(part)));
        assert_eq!(without, format!("debug-session: the saved session lacks \"{part}\""));
    }
}

#[test]
fn limits_hold_at_their_edges() {
    let files =
        |count: usize| changed(|all| all["files"] = vec![json!({"name": "", "bytes": ""}); count].into());
    assert_eq!(files(MOST_FILES), "read");
    assert_eq!(
        files(MOST_FILES + 1),
        "debug-session: the saved session has 17 files; at most 16 are allowed"
    );
    let point = json!({"command": "break 0", "enabled": true});
    let points = |count: usize| changed(|all| all["breakpoints"] = vec![point.clone(); count].into());
    assert_eq!(points(MOST_POINTS), "read");
    assert_eq!(
        points(MOST_POINTS + 1),
        "debug-session: the saved session has 1001 breakpoints; at most 1000 are allowed"
    );
}
