//! The leg of mutants: `cargo-mutants` changes a crate function by function and runs the crate's own tests on each
//! change, with all of the crate's features. At most a tenth of the changes may survive.
//!
//! A whole crate takes hours. `--shard K/N` tests every N-th change from the K-th, counted from 0.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The leg's name.
pub(super) const NAME: &str = "mutants";
/// The crates whose changes are tested.
const CRATES: [&str; 12] =
    ["diag", "run", "ir", "rows", "agal", "pica200", "maxwell", "agx", "eval", "translate", "swf", "shisa"];
/// The profile of cargo that builds them.
const PROFILE: &str = "mutants";
/// Crates whose tests also run for changes of another one: rows mean nothing without a family, whose suite tests them.
const TESTED_BY: [(&str, &[&str]); 1] = [("rows", &["pica200"])];
/// The number of surviving changes allowed, of a hundred that compile.
const BUDGET: usize = 10;

/// Tests changes of the named crates, or of all if none is named; returns whether each crate is within the budget.
/// Without the tool the leg prints that it is skipped.
pub(super) fn run(crates: &[String], shard: Option<&str>) -> Result<bool, Box<dyn Error>> {
    if let Some(unknown) = crates.iter().find(|c| !CRATES.contains(&c.as_str())) {
        return Err(format!("no crate of the leg is named {unknown}; it has {}", CRATES.join(" ")).into());
    }
    if !installed() {
        println!("{NAME} skipped: cargo-mutants is not installed (cargo install cargo-mutants --locked)");
        return Ok(true);
    }
    let mut held = true;
    for name in CRATES.iter().filter(|name| crates.is_empty() || crates.iter().any(|c| c == *name)) {
        held &= one(name, shard)?;
    }
    Ok(held)
}

fn installed() -> bool {
    let mut version = Command::new("cargo");
    version.args(["mutants", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Tests changes of one crate.
fn one(name: &str, shard: Option<&str>) -> Result<bool, Box<dyn Error>> {
    let out = Path::new("target/mutants").join(name);
    fs::create_dir_all(&out)?;
    let package = |name: &str| if name == "shisa" { name.to_owned() } else { format!("shisa-{name}") };
    let mut command = Command::new("cargo");
    command.args([
        "mutants",
        "--profile",
        PROFILE,
        "--all-features",
        "--package",
        &package(name),
        "--output",
    ]);
    command.arg(&out);
    let others = TESTED_BY.iter().filter(|(tested, _)| *tested == name).flat_map(|(_, by)| by.iter());
    for tests in [name].iter().chain(others) {
        command.args(["--test-package", &package(tests)]);
    }
    if let Some(shard) = shard {
        command.args(["--shard", shard, "--sharding", "round-robin"]);
    }
    // The exit status reports whether anything survived, which the budget permits.
    command.status()?;
    let list = |file: &str| -> Result<Vec<String>, Box<dyn Error>> {
        let path = out.join("mutants.out").join(file);
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(text.lines().map(without_position).collect())
    };
    let (caught, survived, slow) = (list("caught.txt")?, list("missed.txt")?, list("timeout.txt")?);
    let explained = explained(name)?;
    let mut unexplained = survived.clone();
    unexplained.retain(|mutant| !explained.contains(mutant));
    let all = caught.len() + survived.len() + slow.len();
    println!(
        "{NAME} {name}: {all} changes, {} survive, {} of them not explained; {BUDGET} of 100 may",
        survived.len(),
        unexplained.len()
    );
    unexplained.iter().for_each(|mutant| println!("  {mutant}"));
    Ok(unexplained.len() * 100 <= all * BUDGET)
}

/// A change in the form of `cargo-mutants`, `FILE:LINE:COLUMN: CHANGE`, without line and column, which later commits
/// move.
fn without_position(mutant: &str) -> String {
    let mut parts = mutant.splitn(4, ':');
    match (parts.next(), parts.nth(2)) {
        (Some(file), Some(change)) => format!("{file}:{change}"),
        _ => mutant.to_owned(),
    }
}

/// The survivors that `xtask/mutants/CRATE.txt` explains. A line is a change and, after a tab, the reason why no test
/// can or should notice it.
fn explained(name: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let path = Path::new("xtask/mutants").join(name).with_extension("txt");
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path)?;
    let line = |line: &str| match line.split_once('\t') {
        Some((mutant, why)) if !why.trim().is_empty() => Ok(mutant.to_owned()),
        _ => Err(format!("{}: a change has no explanation: {line}", path.display())),
    };
    Ok(text.lines().filter(|l| !l.is_empty()).map(line).collect::<Result<_, _>>()?)
}

#[test]
fn changes_are_named_without_their_position() {
    let mutant = "crates/diag/src/sink.rs:31:9: replace Sink::push with ()";
    assert_eq!(without_position(mutant), "crates/diag/src/sink.rs: replace Sink::push with ()");
    assert_eq!(without_position("odd"), "odd");
}
