//! Builds all changes of some crates into their tests, without those that do not compile.

use super::list::Mutant;
use super::sites::{Site, sites};
use super::text::{Changed, Numbers, Region, changed};
use crate::copied::copy;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The copy of the workspace that has the changes.
pub(super) const TREE: &str = "target/mutants/tree";
/// Where it is built.
const BUILD: &str = "target/mutants/build";
/// The crate that chooses a change.
const SWITCH: &str = include_str!("switch.rs");
/// Its manifest.
const SWITCH_MANIFEST: &str =
    "[package]\nname = \"mutant-switch\"\nedition = \"2024\"\nversion = \"0.1.0\"\n";

/// Why a change is not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// Nothing can be chosen at run time where it is, or its choice does not compile there.
    NotSwitched,
    /// It does not compile.
    Unviable,
}

/// The tests of crates with their changes.
pub(super) struct Built {
    /// The number that chooses each change, or why there is none.
    pub numbers: Vec<Result<u32, Missing>>,
    /// The executables of the tests, and the folders in which they run.
    pub executables: Vec<(PathBuf, PathBuf)>,
}

/// A file of a crate, its text and its sites.
struct Source {
    file: String,
    text: String,
    sites: Vec<Site>,
}

/// Builds the tests of some packages, with changes of these or others.
pub(super) fn build(mutants: &[Mutant], packages: &[String]) -> Result<Built, Box<dyn Error>> {
    let mut sources: Vec<Source> = Vec::new();
    for mutant in mutants {
        if sources.last().is_none_or(|s| s.file != mutant.file) {
            let text = fs::read_to_string(&mutant.file)?;
            let of_file = mutants.iter().enumerate().filter(|(_, m)| m.file == mutant.file);
            let sites = sites(&text, of_file).map_err(|e| format!("{}: {e}", mutant.file))?;
            sources.push(Source { file: mutant.file.clone(), text, sites });
        }
    }
    let mut missing = vec![Some(Missing::NotSwitched); mutants.len()];
    for (i, _) in sources.iter().flat_map(|s| &s.sites).flat_map(|site| &site.alternatives) {
        missing[*i] = None;
    }
    let folders: BTreeSet<&str> =
        mutants.iter().filter_map(|m| m.file.split_once("/src/")).map(|(folder, _)| folder).collect();
    loop {
        let dropped: Vec<bool> = missing.iter().map(Option::is_some).collect();
        let mut numbers = Numbers::new(mutants.len());
        let files: BTreeMap<&str, Changed> = sources
            .iter()
            .map(|s| (s.file.as_str(), changed(&s.text, &s.sites, &dropped, &mut numbers)))
            .collect();
        write(&folders, &files)?;
        let (done, messages) = cargo(packages)?;
        let errors: Vec<&Value> = messages
            .iter()
            .filter(|m| m["reason"] == "compiler-message" && m["message"]["level"] == "error")
            .map(|m| &m["message"])
            .filter(|m| m["spans"].as_array().is_some_and(|spans| !spans.is_empty()))
            .collect();
        if done {
            let numbers = numbers.of.iter().zip(&missing).map(|(n, missing)| missing.map_or(Ok(*n), Err));
            return Ok(Built { numbers: numbers.collect(), executables: executables(&messages) });
        }
        for error in &errors {
            for (i, why) in concerned(error, &files) {
                missing[i] = missing[i].or(Some(why));
            }
        }
        let now = missing.iter().filter(|m| m.is_some()).count();
        eprintln!("  {} errors of the compiler, {now} changes left out", errors.len());
        if now == dropped.iter().filter(|d| **d).count() {
            let said = |e: &&&Value| e["rendered"].as_str().map(str::to_owned);
            let said = errors.iter().find_map(|e| said(&e)).unwrap_or_else(|| "cargo build fails".into());
            return Err(format!("no change explains an error of the compiler:\n{said}").into());
        }
    }
}

/// Writes the copy; the folders are those of the crates that have changes.
fn write(folders: &BTreeSet<&str>, files: &BTreeMap<&str, Changed>) -> Result<(), Box<dyn Error>> {
    let switch = Path::new("crates/mutant-switch");
    let mut texts: BTreeMap<PathBuf, String> =
        files.iter().map(|(file, changed)| (PathBuf::from(file), changed.text.clone())).collect();
    texts.insert(switch.join("Cargo.toml"), SWITCH_MANIFEST.to_owned());
    texts.insert(switch.join("src/lib.rs"), SWITCH.to_owned());
    let path = std::path::absolute(Path::new(TREE).join(switch))?;
    for folder in folders {
        let manifest = Path::new(folder).join("Cargo.toml");
        let text = with_dependency(&fs::read_to_string(&manifest)?, &format!("{{ path = {path:?} }}"));
        texts.insert(manifest, with_own_tests(&text));
    }
    copy(Path::new(TREE), &texts)
}

/// A manifest that also depends on the crate that chooses.
fn with_dependency(manifest: &str, source: &str) -> String {
    const SECTION: &str = "\n[dependencies]\n";
    let line = format!("mutant-switch = {source}\n");
    match manifest.split_once(SECTION) {
        Some((before, after)) => [before, SECTION, &line, after].concat(),
        None => [manifest, SECTION, &line].concat(),
    }
}

/// A manifest of a crate whose tests inside are its own, and not those of `shisa-unit-tests`.
fn with_own_tests(manifest: &str) -> String {
    manifest.replace("\ntest = false\n", "\n")
}

/// Builds the tests in the copy; returns whether all compile, and cargo's messages. A crate is only compiled after those
/// that it depends on, so that none is compiled again because of an error in another.
fn cargo(packages: &[String]) -> Result<(bool, Vec<Value>), Box<dyn Error>> {
    let mut command = Command::new("cargo");
    command.args(["build", "--tests", "--keep-going", "--profile", super::PROFILE, "--all-features"]);
    command.args(["--message-format", "json"]);
    packages.iter().for_each(|package| {
        command.args(["--package", package]);
    });
    // Changed code makes the compiler warn.
    command.current_dir(TREE).env("CARGO_TARGET_DIR", std::path::absolute(BUILD)?);
    command.env("RUSTFLAGS", "--cap-lints=allow").stderr(Stdio::inherit());
    let output = command.output()?;
    let messages = String::from_utf8(output.stdout)?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    Ok((output.status.success(), messages))
}

/// The executables of tests among cargo's messages.
fn executables(messages: &[Value]) -> Vec<(PathBuf, PathBuf)> {
    let tests =
        messages.iter().filter(|m| m["reason"] == "compiler-artifact" && m["profile"]["test"] == true);
    tests
        .filter_map(|m| {
            let folder = Path::new(m["manifest_path"].as_str()?).parent()?;
            Some((PathBuf::from(m["executable"].as_str()?), folder.to_owned()))
        })
        .collect()
}

/// The changes that an error of the compiler concerns: the one in whose text it is, or else those of its expression, or
/// else those of its function.
fn concerned(error: &Value, files: &BTreeMap<&str, Changed>) -> Vec<(usize, Missing)> {
    let mut spans: Vec<&Value> = error["spans"].as_array().into_iter().flatten().collect();
    spans.sort_by_key(|span| span["is_primary"] != true);
    let mut located: Vec<&Region> = Vec::new();
    for span in spans {
        let mut span = Some(span);
        while let Some(inner) = span {
            let file = inner["file_name"].as_str().and_then(|name| files.get(name));
            if let (Some(changed), Some(range)) = (file, bytes(inner)) {
                located.extend(smallest(&changed.regions, &range));
            }
            span = inner["expansion"].get("span");
        }
    }
    if let Some(region) = located.iter().find(|region| region.alone) {
        return region.mutants.iter().map(|i| (*i, Missing::Unviable)).collect();
    }
    let region = located.first();
    region.map_or(Vec::new(), |r| r.mutants.iter().map(|i| (*i, Missing::NotSwitched)).collect())
}

fn bytes(span: &Value) -> Option<Range<usize>> {
    let number = |field: &str| span[field].as_u64().and_then(|n| usize::try_from(n).ok());
    Some(number("byte_start")?..number("byte_end")?)
}

/// The smallest region that contains a range.
fn smallest<'r>(regions: &'r [Region], range: &Range<usize>) -> Option<&'r Region> {
    let contains = |r: &&Region| r.range.start <= range.start && range.end <= r.range.end;
    regions.iter().filter(contains).min_by_key(|r| r.range.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_error_concerns_a_change_or_else_its_expression_or_else_its_function() {
        let region = |range, mutants: &[usize], alone| Region { range, mutants: mutants.to_vec(), alone };
        let regions = vec![
            region(40..50, &[1], true),
            region(50..60, &[2], true),
            region(30..80, &[1, 2], false),
            region(10..90, &[1, 2, 3], false),
        ];
        let files = BTreeMap::from([("a.rs", Changed { text: String::new(), regions })]);
        let span = |file: &str, range: Range<usize>, is_primary: bool| json!({ "file_name": file, "byte_start": range.start, "byte_end": range.end, "is_primary": is_primary });
        let found = |spans: Value| concerned(&json!({ "spans": spans }), &files);
        assert_eq!(found(json!([span("a.rs", 42..44, true)])), [(1, Missing::Unviable)]);
        let both = json!([span("a.rs", 42..44, false), span("a.rs", 52..54, true)]);
        assert_eq!(found(both), [(2, Missing::Unviable)], "the primary location counts first");
        let other = json!([span("a.rs", 42..44, false), span("a.rs", 62..64, true)]);
        assert_eq!(found(other), [(1, Missing::Unviable)], "a change explains an error beside it");
        let expression = [(1, Missing::NotSwitched), (2, Missing::NotSwitched)];
        assert_eq!(found(json!([span("a.rs", 62..64, true)])), expression);
        assert_eq!(found(json!([span("a.rs", 82..84, true)])).len(), 3);
        assert_eq!(found(json!([span("a.rs", 0..4, true), span("b.rs", 42..44, true)])), []);
        let mut expanded = span("macros.rs", 1..2, true);
        expanded["expansion"] = json!({ "span": span("a.rs", 52..54, false) });
        assert_eq!(found(json!([expanded])), [(2, Missing::Unviable)]);
    }

    #[test]
    fn a_manifest_depends_on_the_crate_that_chooses() {
        let line = "mutant-switch = { path = \"p\" }\n";
        let source = "{ path = \"p\" }";
        let manifest = "[package]\nname = \"a\"\n\n[dependencies]\nb = \"1\"\n";
        let expected = format!("[package]\nname = \"a\"\n\n[dependencies]\n{line}b = \"1\"\n");
        assert_eq!(with_dependency(manifest, source), expected);
        assert_eq!(with_dependency("[package]\n", source), format!("[package]\n\n[dependencies]\n{line}"));
        assert_eq!(with_own_tests("[lib]\ntest = false\n\n[lints]\n"), "[lib]\n\n[lints]\n");
    }
}
