//! Reads of registers and memory that nothing has written.

use crate::event::Event;
use crate::maker::wave;
use crate::run::Start;
use crate::sources::{self, Source};
use shisa_eval::Touch;
use shisa_eval::races::Written;
use shisa_ir::{FileKind, Lanes, Lifted, Op, Reg, Space, Step, WAVE};
use std::collections::{BTreeMap, BTreeSet};

/// What a run has written, from its start.
///
/// A lane reads a register if what it computes, stores or decides depends on it. To copy a register, or to save it in local memory,
/// is not to read it. The host writes the inputs of a run, uniforms and global memory.
pub(crate) struct Unwritten<'l> {
    lifted: &'l Lifted,
    uses: BTreeMap<usize, Uses>,
    given: BTreeSet<Reg>,
    /// Whether a wave starts with the registers of the one before it.
    continues: bool,
    /// The lanes of each wave of the workgroup that wrote a register.
    registers: BTreeMap<((u64, usize), Reg), Lanes>,
    group: Option<u64>,
    shared: Written,
    local: Written,
}

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// A unit of a register.
    Register(Reg),
    /// A number of bytes of memory at an address.
    Memory(Space, u64, usize),
}

/// The registers on which the effects of a step depend.
struct Uses {
    written: Vec<Unit>,
    stores: Vec<Reg>,
    control: Vec<Reg>,
    kills: Vec<Reg>,
    texels: Vec<Reg>,
}

/// A unit that a step writes.
struct Unit {
    reg: Reg,
    /// The unit that it copies.
    copied: Option<Reg>,
    /// The units from which it is computed, if it is no copy.
    computed: Vec<Reg>,
}

impl Uses {
    fn of(lifted: &Lifted, step: &Step) -> Uses {
        let private = |reg: &Reg| {
            let file = lifted.files.get(usize::from(reg.file.0));
            file.is_some_and(|file| matches!(file.kind, FileKind::Temp | FileKind::Output))
        };
        let registers = |used: BTreeSet<Source>| -> Vec<Reg> {
            let own = |source| match source {
                Source::Register(reg, _) => Some(reg),
                _ => None,
            };
            used.into_iter().filter_map(own).filter(private).collect()
        };
        let effects = |counts: fn(Op) -> bool| registers(sources::of_effects(lifted, step, counts));
        let units = lifted.writes(step).flat_map(|(component, ..)| component.units());
        let of_unit = |reg| {
            let copied = sources::copied(lifted, step, reg);
            let computed = match copied {
                Some(_) => Vec::new(),
                None => registers(sources::of_register(lifted, step, reg)?),
            };
            Some(Unit { reg, copied: copied.filter(private), computed })
        };
        Uses {
            written: units.filter_map(of_unit).collect(),
            stores: effects(|op| match op {
                Op::Store { space, .. } => space != Space::Local,
                _ => matches!(op, Op::Atomic { .. }),
            }),
            control: registers(sources::of_control(lifted, step)),
            kills: effects(|op| matches!(op, Op::Kill { .. })),
            texels: effects(|op| matches!(op, Op::TextureStore(_))),
        }
    }
}

impl<'l> Unwritten<'l> {
    /// Nothing but what there is at the start of a wave.
    pub(crate) fn new(lifted: &'l Lifted, start: Start) -> Unwritten<'l> {
        Unwritten {
            lifted,
            uses: BTreeMap::new(),
            given: start.given.into_iter().collect(),
            continues: start.continues,
            registers: BTreeMap::new(),
            group: None,
            shared: Written::default(),
            local: Written::default(),
        }
    }

    /// Records a step, and returns the first read of what nothing had written, with its lanes. The steps are passed in order
    /// from the start of the run.
    pub(crate) fn step(&mut self, event: &Event<'_>) -> Option<(Read, Lanes)> {
        let running = event.after.running();
        if self.group.replace(running.group) != Some(running.group) {
            self.registers.clear();
            self.shared.begin();
            self.local.begin();
        }
        let read = self.registers(event);
        self.write(event);
        let of_memory = self.memory(event);
        read.or(of_memory)
    }

    /// The wave that has the registers of the running one.
    fn wave(&self, event: &Event<'_>) -> (u64, usize) {
        if self.continues { (0, 0) } else { wave(event.after.running()) }
    }

    /// The lanes of a wave that have written a register.
    fn written(&self, wave: (u64, usize), reg: Reg) -> Lanes {
        match self.registers.get(&(wave, reg)) {
            _ if self.given.contains(&reg) => Lanes::MAX,
            Some(lanes) => *lanes,
            None => 0,
        }
    }

    /// Records the registers that a step writes. A copy of what nothing has written is not written, either.
    fn write(&mut self, event: &Event<'_>) {
        let wave = self.wave(event);
        let uses = self.uses.get(&event.index);
        let copies = event.writes.iter().map(|write| {
            let unit = uses.and_then(|uses| uses.written.iter().find(|unit| unit.reg == write.reg));
            let from = unit.and_then(|unit| unit.copied);
            (write.reg, write.lanes, from.map_or(Lanes::MAX, |from| self.written(wave, from)))
        });
        // All are read before one is written.
        let copies: Vec<(Reg, Lanes, Lanes)> = copies.collect();
        for (reg, lanes, known) in copies {
            let written = self.registers.entry((wave, reg)).or_default();
            *written = *written & !lanes | lanes & known;
        }
    }

    fn registers(&mut self, event: &Event<'_>) -> Option<(Read, Lanes)> {
        let (lifted, wave) = (self.lifted, self.wave(event));
        let step = lifted.step_of(event.index).map(|(_, step)| step)?;
        self.uses.entry(event.index).or_insert_with(|| Uses::of(lifted, step));
        let uses = self.uses.get(&event.index)?;
        let stored = event.accesses.iter().filter(|access| access.touch != Touch::Load);
        let stores = stored.fold(0, |lanes, access| lanes | 1 << access.lane);
        // Lanes in which a guard is false are known by what they did not do.
        let killed = event.after.killed() & !event.killed;
        let kills = if step.guard.is_some() { killed } else { event.active };
        let effects = [
            (&uses.stores, stores),
            (&uses.control, event.active),
            (&uses.kills, kills),
            (&uses.texels, event.textures),
        ];
        let of_writes = uses.written.iter().map(|unit| {
            let writes = event.writes.iter().filter(|write| write.reg == unit.reg);
            (&unit.computed, writes.fold(0, |lanes, write| lanes | write.lanes) & event.active)
        });
        let all =
            of_writes.chain(effects).flat_map(|(regs, lanes)| regs.iter().map(move |reg| (*reg, lanes)));
        let mut unwritten = all.map(|(reg, lanes)| (Read::Register(reg), lanes & !self.written(wave, reg)));
        unwritten.find(|(_, lanes)| *lanes != 0)
    }

    fn memory(&mut self, event: &Event<'_>) -> Option<(Read, Lanes)> {
        let mut found: Option<(Read, Lanes)> = None;
        let number = event.after.running().wave * WAVE;
        for access in event.accesses {
            let Some((space, address)) = access.reached(&*event.after) else { continue };
            let (memory, owner) = match space {
                Space::Shared => (&mut self.shared, 0),
                Space::Local => (&mut self.local, number + access.lane),
                _ => continue,
            };
            let written = memory.touch(access.touch, owner, address, access.bytes);
            if access.touch == Touch::Store || written {
                continue;
            }
            let (_, lanes) = found.get_or_insert((Read::Memory(space, address, access.bytes), 0));
            *lanes |= 1 << access.lane;
        }
        found
    }
}
