//! Requests for breakpoints.

use super::{Adapter, Answer, Launcher, wrong};
use crate::breakpoint::{Access, On};
use crate::expression::Expression;
use crate::session::Session;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_ir::At;

/// The numbers of the breakpoints that each request has set, and replaces when it comes again.
#[derive(Default)]
pub(super) struct Own {
    lines: Vec<usize>,
    instructions: Vec<usize>,
    data: Vec<usize>,
    events: Vec<usize>,
}

/// A condition or an expression to log, if the request has one.
fn expression(session: &Session, text: &Value) -> Result<Option<Expression>, Diagnostic> {
    match text.as_str().filter(|text| !text.trim().is_empty()) {
        Some(text) => Expression::parse(text, session.names()).map(Some),
        None => Ok(None),
    }
}

/// An expression to log: the text of a log point, whose expressions are in braces, or one expression.
fn logged(session: &Session, text: &Value) -> Result<Option<Expression>, Diagnostic> {
    let Some(text) = text.as_str().filter(|text| !text.is_empty()) else { return Ok(None) };
    let inner =
        text.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or(text, |(inner, _)| inner);
    Expression::parse(inner, session.names()).map(Some)
}

/// Replaces breakpoints; returns the answer for each item of the request, and the numbers.
fn replace(
    session: &mut Session,
    own: &[usize],
    items: &Value,
    on: impl Fn(&Session, &Value) -> Result<On, Diagnostic>,
) -> (Value, Vec<usize>) {
    for number in own {
        session.remove(*number);
    }
    let mut numbers = Vec::new();
    let mut one = |item: &Value| -> Answer {
        let wanted = on(session, item)?;
        let condition = expression(session, &item["condition"])?;
        let log = logged(session, &item["logMessage"])?;
        let counter = if let On::Step(counter) = wanted { Some(counter) } else { None };
        let line = counter.and_then(|counter| session.line(At::Step(counter)));
        let number = session.add(wanted, condition, log);
        numbers.push(number);
        let reference = counter.map(|counter| format!("{counter:#x}"));
        Ok(
            json!({"id": number, "verified": true, "line": line.map(|line| line + 1), "instructionReference": reference}),
        )
    };
    let answers = items.as_array().into_iter().flatten();
    let answers: Vec<Value> = answers
        .map(|item| one(item).unwrap_or_else(|d| json!({"verified": false, "message": d.message})))
        .collect();
    (json!({"breakpoints": answers}), numbers)
}

impl<L: Launcher> Adapter<L> {
    /// Breakpoints at lines of the listing.
    pub(super) fn set_breakpoints(&mut self, arguments: &Value) -> Answer {
        let first = u64::from(self.lines_from_one);
        let own = std::mem::take(&mut self.own.lines);
        let (answer, numbers) = replace(self.session()?, &own, &arguments["breakpoints"], |session, item| {
            let line = item["line"].as_u64().and_then(|line| line.checked_sub(first));
            let line = line.and_then(|line| session.lines().get(line as usize));
            line.map(|line| On::Step(line.counter)).ok_or_else(|| wrong("the listing has no such line"))
        });
        self.own.lines = numbers;
        Ok(answer)
    }

    /// Breakpoints at program counters.
    pub(super) fn set_instruction_breakpoints(&mut self, arguments: &Value) -> Answer {
        let own = std::mem::take(&mut self.own.instructions);
        let (answer, numbers) = replace(self.session()?, &own, &arguments["breakpoints"], |session, item| {
            let offset = item["offset"].as_i64().unwrap_or(0);
            let counter = item["instructionReference"].as_str().and_then(counter);
            let counter = counter.and_then(|counter| counter.checked_add_signed(offset));
            let counter = counter.and_then(|counter| u32::try_from(counter).ok());
            let counter = counter.filter(|counter| session.line(At::Step(*counter)).is_some());
            counter.map(On::Step).ok_or_else(|| wrong("there is no instruction at this address"))
        });
        self.own.instructions = numbers;
        Ok(answer)
    }

    /// What a variable is called in a data breakpoint.
    pub(super) fn data_breakpoint_info(&mut self, arguments: &Value) -> Answer {
        let name = arguments["name"].as_str().unwrap_or_default().to_owned();
        let session = self.session()?;
        Ok(match Expression::parse(&name, session.names()) {
            Ok(found) if found.location().is_some() => json!({
                "dataId": name, "description": name, "accessTypes": ["read", "write", "readWrite"],
            }),
            Ok(found) if found.register().is_some() => {
                json!({"dataId": name, "description": name, "accessTypes": ["write"]})
            }
            Ok(_) => json!({"dataId": null, "description": "only registers and memory can be watched"}),
            Err(d) => json!({"dataId": null, "description": d.message}),
        })
    }

    /// Breakpoints at registers and memory.
    pub(super) fn set_data_breakpoints(&mut self, arguments: &Value) -> Answer {
        let own = std::mem::take(&mut self.own.data);
        let (answer, numbers) = replace(self.session()?, &own, &arguments["breakpoints"], |session, item| {
            let name = item["dataId"].as_str().unwrap_or_default();
            let found = Expression::parse(name, session.names())?;
            let access = match item["accessType"].as_str() {
                Some("read") => Access::Reads,
                Some("readWrite") => Access::All,
                _ => Access::Writes,
            };
            On::watched(&found, access)
        });
        self.own.data = numbers;
        Ok(answer)
    }

    /// Breakpoints at events, which the protocol calls exceptions.
    pub(super) fn set_event_breakpoints(&mut self, arguments: &Value) -> Answer {
        let plain = arguments["filters"].as_array().into_iter().flatten();
        let plain = plain.map(|name| json!({"filterId": name}));
        let items: Vec<Value> =
            plain.chain(arguments["filterOptions"].as_array().into_iter().flatten().cloned()).collect();
        if self.commands.is_none() && items.is_empty() {
            return Ok(json!({"breakpoints": []}));
        }
        let own = std::mem::take(&mut self.own.events);
        let (answer, numbers) = replace(self.session()?, &own, &Value::Array(items), |_, item| {
            On::named(item["filterId"].as_str().unwrap_or_default())
        });
        self.own.events = numbers;
        Ok(answer)
    }
}

/// A program counter from the reference that an instruction has.
pub(super) fn counter(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}
