//! Makes nested statements from a graph of blocks.
//!
//! Reducible graphs become sequences, ifs and loops along their dominator tree, after Ramsey's "Beyond
//! Relooper": a block that one way leads to stands where that way is; a block where ways join stands
//! behind the block that dominates it; what a loop leaves to stands behind the loop. A way that is
//! neither the next statement nor a break or continue at hand leaves a loop that runs once, and flags
//! carry it out of several loops. Nothing is copied.
//!
//! What has no such shape (irreducible graphs, nesting beyond the limit) becomes a dispatch loop: a
//! variable names the next block, a switch in a loop runs it.

mod dispatch;
mod loops;
mod nest;
#[cfg(test)]
mod tests;

use crate::graph::{DominatorTree, Graph};
use crate::{Block, BlockId, End, Func, Stmt, Tree};
use alloc::{vec, vec::Vec};
use loops::Loops;
use shisa_diag::{Diagnostic, Limits};

/// The function as nested statements. Where a value would be used outside the loop that makes it, or
/// anywhere else in a dispatch loop, the function gets block parameters that carry it, so that every
/// operand of a statement is made in the same list of statements or in one around it.
///
/// # Errors
/// * `structure-convergent`: the function needs a dispatch loop, but has operations that see other lanes,
///   and branches where lanes may part; those do not come together again in a dispatch loop.
/// * `limit-exceeded`: the parameters needed exceed the fuel.
pub fn structurise(func: &mut Func, limits: &Limits) -> Result<Tree, Diagnostic> {
    if func.blocks.is_empty() {
        return Ok(Tree::default());
    }
    if let [Block { end: End::Exit, .. }] = func.blocks[..] {
        return Ok(Tree { vars: Vec::new(), body: vec![Stmt::Block(BlockId(0)), Stmt::Exit] });
    }
    let mut graph = Graph::new(func);
    let mut tree = DominatorTree::new(&graph);
    let mut loops = Loops::new(&graph, &tree, limits.printed_nesting);
    if loops.as_ref().is_some_and(|l| l.part(func, &graph)) {
        graph = Graph::new(func);
        tree = DominatorTree::new(&graph);
        loops = Loops::new(&graph, &tree, limits.printed_nesting);
    }
    if let Some(loops) = loops {
        loops.close(func, &graph, &tree, limits)?;
        if let Some(tree) = nest::nest(func, &graph, &tree, &loops, limits) {
            return Ok(tree);
        }
    }
    dispatch::dispatch(func, &graph, limits)
}
