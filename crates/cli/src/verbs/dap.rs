//! `shisa dap`

use crate::contents;
use crate::conversation::Channel;
use crate::input::Input;
use crate::options::Global;
use crate::program_text::show_text;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use serde_json::Value;
use shisa::data::Which;
use shisa::data::debug::dap::{Adapter, Launcher, interrupts, read, write};
use shisa::data::debug::{Captured, RECORDING_BYTES, Session, captured};
use shisa::diag::Diagnostic;
use shisa::{File, Program, Settings};
use shisa_verbs::{IsaName, StageName};
use std::io::{BufRead, Write};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Debug in an editor: speak the Debug Adapter Protocol over standard input and output, or over a port
///
/// The arguments of a launch request are `program`, a path or a list of paths of the stages of a draw call; `input`, a path;
/// and, where they are needed, `number` of the program in its file, `run` of an input that runs several programs, both from 1,
/// `isa`, `stage`, `stopOnEntry` and `noDebug`.
#[derive(Debug, clap::Args)]
pub(crate) struct Dap {
    #[command(flatten)]
    channel: Channel,
}

/// The largest number of requests that wait for an answer.
const WAITING: usize = 16;

impl Dap {
    /// Talks to a client until it ends the conversation.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let launcher = Files(global.settings()?);
        self.channel.meet(|input, output| talk(launcher, input, output))?;
        Ok(Status::Fine)
    }
}

/// Answers requests. Another thread reads them, so that they can end a long move.
fn talk(
    launcher: Files,
    mut input: impl BufRead + Send + 'static,
    mut output: impl Write,
) -> Result<(), Stop> {
    let mut adapter = Adapter::new(launcher);
    let (interrupt, (to, requests)) = (adapter.interrupt(), sync_channel(WAITING));
    thread::spawn(move || {
        loop {
            let message = read(&mut input);
            let last = !matches!(message, Ok(Some(_)));
            if last || matches!(&message, Ok(Some(request)) if interrupts(request)) {
                interrupt.request();
            }
            if to.send(message).is_err() || last {
                return;
            }
        }
    });
    while !adapter.has_ended()
        && let Ok(message) = requests.recv()
    {
        let message = message.map_err(|e| Stop::File(format!("cannot read a message: {e}")))?;
        let Some(request) = message else { break };
        for message in adapter.handle(&request) {
            write(&mut output, &message)?;
        }
        for message in adapter.proceed() {
            write(&mut output, &message)?;
        }
    }
    Ok(())
}

/// Opens programs and inputs from files.
struct Files(Settings);

fn wrong(text: impl Into<String>) -> Diagnostic {
    Diagnostic::error("debug-request", text)
}

/// Why a file was not read.
fn unread(stop: Stop) -> Diagnostic {
    match stop {
        Stop::Failed(text) | Stop::File(text) => wrong(text),
        Stop::Closed => wrong("a file is closed"),
    }
}

/// The first reason why a program was not opened or did not run.
fn first(error: shisa::Error) -> Diagnostic {
    let first = error.diagnostics.into_iter().next();
    first.unwrap_or_else(|| wrong("the program does not run"))
}

/// A launch argument that is one of several names.
fn choice<T: ValueEnum>(arguments: &Value, key: &str) -> Result<Option<T>, Diagnostic> {
    let Some(name) = arguments[key].as_str().filter(|name| !name.is_empty()) else { return Ok(None) };
    T::from_str(name, true).map(Some).map_err(|_| {
        let names = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
        let name = shisa::diag::escape(name);
        wrong(format!("the launch argument \"{key}\" is \"{name}\"; it may be {}", names.join(", ")))
    })
}

/// A launch argument that is a number from 1.
fn number(arguments: &Value, key: &str) -> Result<Option<usize>, Diagnostic> {
    match &arguments[key] {
        Value::Null => Ok(None),
        value => {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            number.map(Some).ok_or_else(|| wrong(format!("the launch argument \"{key}\" is not a number")))
        }
    }
}

/// The paths of the launch argument `program`.
fn programs(arguments: &Value) -> Result<Vec<&str>, Diagnostic> {
    let paths = match &arguments["program"] {
        Value::String(path) => Some(vec![path.as_str()]),
        Value::Array(paths) => paths.iter().map(Value::as_str).collect(),
        _ => None,
    };
    paths
        .filter(|paths| !paths.is_empty())
        .ok_or_else(|| wrong("the launch arguments have no \"program\", a path or a list of paths"))
}

impl Launcher for Files {
    fn launch(&mut self, arguments: &Value) -> Result<Session, Diagnostic> {
        let mut settings = self.0.clone();
        settings.isa = choice::<IsaName>(arguments, "isa")?.map(|isa| isa.0);
        settings.stage = choice::<StageName>(arguments, "stage")?.map(Into::into);
        let limits = &settings.limits;
        let name = arguments["input"].as_str();
        let name = name.ok_or_else(|| wrong("the launch arguments have no \"input\", a path"))?;
        let read = |path: &str| Input::programs(path, limits).map_err(unread);
        let programs = programs(arguments)?;
        if name == "-" || programs.contains(&"-") {
            return Err(wrong("program and input are files: requests come from standard input"));
        }
        let inputs: Vec<Input> = programs.into_iter().map(read).collect::<Result<_, _>>()?;
        let json = Input::json(name, limits.file).map_err(unread)?;
        let text = json.text().and_then(|text| contents::filled(text, name.as_ref(), limits.file));
        let text = text.map_err(unread)?;
        let chosen = number(arguments, "number")?;
        let open = |input| opened(input, chosen, &settings).map_err(first);
        let files: Vec<_> = inputs.iter().map(open).collect::<Result<_, _>>()?;
        let stages: Vec<Program<'_>> = match &files[..] {
            [_] => Vec::new(),
            files => files.iter().flat_map(|(file, program)| selected(file, program.as_ref())).collect(),
        };
        let runs = captured(|trace| match &files[..] {
            [(_, Some(program))] => program.run_traced(&text, trace),
            [(file, None)] => file.run_traced(&text, trace),
            _ => Program::run_stages(&stages, &text, trace),
        });
        let run = number(arguments, "run")?.unwrap_or(1);
        let mut session = Captured::choose(runs.map_err(first)?, run)?.session(RECORDING_BYTES);
        show_text(&mut session, &inputs, &settings);
        Ok(session)
    }
}

/// A file, and the program that the launch argument `number` or the file's name selects.
fn opened<'i>(
    input: &'i Input,
    number: Option<usize>,
    settings: &Settings,
) -> shisa::Result<(File<'i>, Option<Program<'i>>)> {
    let mut settings = settings.clone();
    settings.name = Some(input.name.clone());
    let file = File::open(&input.bytes, &settings)?;
    let which = number.map(Which::Number).or_else(|| Some(input.which.as_deref()?.into()));
    let program = which.map(|which| file.program(which)).transpose()?;
    Ok((file, program))
}

/// The selected program, or all.
fn selected<'i>(file: &File<'i>, program: Option<&Program<'i>>) -> Vec<Program<'i>> {
    program.map_or_else(|| file.programs().collect(), |program| vec![program.clone()])
}
