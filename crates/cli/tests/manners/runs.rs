//! The inputs of `run`: unknown keys, expected results, nothing to run.

use crate::command::{Done, file, folder, run};
use serde_json::{Value, json};
use std::fs;

/// Programs with inputs.
const RUNS: &[(&str, &str)] = &[
    ("examples/fog.frag.agal", "examples/fog.json"),
    ("examples/flat.v.pica", "examples/flat.json"),
    ("examples/sprite.g.pica", "tests/run/sprite.json"),
    ("examples/collatz.agx", "examples/collatz.json"),
    ("tests/translate/tile.agx", "tests/run/tile.json"),
];

fn read(name: &str) -> Value {
    serde_json::from_slice(&file(name)).unwrap()
}

fn with(test: &str, program: &str, input: &Value) -> Done {
    let path = folder(test).join("input.json");
    fs::write(&path, input.to_string()).unwrap();
    run(&format!("run {program} --input {}", path.display()))
}

#[test]
fn unknown_keys_are_refused_with_the_nearest_known_one() {
    let cases = [
        (0, "", "lane", "\"lanes\""),
        (0, "", "constant", "\"constants\""),
        (0, "", "nonsense", "known keys are version, lanes"),
        (1, "", "set", "\"sets\""),
        (1, "/sets/0", "keep_register", "\"keep_registers\""),
        (1, "/sets/0/vertices/0", "on", "\"in\""),
        (3, "", "workgroups", "\"workgroup\""),
        (3, "/buffers/0", "adr", "\"addr\""),
        (4, "/imageblock", "widht", "\"width\""),
    ];
    for (n, path, key, help) in cases {
        let (program, name) = RUNS[n];
        let mut input = read(name);
        input.pointer_mut(path).unwrap()[key] = 1.into();
        let done = with("unknown", program, &input);
        assert!(done.status == 1 && done.out.is_empty(), "{key}: {done:?}");
        assert!(done.err.contains("error[run-input]") && done.err.contains(help), "{key}: {}", done.err);
    }
}

#[test]
fn notes_are_for_readers() {
    for (program, name) in RUNS {
        let mut input = read(name);
        for key in ["name", "note", "comment", "$schema"] {
            input[key] = "text".into();
        }
        assert_eq!(with("notes", program, &input).status, 0, "{program}");
    }
}

/// The output is an input that expects these results; a change to any of them is found.
#[test]
fn expected_results_are_compared() {
    for (program, name) in RUNS {
        let filled: Value =
            serde_json::from_slice(&run(&format!("run {program} --input {name}")).out).unwrap();
        let same = with("same", program, &filled);
        assert_eq!((same.status, same.err.as_str()), (0, ""), "{program}");
        let mut paths = Vec::new();
        results(&filled, "", false, &mut paths);
        assert!(!paths.is_empty(), "{program}");
        for path in paths {
            let mut other = filled.clone();
            let value = other.pointer_mut(&path).unwrap();
            *value = changed(value);
            let done = with("other", program, &other);
            assert!(
                done.status == 1 && done.err.contains("error[run-expected]"),
                "{program} {path}: {done:?}"
            );
            assert_eq!(serde_json::from_slice::<Value>(&done.out).unwrap(), filled, "{program} {path}");
        }
    }
}

/// The paths of results in a filled-in input.
fn results(value: &Value, path: &str, inside: bool, into: &mut Vec<String>) {
    const KEYS: [&str; 8] = ["expected", "out", "primitives", "emits", "end", "steps", "expect", "drawn"];
    match value {
        Value::Object(object) => object.iter().for_each(|(k, v)| {
            results(v, &format!("{path}/{k}"), inside || KEYS.contains(&k.as_str()), into)
        }),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, v)| results(v, &format!("{path}/{i}"), inside, into));
        }
        Value::String(text) if text.is_empty() => {}
        _ if inside => into.push(path.to_owned()),
        _ => {}
    }
}

/// Another value of the same kind.
fn changed(value: &Value) -> Value {
    match value {
        Value::Bool(b) => Value::from(!b),
        Value::Number(n) => json!(n.as_i64().unwrap() + 1),
        Value::String(text) => {
            let (first, rest) = text.split_at(1);
            Value::from(format!("{}{rest}", if first == "4" { "3" } else { "4" }))
        }
        _ => Value::Null,
    }
}

#[test]
fn differences_are_listed_and_bounded() {
    let (program, name) = RUNS[0];
    let mut input = read(name);
    input["lanes"] = 400.into();
    for lanes in input["varyings"].as_object_mut().unwrap().values_mut() {
        *lanes = vec![lanes[1].clone(); 400].into();
    }
    input["expected"] = json!({ "oc": vec!["00000000 - - -"; 400] });
    let done = with("bounded", program, &input);
    assert!(
        done.status == 1 && done.err.contains("400 of 400") && done.err.contains("oc 0.x"),
        "{}",
        done.err
    );
    assert!(done.err.lines().count() < 20, "{}", done.err);
    input["expected"] = json!({ "oc": vec!["-"; 400], "od": ["-"] });
    let done = with("bounded", program, &input);
    assert!(done.status == 1 && done.err.contains("od: the program has no such output"), "{}", done.err);
}

/// Numbers of AGAL may differ a little, and by what the input states.
#[test]
fn tolerances_hold() {
    let (program, name) = RUNS[0];
    let filled: Value = serde_json::from_slice(&run(&format!("run {program} --input {name}")).out).unwrap();
    let word = filled["expected"]["oc"][0].as_str().unwrap().split(' ').next().unwrap().to_owned();
    let bits = u32::from_str_radix(&word, 16).unwrap();
    let with_change = |change: u32, more: &[(&str, Value)]| {
        let mut input = filled.clone();
        input["expected"]["oc"][0] = format!("{:08x}", bits + change).into();
        more.iter().for_each(|(key, value)| input[*key] = value.clone());
        with("tolerances", program, &input).status
    };
    assert_eq!(with_change(1, &[]), 0);
    assert_eq!(with_change(1, &[("tolerance", 0.into())]), 1);
    assert_eq!(with_change(1000, &[]), 1);
    assert_eq!(with_change(1000, &[("tolerance", json!(0.01))]), 0);
    assert_eq!(with_change(1000, &[("sensitive", json!(["oc 0.x"]))]), 0);
    assert_eq!(with_change(100_000, &[("sensitive", json!(["oc 0.x"]))]), 1);
}

#[test]
fn a_run_of_nothing_is_an_error() {
    for (n, path, value) in [
        (0, "/lanes", json!(0)),
        (0, "/grid", json!({ "width": 0, "height": 4 })),
        (3, "/grid", json!([0, 1, 1])),
        (3, "/grid", json!([64, 1, 0])),
        (3, "/workgroup", json!([0, 1, 1])),
    ] {
        let (program, name) = RUNS[n];
        let mut input = read(name);
        input[&path[1..]] = value;
        let done = with("nothing", program, &input);
        assert!(done.status == 1 && done.err.contains("at least 1"), "{path}: {done:?}");
    }
}
