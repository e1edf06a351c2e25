//! `shisa dap`

use crate::contents;
use crate::conversation::Channel;
use crate::input::Input;
use crate::material::{Material, Ready};
use crate::options::Global;
use crate::program_text::show_text;
use crate::report::Report;
use crate::saved;
use crate::stop::{Status, Stop};
use clap::ValueEnum;
use serde_json::Value;
use shisa::Settings;
use shisa::data::debug::dap::{Adapter, Launcher, interrupts, read, write};
use shisa::data::debug::{Captured, Commands, RECORDING_BYTES, Saved};
use shisa::diag::Diagnostic;
use shisa_verbs::{IsaName, StageName};
use std::io::{BufRead, Write};
use std::sync::mpsc::sync_channel;
use std::thread;

/// Debug in an editor: speak the Debug Adapter Protocol over standard input and output, or over a port
///
/// The arguments of a launch request are `program`, a path or a list of paths of the stages of a draw call; `input`, a path;
/// and, where they are needed, `number` of the program in its file, `run` of an input that runs several programs, both from 1,
/// `isa`, `stage`, `stopOnEntry` and `noDebug`. In place of program and input, `session` is the path of a session that the
/// command `save` of `shisa debug` has written.
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

/// Launch arguments that a saved session states itself.
const OF_SESSION: [&str; 6] = ["program", "input", "isa", "stage", "number", "run"];

impl Files {
    /// The programs and the input that launch arguments name.
    fn named(&self, arguments: &Value) -> Result<(Material, Saved), Diagnostic> {
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
        let text = text.map_err(unread)?.into_owned();
        let program = number(arguments, "number")?;
        let run = number(arguments, "run")?.unwrap_or(1);
        let material = Material { inputs, words: None, program, json, text, settings };
        Ok((material, Saved { run, ..Saved::default() }))
    }

    /// The programs and the input of a saved session.
    fn saved(&self, arguments: &Value) -> Result<(Material, Saved), Diagnostic> {
        let path = arguments["session"].as_str().filter(|path| *path != "-");
        let path = path.ok_or_else(|| wrong("the launch argument \"session\" is no path"))?;
        if let Some(key) = OF_SESSION.into_iter().find(|key| !arguments[*key].is_null()) {
            let text =
                format!("the launch argument \"{key}\" is not allowed with \"session\", which has its own");
            return Err(wrong(text));
        }
        let input = Input::json(path, self.0.limits.file).map_err(unread)?;
        let saved = Saved::from_json(input.text().map_err(unread)?)?;
        Ok((saved::material(saved.clone(), self.0.clone())?, saved))
    }
}

impl Launcher for Files {
    fn launch(&mut self, arguments: &Value) -> Result<Commands, Diagnostic> {
        let (material, saved) = match &arguments["session"] {
            Value::Null => self.named(arguments)?,
            _ => self.saved(arguments)?,
        };
        let (mut report, mut begun) = (Report::collecting(), None);
        let opened = material.ready(&mut report, |ready, report| {
            match saved::runs(&saved, &ready) {
                Ok(runs) => begun = Some(begin(runs, &saved, &ready)),
                Err(e) => ready.failed(&e, report),
            }
            Ok(())
        });
        opened.map_err(unread)?;
        let failed = || report.first_error().unwrap_or_else(|| wrong("the program does not run"));
        begun.unwrap_or_else(|| Err(failed()))
    }
}

/// Begins a session at the position of a saved one.
fn begin(runs: Vec<Captured>, saved: &Saved, ready: &Ready<'_>) -> Result<Commands, Diagnostic> {
    let mut session = Captured::choose(runs, saved.run)?.session(RECORDING_BYTES);
    show_text(&mut session, ready.inputs, ready.settings);
    let mut commands = Commands::new(session);
    commands.restore(&saved.state)?;
    Ok(commands)
}
