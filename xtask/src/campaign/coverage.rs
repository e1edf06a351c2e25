//! Which code each leg runs: the campaign is built again with LLVM's counters, and each leg runs in a process of its own.

use super::compiler;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the build, apart from others, since all crates are built with counters.
const FOLDER: &str = "target/coverage";
/// What the compiler adds to the code.
const FLAGS: &str = "-Cinstrument-coverage";

/// Lines of source by file; counted are those that have code in the campaign.
type Lines = BTreeMap<String, BTreeSet<u32>>;

/// Runs each leg with these further arguments and prints the lines that it reached; returns whether all legs held.
/// Without LLVM's tools this prints that it is skipped.
pub(super) fn run(legs: &[String], arguments: &[String]) -> Result<bool, Box<dyn Error>> {
    let Some(tools) = Tools::find()? else {
        println!("coverage skipped: LLVM's tools are not installed (rustup component add llvm-tools)");
        return Ok(true);
    };
    let campaign = build()?;
    let (mut held, mut reached, mut all) = (true, Lines::new(), Lines::new());
    for leg in legs {
        let profile = Path::new(FOLDER).join(format!("{}.profraw", leg.replace('/', "-")));
        let mut child = Command::new(&campaign);
        child.arg("campaign").arg(leg).args(arguments).env("LLVM_PROFILE_FILE", &profile);
        let status = child.stdout(Stdio::inherit()).status()?;
        held &= status.success();
        if !profile.exists() {
            println!("{leg} coverage: none, the leg ended early ({status})");
            continue;
        }
        let (hit, known) = tools.lines(&campaign, &profile)?;
        let (count, new) = (count(&hit), add(&mut reached, &hit));
        add(&mut all, &known);
        println!("{leg} coverage: {count} lines of {}", shares(&hit, &known));
        println!("{leg} coverage: {new} lines that no leg before it reached");
    }
    println!("all coverage: {} lines of {}", count(&reached), shares(&reached, &all));
    Ok(held)
}

/// Builds the campaign with counters; returns the executable.
fn build() -> Result<PathBuf, Box<dyn Error>> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--package", "xtask", "--features", "memory", "--target-dir", FOLDER]);
    // Build scripts have counters, too, and write their profiles where they run.
    cargo.env("RUSTFLAGS", FLAGS).env("LLVM_PROFILE_FILE", "/dev/null");
    if !cargo.status()?.success() {
        return Err("the campaign cannot be built with counters".into());
    }
    Ok(Path::new(FOLDER).join("debug").join(format!("xtask{}", std::env::consts::EXE_SUFFIX)))
}

/// The tools of the compiler's own LLVM.
struct Tools(PathBuf);

impl Tools {
    fn find() -> Result<Option<Tools>, Box<dyn Error>> {
        let library = Path::new(&compiler::print("sysroot")?).join("lib/rustlib");
        let folder = library.join(compiler::print("host-tuple")?).join("bin");
        Ok(folder.join("llvm-cov").exists().then_some(Tools(folder)))
    }

    /// The lines that a profile reached, and all lines with code.
    fn lines(&self, campaign: &Path, profile: &Path) -> Result<(Lines, Lines), Box<dyn Error>> {
        let merged = profile.with_extension("profdata");
        let mut merge = Command::new(self.0.join("llvm-profdata"));
        let done = merge.args(["merge", "-sparse"]).arg(profile).arg("-o").arg(&merged).status()?;
        fs::remove_file(profile)?;
        if !done.success() {
            return Err("llvm-profdata failed".into());
        }
        let mut export = Command::new(self.0.join("llvm-cov"));
        export.args(["export", "-format=lcov", "-instr-profile"]).arg(&merged).arg(campaign);
        let output = export.stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err("llvm-cov failed".into());
        }
        Ok(read(&String::from_utf8(output.stdout)?))
    }
}

/// The lines that a report in lcov's format counts more than zero times, and all that it counts, of the crates that
/// users have.
fn read(report: &str) -> (Lines, Lines) {
    let (mut hit, mut known) = (Lines::new(), Lines::new());
    let mut file = None;
    for line in report.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            file = of_crate(path).map(str::to_owned);
        } else if let (Some(file), Some(data)) = (&file, line.strip_prefix("DA:"))
            && let Some((number, times)) = data.split_once(',')
            && let Ok(number) = number.parse()
        {
            known.entry(file.clone()).or_default().insert(number);
            if times != "0" {
                hit.entry(file.clone()).or_default().insert(number);
            }
        }
    }
    (hit, known)
}

/// The path of a source below `crates/`, unless it only tests.
fn of_crate(path: &str) -> Option<&str> {
    const TESTS: [&str; 4] = ["fuzz-targets/", "conformance/", "source-tests/", "translate/passthrough/"];
    let path = path.rsplit_once("/crates/")?.1;
    let is_source = path.contains("/src/") && !TESTS.iter().any(|tests| path.starts_with(tests));
    is_source.then_some(path)
}

fn count(lines: &Lines) -> usize {
    lines.values().map(BTreeSet::len).sum()
}

/// Adds lines to others; returns how many are new.
fn add(lines: &mut Lines, more: &Lines) -> usize {
    let before = count(lines);
    for (file, numbers) in more {
        lines.entry(file.clone()).or_default().extend(numbers);
    }
    count(lines) - before
}

/// The number of all lines and, for each crate of which a line was reached, the share of its lines.
fn shares(hit: &Lines, known: &Lines) -> String {
    let of = |lines: &Lines, name: &str| -> usize {
        let of_name = |(file, _): &(&String, &BTreeSet<u32>)| file.split('/').next() == Some(name);
        lines.iter().filter(of_name).map(|(_, numbers)| numbers.len()).sum()
    };
    let crates: BTreeSet<&str> = hit.keys().filter_map(|file| file.split('/').next()).collect();
    let share = |name: &&str| format!("{name} {} %", of(hit, name) * 100 / of(known, name).max(1));
    let shares: Vec<String> = crates.iter().map(share).collect();
    format!("{}: {}", count(known), shares.join(", "))
}

#[test]
fn lines_of_crates_are_read_from_a_report() {
    let report = "SF:/x/crates/ir/src/op.rs\nFN:1,a\nDA:3,0\nDA:4,12\nDA:5,1\nend_of_record\n\
                  SF:/x/crates/fuzz-targets/src/lib.rs\nDA:1,1\nend_of_record\n\
                  SF:/x/crates/agx/src/lib.rs\nDA:9,0\nend_of_record\n\
                  SF:/registry/naga/src/lib.rs\nDA:1,1\nend_of_record\n";
    let (hit, known) = read(report);
    assert_eq!((count(&hit), count(&known)), (2, 4));
    assert_eq!(shares(&hit, &known), "4: ir 66 %");
    let mut reached = Lines::new();
    assert_eq!((add(&mut reached, &hit), add(&mut reached, &hit), add(&mut reached, &known)), (2, 0, 2));
}
