//! `cargo xtask links`: programs that another linker joined, from files of any size.

use crate::judge::{TARGETS, label};
use serde_json::Value;
use shisa::diag::{Diagnostic, Severity};
use shisa::{File, Language, Listing, Settings};
use shisa_conformance::agx::links::Case;
use shisa_run::from_hex;
use shisa_translate::Options;
use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// Check, link, list and translate AGX programs that Mesa's linker joined
///
/// A line of a file is a JSON object with `prolog`, `main`, `epilog` and `linked`, as in the oracle's
/// `agx/links.jsonl`. No part and no program may have a finding but notes, the linked code and metadata must be those of
/// the file, and a listing must assemble to the same bytes. Prints each kind of difference with its number and its first
/// program, and the same for notes and for translations that a language refuses. Fails if there is an error, a warning, or
/// other bytes.
#[derive(Debug, clap::Args)]
pub(crate) struct Links {
    /// Files with a program on each line; a line that occurs again is skipped
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Do not translate
    #[arg(long)]
    only_link: bool,
}

/// Programs and their differences.
#[derive(Default)]
struct Seen {
    programs: usize,
    parts: usize,
    differences: Kinds,
    notes: Kinds,
    refused: Kinds,
}

/// How often each kind of something was seen, with the first one.
type Kinds = BTreeMap<String, (usize, String)>;

fn count(kinds: &mut Kinds, kind: String, first: String) {
    kinds.entry(kind).or_insert((0, first)).0 += 1;
}

impl Links {
    /// Judges all programs; returns whether there is no difference.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let (mut seen, mut lines) = (Seen::default(), HashSet::new());
        for path in &self.files {
            for (number, line) in (1..).zip(BufReader::new(std::fs::File::open(path)?).lines()) {
                let line = line?;
                if lines.insert(line.clone()) {
                    let name = format!("{}:{number}", path.display());
                    self.program(&name, &line, &mut seen);
                }
            }
        }
        println!("{} programs of {} parts", seen.programs, seen.parts);
        for (title, kinds) in [
            ("differences", &seen.differences),
            ("notes", &seen.notes),
            ("refused translations", &seen.refused),
        ] {
            println!("{title}: {} kinds", kinds.len());
            kinds.iter().for_each(|(kind, (n, first))| println!("{n:6} {kind}: {first}"));
        }
        Ok(seen.differences.is_empty())
    }

    fn program(&self, name: &str, line: &str, seen: &mut Seen) {
        let settings = Settings::default();
        seen.programs += 1;
        let case = match Case::read(line) {
            Ok(case) => case,
            Err(e) => return seen.differs("not read", format!("{name}: {e}")),
        };
        let parts =
            [("prolog", case.prolog.as_ref()), ("main", Some(&case.main)), ("epilog", case.epilog.as_ref())];
        for (role, part) in parts.into_iter().filter_map(|(role, part)| Some((role, part?))) {
            seen.parts += 1;
            seen.file(name, role, &part.to_json(), &settings);
        }
        seen.file(name, "linked", &case.linked, &settings);
        match case.link() {
            Err(e) => seen.found(name, "link", &e.diagnostics),
            Ok((got, found)) => {
                seen.found(name, "link", &found);
                if got["code"] != case.linked["code"] {
                    seen.differs("code", name.to_owned());
                }
                for (key, value) in case.linked["meta"].as_object().into_iter().flatten() {
                    if got["meta"][key] != *value {
                        let text = format!("{name}: expected {value}, got {}", got["meta"][key]);
                        seen.differs(&format!("metadata, {key}"), text);
                    }
                }
            }
        }
        if !self.only_link {
            seen.translate(name, case.linked.to_string().as_bytes(), &settings);
        }
    }
}

impl Seen {
    fn differs(&mut self, kind: &str, first: String) {
        count(&mut self.differences, kind.to_owned(), first);
    }

    fn found(&mut self, name: &str, verb: &str, found: &[Diagnostic]) {
        for d in found {
            let kinds = match d.severity {
                Severity::Error | Severity::Warning => &mut self.differences,
                Severity::Note => &mut self.notes,
            };
            count(kinds, format!("{verb}, {}", d.code), format!("{name}: {}", d.message));
        }
    }

    /// Checks a file, and assembles its listing.
    fn file(&mut self, name: &str, role: &str, file: &Value, settings: &Settings) {
        let bytes = &file.to_string().into_bytes();
        let program = match File::open(bytes, settings).and_then(|file| file.program(1)) {
            Ok(program) => program,
            // A prolog that does nothing has no code.
            Err(_) if role == "prolog" => return,
            Err(e) => return self.found(name, &format!("open {role}"), &e.diagnostics),
        };
        match program.check() {
            Ok(found) => self.found(name, &format!("check {role}"), &found),
            Err(e) => self.found(name, &format!("check {role}"), &e.diagnostics),
        }
        let text = program.file().listing(&Listing::default());
        match text.and_then(|text| shisa::assemble(&text, Language::Agx, settings)) {
            Ok(again) if file["code"].as_str().and_then(from_hex).as_ref() == Some(&again.bytes) => {}
            Ok(_) => self.differs(&format!("text {role}, other bytes"), name.to_owned()),
            Err(e) => self.found(name, &format!("text {role}"), &e.diagnostics),
        }
    }

    fn translate(&mut self, name: &str, bytes: &[u8], settings: &Settings) {
        let lowered = match crate::opened::lowered(bytes, settings) {
            Ok(lowered) => lowered,
            Err(e) => return self.refused(name, "every language", &e.diagnostics),
        };
        for target in TARGETS {
            if let Err(e) = lowered.translate(target, &Options::default()) {
                self.refused(name, label(target), &e.diagnostics);
            }
        }
    }

    /// Counts refused translations. Refusals whose reason is a fault of the code or of ours are differences: each part
    /// and each program is a compiler's output.
    fn refused(&mut self, name: &str, target: &str, found: &[Diagnostic]) {
        for d in found {
            let kinds = match d.code.starts_with("translate-") || d.code.starts_with("structure-") {
                true => &mut self.refused,
                false => &mut self.differences,
            };
            count(kinds, format!("{target}, {}", d.code), format!("{name}: {}", d.message));
        }
    }
}
