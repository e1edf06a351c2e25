//! The order of blocks: that of the statement tree, in which every loop is contiguous.

use shisa_ir::{BlockId, Func, Stmt, Tree};

/// The order of the blocks of a function.
pub(super) struct Order {
    /// The blocks in order. The entry is the first.
    pub(super) blocks: Vec<BlockId>,
    /// The position of each block.
    position: Vec<usize>,
}

impl Order {
    /// The position of a block.
    pub(super) fn position(&self, block: BlockId) -> usize {
        self.position[block.index()]
    }

    /// For each position, whether an edge from there or a later block leads to it or an earlier block.
    pub(super) fn repeated(&self, func: &Func) -> Vec<bool> {
        // Back edges add one at their target and take one away after their source.
        let mut steps = vec![0i64; self.blocks.len() + 1];
        for (from, id) in self.blocks.iter().enumerate() {
            for edge in func.blocks[id.index()].end.edges() {
                let to = self.position(edge.to);
                if to <= from {
                    steps[to] += 1;
                    steps[from + 1] -= 1;
                }
            }
        }
        let sums = steps.iter().scan(0, |open, step| {
            *open += step;
            Some(*open > 0)
        });
        sums.take(self.blocks.len()).collect()
    }
}

/// The blocks as the tree runs them; blocks that the tree does not have come last.
pub(super) fn order(func: &Func, tree: &Tree) -> Order {
    const NONE: usize = usize::MAX;
    let mut order =
        Order { blocks: Vec::with_capacity(func.blocks.len()), position: vec![NONE; func.blocks.len()] };
    let mut add = |id: BlockId| {
        if let Some(position) = order.position.get_mut(id.index())
            && *position == NONE
        {
            *position = order.blocks.len();
            order.blocks.push(id);
        }
    };
    add(BlockId(0));
    let mut left: Vec<&Stmt> = tree.body.iter().rev().collect();
    while let Some(statement) = left.pop() {
        match statement {
            Stmt::Block(id) => add(*id),
            Stmt::If { yes, no, .. } => left.extend(no.iter().rev().chain(yes.iter().rev())),
            Stmt::Loop(body) => left.extend(body.iter().rev()),
            Stmt::Switch(_, cases) => left.extend(cases.iter().rev().flat_map(|case| case.iter().rev())),
            Stmt::Set(..) | Stmt::SetConst(..) | Stmt::Break | Stmt::Continue | Stmt::Exit => {}
        }
    }
    (0..func.blocks.len() as u32).for_each(|n| add(BlockId(n)));
    order
}
