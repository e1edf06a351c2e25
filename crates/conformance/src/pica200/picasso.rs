//! `pica200/asm` and `pica200/errors`: sources in picasso's language, and what picasso made of them.

use crate::{Data, Error, Row, Table, Tally};
use shisa::Settings;
use shisa::diag::{Severity, line_column};
use shisa::pica200::picasso::{Assembly, Finding, Options, Rules, Source, assemble};

/// The path of a file that is named from a folder. Binaries lie beside the folder: `../bin/x.shbin`.
fn below(dir: &str, name: &str) -> String {
    match (name.strip_prefix("../"), dir.rsplit_once('/')) {
        (Some(name), Some((above, _))) => format!("{above}/{name}"),
        _ => format!("{dir}/{name}"),
    }
}

/// A line of picasso's arguments.
struct Command {
    options: Options,
    output: Option<String>,
    header: Option<String>,
    names: Vec<String>,
    texts: Vec<String>,
}

impl Command {
    /// Reads the sources; files are named from `dir`.
    fn read(data: &Data, dir: &str, arguments: &str) -> Result<Command, String> {
        let mut words = arguments.split_ascii_whitespace();
        let (mut options, mut output, mut header) = (Options::default(), None, None);
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        while let Some(word) = words.next() {
            match word {
                "-n" => options.no_padding = true,
                "-o" => output = words.next().map(|f| below(dir, f)),
                "-h" => header = words.next().map(|f| below(dir, f)),
                name => {
                    let bytes = data.read(&below(dir, name)).map_err(|e| format!("{name}: {e}"))?;
                    names.push(name.to_owned());
                    texts.push(String::from_utf8_lossy(&bytes).into_owned());
                }
            }
        }
        Ok(Command { options, output, header, names, texts })
    }

    fn assemble(&self, picasso_compatible: bool) -> Assembly {
        let sources: Vec<Source<'_>> =
            self.names.iter().zip(&self.texts).map(|(name, text)| Source { name, text }).collect();
        let options = Options {
            picasso_compatible,
            rules: if picasso_compatible { Rules::Skip } else { Rules::Warn },
            ..self.options
        };
        assemble(&sources, &options, &Settings::default().limits)
    }

    /// A finding as picasso would begin its message: `file:line`.
    fn place(&self, found: &Finding) -> (&str, usize) {
        let text = &self.texts[found.source];
        let line = found.diagnostic.offset().map_or(0, |at| line_column(text, at).0);
        (&self.names[found.source], line)
    }

    fn told(&self, done: &Assembly) -> String {
        let tell = |f: &Finding| {
            let (file, line) = self.place(f);
            format!("{file}:{line}: {}", f.diagnostic)
        };
        done.findings.iter().map(tell).collect::<Vec<_>>().join(" | ")
    }
}

/// Judges `commands.tsv`: the bytes of binaries and headers. What is not equal without a word is wrong also
/// where picasso's bytes are not asked for.
pub(crate) fn asm(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for row in Table::read(data, "pica200/commands.tsv")?.rows() {
        tally.row(row.get("name"), program(data, row.get("picasso_arguments")));
    }
    Ok(())
}

fn program(data: &Data, arguments: &str) -> Result<(), String> {
    let command = Command::read(data, "pica200/asm", arguments)?;
    let read = |path: &String| data.read(path).map_err(|e| e.to_string());
    let expected = read(command.output.as_ref().ok_or("no output")?)?;
    let done = command.assemble(true);
    let bytes = done.bytes.as_ref().ok_or_else(|| command.told(&done))?;
    equal(&expected, bytes)?;
    if let Some(header) = &command.header {
        equal(&read(header)?, done.header.as_bytes())?;
    }
    let strict = command.assemble(false);
    match &strict.bytes {
        Some(bytes) => equal(&expected, bytes).map_err(|e| format!("by default: {e}")),
        None if strict.findings.iter().any(|f| f.diagnostic.severity == Severity::Error) => Ok(()),
        None => Err("refused without an error".into()),
    }
}

fn equal(expected: &[u8], got: &[u8]) -> Result<(), String> {
    match expected.iter().zip(got).position(|(a, b)| a != b) {
        Some(at) => Err(format!("byte {at:#x}: expected {:02x}, got {:02x}", expected[at], got[at])),
        None if expected.len() == got.len() => Ok(()),
        None => Err(format!("{} bytes expected, {} got", expected.len(), got.len())),
    }
}

/// Judges `errors.tsv`: each fault is reported at its line, what is valid is taken, and where picasso's bytes
/// are asked for they are written.
pub(crate) fn errors(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for row in Table::read(data, "pica200/errors.tsv")?.rows() {
        tally.row(row.get("name"), fault(data, row));
    }
    Ok(())
}

fn fault(data: &Data, row: Row<'_>) -> Result<(), String> {
    let command = Command::read(data, "pica200/errors", row.get("arguments"))?;
    let binary = format!("pica200/errors/bin/{}.shbin", row.get("name"));
    if data.has(&binary) {
        let expected = data.read(&binary).map_err(|e| e.to_string())?;
        let done = command.assemble(true);
        let bytes = done.bytes.as_ref().ok_or_else(|| command.told(&done))?;
        equal(&expected, bytes).map_err(|e| format!("picasso's bytes: {e}"))?;
    }
    let done = command.assemble(false);
    if row.get("class") == "ok" {
        return if done.bytes.is_some() { Ok(()) } else { Err(command.told(&done)) };
    }
    let (file, line) = match row.get("fault_line").split_once(':') {
        Some(place) => place,
        None => (command.names.first().map_or("", String::as_str), row.get("fault_line")),
    };
    let at = |f: &&Finding| command.place(f).0 == file && command.place(f).1.to_string() == line;
    // Text that does not mean what it says is refused, unless picasso warns of it too. Where only the hardware
    // misbehaves, or only a careful reader objects, a warning is enough.
    let text = matches!(row.get("class"), "enc" | "syn") && row.get("verdict") != "accepted with warning";
    let wanted = if text { Severity::Error } else { Severity::Warning };
    let found = done.findings.iter().filter(at).map(|f| f.diagnostic.severity).max();
    match found {
        Some(severity) if severity >= wanted => Ok(()),
        _ => Err(format!("{} expected at {file}:{line}, got {}", row.get("rule"), command.told(&done))),
    }
}
