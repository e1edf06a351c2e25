//! The Debug Adapter Protocol, with which editors debug.
//!
//! An [`Adapter`] takes requests and makes responses and events; it reads and writes nothing. A [`Launcher`] opens the program
//! that the launch request describes. A thread of the protocol is a lane of the wave that runs.
//!
//! The client sends `initialize` and `launch`. The event `initialized` follows the response to `launch`, because breakpoints need
//! the program. `configurationDone` begins the run. Moves are answered first and made by [`Adapter::proceed`], so a thread
//! that reads the next requests can end them with an [`Interrupt`].

mod breakpoints;
mod capabilities;
mod code;
mod message;
mod moves;
mod state;
mod values;

pub use crate::framing::write;
pub use message::{MOST_BYTES, read};

use crate::commands::Commands;
use crate::interrupt::Interrupt;
use crate::search::Direction::{Backwards, Forwards};
use crate::session::Session;
use crate::stepping::Reach;
use capabilities::{Client, capabilities};
use message::Outbox;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;

/// Opens programs for an adapter.
pub trait Launcher {
    /// Begins a session for the arguments of a launch request. Its position and breakpoints need not be those of a new one.
    ///
    /// # Errors
    /// What is wrong with the arguments, the program or its input.
    fn launch(&mut self, arguments: &Value) -> Result<Commands, Diagnostic>;
}

/// How far a conversation is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// No request came.
    New,
    /// `initialize` has been answered.
    Initialized,
    /// A program is launched, and breakpoints may be set.
    Launched,
    /// The program runs or is stopped.
    Running,
    /// The program is no longer debugged.
    Terminated,
    /// The client has left.
    Ended,
}

/// The state of a conversation.
pub struct Adapter<L> {
    launcher: L,
    phase: Phase,
    client: Client,
    commands: Option<Commands>,
    out: Outbox,
    /// Whether the program stops at the position where its session begins.
    stops_on_entry: bool,
    /// Whether the program runs without stops.
    runs_freely: bool,
    /// The breakpoints of requests.
    own: breakpoints::Own,
    pending: Option<moves::Move>,
    exception: Option<moves::Exception>,
    interrupt: Interrupt,
}

/// What a request leads to.
type Answer = Result<Value, Diagnostic>;

/// An error about a request.
fn wrong(text: impl Into<String>) -> Diagnostic {
    Diagnostic::error("debug-request", text)
}

/// Whether a request ends the move that is being made, when it is read. [`Interrupt::request`] must be called for it.
pub fn interrupts(request: &Value) -> bool {
    let command = request["command"].as_str();
    request["type"] == "request" && command.is_some_and(|c| ["pause", "disconnect", "terminate"].contains(&c))
}

impl<L: Launcher> Adapter<L> {
    /// An adapter without a program.
    pub fn new(launcher: L) -> Adapter<L> {
        Adapter {
            launcher,
            phase: Phase::New,
            client: Client::new(&Value::Null),
            commands: None,
            out: Outbox::default(),
            stops_on_entry: false,
            runs_freely: false,
            own: breakpoints::Own::default(),
            pending: None,
            exception: None,
            interrupt: Interrupt::default(),
        }
    }

    /// Ends moves from another thread.
    pub fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Whether the client has ended the conversation.
    pub fn has_ended(&self) -> bool {
        self.phase == Phase::Ended
    }

    /// Takes a message of the client and returns those for it, in order. [`Adapter::proceed`] must be called after it.
    pub fn handle(&mut self, request: &Value) -> Vec<Value> {
        if request["type"] != "request" {
            return Vec::new();
        }
        if interrupts(request) {
            self.interrupt.answered();
        }
        let answer = self.answer(request["command"].as_str().unwrap_or_default(), &request["arguments"]);
        self.out.respond(request, answer);
        self.out.take()
    }

    fn answer(&mut self, command: &str, arguments: &Value) -> Answer {
        match (command, self.phase) {
            ("disconnect", _) => {
                self.phase = Phase::Ended;
                self.commands = None;
                return Ok(Value::Null);
            }
            ("initialize", Phase::New) => {
                self.client = Client::new(arguments);
                self.phase = Phase::Initialized;
                return Ok(capabilities());
            }
            ("initialize", _) => return Err(wrong("the conversation has already begun")),
            (_, Phase::New) => return Err(wrong("the first request must be \"initialize\"")),
            ("launch", Phase::Initialized) => return self.launch(arguments),
            ("launch", _) => return Err(wrong("a program has already been launched")),
            ("attach", _) => {
                return Err(wrong("there is nothing to attach to: launch a program with an input"));
            }
            ("configurationDone", Phase::Launched) => return self.configured(),
            ("configurationDone", _) => return Err(wrong("no launched program waits for its configuration")),
            (
                "continue" | "reverseContinue" | "next" | "stepIn" | "stepOut" | "stepBack" | "goto"
                | "pause",
                phase,
            ) if phase != Phase::Running => {
                return Err(wrong("the program does not run"));
            }
            _ => {}
        }
        match command {
            "terminate" => {
                self.terminate();
                Ok(Value::Null)
            }
            "pause" => {
                self.stopped_for("pause")?;
                Ok(Value::Null)
            }
            "continue" => self.run(arguments, Forwards),
            "reverseContinue" => self.run(arguments, Backwards),
            "next" => self.step(arguments, Reach::Over, Forwards),
            "stepIn" => self.step(arguments, Reach::Instruction, Forwards),
            "stepBack" => self.step(arguments, Reach::Instruction, Backwards),
            "stepOut" => self.step(arguments, Reach::Out, Forwards),
            "goto" => self.goto(arguments),
            "gotoTargets" => self.goto_targets(arguments),
            "setBreakpoints" => self.set_breakpoints(arguments),
            "setFunctionBreakpoints" => self.set_function_breakpoints(arguments),
            "setInstructionBreakpoints" => self.set_instruction_breakpoints(arguments),
            "setDataBreakpoints" => self.set_data_breakpoints(arguments),
            "setExceptionBreakpoints" => self.set_event_breakpoints(arguments),
            "dataBreakpointInfo" => self.data_breakpoint_info(arguments),
            "breakpointLocations" => self.breakpoint_locations(arguments),
            "exceptionInfo" => self.exception_info(),
            "threads" => self.threads(),
            "stackTrace" => self.stack_trace(arguments),
            "scopes" => self.scopes(arguments),
            "variables" => self.variables(arguments),
            "evaluate" => self.evaluate(arguments),
            "completions" => self.completions(arguments),
            "source" => self.source(arguments),
            "loadedSources" => self.loaded_sources(),
            "disassemble" => self.disassemble(arguments),
            "readMemory" => self.read_memory(arguments),
            "setVariable" | "setExpression" | "writeMemory" => {
                Err(wrong("a recorded run cannot be changed").help("change the input and launch it again"))
            }
            other => Err(wrong(format!("the request \"{}\" is not supported", shisa_diag::escape(other)))),
        }
    }

    fn launch(&mut self, arguments: &Value) -> Answer {
        let mut commands = self.launcher.launch(arguments)?;
        commands.session_mut().set_interrupt(self.interrupt.clone());
        self.stops_on_entry = arguments["stopOnEntry"] == true;
        self.runs_freely = arguments["noDebug"] == true;
        self.commands = Some(commands);
        self.phase = Phase::Launched;
        self.out.event("initialized", Value::Null);
        Ok(Value::Null)
    }

    fn configured(&mut self) -> Answer {
        if self.runs_freely {
            self.terminate();
            return Ok(Value::Null);
        }
        self.enter()?;
        self.phase = Phase::Running;
        Ok(Value::Null)
    }

    /// Ends debugging.
    fn terminate(&mut self) {
        self.commands = None;
        self.pending = None;
        if self.phase != Phase::Terminated {
            self.phase = Phase::Terminated;
            self.out.event("terminated", json!({}));
        }
    }

    /// The session.
    fn session(&mut self) -> Result<&mut Session, Diagnostic> {
        let commands = self.commands.as_mut();
        commands.map(Commands::session_mut).ok_or_else(|| wrong("no program is launched"))
    }
}

#[cfg(test)]
mod conversations;
#[cfg(test)]
mod tests;
