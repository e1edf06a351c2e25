//! What a run stops at.

use crate::event::{Event, MemoryAccess};
use crate::expression::Expression;
use crate::floats::{Floats, Special};
use crate::history::Time;
use crate::hits::Hits;
use crate::interrupt::Interrupt;
use crate::log::{Log, MOST_LOGGED};
use crate::names::{Named, Names};
use crate::search::Target;
use crate::sources;
use crate::unwritten::{Read, Unwritten};
use crate::view::View;
use shisa_diag::Diagnostic;
use shisa_eval::{Progress, Touch, each_lane, located};
use shisa_ir::{At, Lanes, Lifted, Reg, Space};
use std::ops::Range;

/// What a breakpoint waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum On {
    /// The instruction at this program counter runs next.
    Step(u32),
    /// Any state: the condition of the breakpoint decides.
    Always,
    /// A register is read or written.
    Register(Named, Access),
    /// Bytes of memory are read or written.
    Memory(Space, Range<u64>, Access),
    /// A result is NaN or infinite, and no operand was.
    NotFinite,
    /// Some lanes of the wave go elsewhere.
    Divergence,
    /// A texture is sampled, or texels are accessed.
    Texture,
    /// A vertex is emitted.
    Emission,
    /// A lane is killed.
    Kill,
    /// What a lane does depends on a register or on memory that nothing has written.
    Unwritten,
    /// Memory is accessed outside of its bounds, and the run goes on.
    Outside,
    /// The wave arrives at a barrier.
    Barrier,
    /// The wave ends.
    End,
}

/// The accesses that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads.
    Reads,
    /// Writes.
    Writes,
    /// Both.
    All,
}

impl On {
    /// The events that are named by one word.
    pub const NAMED: [(&'static str, On); 9] = [
        ("nan", On::NotFinite),
        ("divergence", On::Divergence),
        ("texture", On::Texture),
        ("emit", On::Emission),
        ("kill", On::Kill),
        ("uninitialised", On::Unwritten),
        ("outside", On::Outside),
        ("barrier", On::Barrier),
        ("end", On::End),
    ];

    /// The word that names the event; `None` for what has none.
    pub fn name(&self) -> Option<&'static str> {
        On::NAMED.iter().find(|(_, named)| named == self).map(|(name, _)| *name)
    }

    /// An event by its name.
    ///
    /// # Errors
    /// `debug-command` if there is none.
    pub fn named(name: &str) -> Result<On, Diagnostic> {
        let found = On::NAMED.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, on)| on).ok_or_else(|| {
            let names: Vec<&str> = On::NAMED.iter().map(|(name, _)| *name).collect();
            let text = format!("there is no event \"{}\"", shisa_diag::escape(name));
            Diagnostic::error("debug-command", text).help(format!("the events are {}", names.join(", ")))
        })
    }

    /// Accesses to what an expression names: a register, a part of one, or a word of memory.
    ///
    /// # Errors
    /// `debug-command` for other expressions.
    pub fn watched(expression: &Expression, access: Access) -> Result<On, Diagnostic> {
        let wrong = |text: &str| Diagnostic::error("debug-command", text);
        if let Some((space, address)) = expression.location() {
            return Ok(On::Memory(space, address..address.saturating_add(4), access));
        }
        match expression.register() {
            Some(named) => Ok(On::Register(named, access)),
            None => Err(wrong("only a register, a part of one, or memory at one address can be watched")),
        }
    }

    /// Whether states decide, not what steps do.
    fn is_of_states(&self) -> bool {
        matches!(self, On::Step(_) | On::Always)
    }
}

/// A breakpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Breakpoint {
    /// Its number, from 1.
    pub number: usize,
    /// What it waits for.
    pub on: On,
    /// A condition on the lane.
    pub condition: Option<Expression>,
    /// The hits that count; `None` if all do. A step or state is one hit, for all lanes that meet the condition.
    pub hits: Option<Hits>,
    /// What it logs in place of stopping.
    pub log: Option<Log>,
    /// Whether it is used.
    pub enabled: bool,
}

/// A breakpoint that was reached.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The index of the breakpoint in the list.
    pub index: usize,
    /// The lanes of the wave for which it was.
    pub lanes: Lanes,
    /// What happened, in a few words.
    pub text: String,
}

/// All breakpoints as the target of a search.
pub(crate) struct Breakpoints<'b> {
    pub(crate) list: &'b [Breakpoint],
    /// The number of hits of each breakpoint of the list with a hit condition, from the start of the run.
    pub(crate) counts: Vec<u64>,
    pub(crate) lifted: &'b Lifted,
    pub(crate) names: &'b Names,
    pub(crate) floats: &'b Floats,
    /// What the run has written, if a breakpoint waits for reads of anything else.
    pub(crate) unwritten: Option<Unwritten<'b>>,
    /// The lane of the run to which all breakpoints are limited.
    pub(crate) focus: Option<usize>,
    /// What the log points logged, with their times; `None` if they log nothing, as in a backward search.
    pub(crate) logged: Option<Vec<(Time, String)>>,
    /// Ends the search.
    pub(crate) interrupt: &'b Interrupt,
}

impl Breakpoints<'_> {
    /// The first register in which a step made a NaN or an infinity, and the lanes.
    fn not_finite(&self, event: &Event<'_>) -> Option<(Reg, Lanes)> {
        let unwritten = |reg, lane: usize| event.after.register(reg)?.get(lane);
        self.floats.made(Special::NotFinite, (event.index, event.active), event.writes, unwritten).next()
    }

    /// Tests the breakpoints of states or of steps. `lanes` finds the lanes for which what a breakpoint waits for happened.
    fn test(
        &mut self,
        view: &mut dyn View,
        states: bool,
        mut happened: impl FnMut(&On, &mut dyn View) -> Option<(Lanes, String)>,
    ) -> Result<Option<Hit>, Diagnostic> {
        let focus = focused(view, self.focus);
        let mut found = None;
        for (index, breakpoint) in self.list.iter().enumerate() {
            if !breakpoint.enabled || breakpoint.on.is_of_states() != states {
                continue;
            }
            // Past the one that is found, hits are only counted.
            if found.is_some() && breakpoint.hits.is_none() {
                continue;
            }
            let Some((lanes, text)) = happened(&breakpoint.on, view) else { continue };
            let mut lanes = lanes & focus;
            if let Some(condition) = &breakpoint.condition {
                for lane in each_lane(lanes) {
                    if !condition.value(view, self.names, lane)?.holds() {
                        lanes &= !(1 << lane);
                    }
                }
            }
            if lanes == 0 {
                continue;
            }
            if let Some(hits) = breakpoint.hits
                && let Some(count) = self.counts.get_mut(index)
            {
                *count += 1;
                if found.is_some() || !hits.holds(*count) {
                    continue;
                }
            }
            if let Some(log) = &breakpoint.log {
                let Some(logged) = &mut self.logged else { continue };
                for lane in each_lane(lanes) {
                    if logged.len() >= MOST_LOGGED {
                        break;
                    }
                    let text = log.of_lane(view, self.names, lane)?;
                    logged.push((view.time(), format!("lane {lane}: {text}")));
                    if logged.len() == MOST_LOGGED {
                        logged.push((view.time(), format!("a move logs at most {MOST_LOGGED} lines")));
                    }
                }
                continue;
            }
            found = Some(Hit { index, lanes, text });
        }
        Ok(found)
    }
}

/// Bytes of memory in words.
fn in_memory(space: Space, address: u64, bytes: usize) -> String {
    let (space, address) = located(space, address);
    let memory = match space {
        Space::Constant(bank) => format!("bank {bank}"),
        other => format!("{other:?} memory").to_lowercase(),
    };
    format!("{memory} at {address:#x} ({bytes} bytes)")
}

/// The lanes of the running wave that have a lane of the run; all if there is no such lane.
pub(crate) fn focused(view: &dyn View, focus: Option<usize>) -> Lanes {
    let Some(focus) = focus else { return Lanes::MAX };
    let lanes = view.running().lanes.iter().enumerate();
    lanes.filter(|(_, lane)| **lane == Some(focus)).fold(0, |lanes, (lane, _)| lanes | 1 << lane)
}

impl Target for Breakpoints<'_> {
    type Found = Hit;

    fn tests_events(&self) -> bool {
        self.list.iter().any(|breakpoint| breakpoint.enabled && !breakpoint.on.is_of_states())
    }

    fn counts(&self) -> bool {
        self.unwritten.is_some()
            || self.list.iter().any(|breakpoint| breakpoint.enabled && breakpoint.hits.is_some())
    }

    fn state(&mut self, view: &mut dyn View) -> Result<Option<Hit>, Diagnostic> {
        self.interrupt.check()?;
        self.test(view, true, |on, view| match on {
            On::Step(pc) if view.at() == At::Step(*pc) => Some((view.active(), "runs next".into())),
            On::Always => Some((view.active(), "the condition holds".into())),
            _ => None,
        })
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<Option<Hit>, Diagnostic> {
        let waits = self.list.iter().any(|point| point.enabled && point.on == On::NotFinite);
        let made = if waits { self.not_finite(event) } else { None };
        let (names, lifted, index) = (self.names, self.lifted, event.index);
        let unwritten =
            self.unwritten.as_mut().and_then(|unwritten| unwritten.step(event)).map(|(read, lanes)| {
                let what = match read {
                    Read::Register(reg) => names.of(reg),
                    Read::Memory(space, address, bytes) => in_memory(space, address, bytes),
                };
                (lanes, format!("{what} is read before anything writes it"))
            });
        let Event { active, killed, writes, accesses, textures, emitted, progress, .. } = &*event;
        let (active, killed, textures, emitted, progress) =
            (*active, *killed, *textures, *emitted, *progress);
        let (writes, accesses) = (*writes, *accesses);
        let some = |lanes: Lanes, text: &str| (lanes != 0).then(|| (lanes, text.to_owned()));
        self.test(event.after, false, |on, view| match on {
            On::Register(named, kind) => {
                let write = writes.iter().find(|write| named.units.contains(&write.reg));
                match write.filter(|_| *kind != Access::Reads) {
                    Some(write) => some(write.lanes & active, &format!("{} is written", names.of(write.reg))),
                    None if *kind == Access::Writes => None,
                    None => {
                        let (_, step) = lifted.step_of(index)?;
                        let reads = sources::reads(lifted, step, &named.units);
                        some(if reads { active } else { 0 }, "the register is read")
                    }
                }
            }
            On::Memory(space, range, kind) => {
                let counts = |touch: Touch| match kind {
                    Access::Reads => touch != Touch::Store,
                    Access::Writes => touch != Touch::Load,
                    Access::All => true,
                };
                let there = accesses.iter().filter(|access| {
                    access.space == *space
                        && counts(access.touch)
                        && access.address < range.end
                        && range.start < access.address.saturating_add(access.bytes as u64)
                });
                some(there.fold(0, |lanes, access| lanes | 1 << access.lane), "memory is accessed")
            }
            On::NotFinite => made.map(|(reg, lanes)| (lanes, format!("in {}", names.of(reg)))),
            On::Divergence => {
                let left = active & !view.active();
                let apart = left != 0 && active & view.active() != 0;
                some(if apart { active } else { 0 }, "lanes of the wave take different paths")
            }
            On::Texture => some(textures, "a texture is accessed"),
            On::Emission => some(emitted, "a vertex is emitted"),
            On::Kill => some(view.killed() & !killed, "killed"),
            On::Unwritten => unwritten.clone(),
            On::Outside => {
                let mut outside = accesses.iter().filter(|access| access.reached(view).is_none());
                let first = outside.next()?;
                let lanes = outside.fold(1 << first.lane, |lanes, access| lanes | 1 << access.lane);
                let MemoryAccess { space, address, bytes, .. } = *first;
                some(lanes, &format!("{} is outside of memory", in_memory(space, address, bytes)))
            }
            On::Barrier => {
                some(if matches!(progress, Progress::Barrier(_)) { active } else { 0 }, "a barrier")
            }
            On::End => some(if progress == Progress::Done { active } else { 0 }, "the wave ends"),
            On::Step(_) | On::Always => None,
        })
    }
}

#[cfg(test)]
mod tests;
