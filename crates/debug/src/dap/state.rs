//! Requests about the state of lanes, which are the threads of the protocol.

use super::message::present;
use super::{Adapter, Answer, Launcher, wrong};
use crate::expression::Expression;
use crate::session::Session;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_ir::{At, FileKind, Frame, FrameKind, Lanes, Stack};

/// The scopes that are groups of registers.
const SCOPES: [(&str, Option<&str>, FileKind); 4] = [
    ("Registers", Some("registers"), FileKind::Temp),
    ("Inputs", Some("arguments"), FileKind::Input),
    ("Uniforms", None, FileKind::Uniform),
    ("Outputs", Some("returnValue"), FileKind::Output),
];

/// The number of the scope of stacks, after those of registers.
const STACKS: usize = SCOPES.len();

/// The number of all scopes.
const ALL: usize = STACKS + 1;

/// The reference of the variables of a lane's scope.
fn reference(lane: usize, scope: usize) -> usize {
    lane * ALL + scope + 1
}

/// The largest number of frames of a thread.
const FRAMES: u64 = 1 << 8;

/// The lane of a frame.
pub(super) fn lane_of_frame(frame: u64) -> Option<usize> {
    usize::try_from((frame / FRAMES).checked_sub(1)?).ok()
}

/// The part of a list that a request wants.
fn page<T>(list: Vec<T>, start: &Value, count: &Value) -> Vec<T> {
    let number = |value: &Value| value.as_u64().and_then(|value| usize::try_from(value).ok());
    // No count and a count of zero mean all.
    let most = number(count).filter(|count| *count > 0).unwrap_or(usize::MAX);
    list.into_iter().skip(number(start).unwrap_or(0)).take(most).collect()
}

impl<L: Launcher> Adapter<L> {
    pub(super) fn threads(&mut self) -> Answer {
        if self.commands.is_none() {
            return Ok(json!({"threads": []}));
        }
        let situation = self.session()?.situation()?;
        let lanes = situation.running.lanes.iter().enumerate();
        let thread = |(number, lane): (usize, &Option<usize>)| {
            let lane = (*lane)?;
            let idle = if situation.active >> number & 1 == 0 { " (inactive)" } else { "" };
            Some(json!({"id": lane + 1, "name": format!("lane {lane}{idle}")}))
        };
        let threads: Vec<Value> = lanes.filter_map(thread).collect();
        Ok(json!({"threads": threads}))
    }

    pub(super) fn stack_trace(&mut self, arguments: &Value) -> Answer {
        let first = (self.client.first_line, self.client.first_column);
        let source = self.program_source()?;
        let thread = arguments["threadId"].as_u64().ok_or_else(|| wrong("the request has no thread"))?;
        let session = self.session()?;
        let situation = session.situation()?;
        let lanes = situation.running.lanes.iter();
        let lane = lanes.enumerate().find(|(_, lane)| lane.is_some_and(|lane| lane as u64 + 1 == thread));
        let (number, _) = lane.ok_or_else(|| {
            wrong(format!("thread {thread} is not a lane of the wave that runs"))
                .help("`threads` lists the lanes")
        })?;
        let own: Lanes = 1 << number;
        let calls = situation.stacks.iter().flat_map(|stack| &stack.frames);
        let calls = calls.filter(|frame| frame.kind == FrameKind::Call);
        let calls = calls.filter(|frame| frame.lanes.is_none_or(|lanes| lanes & own != 0));
        let mut positions: Vec<At> = calls.filter_map(|frame| frame.target).map(At::Step).collect();
        positions.push(situation.at);
        let frame =
            |(number, at): (u64, &At)| frame(session, *at, (thread * FRAMES) | number, &source, first);
        let frames: Vec<Value> = (0..FRAMES).zip(positions.iter().rev()).map(frame).collect();
        let total = frames.len();
        let frames = page(frames, &arguments["startFrame"], &arguments["levels"]);
        Ok(json!({"totalFrames": total, "stackFrames": frames}))
    }

    /// Looks at the lane of a frame, if the request has one.
    pub(super) fn choose_frame(&mut self, arguments: &Value) -> Result<(), Diagnostic> {
        match arguments["frameId"].as_u64() {
            None => Ok(()),
            Some(frame) => {
                let lane = lane_of_frame(frame).ok_or_else(|| wrong(format!("there is no frame {frame}")))?;
                self.session()?.set_focus(Some(lane))
            }
        }
    }

    pub(super) fn scopes(&mut self, arguments: &Value) -> Answer {
        let frame = arguments["frameId"].as_u64().ok_or_else(|| wrong("the request has no frame"))?;
        let lane = lane_of_frame(frame).ok_or_else(|| wrong(format!("there is no frame {frame}")))?;
        self.choose_frame(arguments)?;
        let session = self.session()?;
        let scopes = SCOPES.iter().map(|(name, hint, kind)| (*name, *hint, variables(session, *kind).len()));
        let stacks = frames(&session.situation()?.stacks).count();
        let scope = |(number, (name, hint, count)): (usize, (&str, Option<&str>, usize))| {
            present(json!({
                "name": name, "presentationHint": hint, "variablesReference": reference(lane, number),
                "namedVariables": count, "expensive": false,
            }))
        };
        let scopes = scopes.chain([("Stacks", None, stacks)]).enumerate().map(scope);
        Ok(json!({"scopes": scopes.collect::<Vec<_>>()}))
    }

    pub(super) fn variables(&mut self, arguments: &Value) -> Answer {
        let wanted = arguments["variablesReference"].as_u64().and_then(|wanted| usize::try_from(wanted).ok());
        let wanted = wanted.and_then(|wanted| wanted.checked_sub(1));
        let wanted = wanted.ok_or_else(|| wrong("the request has no reference of variables"))?;
        let (lane, scope) = (wanted / ALL, wanted % ALL);
        let session = self.session()?;
        session.set_focus(Some(lane))?;
        let paged = |list: Vec<String>| page(list, &arguments["start"], &arguments["count"]);
        if arguments["filter"] == "indexed" {
            return Ok(json!({"variables": []}));
        }
        let hint = json!({"attributes": ["readOnly"]});
        let Some((_, _, kind)) = SCOPES.get(scope) else {
            let stacks = session.situation()?.stacks;
            let variable = |(stack, (number, frame)): (&Stack, (usize, &Frame))| {
                let target = frame.target.map_or(String::new(), |target| format!(" at {target:#x}"));
                let lanes = frame.lanes.map_or(String::new(), |lanes| format!(", lanes {lanes:#x}"));
                json!({
                    "name": format!("{} {number}", stack.name), "value": format!("{}{target}{lanes}", frame.text),
                    "variablesReference": 0, "presentationHint": hint,
                })
            };
            let list =
                page(frames(&stacks).map(variable).collect(), &arguments["start"], &arguments["count"]);
            return Ok(json!({"variables": list}));
        };
        let variable = |name: &String| {
            let value = Expression::parse(name, session.names()).and_then(|found| session.value(&found));
            let value = value.map_or_else(|d| d.message, |value| value.to_string());
            json!({
                "name": name, "value": value, "evaluateName": name, "variablesReference": 0,
                "presentationHint": hint,
            })
        };
        let list: Vec<Value> = paged(variables(session, *kind)).iter().map(variable).collect();
        Ok(json!({"variables": list}))
    }
}

/// All frames of all stacks, each with its number in the stack.
fn frames(stacks: &[Stack]) -> impl Iterator<Item = (&Stack, (usize, &Frame))> {
    stacks.iter().flat_map(|stack| stack.frames.iter().enumerate().map(move |frame| (stack, frame)))
}

/// The names of the registers of a kind that the program uses.
fn variables(session: &Session, kind: FileKind) -> Vec<String> {
    session.names().registers(session.recorded().program().units(), kind)
}

/// A frame at a position.
fn frame(session: &Session, at: At, id: u64, source: &Value, first: (usize, usize)) -> Value {
    let counter = if let At::Step(counter) = at { Some(counter) } else { None };
    let line = session.line(at).and_then(|line| session.lines().get(line));
    let name = match (line, at) {
        (Some(line), _) => line.text.trim(),
        (None, At::Done) => "the end",
        (None, _) => "the end of an iteration",
    };
    let line = counter.and_then(|counter| session.text().line(counter));
    present(json!({
        "id": id, "name": name, "source": line.map(|_| source), "line": line.map_or(0, |line| line + first.0),
        "column": line.map_or(0, |_| first.1),
        "instructionPointerReference": counter.map(|counter| format!("{counter:#x}")),
    }))
}
