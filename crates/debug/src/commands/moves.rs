//! Commands that change the position.

use super::words::{Command, How};
use super::{Answer, Commands, lanes_text, number, wrong};
use crate::event::Event;
use crate::recording::Watcher;
use crate::search::Direction;
use crate::session::{Reason, Situation, Stop};
use crate::stepping::Reach;
use crate::view::View;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_ir::{At, Reg};
use std::ops::ControlFlow;

/// The largest number of steps of a command.
const MOST_STEPS: u64 = 1 << 16;

/// A number of steps.
fn steps(text: &str) -> Result<u64, Diagnostic> {
    match number(text, "a number of steps")? {
        count if count > MOST_STEPS => {
            let text = format!("{count} steps are more than {MOST_STEPS} of one command");
            Err(wrong(text).help("`goto` goes to any step by its number"))
        }
        count => Ok(count),
    }
}

/// What a step changed in a lane.
struct Changes {
    lane: usize,
    list: Vec<(Reg, u32, u32)>,
}

impl Watcher for Changes {
    fn needs_events(&self) -> bool {
        true
    }

    fn state(&mut self, _: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic> {
        Ok(ControlFlow::Continue(()))
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic> {
        for write in event.writes.iter().filter(|write| write.lanes >> self.lane & 1 != 0) {
            if let Some((old, new)) = write.old.get(self.lane).zip(write.new.get(self.lane)) {
                self.list.push((write.reg, old, new));
            }
        }
        Ok(ControlFlow::Break(()))
    }
}

impl Commands {
    /// A move.
    pub(super) fn go(
        &mut self,
        command: &Command,
        direction: Direction,
        how: How,
        rest: &str,
    ) -> Result<Answer, Diagnostic> {
        let stop = match how {
            How::Steps(reach) => {
                let count = match rest {
                    "" => 1,
                    _ if command.arguments.is_empty() => {
                        return Err(wrong(format!("{} takes no argument", command.name)));
                    }
                    count => steps(count)?,
                };
                self.session.step(reach, direction, count)?
            }
            How::Run => self.session.run(direction, None)?,
            How::Until => {
                let parts = self.stop_of(rest)?;
                if parts.hits.is_some() {
                    return Err(wrong(format!("{} takes no hit condition", command.name))
                        .help("add a breakpoint with `hits`, and `continue`"));
                }
                self.session.run(direction, Some((parts.on, parts.condition)))?
            }
        };
        let stepped =
            matches!(how, How::Steps(Reach::Instruction | Reach::Any)) && direction == Direction::Forwards;
        self.stopped(&stop, stepped)
    }

    /// Goes to a step.
    pub(super) fn goto(&mut self, rest: &str) -> Result<Answer, Diagnostic> {
        let time = number(rest, "the number of a step")?;
        let end = self.session.recorded().end();
        if time > end {
            return Err(wrong(format!("the run has {end} steps, so there is no step {time}")));
        }
        let stop = self.session.go(time);
        self.stopped(&stop, false)
    }

    /// The end of a move, with what the step before it changed.
    fn stopped(&mut self, stop: &Stop, stepped: bool) -> Result<Answer, Diagnostic> {
        let mut text: Vec<String> =
            stop.logged.iter().map(|(time, text)| format!("step {time}, {text}")).collect();
        let mut data = json!({"step": stop.time});
        match &stop.reason {
            Reason::Arrived => {}
            Reason::Start => {
                text.push("at the start of the run".into());
                data["reason"] = "start".into();
            }
            Reason::End => {
                text.push("at the end of the run".into());
                data["reason"] = "end".into();
            }
            Reason::Failure(d) => {
                text.push(format!("the run ends with an error: {}", d.message));
                text.extend(d.notes.iter().map(|note| format!("  {note}")));
                data["reason"] = "failure".into();
                data["failure"] = json!({"code": d.code, "message": d.message, "notes": d.notes});
            }
            Reason::Breakpoint { number, lanes, text: what } => {
                let name = if *number == 0 { String::new() } else { format!("breakpoint {number}, ") };
                text.push(format!("{name}{what} (lanes {})", lanes_text(*lanes)));
                data["reason"] = "breakpoint".into();
                data["breakpoint"] = json!({"number": number, "lanes": lanes, "what": what});
            }
        }
        if !stop.logged.is_empty() {
            data["logged"] =
                stop.logged.iter().map(|(time, text)| json!({"step": time, "text": text})).collect();
        }
        let situation = self.session.situation()?;
        text.push(self.described(&situation));
        data["position"] = self.data(&situation);
        if stepped && stop.time > 0 && matches!(stop.reason, Reason::Arrived) {
            let mut changes = Changes { lane: situation.lane, list: Vec::new() };
            self.session.recorded().replay(stop.time - 1..stop.time, &mut changes)?;
            let shown = changes.list.iter().map(|(reg, old, new)| {
                let (name, [old, new]) =
                    (self.session.names().of(*reg), [*old, *new].map(|bits| self.shown(*reg, bits)));
                (name, old, new)
            });
            let shown: Vec<_> = shown.collect();
            text.extend(shown.iter().map(|(name, old, new)| format!("   {name} = {new} (was {old})")));
            data["changed"] = shown
                .iter()
                .map(|(name, old, new)| json!({"register": name, "old": old, "new": new}))
                .collect();
        }
        Ok(Answer::new(text.join("\n"), data))
    }

    /// A position in words.
    pub(super) fn described(&self, situation: &Situation) -> String {
        let Situation { time, running, at, active, lanes, killed, lane, .. } = situation;
        let of_run = running.lane(*lane);
        let looked_at =
            of_run.map_or_else(|| format!("lane {lane}, a helper"), |lane| format!("lane {lane}"));
        let group = if running.group > 0 { format!("workgroup {}, ", running.group) } else { String::new() };
        let end = self.session.recorded().end();
        let mut text = format!("step {time} of {end}, {group}wave {}, {looked_at}", running.wave);
        if active != lanes {
            text += &format!(", active {} of {}", lanes_text(*active), lanes_text(*lanes));
        }
        if *killed != 0 {
            text += &format!(", killed {}", lanes_text(*killed));
        }
        let code = match at {
            At::Done => "-- the wave has ended".to_owned(),
            At::Implied(_) => "=> the end of an iteration".into(),
            At::Step(counter) => format!("=> {counter:#06x}  {}", self.text_of(*at)),
        };
        format!("{text}\n{code}")
    }

    /// The text of the instruction at a position.
    pub(super) fn text_of(&self, at: At) -> &str {
        let line = self.session.line(at).and_then(|line| self.session.lines().get(line));
        line.map_or("?", |line| line.text.trim())
    }

    /// A position as data.
    pub(super) fn data(&self, situation: &Situation) -> Value {
        let Situation { time, portion, running, at, active, lanes, killed, lane, .. } = situation;
        let counter = if let At::Step(counter) = at { Some(counter) } else { None };
        json!({
            "step": time, "portion": portion, "workgroup": running.group, "wave": running.wave, "lane": lane,
            "lane_of_run": running.lane(*lane), "active": active, "lanes": lanes,
            "killed": killed, "pc": counter, "text": self.text_of(*at), "ended": *at == At::Done,
        })
    }
}
