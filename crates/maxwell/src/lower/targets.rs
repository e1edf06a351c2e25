//! Targets of branches through a register, from tables in constant banks.
//!
//! Compilers translate a choice of many cases to a table of distances in a constant bank, and a branch through a register
//! that was loaded from it: `LDC R0, c[0x1][R0+0x20]; BRX R0 -0x50`.

use super::Staged;
use crate::bundle::aligned;
use alloc::{collections::BTreeMap, vec::Vec};
use shisa_ir::{Binary, Lifted, Nodes, Op, Reg, Space, Value};

/// How many instructions before a branch are searched for the load.
const NEAR: usize = 32;

/// Adds the targets of each branch through a register: those that the container or a listing states, or those of the
/// table that its register is loaded from. A table ends where a word is no distance to an instruction.
pub(super) fn find(lifted: &mut Lifted, staged: &Staged) {
    let mut all = BTreeMap::new();
    for (i, step) in lifted.steps.iter().enumerate() {
        let Some(place) = step.control.place else { continue };
        let targets = match staged.targets.get(&step.pc) {
            Some(stated) => stated.clone(),
            None => table(lifted, i, place, staged),
        };
        if !targets.is_empty() {
            all.insert(step.pc, targets);
        }
    }
    lifted.targets = all;
}

/// The targets from the table of a branch.
fn table(lifted: &Lifted, branch: usize, place: Value, staged: &Staged) -> Vec<u32> {
    let nodes = &lifted.nodes;
    let (v, distance) = sum(nodes, place);
    let loaded = match nodes.op(v) {
        Op::Read { reg, .. } => written(lifted, branch, reg).map(|v| nodes.op(v)),
        op => Some(op),
    };
    let Some(Op::Load { space: Space::Constant(bank), address }) = loaded else { return Vec::new() };
    let Some(bytes) = staged.constants.get(&bank) else { return Vec::new() };
    let words = bytes.get(offset(nodes, address)..).unwrap_or_default().as_chunks::<4>().0;
    let target = |word: &[u8; 4]| aligned(u32::from_le_bytes(*word).wrapping_add(distance));
    let targets = words.iter().map(target).map_while(|t| lifted.find(t).map(|_| t));
    let mut targets: Vec<u32> = targets.collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// The value that the instructions before a branch write to a register last.
fn written(lifted: &Lifted, branch: usize, reg: Reg) -> Option<Value> {
    let earlier = lifted.steps.get(branch.saturating_sub(NEAR)..branch)?;
    let operations = earlier.iter().rev().flat_map(|s| (s.nodes.start..s.nodes.end).rev());
    operations.map(Value).find_map(|v| match lifted.nodes.op(v) {
        Op::Write { reg: to, value, .. } if to == reg => Some(value),
        _ => None,
    })
}

/// A value and the constant that is added to it. Sums of two computed values are the first of them: the second leads from
/// the control word of a bundle to its first instruction.
fn sum(nodes: &Nodes, mut v: Value) -> (Value, u32) {
    let mut distance = 0u32;
    while let Op::Binary { op: Binary::IAdd, a, b, .. } = nodes.op(v) {
        match (nodes.op(a), nodes.op(b)) {
            (_, Op::Const(n)) => (v, distance) = (a, distance.wrapping_add(n as u32)),
            (Op::Const(n), _) => (v, distance) = (b, distance.wrapping_add(n as u32)),
            _ => v = a,
        }
    }
    (v, distance)
}

/// The constant part of an address.
fn offset(nodes: &Nodes, address: Value) -> usize {
    match nodes.op(address) {
        Op::Const(n) => n as usize,
        Op::Binary { op: Binary::IAdd, a, b, .. } => offset(nodes, a).saturating_add(offset(nodes, b)),
        Op::Binary { op: Binary::And, a, .. } => offset(nodes, a),
        _ => 0,
    }
}
