//! Executes planned operations.

use crate::{
    Access, Environment, LaneView, Machine, Observer, Plane, Progress, Sample, fast,
    micro::{Micro, P, Slow, TexPlan, Wide},
    wave::each,
};
use core::ops::Range;
use shisa_diag::Diagnostic;
use shisa_ir::{Atomic, Axis, Binary, FloatModel, FloatRule, LaneOp, Lanes, Scalar, Sequencer, Space, WAVE};

/// The planner only names planes that exist; this answers for the type system.
#[inline(always)]
fn plane(planes: &[Plane], p: P) -> &Plane {
    planes.get(p as usize).unwrap_or(&Plane::ZERO)
}

/// A component of a lane.
fn wide(planes: &[Plane], at: Wide, lane: usize) -> u64 {
    u64::from(plane(planes, at[0]).get(lane)) | u64::from(plane(planes, at[1]).get(lane)) << 32
}

/// Splits the arena into what lies below scratch plane `dst` and the planes from there on.
#[inline(always)]
fn split(planes: &mut [Plane], dst: P) -> (&[Plane], &mut [Plane]) {
    let (sources, rest) = planes.split_at_mut((dst as usize).min(planes.len()));
    (sources, rest)
}

/// Computes the low and high plane of a result, lane by lane.
fn by_lane(planes: &mut [Plane], dst: P, two: bool, f: impl Fn(&[Plane], usize) -> u64) {
    let (sources, rest) = split(planes, dst);
    for lane in 0..WAVE {
        let bits = f(sources, lane);
        let halves = [bits as u32, (bits >> 32) as u32];
        for (plane, half) in rest.iter_mut().zip(halves).take(1 + usize::from(two)) {
            plane.0[lane] = half;
        }
    }
}

fn slow(model: FloatModel, op: Slow, [a, b, c]: [u64; 3]) -> u64 {
    match op {
        Slow::Unary(op, rule, kind) => model.unary(op, rule, kind, a),
        Slow::Binary(op, rule, kind) => model.binary(op, rule, kind, a, b),
        Slow::Ternary(op, rule, kind) => model.ternary(op, rule, kind, a, b, c),
        Slow::Convert(op, rule, from, to) => model.convert(op, rule, from, to, a),
    }
}

/// Of the two lanes that a lane's derivative is taken between, the second or the first.
fn neighbour(axis: Axis, second: bool, lane: usize) -> usize {
    let bit = match axis {
        Axis::X => 1,
        Axis::Y => 2,
    };
    if second { lane | bit } else { lane & !bit }
}

impl<S: Sequencer> Machine<'_, S> {
    /// Runs a step's operations; some lane is active.
    pub(crate) fn execute<E: Environment, O: Observer<S::State>>(
        &mut self,
        ops: Range<usize>,
        environment: &mut E,
        observer: &mut O,
    ) -> Result<Progress, Diagnostic> {
        let program = self.program;
        let mut progress = Progress::Running;
        for op in program.ops.get(ops).unwrap_or_default() {
            match *op {
                Micro::Fast { op, dst, args } => {
                    let (sources, rest) = split(&mut self.planes, dst);
                    if let Some(dst) = rest.first_mut() {
                        fast::run(op, dst, args.map(|a| plane(sources, a)));
                    }
                }
                Micro::Write { reg, src } => {
                    let new = *plane(&self.planes, src);
                    self.write(reg, &new, observer);
                }
                Micro::WriteHalves { reg, src } => {
                    let word = *plane(&self.planes, src);
                    if O::ACTIVE || self.mask.0 != Lanes::MAX {
                        self.write(reg, &Plane(word.0.map(|w| w & 0xffff)), observer);
                        self.write(reg + 1, &Plane(word.0.map(|w| w >> 16)), observer);
                    } else if let Some([low, high, ..]) = self.planes.get_mut(reg as usize..) {
                        for ((low, high), w) in low.0.iter_mut().zip(&mut high.0).zip(&word.0) {
                            (*low, *high) = (w & 0xffff, w >> 16);
                        }
                    }
                }
                Micro::Slow { op, dst, wide: two, args } => {
                    let model = program.model;
                    by_lane(&mut self.planes, dst, two, |p, lane| {
                        slow(model, op, args.map(|a| wide(p, a, lane)))
                    });
                }
                Micro::Dot { rule, dst, count, a, b } => {
                    let model = program.model;
                    by_lane(&mut self.planes, dst, false, |p, lane| {
                        let [a, b] = [a, b].map(|v| v.map(|v| u64::from(plane(p, v).get(lane))));
                        let all = ..usize::from(count);
                        let (a, b) = (a.get(all).unwrap_or_default(), b.get(all).unwrap_or_default());
                        model.dot(rule, Scalar::F32, a, b)
                    });
                }
                Micro::Gather { dst, first, units, offset, stride, index } => {
                    let (sources, rest) = split(&mut self.planes, dst);
                    let file = sources.get(first as usize..(first + units) as usize).unwrap_or_default();
                    let (index, Some(dst)) = (plane(sources, index), rest.first_mut()) else { continue };
                    for (lane, (dst, index)) in dst.0.iter_mut().zip(index.0).enumerate() {
                        let unit = i64::from(offset) + i64::from(index as i32) * i64::from(stride);
                        let unit = usize::try_from(unit).ok().and_then(|u| file.get(u));
                        *dst = unit.map_or(0, |p| p.0[lane]);
                    }
                }
                Micro::Neighbour { axis, second, dst, a } => {
                    let quads = self.quads;
                    let (sources, rest) = split(&mut self.planes, dst);
                    let (a, Some(dst)) = (plane(sources, a), rest.first_mut()) else { continue };
                    for lane in 0..WAVE {
                        dst.0[lane] = if quads { a.0[neighbour(axis, second, lane)] } else { 0 };
                    }
                }
                Micro::Lane { op, dst, wide: two, a, b } => {
                    let active = self.mask.0;
                    let (sources, rest) = split(&mut self.planes, dst);
                    let b = plane(sources, b);
                    for (dst, a) in rest.iter_mut().zip(a).take(1 + usize::from(two)) {
                        exchange(op, active, dst, plane(sources, a), b);
                    }
                }
                Micro::Texture { dst, sample } => {
                    if let Some(plan) = program.samples.get(sample as usize) {
                        self.sample(dst, plan, environment)?;
                    }
                }
                Micro::TextureStore { sample } => {
                    if let Some(plan) = program.samples.get(sample as usize) {
                        let op = plan.map(|planes| planes.map(|p| plane(&self.planes, p)));
                        let lanes = self.mask.0 & !self.position.killed;
                        let store = Sample { op, quads: self.quads, lanes };
                        if O::ACTIVE {
                            observer.texel(&store);
                        }
                        environment.store_texel(&store)?;
                    }
                }
                Micro::Load { space, dst, address, scalar: kind, count } => {
                    self.load((space, address), dst, kind, count, environment)?;
                }
                Micro::Store { space, address, offset, scalar: kind, value } if !O::ACTIVE => {
                    let mut low = *plane(&self.planes, address[0]);
                    let mut high = *plane(&self.planes, address[1]);
                    if offset != 0 {
                        for (low, high) in low.0.iter_mut().zip(&mut high.0) {
                            let (sum, carry) = low.overflowing_add(offset.into());
                            (*low, *high) = (sum, high.wrapping_add(carry.into()));
                        }
                    }
                    let access = Access {
                        space,
                        lanes: self.mask.0 & !self.position.killed,
                        address: [&low, &high],
                        bytes: size(kind),
                    };
                    environment.store_lanes(&access, value.map(|v| plane(&self.planes, v)))?;
                }
                Micro::Store { space, address, offset, scalar: kind, value } => {
                    for lane in each(self.mask.0 & !self.position.killed) {
                        let address = wide(&self.planes, address, lane).wrapping_add(offset.into());
                        let bytes = wide(&self.planes, value, lane).to_le_bytes();
                        let bytes = bytes.get(..size(kind)).unwrap_or_default();
                        self.store((space, lane, address), bytes, environment, observer)?;
                    }
                }
                Micro::Combine { op, quad, before, start, dst, wide: two, a } => {
                    let (model, active) = (program.model, self.mask.0);
                    let own = plane(&self.planes, a[0]);
                    let words = |next: fn(u32, u32) -> u32| {
                        combine(active, quad, before, start, |lane, sum| {
                            next(sum as u32, own.get(lane)).into()
                        })
                    };
                    let combined = match op {
                        Slow::Binary(Binary::IAdd, _, Scalar::I32) => words(u32::wrapping_add),
                        Slow::Binary(Binary::And, _, Scalar::I16 | Scalar::I32) => words(|a, b| a & b),
                        Slow::Binary(Binary::Or, _, Scalar::I16 | Scalar::I32) => words(|a, b| a | b),
                        Slow::Binary(Binary::Xor, _, Scalar::I16 | Scalar::I32) => words(|a, b| a ^ b),
                        Slow::Binary(Binary::UMin, _, Scalar::I16 | Scalar::I32) => words(u32::min),
                        Slow::Binary(Binary::UMax, _, Scalar::I16 | Scalar::I32) => words(u32::max),
                        Slow::Binary(Binary::SMin, _, Scalar::I32) => {
                            words(|a, b| (a as i32).min(b as i32) as u32)
                        }
                        Slow::Binary(Binary::SMax, _, Scalar::I32) => {
                            words(|a, b| (a as i32).max(b as i32) as u32)
                        }
                        _ => combine(active, quad, before, start, |lane, sum| {
                            slow(model, op, [sum, wide(&self.planes, a, lane), 0])
                        }),
                    };
                    by_lane(&mut self.planes, dst, two, |_, lane| combined.get(lane).copied().unwrap_or(0));
                }
                Micro::Atomic { op, space, address, dst, scalar: kind, value, expected } => {
                    let two = kind.bits() == 64;
                    let mut old = [0; WAVE];
                    for lane in each(self.mask.0 & !self.position.killed) {
                        let [address, value, expected] =
                            [address, value, expected].map(|v| wide(&self.planes, v, lane));
                        let mut bytes = [0; 8];
                        let bytes = bytes.get_mut(..size(kind)).unwrap_or_default();
                        environment.load(space, lane, address, bytes)?;
                        let there = word(bytes);
                        old[lane] = there;
                        let new = match op {
                            Atomic::Combine(op) => slow(
                                program.model,
                                Slow::Binary(op, FloatRule::IEEE, kind),
                                [there, value, 0],
                            ),
                            Atomic::CompareExchange if there != expected => there,
                            Atomic::Exchange | Atomic::CompareExchange => value,
                        };
                        let bytes = new.to_le_bytes();
                        let bytes = bytes.get(..size(kind)).unwrap_or_default();
                        self.store((space, lane, address), bytes, environment, observer)?;
                    }
                    by_lane(&mut self.planes, dst, two, |_, lane| old[lane]);
                }
                Micro::Guard { cond } => {
                    let lanes = plane(&self.planes, cond).lanes() & self.mask.0;
                    self.mask = (lanes, Plane::mask(lanes));
                }
                Micro::Kill { cond } => {
                    self.position.killed |= plane(&self.planes, cond).lanes() & self.mask.0;
                }
                Micro::SetEmit(emission) => {
                    each(self.mask.0).for_each(|lane| self.position.emission[lane] = emission);
                }
                Micro::Emit => {
                    for lane in each(self.mask.0 & !self.position.killed) {
                        let outputs = LaneView { program, planes: &mut self.planes, lane };
                        environment.emit(self.position.emission[lane], outputs)?;
                    }
                }
                Micro::Barrier => progress = Progress::Barrier,
            }
        }
        Ok(progress)
    }

    #[inline]
    fn write<O: Observer<S::State>>(&mut self, reg: P, new: &Plane, observer: &mut O) {
        let (active, mask) = &self.mask;
        let Some(slot) = self.planes.get_mut(reg as usize) else { return };
        let old = O::ACTIVE.then_some(*slot);
        if *active == Lanes::MAX {
            *slot = *new;
        } else {
            slot.blend(new, mask);
        }
        if let Some(old) = old
            && let Some(reg) = self.program.layout.reg(reg)
        {
            observer.write(reg, *active, &old, slot);
        }
    }

    fn sample<E: Environment>(
        &mut self,
        dst: P,
        plan: &TexPlan,
        environment: &mut E,
    ) -> Result<(), Diagnostic> {
        let (sources, rest) = split(&mut self.planes, dst);
        let op = plan.map(|planes| planes.map(|p| plane(sources, p)));
        let sample = Sample { op, quads: self.quads, lanes: self.mask.0 };
        match rest.first_chunk_mut::<4>() {
            Some(texel) => environment.sample(&sample, texel),
            None => Ok(()),
        }
    }

    fn load<E: Environment>(
        &mut self,
        (space, address): (Space, Wide),
        dst: P,
        kind: Scalar,
        count: u8,
        environment: &mut E,
    ) -> Result<(), Diagnostic> {
        let (sources, rest) = split(&mut self.planes, dst);
        let planes_each = 1 + usize::from(kind.bits() == 64);
        let total = planes_each * usize::from(count);
        let rest = rest.get_mut(..total).unwrap_or_default();
        let address = address.map(|a| plane(sources, a));
        let access = Access { space, lanes: self.mask.0, address, bytes: size(kind) };
        environment.load_lanes(&access, rest)?;
        if kind == Scalar::I1 {
            rest.iter_mut().for_each(|plane| plane.0.iter_mut().for_each(|v| *v &= 1));
        }
        Ok(())
    }

    fn store<E: Environment, O: Observer<S::State>>(
        &mut self,
        (space, lane, address): (Space, usize, u64),
        bytes: &[u8],
        environment: &mut E,
        observer: &mut O,
    ) -> Result<(), Diagnostic> {
        if O::ACTIVE {
            let mut old = [0; 8];
            let old = old.get_mut(..bytes.len()).unwrap_or_default();
            environment.load(space, lane, address, old)?;
            observer.store(space, lane, address, old, bytes);
        }
        environment.store(space, lane, address, bytes)
    }
}

/// Combines the values of the active lanes in rising order, of all or of each quad: for every lane all of
/// them, or those before it.
fn combine(
    active: Lanes,
    quad: bool,
    before: bool,
    start: u64,
    next: impl Fn(usize, u64) -> u64,
) -> [u64; WAVE] {
    let group = if quad { 4 } else { WAVE };
    let mut out = [0; WAVE];
    for (g, out) in out.chunks_mut(group).enumerate() {
        let mut sum = start;
        for (i, out) in out.iter_mut().enumerate() {
            let lane = g * group + i;
            *out = sum;
            if active >> lane & 1 != 0 {
                sum = next(lane, sum);
            }
        }
        if !before {
            out.fill(sum);
        }
    }
    out
}

/// What each lane gets of half a value by exchange between lanes.
fn exchange(op: LaneOp, active: Lanes, dst: &mut Plane, a: &Plane, b: &Plane) {
    let votes = a.lanes() & active;
    match op {
        LaneOp::Any => *dst = Plane::splat((votes != 0).into()),
        LaneOp::All => *dst = Plane::splat((votes == active).into()),
        LaneOp::Ballot => *dst = Plane::splat(votes),
        LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch => {
            let there = if op == LaneOp::Fetch { Lanes::MAX } else { active };
            for (lane, dst) in dst.0.iter_mut().enumerate() {
                let other = b.0[lane] ^ if op == LaneOp::ShuffleXor { lane as u32 } else { 0 };
                *dst = a.get(source(there, lane, other));
            }
        }
        LaneOp::QuadOr => {
            for (dst, a) in dst.0.chunks_exact_mut(4).zip(a.0.chunks_exact(4)) {
                dst.fill(a.iter().fold(0, |bits, v| bits | v));
            }
        }
    }
}

/// The number that some bytes, at most eight, are.
pub(crate) fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.iter_mut().zip(bytes).for_each(|(w, b)| *w = *b);
    u64::from_le_bytes(word)
}

/// Bytes of a component in memory.
fn size(kind: Scalar) -> usize {
    usize::from(kind.bits().div_ceil(8))
}

/// The lane that a shuffle takes from: its own where the other is not there.
fn source(active: Lanes, lane: usize, other: u32) -> usize {
    let there = other < WAVE as u32 && active >> other & 1 != 0;
    if there { other as usize } else { lane }
}
