//! Requests that look at the state.

use super::breakpoints::counter;
use super::{Adapter, Answer, Launcher, wrong};
use crate::commands::{COMMANDS, Completion, Reply};
use crate::expression::Expression;
use crate::session::Session;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_ir::{At, FileKind, FrameKind};
use shisa_run::to_base64;

/// The scopes: groups of registers, by the number of their variables.
const SCOPES: [(&str, FileKind); 4] = [
    ("Registers", FileKind::Temp),
    ("Inputs", FileKind::Input),
    ("Uniforms", FileKind::Uniform),
    ("Outputs", FileKind::Output),
];

/// The number of the stacks as variables, after those of the scopes.
const STACKS: u64 = SCOPES.len() as u64 + 1;

/// The largest number of bytes that a request reads.
const MOST_BYTES: u64 = 1 << 16;
/// The largest number of instructions that a request disassembles.
const MOST_INSTRUCTIONS: i64 = 4096;

/// The line of a position in the listing, and its text.
fn placed(session: &Session, at: At) -> (u64, String) {
    let line = session.line(at);
    let text = line.and_then(|line| session.lines().get(line)).map(|line| line.text.trim().to_owned());
    let text = text
        .unwrap_or_else(|| if at == At::Done { "the end".into() } else { "the end of an iteration".into() });
    (line.map_or(0, |line| line as u64), text)
}

impl<L: Launcher> Adapter<L> {
    /// The listing as a source.
    pub(super) fn listing(&self) -> Value {
        json!({"name": "listing", "sourceReference": 1})
    }

    pub(super) fn source(&mut self) -> Answer {
        let lines = self.session()?.lines().iter();
        let text: Vec<String> =
            lines.map(|line| format!("{:#06x}  {}", line.counter, line.text.trim())).collect();
        Ok(json!({"content": text.join("\n"), "mimeType": "text/x-shader-listing"}))
    }

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
        let (listing, first) = (self.listing(), u64::from(self.lines_from_one));
        let session = self.session()?;
        let situation = session.situation()?;
        let thread = arguments["threadId"].as_u64().unwrap_or(1);
        let calls = situation.stacks.iter().flat_map(|stack| &stack.frames);
        let calls = calls.filter(|frame| frame.kind == FrameKind::Call).filter_map(|frame| frame.target);
        let mut places: Vec<At> = calls.map(At::Step).collect();
        places.push(situation.at);
        let frame = |(number, at): (u64, &At)| {
            let (line, text) = placed(session, *at);
            let reference = if let At::Step(counter) = at { Some(format!("{counter:#x}")) } else { None };
            json!({
                "id": thread << 16 | number, "name": text, "source": listing, "line": line + first, "column": first,
                "instructionPointerReference": reference,
            })
        };
        let frames: Vec<Value> = (0..).zip(places.iter().rev()).map(frame).collect();
        Ok(json!({"totalFrames": frames.len(), "stackFrames": frames}))
    }

    /// Chooses the lane of a frame.
    fn choose_frame(&mut self, arguments: &Value) -> Result<(), Diagnostic> {
        match arguments["frameId"].as_u64() {
            Some(frame) => self.choose(&json!({"threadId": frame >> 16})),
            None => Ok(()),
        }
    }

    pub(super) fn scopes(&mut self, arguments: &Value) -> Answer {
        self.session()?;
        self.choose_frame(arguments)?;
        let registers = SCOPES.iter().map(|(name, _)| *name).chain(["Stacks"]);
        let scope = |(number, name): (u64, &str)| json!({"name": name, "variablesReference": number, "expensive": false, "presentationHint": "registers"});
        Ok(json!({"scopes": (1..).zip(registers).map(scope).collect::<Vec<_>>()}))
    }

    pub(super) fn variables(&mut self, arguments: &Value) -> Answer {
        let reference = arguments["variablesReference"].as_u64().unwrap_or(0);
        let session = self.session()?;
        if reference == STACKS {
            let stacks = session.situation()?.stacks;
            let frames = stacks
                .iter()
                .flat_map(|stack| stack.frames.iter().enumerate().map(move |frame| (stack, frame)));
            let variable = |(stack, (number, frame)): (&shisa_ir::Stack, (usize, &shisa_ir::Frame))| {
                let target = frame.target.map_or(String::new(), |target| format!(" at {target:#x}"));
                let lanes = frame.lanes.map_or(String::new(), |lanes| format!(", lanes {lanes:#x}"));
                json!({"name": format!("{} {number}", stack.name), "value": format!("{}{target}{lanes}", frame.text), "variablesReference": 0})
            };
            return Ok(json!({"variables": frames.map(variable).collect::<Vec<_>>()}));
        }
        let kind =
            reference.checked_sub(1).and_then(|index| SCOPES.get(index as usize)).map(|(_, kind)| *kind);
        let kind = kind.ok_or_else(|| wrong(format!("there are no variables {reference}")))?;
        let names = session.names();
        let mut shown: Vec<String> = Vec::new();
        for reg in session.recorded().program().units() {
            if names.kind(*reg) == Some(kind) {
                let name = names.of(*reg);
                // A vector is one variable.
                let whole =
                    name.split_once('.').map(|(whole, _)| whole).filter(|whole| names.get(whole).is_some());
                let whole = whole.map_or(name.clone(), str::to_owned);
                if shown.last() != Some(&whole) {
                    shown.push(whole);
                }
            }
        }
        let variable = |name: &String| {
            let value = Expression::parse(name, names).and_then(|expression| session.value(&expression));
            let value = value.map_or_else(|d| d.message, |value| value.to_string());
            json!({"name": name, "value": value, "evaluateName": name, "variablesReference": 0})
        };
        Ok(json!({"variables": shown.iter().map(variable).collect::<Vec<_>>()}))
    }

    pub(super) fn evaluate(&mut self, arguments: &Value) -> Answer {
        self.choose_frame(arguments)?;
        let text = arguments["expression"].as_str().unwrap_or_default();
        let word = text.split_whitespace().next().unwrap_or_default();
        let is_command = |word: &str| COMMANDS.iter().any(|command| command.name == word);
        if arguments["context"] == "repl" && is_command(word) {
            let commands = self.commands.as_mut().ok_or_else(|| wrong("no program is launched"))?;
            let before = commands.session().time();
            let reply = commands.run(text)?;
            if commands.session().time() != before {
                let thread = self.thread()?;
                self.out.event(
                    "stopped",
                    json!({"reason": "goto", "threadId": thread, "allThreadsStopped": true}),
                );
            }
            return Ok(match reply {
                Reply::Answer(answer) => json!({"result": answer.text, "variablesReference": 0}),
                Reply::Save(_) => return Err(wrong("`save` is not supported in an editor")),
                Reply::Quit => {
                    self.ended = true;
                    self.out.event("terminated", json!({}));
                    json!({"result": "", "variablesReference": 0})
                }
            });
        }
        let session = self.session()?;
        let expression = Expression::parse(text, session.names())?;
        let value = session.value(&expression)?;
        Ok(json!({"result": value.to_string(), "variablesReference": 0}))
    }

    pub(super) fn completions(&mut self, arguments: &Value) -> Answer {
        let text = arguments["text"].as_str().unwrap_or_default();
        let column = arguments["column"].as_u64().unwrap_or(u64::MAX);
        let before: String =
            text.chars().take(column.saturating_sub(u64::from(self.lines_from_one)) as usize).collect();
        let commands = self.commands.as_ref().ok_or_else(|| wrong("no program is launched"))?;
        let Completion { start, words } = commands.completion(&before);
        let length = before.len() - start;
        let targets: Vec<Value> =
            words.iter().map(|name| json!({"label": name, "start": start, "length": length})).collect();
        Ok(json!({"targets": targets}))
    }

    pub(super) fn disassemble(&mut self, arguments: &Value) -> Answer {
        let (listing, first) = (self.listing(), self.lines_from_one as usize);
        let session = self.session()?;
        let reference = arguments["memoryReference"].as_str().and_then(counter);
        let reference =
            reference.ok_or_else(|| wrong("the reference is not a program counter such as 0x48"))?;
        let count = arguments["instructionCount"].as_i64().unwrap_or(0).clamp(0, MOST_INSTRUCTIONS);
        let offset = arguments["instructionOffset"].as_i64().unwrap_or(0);
        let lines = session.lines();
        let at = lines.partition_point(|line| u64::from(line.counter) < reference) as i64;
        let instruction = |index: i64| {
            let number = usize::try_from(index).ok();
            match number.and_then(|number| Some((number, lines.get(number)?))) {
                Some((number, line)) => json!({
                    "address": format!("{:#x}", line.counter), "instruction": line.text.trim(), "location": listing,
                    "line": number + first,
                }),
                // The protocol wants as many as it asks for.
                None => json!({"address": "0xffffffff", "instruction": "", "presentationHint": "invalid"}),
            }
        };
        let start = at.saturating_add(offset);
        let list: Vec<Value> = (start..start.saturating_add(count)).map(instruction).collect();
        Ok(json!({"instructions": list}))
    }

    pub(super) fn read_memory(&mut self, arguments: &Value) -> Answer {
        let reference = arguments["memoryReference"].as_str().unwrap_or_default();
        let location = Expression::parse(reference, self.session()?.names())?.location();
        let (space, address) = location
            .and_then(|(space, address)| {
                Some((space, address.checked_add_signed(arguments["offset"].as_i64().unwrap_or(0))?))
            })
            .ok_or_else(|| {
                wrong("the reference is not one such as global[0x1000], shared[0] or bank0[0x140]")
            })?;
        let count = arguments["count"].as_u64().unwrap_or(0).min(MOST_BYTES);
        let session = self.session()?;
        let lane = session.situation()?.lane;
        let bytes = session.look(|view| {
            let mut bytes = Vec::new();
            for at in (0..count).map(|by| address.saturating_add(by)) {
                let mut byte = [0];
                if view.load(space, lane, at, &mut byte).is_err() {
                    break;
                }
                bytes.extend(byte);
            }
            Ok(bytes)
        })?;
        let unreadable = count - bytes.len() as u64;
        Ok(
            json!({"address": format!("{address:#x}"), "data": to_base64(&bytes), "unreadableBytes": unreadable}),
        )
    }
}
