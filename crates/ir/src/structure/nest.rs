//! Sequences, ifs and loops of a reducible graph.

use super::loops::Loops;
use crate::graph::{DominatorTree, Graph};
use crate::{Cond, Edge, End, Func, Stmt, Tree, Type, Value, Var, VarKind};
use alloc::{vec, vec::Vec};
use shisa_diag::Limits;

/// Upper bound on the nesting depth that the recursive walk supports, regardless of the limits.
const DEEPEST: usize = 256;

/// `None` if the statements exceed the limits on depth or number.
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
        followers: vec![Vec::new(); n],
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
            Some(header) => nester.followers[header].push(p),
            None if forward == 1 && branches(tree.idom[p]) => nester.inline[p] = true,
            None => nester.followers[tree.idom[p] as usize].push(p),
        }
    }
    for id in graph.order.iter() {
        for &p in &func.blocks[id.index()].params {
            nester.variables[p.index()] = Var(nester.vars.len() as u32);
            nester.vars.push((func.nodes.ty(p), VarKind::Param(p)));
        }
    }
    let params = nester.vars.len();
    let depth = limits.printed_nesting.min(DEEPEST);
    // A graph that nests too deeply may fit if branches leave their lists early.
    for early in [false, true] {
        nester.early = early;
        nester.labels.fill(false);
        // The first walk finds the edges that need a labelled loop to leave; the second walk creates the loops.
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

/// A loop that is being built.
struct Frame {
    /// The target of a continue; `None` for a loop that runs once.
    header: Option<usize>,
    /// The target of a break.
    after: Option<usize>,
    /// Blocks that are reached from inside through outer loops, selected by flags.
    through: Vec<usize>,
}

/// The position at which statements are being built.
#[derive(Clone, Copy)]
struct At {
    /// The block that runs after the statements.
    next: Option<usize>,
    /// The remaining nesting depth.
    depth: usize,
    /// Whether the statements end their list.
    last: bool,
}

struct Nester<'a> {
    func: &'a Func,
    graph: &'a Graph,
    loops: &'a Loops,
    /// For each block, the blocks placed after it (after its loop, if they are outside of the loop), in order.
    followers: Vec<Vec<usize>>,
    /// Whether the block is placed at its only incoming edge.
    inline: Vec<bool>,
    /// Whether the statement before the block is a loop that runs once, so that a break leads to the block.
    labels: Vec<bool>,
    /// Whether an edge needs a label that does not exist.
    unresolved: bool,
    /// For each block, the flag that selects it as the target when loops are left.
    flags: Vec<Option<Var>>,
    /// The variable of each block parameter.
    variables: Vec<Var>,
    vars: Vec<(Type, VarKind)>,
    frames: Vec<Frame>,
    /// Whether the first side of a branch leaves by a break even where it would fall through to the next statement, so
    /// that the other side needs no nesting.
    early: bool,
    /// Number of statements that may still be created.
    room: usize,
}

impl Nester<'_> {
    /// Emits the block at `p` and everything that it dominates; `next` is the block that runs after them. `None` beyond
    /// the limits; `depth` is the remaining nesting depth.
    fn region(&mut self, mut p: usize, next: Option<usize>, depth: usize, out: &mut Vec<Stmt>) -> Option<()> {
        loop {
            let is_header = self.loops.is_header(p);
            let list = core::mem::take(&mut self.followers[p]);
            let outside = |&&y: &&usize| !is_header || self.loops.left_by(y) == Some(p);
            let after: Vec<usize> = list.iter().filter(outside).copied().collect();
            let inside: Vec<usize> = list.iter().filter(|y| !outside(y)).copied().collect();
            self.followers[p] = list;
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
                // The block is emitted before anything that can leave a loop, so that later blocks see its values.
                self.statement(Stmt::Block(self.graph.order[p]), out)?;
                self.sequence(&after, next, depth, out, |n, at, out| n.end(p, at, out))?
            };
            match tail {
                Some(last) => p = last,
                None => return Some(()),
            }
        }
    }

    /// Emits `head`, then the blocks of `list`, each falling through to the next. Returns the last block, which the
    /// caller emits; if the list is empty, returns the result of `head`.
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

    /// Closes the innermost loop and handles the targets that leave through it. `next` is the block that runs after the
    /// loop.
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

    /// Emits the end of a block. Returns the block that runs next outside of any `if`, if there is one.
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
        // If one side never falls through, the other needs no nesting.
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

    /// Whether `to` is placed at the edge from `p` to it.
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

    /// Stores the arguments of the edge.
    fn sets(&mut self, edge: &Edge, out: &mut Vec<Stmt>) -> Option<()> {
        let params: &[Value] = &self.func.blocks[edge.to.index()].params;
        let mut pairs = params.iter().zip(&edge.args);
        pairs.try_for_each(|(p, &arg)| self.statement(Stmt::Set(self.variables[p.index()], arg), out))
    }

    /// Emits the jump to a block that is placed elsewhere. Returns whether a single break or continue is enough.
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
