//! The step that made a value, and what it used.

use crate::event::{Event, MemoryAccess};
use crate::search::Target;
use crate::sources::{From, Source};
use crate::thing::Thing;
use shisa_diag::Diagnostic;
use shisa_eval::{MemoryWrite, Portion, each_lane};
use shisa_ir::{Lanes, Lifted, Space};
use std::collections::BTreeSet;
use std::ops::Range;

/// The latest step with a condition in a lane.
pub(crate) struct Decided<'l> {
    pub(crate) wave: (u64, usize),
    pub(crate) lane: usize,
    pub(crate) lifted: &'l Lifted,
}

impl Target for Decided<'_> {
    type Found = Made;

    fn tests_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<Option<Made>, Diagnostic> {
        let step = self.lifted.step_of(event.index).map(|(_, step)| step);
        let decides = step.is_some_and(|step| step.control.cond.is_some() || step.control.place.is_some());
        let runs = step.is_some_and(|step| step.whole_wave) || event.active >> self.lane & 1 != 0;
        let own = wave(event.after.running()) == self.wave;
        Ok((decides && runs && own).then(|| Made::of(event, vec![self.lane], Vec::new())))
    }
}

pub(crate) fn wave(portion: &Portion) -> (u64, usize) {
    (portion.group, portion.wave)
}

/// A step that made a value.
pub(crate) struct Made {
    pub(crate) index: usize,
    active: Lanes,
    accesses: Vec<MemoryAccess>,
    wave: (u64, usize),
    /// The lanes that made parts of the value; of a register one.
    lanes: Vec<usize>,
    /// The bytes of memory that the step did not write.
    older: Vec<Range<u64>>,
}

impl Made {
    fn of(event: &Event<'_>, lanes: Vec<usize>, older: Vec<Range<u64>>) -> Made {
        let wave = wave(event.after.running());
        Made {
            index: event.index,
            active: event.active,
            accesses: event.accesses.to_vec(),
            wave,
            lanes,
            older,
        }
    }
}

/// The latest step that wrote a thing.
pub(crate) struct Writer {
    pub(crate) thing: Thing,
}

impl Target for Writer {
    type Found = Made;

    fn tests_events(&self) -> bool {
        true
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<Option<Made>, Diagnostic> {
        let running = wave(event.after.running());
        Ok(match self.thing {
            Thing::Register { wave, lane, reg } if wave == running => {
                let writes =
                    event.writes.iter().any(|write| write.reg == reg && write.lanes >> lane & 1 != 0);
                writes.then(|| Made::of(event, vec![lane], Vec::new()))
            }
            // Searches pass many steps without a store.
            Thing::Memory { .. } if event.stores.is_empty() => None,
            Thing::Memory { wave, lane, space, address, bytes } => {
                let sees = |store_lane: usize| match space {
                    Space::Local => wave == running && store_lane == lane,
                    Space::Shared => wave.0 == running.0,
                    _ => true,
                };
                let stores = event.stores.iter().filter(|store| store.space == space && sees(store.lane));
                let (lanes, older) = last_writers(address..address.saturating_add(bytes as u64), stores);
                (!lanes.is_empty()).then(|| Made::of(event, lanes, older))
            }
            _ => None,
        })
    }
}

/// The lanes of the stores, in the order in which they ran, that wrote bytes which no later one wrote, and the bytes that
/// none wrote.
fn last_writers<'s>(
    bytes: Range<u64>,
    stores: impl DoubleEndedIterator<Item = &'s MemoryWrite>,
) -> (Vec<usize>, Vec<Range<u64>>) {
    let (mut lanes, mut left) = (Vec::new(), vec![bytes]);
    for store in stores.rev() {
        let written = store.address..store.address.saturating_add(store.bytes.into());
        let meets = |part: &Range<u64>| part.start < written.end && written.start < part.end;
        if left.iter().any(meets) {
            lanes.push(store.lane);
            let around = |part: Range<u64>| match meets(&part) {
                true => [part.start..written.start, written.end..part.end],
                false => [part, 0..0],
            };
            left = left.into_iter().flat_map(around).filter(|part| !part.is_empty()).collect();
        }
    }
    lanes.sort_unstable();
    lanes.dedup();
    (lanes, left)
}

/// The bytes of memory that a step did not write.
pub(crate) fn older(thing: Thing, made: &Made) -> Vec<Thing> {
    let Thing::Memory { wave, lane, space, .. } = thing else { return Vec::new() };
    let part = |part: &Range<u64>| Thing::Memory {
        wave,
        lane,
        space,
        address: part.start,
        bytes: (part.end - part.start) as usize,
    };
    made.older.iter().map(part).collect()
}

/// What a step used, in the lanes for which it made a value.
pub(crate) fn things(used: BTreeSet<Source>, made: &Made) -> BTreeSet<Thing> {
    let Made { wave, ref lanes, active, ref accesses, .. } = *made;
    let lanes = |from: From| -> BTreeSet<usize> {
        match from {
            From::Own => lanes.iter().copied().collect(),
            From::Atomic(operation) => {
                let of_lanes = |a: &&MemoryAccess| a.operation == operation && lanes.contains(&a.lane);
                let own: Vec<&MemoryAccess> = accesses.iter().filter(of_lanes).collect();
                let all = accesses.iter().filter(|a| a.operation == operation);
                all.filter(|a| own.iter().any(|own| own.overlaps(a))).map(|a| a.lane).collect()
            }
            From::Quad => lanes.iter().flat_map(|lane| lane / 4 * 4..lane / 4 * 4 + 4).collect(),
            From::Wave => each_lane(active).collect(),
        }
    };
    let mut things = BTreeSet::new();
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
            Source::File(file) => drop(things.insert(Thing::File(file))),
            Source::Texture => drop(things.insert(Thing::Texture)),
            Source::Barrier => drop(things.insert(Thing::Barrier)),
        }
    }
    things
}
