//! Commands that show the state.

use super::{Answer, Commands, lanes_text, number, wrong};
use crate::expression::{Expression, Value as Shown};
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_ir::{FileKind, Reg};

/// The largest number of words that `memory` shows at a time.
const MOST_WORDS: u64 = 1024;
/// Words in a line of memory.
const WORDS_PER_LINE: usize = 4;
/// Instructions before and after the position that `list` shows.
const AROUND: usize = 5;

impl Commands {
    /// The bits of a unit as its register file has them.
    pub(super) fn shown(&self, reg: Reg, bits: u32) -> String {
        let kind = self
            .session
            .names()
            .scalar(reg)
            .map_or(crate::expression::Kind::Hex, crate::expression::Kind::of);
        Shown::new(kind, vec![bits.into()]).to_string()
    }

    pub(super) fn position(&self) -> Result<Answer, Diagnostic> {
        let situation = self.session.situation()?;
        Ok(Answer::new(self.described(&situation), self.data(&situation)))
    }

    pub(super) fn print(&self, text: &str) -> Result<Answer, Diagnostic> {
        let expression = Expression::parse(text, self.session.names())?;
        let value = self.session.value(&expression)?;
        Ok(Answer::new(format!("{} = {value}", expression.text()), data(&expression, &value)))
    }

    pub(super) fn print_lanes(&self, text: &str) -> Result<Answer, Diagnostic> {
        let expression = Expression::parse(text, self.session.names())?;
        let (values, situation) = (self.session.values(&expression)?, self.session.situation()?);
        let mut lines = Vec::new();
        let mut all = Vec::new();
        for (lane, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let is = |lanes: u32| lanes >> lane & 1 != 0;
            let of_run = situation.running.lane(lane);
            let (active, killed) = (is(situation.active), is(situation.killed));
            let name = of_run.map_or_else(|| "helper".to_owned(), |number| number.to_string());
            let marks = match (active, killed) {
                (true, false) => "",
                (false, false) => "  inactive",
                (true, true) => "  killed",
                (false, true) => "  killed, inactive",
            };
            lines.push(format!("{name:>8}  {value}{marks}"));
            all.push(json!({"lane": lane, "lane_of_run": of_run, "value": value.to_string(), "active": active, "killed": killed}));
        }
        Ok(Answer::new(lines.join("\n"), json!({"expression": expression.text(), "lanes": all})))
    }

    pub(super) fn registers(&self, prefix: &str) -> Result<Answer, Diagnostic> {
        let names = self.session.names();
        let units = self.session.recorded().program().units();
        let situation = self.session.situation()?;
        let (mut text, mut all) = (Vec::new(), Vec::new());
        self.session.look(|view| {
            for reg in units {
                let name = names.of(*reg);
                if !name.starts_with(prefix) {
                    continue;
                }
                let bits = view.register(*reg).and_then(|plane| plane.get(situation.lane));
                let Some(bits) = bits else { continue };
                let kind = match names.kind(*reg) {
                    Some(FileKind::Temp) | None => "",
                    Some(FileKind::Input) => "input",
                    Some(FileKind::Uniform) => "uniform",
                    Some(FileKind::Output) => "output",
                };
                let value = self.shown(*reg, bits);
                text.push(format!("{name:>10}  {bits:#010x}  {value:<16} {kind}").trim_end().to_owned());
                all.push(json!({"register": name, "bits": format!("{bits:08x}"), "value": value}));
            }
            Ok(())
        })?;
        match text.is_empty() {
            true => Err(wrong(format!(
                "the program uses no register that begins with \"{}\"",
                shisa_diag::escape(prefix)
            ))),
            false => Ok(Answer::new(text.join("\n"), Value::Array(all))),
        }
    }

    pub(super) fn stacks(&self) -> Result<Answer, Diagnostic> {
        let situation = self.session.situation()?;
        let (mut text, mut all) = (Vec::new(), Vec::new());
        for stack in &situation.stacks {
            let room = stack.room.map_or(String::new(), |room| format!(" of {room}"));
            text.push(format!("{}: {}{room}", stack.name, stack.frames.len()));
            let mut frames = Vec::new();
            for frame in stack.frames.iter().rev() {
                let target = frame.target.map_or(String::new(), |target| format!(" at {target:#06x}"));
                let lanes =
                    frame.lanes.map_or(String::new(), |lanes| format!(", lanes {}", lanes_text(lanes)));
                text.push(format!("  {}{target}{lanes}", frame.text));
                frames.push(json!({"text": frame.text, "target": frame.target, "lanes": frame.lanes}));
            }
            all.push(json!({"name": stack.name, "room": stack.room, "frames": frames}));
        }
        let text =
            if text.is_empty() { "this instruction set has no stacks".into() } else { text.join("\n") };
        Ok(Answer::new(text, Value::Array(all)))
    }

    pub(super) fn list(&self, rest: &str) -> Result<Answer, Diagnostic> {
        let around = match rest {
            "" => AROUND,
            count => number(count, "a number of instructions")? as usize,
        };
        let at = self.session.situation()?.at;
        let lines = self.session.lines();
        let present = self.session.line(at);
        let first = present.unwrap_or(0).saturating_sub(around);
        let shown = lines.iter().enumerate().skip(first).take(around.saturating_mul(2).saturating_add(1));
        let (mut text, mut all) = (Vec::new(), Vec::new());
        for (number, line) in shown {
            let here = present == Some(number);
            text.push(format!(
                "{} {:#06x}  {}",
                if here { "=>" } else { "  " },
                line.counter,
                line.text.trim()
            ));
            all.push(json!({"pc": line.counter, "text": line.text.trim(), "here": here}));
        }
        Ok(Answer::new(text.join("\n"), Value::Array(all)))
    }

    pub(super) fn memory(&self, rest: &str) -> Result<Answer, Diagnostic> {
        let (named, count) = match rest.split_once(']') {
            Some((named, count)) => (format!("{named}]"), count.trim()),
            None => (rest.to_owned(), ""),
        };
        let expression = Expression::parse(&named, self.session.names())?;
        let (space, address) = expression.location().ok_or_else(|| {
            wrong("memory is global[ADDRESS], shared[ADDRESS], local[ADDRESS], uniforms[ADDRESS] or bank0[ADDRESS]")
        })?;
        let count = match count {
            "" => 16,
            count => number(count, "a number of words")?,
        };
        if count > MOST_WORDS {
            return Err(wrong(format!(
                "{count} words are more than {MOST_WORDS}, which are shown at a time"
            )));
        }
        let lane = self.session.situation()?.lane;
        let words = self.session.look(|view| {
            let mut words = Vec::new();
            for at in (0..count).map(|word| address.saturating_add(4 * word)) {
                let mut bytes = [0; 4];
                match view.load(space, lane, at, &mut bytes) {
                    Ok(()) => words.push(u32::from_le_bytes(bytes)),
                    // The end of a buffer ends the words.
                    Err(d) if words.is_empty() => return Err(d),
                    Err(_) => break,
                }
            }
            Ok(words)
        })?;
        let line = |(number, words): (usize, &[u32])| {
            let at = address.saturating_add((number * WORDS_PER_LINE * 4) as u64);
            let hex: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
            let floats: Vec<String> =
                words.iter().map(|word| format!("{:?}", f32::from_bits(*word))).collect();
            format!("{at:#010x}  {:<36} {}", hex.join(" "), floats.join(" "))
        };
        let text: Vec<String> = words.chunks(WORDS_PER_LINE).enumerate().map(line).collect();
        Ok(Answer::new(text.join("\n"), json!({"address": address, "words": words})))
    }

    pub(super) fn choose_lane(&mut self, text: &str) -> Result<Answer, Diagnostic> {
        let lane = match text {
            "all" | "" => None,
            text => Some(number(text, "the number of a lane or `all`")? as usize),
        };
        self.session.set_focus(lane)?;
        let Some(lane) = lane else {
            return Ok(Answer::new("all lanes", json!({"lane": null})));
        };
        let times =
            self.session.portions_of(lane).filter_map(|p| Some(self.session.recorded().portion(p)?.1));
        let times: Vec<_> = times.take(16).collect();
        let list: Vec<String> = times.iter().map(|time| format!("{} to {}", time.start, time.end)).collect();
        let data = times.iter().map(|time| json!([time.start, time.end])).collect::<Vec<_>>();
        Ok(Answer::new(
            format!("lane {lane}, which runs in steps {}", list.join(", ")),
            json!({"lane": lane, "steps": data}),
        ))
    }

    pub(super) fn list_waves(&self) -> Result<Answer, Diagnostic> {
        let recorded = self.session.recorded();
        let (count, present) = (recorded.portions(), recorded.portion_at(self.session.time()));
        let (mut text, mut all) = (Vec::new(), Vec::new());
        for number in (0..count).take(MOST_WAVES) {
            let Some((portion, time)) = recorded.portion(number) else { continue };
            let lanes = portion.lanes.iter().flatten();
            let [first, last] = [lanes.clone().min(), lanes.max()].map(|lane| lane.copied());
            let mark = if present == Some(number) { "=>" } else { "  " };
            let range =
                first.zip(last).map_or("helpers".into(), |(first, last)| format!("lanes {first} to {last}"));
            text.push(format!(
                "{mark} steps {} to {}: workgroup {}, wave {}, {range}",
                time.start, time.end, portion.group, portion.wave
            ));
            all.push(json!({
                "steps": [time.start, time.end], "workgroup": portion.group, "wave": portion.wave, "lanes": [first, last],
            }));
        }
        if count > MOST_WAVES {
            text.push(format!("   and {} more", count - MOST_WAVES));
        }
        Ok(Answer::new(text.join("\n"), json!({"count": count, "waves": all})))
    }
}

/// The largest number of waves that `waves` lists.
const MOST_WAVES: usize = 256;

fn data(expression: &Expression, value: &Shown) -> Value {
    let bits: Vec<String> =
        (0..value.count()).filter_map(|at| Some(format!("{:08x}", value.bits(at)?))).collect();
    json!({"expression": expression.text(), "value": value.to_string(), "bits": bits})
}
