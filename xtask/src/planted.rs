//! `cargo xtask planted`: changes that are made in a copy of the sources, and what the tests find of them: faults, which
//! they must notice, and rows of invented instructions, which must need nothing else.

mod edit;
mod rows;
mod suite;

use crate::copied::copy;
use edit::{Edit, list};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::Path;
use suite::{COPY, Tests};

/// The list of faults, below the root of the workspace.
const LIST: &str = "tests/planted.txt";

/// Put the faults of tests/planted.txt into a copy of the workspace and run the tests of their crates
///
/// Each fault is put in alone, and only the tests of its own crate run. Fails when the tests of a crate do not notice a
/// fault (SURVIVED), or when a fault cannot be put in or does not compile (stale).
#[derive(Debug, clap::Args)]
pub(crate) struct Planted {
    /// Names of faults, or of crates for all of their faults; all faults when none is given
    names: Vec<String>,
    /// Add the invented instructions of xtask/rows, one row each, instead of faults: all tests of their families and all
    /// file tests must succeed, and so must the file tests beside the rows
    #[arg(long, conflicts_with = "names")]
    rows: bool,
}

impl Planted {
    /// Runs the tests of each fault; whether they notice all.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        if self.rows {
            return rows::run();
        }
        let faults = list(Path::new(LIST))?;
        let is_named = |f: &&Edit| self.names.iter().any(|n| *n == f.name || n == f.group());
        let faults: Vec<&Edit> = faults.iter().filter(|f| self.names.is_empty() || is_named(f)).collect();
        if faults.is_empty() {
            return Err(format!("{LIST} has no fault of such a name").into());
        }
        copy(Path::new(COPY), &BTreeMap::new())?;
        let mut counts = [0; 3];
        let mut sound = BTreeSet::new();
        for fault in faults {
            let tests = Tests { group: fault.group(), options: &[], shown: false };
            if sound.insert(fault.group()) && !(tests.compile()? && tests.succeed()?) {
                return Err(format!("the tests of {} fail without a fault", fault.group()).into());
            }
            let outcome = outcome(fault, &tests)?;
            println!("{:9} {}: {}", ["killed", "SURVIVED", "stale"][outcome], fault.name, fault.what);
            counts[outcome] += 1;
        }
        println!("planted: {} killed, {} SURVIVED, {} stale", counts[0], counts[1], counts[2]);
        Ok(counts[1..] == [0, 0])
    }
}

/// 0: killed, 1: survived, 2: stale.
fn outcome(fault: &Edit, tests: &Tests<'_>) -> Result<usize, Box<dyn Error>> {
    let path = Path::new(COPY).join(&fault.file);
    let source = fs::read_to_string(&path).unwrap_or_default();
    let Some(changed) = fault.apply(&source) else { return Ok(2) };
    fs::write(&path, changed)?;
    let outcome = match tests.compile() {
        Ok(true) => tests.succeed().map(usize::from),
        Ok(false) => Ok(2),
        Err(e) => Err(e),
    };
    // Written anew, so that cargo sees that the file has changed.
    fs::write(&path, source)?;
    outcome
}
