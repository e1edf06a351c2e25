//! The instructions that lanes ran, with the values that these read.

use crate::files::is_uniform;
use shisa_debug::{Event, Recorded, Time, View, Watcher};
use shisa_diag::Diagnostic;
use shisa_ir::{At, Component, FileId, Lanes, Lifted, Op, Reg, Step, Value, WAVE};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// The largest number of instructions of a path. Those after it are not compared.
pub const PATH_STEPS: usize = 1 << 16;

/// The registers of a step, in units.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    /// Registers that must hold a value before the step, other than uniforms.
    pub(crate) reads: BTreeSet<Reg>,
    /// Uniforms that it reads.
    pub(crate) uniforms: BTreeSet<Reg>,
    pub(crate) writes: BTreeSet<Reg>,
}

impl Shape {
    /// The registers of a step of a program.
    pub(crate) fn of(lifted: &Lifted, step: &Step) -> Shape {
        let mut shape = Shape::default();
        let uniform = |file: FileId| lifted.files.get(usize::from(file.0)).filter(|file| is_uniform(file));
        for unit in lifted.reads(step).flat_map(Component::units) {
            match uniform(unit.file) {
                Some(_) => shape.uniforms.insert(unit),
                None => shape.reads.insert(unit),
            };
        }
        for index in step.nodes.clone() {
            if let Op::ReadAt { file: id, .. } = lifted.nodes.op(Value(index))
                && let Some(file) = uniform(id)
            {
                shape.uniforms.extend((0..file.units).map(|unit| Reg::new(id, unit)));
            }
        }
        shape.writes.extend(lifted.writes(step).flat_map(|(component, ..)| component.units()));
        // Where the guard is false, the old value stays.
        if step.guard.is_some() {
            shape.reads.extend(&shape.writes);
        }
        shape
    }
}

/// A register before a step.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) reg: Reg,
    /// Identifies the value: every write and every change by the host begins a version.
    pub(crate) version: u32,
    /// Its bits in each lane of the path.
    pub(crate) bits: Vec<u32>,
}

/// A step that all lanes of a path ran.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// When the wave ran it.
    pub(crate) time: Time,
    /// Its index among all steps of the program.
    pub(crate) index: usize,
    pub(crate) reads: Vec<Read>,
    /// The registers that it wrote, with the versions that they have since.
    pub(crate) writes: Vec<(Reg, u32)>,
}

impl Taken {
    /// The step in its program.
    pub(crate) fn step<'l>(&self, lifted: &'l Lifted) -> Option<&'l Step> {
        lifted.step_of(self.index).map(|(_, step)| step)
    }
}

/// The steps of lanes that ran the same ones together.
#[derive(Debug, Default)]
pub(crate) struct Path {
    /// The lanes by their numbers in the run.
    pub(crate) lanes: Vec<usize>,
    pub(crate) taken: Vec<Taken>,
    pub(crate) uniforms: BTreeMap<Reg, u32>,
    /// The instructions that the lanes ran after the first [`PATH_STEPS`].
    pub(crate) cut: usize,
}

impl Path {
    /// The path of these lanes of a wave.
    ///
    /// # Errors
    /// Those of the recording.
    pub(crate) fn of(
        recorded: &dyn Recorded,
        shapes: &[Shape],
        lanes: Vec<usize>,
    ) -> Result<Path, Diagnostic> {
        let mut collector = Collector {
            lifted: recorded.program().lifted(),
            shapes,
            path: Path { lanes, ..Path::default() },
            known: BTreeMap::new(),
            versions: 0,
            portion: 0,
            slots: Vec::new(),
            written: Vec::new(),
        };
        for number in 0..recorded.portions() {
            let Some((portion, times)) = recorded.portion(number) else { continue };
            let slot = |lane: &usize| portion.lanes.iter().position(|own| *own == Some(*lane));
            let Some(slots) = collector.path.lanes.iter().map(slot).collect() else { continue };
            (collector.slots, collector.portion) = (slots, number);
            recorded.replay(times, &mut collector)?;
        }
        Ok(collector.path)
    }
}

struct Collector<'r> {
    lifted: &'r Lifted,
    shapes: &'r [Shape],
    path: Path,
    /// The version of each register, and its bits.
    known: BTreeMap<Reg, (u32, Vec<u32>)>,
    versions: u32,
    portion: usize,
    /// The lanes in their wave.
    slots: Vec<usize>,
    /// The registers that the latest step wrote, whose bits are those of the next state.
    written: Vec<(Reg, u32)>,
}

impl Collector<'_> {
    fn bits(&self, view: &dyn View, reg: Reg) -> Option<Vec<u32>> {
        let plane = view.register(reg)?;
        self.slots.iter().map(|slot| plane.get(*slot)).collect()
    }

    fn version(&mut self) -> u32 {
        self.versions += 1;
        self.versions
    }

    /// A register before a step. A value that no step wrote, such as that of a clock, has a version of its own.
    fn read(&mut self, view: &dyn View, reg: Reg) -> Option<Read> {
        let bits = self.bits(view, reg)?;
        let known = self.known.get(&reg).filter(|(_, known)| *known == bits);
        let version = known.map(|(version, _)| *version);
        let version = version.unwrap_or_else(|| self.version());
        self.known.insert(reg, (version, bits.clone()));
        Some(Read { reg, version, bits })
    }
}

impl Watcher for Collector<'_> {
    fn needs_events(&self) -> bool {
        false
    }

    fn state(&mut self, view: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic> {
        let shapes = self.shapes;
        for (reg, version) in std::mem::take(&mut self.written) {
            match self.bits(view, reg).filter(|_| view.portion() == self.portion) {
                Some(bits) => self.known.insert(reg, (version, bits)),
                None => self.known.remove(&reg),
            };
        }
        if view.portion() != self.portion {
            return Ok(ControlFlow::Break(()));
        }
        let active = view.active();
        let runs = self.slots.iter().all(|slot| active >> slot & 1 != 0);
        let Some((index, _)) = self.lifted.step(view.at()).filter(|_| runs) else {
            return Ok(ControlFlow::Continue(()));
        };
        let Some(shape) = shapes.get(index) else { return Ok(ControlFlow::Continue(())) };
        if self.path.taken.len() >= PATH_STEPS {
            self.path.cut += 1;
            return Ok(ControlFlow::Continue(()));
        }
        for reg in &shape.uniforms {
            if let Some(bits) = view.register(*reg).and_then(|plane| plane.get(0)) {
                self.path.uniforms.insert(*reg, bits);
            }
        }
        let reads = shape.reads.iter().filter_map(|reg| self.read(view, *reg)).collect();
        let writes: Vec<_> = shape.writes.iter().map(|reg| (*reg, self.version())).collect();
        self.written.clone_from(&writes);
        self.path.taken.push(Taken { time: view.time(), index, reads, writes });
        Ok(ControlFlow::Continue(()))
    }

    fn event(&mut self, _: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic> {
        Ok(ControlFlow::Continue(()))
    }
}

/// The lanes of each wave of a run, divided into those that ran the same steps together.
///
/// # Errors
/// Those of the recording.
pub(crate) fn groups(recorded: &dyn Recorded) -> Result<Vec<Vec<usize>>, Diagnostic> {
    let mut waves: BTreeMap<[Option<usize>; WAVE], Divided> = BTreeMap::new();
    for number in 0..recorded.portions() {
        let Some((portion, times)) = recorded.portion(number) else { continue };
        let there = portion.lanes.iter().enumerate().filter(|(_, lane)| lane.is_some());
        let all = there.fold(0, |lanes: Lanes, (slot, _)| lanes | 1 << slot);
        let divided = waves.entry(portion.lanes).or_insert_with(|| Divided { sets: vec![all], portion: 0 });
        divided.portion = number;
        recorded.replay(times, divided)?;
    }
    let lanes = |(lanes, divided): (&[Option<usize>; WAVE], &Divided)| {
        let of = |set: &Lanes| {
            let set = *set;
            lanes
                .iter()
                .enumerate()
                .filter(move |(slot, _)| set >> slot & 1 != 0)
                .filter_map(|(_, lane)| *lane)
        };
        divided.sets.iter().map(|set| of(set).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let mut all: Vec<Vec<usize>> = waves.iter().flat_map(lanes).filter(|lanes| !lanes.is_empty()).collect();
    all.sort_unstable();
    Ok(all)
}

/// The lanes of a wave, in sets of those that ran the same steps so far.
struct Divided {
    sets: Vec<Lanes>,
    portion: usize,
}

impl Watcher for Divided {
    fn needs_events(&self) -> bool {
        false
    }

    fn state(&mut self, view: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic> {
        if view.portion() != self.portion || view.at() == At::Done {
            return Ok(ControlFlow::Break(()));
        }
        let active = view.active();
        if self.sets.iter().any(|set| set & active != 0 && set & !active != 0) {
            let parts = self.sets.iter().flat_map(|set| [set & active, set & !active]);
            self.sets = parts.filter(|set| *set != 0).collect();
        }
        Ok(ControlFlow::Continue(()))
    }

    fn event(&mut self, _: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic> {
        Ok(ControlFlow::Continue(()))
    }
}
