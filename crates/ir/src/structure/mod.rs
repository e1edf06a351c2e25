//! Converts a control flow graph into nested statements.
//!
//! A reducible graph becomes sequences, ifs and loops along its dominator tree, after Ramsey's "Beyond Relooper": a
//! block with one incoming edge is placed at that edge, a join is placed after the block that dominates it, and the
//! exit of a loop is placed after the loop. An edge that is neither the next statement nor a break or continue of the
//! innermost loop breaks out of a loop that runs once; flags carry it out of several loops. No block is duplicated.
//!
//! A graph without such a form (irreducible, or nested beyond the limit) becomes a dispatch loop: a variable holds the
//! next block, and a switch in a loop runs it.

mod dispatch;
mod loops;
mod nest;
#[cfg(test)]
mod tests;

use crate::graph::{DominatorTree, Graph};
use crate::{Block, BlockId, End, Func, Scratch, Stmt, Tree};
use alloc::{vec, vec::Vec};
use loops::Loops;
use shisa_diag::{Diagnostic, Limits};

/// Converts the function to nested statements. Where a value would be used outside of the loop that defines it, or in
/// another block of a dispatch loop, the function gets a block parameter that carries it. Every operand of a statement
/// is then defined in the same statement list or in an enclosing one.
///
/// # Errors
/// * `structure-convergent`: the function needs a dispatch loop, but has cross-lane operations and divergent
///   branches; lanes that diverge do not reconverge in a dispatch loop.
/// * `limit-exceeded`: the required parameters exceed the fuel.
pub fn structurise(func: &mut Func, limits: &Limits) -> Result<Tree, Diagnostic> {
    structurise_in(func, &mut Scratch::new(), limits)
}

/// As [`structurise`], in the memory of programs before it.
///
/// # Errors
/// The errors of [`structurise`].
pub fn structurise_in(func: &mut Func, scratch: &mut Scratch, limits: &Limits) -> Result<Tree, Diagnostic> {
    if func.blocks.is_empty() {
        return Ok(Tree::default());
    }
    if let [Block { end: End::Exit, .. }] = func.blocks[..] {
        return Ok(Tree { vars: Vec::new(), body: vec![Stmt::Block(BlockId(0)), Stmt::Exit] });
    }
    let mut graph = Graph::new_in(func, core::mem::take(&mut scratch.graph));
    let mut dominators = DominatorTree::new_in(&graph, core::mem::take(&mut scratch.dominators));
    let mut loops = Loops::new(&graph, &dominators, limits.printed_nesting);
    if loops.as_ref().is_some_and(|l| l.part(func, &graph)) {
        graph = Graph::new_in(func, graph);
        dominators = DominatorTree::new_in(&graph, dominators);
        loops = Loops::new(&graph, &dominators, limits.printed_nesting);
    }
    let mut tree = None;
    if let Some(loops) = loops {
        loops.close(func, &graph, &dominators, limits)?;
        tree = nest::nest(func, &graph, &dominators, &loops, limits);
    }
    let tree = match tree {
        Some(tree) => tree,
        None => dispatch::dispatch(func, &graph, limits)?,
    };
    (scratch.graph, scratch.dominators) = (graph, dominators);
    Ok(tree)
}
