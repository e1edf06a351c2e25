//! `cargo xtask oracle`: conformance data judged by third-party tools.
//!
//! Totals are counted from the files. Every row counts; one that cannot be run has failed.

mod agx;
pub(crate) mod agx_exec;
mod agx_words;
mod binaries;
mod errors;
pub(crate) mod maxwell;
pub(crate) mod numbers;
mod pica200;
mod picasso;
pub(crate) mod run;
mod shbin;
mod table;
mod tally;
mod text;

pub(crate) use tally::Tally;

use std::error::Error;
use std::path::{Path, PathBuf};

/// Run conformance data and print what passes
#[derive(Debug, clap::Args)]
pub(crate) struct Oracle {
    /// Sets such as agal/run, or families such as agal; without any all sets of the families that are built
    sets: Vec<String>,
    /// Where the data lies
    #[arg(long, default_value = "../shared/oracle")]
    dir: PathBuf,
}

type Judge = fn(&Path, &mut Tally) -> Result<(), Box<dyn Error>>;

/// Each set with the file or folder that it needs and what judges it; `None` where the family is not built.
const SETS: &[(&str, &str, Option<Judge>)] = &[
    ("agal/asm", "agal/asm", Some(text::asm)),
    ("agal/dis", "agal/bin/judged.tsv", Some(text::dis)),
    ("agal/run", "agal/run", Some(run::judge)),
    ("agal/errors", "agal/errors/errors.tsv", Some(errors::judge)),
    ("agal/linkage", "agal/errors/linkage.tsv", Some(errors::linkage)),
    ("agal/text-errors", "agal/text-errors.tsv", Some(text::errors)),
    ("pica200/asm", "pica200/commands.tsv", Some(picasso::asm)),
    ("pica200/dis", "pica200", Some(shbin::dis)),
    ("pica200/run", "pica200/run", Some(pica200::run::judge)),
    ("pica200/errors", "pica200/errors.tsv", Some(picasso::errors)),
    ("pica200/errors-bin", "pica200/errors.tsv", Some(binaries::judge)),
    ("pica200/hw", "pica200/hw", Some(pica200::hw::judge)),
    ("maxwell/words", "maxwell/words", Some(maxwell::words::judge)),
    ("maxwell/sched", "maxwell/sched", Some(maxwell::sched::judge)),
    ("maxwell/ptx", "maxwell/ptx", Some(maxwell::ptx::judge)),
    ("maxwell/glsl", "maxwell/glsl", Some(maxwell::glsl::judge)),
    ("maxwell/cuda", "maxwell/cuda", None),
    ("maxwell/glsl-run", "maxwell/glsl", None),
    ("agx/mesa", "agx/pairs.tsv", Some(agx_words::mesa)),
    ("agx/applegpu", "agx/pairs.tsv", Some(agx_words::applegpu)),
    ("agx/words", "agx/pairs.tsv", Some(agx_words::words)),
    ("agx/exec", "agx/exec.jsonl", Some(agx_exec::judge)),
    ("agx/links", "agx/links.jsonl", Some(agx::links)),
];

impl Oracle {
    /// Runs the sets; whether all passed.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let asked = |set: &str, built: bool| match self.sets.is_empty() {
            true => built,
            false => self.sets.iter().any(|s| s == set || set.split_once('/').is_some_and(|(f, _)| f == s)),
        };
        for s in &self.sets {
            if !SETS.iter().any(|(set, ..)| set == s || set.split_once('/').is_some_and(|(f, _)| f == s)) {
                let names: Vec<&str> = SETS.iter().map(|s| s.0).collect();
                return Err(format!("there is no set {s}; the sets are {}", names.join(" ")).into());
            }
        }
        let mut all = true;
        for (set, path, judge) in SETS {
            if !asked(set, judge.is_some()) {
                continue;
            }
            let Some(judge) = judge else {
                println!("{set} not built yet");
                all = false;
                continue;
            };
            let path = self.dir.join(path);
            if !path.exists() {
                println!("{set} missing: {}", path.display());
                all = false;
                continue;
            }
            let mut tally = Tally::default();
            judge(&path, &mut tally)?;
            println!("{set} {}/{}", tally.passed(), tally.total());
            tally.failures().iter().for_each(|f| println!("  {f}"));
            all &= tally.passed() == tally.total() && tally.total() > 0;
        }
        if self.sets.is_empty() {
            let waiting = SETS.iter().filter(|s| s.2.is_none()).count();
            println!("{waiting} sets of families that are not built yet were left out");
        }
        Ok(all)
    }
}
