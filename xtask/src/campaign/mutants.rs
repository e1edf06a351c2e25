//! The leg of mutants: changes of a crate, as `cargo-mutants` lists them, of which at most a tenth may survive the tests
//! of the crate.
//!
//! All changes of a crate are compiled into one build, and a variable of the environment chooses one
//! ([`sites`] finds where, [`text`] writes them, [`switch`](mutants/switch.rs) chooses). Each test runs once without a
//! change, which shows which changes it reaches; a change is then tested by the tests that reach it alone. The tests of
//! other crates that count ([`TESTED_BY`]) only run for changes that survive the crate's own tests.

mod build;
mod list;
mod one_by_one;
mod outcomes;
mod processes;
mod sites;
#[cfg(test)]
#[expect(unreachable_pub, reason = "it is a crate in the changed copy")]
mod switch;
mod text;

use build::{Missing, build};
use list::{Mutant, list};
use outcomes::{Outcome, measured, outcomes, outcomes_by_both};
use processes::Test;
use shisa_fuzz_targets::Random;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The leg's name.
pub(super) const NAME: &str = "mutants";
/// The crates whose changes are tested: all libraries that users and the command depend on.
const CRATES: [&str; 22] = [
    "diag",
    "run",
    "engines",
    "rows",
    "ir",
    "swf",
    "agal",
    "eval",
    "exec",
    "debug",
    "terminal",
    "lockstep",
    "lsp",
    "pictures",
    "pica200",
    "agx",
    "translate",
    "maxwell",
    "c",
    "shisa",
    "reference",
    "verbs",
];
/// The profile of cargo that builds them.
const PROFILE: &str = "mutants";
/// Crates whose tests also count for changes of another one. Rows mean nothing without a family, whose suite tests
/// them; these differ in the width of words, in prefixes and suffixes, and in lengths of instructions. The evaluator,
/// the batch engine, their choice and the translator know no instruction set: only the tests of the façade and the
/// corpora of the families pass whole programs through them. The suites have all tests of the façade, which compare what
/// the verbs output for every program of the corpora: that is what a family and the representation are for; and most
/// tests of Maxwell. The file tests of the command pass files, options and faults to all verbs: they, too, are tests of
/// the façade, and of what a family prints and reports.
const TESTED_BY: [(&str, &[&str]); 16] = [
    ("rows", &["pica200", "agal", "agx", "suites", "cli"]),
    ("ir", &["suites"]),
    ("swf", &["suites", "cli"]),
    ("agal", &["suites", "cli"]),
    ("pica200", &["suites", "cli"]),
    ("agx", &["suites", "cli"]),
    ("maxwell", &["suites", "cli"]),
    ("engines", &["suites"]),
    ("eval", &["suites", "agal", "pica200", "agx", "maxwell"]),
    ("exec", &["suites"]),
    ("debug", &["suites", "cli"]),
    ("lockstep", &["cli"]),
    ("pictures", &["suites", "cli"]),
    ("translate", &["suites", "cli"]),
    ("shisa", &["suites", "cli"]),
    ("verbs", &["cli"]),
];
/// Test executables that do not count: they measure time and memory for minutes, and other tests check what is output.
const SLOW: [&str; 2] = ["large", "memory"];
/// The number of surviving changes allowed, of a hundred that compile.
const BUDGET: usize = 10;

/// Which changes are tested, and how.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Crates for the leg `mutants`, such as diag; by default all
    #[arg(long = "crate")]
    crates: Vec<String>,
    /// Test so many changes of each crate for the leg `mutants`, which the seed selects; by default all
    #[arg(long)]
    sample: Option<usize>,
    /// Build each change alone for the leg `mutants`: slow, but any change can be tested
    #[arg(long)]
    one_by_one: bool,
    /// Part of the changes that are built alone: K/N tests every N-th from the K-th, counted from 0
    #[arg(long, requires = "one_by_one")]
    shard: Option<String>,
}

/// The changes of a crate that were tested.
struct Tested<'m> {
    number: usize,
    survived: Vec<&'m Mutant>,
}

/// Tests changes of the named crates, or of all if none is named; returns whether each crate is within the budget.
/// Without the tool the leg prints that it is skipped.
pub(super) fn run(options: &Options, seed: u64) -> Result<bool, Box<dyn Error>> {
    let crates = &options.crates;
    if let Some(unknown) = crates.iter().find(|c| !CRATES.contains(&c.as_str())) {
        return Err(format!("no crate of the leg is named {unknown}; it has {}", CRATES.join(" ")).into());
    }
    if !installed() {
        println!("{NAME} skipped: cargo-mutants is not installed (cargo install cargo-mutants --locked)");
        return Ok(true);
    }
    let mut held = true;
    for name in CRATES.iter().filter(|name| crates.is_empty() || crates.iter().any(|c| c == *name)) {
        held &= one(name, options, seed)?;
    }
    Ok(held)
}

/// A share of a number, in percent.
fn percent(share: usize, number: usize) -> f64 {
    share as f64 * 100.0 / number.max(1) as f64
}

fn installed() -> bool {
    let mut version = Command::new("cargo");
    version.args(["mutants", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Tests changes of one crate.
fn one(name: &str, options: &Options, seed: u64) -> Result<bool, Box<dyn Error>> {
    let out = Path::new("target/mutants").join(name);
    fs::create_dir_all(&out)?;
    let package = |name: &str| if name == "shisa" { name.to_owned() } else { format!("shisa-{name}") };
    let others = TESTED_BY.iter().filter(|(tested, _)| *tested == name).flat_map(|(_, by)| by.iter());
    let packages: Vec<String> = [name].iter().chain(others).map(|name| package(name)).collect();
    let mutants = list(&package(name))?;
    let Tested { number, survived } = if options.one_by_one {
        let one_by_one::Tested { caught, survived } =
            one_by_one::run(&mutants, &packages, &out, options.shard.as_deref())?;
        Tested { number: caught + survived.len(), survived }
    } else {
        switched(name, &mutants, &packages, &out, options.sample, seed)?
    };
    let explained = explained(name)?;
    let unexplained = survived.iter().filter(|m| !explained.contains(&m.lasting_name())).count();
    println!(
        "{NAME} {name}: of {number} tested changes {} survive all tests that count ({:.1} %), {unexplained} of them \
         not explained; {BUDGET} of 100 may",
        survived.len(),
        percent(survived.len(), number)
    );
    Ok(unexplained * 100 <= number * BUDGET)
}

/// Tests changes of one crate that are all in one build.
fn switched<'m>(
    name: &str,
    mutants: &'m [Mutant],
    packages: &[String],
    out: &Path,
    sample: Option<usize>,
    seed: u64,
) -> Result<Tested<'m>, Box<dyn Error>> {
    let built = build(mutants, packages)?;
    let count = |why| built.numbers.iter().filter(|number| **number == Err(why)).count();
    let (not_switched, unviable) = (count(Missing::NotSwitched), count(Missing::Unviable));
    let mut listed = Vec::new();
    for (executable, folder) in built.executables.iter().filter(|(executable, _)| !is_slow(executable)) {
        listed.extend(processes::list(executable, folder)?);
    }
    let tests = measured(listed, out)?;
    let seconds: f64 = tests.iter().map(|test| test.time.as_secs_f64()).sum();
    let all: Vec<(usize, u32)> =
        built.numbers.iter().enumerate().filter_map(|(i, number)| Some((i, number.ok()?))).collect();
    let unreached = all.iter().filter(|(_, n)| !tests.iter().any(|test| test.reaches(*n))).count();
    println!(
        "{NAME} {name}: {} changes, {not_switched} not switched, {unviable} do not compile, {unreached} not reached \
         by the {} tests, which take {seconds:.1} s",
        mutants.len(),
        tests.len()
    );
    let selected = selected(all, sample, seed);
    let numbers: Vec<u32> = selected.iter().map(|(_, number)| *number).collect();
    let folder = Path::new("crates").join(name);
    let (own, others): (Vec<Test>, Vec<Test>) =
        tests.into_iter().partition(|test| test.folder.ends_with(&folder));
    let by_own = outcomes(&numbers, &own, out)?;
    let survived = by_own.iter().filter(|outcome| outcome.survives()).count();
    println!(
        "{NAME} {name}: of {} tested changes {survived} survive the crate's own tests ({:.1} %)",
        numbers.len(),
        percent(survived, numbers.len())
    );
    let outcomes = outcomes_by_both(&numbers, by_own, &others, out)?;
    let is = |outcome| outcomes.iter().filter(|o| **o == outcome).count();
    println!(
        "{NAME} {name}: tested {}: caught {} late {} survived {} not reached {}",
        numbers.len(),
        is(Outcome::Caught),
        is(Outcome::Late),
        is(Outcome::Survived),
        is(Outcome::Unreached)
    );
    let survived: Vec<(&Mutant, Outcome)> = selected
        .iter()
        .zip(&outcomes)
        .filter(|(_, outcome)| outcome.survives())
        .map(|((i, _), outcome)| (&mutants[*i], *outcome))
        .collect();
    let file = out.join("survived.txt");
    fs::write(&file, report(&survived))?;
    println!("{NAME} {name}: survivors are listed in {}", file.display());
    Ok(Tested { number: numbers.len(), survived: survived.into_iter().map(|(mutant, _)| mutant).collect() })
}

/// Whether an executable does not count; its name ends with a hash.
fn is_slow(executable: &Path) -> bool {
    let name = executable.file_name().and_then(|name| name.to_str()).and_then(|name| name.rsplit_once('-'));
    name.is_some_and(|(name, _)| SLOW.contains(&name))
}

/// A number of items that a seed selects, in their order; all if no number is stated.
fn selected<T>(mut items: Vec<T>, sample: Option<usize>, seed: u64) -> Vec<T> {
    let mut random = Random::new(seed);
    while sample.is_some_and(|sample| items.len() > sample) {
        items.remove(random.below(items.len()));
    }
    items
}

/// The survivors by file and function.
fn report(survived: &[(&Mutant, Outcome)]) -> String {
    let mut by_function: BTreeMap<(&str, &str), Vec<&(&Mutant, Outcome)>> = BTreeMap::new();
    for survivor in survived {
        let key = (survivor.0.file.as_str(), survivor.0.function.as_str());
        by_function.entry(key).or_default().push(survivor);
    }
    let mut text = String::new();
    for ((file, function), survivors) in by_function {
        let _ = writeln!(text, "{file} {function}");
        for (mutant, outcome) in survivors {
            let note = if *outcome == Outcome::Unreached { " (not reached)" } else { "" };
            let _ = writeln!(text, "  {}{note}\n    {}", mutant.name, mutant.lasting_name());
        }
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_selects_changes_in_their_order() {
        let all: Vec<usize> = (0..100).collect();
        let some = selected(all.clone(), Some(10), 1);
        assert!(some.len() == 10 && some.is_sorted());
        assert_ne!(some, selected(all.clone(), Some(10), 2));
        assert_eq!(selected(all.clone(), None, 1), all);
    }

    #[test]
    fn tests_of_time_and_memory_do_not_count() {
        assert!(is_slow(Path::new("deps/memory-0123456789abcdef")));
        assert!(!is_slow(Path::new("memory/files-0123456789abcdef")));
    }

    #[test]
    fn survivors_are_listed_by_function() {
        let mutant = |line: usize, function: &str| Mutant {
            name: format!("a.rs:{line}:5: replace + with - in {function}"),
            file: "a.rs".into(),
            function: function.into(),
            genre: list::Genre::Binary,
            at: (line, 5),
            replacement: "-".into(),
            line: "1 + 1".into(),
        };
        let (first, second, third) = (mutant(1, "g"), mutant(2, "f"), mutant(3, "g"));
        let survived =
            [(&first, Outcome::Survived), (&second, Outcome::Unreached), (&third, Outcome::Survived)];
        let expected = "a.rs f
  a.rs:2:5: replace + with - in f (not reached)
    a.rs: replace + with - in f: `1 + 1`
a.rs g
  a.rs:1:5: replace + with - in g
    a.rs: replace + with - in g: `1 + 1`
  a.rs:3:5: replace + with - in g
    a.rs: replace + with - in g: `1 + 1`
";
        assert_eq!(report(&survived), expected);
    }
}
