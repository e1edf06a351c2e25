//! The leg of guided inputs: libFuzzer runs each fuzz target and saves the inputs that reach new code.
//!
//! A target begins with inputs of its own kind and with what earlier campaigns saved in `target/guided`.

use super::compiler;
use shisa_fuzz_targets::{KINDS, Kind, Random};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The leg's name.
pub(super) const NAME: &str = "guided";
/// The folder of the inputs, one for each target.
const FOLDER: &str = "target/guided";
/// Inputs of its own kind that a target begins with.
const MADE: usize = 500;
/// The longest input.
const LONGEST: usize = 1 << 14;
/// The flags with which LLVM reports the edges that run, as libFuzzer needs them, and checks of overflow.
const FLAGS: &[&str] = &[
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "-Cdebug-assertions",
    "-Coverflow-checks",
];

/// Runs the targets whose names contain one of these words, or all, each as long as stated; returns whether none
/// failed.
pub(super) fn run(words: &[String], seconds: u64, seed: u64) -> Result<bool, Box<dyn Error>> {
    let is_named = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let targets = KINDS.iter().flat_map(|kind| kind.targets.iter().map(move |(part, _)| (kind, part.name)));
    let targets: Vec<_> = targets.filter(|(_, name)| is_named(name)).collect();
    if targets.is_empty() {
        return Err("no fuzz target has such a name".into());
    }
    let programs = build()?;
    let mut held = true;
    for (kind, target) in targets {
        held &= one(&programs.join(target), kind, target, seconds, seed)?;
    }
    Ok(held)
}

/// Builds the targets; returns their folder.
fn build() -> Result<PathBuf, Box<dyn Error>> {
    let host = compiler::print("host-tuple")?;
    let mut cargo = Command::new("cargo");
    // With a target, scripts and macros that run during the build are built without the flags.
    cargo.args(["build", "--quiet", "--release", "--manifest-path", "fuzz/Cargo.toml", "--target", &host]);
    cargo.args(["--target-dir", "fuzz/target"]);
    if !cargo.env("RUSTFLAGS", FLAGS.join(" ")).status()?.success() {
        return Err("the fuzz targets cannot be built".into());
    }
    Ok(Path::new("fuzz/target").join(host).join("release"))
}

/// Runs one target.
fn one(program: &Path, kind: &Kind, target: &str, seconds: u64, seed: u64) -> Result<bool, Box<dyn Error>> {
    let folder = Path::new(FOLDER).join(target);
    fs::create_dir_all(&folder)?;
    let before = fs::read_dir(&folder)?.count();
    let (mut random, mut inputs) = (Random::new(seed), (kind.inputs)(&[]));
    let made = Path::new(FOLDER).join("made");
    let _ = fs::remove_dir_all(&made);
    fs::create_dir_all(&made)?;
    for number in 0..MADE {
        fs::write(made.join(number.to_string()), inputs(&mut random))?;
    }
    let mut fuzzer = Command::new(program);
    // New inputs go to the first folder.
    fuzzer.arg(&folder).arg(&made);
    fuzzer.args([
        format!("-max_total_time={seconds}"),
        format!("-seed={seed}"),
        format!("-max_len={LONGEST}"),
    ]);
    fuzzer.args([
        "-timeout=60",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        "-artifact_prefix=target/guided/",
    ]);
    let output = fuzzer.output()?;
    fs::remove_dir_all(&made)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let saved = fs::read_dir(&folder)?.count();
    let new = saved.saturating_sub(before);
    match (output.status.success(), edges(&said), runs(&said)) {
        (true, Some(edges), Some(runs)) => {
            println!(
                "{NAME} {target}: {runs} inputs, {edges} edges of code, {saved} inputs saved, {new} of them new"
            );
            Ok(true)
        }
        _ => {
            let last: Vec<&str> = said.lines().rev().take(30).collect();
            println!("{NAME} {target} failed:");
            last.iter().rev().for_each(|line| println!("  {line}"));
            Ok(false)
        }
    }
}

/// The number of edges of code that all inputs reached: after the last `cov:` of libFuzzer's progress.
fn edges(said: &str) -> Option<u64> {
    said.rsplit_once("cov: ")?.1.split(' ').next()?.parse().ok()
}

/// The number of inputs that ran, from the statistics at the end.
fn runs(said: &str) -> Option<u64> {
    said.rsplit_once("number_of_executed_units:")?.1.lines().next()?.trim().parse().ok()
}

#[test]
fn the_fuzzers_report_is_read() {
    let said = "#2\tINITED cov: 11 ft: 12 corp: 1/1b\n#9\tDONE   cov: 1234 ft: 2 corp: 3/9b\n\
                stat::number_of_executed_units: 4096\nstat::average_exec_per_sec: 0\n";
    assert_eq!((edges(said), runs(said)), (Some(1234), Some(4096)));
    assert_eq!((edges("killed"), runs("killed")), (None, None));
}
