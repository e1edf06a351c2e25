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
        picture: None,
        run: 2,
        state: State {
            step: 40,
            lane: Some(3),
            points: vec![Point { command: "break 0x8 if ft0.y > 0.5".into(), enabled: false }],
        },
    }
}

fn of_picture() -> Saved {
    let input = |name: &str| SavedInput { name: name.into(), values: vec![vec![1, u32::MAX], vec![0, 7]] };
    let picture = SavedPicture {
        lanes: 2,
        grid: Some([2, 1]),
        helpers: vec![1],
        inputs: vec![input("v0"), SavedInput { name: "v1".into(), values: vec![vec![]; 2] }],
        constants: vec![SavedConstant { name: "fc0".into(), first: 3, values: vec![0x7fc0_0001] }],
        textures: vec![SavedTexture { name: "fs0".into(), width: 1, height: 1, bytes: vec![1, 2, 3, 4] }],
    };
    Saved { files: vec![SavedFile::default()], picture: Some(picture), ..saved() }
}

fn changed(change: impl FnOnce(&mut Value)) -> String {
    changed_in(&saved(), change)
}

fn changed_in(saved: &Saved, change: impl FnOnce(&mut Value)) -> String {
    let mut value: Value = serde_json::from_str(&saved.to_json()).unwrap();
    change(&mut value);
    Saved::from_json(&value.to_string())
        .map_or_else(|d| format!("{}: {}", d.code, d.message), |_| "read".into())
}

#[test]
fn a_session_survives_its_file() {
    assert_eq!(Saved::from_json(&saved().to_json()), Ok(saved()));
    let plain = Saved { companion: None, state: State::default(), ..saved() };
    assert_eq!(Saved::from_json(&plain.to_json()), Ok(plain));
    // Files without pictures are as they were before sessions had any.
    assert!(!saved().to_json().contains("picture"));
}

#[test]
fn a_session_of_a_picture_survives_its_file() {
    assert_eq!(Saved::from_json(&of_picture().to_json()), Ok(of_picture()));
    let picture = SavedPicture { lanes: 1, ..SavedPicture::default() };
    let plain = Saved { picture: Some(picture), ..of_picture() };
    assert_eq!(Saved::from_json(&plain.to_json()), Ok(plain));
}

#[test]
fn other_pictures_are_refused_with_what_is_wrong() {
    let many = |value: Value, count: usize| Value::from(vec![value; count]);
    let cases: [(&str, Value, &str); 26] = [
        ("lanes", json!(0), "the picture of the saved session has 0 lanes; 1 to 64 are allowed"),
        ("lanes", json!(65), "the picture of the saved session has 65 lanes; 1 to 64 are allowed"),
        (
            "lanes",
            json!(u64::MAX),
            "the picture of the saved session has 18446744073709551615 lanes; 1 to 64 are allowed",
        ),
        ("lanes", json!(1.5), "\"lanes\" of the saved session is not a number from 0"),
        ("lanes", json!(1), "the grid of the saved session has 2 by 1 pixels for 1 lanes"),
        (
            "grid",
            json!({"width": 1u64 << 63, "height": 4}),
            "the grid of the saved session has 9223372036854775808 by 4 pixels for 2 lanes",
        ),
        ("grid", json!({"width": 2}), "the grid of the saved session lacks \"height\""),
        ("grid", json!([2, 1]), "the grid of the saved session is not an object"),
        ("helpers", json!([2]), "a helper of the saved session is 2; lanes are 0 to 1"),
        ("helpers", json!(["\u{1b}"]), "a helper of the saved session is \"\\u001b\"; lanes are 0 to 1"),
        ("helpers", json!([0, 1, 0]), "the saved session has 3 helpers; at most 2 are allowed"),
        (
            "inputs",
            json!([{"name": "v0", "values": ["0"]}]),
            "a value of \"v0\" is \"0\"; values are 8 hexadecimal digits each",
        ),
        (
            "inputs",
            json!([{"name": "v0", "values": ["+0000000"]}]),
            "a value of \"v0\" is \"+0000000\"; values are 8 hexadecimal digits each",
        ),
        (
            "inputs",
            json!([{"name": "v0", "values": [0, 0]}]),
            "\"values\" of the saved session is not a text",
        ),
        (
            "inputs",
            json!([{"name": "v0\n", "values": []}]),
            "the input \"v0\\n\" of the saved session has 0 values for 2 lanes",
        ),
        (
            "inputs",
            json!([{"name": "v0", "values": ["", "", ""]}]),
            "the saved session has 3 values; at most 2 are allowed",
        ),
        (
            "inputs",
            many(json!({"name": "v0", "values": ["", ""]}), MOST_INPUTS + 1),
            "the saved session has 1025 inputs; at most 1024 are allowed",
        ),
        (
            "constants",
            json!([{"name": "fc0", "first": -1, "values": ""}]),
            "\"first\" of the saved session is not a number from 0",
        ),
        (
            "constants",
            json!([{"name": "fc0", "values": ""}]),
            "a constant of the saved session lacks \"first\"",
        ),
        (
            "constants",
            json!([{"name": "fc0", "first": 0, "values": "x"}]),
            "a value of \"fc0\" is \"x\"; values are 8 hexadecimal digits each",
        ),
        (
            "constants",
            many(json!({}), MOST_CONSTANTS + 1),
            "the saved session has 65537 constants; at most 65536 are allowed",
        ),
        (
            "textures",
            json!([{"name": "fs0", "width": 1, "height": 1}]),
            "a texture of the saved session lacks \"bytes\"",
        ),
        (
            "textures",
            json!([{"name": "fs0", "width": 1, "height": 1, "bytes": "?"}]),
            "the bytes of \"fs0\" are not base64",
        ),
        (
            "textures",
            json!([{"name": "fs0", "width": 1, "height": 1, "bytes": "", "more": 1}]),
            "a texture of the saved session has an unknown part \"more\"",
        ),
        (
            "textures",
            many(json!({}), MOST_TEXTURES + 1),
            "the saved session has 257 textures; at most 256 are allowed",
        ),
        ("more", json!(1), "the picture of the saved session has an unknown part \"more\""),
    ];
    for (part, value, message) in cases {
        let found = changed_in(&of_picture(), |all| all["picture"][part] = value);
        assert_eq!(found, format!("debug-session: {message}"));
    }
    for part in ["lanes", "helpers", "inputs", "constants", "textures"] {
        let without =
            changed_in(&of_picture(), |all| drop(all["picture"].as_object_mut().unwrap().remove(part)));
        assert_eq!(without, format!("debug-session: the picture of the saved session lacks \"{part}\""));
    }
    let two = Saved { files: vec![SavedFile::default(); 2], ..of_picture() };
    assert_eq!(
        changed_in(&two, |_| ()),
        "debug-session: the saved session of a picture has 2 files; one is allowed"
    );
    assert_eq!(
        changed(|all| all["picture"] = json!(null)),
        "debug-session: the picture of the saved session is not an object"
    );
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
