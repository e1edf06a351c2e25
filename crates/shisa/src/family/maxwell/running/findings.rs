//! What a kernel does wrong with memory and barriers without ending its run: races, reads of memory that nothing wrote,
//! and barriers that only some lanes of a warp reach.
//!
//! Accesses outside of memory and misaligned ones end a run, with or without this.

use super::memory::resolved;
use shisa_diag::Diagnostic;
use shisa_eval::races::{Order, Shared, Touched, Written};
use shisa_eval::{Access, Arrived, Observer, Position, Touch};
use shisa_ir::{Lifted, Space, WAVE};
use shisa_maxwell::launch::Launch;
use shisa_maxwell::sequencer::State;
use std::collections::BTreeMap;

/// Looks for faults of a run. A fault of an instruction is described once, where it is first seen.
pub(super) struct Findings<'a> {
    lifted: &'a Lifted,
    launch: &'a Launch,
    order: Order,
    shared: Shared,
    local: Written,
    at: At,
    found: BTreeMap<(&'static str, u32), Found>,
}

/// Where the run is.
#[derive(Clone, Copy, Default)]
struct At {
    /// The address of the instruction.
    pc: u32,
    /// The number of the block in the grid; x varies fastest.
    block: u64,
    /// The warp of the block.
    warp: usize,
    /// The first thread of the warp in its block.
    thread: usize,
}

/// A fault, and how often it was seen.
struct Found {
    first: Diagnostic,
    count: u64,
}

impl<'a> Findings<'a> {
    /// None so far.
    pub(super) fn new(lifted: &'a Lifted, launch: &'a Launch) -> Self {
        let warps = launch.threads().div_ceil(WAVE as u64) as usize;
        Findings {
            lifted,
            launch,
            order: Order::new(warps),
            shared: Shared::new(launch.all_shared() as usize),
            local: Written::default(),
            at: At::default(),
            found: BTreeMap::new(),
        }
    }

    /// The findings in the order of their instructions.
    pub(super) fn list(self) -> Vec<Diagnostic> {
        let mut all: Vec<_> = self.found.into_iter().collect();
        all.sort_by_key(|((_, pc), _)| *pc);
        let described = |(_, found): (_, Found)| match found.count {
            1 => found.first,
            n => found.first.note(format!("{} times in all", n)),
        };
        all.into_iter().map(described).collect()
    }

    /// Records a fault of the present instruction.
    fn add(&mut self, code: &'static str, describe: impl FnOnce() -> String, notes: &[String]) {
        let At { pc, block, warp, .. } = self.at;
        let [x, y, _] = self.launch.grid.map(|n| u64::from(n.max(1)));
        let found = self.found.entry((code, pc)).or_insert_with(|| {
            let position = format!("{}, {}, {}", block % x, block / x % y, block / x / y);
            let at = format!("at {pc:#x}, in warp {warp} of block {position}");
            let first = Diagnostic::warning(code, describe()).note(at);
            Found { first: notes.iter().fold(first, |d, note| d.note(note.clone())), count: 0 }
        });
        found.count += 1;
    }

    /// An access of a lane to shared memory.
    fn share(&mut self, touch: Touch, lane: usize, address: u64, size: usize) {
        let At { pc, warp, .. } = self.at;
        let own = Touched { wave: warp, time: self.order.time(warp), pc, atomic: touch == Touch::Atomic };
        let seen = self.shared.touch(touch, address, size, own, &self.order);
        if let Some(other) = seen.race {
            let kind = |writes: bool| if writes { "writes" } else { "reads" };
            let text = || {
                format!(
                    "lane {lane} {} {size} bytes of shared memory at {address:#x}, which warp {} {} without a barrier \
                     between the two",
                    kind(touch != Touch::Load),
                    other.by.wave,
                    kind(other.writes)
                )
            };
            self.add("maxwell-run-race", text, &[format!("the other access is at {:#x}", other.by.pc)]);
        }
        if seen.unwritten {
            self.unwritten("shared", lane, address, size);
        }
    }

    fn unwritten(&mut self, memory: &str, lane: usize, address: u64, size: usize) {
        let text = || {
            format!("lane {lane} reads {size} bytes of {memory} memory at {address:#x} that nothing wrote")
        };
        self.add("maxwell-run-uninitialised", text, &[]);
    }
}

impl Observer<State> for Findings<'_> {
    fn wave(&mut self, threads: &[Option<usize>]) {
        let Some((lane, thread)) = threads.iter().enumerate().find_map(|(lane, t)| Some((lane, (*t)?)))
        else {
            return;
        };
        let size = self.launch.threads().max(1);
        let (block, thread) = (thread as u64 / size, (thread as u64 % size) as usize);
        if block != self.at.block {
            self.order.begin();
            self.shared.begin();
            self.local.begin();
        }
        (self.at.block, self.at.warp, self.at.thread) = (block, thread / WAVE, thread - lane);
    }

    fn step(&mut self, index: usize, _: u32, _: &Position<State>) {
        self.at.pc = self.lifted.steps.get(index).map_or(0, |step| step.pc);
    }

    fn access(&mut self, touch: Touch, access: &Access<'_>, count: usize) {
        let size = access.bytes * count;
        for lane in (0..WAVE).filter(|lane| access.lanes >> lane & 1 != 0) {
            let Some(address) = access.at(lane) else { continue };
            let (space, address) = resolved(access.space, address);
            if touch == Touch::Atomic {
                self.order.exchange(self.at.warp, (space == Space::Shared, address));
            }
            match (space, address) {
                (Space::Shared, address) => self.share(touch, lane, address, size),
                (Space::Local, address) => {
                    let thread = self.at.thread + lane;
                    let written = self.local.touch(touch, thread, address, size);
                    if touch == Touch::Load && !written {
                        self.unwritten("local", lane, address, size);
                    }
                }
                _ => {}
            }
        }
    }

    fn arrive(&mut self, arrived: &Arrived, at: &Position<State>) {
        self.order.arrive(self.at.warp, arrived.number());
        let missing = at.state.living() & !arrived.lanes();
        if missing != 0 {
            let lanes: Vec<String> =
                (0..WAVE).filter(|lane| missing >> lane & 1 != 0).map(|lane| lane.to_string()).collect();
            let text = || "only some lanes of a warp reach a barrier, which counts the whole warp".into();
            let note = format!("these lanes have not ended and are elsewhere: {}", lanes.join(", "));
            self.add("maxwell-run-divergent-barrier", text, &[note]);
        }
    }

    fn open(&mut self, arrivals: &[(usize, Arrived)]) {
        self.order.open(arrivals.iter().map(|(warp, arrived)| (*warp, arrived.number(), arrived.waits())));
    }
}
