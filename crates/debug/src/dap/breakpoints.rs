//! Requests for breakpoints.

use super::message::present;
use super::{Adapter, Answer, Launcher, wrong};
use crate::breakpoint::{Access, On};
use crate::expression::Expression;
use crate::hits::Hits;
use crate::log::Log;
use crate::session::Session;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_ir::At;

/// The kinds of breakpoints; the request for one kind replaces all breakpoints of that kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Lines,
    Labels,
    Instructions,
    Data,
    Events,
}

impl Kind {
    /// The reason of a stop at a breakpoint of this kind.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Kind::Lines => "breakpoint",
            Kind::Labels => "function breakpoint",
            Kind::Instructions => "instruction breakpoint",
            Kind::Data => "data breakpoint",
            Kind::Events => "exception",
        }
    }
}

/// The numbers of the breakpoints that requests have set.
#[derive(Default)]
pub(super) struct Own(Vec<(Kind, usize)>);

impl Own {
    /// The kind of a breakpoint; `None` if a command has set it.
    pub(super) fn kind(&self, number: usize) -> Option<Kind> {
        self.0.iter().find(|(_, own)| *own == number).map(|(kind, _)| *kind)
    }
}

/// A text of a request, unless it is empty.
fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.trim().is_empty())
}

/// The largest number of breakpoints of a request.
pub(super) const MOST_BREAKPOINTS: usize = 4096;

impl<L: Launcher> Adapter<L> {
    /// Replaces the breakpoints of a kind. `on` finds what an item of the request waits for.
    fn replace(
        &mut self,
        kind: Kind,
        items: &[Value],
        on: impl Fn(&Session, &Value) -> Result<On, Diagnostic>,
    ) -> Answer {
        if items.len() > MOST_BREAKPOINTS {
            return Err(wrong(format!(
                "{} breakpoints are more than {MOST_BREAKPOINTS} of one kind",
                items.len()
            )));
        }
        let first = self.client.first_line;
        let source = self.program_source()?;
        let old = std::mem::take(&mut self.own.0);
        let session = self.session()?;
        let (removed, mut own): (Vec<_>, Vec<_>) = old.into_iter().partition(|(other, _)| *other == kind);
        for (_, number) in removed {
            session.remove(number);
        }
        let mut one = |item: &Value| -> Answer {
            let wanted = on(session, item)?;
            let names = session.names();
            let condition =
                text(&item["condition"]).map(|text| Expression::parse(text, names)).transpose()?;
            let hits = text(&item["hitCondition"]).map(Hits::parse).transpose()?;
            let log = text(&item["logMessage"]).map(|text| Log::message(text, names)).transpose()?;
            let counter = if let On::Step(counter) = wanted { Some(counter) } else { None };
            let line = counter.and_then(|counter| session.text().line(counter));
            let number = session.add(wanted, condition, log);
            session.limit(number, hits);
            own.push((kind, number));
            Ok(present(json!({
                "id": number, "verified": true, "line": line.map(|line| line + first),
                "source": line.map(|_| &source),
                "instructionReference": counter.map(|counter| format!("{counter:#x}")),
            })))
        };
        let failed = |d: Diagnostic| json!({"verified": false, "message": d.message, "reason": "failed"});
        let answers: Vec<Value> = items.iter().map(|item| one(item).unwrap_or_else(failed)).collect();
        self.own.0 = own;
        Ok(json!({"breakpoints": answers}))
    }

    /// Breakpoints at lines of the program's text.
    pub(super) fn set_breakpoints(&mut self, arguments: &Value) -> Answer {
        let items = match (&arguments["breakpoints"], &arguments["lines"]) {
            (Value::Array(items), _) => items.clone(),
            // Old clients send lines only.
            (_, Value::Array(lines)) => lines.iter().map(|line| json!({"line": line})).collect(),
            _ => Vec::new(),
        };
        if !self.is_program(&arguments["source"])? {
            let text = format!("the program is in {}", self.session()?.text().name());
            let answer = json!({"verified": false, "message": text, "reason": "failed"});
            return Ok(json!({"breakpoints": vec![answer; items.len().min(MOST_BREAKPOINTS)]}));
        }
        let first = self.client.first_line;
        self.replace(Kind::Lines, &items, |session, item| {
            let line = item["line"].as_u64().and_then(|line| usize::try_from(line).ok());
            let line = line.and_then(|line| session.text().instruction(line.checked_sub(first)?));
            line.map(|(_, counter)| On::Step(counter))
                .ok_or_else(|| wrong("neither this line nor a later one has an instruction of the program"))
        })
    }

    /// Breakpoints at labels.
    pub(super) fn set_function_breakpoints(&mut self, arguments: &Value) -> Answer {
        self.replace(Kind::Labels, list(&arguments["breakpoints"]), |session, item| {
            let name = item["name"].as_str().unwrap_or_default();
            session
                .text()
                .label(name)
                .map(On::Step)
                .ok_or_else(|| wrong(format!("the program has no label \"{}\"", shisa_diag::escape(name))))
        })
    }

    /// Breakpoints at program counters.
    pub(super) fn set_instruction_breakpoints(&mut self, arguments: &Value) -> Answer {
        self.replace(Kind::Instructions, list(&arguments["breakpoints"]), |session, item| {
            let offset = item["offset"].as_i64().unwrap_or(0);
            let counter = item["instructionReference"].as_str().and_then(counter);
            let counter = counter.and_then(|counter| counter.checked_add_signed(offset));
            let counter = counter.and_then(|counter| u32::try_from(counter).ok());
            let counter = counter.filter(|counter| session.line(At::Step(*counter)).is_some());
            counter.map(On::Step).ok_or_else(|| wrong("there is no instruction at this address"))
        })
    }

    /// What a variable is called in a data breakpoint.
    pub(super) fn data_breakpoint_info(&mut self, arguments: &Value) -> Answer {
        let name = arguments["name"].as_str().unwrap_or_default().to_owned();
        let session = self.session()?;
        let accesses = ["read", "write", "readWrite"];
        Ok(match Expression::parse(&name, session.names()) {
            Ok(found) if found.location().is_some() || found.register().is_some() => {
                json!({"dataId": name, "description": name, "accessTypes": accesses, "canPersist": true})
            }
            Ok(_) => json!({"dataId": null, "description": "only registers and memory can be watched"}),
            Err(d) => json!({"dataId": null, "description": d.message}),
        })
    }

    /// Breakpoints at registers and memory.
    pub(super) fn set_data_breakpoints(&mut self, arguments: &Value) -> Answer {
        self.replace(Kind::Data, list(&arguments["breakpoints"]), |session, item| {
            let name = item["dataId"].as_str().unwrap_or_default();
            let found = Expression::parse(name, session.names())?;
            let access = match item["accessType"].as_str() {
                Some("read") => Access::Reads,
                Some("readWrite") => Access::All,
                _ => Access::Writes,
            };
            On::watched(&found, access)
        })
    }

    /// Breakpoints at events, which the protocol calls exceptions.
    pub(super) fn set_event_breakpoints(&mut self, arguments: &Value) -> Answer {
        let plain = list(&arguments["filters"]).iter().map(|name| json!({"filterId": name}));
        let items: Vec<Value> = plain.chain(list(&arguments["filterOptions"]).iter().cloned()).collect();
        self.replace(Kind::Events, &items, |_, item| On::named(item["filterId"].as_str().unwrap_or_default()))
    }

    /// The lines of a range that have instructions.
    pub(super) fn breakpoint_locations(&mut self, arguments: &Value) -> Answer {
        let first = self.client.first_line;
        if !self.is_program(&arguments["source"])? {
            return Ok(json!({"breakpoints": []}));
        }
        let from = arguments["line"].as_u64().ok_or_else(|| wrong("the request has no line"))?;
        let to = arguments["endLine"].as_u64().unwrap_or(from);
        let lines = self.session()?.text().lines().map(|line| (line + first) as u64);
        let found = lines.filter(|line| (from..=to).contains(line)).take(MOST_BREAKPOINTS);
        Ok(json!({"breakpoints": found.map(|line| json!({"line": line})).collect::<Vec<_>>()}))
    }
}

/// The items of a list; none if it is missing.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A program counter from the reference that an instruction has.
pub(super) fn counter(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
