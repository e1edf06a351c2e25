//! `shisa asm`

use super::bulk;
use super::isa::{IsaName, Surroundings, Words};
use crate::input::{Input, Language};
use crate::options::Global;
use crate::output;
use crate::picasso;
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::Settings;
use shisa::agal::AsmOptions;
use shisa::diag::{Diagnostic, Place};
use shisa::maxwell::container::NvnControl;
use shisa::pica200::container::Shbin;
use shisa::pica200::picasso::{Options, Rules, listing};

/// Assemble a program
#[derive(Debug, clap::Args)]
pub(crate) struct Asm {
    /// The source; - is standard input. Several sources for PICA200 are linked
    #[arg(value_name = "FILE", required_unless_present = "words", conflicts_with = "words")]
    files: Vec<String>,
    /// The instruction set
    #[arg(long, value_enum)]
    isa: Option<IsaName>,
    /// The language of the source; without it the end of the file's name tells it
    #[arg(long, value_enum, conflicts_with = "words")]
    syntax: Option<Language>,
    /// Where the program goes; - is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: String,
    /// Take what AGALMiniAssembler takes, and give the same bytes
    #[arg(long)]
    lenient: bool,
    /// Do not ask the rules of the program
    #[arg(long)]
    unchecked: bool,
    #[command(flatten)]
    maxwell: Maxwell,
    #[command(flatten)]
    picasso: Picasso,
    /// Lone instructions, one a line; writes their words in hex, one a line
    #[arg(long, value_name = "FILE")]
    words: Option<String>,
    #[command(flatten)]
    around: Surroundings,
}

/// How Maxwell is assembled.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for Maxwell")]
struct Maxwell {
    /// Fill in control bits, so that all instructions wait for what they need
    #[arg(long, conflicts_with = "words")]
    schedule: bool,
    /// A file in which the code takes the place of a program's; then FILE is in Maxwell's language
    #[arg(long, value_name = "FILE", conflicts_with = "words")]
    into: Option<String>,
    /// Which program of that file, from 1
    #[arg(long, value_name = "N", requires = "into", default_value_t = 1)]
    program: usize,
    /// The control file of NVN that belongs to the code file of --into
    #[arg(long, value_name = "CONTROL", requires_all = ["into", "nvn_control_output"], conflicts_with = "program")]
    nvn_control: Option<String>,
    /// Where the changed control file goes
    #[arg(long, value_name = "OUT", requires = "nvn_control")]
    nvn_control_output: Option<String>,
}

impl Maxwell {
    /// An option that only Maxwell has, if one is given.
    fn given(&self) -> Option<&'static str> {
        match self {
            Maxwell { schedule: true, .. } => Some("--schedule"),
            Maxwell { into: Some(_), .. } => Some("--into"),
            _ => None,
        }
    }

    fn run(
        &self,
        input: &Input,
        output: &str,
        options: &shisa::maxwell::text::AsmOptions,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let into = self.into.as_ref().map(|name| Input::read(name, settings.limits.file)).transpose()?;
        let control = self.nvn_control.as_ref().zip(self.nvn_control_output.as_ref());
        let source = input.text()?;
        let done = match (&into, control) {
            (Some(code), Some((name, changed))) => {
                let control = Input::read(name, settings.limits.file)?;
                if let Err(found) = NvnControl::read(&control.bytes, &settings.limits) {
                    return report.all(&found, &control);
                }
                shisa::assemble_maxwell_nvn(source, options, &code.bytes, &control.bytes, settings)
                    .map(|(done, control)| (done, Some((changed, control))))
            }
            _ => {
                let into = into.as_ref().map(|file| (file.bytes.as_slice(), self.program));
                shisa::assemble_maxwell(source, options, into, settings).map(|done| (done, None))
            }
        };
        let (written, told) = match done {
            Ok((mut done, control)) => {
                let told = core::mem::take(&mut done.diagnostics);
                (Some((done, control)), told)
            }
            Err(e) => (None, e.diagnostics),
        };
        // Places in bytes are those of the file that the code goes into.
        let bytes = |d: &Diagnostic| d.labels.iter().any(|l| l.place == Place::Bytes);
        let (of_file, of_source): (Vec<_>, Vec<_>) = told.into_iter().partition(bytes);
        report.all(&of_source, input)?;
        report.all(&of_file, into.as_ref().unwrap_or(input))?;
        let Some((done, control)) = written else { return Ok(()) };
        output::write(output, done.bytes.as_deref().unwrap_or_default())?;
        control.map_or(Ok(()), |(name, bytes)| output::write(name, &bytes))
    }
}

/// How PICA200 is assembled.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for PICA200")]
struct Picasso {
    /// Write what picasso writes, also where it gets something wrong
    #[arg(long)]
    picasso_compatible: bool,
    /// Put no NOPs where blocks end
    #[arg(short, long)]
    no_nop: bool,
    /// Round constants to the nearest float24 in place of cutting them
    #[arg(long)]
    nearest: bool,
    /// Write a table of labels and procedures
    #[arg(long)]
    labels: bool,
    /// Write a table with the source line of each word
    #[arg(long)]
    lines: bool,
    /// Where the operand descriptors go: OUT is then the words alone, without a container
    #[arg(long, value_name = "OUT")]
    descriptors: Option<String>,
    /// Where a C header with the registers of uniforms goes
    #[arg(long, value_name = "OUT")]
    header: Option<String>,
    /// Where a listing of the sources with their words goes
    #[arg(long, value_name = "OUT")]
    listing: Option<String>,
}

impl Picasso {
    fn run(
        &self,
        inputs: &[Input],
        output: &str,
        check: bool,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let options = Options {
            picasso_compatible: self.picasso_compatible,
            no_padding: self.no_nop,
            nearest: self.nearest,
            labels: self.labels,
            lines: self.lines,
            rules: if check { Rules::Warn } else { Rules::Skip },
        };
        let done = picasso::assemble(inputs, &options, settings, report)?;
        let Some(bytes) = &done.bytes else { return Ok(()) };
        match &self.descriptors {
            None => output::write(output, bytes)?,
            Some(name) => match Shbin::read(bytes, &settings.limits) {
                Ok(file) => {
                    let (code, descriptors) = file.raw();
                    output::write(output, &code)?;
                    output::write(name, &descriptors)?;
                }
                Err(found) => report.named(&found, output, None)?,
            },
        }
        if let Some(header) = &self.header {
            output::write(header, done.header.as_bytes())?;
        }
        if let Some(name) = &self.listing {
            let text = picasso::with_sources(inputs, |sources| listing(sources, &done, &settings.limits));
            match text {
                Ok(text) => output::write(name, text.as_bytes())?,
                Err(d) => report.named(&[d], name, None)?,
            }
        }
        Ok(())
    }
}

impl Asm {
    /// Assembles it.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if let Some(name) = &self.words {
            let words = Words::new(self.isa, &self.around, shisa::agx::Syntax::Full)?;
            bulk::lines(name, |text, out| words.assemble(text, out))?;
            return Ok(Status::Fine);
        }
        let settings = global.settings()?;
        let read = |name: &String| Input::read(name, settings.limits.file);
        let inputs = self.files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let isa = self.isa.or_else(|| match self.syntax {
            Some(Language::Picasso) => Some(IsaName::Pica200),
            Some(Language::Macro) => Some(IsaName::Agal),
            _ => inputs.first()?.isa(),
        });
        let isa = match (isa, self.maxwell.given()) {
            (None, Some(_)) => Some(IsaName::Maxwell),
            (Some(isa), Some(option)) if isa != IsaName::Maxwell => {
                let isa = shisa::Isa::from(isa).name();
                return Err(Stop::Failed(format!("{option} is for maxwell, and this is {isa}")));
            }
            (isa, _) => isa,
        };
        let mut report = Report::new(global);
        if isa == Some(IsaName::Pica200) {
            // What a listing shows was not written here.
            let check = !self.unchecked && !inputs.iter().any(Input::is_listing);
            self.picasso.run(&inputs, &self.output, check, &settings, &mut report)?;
            return Ok(report.status());
        }
        let [input] = &inputs[..] else {
            return Err(Stop::Failed("only sources for PICA200 are linked; give one".into()));
        };
        match isa {
            Some(IsaName::Maxwell) => {
                let options = shisa::maxwell::text::AsmOptions {
                    chip: self.around.sm,
                    unchecked: self.unchecked,
                    schedule: self.maxwell.schedule,
                };
                self.maxwell.run(input, &self.output, &options, &settings, &mut report)?;
            }
            Some(IsaName::Agx) => self.agx(input, &settings, &mut report)?,
            _ => self.agal(input, &settings, &mut report)?,
        }
        Ok(report.status())
    }

    fn agx(&self, input: &Input, settings: &Settings, report: &mut Report) -> Result<(), Stop> {
        let options = shisa::agx::text::AsmOptions { revision: self.around.isa_rev.into() };
        match shisa::assemble_agx(input.text()?, &options, settings) {
            Ok(done) => {
                report.all(&done.diagnostics, input)?;
                output::write(&self.output, done.bytes.as_deref().unwrap_or_default())
            }
            Err(e) => report.all(&e.diagnostics, input),
        }
    }

    fn agal(&self, input: &Input, settings: &Settings, report: &mut Report) -> Result<(), Stop> {
        let options = AsmOptions {
            version: self.around.version,
            stage: self.around.stage.map(Into::into),
            lenient: self.lenient,
            unchecked: self.unchecked,
        };
        let language = self.syntax.unwrap_or(Language::of(&input.name));
        match input.assemble(language, &options, settings)? {
            Ok(done) => {
                report.all(&done.warnings, input)?;
                output::write(&self.output, &done.bytes)
            }
            Err(e) => report.all(&e.diagnostics, input),
        }
    }
}
