//! `shisa asm`

use super::bulk;
use super::words::Surroundings;
use crate::input::Input;
use crate::options::Global;
use crate::output::{OutputFiles, ProgramOut};
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::diag::{Diagnostic, Place};
use shisa::maxwell::{NvnControl, assemble_into, assemble_into_pair};
use shisa::pica200::{Source, link, put_into};
use shisa::{File, Isa, Language, Listing, Settings};
use shisa_verbs::{Reading, SourceSyntax, language};
use std::borrow::Cow;
use std::ffi::OsString;

/// Assemble a program
#[derive(Debug, clap::Args)]
pub(crate) struct Asm {
    /// The source; - is standard input, the default. Several sources for PICA200 are linked
    #[arg(value_name = "FILE", conflicts_with = "words")]
    files: Vec<OsString>,
    /// The language of the source; by default the extension of the file name determines it
    #[arg(long, value_enum, conflicts_with = "words")]
    syntax: Option<SourceSyntax>,
    #[command(flatten)]
    output: ProgramOut,
    /// Do not apply the rules to the program
    #[arg(long)]
    unchecked: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    into: Into,
    #[command(flatten)]
    maxwell: Maxwell,
    #[command(flatten)]
    picasso: Picasso,
    /// Single instructions, one a line; writes their words in hex, one a line
    #[arg(long, value_name = "FILE")]
    words: Option<OsString>,
    #[command(flatten)]
    around: Surroundings,
}

/// The file that assembled code is put into.
#[derive(Debug, clap::Args)]
struct Into {
    /// A file in which the code replaces a program: any that `identify` lists programs of, except those that PICA200's
    /// objects and drivers' dumps contain. The default language is then Maxwell's
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    into: Option<OsString>,
    /// Which program of that file, from 1. For PICA200, the shader binary with the program is replaced
    #[arg(long = "program", value_name = "N", requires = "into", default_value_t = 1)]
    into_program: usize,
}

impl Into {
    /// Reads the file, if one is given.
    fn read(&self, settings: &Settings) -> Result<Option<Input>, Stop> {
        self.into.as_ref().map(|name| Input::programs(name, &settings.limits)).transpose()
    }
}

/// Options of assembling Maxwell.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for Maxwell")]
struct Maxwell {
    /// Fill in control bits, so that each instruction waits for its operands
    #[arg(long, conflicts_with = "words")]
    schedule: bool,
    /// The control file of NVN that belongs to the code file of --into
    #[arg(long, value_name = "CONTROL", requires_all = ["into", "nvn_control_output"], conflicts_with = "into_program")]
    nvn_control: Option<OsString>,
    /// The output file for the changed control file
    #[arg(long, value_name = "OUT", requires = "nvn_control")]
    nvn_control_output: Option<OsString>,
}

impl Maxwell {
    /// A Maxwell option that is given, if any.
    fn given(&self) -> Option<&'static str> {
        match self {
            Maxwell { schedule: true, .. } => Some("--schedule"),
            Maxwell { nvn_control: Some(_), .. } => Some("--nvn-control"),
            _ => None,
        }
    }

    /// Assembles a source, into another file if one is given.
    fn run(
        &self,
        input: &Input,
        into: &Into,
        output: &ProgramOut,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let number = into.into_program;
        let into = into.read(settings)?;
        let control = self.nvn_control.as_ref().zip(self.nvn_control_output.as_ref());
        let source = input.text()?;
        let done = match (&into, control) {
            (None, _) => {
                shisa::assemble(source, Language::Maxwell, settings).map(|a| (a.bytes, None, a.diagnostics))
            }
            (Some(code), Some((name, changed))) => {
                let control = Input::read(name, settings.limits.file)?;
                if let Err(found) = NvnControl::read(&control.bytes, &settings.limits) {
                    report.all(&found, &control);
                    return Ok(());
                }
                assemble_into_pair(source, &code.bytes, &control.bytes, settings)
                    .map(|([code, control], found)| (code, Some((changed, control)), found))
            }
            (Some(file), None) => assemble_into(source, &file.bytes, number, settings)
                .map(|(bytes, found)| (bytes, None, found)),
        };
        let (written, found) = match done {
            Ok((bytes, control, found)) => (Some((bytes, control)), found),
            Err(e) => (None, e.diagnostics),
        };
        // Byte offsets count in the file that the code goes into.
        let bytes = |d: &Diagnostic| d.labels.iter().any(|l| l.place == Place::Bytes);
        let (of_file, of_source): (Vec<_>, Vec<_>) = found.into_iter().partition(bytes);
        report.all(&of_source, input);
        report.all(&of_file, into.as_ref().unwrap_or(input));
        let Some((bytes, control)) = written else { return Ok(()) };
        let mut outputs = OutputFiles::default();
        output.add(&bytes, &mut outputs)?;
        control.map_or(Ok(()), |(name, bytes)| outputs.add(name, &bytes))?;
        outputs.write()
    }
}

/// Options of assembling PICA200.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for PICA200")]
struct Picasso {
    /// Write exactly what picasso writes, including its bugs
    #[arg(long)]
    picasso_compatible: bool,
    /// Do not insert NOPs at the ends of blocks
    #[arg(short, long)]
    no_nop: bool,
    /// Round constants to the nearest float24 instead of truncating them
    #[arg(long)]
    nearest: bool,
    /// Write a table of labels and procedures
    #[arg(long)]
    labels: bool,
    /// Write a table with the source line of each word
    #[arg(long)]
    lines: bool,
    /// The output file for the operand descriptors: OUT is then the words alone, without a container
    #[arg(long, value_name = "OUT", conflicts_with = "into")]
    descriptors: Option<OsString>,
    /// The output file for a C header with the registers of uniforms
    #[arg(long, value_name = "OUT")]
    header: Option<OsString>,
    /// The output file for a listing of the sources with their words
    #[arg(long, value_name = "OUT")]
    listing: Option<OsString>,
}

impl Picasso {
    /// The settings with these options.
    fn settings(&self, mut settings: Settings) -> Settings {
        let assembling = &mut settings.pica200.assembling;
        assembling.picasso_compatible = self.picasso_compatible;
        assembling.no_padding = self.no_nop;
        assembling.nearest = self.nearest;
        assembling.labels = self.labels;
        assembling.lines = self.lines;
        settings
    }

    /// Assembles sources to one shader binary.
    fn run(
        &self,
        inputs: &[Input],
        into: &Into,
        output: &ProgramOut,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<(), Stop> {
        // Old sources have comments in many encodings.
        let texts: Vec<Cow<'_, str>> = inputs.iter().map(Input::lossy).collect::<Result<_, _>>()?;
        let sources: Vec<Source<'_>> =
            inputs.iter().zip(&texts).map(|(input, text)| Source { name: &input.name, text }).collect();
        let done = link(&sources, settings);
        for found in done.findings().chunk_by(|a, b| a.source == b.source) {
            let source = found.first().and_then(|found| sources.get(found.source));
            let (name, text) = source.map_or(("-", None), |s| (s.name, Some(s.text)));
            let list: Vec<_> = found.iter().map(|found| found.diagnostic.clone()).collect();
            report.named(&list, name, text);
        }
        let Some(bytes) = done.bytes() else { return Ok(()) };
        let mut outputs = OutputFiles::default();
        match self.descriptors.as_ref().zip(done.raw()) {
            None => match into.read(settings)? {
                None => output.add(bytes, &mut outputs)?,
                Some(file) => match put_into(bytes, &file.bytes, into.into_program, settings) {
                    Ok((bytes, warnings)) => {
                        report.all(&warnings, &file);
                        output.add(&bytes, &mut outputs)?;
                    }
                    Err(e) => {
                        report.all(&e.diagnostics, &file);
                        return Ok(());
                    }
                },
            },
            Some((name, (code, descriptors))) => {
                output.add(&code, &mut outputs)?;
                outputs.add(name, &descriptors)?;
            }
        }
        if let Some(header) = &self.header {
            outputs.add(header, done.header().as_bytes())?;
        }
        if let Some(name) = &self.listing {
            match done.listing(&sources, settings) {
                Ok(text) => outputs.add(name, text.as_bytes())?,
                Err(e) => {
                    report.named(&e.diagnostics, &name.to_string_lossy(), None);
                    return Ok(());
                }
            }
        }
        outputs.write()
    }
}

impl Asm {
    /// Runs the verb.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = self.around.settings(self.reading.settings(global.settings()?));
        settings = self.picasso.settings(settings);
        settings.unchecked = self.unchecked;
        settings.maxwell.schedule = self.maxwell.schedule;
        if let Some(name) = &self.words {
            let words = self.around.words(&self.reading, &Listing::new(), &settings)?;
            bulk::lines(name, |text, out| words.assemble(text, out))?;
            return Ok(Status::Fine);
        }
        let read = |name: &OsString| Input::read(name, settings.limits.file);
        let inputs = match &self.files[..] {
            [] => vec![read(&"-".into())?],
            files => files.iter().map(read).collect::<Result<Vec<_>, _>>()?,
        };
        let only = self.maxwell.given();
        let into = self.into.into.as_ref().map(|_| "--into");
        let first = inputs.first().ok_or_else(|| Stop::Failed("there is no source".into()))?;
        let mut named = settings.clone();
        named.name = Some(first.name.clone());
        let language = language(&first.bytes, self.syntax, only.or(into).map(|_| Language::Maxwell), &named);
        if let Some(option) = only.filter(|_| language != Language::Maxwell) {
            let isa = language.isa().name();
            return Err(Stop::Failed(format!("{option} is for maxwell, and this is {isa}")));
        }
        let mut report = Report::new(global);
        if language == Language::Picasso {
            self.picasso.run(&inputs, &self.into, &self.output, &settings, &mut report)?;
            return Ok(report.status());
        }
        let [input] = &inputs[..] else {
            return Err(Stop::Failed("only sources for PICA200 are linked; give one".into()));
        };
        settings.name = Some(input.name.clone());
        if language == Language::Maxwell {
            self.maxwell.run(input, &self.into, &self.output, &settings, &mut report)?;
            return Ok(report.status());
        }
        match shisa::assemble(input.text()?, language, &settings) {
            Ok(done) => {
                report.all(&done.diagnostics, input);
                self.write(&done.bytes, language.isa(), &settings, &mut report)?;
            }
            Err(e) => report.all(&e.diagnostics, input),
        }
        Ok(report.status())
    }

    /// Writes code, into another file if one is given.
    fn write(&self, code: &[u8], isa: Isa, settings: &Settings, report: &mut Report) -> Result<(), Stop> {
        let Some(file) = self.into.read(settings)? else { return self.output.write(code) };
        let mut settings = settings.clone();
        settings.name = Some(file.name.clone());
        let opened = File::open(&file.bytes, &settings);
        let other = opened.as_ref().ok().and_then(|opened| opened.isa()).filter(|other| *other != isa);
        if let Some(other) = other {
            let (other, isa) = (other.name(), isa.name());
            return Err(Stop::Failed(format!("--into: the file has programs of {other}, and this is {isa}")));
        }
        match opened.and_then(|opened| opened.replace(self.into.into_program, code)) {
            Ok(bytes) => self.output.write(&bytes),
            Err(e) => {
                report.all(&e.diagnostics, &file);
                Ok(())
            }
        }
    }
}
