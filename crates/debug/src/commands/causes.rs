//! Commands that state where values come from.

use super::{Answer, Commands, lanes_text, wrong};
use crate::breakpoint::focused;
use crate::cause::{Cause, Condition, Extent, Origin, cause, conditions};
use crate::event::Event;
use crate::expression::Expression;
use crate::history::Time;
use crate::maker::wave;
use crate::search::{Direction, Target, search};
use crate::sources;
use crate::thing::Thing;
use crate::view::View;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_ir::{At, FileKind, Lanes, Reg, Space, WAVE};

/// The largest number of uses that `uses` lists.
const MOST_USES: usize = 32;

/// The next step that uses or overwrites a unit of a register in a lane.
struct Use<'s> {
    session: &'s crate::session::Session,
    wave: (u64, usize),
    lane: usize,
    regs: &'s [Reg],
}

/// Whether a step uses a value, and whether it ends it.
struct Used {
    at: At,
    uses: bool,
    ends: bool,
}

impl Target for Use<'_> {
    type Found = Used;

    fn tests_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<Option<Used>, Diagnostic> {
        if wave(event.after.running()) != self.wave {
            return Ok(None);
        }
        let lifted = self.session.recorded().program().lifted();
        let step = lifted.step_of(event.index);
        let uses = step.is_some_and(|(_, step)| {
            event.active >> self.lane & 1 != 0 && sources::reads(lifted, step, self.regs)
        });
        let written = |reg: &Reg| {
            event.writes.iter().any(|write| write.reg == *reg && write.lanes >> self.lane & 1 != 0)
        };
        let ends = self.regs.iter().all(written);
        let at = step.map_or(At::Done, |(at, _)| at);
        Ok((uses || ends).then_some(Used { at, uses, ends }))
    }
}

/// A state in which an instruction runs next and a lane of the wave does not take part.
struct Skipped {
    counter: u32,
    lane: usize,
}

impl Target for Skipped {
    type Found = Lanes;

    fn tests_events(&self) -> bool {
        false
    }

    fn state(&mut self, view: &mut dyn View) -> Result<Option<Lanes>, Diagnostic> {
        let own = focused(view, Some(self.lane));
        let skipped = view.at() == At::Step(self.counter) && own != 0 && own & view.active() == 0;
        Ok(skipped.then_some(own))
    }
}

/// The step that made a lane inactive.
struct Left {
    wave: (u64, usize),
    own: Lanes,
}

impl Target for Left {
    type Found = usize;

    fn tests_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<Option<usize>, Diagnostic> {
        let own = wave(event.after.running()) == self.wave;
        let left = own && event.active & self.own != 0 && event.after.active() & self.own == 0;
        Ok(left.then_some(event.index))
    }
}

impl Commands {
    /// The registers or the memory that an expression names, in the lane that is being looked at.
    fn things(&self, text: &str) -> Result<Vec<Thing>, Diagnostic> {
        let expression = Expression::parse(text, self.session.names())?;
        let situation = self.session.situation()?;
        let (wave, lane) = (wave(&situation.running), situation.lane);
        if let Some((space, address)) = expression.location() {
            return Ok(vec![Thing::Memory { wave, lane, space, address, bytes: 4 }]);
        }
        let named = expression
            .register()
            .ok_or_else(|| wrong("only a register, a part of one, or memory at one address has a history"))?;
        Ok(named.units.into_iter().map(|reg| Thing::Register { wave, lane, reg }).collect())
    }

    pub(super) fn why(&self, text: &str) -> Result<Answer, Diagnostic> {
        let (mut lines, mut all) = (Vec::new(), Vec::new());
        for thing in self.things(text)? {
            let found = cause(self.session.recorded(), thing, self.session.time(), Extent::default())?;
            self.tree(&found, "", "", &mut lines);
            all.push(self.tree_data(&found));
        }
        Ok(Answer::new(lines.join("\n"), Value::Array(all)))
    }

    pub(super) fn why_here(&self) -> Result<Answer, Diagnostic> {
        let situation = self.session.situation()?;
        let (recorded, wave) = (self.session.recorded(), wave(&situation.running));
        let list = conditions(recorded, wave, situation.lane, self.session.time(), Extent::default())?;
        let (mut lines, mut all) = (Vec::new(), Vec::new());
        for Condition { time, at, causes } in &list {
            let counter = counter_text(*at);
            lines.push(format!("step {time}: {counter}{}", self.text_of(*at)));
            for (number, child) in causes.iter().enumerate() {
                let (own, below) = if number + 1 == causes.len() { ("└ ", "  ") } else { ("├ ", "│ ") };
                self.tree(child, own, below, &mut lines);
            }
            let causes: Vec<Value> = causes.iter().map(|child| self.tree_data(child)).collect();
            all.push(json!({"step": time, "text": self.text_of(*at), "causes": causes}));
        }
        let text = if lines.is_empty() {
            "no condition: the lane always gets here".into()
        } else {
            lines.join("\n")
        };
        Ok(Answer::new(text, Value::Array(all)))
    }

    /// Writes a tree; `first` and `rest` come before its first and its other lines.
    fn tree(&self, cause: &Cause, first: &str, rest: &str, lines: &mut Vec<String>) {
        let cut = if cause.cut { " …" } else { "" };
        lines.push(format!("{first}{}{cut}", self.told(cause)));
        for (number, child) in cause.causes.iter().enumerate() {
            let (own, below) =
                if number + 1 == cause.causes.len() { ("└ ", "  ") } else { ("├ ", "│ ") };
            self.tree(child, &format!("{rest}{own}"), &format!("{rest}{below}"), lines);
        }
    }

    fn tree_data(&self, cause: &Cause) -> Value {
        let step = if let Origin::Step(time, _) = cause.origin { Some(time) } else { None };
        json!({
            "what": self.name(cause), "origin": self.origin(cause), "step": step, "cut": cause.cut,
            "bits": cause.bits.map(|bits| format!("{bits:08x}")),
            "causes": cause.causes.iter().map(|child| self.tree_data(child)).collect::<Vec<_>>(),
        })
    }

    fn name(&self, cause: &Cause) -> String {
        match cause.thing {
            Thing::Register { wave, lane, reg } => {
                format!("{} in {}", self.session.names().of(reg), self.lane_name(wave, lane))
            }
            Thing::Memory { space, address, bytes, .. } => {
                format!("{bytes} bytes of {} at {address:#x}", memory(space))
            }
            Thing::File(file) => {
                let first = self.session.names().of(Reg::new(file, 0));
                format!("a register with a computed number, such as {first}")
            }
            Thing::Texture => "texels".into(),
            Thing::Barrier => "the result of a barrier".into(),
        }
    }

    /// A lane of a wave by its number in the run.
    fn lane_name(&self, of: (u64, usize), lane: usize) -> String {
        let recorded = self.session.recorded();
        let mut portions = (0..recorded.portions()).filter_map(|number| recorded.portion(number));
        let own = portions.find(|(portion, _)| wave(portion) == of);
        match own.and_then(|(portion, _)| portion.lane(lane)) {
            Some(number) => format!("lane {number}"),
            None => format!("helper lane {lane} of its wave"),
        }
    }

    fn origin(&self, cause: &Cause) -> String {
        match cause.origin {
            Origin::Step(time, at) => {
                let counter = counter_text(at);
                format!("step {time}: {counter}{}", self.text_of(at))
            }
            Origin::Start(FileKind::Input) => "an input".into(),
            Origin::Start(FileKind::Uniform) => "a uniform".into(),
            Origin::Start(_) => "never written".into(),
            Origin::Memory => "there before the run".into(),
            Origin::Outside => "not followed".into(),
        }
    }

    fn told(&self, cause: &Cause) -> String {
        let value = match (cause.thing, cause.bits) {
            (Thing::Register { reg, .. }, Some(bits)) => format!(" = {}", self.shown(reg, bits as u32)),
            (_, Some(bits)) => format!(" = {bits:#x}"),
            (_, None) => String::new(),
        };
        format!("{}{value}  ({})", self.name(cause), self.origin(cause))
    }

    pub(super) fn uses(&self, text: &str) -> Result<Answer, Diagnostic> {
        let things = self.things(text)?;
        let regs: Vec<Reg> = things
            .iter()
            .filter_map(|t| if let Thing::Register { reg, .. } = t { Some(*reg) } else { None })
            .collect();
        let Some(Thing::Register { wave, lane, .. }) = things.first().copied().filter(|_| !regs.is_empty())
        else {
            return Err(
                wrong("only the uses of a register are listed").help("`read` stops where memory is read")
            );
        };
        let (mut time, mut lines, mut all): (Time, _, _) = (self.session.time(), Vec::new(), Vec::new());
        while lines.len() < MOST_USES {
            let mut target = Use { session: &self.session, wave, lane, regs: &regs };
            let found = search(self.session.recorded(), time, Direction::Forwards, &mut target)?;
            let Some((next, Used { at, uses, ends })) = found else { break };
            time = next;
            if uses {
                let counter = counter_text(at);
                lines.push(format!("step {}: {counter}{}", time - 1, self.text_of(at)));
                all.push(json!({"step": time - 1, "text": self.text_of(at)}));
            }
            if ends {
                break;
            }
        }
        let text = if lines.is_empty() { "no step uses it".into() } else { lines.join("\n") };
        Ok(Answer::new(text, Value::Array(all)))
    }

    pub(super) fn why_not(&self, text: &str) -> Result<Answer, Diagnostic> {
        let counter = self.counter(text)?;
        let situation = self.session.situation()?;
        let own = situation.running.lane(situation.lane);
        let lane = self.session.focus().or(own).ok_or_else(|| wrong("choose a lane with `lane`"))?;
        let (recorded, from) = (self.session.recorded(), self.session.time());
        let mut target = Skipped { counter, lane };
        let found = match search(recorded, from, Direction::Backwards, &mut target)? {
            Some(found) => Some(found),
            None => search(recorded, from, Direction::Forwards, &mut target)?,
        };
        let Some((time, own)) = found else {
            let text = format!("the wave of lane {lane} never runs {counter:#x} without that lane");
            return Ok(Answer::new(text, Value::Null));
        };
        let mut wave_of = None;
        recorded.view(time, &mut |view| {
            wave_of = Some(wave(view.running()));
            Ok(())
        })?;
        let wave = wave_of.ok_or_else(|| wrong("there is no wave"))?;
        let left = search(recorded, time, Direction::Backwards, &mut Left { wave, own })?;
        let lifted = recorded.program().lifted();
        let (text, data) = match left {
            None => (format!("lane {lane} has not run since its wave began"), Value::Null),
            Some((step, index)) => {
                let (at, _) = lifted.step_of(index).ok_or_else(|| {
                    Diagnostic::internal("internal-debug", "a step ran that the program lacks")
                })?;
                let counter = counter_text(at);
                let text = format!("lane {lane} left at step {step}: {counter}{}", self.text_of(at));
                (text, json!({"step": step, "text": self.text_of(at)}))
            }
        };
        let ran = format!("{counter:#06x} ran at step {time} without lanes {}", lanes_text(own));
        Ok(Answer::new(format!("{ran}\n{text}"), json!({"skipped": time, "left": data, "lane": lane % WAVE})))
    }
}

/// The name of a memory.
pub(super) fn memory(space: Space) -> String {
    match space {
        Space::Global => "global memory".into(),
        Space::Shared => "shared memory".into(),
        Space::Local => "local memory".into(),
        Space::Uniforms => "the uniforms".into(),
        Space::Constant(bank) => format!("constant bank {bank}"),
        other => format!("memory \"{other:?}\""),
    }
}

/// The program counter of a position before its text.
fn counter_text(at: At) -> String {
    if let At::Step(counter) = at { format!("{counter:#06x}  ") } else { String::new() }
}
