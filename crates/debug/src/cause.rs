//! Where a value came from: the steps, memory and lanes that made it, back to inputs and constants.

use crate::event::{Event, MemoryAccess};
use crate::history::Time;
use crate::recording::Recorded;
use crate::search::{Target, latest};
use crate::sources::{self, From, Source};
use shisa_diag::Diagnostic;
use shisa_eval::{Portion, each_lane};
use shisa_ir::{At, FileId, FileKind, Lanes, Lifted, Reg, Space, Step};
use std::collections::{BTreeMap, BTreeSet};

/// Something that has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    /// A unit of a register in a lane of a wave.
    Register {
        /// The index of the wave's workgroup, and of the wave in it.
        wave: (u64, usize),
        /// The lane of the wave.
        lane: usize,
        /// The unit.
        reg: Reg,
    },
    /// Bytes of memory, as a lane of a wave sees them.
    Memory {
        /// The index of the wave's workgroup, and of the wave in it.
        wave: (u64, usize),
        /// The lane of the wave.
        lane: usize,
        /// The memory.
        space: Space,
        /// The address of the first byte.
        address: u64,
        /// The number of bytes.
        bytes: usize,
    },
    /// Any register of a file that a step indexes; its number is not followed.
    File(FileId),
    /// The texels that a step sampled.
    Texture,
    /// What other waves contributed to a barrier.
    Barrier,
}

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

/// The latest step with a condition in a lane.
struct Decided<'l> {
    wave: (u64, usize),
    lane: usize,
    lifted: &'l Lifted,
}

impl Target for Decided<'_> {
    type Found = Made;

    fn tests_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<Option<Made>, Diagnostic> {
        let step = step(self.lifted, event.index);
        let decides = step.is_some_and(|step| step.control.cond.is_some() || step.control.place.is_some());
        let runs = step.is_some_and(|step| step.whole_wave) || event.active >> self.lane & 1 != 0;
        let own = wave(event.after.running()) == self.wave;
        Ok((decides && runs && own).then(|| Made::of(event, self.lane)))
    }
}

fn wave(portion: &Portion) -> (u64, usize) {
    (portion.group, portion.wave)
}

/// A step by its index; implied steps come after the instructions.
fn step(lifted: &Lifted, index: usize) -> Option<&Step> {
    lifted.steps.get(index).or_else(|| lifted.implied.get(index.checked_sub(lifted.steps.len())?))
}

/// A step that made a value.
struct Made {
    index: usize,
    active: Lanes,
    accesses: Vec<MemoryAccess>,
    wave: (u64, usize),
    lane: usize,
}

impl Made {
    fn of(event: &Event<'_>, lane: usize) -> Made {
        let wave = wave(event.after.running());
        Made { index: event.index, active: event.active, accesses: event.accesses.to_vec(), wave, lane }
    }
}

/// The latest step that wrote a thing.
struct Writer {
    thing: Thing,
}

impl Target for Writer {
    type Found = Made;

    fn tests_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<Option<Made>, Diagnostic> {
        let running = wave(event.after.running());
        let writer = match self.thing {
            Thing::Register { wave, lane, reg } if wave == running => {
                let writes =
                    event.writes.iter().any(|write| write.reg == reg && write.lanes >> lane & 1 != 0);
                writes.then_some(lane)
            }
            Thing::Memory { wave, lane, space, address, bytes } => {
                let sees = |store_lane: usize| match space {
                    Space::Local => wave == running && store_lane == lane,
                    Space::Shared => wave.0 == running.0,
                    _ => true,
                };
                let end = address.saturating_add(bytes as u64);
                let stores = event.stores.iter().filter(|store| store.space == space && sees(store.lane));
                let mut stores = stores.filter(|store| {
                    store.address < end && address < store.address.saturating_add(store.bytes.into())
                });
                stores.next_back().map(|store| store.lane)
            }
            _ => None,
        };
        Ok(writer.map(|lane| Made::of(event, lane)))
    }
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
        let lifted = self.recorded.program().lifted();
        let found = step(lifted, index);
        let found = found
            .ok_or_else(|| Diagnostic::internal("internal-debug", "a step ran that the program lacks"))?;
        let at = match index.checked_sub(lifted.steps.len()) {
            Some(implied) => At::Implied(implied as u32),
            None => At::Step(found.pc),
        };
        Ok((found, at))
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
            _ => sources::of_stores(lifted, step),
        };
        for thing in things(used, &made) {
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

/// What a step used, in the lane for which it made a value.
fn things(used: BTreeSet<Source>, made: &Made) -> Vec<Thing> {
    let Made { wave, lane, active, ref accesses, .. } = *made;
    let lanes = |from: From| -> Vec<usize> {
        match from {
            From::Own => vec![lane],
            From::Quad => (lane / 4 * 4..lane / 4 * 4 + 4).collect(),
            From::Wave => each_lane(active).collect(),
        }
    };
    let mut things = Vec::new();
    for source in used {
        match source {
            Source::Register(reg, from) => {
                things.extend(lanes(from).into_iter().map(|lane| Thing::Register { wave, lane, reg }));
            }
            Source::Memory(operation, from) => {
                let lanes = lanes(from);
                let own = accesses.iter().filter(|a| a.operation == operation && lanes.contains(&a.lane));
                things.extend(own.map(|a| {
                    let MemoryAccess { space, lane, address, bytes, .. } = *a;
                    Thing::Memory { wave, lane, space, address, bytes }
                }));
            }
            Source::File(file) => things.push(Thing::File(file)),
            Source::Texture => things.push(Thing::Texture),
            Source::Barrier => things.push(Thing::Barrier),
        }
    }
    things
}
