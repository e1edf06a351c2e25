//! Moves, and the stops that they lead to.

use super::{Adapter, Answer, Launcher, wrong};
use crate::search::Direction;
use crate::session::{Reason, Session, Stop};
use crate::stepping::Reach;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;

/// A move that begins once its request has been answered.
pub(super) type Move = Box<dyn FnOnce(&mut Session) -> Result<Stop, Diagnostic>>;

/// The event of the latest stop, which the protocol calls an exception.
pub(super) struct Exception {
    id: String,
    description: String,
    notes: Vec<String>,
}

/// The lane of a thread.
fn lane(arguments: &Value) -> Result<usize, Diagnostic> {
    let thread = arguments["threadId"].as_u64().and_then(|thread| usize::try_from(thread).ok());
    thread.and_then(|thread| thread.checked_sub(1)).ok_or_else(|| wrong("the request has no thread"))
}

impl<L: Launcher> Adapter<L> {
    /// Goes from one instruction of a lane to another.
    pub(super) fn step(&mut self, arguments: &Value, reach: Reach, direction: Direction) -> Answer {
        let lane = lane(arguments)?;
        self.session()?.set_focus(Some(lane))?;
        self.pending = Some(Box::new(move |session| session.step(reach, direction, 1)));
        Ok(Value::Null)
    }

    /// Runs to a breakpoint of any lane, or of one lane if the client asks for that.
    pub(super) fn run(&mut self, arguments: &Value, direction: Direction) -> Answer {
        let single = arguments["singleThread"] == true;
        let focus = single.then(|| lane(arguments)).transpose()?;
        self.session()?.set_focus(focus)?;
        self.pending = Some(Box::new(move |session| session.run(direction, None)));
        Ok(json!({"allThreadsContinued": !single}))
    }

    /// Begins the program.
    pub(super) fn enter(&mut self) -> Result<(), Diagnostic> {
        self.session()?.situation()?;
        if self.stops_on_entry {
            return self.stopped_for("entry");
        }
        self.pending = Some(Box::new(|session| match session.run_here()? {
            Some(stop) => Ok(stop),
            None => session.run(Direction::Forwards, None),
        }));
        Ok(())
    }

    /// Makes the move that the latest request began, and returns the messages about it.
    pub fn proceed(&mut self) -> Vec<Value> {
        match self.pending.take().map(|go| self.go(go)) {
            // The request that ended a move reports the position.
            Some(Err(d)) if d.code != "debug-interrupted" => self.failed(&d),
            _ => {}
        }
        self.out.take()
    }

    /// Reports a move that failed. The position is the one before it.
    fn failed(&mut self, d: &Diagnostic) {
        self.out.event("output", json!({"category": "stderr", "output": format!("{d}\n")}));
        self.exception = None;
        if self.stopped("pause", Some(&d.message), None).is_err() {
            self.terminate();
        }
    }

    fn go(&mut self, go: Move) -> Result<(), Diagnostic> {
        let stop = go(self.session()?)?;
        for (time, text) in &stop.logged {
            let output = format!("step {time}, {text}\n");
            self.out.event("output", json!({"category": "console", "output": output}));
        }
        self.exception = None;
        let (reason, text, hit) = match stop.reason {
            Reason::Arrived => ("step", None, None),
            Reason::Start => ("step", Some("the start of the run".to_owned()), None),
            Reason::End => ("step", Some("the end of the run".to_owned()), None),
            Reason::Failure(d) => {
                self.out.event("output", json!({"category": "stderr", "output": format!("{d}\n")}));
                let (id, description) = (d.code.to_string(), d.message.clone());
                self.exception = Some(Exception { id, description, notes: d.notes });
                ("exception", Some(d.message), None)
            }
            Reason::Breakpoint { number, text, .. } => {
                let kind = self.own.kind(number);
                let reason = kind.map_or("breakpoint", super::breakpoints::Kind::reason);
                if reason == "exception" {
                    let id = self.event_of(number)?;
                    self.exception = Some(Exception { id, description: text.clone(), notes: Vec::new() });
                }
                (reason, Some(text), Some(number))
            }
        };
        self.stopped(reason, text.as_deref(), hit)
    }

    /// The name of the event of a breakpoint.
    fn event_of(&mut self, number: usize) -> Result<String, Diagnostic> {
        let session = self.session()?;
        let point = session.breakpoints().iter().find(|point| point.number == number);
        let name = point.and_then(|point| point.on.name());
        name.map(str::to_owned)
            .ok_or_else(|| Diagnostic::internal("internal-debug", "an event breakpoint has no event"))
    }

    /// Reports a stop to the client.
    fn stopped(&mut self, reason: &str, text: Option<&str>, hit: Option<usize>) -> Result<(), Diagnostic> {
        let session = self.session()?;
        let situation = session.situation()?;
        let lane = situation.running.lane(situation.lane);
        let thread = lane.or(session.focus()).unwrap_or(0) + 1;
        self.out.event(
            "stopped",
            json!({
                "reason": reason, "description": text, "text": text, "threadId": thread,
                "allThreadsStopped": true, "hitBreakpointIds": hit.map(|number| [number]),
            }),
        );
        Ok(())
    }

    /// Reports a stop that is no end of a move.
    pub(super) fn stopped_for(&mut self, reason: &str) -> Result<(), Diagnostic> {
        self.exception = None;
        self.stopped(reason, None, None)
    }

    /// The event of the latest stop.
    pub(super) fn exception_info(&self) -> Answer {
        let found = self.exception.as_ref();
        let Exception { id, description, notes } =
            found.ok_or_else(|| wrong("the latest stop is not at an event"))?;
        let message = [std::slice::from_ref(description), notes].concat().join("\n");
        Ok(json!({
            "exceptionId": id, "description": description, "breakMode": "always",
            "details": {"message": message, "typeName": id},
        }))
    }
}
