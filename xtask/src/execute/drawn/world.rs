//! The made-up environment of programs.

use shisa::Lowered;
use shisa::ir::{FileKind, Func, Op, Space, Ternary, Value};
use std::collections::BTreeSet;

/// How memory and uniforms are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Filling {
    /// Numbers near one everywhere, except where the program reads addresses.
    Numbers,
    /// The same, but memory has addresses, too.
    Addresses,
    Zeros,
}

impl Filling {
    pub(super) const ALL: [Filling; 3] = [Filling::Numbers, Filling::Addresses, Filling::Zeros];
}

/// Size in bytes of all uniforms, and of memory.
const UNIFORMS: usize = 1024;
const MEMORY: usize = 1 << 17;

/// A hash: the same result for the same `n`, without a pattern.
pub(super) fn scattered(n: u32) -> u32 {
    let n = (n ^ 0x9e37_79b9).wrapping_mul(0x85eb_ca6b);
    let n = (n ^ n >> 13).wrapping_mul(0xc2b2_ae35);
    n ^ n >> 16
}

/// A word that is a number near one as a float and in each half.
pub(super) fn number(n: u32) -> u32 {
    let bits = scattered(n);
    0x3e80_3000 + ((bits % 0x180) << 16) + (bits >> 20)
}

/// A float from -1 to 1.
pub(super) fn part(n: u32) -> f32 {
    scattered(n) as i32 as f32 / (1u32 << 31) as f32
}

/// An address in memory.
fn address(n: u32) -> u32 {
    scattered(n) % 256 * 64
}

/// The bytes of memory, and of uniforms for a program, each from 0.
pub(super) fn filled(lowered: &Lowered, filling: Filling) -> (Vec<u8>, Vec<u8>) {
    let addresses = addresses(&lowered.func);
    let used = lowered.interface.uniforms.first().map_or(&[][..], |u| &u.used);
    let uniform = |n: u32| match filling {
        Filling::Zeros => 0,
        // High halves of addresses, too.
        _ if !used.contains(&(n as u16)) => 0,
        _ if addresses.contains(&n) => address(n),
        _ => number(n),
    };
    let memory = |n: u32| match filling {
        Filling::Zeros => 0,
        Filling::Numbers => number(!n),
        Filling::Addresses => {
            if n & 1 != 0 {
                0
            } else {
                address(!n)
            }
        }
    };
    let bytes = |size: usize, of: &dyn Fn(u32) -> u32| {
        (0..size as u32 / 4).flat_map(|n| of(n).to_le_bytes()).collect()
    };
    let mut uniforms: Vec<u8> = bytes(UNIFORMS, &uniform);
    for (i, half) in (0u16..).zip(number_of_outputs(lowered)) {
        let at = 2 * usize::from(half);
        uniforms[at..at + 2].copy_from_slice(&(128 + 8 * i).to_le_bytes());
    }
    (bytes(MEMORY, &memory), uniforms)
}

/// The halves of the uniforms that hold the numbers of outputs.
fn number_of_outputs(lowered: &Lowered) -> BTreeSet<u16> {
    lowered.interface.outputs.iter().filter_map(|o| placed(&o.name)).map(|(half, _)| half).collect()
}

/// The half of the uniforms that holds the number of an output, and the offset to add.
pub(super) fn placed(name: &str) -> Option<(u16, u16)> {
    let (_, place) = name.split_once("_u")?;
    let (half, more) = place.split_once('_').unwrap_or((place, "0"));
    let upper = half.ends_with('h');
    let unit: u16 = half.trim_end_matches(['l', 'h']).parse().ok()?;
    Some((2 * unit + u16::from(upper), more.parse().ok()?))
}

/// The words of the uniforms from which addresses of global memory are computed.
fn addresses(func: &Func) -> BTreeSet<u32> {
    let mut left: Vec<Value> = Vec::new();
    for v in func.blocks.iter().flat_map(|b| &b.body) {
        if let Op::Load { space: Space::Global, address }
        | Op::Store { space: Space::Global, address, .. }
        | Op::Atomic { space: Space::Global, address, .. } = func.nodes.op(*v)
        {
            left.push(address);
        }
    }
    let (mut seen, mut words) = (BTreeSet::new(), BTreeSet::new());
    while let Some(v) = left.pop() {
        if !seen.insert(v.index()) {
            continue;
        }
        match func.nodes.op(v) {
            Op::Read { reg, swizzle } if func.files[usize::from(reg.file.0)].kind == FileKind::Uniform => {
                let count = func.nodes.ty(v).count;
                words.extend((0..count).map(|i| u32::from(reg.unit) + u32::from(swizzle.get(i))));
            }
            // The contents of memory are not traced.
            Op::Load { .. } => {}
            Op::Ternary { op: Ternary::Select, b, c, .. } => left.extend([b, c]),
            _ => func.nodes.operands(v, |o| left.push(o)),
        }
    }
    words
}
