//! Records what instructions wrote.

use crate::run::{TraceStep, TraceTexel, TraceWrite};
use shisa_agx::sequencer::State;
use shisa_agx::{REGISTERS, UNIFORMS};
use shisa_eval::{Observer, Plane, Position, Sample};
use shisa_ir::{Lanes, Lifted, Lod, Reg, TexKind, TextureRef, WAVE};
use std::collections::VecDeque;

/// Records the latest steps of a run.
pub(super) struct Watch<'a> {
    lifted: &'a Lifted,
    limit: usize,
    /// The pixel, vertex or thread of each lane of the wave.
    lanes: [Option<usize>; WAVE],
    active: Lanes,
    steps: VecDeque<TraceStep>,
}

impl<'a> Watch<'a> {
    /// Records the latest `limit` steps.
    pub(super) fn new(lifted: &'a Lifted, limit: usize) -> Self {
        Watch { lifted, limit, lanes: [None; WAVE], active: 0, steps: VecDeque::new() }
    }

    pub(super) fn finish(self) -> Vec<TraceStep> {
        self.steps.into()
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
        if self.steps.len() >= self.limit {
            self.steps.pop_front();
        }
        self.active = active;
        let lanes: Vec<usize> = self.active().map(|(_, index)| index).collect();
        let wave = self.lanes.iter().flatten().next().copied().unwrap_or(0);
        let instruction = self.lifted.steps.get(index).map_or(0, |step| step.pc as usize);
        self.steps.push_back(TraceStep { wave, instruction, lanes, writes: Vec::new(), texels: Vec::new() });
    }

    fn texel(&mut self, store: &Sample<'_>) {
        let (op, Some(step)) = (&store.op, self.steps.back_mut()) else { return };
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

    fn write(&mut self, reg: Reg, _: Lanes, _: &Plane, new: &Plane) {
        let values = self.active().map(|(lane, _)| format!("{:08x}", new.0[lane])).collect();
        if let Some(step) = self.steps.back_mut() {
            step.writes.push(TraceWrite { register: name(self.lifted, reg), values });
        }
    }
}

/// The name of a register unit, such as `r0l`.
fn name(lifted: &Lifted, reg: Reg) -> String {
    let file = lifted.files.get(usize::from(reg.file.0)).map_or("?", |f| f.name);
    match reg.file {
        REGISTERS | UNIFORMS => {
            format!("{file}{}{}", reg.unit / 2, if reg.unit & 1 == 0 { 'l' } else { 'h' })
        }
        _ => format!("{file}{}", reg.unit),
    }
}
