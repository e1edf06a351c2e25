//! `cargo xtask planted`: faults that are put into the sources one at a time, and what the tests find of them.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The list of faults, below the root of the workspace.
const LIST: &str = "tests/planted.txt";
/// The copy of the workspace that is changed.
const COPY: &str = "target/planted/source";
/// Where the copy is built. Cargo takes a crate of the copy for that of the workspace, so both share no folder.
const BUILD: &str = "target/planted/build";
/// Seconds that the tests of a crate may run; those that a fault keeps from ending have noticed it.
const LIMIT: &str = "600";

/// Put the faults of tests/planted.txt into a copy of the workspace and run the tests of their crates
///
/// Each fault is put in alone, and only the tests of its own crate run. Fails when the tests of a crate do not notice a
/// fault (SURVIVED), or when a fault cannot be put in or does not compile (stale).
#[derive(Debug, clap::Args)]
pub(crate) struct Planted {
    /// Names of faults, or of crates for all of their faults; all faults when none is given
    names: Vec<String>,
}

/// A line `CRATE/NAME: WHAT BREAKS`, a line with the file, lines `- TEXT` and lines `+ TEXT` in place of them.
#[derive(Debug, Default)]
struct Fault {
    name: String,
    what: String,
    file: PathBuf,
    text: String,
    fault: String,
}

impl Fault {
    fn parse(paragraph: &str) -> Result<Fault, String> {
        let mut lines = paragraph.lines();
        let wrong = || format!("{LIST}: this is no fault:\n{paragraph}");
        let (name, what) = lines.next().and_then(|l| l.split_once(": ")).ok_or_else(wrong)?;
        let mut fault = Fault { name: name.into(), what: what.into(), ..Fault::default() };
        fault.file = lines.next().ok_or_else(wrong)?.into();
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for line in lines {
            match (line.strip_prefix("- "), line.strip_prefix("+ ")) {
                (Some(text), _) => old.push(text),
                (_, Some(text)) => new.push(text),
                _ => return Err(wrong()),
            }
        }
        (fault.text, fault.fault) = (old.join("\n"), new.join("\n"));
        let whole = name.contains('/') && !old.is_empty() && !new.is_empty() && old != new;
        whole.then_some(fault).ok_or_else(wrong)
    }

    /// The crate whose tests must fail, without `shisa-`.
    fn group(&self) -> &str {
        self.name.split_once('/').map_or("", |(group, _)| group)
    }

    /// The source with the fault; `None` if the text does not occur exactly once.
    fn put(&self, source: &str) -> Option<String> {
        (source.matches(&self.text).count() == 1).then(|| source.replace(&self.text, &self.fault))
    }
}

/// All faults of the list, in its order. Paragraphs that begin with `#` are comments.
fn list(root: &Path) -> Result<Vec<Fault>, Box<dyn Error>> {
    let text = fs::read_to_string(root.join(LIST))?;
    let paragraphs = text.split("\n\n").map(str::trim).filter(|p| !p.is_empty() && !p.starts_with('#'));
    Ok(paragraphs.map(Fault::parse).collect::<Result<_, _>>()?)
}

impl Planted {
    /// Runs the tests of each fault; whether they notice all.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let faults = list(Path::new("."))?;
        let is_named = |f: &&Fault| self.names.iter().any(|n| *n == f.name || n == f.group());
        let faults: Vec<&Fault> = faults.iter().filter(|f| self.names.is_empty() || is_named(f)).collect();
        if faults.is_empty() {
            return Err(format!("{LIST} has no fault of such a name").into());
        }
        copy()?;
        let mut counts = [0; 3];
        let mut sound = BTreeSet::new();
        for fault in faults {
            if sound.insert(fault.group()) && !(cargo(fault, &["--no-run"])? && cargo(fault, &[])?) {
                return Err(format!("the tests of {} fail without a fault", fault.group()).into());
            }
            let outcome = fault.outcome()?;
            println!("{:9} {}: {}", ["killed", "SURVIVED", "stale"][outcome], fault.name, fault.what);
            counts[outcome] += 1;
        }
        println!("planted: {} killed, {} SURVIVED, {} stale", counts[0], counts[1], counts[2]);
        Ok(counts[1..] == [0, 0])
    }
}

impl Fault {
    /// 0: killed, 1: survived, 2: stale.
    fn outcome(&self) -> Result<usize, Box<dyn Error>> {
        let path = Path::new(COPY).join(&self.file);
        let source = fs::read_to_string(&path).unwrap_or_default();
        let Some(changed) = self.put(&source) else { return Ok(2) };
        fs::write(&path, changed)?;
        let outcome = match cargo(self, &["--no-run"]) {
            Ok(true) => cargo(self, &[]).map(usize::from),
            Ok(false) => Ok(2),
            Err(e) => Err(e),
        };
        // Written anew, so that cargo sees that the file has changed.
        fs::write(&path, source)?;
        outcome
    }
}

/// `cargo test` of the crate of a fault, in the copy; whether it succeeds within the limit.
fn cargo(fault: &Fault, options: &[&str]) -> Result<bool, Box<dyn Error>> {
    let package = match fault.group() {
        "shisa" => "shisa".to_owned(),
        group => format!("shisa-{group}"),
    };
    // Builds take as long as they take; the first one compiles everything.
    let limit = if options.is_empty() { LIMIT } else { "0" };
    let mut command = Command::new("timeout");
    command.args([limit, "cargo", "test", "--quiet", "--package", &package]).args(options);
    command.current_dir(COPY).env("CARGO_TARGET_DIR", std::path::absolute(BUILD)?);
    Ok(command.stdout(Stdio::null()).stderr(Stdio::null()).status()?.success())
}

/// Makes the copy equal to the tracked files. Files that are equal keep their times, so that cargo builds only what
/// has changed.
fn copy() -> Result<(), Box<dyn Error>> {
    let names = String::from_utf8(Command::new("git").args(["ls-files", "-z"]).output()?.stdout)?;
    let tracked: BTreeSet<&Path> =
        names.split_terminator('\0').map(Path::new).filter(|f| f.is_file()).collect();
    for file in &tracked {
        let (bytes, to) = (fs::read(file)?, Path::new(COPY).join(file));
        if fs::read(&to).ok().as_ref() != Some(&bytes) {
            fs::create_dir_all(to.parent().unwrap_or(&to))?;
            fs::write(&to, bytes)?;
        }
    }
    let mut folders = vec![PathBuf::from(COPY)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.strip_prefix(COPY).is_ok_and(|file| tracked.contains(file)) {
                fs::remove_file(path)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_can_be_put_in() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let faults = list(&root).unwrap();
        let names: BTreeSet<&str> = faults.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names.len(), faults.len(), "two faults have the same name");
        for fault in faults {
            let source = fs::read_to_string(root.join(&fault.file)).unwrap_or_default();
            let (name, file) = (&fault.name, fault.file.display());
            assert!(
                fault.put(&source).is_some(),
                "{name}: its text must occur once in {file}:\n{}",
                fault.text
            );
        }
    }

    #[test]
    fn a_text_that_occurs_twice_or_never_is_stale() {
        let fault = Fault::parse("ir/name: what breaks\nfile.rs\n- a\n-b\n+ c").unwrap_err();
        assert!(fault.contains("this is no fault"), "a line begins with neither sign and a space");
        let fault = Fault::parse("ir/name: what breaks\nfile.rs\n- a\n-   b\n+ c").unwrap();
        assert_eq!((fault.group(), fault.text.as_str()), ("ir", "a\n  b"));
        assert_eq!(fault.put("xa\n  by").as_deref(), Some("xcy"));
        assert_eq!([fault.put("a\n  ba\n  b"), fault.put("a b")], [None, None]);
    }
}
