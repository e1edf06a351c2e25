//! Sequences, ifs and loops from a reducible graph.

use super::loops::Loops;
use crate::graph::{DominatorTree, Graph};
use crate::{Cond, Edge, End, Func, Stmt, Tree, Type, Value, Var, VarKind};
use alloc::{vec, vec::Vec};
use shisa_diag::Limits;

/// Nesting that the walk, which calls itself, follows at most; whatever the limits say.
const DEEPEST: usize = 256;

/// `None` when the statements nest deeper, or are more, than the limits allow.
pub(super) fn nest(
    func: &Func,
    graph: &Graph,
    tree: &DominatorTree,
    loops: &Loops,
    limits: &Limits,
) -> Option<Tree> {
    let n = graph.len();
    let mut nester = Nester {
        func,
        graph,
        loops,
        behind: vec![Vec::new(); n],
        inline: vec![false; n],
        labels: vec![false; n],
        unresolved: false,
        flags: vec![None; n],
        variables: vec![Var(u32::MAX); func.nodes.list.len()],
        vars: Vec::new(),
        frames: Vec::new(),
        early: false,
        room: 0,
    };
    let branches = |p: u32| matches!(func.blocks[graph.order[p as usize].index()].end, End::Branch { .. });
    for p in 1..n {
        let forward = graph.sources(p).filter(|&s| s < p).count();
        match loops.left_by(p) {
            Some(header) => nester.behind[header].push(p),
            None if forward == 1 && branches(tree.idom[p]) => nester.inline[p] = true,
            None => nester.behind[tree.idom[p] as usize].push(p),
        }
    }
    for id in &graph.order {
        for &p in &func.blocks[id.index()].params {
            nester.variables[p.index()] = Var(nester.vars.len() as u32);
            nester.vars.push((func.nodes.ty(p), VarKind::Param(p)));
        }
    }
    let params = nester.vars.len();
    let depth = limits.printed_nesting.min(DEEPEST);
    // What nests too deeply as it stands may not with early ends of lists.
    for early in [false, true] {
        nester.early = early;
        nester.labels.fill(false);
        // The first walk finds the ways that need a loop of their own to leave; the second has them.
        for _ in 0..2 {
            nester.unresolved = false;
            nester.room = limits.structure_growth.saturating_mul(func.nodes.list.len() + 8 * n);
            nester.vars.truncate(params);
            nester.flags.fill(None);
            nester.frames.clear();
            let mut body = Vec::new();
            let done = nester.region(0, None, depth, &mut body);
            if done.is_some() && !nester.unresolved {
                return Some(Tree { vars: nester.vars, body });
            }
        }
    }
    None
}

/// A loop being made.
struct Frame {
    /// Where a continue leads; a loop that runs once has none.
    header: Option<usize>,
    /// Where a break leads.
    after: Option<usize>,
    /// Blocks that are reached from inside through outer loops, told by flags.
    through: Vec<usize>,
}

/// Where statements are being made.
#[derive(Clone, Copy)]
struct At {
    /// The block that runs behind them.
    next: Option<usize>,
    /// How much deeper they may nest.
    depth: usize,
    /// Whether they end their list.
    last: bool,
}

struct Nester<'a> {
    func: &'a Func,
    graph: &'a Graph,
    loops: &'a Loops,
    /// The blocks that stand behind each block (behind its loop, if it is outside it), in order.
    behind: Vec<Vec<usize>>,
    /// Whether the block stands where its only way in is.
    inline: Vec<bool>,
    /// Whether what stands before the block is a loop that runs once, so that a break leads to the block.
    labels: Vec<bool>,
    /// Whether a way was found that needs a label and has none.
    unresolved: bool,
    /// Tells on the way out of loops that the block is the target.
    flags: Vec<Option<Var>>,
    /// The variable of each block parameter.
    variables: Vec<Var>,
    vars: Vec<(Type, VarKind)>,
    frames: Vec<Frame>,
    /// Whether the first side of a branch leaves by a break even where it would come to the next
    /// statement by itself, so that the other side needs no nesting.
    early: bool,
    /// Statements that may still be made.
    room: usize,
}

impl Nester<'_> {
    /// The block at `p` and all that it dominates, if `next` is what runs behind. `None` beyond the
    /// limits; `depth` is what is left of the nesting.
    fn region(&mut self, mut p: usize, next: Option<usize>, depth: usize, out: &mut Vec<Stmt>) -> Option<()> {
        loop {
            let is_header = self.loops.is_header(p);
            let list = core::mem::take(&mut self.behind[p]);
            let outside = |&&y: &&usize| !is_header || self.loops.left_by(y) == Some(p);
            let after: Vec<usize> = list.iter().filter(outside).copied().collect();
            let inside: Vec<usize> = list.iter().filter(|y| !outside(y)).copied().collect();
            self.behind[p] = list;
            let tail = if is_header {
                self.sequence(&after, next, depth, out, |n, at, out| {
                    let depth = at.depth.checked_sub(1)?;
                    n.frames.push(Frame { header: Some(p), after: at.next, through: Vec::new() });
                    let mut body = Vec::new();
                    n.statement(Stmt::Block(n.graph.order[p]), &mut body)?;
                    let tail =
                        n.sequence(&inside, Some(p), depth, &mut body, |n, at, out| n.end(p, at, out))?;
                    if let Some(tail) = tail {
                        n.region(tail, Some(p), depth, &mut body)?;
                    }
                    n.leave(body, at.next, out)?;
                    Some(None)
                })?
            } else {
                // The block itself stands before all that may leave a loop, so that the blocks behind see it.
                self.statement(Stmt::Block(self.graph.order[p]), out)?;
                self.sequence(&after, next, depth, out, |n, at, out| n.end(p, at, out))?
            };
            match tail {
                Some(last) => p = last,
                None => return Some(()),
            }
        }
    }

    /// `head`, then the blocks of `list`, each leading on to the following. The last one is answered and
    /// left to the caller; of an empty list, what `head` answers.
    fn sequence(
        &mut self,
        list: &[usize],
        next: Option<usize>,
        depth: usize,
        out: &mut Vec<Stmt>,
        head: impl FnOnce(&mut Self, At, &mut Vec<Stmt>) -> Option<Option<usize>>,
    ) -> Option<Option<usize>> {
        let labelled: Vec<usize> = list.iter().copied().filter(|&y| self.labels[y]).collect();
        let depth = depth.checked_sub(labelled.len())?;
        for &y in labelled.iter().rev() {
            self.frames.push(Frame { header: None, after: Some(y), through: Vec::new() });
        }
        let mut open = labelled.len();
        let mut closing = labelled.into_iter().peekable();
        let mut current = if open > 0 { Vec::new() } else { core::mem::take(out) };
        let at = At { next: list.first().copied().or(next), depth, last: list.is_empty() };
        let tail = head(self, at, &mut current)?;
        for (i, &y) in list.iter().enumerate() {
            if closing.next_if_eq(&y).is_some() {
                open -= 1;
                let mut around = if open > 0 { Vec::new() } else { core::mem::take(out) };
                if falls_through(&current) {
                    self.statement(Stmt::Break, &mut current)?;
                }
                self.leave(current, Some(y), &mut around)?;
                current = around;
            }
            if i + 1 < list.len() {
                self.region(y, Some(list[i + 1]), depth.checked_sub(1)?, &mut current)?;
            }
        }
        *out = current;
        Some(list.last().copied().or(tail))
    }

    /// Ends the innermost loop and goes on with those who leave through it. `next` is what runs behind.
    fn leave(&mut self, body: Vec<Stmt>, next: Option<usize>, out: &mut Vec<Stmt>) -> Option<()> {
        let frame = self.frames.pop()?;
        let mut checks = Vec::new();
        for target in frame.through {
            let flag = self.flags[target]?;
            let mut leave = Vec::new();
            if self.go(target, next, &mut leave) {
                self.statement(Stmt::SetConst(flag, 0), out)?;
            }
            self.statement(Stmt::If { cond: Cond::Flag(flag), yes: leave, no: Vec::new() }, &mut checks)?;
        }
        self.statement(Stmt::Loop(body), out)?;
        out.append(&mut checks);
        Some(())
    }

    fn statement(&mut self, s: Stmt, out: &mut Vec<Stmt>) -> Option<()> {
        self.room = self.room.checked_sub(1)?;
        out.push(s);
        Some(())
    }

    /// How a block ends. Answers a block that runs next without standing inside an `if`.
    fn end(&mut self, p: usize, at: At, out: &mut Vec<Stmt>) -> Option<Option<usize>> {
        let func = self.func;
        let (cond, yes, no) = match &func.blocks[self.graph.order[p].index()].end {
            End::Exit => {
                self.statement(Stmt::Exit, out)?;
                return Some(None);
            }
            End::Jump(edge) => {
                self.edge(p, edge, at, out)?;
                return Some(None);
            }
            End::Branch { cond, yes, no } => (Cond::Value(*cond), yes, no),
        };
        let inner = At { depth: at.depth.checked_sub(1)?, ..at };
        let first = if self.early { At { next: None, ..inner } } else { inner };
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        // If one side never comes back, the other needs no nesting.
        let tail = |n: &Self, e: &Edge| n.graph.position(e.to).filter(|&t| n.inlines(p, t));
        let (rest, to) = if let Some(to) = tail(self, no) {
            self.edge(p, yes, first, &mut then)?;
            if falls_through(&then) {
                self.edge(p, no, inner, &mut otherwise)?;
                (None, to)
            } else {
                (Some(no), to)
            }
        } else {
            let to = tail(self, yes);
            self.edge(p, no, if to.is_some() { first } else { inner }, &mut otherwise)?;
            if let Some(to) = to.filter(|_| !falls_through(&otherwise)) {
                (Some(yes), to)
            } else {
                self.edge(p, yes, inner, &mut then)?;
                (None, p)
            }
        };
        if !then.is_empty() || !otherwise.is_empty() {
            self.statement(Stmt::If { cond, yes: then, no: otherwise }, out)?;
        }
        let Some(rest) = rest else { return Some(None) };
        self.sets(rest, out)?;
        if at.last {
            return Some(Some(to));
        }
        self.region(to, at.next, inner.depth, out)?;
        Some(None)
    }

    /// Whether `to` stands where the way from `p` to it is.
    fn inlines(&self, p: usize, to: usize) -> bool {
        self.inline[to] && p < to
    }

    fn edge(&mut self, p: usize, edge: &Edge, at: At, out: &mut Vec<Stmt>) -> Option<()> {
        let to = self.graph.position(edge.to)?;
        self.sets(edge, out)?;
        if self.inlines(p, to) {
            return self.region(to, at.next, at.depth, out);
        }
        self.room = self.room.checked_sub(2)?;
        self.go(to, at.next, out);
        Some(())
    }

    /// Stores what the edge brings.
    fn sets(&mut self, edge: &Edge, out: &mut Vec<Stmt>) -> Option<()> {
        let params: &[Value] = &self.func.blocks[edge.to.index()].params;
        let mut pairs = params.iter().zip(&edge.args);
        pairs.try_for_each(|(p, &arg)| self.statement(Stmt::Set(self.variables[p.index()], arg), out))
    }

    /// Leads to a block that stands elsewhere. Tells whether a single break or continue does it.
    fn go(&mut self, to: usize, next: Option<usize>, out: &mut Vec<Stmt>) -> bool {
        if next == Some(to) {
            return true;
        }
        let reaches = |f: &Frame| f.header == Some(to) || f.after == Some(to);
        let Some(at) = self.frames.iter().rposition(reaches) else {
            self.labels[to] = true;
            self.unresolved = true;
            out.push(Stmt::Break);
            return true;
        };
        if at + 1 == self.frames.len() {
            out.push(if self.frames[at].header == Some(to) { Stmt::Continue } else { Stmt::Break });
            return true;
        }
        let vars = &mut self.vars;
        let flag = *self.flags[to].get_or_insert_with(|| {
            vars.push((Type::BOOL, VarKind::Flag));
            Var(vars.len() as u32 - 1)
        });
        for frame in &mut self.frames[at + 1..] {
            if !frame.through.contains(&to) {
                frame.through.push(to);
            }
        }
        out.extend([Stmt::SetConst(flag, 1), Stmt::Break]);
        false
    }
}

/// Whether control can reach the end of the list.
fn falls_through(list: &[Stmt]) -> bool {
    match list.last() {
        Some(Stmt::Break | Stmt::Continue | Stmt::Exit) => false,
        Some(Stmt::If { yes, no, .. }) => falls_through(yes) || falls_through(no),
        _ => true,
    }
}
