//! Requests about the code: its text, its instructions, and where moves can go in it.

use super::breakpoints::counter;
use super::message::present;
use super::{Adapter, Answer, Launcher, wrong};
use crate::history::Time;
use crate::search::{Direction, Target, search};
use crate::view::View;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_ir::At;

/// The reference of the program's text, if it is not a file.
const REFERENCE: u64 = 1;

/// The largest number of instructions that a request disassembles.
const MOST_INSTRUCTIONS: i64 = 4096;

/// A state before an instruction.
struct Before(u32);

impl Target for Before {
    type Found = ();

    fn tests_events(&self) -> bool {
        false
    }

    fn state(&mut self, view: &mut dyn View) -> Result<Option<()>, Diagnostic> {
        Ok((view.at() == At::Step(self.0)).then_some(()))
    }
}

impl<L: Launcher> Adapter<L> {
    /// The program's text as a source.
    pub(super) fn program_source(&mut self) -> Answer {
        let text = self.session()?.text();
        Ok(match text.path() {
            Some(path) => json!({"name": text.name(), "path": path}),
            None => json!({"name": text.name(), "sourceReference": REFERENCE}),
        })
    }

    /// Whether a source is the program's text.
    pub(super) fn is_program(&mut self, source: &Value) -> Result<bool, Diagnostic> {
        let text = self.session()?.text();
        Ok(match (source["sourceReference"].as_u64(), source["path"].as_str()) {
            (Some(reference), _) if reference != 0 => reference == REFERENCE,
            (_, Some(path)) => !path.is_empty() && text.is_named(path),
            _ => source["name"].as_str() == Some(text.name()),
        })
    }

    pub(super) fn source(&mut self, arguments: &Value) -> Answer {
        let reference = arguments["sourceReference"].as_u64();
        let wanted = reference.or(arguments["source"]["sourceReference"].as_u64());
        if wanted != Some(REFERENCE) {
            return Err(wrong(format!("the only source reference is {REFERENCE}")));
        }
        Ok(json!({"content": self.session()?.text().text(), "mimeType": "text/x-shader-listing"}))
    }

    pub(super) fn loaded_sources(&mut self) -> Answer {
        Ok(json!({"sources": [self.program_source()?]}))
    }

    /// The next and the previous time at which the instruction of a line runs.
    pub(super) fn goto_targets(&mut self, arguments: &Value) -> Answer {
        let first = self.client.first_line;
        if !self.is_program(&arguments["source"])? {
            return Ok(json!({"targets": []}));
        }
        let line = arguments["line"].as_u64().and_then(|line| usize::try_from(line).ok());
        let session = self.session()?;
        let found = line.and_then(|line| session.text().instruction(line.checked_sub(first)?));
        let Some((line, counter)) = found else { return Ok(json!({"targets": []})) };
        let mut targets = Vec::new();
        for (direction, word) in [(Direction::Forwards, "later"), (Direction::Backwards, "earlier")] {
            let found = search(session.recorded(), session.time(), direction, &mut Before(counter))?;
            targets.extend(found.map(|(time, ())| {
                json!({
                    "id": time, "label": format!("{word}, at step {time}"), "line": line + first,
                    "instructionPointerReference": format!("{counter:#x}"),
                })
            }));
        }
        Ok(json!({"targets": targets}))
    }

    /// Goes to one of these times.
    pub(super) fn goto(&mut self, arguments: &Value) -> Answer {
        let session = self.session()?;
        let end = session.recorded().end();
        let time = arguments["targetId"].as_u64().filter(|time: &Time| *time <= end);
        let time = time.ok_or_else(|| wrong(format!("the target is not one of the {end} steps")))?;
        session.go(time);
        self.stopped_for("goto")?;
        Ok(Value::Null)
    }

    pub(super) fn disassemble(&mut self, arguments: &Value) -> Answer {
        let first = self.client.first_line;
        let source = self.program_source()?;
        let session = self.session()?;
        let reference = arguments["memoryReference"].as_str().and_then(counter);
        let reference =
            reference.ok_or_else(|| wrong("the reference is not a program counter such as 0x48"))?;
        let reference = reference.saturating_add_signed(arguments["offset"].as_i64().unwrap_or(0));
        let count = arguments["instructionCount"].as_i64().unwrap_or(0).max(0);
        if count > MOST_INSTRUCTIONS {
            return Err(wrong(format!(
                "{count} instructions are more than {MOST_INSTRUCTIONS} of one request"
            )));
        }
        let offset = arguments["instructionOffset"].as_i64().unwrap_or(0);
        let lines = session.lines();
        let at = lines.partition_point(|line| u64::from(line.counter) < reference) as i64;
        let end = lines.iter().fold(0, |end, line| end.max(i64::from(line.counter) + 1));
        let instruction = |index: i64| {
            let found = usize::try_from(index).ok().and_then(|index| lines.get(index));
            let Some(line) = found else {
                // The protocol wants as many as it asks for, in the order of their addresses.
                let past = index.saturating_sub(lines.len() as i64);
                let address = if index < 0 { index } else { end.saturating_add(past) };
                return json!({"address": address.to_string(), "instruction": "", "presentationHint": "invalid"});
            };
            let number = session.text().line(line.counter);
            present(json!({
                "address": format!("{:#x}", line.counter), "instruction": line.text.trim(),
                "location": number.map(|_| &source), "line": number.map(|number| number + first),
            }))
        };
        let start = at.saturating_add(offset);
        let list: Vec<Value> = (0..count).map(|number| instruction(start.saturating_add(number))).collect();
        Ok(json!({"instructions": list}))
    }
}
