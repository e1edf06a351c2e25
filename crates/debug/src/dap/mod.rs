//! The Debug Adapter Protocol, with which editors debug.
//!
//! An [`Adapter`] takes requests and makes responses and events; it reads and writes nothing. A [`Launcher`] opens the program
//! that the launch request describes. A thread of the protocol is a lane of the wave that runs.

mod breakpoints;
mod inspect;
mod message;

pub use message::{MOST_BYTES, read, write};

use crate::commands::Commands;
use crate::search::Direction;
use crate::session::{Reach, Reason, Session, Stop};
use message::Outbox;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;

/// Opens programs for an adapter.
pub trait Launcher {
    /// Begins a session for the arguments of a launch request.
    ///
    /// # Errors
    /// What is wrong with the arguments, the program or its input.
    fn launch(&mut self, arguments: &Value) -> Result<Session, Diagnostic>;
}

/// The state of a conversation.
pub struct Adapter<L> {
    launcher: L,
    commands: Option<Commands>,
    out: Outbox,
    /// Whether lines count from 1, as the client asked for.
    lines_from_one: bool,
    /// Whether the conversation has ended.
    ended: bool,
    /// The breakpoints of each request that replaces its own.
    own: breakpoints::Own,
}

/// What a request leads to.
type Answer = Result<Value, Diagnostic>;

/// An error about a request.
fn wrong(text: impl Into<String>) -> Diagnostic {
    Diagnostic::error("debug-request", text)
}

impl<L: Launcher> Adapter<L> {
    /// An adapter without a program.
    pub fn new(launcher: L) -> Adapter<L> {
        Adapter {
            launcher,
            commands: None,
            out: Outbox::default(),
            lines_from_one: true,
            ended: false,
            own: breakpoints::Own::default(),
        }
    }

    /// Whether the client has ended the conversation.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Takes a message of the client and returns those for it, in order.
    pub fn handle(&mut self, request: &Value) -> Vec<Value> {
        let command = request["command"].as_str().unwrap_or_default();
        if request["type"] != "request" {
            return Vec::new();
        }
        let answer = self.answer(command, &request["arguments"]);
        self.out.respond(request, command, answer);
        match command {
            "initialize" => self.out.event("initialized", json!({})),
            "configurationDone" if self.commands.is_some() => self.entered(),
            _ => {}
        }
        self.out.take()
    }

    fn answer(&mut self, command: &str, arguments: &Value) -> Answer {
        match command {
            "initialize" => {
                self.lines_from_one = arguments["linesStartAt1"] != false;
                Ok(capabilities())
            }
            "launch" => {
                let session = self.launcher.launch(arguments)?;
                self.commands = Some(Commands::new(session));
                Ok(json!({}))
            }
            "attach" => Err(wrong("there is nothing to attach to: launch a program with an input")),
            "configurationDone" => Ok(json!({})),
            "disconnect" | "terminate" => {
                self.ended = true;
                self.out.event("terminated", json!({}));
                Ok(json!({}))
            }
            "pause" | "cancel" => Ok(json!({})),
            "continue" => self.go(arguments, |s| s.run(Direction::Forwards, None)),
            "reverseContinue" => self.go(arguments, |s| s.run(Direction::Backwards, None)),
            "next" => self.go(arguments, |s| s.step(Reach::Over, Direction::Forwards, 1)),
            "stepIn" => self.go(arguments, |s| s.step(Reach::Instruction, Direction::Forwards, 1)),
            "stepBack" => self.go(arguments, |s| s.step(Reach::Instruction, Direction::Backwards, 1)),
            "stepOut" => self.go(arguments, |s| s.step(Reach::Out, Direction::Forwards, 1)),
            "setBreakpoints" => self.set_breakpoints(arguments),
            "setInstructionBreakpoints" => self.set_instruction_breakpoints(arguments),
            "setDataBreakpoints" => self.set_data_breakpoints(arguments),
            "setExceptionBreakpoints" => self.set_event_breakpoints(arguments),
            "setFunctionBreakpoints" => Ok(json!({"breakpoints": []})),
            "dataBreakpointInfo" => self.data_breakpoint_info(arguments),
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(arguments),
            "scopes" => self.scopes(arguments),
            "variables" => self.variables(arguments),
            "evaluate" => self.evaluate(arguments),
            "completions" => self.completions(arguments),
            "source" => self.source(),
            "loadedSources" => Ok(json!({"sources": [self.listing()]})),
            "disassemble" => self.disassemble(arguments),
            "readMemory" => self.read_memory(arguments),
            other => Err(wrong(format!("the request \"{}\" is not supported", shisa_diag::escape(other)))),
        }
    }

    /// The session.
    fn session(&mut self) -> Result<&mut Session, Diagnostic> {
        let commands = self.commands.as_mut();
        commands.map(Commands::session_mut).ok_or_else(|| wrong("no program is launched"))
    }

    /// Chooses the lane that a request is about; a session with one lane has nothing to choose.
    fn choose(&mut self, arguments: &Value) -> Result<(), Diagnostic> {
        if let Some(thread) = arguments["threadId"].as_u64().and_then(|thread| thread.checked_sub(1)) {
            self.session()?.set_focus(Some(thread as usize))?;
        }
        Ok(())
    }

    /// Moves, and reports to the client where it ended.
    fn go(&mut self, arguments: &Value, go: impl FnOnce(&mut Session) -> Result<Stop, Diagnostic>) -> Answer {
        self.choose(arguments)?;
        let stop = go(self.session()?)?;
        for (time, text) in &stop.logged {
            let output = format!("step {time}, {text}\n");
            self.out.event("output", json!({"category": "console", "output": output}));
        }
        let (reason, text, hit) = match &stop.reason {
            Reason::Arrived => ("step", None, None),
            Reason::Start => ("step", Some("the start of the run".to_owned()), None),
            Reason::End => ("step", Some("the end of the run".to_owned()), None),
            Reason::Failure(d) => ("exception", Some(d.to_string()), None),
            Reason::Breakpoint { number, text, .. } => ("breakpoint", Some(text.clone()), Some(*number)),
        };
        if let Reason::Failure(d) = &stop.reason {
            self.out.event("output", json!({"category": "stderr", "output": format!("{d}\n")}));
        }
        let thread = self.thread()?;
        let hits: Vec<usize> = hit.into_iter().collect();
        self.out.event(
            "stopped",
            json!({
                "reason": reason, "description": text, "text": text, "threadId": thread,
                "allThreadsStopped": true, "hitBreakpointIds": hits,
            }),
        );
        Ok(json!({"allThreadsContinued": true}))
    }

    /// Reports to the client that the program has been entered.
    fn entered(&mut self) {
        let thread = self.thread().unwrap_or(1);
        self.out.event("stopped", json!({"reason": "entry", "threadId": thread, "allThreadsStopped": true}));
    }

    /// The thread of the lane that is being looked at.
    fn thread(&mut self) -> Result<usize, Diagnostic> {
        let session = self.session()?;
        let situation = session.situation()?;
        let lane = situation.running.lanes.get(situation.lane).copied().flatten();
        Ok(lane.or(session.focus()).unwrap_or(0) + 1)
    }
}

fn capabilities() -> Value {
    let filters = crate::breakpoint::On::NAMED
        .iter()
        .map(|(name, _)| json!({"filter": name, "label": name, "supportsCondition": true, "default": false}));
    json!({
        "supportsConfigurationDoneRequest": true, "supportsStepBack": true, "supportsConditionalBreakpoints": true,
        "supportsLogPoints": true, "supportsDataBreakpoints": true, "supportsInstructionBreakpoints": true,
        "supportsDisassembleRequest": true, "supportsReadMemoryRequest": true, "supportsEvaluateForHovers": true,
        "supportsCompletionsRequest": true, "supportsExceptionFilterOptions": true, "supportsTerminateRequest": true,
        "supportsLoadedSourcesRequest": true, "supportsCancelRequest": true,
        "exceptionBreakpointFilters": filters.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests;
