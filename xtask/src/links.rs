//! `cargo xtask links`: programs that another linker joined, from files of any size.

use serde_json::Value;
use shisa::agx::PartFile;
use shisa::diag::Diagnostic;
use shisa::{File, Language, Listing, Settings};
use shisa_translate::{GlslVersion, Options, ShaderModel, SpirvVersion, Target};
use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

/// Check, link, list and translate AGX programs that Mesa's linker joined
///
/// A line of a file is a JSON object with `prolog`, `main`, `epilog` and `linked`, as in the oracle's
/// `agx/links.jsonl`. No part and no program may have a finding, the linked code and metadata must be those of the
/// file, and a listing must assemble to the same bytes. Prints each kind of difference with its number and its first
/// program, and the same for translations that a language refuses. Fails if there is an error or other bytes; warnings
/// do not count.
#[derive(Debug, clap::Args)]
pub(crate) struct Links {
    /// Files with a program on each line; a line that occurs again is skipped
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Do not translate
    #[arg(long)]
    only_link: bool,
}

const TARGETS: [Target; 5] = [
    Target::Wgsl,
    Target::Msl,
    Target::Glsl(GlslVersion::Core450),
    Target::Hlsl(ShaderModel::V5_1),
    Target::Spirv(SpirvVersion::V1_3),
];

/// Programs and their differences.
#[derive(Default)]
struct Seen {
    programs: usize,
    parts: usize,
    /// How often each kind of difference was seen, with the first one.
    differences: BTreeMap<String, (usize, String)>,
    refused: BTreeMap<String, (usize, String)>,
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
                    self.program(&name, &serde_json::from_str(&line)?, &mut seen);
                }
            }
        }
        println!("{} programs of {} parts", seen.programs, seen.parts);
        for (title, kinds) in [("differences", &seen.differences), ("refused translations", &seen.refused)] {
            println!("{title}: {} kinds", kinds.len());
            kinds.iter().for_each(|(kind, (n, first))| println!("{n:6} {kind}: {first}"));
        }
        Ok(seen.differences.keys().all(|kind| kind.contains("Warning")))
    }

    fn program(&self, name: &str, case: &Value, seen: &mut Seen) {
        let settings = Settings::default();
        seen.programs += 1;
        let mut read = |role: &str| match &case[role] {
            Value::Null => Ok(None),
            file => {
                seen.parts += 1;
                seen.file(name, role, file, &settings);
                PartFile::read(file.to_string().as_bytes(), &settings)
                    .map(Some)
                    .map_err(|e| format!("{role}: {e}"))
            }
        };
        let (prolog, main, epilog) = match (read("prolog"), read("main"), read("epilog")) {
            (Ok(prolog), Ok(Some(main)), Ok(epilog)) => (prolog, main, epilog),
            _ => return seen.differs("not read", name.to_owned()),
        };
        let expected = &case["linked"];
        let bytes = expected.to_string().into_bytes();
        seen.file(name, "linked", expected, &settings);
        let samples = expected["meta"]["nr_samples_shaded"].as_u64().and_then(|n| n.try_into().ok());
        let samples = samples.unwrap_or(0);
        match shisa::agx::link(prolog.as_ref(), &main, epilog.as_ref(), samples, &settings) {
            Err(e) => seen.found(name, "link", &e.diagnostics),
            Ok((linked, warnings)) => {
                seen.found(name, "link", &warnings);
                let got = linked.to_json();
                if got["code"] != expected["code"] {
                    seen.differs("code", name.to_owned());
                }
                for (key, value) in expected["meta"].as_object().into_iter().flatten() {
                    // The number that a program was filed under belongs to the collection.
                    if key != "id" && got["meta"][key] != *value {
                        let text = format!("{name}: expected {value}, got {}", got["meta"][key]);
                        seen.differs(&format!("metadata, {key}"), text);
                    }
                }
            }
        }
        if !self.only_link {
            seen.translate(name, &bytes, &settings);
        }
    }
}

impl Seen {
    fn differs(&mut self, kind: &str, first: String) {
        self.differences.entry(kind.to_owned()).or_insert((0, first)).0 += 1;
    }

    fn found(&mut self, name: &str, verb: &str, found: &[Diagnostic]) {
        for d in found {
            let kind = format!("{verb}, {:?} {}", d.severity, d.code);
            self.differs(&kind, format!("{name}: {}", d.message));
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
            Ok(again) if file["code"] == hex(&again.bytes) => {}
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
                self.refused(name, target.name(), &e.diagnostics);
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
            let first = || (0, format!("{name}: {}", d.message));
            kinds.entry(format!("{target}, {}", d.code)).or_insert_with(first).0 += 1;
        }
    }
}

/// Bytes in hexadecimal.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
