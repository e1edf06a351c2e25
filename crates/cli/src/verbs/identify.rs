//! `shisa identify`

use crate::files::Files;
use crate::input::Input;
use crate::nvn::Nvn;
use crate::options::{Format, Global};
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::data::Entry as Program;
use shisa::{File, Identity};
use shisa_verbs::{Identified, Reading};
use std::io::Write;

/// Identify files by their contents
#[derive(Debug, clap::Args)]
pub(crate) struct Identify {
    #[command(flatten)]
    files: Files,
    /// List pieces of programs, too: text in a SWF that is joined with other text
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    nvn: Nvn,
}

impl Identify {
    /// Identifies every file; an unknown one is a fault.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = self.reading.settings(global.settings()?);
        settings.pieces = self.all;
        let mut report = Report::new(global);
        let Ok(nvn) = self.nvn.read(self.files.names.len(), &settings, &mut report)? else {
            return Ok(report.status());
        };
        let mut rows = vec![
            ["file", "container", "isa", "version", "stage", "programs", "bytes", "sure"].map(String::from),
        ];
        let mut out = std::io::stdout().lock();
        let mut unknown = false;
        self.files.each(&settings.limits, &mut report, |input, report| {
            let mut named = settings.clone();
            named.name = Some(input.name.clone());
            let identity = match nvn {
                None => {
                    let (identity, found) = File::inspect(&input.bytes, &named);
                    report.all(&found, input);
                    identity
                }
                Some(_) => match Nvn::open(nvn, input, None, &named, report)? {
                    Some(selected) => selected.file.identity().clone(),
                    None => return Ok(()),
                },
            };
            unknown |= identity.confidence.is_none() && !input.found;
            match global.format {
                Format::Json => {
                    serde_json::to_writer(&mut out, &Identified::new(&input.name, &identity))?;
                    writeln!(out)?;
                }
                Format::Text => {
                    rows.push(row(input, &identity));
                    // A file that is a single program needs only its own row.
                    let alone = identity.programs.len() == 1
                        && identity.container == Some(identity.programs[0].container);
                    rows.extend(identity.programs.iter().filter(|_| !alone).map(|p| part(p, &identity)));
                }
            }
            Ok(())
        })?;
        if global.format == Format::Text && rows.len() > 1 {
            write!(out, "{}", table(&rows))?;
        }
        Ok(report.status().max(if unknown { Status::Faults } else { Status::Fine }))
    }
}

fn row(input: &Input, identity: &Identity) -> [String; 8] {
    let or_dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
    [
        shisa::diag::escape(&input.name),
        or_dash(identity.container.map(|c| c.name())),
        or_dash(identity.isa.map(|i| i.name())),
        or_dash(identity.chip.as_deref()),
        or_dash(identity.stage.map(|s| s.name())),
        identity.programs.len().to_string(),
        input.bytes.len().to_string(),
        identity.confidence.map_or("none", |c| c.name()).to_owned(),
    ]
}

/// The row of a program inside a file: its location and kind.
fn part(part: &Program, file: &Identity) -> [String; 8] {
    let or_dash = |text: Option<&str>| text.unwrap_or("-").to_owned();
    [
        format!("  {:#x}: {}", part.offset, part.name),
        part.container.to_string(),
        or_dash(file.isa.map(|i| i.name())),
        or_dash(part.chip.as_deref()),
        or_dash(part.stage.map(|s| s.name())),
        "1".to_owned(),
        part.size.to_string(),
        part.confidence.name().to_owned(),
    ]
}

/// Columns as wide as their widest entry.
fn table(rows: &[[String; 8]]) -> String {
    let width = |i: usize| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).map(|(cell, w)| format!("{cell:w$}"));
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}
