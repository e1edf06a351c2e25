//! The tests of a crate, each of which runs in a process of its own.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// KiB of addresses that a test may use: a change that allocates without end is noticed.
const MEMORY: &str = "8000000";
/// The longest that a test without a change runs.
const LONGEST: Duration = Duration::from_secs(600);

/// A test.
#[derive(Debug)]
pub(super) struct Test {
    pub executable: PathBuf,
    /// The folder where it runs.
    pub folder: PathBuf,
    pub name: String,
    /// The time that it takes without a change.
    pub time: Duration,
    /// The numbers of the changes that it reaches: the first and the last of each site.
    pub reached: Vec<(u32, u32)>,
}

impl Test {
    /// Whether it reaches the change of this number.
    pub(super) fn reaches(&self, number: u32) -> bool {
        let at = self.reached.partition_point(|(first, _)| *first <= number);
        at.checked_sub(1).is_some_and(|at| number <= self.reached[at].1)
    }
}

/// How tests end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Passed,
    Failed,
    /// One took longer than its limit.
    Late,
}

/// The tests of an executable, not yet measured.
pub(super) fn list(executable: &Path, folder: &Path) -> Result<Vec<Test>, Box<dyn Error>> {
    let output =
        Command::new(executable).args(["--list", "--format", "terse"]).current_dir(folder).output()?;
    let text = String::from_utf8(output.stdout)?;
    let test = |name: &str| Test {
        executable: executable.to_owned(),
        folder: folder.to_owned(),
        name: name.to_owned(),
        time: Duration::ZERO,
        reached: Vec::new(),
    };
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(test).collect())
}

/// Measures a test that no change disturbs; returns whether it passes. `temporary` is a folder for its files.
pub(super) fn measure(test: &mut Test, temporary: &Path) -> Result<bool, Box<dyn Error>> {
    let record = temporary.join("reached");
    if record.exists() {
        std::fs::remove_file(&record)?;
    }
    let begun = Instant::now();
    let end = run(&[test], temporary, LONGEST, ("MUTANT_RECORD", record.as_os_str()))?;
    test.time = begun.elapsed();
    if record.exists() {
        let sites = std::fs::read_to_string(&record)?;
        let site =
            |line: &str| line.split_once(' ').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        test.reached = sites.lines().filter_map(site).collect();
        test.reached.sort_unstable();
        test.reached.dedup();
    }
    Ok(end == End::Passed)
}

/// Runs tests of one executable, one after the other, until one fails or takes longer than the limit.
pub(super) fn run(
    tests: &[&Test],
    temporary: &Path,
    limit: Duration,
    variable: (&str, &std::ffi::OsStr),
) -> Result<End, Box<dyn Error>> {
    let Some(first) = tests.first() else { return Ok(End::Passed) };
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]);
    command.arg(&first.executable).args(["--exact", "--test-threads", "1"]);
    command.args(tests.iter().map(|test| &test.name)).current_dir(&first.folder);
    command.env("CARGO_MANIFEST_DIR", &first.folder).env("TMPDIR", temporary).env(variable.0, variable.1);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let (sender, lines) = channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            BufReader::new(output).split(b'\n').map_while(Result::ok).all(|line| sender.send(line).is_ok())
        });
    }
    let end = loop {
        match lines.recv_timeout(limit) {
            Ok(line) if line.ends_with(b"FAILED") => break End::Failed,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => break End::Late,
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(if child.wait()?.success() { End::Passed } else { End::Failed });
            }
        }
    };
    child.kill()?;
    child.wait()?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_reaches_the_changes_of_the_sites_that_it_recorded() {
        let test = Test {
            executable: PathBuf::new(),
            folder: PathBuf::new(),
            name: String::new(),
            time: Duration::ZERO,
            reached: vec![(2, 4), (9, 9)],
        };
        let reached: Vec<u32> = (0..12).filter(|number| test.reaches(*number)).collect();
        assert_eq!(reached, [2, 3, 4, 9]);
    }

    /// Runs tests of this executable, as the leg runs those of a crate.
    #[test]
    fn a_failure_and_a_late_test_end_a_process() {
        let own = std::env::current_exe().unwrap();
        let tests = list(&own, Path::new(".")).unwrap();
        let named = |name: &str| tests.iter().find(|test| test.name.ends_with(name)).unwrap();
        let ends = |name: &str, asked: &str| {
            let limit = Duration::from_secs(if asked == "sleep" { 1 } else { 60 });
            run(&[named(name)], &std::env::temp_dir(), limit, ("MUTANT_TESTED", asked.as_ref())).unwrap()
        };
        let (asked, other) = ("processes::tests::does_what_is_asked", "text::tests::statements_are_chosen");
        assert_eq!(ends(asked, "pass"), End::Passed);
        assert_eq!(ends(asked, "fail"), End::Failed);
        assert_eq!(ends(asked, "abort"), End::Failed);
        assert_eq!(ends(asked, "sleep"), End::Late);
        assert_eq!(ends(other, "fail"), End::Passed, "only the named test runs");
    }

    /// What the test above runs.
    #[test]
    fn does_what_is_asked() {
        match std::env::var("MUTANT_TESTED").as_deref() {
            Ok("fail") => panic!("this test fails when it must"),
            Ok("abort") => std::process::abort(),
            Ok("sleep") => std::thread::sleep(Duration::from_secs(600)),
            _ => {}
        }
    }
}
