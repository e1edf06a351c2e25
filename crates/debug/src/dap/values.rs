//! Requests about expressions and memory.

use super::message::present;
use super::{Adapter, Answer, Launcher, wrong};
use crate::commands::{COMMANDS, Completion, Reply, Word, WordKind};
use crate::expression::Expression;
use serde_json::{Value, json};
use shisa_run::to_base64;

/// The largest number of bytes that a request reads.
const MOST_BYTES: u64 = 1 << 16;

/// The characters of a text before a position in code units of UTF-16; a position in a character is before it.
fn before(text: &str, units: usize) -> &str {
    let mut left = units;
    let inside = |c: &char| match left.checked_sub(c.len_utf16()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let bytes: usize = text.chars().take_while(inside).map(char::len_utf8).sum();
    text.split_at(bytes).0
}

/// The size of a text in code units of UTF-16.
fn units(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

impl<L: Launcher> Adapter<L> {
    pub(super) fn evaluate(&mut self, arguments: &Value) -> Answer {
        let text = arguments["expression"].as_str().ok_or_else(|| wrong("the request has no expression"))?;
        self.choose_frame(arguments)?;
        let word = text.split_whitespace().next().unwrap_or_default();
        let is_command =
            |word: &str| COMMANDS.iter().any(|command| command.name == word || command.short.contains(&word));
        // A register hides a short name of a command.
        let is_value =
            || self.commands.as_ref().is_some_and(|c| c.session().names().get(text.trim()).is_some());
        if arguments["context"] == "repl" && is_command(word) && !is_value() {
            return self.command(text);
        }
        let session = self.session()?;
        let expression = Expression::parse(text, session.names())?;
        let value = session.value(&expression)?;
        let memory = expression.location().map(|_| expression.text());
        Ok(present(json!({
            "result": value.to_string(), "variablesReference": 0, "memoryReference": memory,
            "presentationHint": {"attributes": ["readOnly"]},
        })))
    }

    /// A command in the console.
    fn command(&mut self, text: &str) -> Answer {
        let commands = self.commands.as_mut().ok_or_else(|| wrong("no program is launched"))?;
        let before = commands.session().time();
        let reply = commands.run(text)?;
        let moved = commands.session().time() != before;
        if moved {
            self.stopped_for("goto")?;
        }
        let text = match reply {
            Reply::Answer(answer) => answer.text,
            Reply::Save(_) => return Err(wrong("`save` is not supported in an editor")),
            Reply::Quit => {
                self.terminate();
                String::new()
            }
        };
        Ok(json!({"result": text, "variablesReference": 0}))
    }

    pub(super) fn completions(&mut self, arguments: &Value) -> Answer {
        let first = self.client.first_column;
        let text = arguments["text"].as_str().ok_or_else(|| wrong("the request has no text"))?;
        let line = arguments["line"].as_u64().and_then(|line| usize::try_from(line).ok());
        let line = line.map_or(Some(0), |line| line.checked_sub(self.client.first_line));
        let text = line.and_then(|line| text.lines().nth(line)).unwrap_or_default();
        let column = arguments["column"].as_u64().and_then(|column| usize::try_from(column).ok());
        let column = column.and_then(|column| column.checked_sub(first));
        let before = before(text, column.ok_or_else(|| wrong("the request has no column"))?);
        let commands = self.commands.as_ref().ok_or_else(|| wrong("no program is launched"))?;
        let Completion { start, words } = commands.completion(before);
        let (head, word) = before.split_at(start);
        let target = |Word { text, kind }: &Word| {
            let kind = match kind {
                WordKind::Command | WordKind::Event => "keyword",
                WordKind::Label => "reference",
                WordKind::Register => "variable",
            };
            json!({"label": text, "type": kind, "start": units(head) + first, "length": units(word)})
        };
        Ok(json!({"targets": words.iter().map(target).collect::<Vec<_>>()}))
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
        let wanted =
            arguments["count"].as_u64().ok_or_else(|| wrong("the request has no number of bytes"))?;
        let session = self.session()?;
        let lane = session.situation()?.lane;
        let bytes = session.look(|view| {
            let mut bytes = Vec::new();
            for at in (0..wanted.min(MOST_BYTES)).map_while(|by| address.checked_add(by)) {
                let mut byte = [0];
                if view.load(space, lane, at, &mut byte).is_err() {
                    break;
                }
                bytes.extend(byte);
            }
            Ok(bytes)
        })?;
        // Bytes past the most that a request reads are not unreadable: the client reads on.
        let unreadable = if bytes.len() as u64 == MOST_BYTES { 0 } else { wanted - bytes.len() as u64 };
        Ok(
            json!({"address": format!("{address:#x}"), "data": to_base64(&bytes), "unreadableBytes": unreadable}),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{before, units};

    #[test]
    fn columns_count_code_units() {
        let text = "aä😀z";
        assert_eq!(units(text), 5);
        let all = [(0, ""), (1, "a"), (2, "aä"), (3, "aä"), (4, "aä😀"), (5, text), (9, text)];
        for (column, want) in all {
            assert_eq!(before(text, column), want, "{column}");
        }
    }
}
