//! The leg of mutants: changes of a crate, as `cargo-mutants` lists them, of which at most a tenth may survive the tests
//! of the crate.
//!
//! All changes of all named crates are compiled into one build, and a variable of the environment chooses one
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
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

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
/// them; these differ in the width of words, in prefixes and suffixes, and in lengths of instructions; what editors use
/// is tested by the language server. The evaluator, the batch engine, their choice and the translator know no
/// instruction set: only the tests of the façade and the corpora of the families pass whole programs through them. The
/// suites have all tests of the façade, which compare what the verbs output for every program of the corpora: that is
/// what a family and the representation are for; and most tests of Maxwell. The file tests of the command pass files,
/// options and faults to all verbs: they, too, are tests of the façade, and of what a family prints and reports.
const TESTED_BY: [(&str, &[&str]); 16] = [
    ("rows", &["pica200", "agal", "agx", "suites", "lsp", "cli"]),
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
    /// Only run the tests of the crate itself for the leg `mutants`: quicker, and no fewer changes survive
    #[arg(long)]
    own_tests: bool,
    /// Run the tests of other crates for so many seconds a change for the leg `mutants`, the quickest ones first:
    /// quicker, and no fewer changes survive; by default all of them run
    #[arg(long)]
    seconds: Option<u64>,
    /// Build each change alone for the leg `mutants`: slow, but any change can be tested
    #[arg(long)]
    one_by_one: bool,
    /// Part of the changes that are built alone: K/N tests every N-th from the K-th, counted from 0
    #[arg(long, requires = "one_by_one")]
    shard: Option<String>,
}

impl Options {
    /// The crates whose tests count for changes of a crate: itself and others.
    fn tested_by<'n>(&self, name: &'n str) -> impl Iterator<Item = &'n str> + use<'n> {
        let with_others = !self.own_tests;
        let others = TESTED_BY.iter().filter(move |(tested, _)| with_others && *tested == name);
        std::iter::once(name).chain(others.flat_map(|(_, by)| by.iter().copied()))
    }
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
    let is_named = |name: &&&str| crates.is_empty() || crates.iter().any(|c| c == **name);
    let names: Vec<&str> = CRATES.iter().filter(is_named).copied().collect();
    if !options.one_by_one {
        return switched(&names, options, seed);
    }
    let mut held = true;
    for name in names {
        let mutants = list(&package(name))?;
        let packages: Vec<String> = options.tested_by(name).map(package).collect();
        let one_by_one::Tested { caught, survived } =
            one_by_one::run(&mutants, &packages, &folder(name)?, options.shard.as_deref())?;
        held &= is_within_budget(name, &Tested { number: caught + survived.len(), survived })?;
    }
    Ok(held)
}

/// The name of a crate's package.
fn package(name: &str) -> String {
    if name == "shisa" { name.to_owned() } else { format!("shisa-{name}") }
}

/// The folder of what is found out about a crate.
fn folder(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    let folder = Path::new("target/mutants").join(name);
    fs::create_dir_all(&folder)?;
    Ok(folder)
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

/// Prints which changes of a crate survived; returns whether they are within the budget.
fn is_within_budget(name: &str, tested: &Tested<'_>) -> Result<bool, Box<dyn Error>> {
    let Tested { number, survived } = tested;
    let explained = explained(name)?;
    let unexplained = survived.iter().filter(|m| !explained.contains(&m.lasting_name())).count();
    println!(
        "{NAME} {name}: of {number} tested changes {} survive all tests that count ({:.1} %), {unexplained} of them \
         not explained; {BUDGET} of 100 may",
        survived.len(),
        percent(survived.len(), *number)
    );
    Ok(unexplained * 100 <= number * BUDGET)
}

/// Tests changes of crates that are all in one build; returns whether each crate is within the budget.
fn switched(names: &[&str], options: &Options, seed: u64) -> Result<bool, Box<dyn Error>> {
    let lists: Vec<Vec<Mutant>> = names.iter().map(|name| list(&package(name))).collect::<Result<_, _>>()?;
    let tested: BTreeSet<&str> = names.iter().flat_map(|name| options.tested_by(name)).collect();
    let tested: Vec<String> = tested.into_iter().map(package).collect();
    let built = build(&lists.concat(), &tested)?;
    let mut listed = Vec::new();
    for (executable, folder) in built.executables.iter().filter(|(executable, _)| !is_slow(executable)) {
        listed.extend(processes::list(executable, folder)?);
    }
    let tests = measured(listed, Path::new("target/mutants"))?;
    let (mut held, mut numbers) = (true, built.numbers.as_slice());
    for (name, mutants) in names.iter().zip(&lists) {
        let (of_crate, later) = numbers.split_at(mutants.len());
        held &= is_within_budget(name, &of_one(name, mutants, of_crate, &tests, options, seed)?)?;
        numbers = later;
    }
    Ok(held)
}

/// Tests changes of one crate, which have these numbers, by those of the tests that count.
fn of_one<'m>(
    name: &str,
    mutants: &'m [Mutant],
    numbers: &[Result<u32, Missing>],
    tests: &[Test],
    options: &Options,
    seed: u64,
) -> Result<Tested<'m>, Box<dyn Error>> {
    let out = &folder(name)?;
    let is_of = |test: &Test, name: &str| test.folder.ends_with(Path::new("crates").join(name));
    let tests: Vec<&Test> =
        tests.iter().filter(|test| options.tested_by(name).any(|by| is_of(test, by))).collect();
    let count = |why| numbers.iter().filter(|number| **number == Err(why)).count();
    let (not_switched, unviable) = (count(Missing::NotSwitched), count(Missing::Unviable));
    let seconds: f64 = tests.iter().map(|test| test.time.as_secs_f64()).sum();
    let all: Vec<(usize, u32)> =
        numbers.iter().enumerate().filter_map(|(i, number)| Some((i, number.ok()?))).collect();
    let unreached = all.iter().filter(|(_, n)| !tests.iter().any(|test| test.reaches(*n))).count();
    println!(
        "{NAME} {name}: {} changes, {not_switched} not switched, {unviable} do not compile, {unreached} not reached \
         by the {} tests, which take {seconds:.1} s",
        mutants.len(),
        tests.len()
    );
    let selected = selected(all, options.sample, seed);
    let numbers: Vec<u32> = selected.iter().map(|(_, number)| *number).collect();
    let (own, others): (Vec<&Test>, Vec<&Test>) = tests.into_iter().partition(|test| is_of(test, name));
    let by_own = outcomes(&numbers, &own, None, out)?;
    let survived = by_own.iter().filter(|outcome| outcome.survives()).count();
    println!(
        "{NAME} {name}: of {} tested changes {survived} survive the crate's own tests ({:.1} %)",
        numbers.len(),
        percent(survived, numbers.len())
    );
    let most = options.seconds.map(Duration::from_secs);
    let outcomes = outcomes_by_both(&numbers, by_own, &others, most, out)?;
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
