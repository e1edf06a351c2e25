//! The changes of a crate, as `cargo-mutants` lists them.

use serde_json::Value;
use std::error::Error;
use std::fs;
use std::process::Command;

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Genre {
    /// The function returns a constant.
    Returned,
    /// An operator with two operands is another one.
    Binary,
    /// A sign is removed.
    Unary,
    /// An arm of a `match` is removed.
    Arm,
    /// The condition of an arm is constant.
    Guard,
    /// A field takes its value from the base of a structure.
    Field,
}

/// A change of a source file.
#[derive(Clone, Debug)]
pub(super) struct Mutant {
    /// The change in the form of `cargo-mutants`: `FILE:LINE:COLUMN: CHANGE`.
    pub name: String,
    /// The file, below the root of the workspace.
    pub file: String,
    /// The function that contains it.
    pub function: String,
    pub genre: Genre,
    /// The first line and column of what is replaced, from 1.
    pub at: (usize, usize),
    /// The text that replaces it.
    pub replacement: String,
    /// The line of the source where it begins.
    pub line: String,
}

impl Mutant {
    /// The change without line and column, which later commits move, and with the text of its line:
    /// ``FILE: CHANGE: `LINE` ``.
    pub(super) fn lasting_name(&self) -> String {
        let change = self.name.splitn(4, ':').nth(3).unwrap_or(&self.name);
        format!("{}:{change}: `{}`", self.file, self.line)
    }
}

/// All changes of a package.
pub(super) fn list(package: &str) -> Result<Vec<Mutant>, Box<dyn Error>> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--list", "--json", "--all-features", "--package", package]);
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let listed: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    let mut mutants = Vec::new();
    for value in &listed {
        let mut mutant =
            parse(value).ok_or_else(|| format!("cargo-mutants lists a change oddly: {value}"))?;
        let source = fs::read_to_string(&mutant.file)?;
        mutant.line = source.lines().nth(mutant.at.0 - 1).unwrap_or("").trim().to_owned();
        mutants.push(mutant);
    }
    Ok(mutants)
}

fn parse(value: &Value) -> Option<Mutant> {
    let text = |field: &str| value.get(field)?.as_str().map(str::to_owned);
    let start = value.get("span")?.get("start")?;
    let number = |field: &str| start.get(field)?.as_u64()?.try_into().ok().filter(|n| *n > 0);
    let genre = match text("genre")?.as_str() {
        "FnValue" => Genre::Returned,
        "BinaryOperator" => Genre::Binary,
        "UnaryOperator" => Genre::Unary,
        "MatchArm" => Genre::Arm,
        "MatchArmGuard" => Genre::Guard,
        "StructField" => Genre::Field,
        _ => return None,
    };
    let function = value.get("function").and_then(|f| f.get("function_name")?.as_str());
    Some(Mutant {
        name: text("name")?,
        file: text("file")?,
        function: function.unwrap_or("").to_owned(),
        genre,
        at: (number("line")?, number("column")?),
        replacement: text("replacement")?,
        line: String::new(),
    })
}

#[test]
fn changes_are_named_without_their_position() {
    let value = serde_json::json!({
        "name": "crates/diag/src/sink.rs:31:9: replace < with > in Sink::push",
        "file": "crates/diag/src/sink.rs",
        "function": { "function_name": "Sink::push" },
        "genre": "BinaryOperator",
        "span": { "start": { "line": 31, "column": 9 } },
        "replacement": ">",
    });
    let mutant = Mutant { line: "if a::b < c {".into(), ..parse(&value).unwrap() };
    assert_eq!((mutant.genre, mutant.at, mutant.function.as_str()), (Genre::Binary, (31, 9), "Sink::push"));
    assert_eq!(
        mutant.lasting_name(),
        "crates/diag/src/sink.rs: replace < with > in Sink::push: `if a::b < c {`"
    );
    assert!(parse(&serde_json::json!({ "name": "a" })).is_none());
}
