//! `shisa translate`

use super::pair;
use crate::input::Input;
use crate::options::Global;
use crate::output::{Force, OutputFiles};
use crate::raw::RawOptions;
use crate::report::Report;
use crate::stop::{Status, Stop};
use serde_json::Value;
use shisa::Program;
use shisa::agal::translate_pair;
use shisa::diag::Severity;
use shisa::translation::{Code, Output};
use shisa_verbs::{LanguageName, Reading, Translating, source_map};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Translate a program to a shading language
#[derive(Debug, clap::Args)]
pub(crate) struct Translate {
    /// The program (with --pair the vertex program); - is standard input. FILE#N and FILE#NAME are one of a file's
    #[arg(default_value = "-")]
    file: OsString,
    /// Which program, from 1, of a file that contains several; by default the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    /// The fragment program that belongs to FILE: both are checked together and translated
    #[arg(long, value_name = "FRAGMENT")]
    pair: Option<OsString>,
    /// The same as --program, for FRAGMENT
    #[arg(long, value_name = "N", requires = "pair")]
    pair_program: Option<usize>,
    /// The language
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    to: LanguageName,
    /// The output file for the code; - is standard output. For a pair, `.vert` and `.frag` are inserted before the
    /// extension
    #[arg(short, long, default_value = "-", value_name = "OUT")]
    output: OsString,
    /// The output file for the reflection (how to bind the code), as JSON; - is standard output
    #[arg(long, value_name = "R.json")]
    reflect: Option<OsString>,
    /// The output file for the source map (which instruction each line came from), as JSON; - is standard output
    #[arg(long, value_name = "MAP.json")]
    source_map: Option<OsString>,
    #[command(flatten)]
    how: Translating,
    /// Refuse a program that breaks a rule of its instruction set, as `check` reports it
    #[arg(long)]
    checked: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    raw: RawOptions,
    #[command(flatten)]
    force: Force,
}

impl Translate {
    /// Runs the verb.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = self.reading.settings(global.settings()?);
        self.how.adjust(&mut settings);
        let target =
            self.how.target(self.to).map_err(|text| Stop::Failed(format!("--target-version {text}")))?;
        let options = self.how.options();
        let mut report = Report::new(global);
        let input = Input::programs(&self.file, &settings.limits)?;
        let Some(selected) = self.raw.open(&input, false, self.program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let program = match selected.first() {
            Ok(program) => program,
            Err(e) => {
                report.all(&e.diagnostics, &input);
                return Ok(report.status());
            }
        };
        if self.checked && self.refused(&program, &input, &mut report) {
            return Ok(report.status());
        }
        let Some(second) = &self.pair else {
            match program.translate(target, &options) {
                Ok(done) => {
                    report.all(&done.warnings, &input);
                    self.write(&[(&self.output, &done)])?;
                }
                Err(e) => report.all(&e.diagnostics, &input),
            }
            return Ok(report.status());
        };
        let fragment = Input::read(second, settings.limits.file)?;
        let Some(other) = fragment.open(self.pair_program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let other = match other.first() {
            Ok(other) => other,
            Err(e) => {
                report.all(&e.diagnostics, &fragment);
                return Ok(report.status());
            }
        };
        if self.checked && self.refused(&other, &fragment, &mut report) {
            return Ok(report.status());
        }
        if pair::check((&input, &program), (&fragment, &other), &mut report) == Status::Faults {
            return Ok(Status::Faults);
        }
        match translate_pair(&program, &other, target, &options) {
            Ok([v, f]) => {
                report.all(&v.warnings, &input);
                report.all(&f.warnings, &fragment);
                self.write(&[(&staged(&self.output, "vert"), &v), (&staged(&self.output, "frag"), &f)])?;
            }
            Err(e) => report.all(&e.diagnostics, &input),
        }
        Ok(report.status())
    }

    /// Reports the findings about a program; whether one is an error.
    fn refused(&self, program: &Program<'_>, input: &Input, report: &mut Report) -> bool {
        let found = program.check().unwrap_or_else(|e| e.diagnostics);
        report.program(&found, program, input);
        found.iter().any(|d| d.severity == Severity::Error)
    }

    fn write(&self, parts: &[(&OsString, &Output)]) -> Result<(), Stop> {
        let mut outputs = OutputFiles::default();
        for (name, part) in parts {
            match &part.code {
                Code::Text(text) => outputs.add(name, text.as_bytes())?,
                Code::Words(words) => {
                    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                    outputs.binary(name, &bytes, &self.force)?;
                }
            }
        }
        // One object for a single program, a list for a pair.
        let document = |each: &dyn Fn(&Output) -> Result<Value, Stop>| {
            let list: Vec<Value> = parts.iter().map(|(_, part)| each(part)).collect::<Result<_, _>>()?;
            Ok::<Value, Stop>(match <[Value; 1]>::try_from(list) {
                Ok([one]) => one,
                Err(list) => list.into(),
            })
        };
        if let Some(name) = &self.reflect {
            outputs.json(name, &document(&|part| Ok(serde_json::to_value(&part.reflection)?))?)?;
        }
        if let Some(name) = &self.source_map {
            outputs.json(name, &document(&|part| Ok(source_map(part)))?)?;
        }
        outputs.write()
    }
}

/// Inserts the stage before the extension, `name.stage.extension`; standard output is unchanged.
fn staged(name: &OsStr, stage: &str) -> OsString {
    if name == "-" {
        return name.to_owned();
    }
    let path = Path::new(name);
    let parts = [path.file_stem(), Some(stage.as_ref()), path.extension()];
    let parts: Vec<&OsStr> = parts.into_iter().flatten().collect();
    path.with_file_name(parts.join(".".as_ref())).into()
}
