//! State registers that the program itself loads: resolves which texture or sampler each refers to at each use.

use super::first;
use crate::registers::{BOUND, STATES};
use alloc::collections::{BTreeMap, BTreeSet};
use shisa_ir::{
    FileId, Func, Mask, Nodes, Op, Reg, SamplerRef, Scalar, Space, Swizzle, TexOp, TextureRef, Value,
};

/// States that textures can have; those of samplers follow.
const TEXTURES: u16 = 256;

/// The register with the address of a state's descriptor.
const fn register(file: FileId, state: u16) -> Reg {
    Reg::new(file, 2 * state)
}

/// Converts states that the program loads to registers, and textures and samplers with their numbers to handles: the
/// contents of those registers. Returns whether there are any.
///
/// Runs after a first folding of constants, since a register may hold the number of a texture.
pub(super) fn load(func: &mut Func) -> bool {
    let nodes = &func.nodes;
    let loaded: BTreeMap<Value, u16> = func
        .blocks
        .iter()
        .flat_map(|b| &b.body)
        .filter_map(|&v| match nodes.op(v) {
            Op::Store { space: Space::States, address, .. } => {
                Some((v, u16::try_from(constant(nodes, address)? / 8).ok()?))
            }
            _ => None,
        })
        .collect();
    let states: BTreeSet<u16> = loaded.values().copied().collect();
    if states.is_empty() {
        return false;
    }
    func.rewrite(|b, v| {
        let n = match b.nodes.op(v) {
            Op::Store { value, .. } => {
                b.write(register(STATES, *loaded.get(&v)?), Mask::first(1), value);
                return Some(value);
            }
            Op::Texture(n) | Op::TextureStore(n) | Op::TextureAtomic(n) => n as usize,
            _ => return None,
        };
        let [texture, sampler] = named(b.nodes, &b.nodes.textures[n]).map(|state| {
            let state = state.filter(|state| states.contains(state))?;
            Some(b.read(register(STATES, state), Swizzle::IDENTITY, Scalar::I64.by(1)))
        });
        let op = &mut b.nodes.textures[n];
        op.texture = texture.map_or(op.texture, TextureRef::Handle);
        op.sampler = sampler.map_or(op.sampler, SamplerRef::Handle);
        None
    });
    first(func, |b| {
        for state in states {
            let v = b.read(register(BOUND, state), Swizzle::IDENTITY, Scalar::I64.by(1));
            b.write(register(STATES, state), Mask::first(1), v);
        }
    });
    true
}

/// The states of the texture and of the sampler that an operation has by their numbers.
fn named(nodes: &Nodes, op: &TexOp) -> [Option<u16>; 2] {
    let texture = match op.texture {
        TextureRef::Unit(n) => Some(n),
        TextureRef::Numbered(v) => constant(nodes, v).and_then(|n| u16::try_from(n).ok()),
        TextureRef::Handle(_) => None,
    };
    let sampler = match op.sampler {
        SamplerRef::Unit(n) => Some(TEXTURES + n),
        _ => None,
    };
    [texture.filter(|n| *n < TEXTURES), sampler]
}

fn constant(nodes: &Nodes, v: Value) -> Option<u64> {
    match nodes.op(v) {
        Op::Const(n) => Some(n),
        _ => None,
    }
}

/// The number of a texture or sampler whose handle is that of the state that the host has bound.
pub(super) fn bound(nodes: &Nodes, handle: Value) -> Option<u16> {
    match nodes.op(handle) {
        Op::Read { reg, .. } if reg.file == BOUND => Some(reg.unit / 2 % TEXTURES),
        _ => None,
    }
}
