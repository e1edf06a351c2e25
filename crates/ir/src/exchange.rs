//! Cross-lane operations lowered to the shared memory of a workgroup.

use crate::*;
use alloc::{collections::BTreeMap, format, vec, vec::Vec};
use shisa_diag::Diagnostic;

/// The workgroup whose lanes exchange values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workgroup {
    /// The `i32` input that holds the lane's number in its workgroup; 32 consecutive lanes are a wave.
    pub index: Reg,
    /// Number of lanes in the workgroup.
    pub lanes: u32,
    /// Bytes of shared memory that the program itself uses.
    pub shared: u32,
}

/// Lowers cross-lane operations to loads and stores of shared memory, for targets that do not state how many lanes they
/// run together: each lane stores its value, all lanes wait at a barrier, and each lane loads what it needs. Returns
/// the number of bytes of shared memory that the function then uses.
///
/// Runs after [`registers_to_values`] and before [`narrow`].
///
/// # Errors
/// `exchange-divergent` if a cross-lane operation is in control flow that not every lane of the workgroup reaches,
/// since all lanes must wait at the barrier; `exchange-kind` for vectors of 64-bit components; `exchange-memory` if the
/// workgroup is so large that shared memory has no room for a value of each lane.
pub fn exchange(func: &mut Func, workgroup: Workgroup) -> Result<u32, Diagnostic> {
    let all = func.blocks.iter().flat_map(|b| &b.body).filter_map(|v| given(&func.nodes, *v));
    let bytes = |ty: Type| u32::from(ty.count) * u32::from(ty.scalar.bits()).div_ceil(32) * 4;
    let Some(slot) = all.map(|a| bytes(func.nodes.ty(a))).max() else { return Ok(workgroup.shared) };
    let together = match workgroup.lanes > WAVE as u32 {
        true => Uniformity::of_workgroup(func),
        false => Uniformity::of(func),
    };
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
    let mut pass = Exchange {
        func,
        workgroup,
        area,
        slot,
        replaced: BTreeMap::new(),
        at: BlockId(0),
        body: Vec::new(),
        stored: None,
        read: false,
        origin: 0,
    };
    for b in 0..pass.func.blocks.len() {
        let id = BlockId(b as u32);
        let nodes = &pass.func.nodes;
        if let Some(v) = pass.func.blocks[b].body.iter().find(|v| given(nodes, **v).is_some())
            && !together.block(id)
        {
            let origin = pass.func.nodes.list[v.index()].origin;
            let text =
                "a cross-lane operation is in control flow that not every lane of the workgroup reaches";
            return Err(Diagnostic::error("exchange-divergent", text)
                .note(format!("instruction {origin}"))
                .note(
                    "it becomes shared memory plus a workgroup barrier, which all lanes of the workgroup must execute",
                ));
        }
        pass.block(id)?;
    }
    let Exchange { func, replaced, .. } = pass;
    func.rename(|v| replaced.get(&v).copied().unwrap_or(v));
    Ok(all)
}

/// The value that a lane contributes to a cross-lane operation.
fn given(nodes: &Nodes, v: Value) -> Option<Value> {
    match nodes.op(v) {
        Op::Lane { a, .. } | Op::Combine { a, .. } => Some(a),
        _ => None,
    }
}

struct Exchange<'a> {
    func: &'a mut Func,
    workgroup: Workgroup,
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
    origin: u32,
}

impl Exchange<'_> {
    fn block(&mut self, id: BlockId) -> Result<(), Diagnostic> {
        let old = core::mem::take(&mut self.func.blocks[id.index()].body);
        let end = core::mem::replace(&mut self.func.blocks[id.index()].end, End::Exit);
        (self.at, self.stored, self.read) = (id, None, id.0 != 0);
        for v in old {
            let node = self.func.nodes.list[v.index()];
            self.origin = node.origin;
            let made = match node.op {
                Op::Lane { op, a, b } => self.lane(op, a, b)?,
                Op::Combine { combine, rule, a } => self.combine(combine, rule, a)?,
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

    /// Stores the value of every lane in the lane's slot, where all lanes can load it.
    fn give(&mut self, a: Value) -> Result<(), Diagnostic> {
        if self.stored == Some(a) {
            return Ok(());
        }
        let ty = self.func.nodes.ty(a);
        if ty.scalar.bits() == 64 && ty.count > 1 {
            let text = "vectors of 64-bit components cannot be exchanged between lanes";
            return Err(Diagnostic::error("exchange-kind", text).note(format!("instruction {}", self.origin)));
        }
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

    /// The value stored by the lane with this number in the workgroup.
    fn take(&mut self, lane: Value, ty: Type) -> Value {
        let place = self.slot(lane);
        self.build(|b| value(b, place, ty))
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
                self.fold(none, |pass, i, votes| {
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
                self.fold(start, |pass, i, all| {
                    let lane = pass.build(|b| b.iadd(first, i));
                    let v = pass.take_or(lane, ty, start);
                    pass.build(|b| b.binary(op, all, v))
                })
            }
        })
    }

    fn combine(&mut self, combine: Combine, rule: FloatRule, a: Value) -> Result<Value, Diagnostic> {
        let ty = self.func.nodes.ty(a);
        self.give(a)?;
        let neutral = Combine::neutral(combine.op, ty.scalar).unwrap_or(0);
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
            return Ok(self.fold(neutral, step));
        }
        let mut all = neutral;
        for i in 0..4 {
            let i = self.build(|b| b.i32(i));
            all = step(self, i, all);
        }
        Ok(all)
    }

    /// Folds `step` over the lanes of the wave, counted from 0, beginning with `start`.
    fn fold(&mut self, start: Value, step: impl FnOnce(&mut Self, Value, Value) -> Value) -> Value {
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
        let last = self.workgroup.lanes.min(WAVE as u32);
        let (i, more) = self.build(|b| {
            let (one, last) = (b.i32(1), b.i32(last as i32));
            let i = b.iadd(i, one);
            (i, b.ult(i, last))
        });
        let (yes, no) = (Edge { to: turn, args: vec![i, all] }, Edge { to: behind, args: vec![all] });
        self.close(End::Branch { cond: more, yes, no });
        self.at = behind;
        result
    }
}

/// A value as 32-bit words.
fn words(b: &mut Builder<'_>, a: Value) -> Value {
    match b.ty(a).scalar {
        Scalar::I32 | Scalar::F32 => a,
        Scalar::I64 | Scalar::F64 => {
            let bits =
                if b.ty(a).scalar == Scalar::F64 { b.convert(Convert::Bits, a, Scalar::I64) } else { a };
            b.push(Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a: bits }, Scalar::I32.by(2))
        }
        Scalar::F16 => {
            let bits = b.convert(Convert::Bits, a, Scalar::I16);
            b.convert(Convert::ZeroExtend, bits, Scalar::I32)
        }
        _ => b.convert(Convert::ZeroExtend, a, Scalar::I32),
    }
}

/// The value that is stored at an address as 32-bit words.
fn value(b: &mut Builder<'_>, place: Value, ty: Type) -> Value {
    let load = |b: &mut Builder<'_>, ty| b.load(Space::Shared, place, ty);
    match ty.scalar {
        Scalar::I32 | Scalar::F32 => load(b, ty),
        Scalar::I64 | Scalar::F64 => {
            let two = load(b, Scalar::I32.by(2));
            let whole = b.pair(two, Scalar::I64);
            if ty.scalar == Scalar::F64 { b.convert(Convert::Bits, whole, Scalar::F64) } else { whole }
        }
        Scalar::F16 => {
            let word = load(b, Scalar::I32.by(ty.count));
            let bits = b.convert(Convert::Truncate, word, Scalar::I16);
            b.convert(Convert::Bits, bits, Scalar::F16)
        }
        _ => {
            let word = load(b, Scalar::I32.by(ty.count));
            b.convert(Convert::Truncate, word, ty.scalar)
        }
    }
}
