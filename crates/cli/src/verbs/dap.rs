//! `shisa dap`

use crate::options::Global;
use crate::stop::{Status, Stop};
use serde_json::Value;
use shisa::data::debug::dap::{Adapter, Launcher, read, write};
use shisa::data::debug::{Captured, RECORDING_BYTES, Session, captured};
use shisa::diag::Diagnostic;
use shisa::{File, Program, Settings};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};

/// Debug in an editor: speak the Debug Adapter Protocol over standard input and output, or over a port
///
/// The arguments of a launch request are `program`, `input` and, if the input runs several programs, `run`, from 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Dap {
    /// Wait for one client at this port of the own computer; 0 is any free port, which is written to the error output
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

impl Dap {
    /// Talks to a client until it ends the conversation.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let launcher = Files(global.settings()?);
        match self.port {
            None => talk(launcher, io::stdin().lock(), io::stdout().lock())?,
            Some(port) => {
                let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
                writeln!(io::stderr(), "listening at {}", listener.local_addr()?)?;
                let (stream, _) = listener.accept()?;
                talk(launcher, BufReader::new(stream.try_clone()?), stream)?;
            }
        }
        Ok(Status::Fine)
    }
}

fn talk(launcher: Files, mut input: impl BufRead, mut output: impl Write) -> Result<(), Stop> {
    let mut adapter = Adapter::new(launcher);
    while !adapter.has_ended()
        && let Some(request) = read(&mut input)?
    {
        for message in adapter.handle(&request) {
            write(&mut output, &message)?;
        }
    }
    Ok(())
}

/// Opens programs and inputs from files.
struct Files(Settings);

impl Launcher for Files {
    fn launch(&mut self, arguments: &Value) -> Result<Session, Diagnostic> {
        let wrong = |text: String| Diagnostic::error("debug-request", text);
        let file = |key: &str| {
            let path = arguments[key].as_str();
            let path =
                path.ok_or_else(|| wrong(format!("the launch arguments have no \"{key}\", a path")))?;
            let bytes = std::fs::read(path).map_err(|e| wrong(format!("cannot read {path}: {e}")))?;
            Ok::<_, Diagnostic>((path, bytes))
        };
        let ((path, program), (_, input)) = (file("program")?, file("input")?);
        let input = String::from_utf8(input).map_err(|_| wrong("the input is not text in UTF-8".into()))?;
        let mut settings = self.0.clone();
        settings.name = Some(path.to_owned());
        let first = |error: shisa::Error| {
            let first = error.diagnostics.into_iter().next();
            first.unwrap_or_else(|| wrong("the program does not run".into()))
        };
        let opened = File::open(&program, &settings).map_err(first)?;
        let chosen = arguments["number"].as_u64().map(|number| opened.program(number as usize));
        let chosen: Option<Program<'_>> = chosen.transpose().map_err(first)?;
        let runs = captured(|trace| match &chosen {
            Some(program) => program.run_traced(&input, trace),
            None => opened.run_traced(&input, trace),
        });
        let wanted = arguments["run"].as_u64().unwrap_or(1) as usize;
        Ok(Captured::choose(runs.map_err(first)?, wanted)?.session(RECORDING_BYTES))
    }
}
