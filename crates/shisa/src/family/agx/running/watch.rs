//! Records what instructions wrote.

use super::lines::name;
use crate::run::{Steps, TraceSink, TraceStep, TraceTexel};
use shisa_agx::sequencer::State;
use shisa_eval::{Observer, Plane, Position, Sample};
use shisa_ir::{Lanes, Lifted, Lod, Reg, TexKind, TextureRef, WAVE};

/// Records the steps of a run.
pub(super) struct Watch<'a> {
    lifted: &'a Lifted,
    /// The pixel, vertex or thread of each lane of the wave.
    lanes: [Option<usize>; WAVE],
    active: Lanes,
    steps: Steps<'a>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(lifted: &'a Lifted, trace: &'a mut dyn TraceSink) -> Self {
        Watch { lifted, lanes: [None; WAVE], active: 0, steps: Steps::new(trace) }
    }

    /// The lanes that the latest step ran for, without helpers.
    fn active(&self) -> impl Iterator<Item = (usize, usize)> {
        let there = self.lanes.iter().enumerate().filter(|(lane, _)| self.active >> lane & 1 != 0);
        there.filter_map(|(lane, index)| Some((lane, (*index)?)))
    }
}

impl Observer<State> for Watch<'_> {
    fn wave(&mut self, lanes: &[Option<usize>]) {
        for (slot, lane) in self.lanes.iter_mut().zip(lanes) {
            *slot = *lane;
        }
    }

    fn step(&mut self, index: usize, active: Lanes, _: &Position<State>) {
        self.active = active;
        let lanes = self.active().map(|(_, index)| index as u32).collect();
        let wave = self.lanes.iter().flatten().next().copied().unwrap_or(0);
        let instruction = self.lifted.steps.get(index).map_or(0, |step| step.pc as usize);
        self.steps.begin(TraceStep { wave, instruction, lanes, ..TraceStep::default() });
    }

    fn texel(&mut self, store: &Sample<'_>) {
        let (op, Some(step)) = (&store.op, self.steps.current()) else { return };
        let TexKind::Store(value) = op.kind else { return };
        for (lane, index) in self.lanes.iter().enumerate() {
            let Some(index) = index.filter(|_| store.lanes >> lane & 1 != 0) else { continue };
            let number = |plane: &Plane| plane.0[lane];
            let first = |planes: [&Plane; 4]| number(planes[0]);
            let texture = match op.texture {
                TextureRef::Unit(n) => format!("ts{n}"),
                TextureRef::Numbered(n) => format!("ts{}", first(n)),
                TextureRef::Handle([low, high, ..]) => {
                    format!("{:#x}", u64::from(number(high)) << 32 | u64::from(number(low)))
                }
            };
            let place = op.coord.iter().take(op.shape.dim.coordinates().into());
            let level = if let Lod::Level(n) = op.lod { first(n) } else { 0 };
            step.texels.push(TraceTexel {
                lane: index,
                texture,
                place: place.map(|p| number(p)).collect(),
                layer: op.layer.map(first),
                sample: op.sample.map(first),
                level,
                values: value.iter().map(|p| format!("{:08x}", number(p))).collect(),
            });
        }
    }

    fn write(&mut self, reg: Reg, _: Lanes, old: &Plane, new: &Plane) {
        let (lanes, active) = (self.lanes, self.active);
        let there = (0..WAVE).filter(|lane| active >> lane & 1 != 0 && lanes[*lane].is_some());
        self.steps.write(name(self.lifted.files, reg), there, &old.0, &new.0);
    }
}
