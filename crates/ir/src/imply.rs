//! Selections by a condition that the control flow has already decided.

use crate::*;
use alloc::{vec, vec::Vec};

/// A condition and whether it holds.
type Known = (Value, bool);

/// Where a block runs only if a condition holds, or only if it does not, its operations use the chosen operand of each
/// selection by that condition. Guarded instructions leave such selections: each keeps the old register where the guard
/// does not hold, and a block with the same guard reads it.
///
/// Runs after [`simplify`]; [`remove_dead`] then removes selections that nothing uses. Returns whether there may be any.
pub fn imply(func: &mut Func) -> bool {
    if !is_worthwhile(func) {
        return false;
    }
    let entries = func.entries();
    let mut operands = Vec::new();
    let mut known: Vec<Vec<Known>> = vec![Vec::new(); func.blocks.len()];
    for id in func.reverse_postorder() {
        let own = core::mem::take(&mut known[id.index()]);
        if !own.is_empty() {
            let mut block = core::mem::replace(
                &mut func.blocks[id.index()],
                Block { params: Vec::new(), body: Vec::new(), end: End::Exit },
            );
            for &v in &block.body {
                operands.clear();
                func.nodes.operands(v, |o| operands.push(chosen(&func.nodes, o, &own)));
                let mut instead = operands.iter().copied();
                func.nodes.map(v, |o| instead.next().unwrap_or(o));
            }
            if let End::Branch { cond, .. } = &mut block.end {
                *cond = chosen(&func.nodes, *cond, &own);
            }
            for argument in block.end.edges_mut().flat_map(|e| &mut e.args) {
                *argument = chosen(&func.nodes, *argument, &own);
            }
            func.blocks[id.index()] = block;
        }
        // A block with one entry knows what the block before it knows, and the condition of its edge.
        let end = &func.blocks[id.index()].end;
        let edges: Vec<(BlockId, Option<Known>)> = match end {
            End::Exit => Vec::new(),
            End::Jump(edge) => vec![(edge.to, None)],
            End::Branch { cond, yes, no } => {
                vec![(yes.to, Some((*cond, true))), (no.to, Some((*cond, false)))]
            }
        };
        for (to, condition) in edges {
            if entries[to.index()] == 1 {
                known[to.index()] = own.iter().copied().chain(condition).collect();
            }
        }
    }
    true
}

/// Whether the function selects by a condition by which it also branches.
fn is_worthwhile(func: &Func) -> bool {
    let conditions = func.blocks.iter().filter_map(|block| match block.end {
        End::Branch { cond, .. } => Some(cond),
        _ => None,
    });
    let mut decides = vec![false; func.nodes.list.len()];
    conditions.for_each(|cond| decides[cond.index()] = true);
    func.has(|op| matches!(op, Op::Ternary { op: Ternary::Select, a, .. } if decides[a.index()]))
}

/// What a value is under these conditions.
fn chosen(nodes: &Nodes, mut v: Value, known: &[Known]) -> Value {
    while let Op::Ternary { op: Ternary::Select, a, b, c, .. } = nodes.op(v)
        && let Some((_, holds)) = known.iter().find(|(condition, _)| *condition == a)
    {
        v = if *holds { b } else { c };
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FILES, Machine, Random, random_func};
    use shisa_diag::Limits;

    #[test]
    fn a_block_uses_what_its_condition_chose() {
        let text = "b0:
               %0: f32 = read i:0 xxxx
               %1: f32 = const 0
               %2: i1 = flt %0 %1
               %3: f32 = fadd %0 %0
               %4: f32 = select %2 %3 %1
               branch %2 b1 b2
             b1:
               %5 = write o:0 x %4
               jump b3
             b2:
               %6 = write o:0 x %4
               jump b3
             b3:
               %7 = write o:1 x %4
               exit
            ";
        let mut func = parse_func(text, FILES, &Limits::default()).unwrap();
        verify(&func).unwrap();
        imply(&mut func);
        verify(&func).unwrap();
        let text = print_func(&func);
        for line in ["write o:0 x %3", "write o:0 x %1", "write o:1 x %4"] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }

    #[test]
    fn random_functions_run_alike() {
        let mut random = Random::new(77);
        for _ in 0..400 {
            let blocks = 2 + random.below(6);
            let mut func = random_func(&mut random, blocks);
            registers_to_values(&mut func, &Limits::default()).unwrap();
            fold(&mut func);
            let seed = random.bits();
            let before = Machine::new(&func, seed, 200).run();
            imply(&mut func);
            verify(&func).unwrap();
            let after = Machine::new(&func, seed, 200).run();
            assert_eq!(before, after, "{}", print_func(&func));
        }
    }
}
