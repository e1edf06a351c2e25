//! `setemit` and `emit` as moves of registers.
//!
//! `emit` copies the outputs to the chosen vertex slot. A triangle is complete where `setemit` said so: slots 0, 1, 2, the
//! first two exchanged if it is inverted. After this pass an [`Op::Emit`] outputs one vertex, and every three are a
//! triangle.

use super::meaning::Output;
use super::{EMISSION, SLOTS, build};
use crate::OUTPUTS;
use alloc::{collections::BTreeSet, vec::Vec};
use shisa_ir::{Block, BlockId, Builder, Edge, End, Func, Mask, Op, Reg, Scalar, Swizzle, Type, Value};

/// Units of an image of all outputs.
const IMAGE: u16 = 64;

/// Lowers every `setemit` and `emit`.
pub(super) fn lower(func: &mut Func, outputs: &[Output]) {
    let registers: Vec<u16> =
        outputs.iter().flat_map(Output::registers).collect::<BTreeSet<u16>>().into_iter().collect();
    for id in 0..func.blocks.len() {
        let old = core::mem::take(&mut func.blocks[id].body);
        let mut at = id;
        for v in old {
            let node = func.nodes.list[v.index()];
            match node.op {
                Op::SetEmit { vertex, primitive, flip } => {
                    build(&mut func.nodes, node.origin, &mut func.blocks[at].body, |b| {
                        let said = [vertex.into(), u64::from(primitive), u64::from(flip)];
                        for (bits, unit) in said.into_iter().zip(0..) {
                            let value = b.constant(Type::I32, bits);
                            b.write(Reg::new(EMISSION, unit), Mask::first(1), value);
                        }
                    });
                }
                Op::Emit => at = emit(func, at, node.origin, &registers, outputs),
                _ => func.blocks[at].body.push(v),
            }
        }
    }
}

/// Appends an `emit` to a block; returns the block that continues after it.
fn emit(func: &mut Func, at: usize, origin: u32, registers: &[u16], outputs: &[Output]) -> usize {
    let block = &mut func.blocks[at];
    let complete = build(&mut func.nodes, origin, &mut block.body, |b| {
        let [vertex, complete] = [0, 1].map(|n| said(b, n));
        for slot in 0..3 {
            let n = b.i32(slot.into());
            let chosen = b.ieq(vertex, n);
            for &register in registers {
                let (new, old) =
                    (vector(b, Reg::new(OUTPUTS, 4 * register)), vector(b, image(slot, register)));
                let value = b.select(chosen, new, old);
                b.write(image(slot, register), Mask::ALL, value);
            }
        }
        let zero = b.i32(0);
        b.ine(complete, zero)
    });
    let (triangle, behind) = (func.blocks.len(), func.blocks.len() + 1);
    let branch = End::Branch {
        cond: complete,
        yes: Edge::to(BlockId(triangle as u32)),
        no: Edge::to(BlockId(behind as u32)),
    };
    let end = core::mem::replace(&mut func.blocks[at].end, branch);
    let mut body = Vec::new();
    build(&mut func.nodes, origin, &mut body, |b| {
        let (flip, zero) = (said(b, 2), b.i32(0));
        let turned = b.ine(flip, zero);
        for vertex in 0..3 {
            for output in outputs {
                let mut value = output.value(b, SLOTS, IMAGE * vertex);
                if vertex < 2 {
                    let exchanged = output.value(b, SLOTS, IMAGE * (1 - vertex));
                    value = b.select(turned, exchanged, value);
                }
                b.write(output.io.reg, Mask::first(output.io.count), value);
            }
            b.push(Op::Emit, Type::NONE);
        }
    });
    let goes_on = End::Jump(Edge::to(BlockId(behind as u32)));
    func.blocks.push(Block { params: Vec::new(), body, end: goes_on });
    func.blocks.push(Block { params: Vec::new(), body: Vec::new(), end });
    behind
}

/// Where a slot keeps an output register.
const fn image(slot: u16, register: u16) -> Reg {
    Reg::new(SLOTS, IMAGE * slot + 4 * register)
}

fn vector(b: &mut Builder<'_>, reg: Reg) -> Value {
    b.read(reg, Swizzle::IDENTITY, Scalar::F32.by(4))
}

/// A part of what the last `setemit` said.
fn said(b: &mut Builder<'_>, part: u16) -> Value {
    b.read(Reg::new(EMISSION, part), Swizzle::IDENTITY, Type::I32)
}
