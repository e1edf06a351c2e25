//! `shisa asm`

use super::bulk;
use super::isa::{IsaName, StageName, words};
use crate::input::{Input, Language};
use crate::options::Global;
use crate::output;
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::agal::AsmOptions;

/// Assemble a program
#[derive(Debug, clap::Args)]
pub(crate) struct Asm {
    /// The source; - is standard input
    #[arg(required_unless_present = "words", conflicts_with = "words")]
    file: Option<String>,
    /// The instruction set
    #[arg(long, value_enum)]
    isa: Option<IsaName>,
    /// The language of the source; without it the end of the file's name tells it
    #[arg(long, value_enum, conflicts_with = "words")]
    syntax: Option<Language>,
    /// Where the program goes; - is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: String,
    /// The stage; without it the first line tells it (`// agal 1 fragment`)
    #[arg(long, value_enum)]
    stage: Option<StageName>,
    /// The version of AGAL, 1 to 4; without it the first line tells it, without that 1
    #[arg(long)]
    version: Option<u32>,
    /// Take what AGALMiniAssembler takes, and give the same bytes
    #[arg(long)]
    lenient: bool,
    /// Do not ask the rules of the program
    #[arg(long)]
    unchecked: bool,
    /// Lone instructions, one a line; writes their words in hex, one a line
    #[arg(long, value_name = "FILE")]
    words: Option<String>,
}

impl Asm {
    /// Assembles it.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if let Some(name) = &self.words {
            let words = words(self.isa, self.stage, self.version)?;
            bulk::lines(name, |text, out| words.assemble(text, out))?;
            return Ok(Status::Fine);
        }
        let settings = global.settings()?;
        let input = Input::read(self.file.as_deref().unwrap_or("-"), settings.limits.file)?;
        let options = AsmOptions {
            version: self.version,
            stage: self.stage.map(Into::into),
            lenient: self.lenient,
            unchecked: self.unchecked,
        };
        let mut report = Report::new(global);
        let language = self.syntax.unwrap_or_else(|| Language::of(&input.name));
        match input.assemble(language, &options, &settings)? {
            Ok(done) => {
                report.all(&done.warnings, &input)?;
                output::write(&self.output, &done.bytes)?;
            }
            Err(e) => report.all(&e.diagnostics, &input)?,
        }
        Ok(report.status())
    }
}
