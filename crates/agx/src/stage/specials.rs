//! Special registers.

use crate::Program;
use crate::registers::{
    BACKFACING, INPUT_SAMPLES, LANE, SPECIAL_NAMES, SPECIALS, THREAD_IN_GRID, THREAD_IN_THREADGROUP,
    THREAD_INDEX, THREADGROUP,
};
use alloc::{format, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Sink};
use shisa_ir::{Binding, Builder, Func, Io, Mask, Op, Reg, Scalar, Stage, Swizzle, Type, Value, WAVE};

/// Thread numbers that languages know.
const INPUTS: [(&str, Reg, u8, Binding); 4] = [
    ("threadgroup_in_grid", THREADGROUP, 3, Binding::GroupId),
    ("thread_in_threadgroup", THREAD_IN_THREADGROUP, 3, Binding::LocalId),
    ("thread_index", THREAD_INDEX, 1, Binding::LocalIndex),
    ("thread_in_grid", THREAD_IN_GRID, 3, Binding::GlobalId),
];

/// The inputs that reads of these registers need.
pub(super) fn inputs(read: impl Iterator<Item = Range<u16>>) -> Vec<Io> {
    let mut used = [Mask(0); INPUTS.len()];
    for unit in read.flatten() {
        for (mask, (_, reg, count, _)) in used.iter_mut().zip(INPUTS) {
            if let Some(i) = unit.checked_sub(reg.unit).filter(|i| *i < count.into()) {
                mask.0 |= 1 << i;
            }
        }
    }
    let io = |((name, reg, count, binding), used): ((&'static str, Reg, u8, Binding), Mask)| Io {
        name: name.into(),
        reg,
        scalar: Scalar::I32,
        count,
        used,
        binding,
    };
    INPUTS.into_iter().zip(used).filter(|(_, used)| used.0 != 0).map(io).collect()
}

/// Computes special registers that follow from other inputs, or from the size of a workgroup.
///
/// # Errors
/// `translate-special` for each register that no language knows.
pub(super) fn resolve(func: &mut Func, program: &Program, samples: u16) -> Result<(), Vec<Diagnostic>> {
    let mut unknown = Vec::new();
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Read { reg, .. } if reg.file == SPECIALS => match match program.stage {
            Stage::Compute => value(b, reg.unit, program.workgroup),
            stage => drawn(b, reg.unit, stage, samples),
        } {
            Some(value) => value,
            None => {
                unknown.push(reg.unit);
                None
            }
        },
        _ => None,
    });
    unknown.sort_unstable();
    unknown.dedup();
    let mut faults = Sink::new(unknown.len());
    for n in unknown {
        let name = SPECIAL_NAMES.iter().find(|s| u16::from(s.0) == n);
        let name = name.map_or_else(|| format!("sr{n}"), |s| s.1.into());
        let text = format!("special register {name} has no counterpart in other languages");
        faults.push(Diagnostic::error("translate-special", text));
    }
    if faults.errors() > 0 { Err(faults.finish()) } else { Ok(()) }
}

/// The value of register `n`; the register itself if languages know it.
fn value(b: &mut Builder<'_>, n: u16, workgroup: [u32; 3]) -> Option<Option<Value>> {
    let index = |b: &mut Builder<'_>| b.read(THREAD_INDEX, Swizzle::IDENTITY, Type::I32);
    Some(Some(match n {
        0..=2 | 48..=51 | 80..=82 => return Some(None),
        4..=6 | 8..=10 => b.constant(Type::I32, workgroup[usize::from(n & 3)].into()),
        n if n == LANE.unit => {
            let (index, last) = (index(b), b.i32(WAVE as i32 - 1));
            b.and(index, last)
        }
        53 => {
            let (index, by) = (index(b), b.i32(WAVE.trailing_zeros() as i32));
            b.lshr(index, by)
        }
        63 => b.i32(1),
        _ => return None,
    }))
}

/// The value of register `n` if the target has one layer and each pixel the given number of samples, of which only the
/// lane's own is covered; the register itself if the target languages have it.
fn drawn(b: &mut Builder<'_>, n: u16, stage: Stage, samples: u16) -> Option<Option<Value>> {
    let fragment = stage == Stage::Fragment;
    match n {
        2 if fragment => Some(Some(b.i32(0))),
        14 => Some(Some(b.i32(samples.ilog2() as i32))),
        // Each pixel or vertex is a wave of its own.
        53 => Some(Some(b.i32(0))),
        // Effects of helper lanes are dropped in other languages, too.
        63 => Some(Some(b.i32(1))),
        60 | 124 if samples == 1 => Some(Some(b.i32(1))),
        60 => Some(Some(b.read(INPUT_SAMPLES, Swizzle::IDENTITY, Type::I32))),
        n if n == BACKFACING.unit && fragment => {
            let (front, one) = (b.read(BACKFACING, Swizzle::IDENTITY, Type::I32), b.i32(1));
            Some(Some(b.xor(front, one)))
        }
        // The grid of a fragment program is the target.
        80 | 81 | 124 if fragment => Some(None),
        _ => None,
    }
}
