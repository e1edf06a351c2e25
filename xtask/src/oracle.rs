//! `cargo xtask oracle`: conformance data judged by third-party tools.

use shisa_conformance::{Data, SETS, Set};
use std::error::Error;
use std::path::PathBuf;

/// Run conformance data and print what passes
#[derive(Debug, clap::Args)]
pub(crate) struct Oracle {
    /// Sets such as agal/run, or families such as agal; by default all sets
    sets: Vec<String>,
    /// The folder with the data
    #[arg(long, default_value = "../shared/oracle")]
    dir: PathBuf,
    /// Print also what rows do not judge, such as the signs of zeros
    #[arg(long)]
    notes: bool,
}

impl Oracle {
    /// Runs the sets; returns whether all passed.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let named = |set: &Set, name: &String| name == set.name || name == set.family();
        for name in &self.sets {
            if !SETS.iter().any(|set| named(set, name)) {
                let names: Vec<&str> = SETS.iter().map(|s| s.name).collect();
                return Err(format!("there is no set {name}; the sets are {}", names.join(" ")).into());
            }
        }
        let data = Data::Folder(self.dir.clone());
        let mut all = true;
        for set in SETS.iter().filter(|s| self.sets.is_empty() || self.sets.iter().any(|n| named(s, n))) {
            match set.judge(&data) {
                Err(e) => {
                    println!("{} cannot be judged: {e}", set.name);
                    all = false;
                }
                Ok(tally) => {
                    println!("{} {}/{}", set.name, tally.passed(), tally.total());
                    tally.failures().iter().for_each(|f| println!("  {f}"));
                    let notes = tally.notes().iter().filter(|_| self.notes);
                    notes.for_each(|n| println!("  not judged: {n}"));
                    all &= tally.passed() == tally.total() && tally.total() > 0;
                }
            }
        }
        Ok(all)
    }
}
