//! Arguments that are not understood, and requests for help.

use crate::options::{Color, Format};
use crate::report::Report;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use std::io::{IsTerminal, Write};

/// Writes the help that was asked for, or what is wrong with the arguments.
pub(crate) fn refused(e: &clap::Error) -> (Result<Status, Stop>, Report) {
    let format = given("--format").unwrap_or_default();
    let format = if arguments().any(|a| a == "--json") { Format::Json } else { format };
    let report = Report::plain(format);
    let color: Color = given("--color").unwrap_or_default();
    if !e.use_stderr() {
        let mut output = std::io::stdout();
        let text = text(e, color.on(output.is_terminal()));
        return (output.write_all(text.as_bytes()).map(|()| Status::Fine).map_err(Stop::from), report);
    }
    if format == Format::Json {
        return (Err(Stop::Failed(message(e))), report);
    }
    let mut output = std::io::stderr();
    let text = text(e, color.on(output.is_terminal()));
    // What cannot be written to the error output changes nothing.
    let _ = output.write_all(text.as_bytes());
    (Ok(Status::Failed), report)
}

/// The whole text. The parser of arguments would decide by itself whether it is coloured, and by other rules.
fn text(e: &clap::Error, coloured: bool) -> String {
    let text = e.render();
    if coloured { text.ansi().to_string() } else { text.to_string() }
}

/// The message in one line, without the usage and the advice after it.
fn message(e: &clap::Error) -> String {
    let text = e.render().to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    words.join(" ").trim_start_matches("error: ").to_owned()
}

/// The value that the arguments give an option, as far as they can be understood.
fn given<T: ValueEnum>(option: &str) -> Option<T> {
    let mut next = arguments().skip(1);
    arguments().find_map(|argument| {
        let next = next.next();
        let value = match argument.strip_prefix(option)?.strip_prefix('=') {
            Some(value) => value.to_owned(),
            None if argument == option => next?,
            None => return None,
        };
        T::from_str(&value, false).ok()
    })
}

/// The arguments before `--`.
fn arguments() -> impl Iterator<Item = String> {
    let all = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned());
    all.take_while(|a| a != "--")
}
