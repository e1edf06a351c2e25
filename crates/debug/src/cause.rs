//! Where a value came from: the steps, memory and lanes that made it, back to inputs and constants.

use crate::history::Time;
use crate::maker::{Decided, Made, Writer, older, things, wave};
use crate::recording::Recorded;
use crate::search::{Target, latest};
use crate::sources;
use crate::thing::Thing;
use shisa_diag::Diagnostic;
use shisa_ir::{At, FileKind, Op, Space, Step};
use std::collections::{BTreeMap, BTreeSet};

/// What made a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A step, by its time, and its position.
    Step(Time, At),
    /// It was there when the wave began: an input or a uniform, or zero.
    Start(FileKind),
    /// It was in memory when the run began.
    Memory,
    /// It is not followed.
    Outside,
}

/// A value with what made it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// What has the value.
    pub thing: Thing,
    /// The bits of a register, or the low bytes of memory.
    pub bits: Option<u64>,
    /// What made it.
    pub origin: Origin,
    /// The values that the step used.
    pub causes: Vec<Cause>,
    /// Whether its causes are left out: they are elsewhere in the tree, or the tree has reached its limit.
    pub cut: bool,
}

/// The largest size of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Levels.
    pub depth: usize,
    /// Values.
    pub count: usize,
}

impl Default for Extent {
    fn default() -> Extent {
        Extent { depth: 12, count: 200 }
    }
}

/// Follows values back.
struct Tracer<'r> {
    recorded: &'r dyn Recorded,
    left: usize,
    /// The things that a tree already explains, by the time at which they were made.
    told: BTreeSet<(Thing, Time)>,
    /// The portions of each wave.
    portions: BTreeMap<(u64, usize), Vec<usize>>,
}

/// Where a value came from that a thing has before a step.
///
/// # Errors
/// Those of the recording.
pub fn cause(
    recorded: &dyn Recorded,
    thing: Thing,
    before: Time,
    extent: Extent,
) -> Result<Cause, Diagnostic> {
    Tracer::new(recorded, extent).follow(thing, before, extent.depth)
}

/// A step that decided where a lane went.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Its time.
    pub time: Time,
    /// Its position.
    pub at: At,
    /// The values that it used.
    pub causes: Vec<Cause>,
}

/// The steps of a lane of a wave that had a condition, before a time, the latest first: they decided what the lane ran.
///
/// # Errors
/// Those of the recording.
pub fn conditions(
    recorded: &dyn Recorded,
    wave: (u64, usize),
    lane: usize,
    before: Time,
    extent: Extent,
) -> Result<Vec<Condition>, Diagnostic> {
    let mut tracer = Tracer::new(recorded, extent);
    let mut list = Vec::new();
    let (lifted, mut time) = (recorded.program().lifted(), before);
    while tracer.left > 0 {
        let Some((at, made)) = tracer.latest(wave, time, &mut Decided { wave, lane, lifted })? else { break };
        time = at;
        let (step, at) = tracer.step(made.index)?;
        let used = sources::of_control(lifted, step);
        let things = things(used, &made);
        if things.is_empty() {
            continue;
        }
        let mut causes = Vec::new();
        for thing in things {
            causes.push(tracer.follow(thing, time, extent.depth)?);
        }
        list.push(Condition { time, at, causes });
    }
    Ok(list)
}

impl<'r> Tracer<'r> {
    fn new(recorded: &'r dyn Recorded, extent: Extent) -> Tracer<'r> {
        let mut portions: BTreeMap<(u64, usize), Vec<usize>> = BTreeMap::new();
        for number in 0..recorded.portions() {
            if let Some((portion, _)) = recorded.portion(number) {
                portions.entry(wave(&portion)).or_default().push(number);
            }
        }
        Tracer { recorded, left: extent.count, told: BTreeSet::new(), portions }
    }

    /// A step that ran, and its position.
    fn step(&self, index: usize) -> Result<(&'r Step, At), Diagnostic> {
        let found = self.recorded.program().lifted().step_of(index);
        found
            .map(|(at, step)| (step, at))
            .ok_or_else(|| Diagnostic::internal("internal-debug", "a step ran that the program lacks"))
    }

    /// The latest find of a target in the portions of a wave.
    fn latest<T: Target>(
        &self,
        wave: (u64, usize),
        before: Time,
        target: &mut T,
    ) -> Result<Option<(Time, T::Found)>, Diagnostic> {
        for number in self.portions.get(&wave).into_iter().flatten().rev() {
            let Some((_, range)) = self.recorded.portion(*number) else { continue };
            if range.start < before {
                let found = latest(self.recorded, range.start..range.end.min(before), target)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    fn follow(&mut self, thing: Thing, before: Time, depth: usize) -> Result<Cause, Diagnostic> {
        self.left = self.left.saturating_sub(1);
        let bits = self.bits(thing, before)?;
        let ended = |origin| Cause { thing, bits, origin, causes: Vec::new(), cut: false };
        let Some((time, made)) = self.writer(thing, before)? else {
            return Ok(ended(match thing {
                Thing::Register { reg, .. } => {
                    let file = self.recorded.program().lifted().files.get(usize::from(reg.file.0));
                    Origin::Start(file.map_or(FileKind::Temp, |file| file.kind))
                }
                Thing::Memory { .. } => Origin::Memory,
                Thing::File(_) | Thing::Texture | Thing::Barrier => Origin::Outside,
            }));
        };
        let (step, at) = self.step(made.index)?;
        let mut cause = ended(Origin::Step(time, at));
        if depth == 0 || self.left == 0 || !self.told.insert((thing, time)) {
            cause.cut = true;
            return Ok(cause);
        }
        let lifted = self.recorded.program().lifted();
        let used = match thing {
            Thing::Register { reg, .. } => sources::of_register(lifted, step, reg).unwrap_or_default(),
            _ => sources::of_effects(lifted, step, |op| matches!(op, Op::Store { .. } | Op::Atomic { .. })),
        };
        for thing in older(thing, &made).into_iter().chain(things(used, &made)) {
            if self.left == 0 {
                cause.cut = true;
                break;
            }
            cause.causes.push(self.follow(thing, time, depth - 1)?);
        }
        Ok(cause)
    }

    /// The latest step before a time that wrote a thing.
    fn writer(&self, thing: Thing, before: Time) -> Result<Option<(Time, Made)>, Diagnostic> {
        let writer = &mut Writer { thing };
        match thing {
            Thing::Register { wave, .. } | Thing::Memory { wave, space: Space::Local, .. } => {
                self.latest(wave, before, writer)
            }
            Thing::Memory { space: Space::Constant(_) | Space::Constants, .. } => Ok(None),
            Thing::Memory { .. } => latest(self.recorded, 0..before, writer),
            Thing::File(_) | Thing::Texture | Thing::Barrier => Ok(None),
        }
    }

    /// The value of a thing before a step.
    fn bits(&self, thing: Thing, time: Time) -> Result<Option<u64>, Diagnostic> {
        let mut bits = None;
        self.recorded.view(time, &mut |view| {
            bits = match thing {
                Thing::Register { wave: of, lane, reg } if wave(view.running()) == of => {
                    view.register(reg).and_then(|plane| plane.get(lane)).map(u64::from)
                }
                Thing::Memory { wave: of, lane, space, address, bytes } if wave(view.running()) == of => {
                    let mut buffer = [0; 8];
                    let count = bytes.min(buffer.len());
                    let read = view.load(space, lane, address, &mut buffer[..count]);
                    read.is_ok().then(|| u64::from_le_bytes(buffer))
                }
                _ => None,
            };
            Ok(())
        })?;
        Ok(bits)
    }
}
