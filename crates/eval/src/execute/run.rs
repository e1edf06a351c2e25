//! Runs the operations of a step.

use super::exchange::neighbour;
use super::executor::{Executor, by_lane};
use super::memory::Located;
use super::registers::Registers;
use super::surroundings::Surroundings;
use crate::barriers::{Arrived, Reduced};
use crate::environment::{LaneView, too_many};
use crate::plan::micro::{Computed, Micro};
use crate::plan::planes::Wide;
use crate::program::StepPlan;
use crate::wave::{Plane, each, joined};
use shisa_diag::Diagnostic;
use shisa_ir::scalar::lanes::{Combination, combine, exchange};
use shisa_ir::{Lanes, Scalar};

impl Executor<'_> {
    /// Runs a step's operations; at least one lane is active.
    pub(crate) fn run(&mut self, step: &StepPlan, around: &mut Surroundings<'_>) -> Result<(), Diagnostic> {
        let program = self.program;
        for op in program.ops(step)? {
            match *op {
                Micro::Loop { run, dst, args } => {
                    let (sources, dst) = self.arena.compute(dst)?;
                    run.run(dst, sources.planes(args)?);
                }
                Micro::Write { reg, src } => {
                    let new = *self.plane(src)?;
                    self.write(reg, &new, around)?;
                }
                Micro::WriteHalves { regs, src } => {
                    let word = *self.plane(src)?;
                    if around.observer.is_some() || self.mask.0 != Lanes::MAX {
                        self.write(regs[0], &Plane(word.0.map(|w| w & 0xffff)), around)?;
                        self.write(regs[1], &Plane(word.0.map(|w| w >> 16)), around)?;
                    } else {
                        let [low, high] = self.arena.register_pair_mut(regs)?;
                        for ((low, high), w) in low.0.iter_mut().zip(&mut high.0).zip(&word.0) {
                            (*low, *high) = (w & 0xffff, w >> 16);
                        }
                    }
                }
                Micro::ByLane { op, dst, args } => {
                    let (sources, planes) = self.arena.compute_several(dst.first, dst.count())?;
                    let [a, b, c] = args;
                    let (a, b, c) = (sources.planes(a)?, sources.planes(b)?, sources.planes(c)?);
                    by_lane(planes, |lane| {
                        op.evaluate(program.model, [joined(a, lane), joined(b, lane), joined(c, lane)])
                    });
                }
                Micro::Dot { rule, dst, count, a, b } => {
                    let (sources, dst) = self.arena.compute(dst)?;
                    let (a, b) = (sources.planes(a)?, sources.planes(b)?);
                    let count = usize::from(count).min(4);
                    let (mut x, mut y) = ([0; 4], [0; 4]);
                    for (lane, dst) in dst.0.iter_mut().enumerate() {
                        for ((x, y), (a, b)) in x.iter_mut().zip(&mut y).zip(a.iter().zip(b)) {
                            (*x, *y) = (a.0[lane].into(), b.0[lane].into());
                        }
                        *dst = program.model.dot(rule, Scalar::F32, &x[..count], &y[..count]) as u32;
                    }
                }
                Micro::Gather { dst, file, offset, stride, index } => {
                    let (sources, dst) = self.arena.compute(dst)?;
                    let (file, index) = (sources.span(file)?, sources.plane(index)?);
                    for (lane, (dst, index)) in dst.0.iter_mut().zip(index.0).enumerate() {
                        let unit = i64::from(offset) + i64::from(index as i32) * i64::from(stride);
                        let unit = usize::try_from(unit).ok().and_then(|u| file.get(u));
                        // The unit does not exist: the operation is defined to read zero.
                        *dst = unit.map_or(0, |p| p.0[lane]);
                    }
                }
                Micro::Neighbour { axis, second, dst, a } => {
                    let quads = self.quads;
                    let (sources, dst) = self.arena.compute(dst)?;
                    let a = sources.plane(a)?;
                    for (lane, dst) in dst.0.iter_mut().enumerate() {
                        *dst = if quads { a.0[neighbour(axis, second, lane)] } else { 0 };
                    }
                }
                Micro::Lane { op, dst, a, b } => {
                    let active = self.mask.0;
                    let (sources, planes) = self.arena.compute_several(dst.first, dst.count())?;
                    let b = sources.plane(b)?;
                    for (dst, a) in planes.iter_mut().zip(a) {
                        exchange(op, active, &mut dst.0, &sources.plane(a)?.0, &b.0);
                    }
                }
                Micro::Texture { dst, sample } => self.sample(dst, sample, around)?,
                Micro::TextureStore { sample } => self.store_texel(sample, around)?,
                Micro::Load { space, dst, address, scalar: kind, count } => {
                    self.load(dst, Located { space, address, kind }, count, around)?;
                }
                Micro::Store { space, address, scalar: kind, count, values } => {
                    let at = Located { space, address, kind };
                    let values = values.get(..count.into()).ok_or_else(|| too_many(count.into()))?;
                    self.store(at, values, around)?;
                }
                Micro::Combine { how, dst, a } => self.combine(how, dst, a)?,
                Micro::Atomic { op, space, address, dst, scalar: kind, value, expected } => {
                    let at = Located { space, address, kind };
                    self.atomic(op, at, dst, [value, expected], around)?;
                }
                Micro::Guard { cond } => {
                    let lanes = self.plane(cond)?.lanes() & self.mask.0;
                    self.mask = (lanes, Plane::mask(lanes));
                }
                Micro::Kill { cond } => *around.killed |= self.plane(cond)?.lanes() & self.mask.0,
                Micro::SetEmit(emission) => {
                    each(self.mask.0).for_each(|lane| around.emission[lane] = emission);
                }
                Micro::Emit => {
                    let registers = Registers { layout: &program.layout, arena: &self.arena };
                    for lane in each(self.mask.0 & !*around.killed) {
                        let outputs = LaneView::new(&registers, lane);
                        around.environment.emit(around.emission[lane], outputs)?;
                    }
                }
                Micro::EmitVertex { cond, vertex, stream } => {
                    let [cond, vertex, stream] =
                        [self.plane(cond)?, self.plane(vertex)?, self.plane(stream)?];
                    let (lanes, vertex, stream) = (cond.lanes() & self.mask.0, *vertex, *stream);
                    let registers = Registers { layout: &program.layout, arena: &self.arena };
                    for lane in each(lanes & !*around.killed) {
                        let outputs = LaneView::new(&registers, lane);
                        around.environment.emit_vertex(vertex.0[lane], stream.0[lane], outputs)?;
                    }
                }
                Micro::EndStrip { cond, vertex } => {
                    let lanes = self.plane(cond)?.lanes() & self.mask.0 & !*around.killed;
                    let vertex = *self.plane(vertex)?;
                    each(lanes).try_for_each(|lane| around.environment.end_strip(lane, vertex.0[lane]))?;
                }
                Micro::Barrier if self.mask.0 != 0 => {
                    around.arrived = Some(Arrived::everybody(self.mask.0));
                }
                Micro::Arrive { how, number, threads, vote } if self.mask.0 != 0 => {
                    let arrived = self.arrived(how, [number, threads], vote)?;
                    *around.reduced = Reduced::alone(&arrived, *around.reduced);
                    around.arrived = Some(arrived);
                }
                // No lane passes the guard.
                Micro::Barrier | Micro::Arrive { .. } => {}
                Micro::Reduced { dst } => {
                    let (_, dst) = self.arena.compute(dst)?;
                    *dst = around.reduced.plane();
                }
            }
        }
        Ok(())
    }

    fn combine(&mut self, how: Combination, dst: Computed, a: Wide) -> Result<(), Diagnostic> {
        let (model, active) = (self.program.model, self.mask.0);
        let own = self.arena.sources().planes(a)?;
        let combined = combine(how, model, active, |lane| joined(own, lane));
        let (_, planes) = self.arena.compute_several(dst.first, dst.count())?;
        by_lane(planes, |lane| combined[lane]);
        Ok(())
    }
}
