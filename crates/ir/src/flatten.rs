//! Cross-lane operations under a condition, as operations that all lanes run.

use crate::*;
use alloc::vec::Vec;

/// Moves cross-lane operations out of conditional blocks that not every lane of the workgroup reaches, so that
/// [`exchange`] can lower them. Lanes whose condition does not hold run the operation, too, and contribute what changes
/// nothing: false to a vote whether any lane has true, the neutral value to a sum.
///
/// A block is moved to the block before it if it is skipped where its condition does not hold, and if it has nothing but
/// cross-lane operations and operations without effects. Such blocks are what guarded instructions become. `waves`
/// states whether the workgroup has several waves.
///
/// Runs after [`registers_to_values`] and before [`exchange`].
pub fn flatten(func: &mut Func, waves: bool) {
    // Each round removes blocks, and takes a time in proportion to the function. It moves all blocks that can be moved: a
    // block that is moved has one entry and one successor, so no other move changes it. A further round is needed only
    // for blocks that ended in a branch before.
    loop {
        let exchanges = |b: &Block| b.body.iter().any(|v| crosses(&func.nodes, *v));
        if !func.blocks.iter().any(exchanges) {
            return;
        }
        let together = if waves { Uniformity::of_workgroup(func) } else { Uniformity::of(func) };
        let entries = func.entries();
        let skipped = (0..func.blocks.len()).filter_map(|x| {
            let skipped = Skipped::of(func, x, &entries)?;
            let y = &func.blocks[skipped.block];
            (exchanges(y) && !together.block(BlockId(skipped.block as u32))).then_some(skipped)
        });
        let skipped: Vec<Skipped> = skipped.collect();
        if skipped.is_empty() {
            return;
        }
        skipped.into_iter().for_each(|skipped| skipped.join(func));
        func.renumber();
    }
}

fn crosses(nodes: &Nodes, v: Value) -> bool {
    matches!(nodes.op(v), Op::Lane { .. } | Op::Combine { .. })
}

/// A block that is skipped where a condition does not hold.
struct Skipped {
    /// The block that ends with the branch.
    before: usize,
    block: usize,
    cond: Value,
    /// Whether the block runs where the condition holds.
    holds: bool,
}

impl Skipped {
    /// The block that a branch at the end of the block `x` skips, if it can be moved there.
    fn of(func: &Func, x: usize, entries: &[u32]) -> Option<Skipped> {
        let End::Branch { cond, yes, no } = &func.blocks[x].end else { return None };
        let can = |edge: &Edge, other: &Edge| {
            let block = &func.blocks[edge.to.index()];
            let constant = |v: Value| matches!(func.nodes.op(v), Op::Load { space: Space::Constant(_), .. });
            let plain = |v: &Value| crosses(&func.nodes, *v) || func.nodes.is_pure(*v) || constant(*v);
            let next = matches!(&block.end, End::Jump(next) if next.to == other.to);
            next && entries[edge.to.index()] == 1
                && edge.to.index() != x
                && block.params.is_empty()
                && block.body.iter().all(plain)
        };
        let holds = if can(yes, no) {
            true
        } else if can(no, yes) {
            false
        } else {
            return None;
        };
        let block = if holds { yes.to } else { no.to }.index();
        Some(Skipped { before: x, block, cond: *cond, holds })
    }

    /// Moves the block to the one before it.
    fn join(self, func: &mut Func) {
        let Skipped { before, block, cond, holds } = self;
        let moved = core::mem::take(&mut func.blocks[block].body);
        let mut body = core::mem::take(&mut func.blocks[before].body);
        let start = func.nodes.list.len() as u32;
        let origin = func.nodes.list[cond.index()].origin;
        let active = if holds { cond } else { Builder::new(&mut func.nodes, origin).not(cond) };
        body.extend((start..func.nodes.list.len() as u32).map(Value));
        for v in moved {
            let (start, origin) = (func.nodes.list.len() as u32, func.nodes.list[v.index()].origin);
            let masked = masked(&mut Builder::new(&mut func.nodes, origin), v, active);
            body.extend((start..func.nodes.list.len() as u32).map(Value));
            if let Some(op) = masked {
                func.nodes.list[v.index()].op = op;
            }
            body.push(v);
        }
        let End::Jump(next) = core::mem::replace(&mut func.blocks[block].end, End::Exit) else { return };
        let End::Branch { yes, no, .. } = core::mem::replace(&mut func.blocks[before].end, End::Exit) else {
            return;
        };
        let other = if holds { no } else { yes };
        let mut args = Vec::new();
        for (ran, skipped) in next.args.into_iter().zip(other.args) {
            if ran == skipped {
                args.push(ran);
                continue;
            }
            let start = func.nodes.list.len() as u32;
            args.push(Builder::new(&mut func.nodes, origin).select(active, ran, skipped));
            body.extend((start..func.nodes.list.len() as u32).map(Value));
        }
        func.blocks[before].body = body;
        func.blocks[before].end = End::Jump(Edge { to: next.to, args });
    }
}

/// A cross-lane operation that all lanes run, as if only the active ones did. The operation's own operand changes to what
/// each lane contributes.
fn masked(b: &mut Builder<'_>, v: Value, active: Value) -> Option<Op> {
    match b.nodes.op(v) {
        Op::Lane { op: op @ (LaneOp::Any | LaneOp::Ballot), a, b: by } => {
            Some(Op::Lane { op, a: b.and(a, active), b: by })
        }
        Op::Lane { op: LaneOp::All, a, b: by } => {
            let not = b.not(active);
            Some(Op::Lane { op: LaneOp::All, a: b.or(a, not), b: by })
        }
        // A lane that is not active has no value for others: they get their own.
        Op::Lane { op: op @ (LaneOp::Shuffle | LaneOp::ShuffleXor), a, b: by } => {
            let there = b.convert(Convert::ZeroExtend, active, Scalar::I32);
            let there = b.push(Op::Lane { op, a: there, b: by }, Type::I32);
            let zero = b.i32(0);
            let there = b.ine(there, zero);
            let ty = b.ty(a);
            let other = b.push(Op::Lane { op, a, b: by }, ty);
            Some(Op::Ternary { op: Ternary::Select, rule: FloatRule::IEEE, a: there, b: other, c: a })
        }
        Op::Combine { combine, rule, a } => {
            let ty = b.ty(a);
            let neutral = b.constant(ty, Combine::neutral(combine.op, ty.scalar)?);
            Some(Op::Combine { combine, rule, a: b.select(active, a, neutral) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FILES;
    use alloc::{format, string::String};
    use shisa_diag::Limits;

    /// A function that runs `line`, which defines %4 of a type, where an input is negative.
    fn flattened(ty: &str, line: &str) -> (Func, String) {
        let param = 4 + line.lines().count();
        let text = format!(
            "b0:
               %0: f32 = read i:0 xxxx
               %1: f32 = const 0
               %2: i1 = flt %0 %1
               %3: {ty} = const 1
               branch %2 b1 b2(%3)
             b1:
               %4: {line}
               jump b2(%4)
             b2(%{param}: {ty}):
               exit
            "
        );
        let mut func = parse_func(&text, FILES, &Limits::default()).unwrap();
        verify(&func).unwrap();
        flatten(&mut func, true);
        verify(&func).unwrap();
        let text = print_func(&func);
        (func, text)
    }

    #[test]
    fn operations_across_lanes_leave_their_condition() {
        for (ty, line, expected) in [
            ("i1", "i1 = any %3 %3", "and %3 %2"),
            ("i1", "i1 = all %3 %3", "or %3"),
            ("i32", "i32 = ballot %2 %2", "and %2 %2"),
            ("i32", "i32 = fetch %3 %3", "fetch %3 %3"),
            ("i32", "i32 = shuffle %3 %3", "zero_extend %2"),
            ("f32", "f32 = combine_fadd %3", "select %2 %3"),
        ] {
            let (func, text) = flattened(ty, line);
            assert!(!func.blocks.iter().any(|b| matches!(b.end, End::Branch { .. })), "{line}: {text}");
            assert!(text.contains(expected), "{line}: {text}");
            assert!(text.contains("select %2 %"), "the old value stays: {text}");
        }
    }

    /// Guarded operations one after the other, and a condition in a condition.
    #[test]
    fn all_conditions_are_left() {
        let begin = "b0:
               %0: f32 = read i:0 xxxx
               %1: f32 = const 0
               %2: i1 = flt %0 %1
               %3: i1 = flt %1 %0
            ";
        let after = "branch %2 b1 b2(%3)
             b1:
               %4: i1 = any %3 %3
               jump b2(%4)
             b2(%5: i1):
               branch %2 b4(%5) b3
             b3:
               %6: i1 = all %3 %3
               jump b4(%6)
             b4(%7: i1):
               exit
            ";
        let within = "branch %2 b1 b4(%3)
             b1:
               branch %3 b2 b3(%2)
             b2:
               %4: i1 = any %3 %3
               jump b3(%4)
             b3(%5: i1):
               jump b4(%5)
             b4(%6: i1):
               exit
            ";
        for rest in [after, within] {
            let mut func = parse_func(&format!("{begin}{rest}"), FILES, &Limits::default()).unwrap();
            verify(&func).unwrap();
            flatten(&mut func, true);
            verify(&func).unwrap();
            let text = print_func(&func);
            let branches = func.blocks.iter().filter(|b| matches!(b.end, End::Branch { .. })).count();
            // Only a block whose successor is where control meets can be moved: the outer condition stays.
            assert_eq!(branches, usize::from(rest == within), "{text}");
        }
    }

    /// What has an effect stays where it is.
    #[test]
    fn blocks_with_effects_stay() {
        let (func, text) = flattened("i32", "i32 = ballot %2 %2\n%5 = store shared %3 %3");
        assert!(func.blocks.iter().any(|b| matches!(b.end, End::Branch { .. })), "{text}");
    }
}
