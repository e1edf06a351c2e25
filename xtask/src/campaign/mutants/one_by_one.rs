//! Changes that are built and tested one after the other, by `cargo-mutants` itself: those that cannot be chosen at run
//! time, too, but about one a minute.

use super::list::Mutant;
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The changes that were caught, and those that survived.
pub(super) struct Tested<'m> {
    pub caught: usize,
    pub survived: Vec<&'m Mutant>,
}

/// Tests a part of the changes of a package with the tests of these packages; the part is all, or K/N for every N-th
/// from the K-th, counted from 0.
pub(super) fn run<'m>(
    mutants: &'m [Mutant],
    packages: &[String],
    out: &Path,
    shard: Option<&str>,
) -> Result<Tested<'m>, Box<dyn Error>> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--profile", super::PROFILE, "--all-features", "--output"]).arg(out);
    packages.first().into_iter().for_each(|package| {
        command.args(["--package", package]);
    });
    packages.iter().for_each(|package| {
        command.args(["--test-package", package]);
    });
    if let Some(shard) = shard {
        command.args(["--shard", shard, "--sharding", "round-robin"]);
    }
    // The exit status reports whether anything survived, which the budget permits.
    command.status()?;
    let list = |file: &str| -> Result<BTreeSet<String>, Box<dyn Error>> {
        let path = out.join("mutants.out").join(file);
        let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(text.lines().map(str::to_owned).collect())
    };
    let survived = list("missed.txt")?;
    Ok(Tested {
        caught: list("caught.txt")?.len() + list("timeout.txt")?.len(),
        survived: mutants.iter().filter(|m| survived.contains(&m.name)).collect(),
    })
}
