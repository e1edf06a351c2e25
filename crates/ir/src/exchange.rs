//! Cross-lane operations lowered to the shared memory of a workgroup.

mod slots;
#[cfg(test)]
mod tests;

use crate::*;
use alloc::{collections::BTreeMap, format, vec, vec::Vec};
use shisa_diag::Diagnostic;
use slots::{value, words, words_type};

/// The workgroup whose lanes exchange values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workgroup {
    /// The `i32` input that holds the lane's number in its workgroup; 32 consecutive lanes are a wave.
    pub index: Reg,
    /// Number of lanes in the workgroup.
    pub lanes: u32,
    /// Bytes of shared memory that the program itself uses.
    pub shared: u32,
    /// Whether the target runs each wave as a subgroup, in which lane n is the wave's lane n.
    pub subgroups: bool,
}

impl Workgroup {
    /// Whether subgroups carry the exchange: all waves must be full.
    pub const fn is_native(&self) -> bool {
        self.subgroups && self.lanes.is_multiple_of(WAVE as u32)
    }
}

/// Lowers cross-lane operations to loads and stores of shared memory, for targets that do not state how many lanes they
/// run together: each lane stores its value, all lanes wait at a barrier, and each lane loads what it needs. Returns
/// the number of bytes of shared memory that the function then uses.
///
/// With [`Workgroup::subgroups`], if waves are full, nothing is stored: what remains is [`LaneOp::Any`], [`LaneOp::All`],
/// [`LaneOp::Ballot`], and [`LaneOp::Fetch`] of a scalar of 32 bits from a lane below 32. Votes of a whole workgroup still
/// need shared memory.
///
/// An [`Op::Arrive`] of all threads that has a result is lowered, too: an [`Op::Reduced`] after it in the same block is its
/// result.
///
/// Runs after [`registers_to_values`] and before [`narrow`].
///
/// # Errors
/// `exchange-divergent` if a cross-lane operation is in control flow that not every lane of the workgroup reaches,
/// since all lanes must wait at the barrier, or with subgroups that not every lane of the wave reaches; `exchange-kind` for vectors of 64-bit components; `exchange-memory` if the
/// workgroup is so large that shared memory has no room for a value of each lane.
pub fn exchange(func: &mut Func, workgroup: Workgroup) -> Result<u32, Diagnostic> {
    let native = workgroup.is_native();
    let all = func.blocks.iter().flat_map(|b| &b.body).filter_map(|v| {
        let given = given(&func.nodes, *v)?;
        Some((given, !native || matches!(func.nodes.op(*v), Op::Arrive { .. })))
    });
    let bytes = |ty: Type| u32::from(ty.count) * u32::from(ty.scalar.bits()).div_ceil(32) * 4;
    let needed = all.map(|(a, stored)| if stored { bytes(func.nodes.ty(a)) } else { 0 });
    let Some(slot) = needed.max() else { return Ok(workgroup.shared) };
    let waves = workgroup.lanes > WAVE as u32;
    let of_workgroup = waves.then(|| Uniformity::of_workgroup(func));
    let of_wave = (native || !waves).then(|| Uniformity::of(func));
    let area = u64::from(workgroup.shared).next_multiple_of(4);
    let slots = u64::from(workgroup.lanes).next_multiple_of(WAVE as u64) * u64::from(slot);
    let (Ok(area), Ok(all)) = (u32::try_from(area), u32::try_from(area + slots)) else {
        let text = format!(
            "the lanes of a workgroup exchange values through {} bytes of shared memory",
            area + slots
        );
        return Err(Diagnostic::error("exchange-memory", text)
            .note(format!("addresses of shared memory reach {} bytes", u32::MAX)));
    };
    // Waves that exchange nothing through memory do not need more of it.
    let all = if slot == 0 { workgroup.shared } else { all };
    let mut pass = Exchange {
        func,
        workgroup,
        native,
        given: Value(0),
        area,
        slot,
        replaced: BTreeMap::new(),
        at: BlockId(0),
        body: Vec::new(),
        stored: None,
        read: false,
        arrived: None,
        origin: 0,
    };
    for b in 0..pass.func.blocks.len() {
        let id = BlockId(b as u32);
        let nodes = &pass.func.nodes;
        let reached = |u: &Option<Uniformity>| u.as_ref().is_none_or(|u| u.block(id));
        let apart = pass.func.blocks[b].body.iter().find(|v| {
            let in_wave = native && !matches!(nodes.op(**v), Op::Arrive { .. });
            given(nodes, **v).is_some() && !(reached(&of_wave) && (in_wave || reached(&of_workgroup)))
        });
        if let Some(v) = apart {
            return Err(divergent(nodes, *v, native));
        }
        pass.block(id)?;
    }
    let Exchange { func, replaced, .. } = pass;
    func.rename(|v| replaced.get(&v).copied().unwrap_or(v));
    Ok(all)
}

/// The error for a cross-lane operation that only some lanes may reach.
fn divergent(nodes: &Nodes, v: Value, native: bool) -> Diagnostic {
    let in_wave = native && !matches!(nodes.op(v), Op::Arrive { .. });
    let (whole, why) = match in_wave {
        true => ("wave", "languages leave open which lanes of a subgroup are active after lanes diverge"),
        false => (
            "workgroup",
            "it becomes shared memory plus a workgroup barrier, which all lanes of the workgroup must execute",
        ),
    };
    let text =
        format!("a cross-lane operation is in control flow that not every lane of the {whole} reaches");
    let origin = nodes.list[v.index()].origin;
    Diagnostic::error("exchange-divergent", text).note(format!("instruction {origin}")).note(why)
}

/// The value that a lane contributes to a cross-lane operation.
fn given(nodes: &Nodes, v: Value) -> Option<Value> {
    match nodes.op(v) {
        Op::Lane { a, .. } | Op::Combine { a, .. } => Some(a),
        Op::Arrive {
            how: Arrival::Count | Arrival::All | Arrival::Any | Arrival::Before,
            threads,
            vote,
            ..
        } => (nodes.op(threads) == Op::Const(0)).then_some(vote),
        _ => None,
    }
}

struct Exchange<'a> {
    func: &'a mut Func,
    workgroup: Workgroup,
    /// Whether subgroups carry the exchange.
    native: bool,
    /// The value that lanes of a subgroup exchange.
    given: Value,
    /// Byte address of the first lane's slot.
    area: u32,
    /// Size of a slot in bytes.
    slot: u32,
    replaced: BTreeMap<Value, Value>,
    /// The block that is being filled, and its contents so far.
    at: BlockId,
    body: Vec<Value>,
    /// The value that the slots currently hold.
    stored: Option<Value>,
    /// Whether lanes may still be reading the slots.
    read: bool,
    /// The result of the latest arrival in the block.
    arrived: Option<Value>,
    origin: u32,
}

impl Exchange<'_> {
    fn block(&mut self, id: BlockId) -> Result<(), Diagnostic> {
        let old = core::mem::take(&mut self.func.blocks[id.index()].body);
        let end = core::mem::replace(&mut self.func.blocks[id.index()].end, End::Exit);
        (self.at, self.stored, self.read, self.arrived) = (id, None, id.0 != 0, None);
        for v in old {
            let node = self.func.nodes.list[v.index()];
            self.origin = node.origin;
            let made = match node.op {
                Op::Lane { op: LaneOp::Any | LaneOp::All | LaneOp::Ballot, .. } if self.native => {
                    self.body.push(v);
                    continue;
                }
                Op::Lane { op, a, b } => self.lane(op, a, b)?,
                Op::Combine { combine, rule, a } => self.combine(combine, rule, a)?,
                Op::Arrive { how, .. } if given(&self.func.nodes, v).is_some() => {
                    self.arrived =
                        given(&self.func.nodes, v).map(|vote| self.arrive(how, vote)).transpose()?;
                    continue;
                }
                Op::Reduced if self.arrived.is_some() => self.arrived.unwrap_or(v),
                _ => {
                    self.body.push(v);
                    continue;
                }
            };
            self.replaced.insert(v, made);
        }
        self.close(end);
        Ok(())
    }

    /// Ends the block that is being filled.
    fn close(&mut self, end: End) {
        let block = &mut self.func.blocks[self.at.index()];
        block.body = core::mem::take(&mut self.body);
        block.end = end;
    }

    fn build<T>(&mut self, f: impl FnOnce(&mut Builder<'_>) -> T) -> T {
        let start = self.func.nodes.list.len() as u32;
        let made = f(&mut Builder::new(&mut self.func.nodes, self.origin));
        self.body.extend((start..self.func.nodes.list.len() as u32).map(Value));
        made
    }

    fn index(&mut self) -> Value {
        let index = self.workgroup.index;
        self.build(|b| b.read(index, Swizzle::IDENTITY, Type::I32))
    }

    /// The number of the first lane in the lane's group of `lanes` lanes (a power of two), and the lane's index in the
    /// group.
    fn group(&mut self, lanes: u32) -> (Value, Value) {
        let index = self.index();
        self.build(|b| {
            let (upper, lower) = (b.i32(-(lanes as i32)), b.i32(lanes as i32 - 1));
            (b.and(index, upper), b.and(index, lower))
        })
    }

    /// Byte address of a lane's slot.
    fn slot(&mut self, lane: Value) -> Value {
        let (area, slot) = (self.area, self.slot);
        self.build(|b| {
            let (area, slot) = (b.i32(area as i32), b.i32(slot as i32));
            let offset = b.imul(lane, slot);
            b.iadd(offset, area)
        })
    }

    /// Makes the value of every lane available to all lanes.
    fn give(&mut self, a: Value) -> Result<(), Diagnostic> {
        if !self.native {
            return self.store(a);
        }
        self.given = a;
        self.carried(a)
    }

    fn carried(&self, a: Value) -> Result<(), Diagnostic> {
        let ty = self.func.nodes.ty(a);
        if ty.scalar.bits() == 64 && ty.count > 1 {
            let text = "vectors of 64-bit components cannot be exchanged between lanes";
            return Err(Diagnostic::error("exchange-kind", text).note(format!("instruction {}", self.origin)));
        }
        Ok(())
    }

    /// Stores the value of every lane in the lane's slot, where all lanes can load it.
    fn store(&mut self, a: Value) -> Result<(), Diagnostic> {
        if self.stored == Some(a) {
            return Ok(());
        }
        self.carried(a)?;
        if self.read {
            self.build(|b| b.push(Op::Barrier, Type::NONE));
        }
        let index = self.index();
        let place = self.slot(index);
        self.build(|b| {
            let words = words(b, a);
            b.store(Space::Shared, place, words);
            b.push(Op::Barrier, Type::NONE);
        });
        (self.stored, self.read) = (Some(a), true);
        Ok(())
    }

    /// The value given by the lane with this number in the workgroup.
    fn take(&mut self, lane: Value, ty: Type) -> Value {
        if self.native { self.fetch(self.given, lane) } else { self.load(lane, ty) }
    }

    /// The value stored by the lane with this number in the workgroup.
    fn load(&mut self, lane: Value, ty: Type) -> Value {
        let place = self.slot(lane);
        self.build(|b| value(b, ty, |b, words| b.load(Space::Shared, place, words)))
    }

    /// The value of the lane of the wave that has this number in the workgroup.
    fn fetch(&mut self, a: Value, lane: Value) -> Value {
        self.build(|b| {
            let last = b.i32(WAVE as i32 - 1);
            let lane = b.and(lane, last);
            let ty = b.ty(a);
            let words = words(b, a);
            let parts: Vec<Value> = (0..words_type(ty).count)
                .map(|i| {
                    let a = b.component(words, i);
                    let ty = b.ty(a);
                    b.push(Op::Lane { op: LaneOp::Fetch, a, b: lane }, ty)
                })
                .collect();
            let words = b.join(&parts);
            value(b, ty, |_, _| words)
        })
    }

    /// The integers of lanes of a subgroup, combined in pairs, then in pairs of pairs, and so on. Their order does not matter.
    fn combine_pairs(&mut self, combine: Combine, rule: FloatRule, mut all: Value) -> Value {
        let index = self.index();
        let distances = if combine.quad { [1, 2].as_slice() } else { &[1, 2, 4, 8, 16] };
        for distance in distances {
            let other = self.build(|b| {
                let distance = b.i32(*distance);
                b.xor(index, distance)
            });
            let other = self.fetch(all, other);
            all = self.build(|b| {
                b.rule = rule;
                b.binary(combine.op, all, other)
            });
        }
        all
    }

    /// As [`Self::take`]; `none` for lanes that the workgroup does not have.
    fn take_or(&mut self, lane: Value, ty: Type, none: Value) -> Value {
        let v = self.take(lane, ty);
        let lanes = self.workgroup.lanes;
        if lanes.is_multiple_of(WAVE as u32) {
            return v;
        }
        self.build(|b| {
            let lanes = b.i32(lanes as i32);
            let there = b.ult(lane, lanes);
            b.select(there, v, none)
        })
    }

    fn lane(&mut self, op: LaneOp, a: Value, by: Value) -> Result<Value, Diagnostic> {
        let ty = self.func.nodes.ty(a);
        self.give(a)?;
        let (first, own) = self.group(WAVE as u32);
        let lanes = self.workgroup.lanes;
        Ok(match op {
            LaneOp::Shuffle | LaneOp::Fetch | LaneOp::ShuffleXor => {
                let index = self.index();
                let other = self.build(|b| {
                    let other = if op == LaneOp::ShuffleXor { b.xor(own, by) } else { by };
                    let wave = b.i32(WAVE as i32);
                    let mut there = b.ult(other, wave);
                    let number = b.iadd(first, other);
                    if !lanes.is_multiple_of(WAVE as u32) {
                        let lanes = b.i32(lanes as i32);
                        let within = b.ult(number, lanes);
                        there = b.and(there, within);
                    }
                    b.select(there, number, index)
                });
                self.take(other, ty)
            }
            LaneOp::QuadOr => {
                let (first, _) = self.group(4);
                let none = self.build(|b| b.constant(ty, 0));
                let mut all = none;
                for i in 0..4 {
                    let lane = self.build(|b| {
                        let i = b.i32(i);
                        b.iadd(first, i)
                    });
                    let v = self.take_or(lane, ty, none);
                    all = self.build(|b| b.or(all, v));
                }
                all
            }
            LaneOp::Ballot => {
                let none = self.build(|b| b.i32(0));
                self.fold(none, lanes.min(WAVE as u32), |pass, i, votes| {
                    let lane = pass.build(|b| b.iadd(first, i));
                    let no = pass.build(|b| b.constant(ty, 0));
                    let vote = pass.take_or(lane, ty, no);
                    pass.build(|b| {
                        let vote = b.convert(Convert::ZeroExtend, vote, Scalar::I32);
                        let vote = b.shl(vote, i);
                        b.or(votes, vote)
                    })
                })
            }
            LaneOp::Any | LaneOp::All => {
                let (op, start) = if op == LaneOp::Any { (Binary::Or, 0) } else { (Binary::And, 1) };
                let start = self.build(|b| b.constant(ty, start));
                self.fold(start, lanes.min(WAVE as u32), |pass, i, all| {
                    let lane = pass.build(|b| b.iadd(first, i));
                    let v = pass.take_or(lane, ty, start);
                    pass.build(|b| b.binary(op, all, v))
                })
            }
        })
    }

    /// The result of an arrival of all threads of the workgroup.
    fn arrive(&mut self, how: Arrival, vote: Value) -> Result<Value, Diagnostic> {
        // Every arrival waits, also for lanes that have read the votes of the one before.
        self.stored = None;
        self.store(vote)?;
        let (zero, own) = (self.build(|b| b.i32(0)), self.index());
        let lanes = self.workgroup.lanes;
        let count = self.fold(zero, lanes, |pass, i, count| {
            let vote = pass.load(i, Type::BOOL);
            pass.build(|b| {
                let mut vote = b.convert(Convert::ZeroExtend, vote, Scalar::I32);
                if how == Arrival::Before {
                    let before = b.ult(i, own);
                    vote = b.select(before, vote, zero);
                }
                b.iadd(count, vote)
            })
        });
        let truth = |b: &mut Builder<'_>, truth| b.convert(Convert::ZeroExtend, truth, Scalar::I32);
        Ok(self.build(|b| match how {
            Arrival::All => {
                let all = b.i32(lanes as i32);
                let all = b.ieq(count, all);
                truth(b, all)
            }
            Arrival::Any => {
                let any = b.ine(count, zero);
                truth(b, any)
            }
            _ => count,
        }))
    }

    fn combine(&mut self, combine: Combine, rule: FloatRule, a: Value) -> Result<Value, Diagnostic> {
        let ty = self.func.nodes.ty(a);
        self.give(a)?;
        if self.native && !combine.before && !ty.scalar.is_float() {
            return Ok(self.combine_pairs(combine, rule, a));
        }
        let neutral = Combine::neutral(combine.op, ty.scalar).ok_or_else(|| {
            let text = format!("lanes combine {ty} by an operation that has no neutral value");
            Diagnostic::internal("internal-exchange", text)
        })?;
        let neutral = self.build(|b| b.constant(ty, neutral));
        let (first, own) = self.group(if combine.quad { 4 } else { WAVE as u32 });
        let step = |pass: &mut Self, i: Value, all: Value| {
            let lane = pass.build(|b| b.iadd(first, i));
            let v = pass.take_or(lane, ty, neutral);
            pass.build(|b| {
                let mut v = v;
                if combine.before {
                    let before = b.ult(i, own);
                    v = b.select(before, v, neutral);
                }
                b.rule = rule;
                b.binary(combine.op, all, v)
            })
        };
        if !combine.quad {
            let lanes = self.workgroup.lanes.min(WAVE as u32);
            return Ok(self.fold(neutral, lanes, step));
        }
        let mut all = neutral;
        for i in 0..4 {
            let i = self.build(|b| b.i32(i));
            all = step(self, i, all);
        }
        Ok(all)
    }

    /// Folds `step` over `lanes` lanes, counted from 0, beginning with `start`.
    fn fold(
        &mut self,
        start: Value,
        lanes: u32,
        step: impl FnOnce(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let ty = self.func.nodes.ty(start);
        let [turn, behind] = [0, 1].map(|i| BlockId((self.func.blocks.len() + i) as u32));
        let param = |pass: &mut Self, ty| pass.func.nodes.push(Op::Param, ty, pass.origin);
        let (i, all, result) = (param(self, Type::I32), param(self, ty), param(self, ty));
        for params in [vec![i, all], vec![result]] {
            self.func.blocks.push(Block { params, body: Vec::new(), end: End::Exit });
        }
        let zero = self.build(|b| b.i32(0));
        self.close(End::Jump(Edge { to: turn, args: vec![zero, start] }));
        self.at = turn;
        let all = step(self, i, all);
        let (i, more) = self.build(|b| {
            let (one, last) = (b.i32(1), b.i32(lanes as i32));
            let i = b.iadd(i, one);
            (i, b.ult(i, last))
        });
        let (yes, no) = (Edge { to: turn, args: vec![i, all] }, Edge { to: behind, args: vec![all] });
        self.close(End::Branch { cond: more, yes, no });
        self.at = behind;
        result
    }
}
