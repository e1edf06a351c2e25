//! Pieces of legs in a program of their own, built for another host or with other flags than the campaign.

use shisa_fuzz_targets::legs::{Leg, Outcome};
use std::error::Error;
use std::path::PathBuf;
use std::process::Command;

/// A build of the program `legs` of the crate `shisa-fuzz-targets`, and what runs it.
#[derive(Debug, Default)]
pub(super) struct Build {
    /// The target, if it is not that of this computer.
    pub(super) target: Option<&'static str>,
    /// The folder below `target` of its own, if flags would compile the usual one again.
    pub(super) folder: &'static str,
    /// Variables of the environment for cargo and for the program.
    pub(super) variables: Vec<(String, String)>,
    /// The program with its first arguments that runs programs of the target, if it is not this computer.
    pub(super) runner: Vec<&'static str>,
}

impl Build {
    /// Cargo, with the variables and the target of the build.
    pub(super) fn cargo(&self, verb: &str) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.arg(verb).arg("--target-dir").arg(self.root());
        cargo.envs(self.variables.iter().map(|(name, value)| (name, value)));
        cargo.args(self.target.iter().flat_map(|target| ["--target", target]));
        cargo
    }

    /// Builds the program.
    pub(super) fn make(&self) -> Result<(), Box<dyn Error>> {
        let mut cargo = self.cargo("build");
        cargo.args(["--quiet", "--package", "shisa-fuzz-targets", "--bin", "legs"]);
        if cargo.status()?.success() { Ok(()) } else { Err("the program `legs` cannot be built".into()) }
    }

    /// Tests the pieces from `first` up to `end` of a leg. Returns what each part accepted and refused, and the widest vector
    /// units that the program found.
    ///
    /// # Errors
    /// The last lines that the program wrote, if it did not end well.
    pub(super) fn run(
        &self,
        leg: &Leg,
        (first, end): (u64, u64),
        seed: u64,
    ) -> Result<(String, Vec<Outcome>), Box<dyn Error>> {
        let extension = if self.target.is_some_and(|t| t.starts_with("wasm32")) { "wasm" } else { "" };
        let path = self.root().join(self.target.unwrap_or_default()).join("debug/legs");
        let program = path.with_extension(extension);
        let mut command = match self.runner.split_first() {
            Some((runner, arguments)) => {
                let mut command = Command::new(runner);
                command.args(arguments).arg(&program);
                command
            }
            None => Command::new(&program),
        };
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.args([first, end, seed].map(|n| n.to_string())).arg(&leg.name);
        let output = command.output()?;
        if !output.status.success() {
            let written = String::from_utf8_lossy(&output.stderr);
            let lines: Vec<&str> = written.lines().collect();
            return Err(lines[lines.len().saturating_sub(MOST_LINES)..].join("\n").into());
        }
        read(&String::from_utf8_lossy(&output.stdout))
            .ok_or_else(|| "the program `legs` printed no counts".into())
    }

    fn root(&self) -> PathBuf {
        PathBuf::from("target").join(self.folder)
    }
}

/// Lines of a failure that are printed.
const MOST_LINES: usize = 40;

/// The level and the counts that the program printed.
fn read(printed: &str) -> Option<(String, Vec<Outcome>)> {
    let mut lines = printed.lines();
    let level = lines.next()?.strip_prefix("host level ")?.to_owned();
    let outcome = |line: &str| {
        let (accepted, refused) = line.rsplit_once(" accepts ")?.1.split_once(" refuses ")?;
        Some(Outcome { accepted: accepted.parse().ok()?, refused: refused.parse().ok()? })
    };
    Some((level, lines.map(outcome).collect::<Option<_>>()?))
}

/// Prints what each part of a leg accepted and refused; returns whether these are the shares that it states.
pub(super) fn report(host: &str, leg: &Leg, outcomes: &[Outcome]) -> bool {
    let mut held = leg.parts.len() == outcomes.len();
    for (part, outcome) in leg.parts.iter().zip(outcomes) {
        let Outcome { accepted, refused } = outcome;
        println!("{host} {} {} accepts {accepted} refuses {refused}", leg.name, part.name);
        if let Some(fault) = part.shares.fault(outcome) {
            println!("{host} {} {} {fault}", leg.name, part.name);
            held = false;
        }
    }
    held
}

#[test]
fn counts_are_read() {
    let printed = "host level Base\na/b c d accepts 12 refuses 3\na/b e accepts 0 refuses 15\n";
    let outcomes = vec![Outcome { accepted: 12, refused: 3 }, Outcome { accepted: 0, refused: 15 }];
    assert_eq!(read(printed), Some(("Base".to_owned(), outcomes)));
    assert_eq!(read("killed"), None);
}
