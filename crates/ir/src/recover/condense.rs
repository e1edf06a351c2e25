//! Recovery of programs whose control states multiply. Most of these states run the same instructions and differ only
//! in the contents of their stacks.
//!
//! First, indistinguishable states are merged: stack entries that no path pops are ignored. If that is not enough, each
//! straight-line run is emitted once, and the state number is a parameter of its block: the stacks as data. A switch
//! after the run picks the successor.

use crate::{Block, BlockId, Builder, Edge, End, Func, Node, Op, TexOp, Type, Value, map_operands};
use alloc::{collections::BTreeMap, vec, vec::Vec};

/// Limit on the rounds of partition refinement. Each round looks one block further.
const ROUNDS: usize = 256;

/// Condenses the function to at most `most` operations if merging states achieves it, otherwise emits each run of
/// operations once. `None` if blocks use each other's values.
pub(super) fn condense(mut func: Func, most: usize) -> Option<Func> {
    func.renumber();
    let alike = alike(&func)?;
    join(&mut func, &alike);
    let operations: usize = func.blocks.iter().map(|b| b.body.len()).sum();
    if operations <= most {
        return Some(func);
    }
    let alike = self::alike(&func)?;
    Some(Sharing::new(func, &alike).run())
}

/// A class number for each block; blocks of one class have equal contents and the same kind of end, regardless of their
/// targets. `None` if a block uses a value of another block.
fn alike(func: &Func) -> Option<Vec<u32>> {
    const ELSEWHERE: Value = Value(u32::MAX);
    let mut places = vec![ELSEWHERE; func.nodes.list.len()];
    type Content = (Vec<(Node, Option<TexOp>)>, Option<Value>, usize);
    let mut known: BTreeMap<Vec<u32>, Vec<(u32, Content)>> = BTreeMap::new();
    let mut numbers = Vec::with_capacity(func.blocks.len());
    let mut count = 0;
    for block in &func.blocks {
        for (v, at) in block.body.iter().zip(0..) {
            places[v.index()] = Value(at);
        }
        let mut closed = true;
        let mut place = |v: Value| {
            closed &= places[v.index()] != ELSEWHERE;
            places[v.index()]
        };
        let mut operations = Vec::with_capacity(block.body.len());
        for &v in &block.body {
            let mut node = func.nodes.list[v.index()];
            let mut texture = match &mut node.op {
                Op::Texture(t) | Op::TextureStore(t) | Op::TextureAtomic(t) => {
                    func.nodes.textures.get(core::mem::take(t) as usize).copied()
                }
                _ => None,
            };
            map_operands(&mut node, texture.as_mut(), &mut place);
            operations.push((node, texture));
        }
        let condition = match block.end {
            End::Branch { cond, .. } => Some(place(cond)),
            _ => None,
        };
        if !closed {
            return None;
        }
        block.body.iter().for_each(|v| places[v.index()] = ELSEWHERE);
        let origins = operations.iter().map(|(node, _)| node.origin).collect();
        let content = (operations, condition, block.end.edges().count());
        let same = known.entry(origins).or_default();
        let number = same.iter().find(|(_, other)| *other == content).map(|&(number, _)| number);
        numbers.push(number.unwrap_or_else(|| {
            same.push((count, content));
            count += 1;
            count - 1
        }));
    }
    Some(numbers)
}

/// Merges all blocks from which the same operations run, whatever the outcome of the conditions.
fn join(func: &mut Func, alike: &[u32]) {
    let mut class = alike.to_vec();
    let mut count = 0;
    for _ in 0..ROUNDS {
        let mut numbers = BTreeMap::new();
        let next: Vec<u32> = func
            .blocks
            .iter()
            .zip(&class)
            .map(|(block, &own)| {
                let mut edges = block.end.edges().map(|e| class[e.to.index()]);
                let free = numbers.len() as u32;
                *numbers.entry((own, edges.next(), edges.next())).or_insert(free)
            })
            .collect();
        class = next;
        if numbers.len() == count {
            let mut first = vec![None; count];
            for (b, &c) in class.iter().enumerate() {
                first[c as usize].get_or_insert(BlockId(b as u32));
            }
            for edge in func.blocks.iter_mut().flat_map(|b| b.end.edges_mut()) {
                edge.to = first[class[edge.to.index()] as usize].unwrap_or(edge.to);
            }
            func.renumber();
            return;
        }
        count = numbers.len();
    }
}

/// The states that run the same operations, as blocks of the old function. The state number is the index in this list.
type Group = Vec<BlockId>;

struct Sharing {
    func: Func,
    groups: Vec<Group>,
    /// For each group, whether it has several states, so that its block takes the state number as a parameter.
    several: Vec<bool>,
    /// Group and number of each block.
    homes: Vec<(usize, u32)>,
    /// The new blocks: an entry, one block for each group, and the blocks that pick successors.
    blocks: Vec<Block>,
}

impl Sharing {
    fn new(func: Func, alike: &[u32]) -> Sharing {
        let mut groups: Vec<Group> = vec![Group::new(); alike.iter().max().map_or(0, |&n| n as usize + 1)];
        let mut homes = Vec::with_capacity(alike.len());
        for (b, &group) in (0..).zip(alike) {
            let group = group as usize;
            homes.push((group, groups[group].len() as u32));
            groups[group].push(BlockId(b));
        }
        let several = groups.iter().map(|g| g.len() > 1).collect();
        Sharing { func, groups, several, homes, blocks: Vec::new() }
    }

    fn run(mut self) -> Func {
        let empty = || Block { params: Vec::new(), body: Vec::new(), end: End::Exit };
        self.blocks.resize_with(self.groups.len() + 1, empty);
        let mut body = Vec::new();
        let way = self.edge(None, &[(0, BlockId(0))], 0, &mut body);
        self.blocks[0] = Block { params: Vec::new(), body, end: End::Jump(way) };
        for g in 0..self.groups.len() {
            let group = core::mem::take(&mut self.groups[g]);
            let block = self.func.blocks[group[0].index()].clone();
            let mut body = block.body;
            let origin = body.last().map_or(0, |v| self.func.nodes.list[v.index()].origin);
            let mut params = Vec::new();
            if group.len() > 1 {
                params.push(self.func.nodes.push(Op::Param, Type::I32, origin));
            }
            let state = params.first().copied();
            let targets = |n: usize| -> Vec<(u32, BlockId)> {
                let to = |b: &BlockId| self.func.blocks[b.index()].end.edges().nth(n).map(|e| e.to);
                (0..).zip(&group).filter_map(|(number, b)| Some((number, to(b)?))).collect()
            };
            let end = match block.end {
                End::Exit => End::Exit,
                End::Jump(_) => {
                    let targets = targets(0);
                    End::Jump(self.route(state, &targets, origin, &mut body))
                }
                End::Branch { cond, .. } => {
                    let (yes, no) = (targets(0), targets(1));
                    let yes = self.route(state, &yes, origin, &mut body);
                    let no = self.route(state, &no, origin, &mut body);
                    End::Branch { cond, yes, no }
                }
            };
            self.blocks[g + 1] = Block { params, body, end };
            self.groups[g] = group;
        }
        self.func.blocks = self.blocks;
        self.func
    }

    /// An edge to the successor of whichever state is current. Immediate computations are appended to `body`.
    fn route(
        &mut self,
        state: Option<Value>,
        targets: &[(u32, BlockId)],
        origin: u32,
        body: &mut Vec<Value>,
    ) -> Edge {
        let group = |&(_, to): &(u32, BlockId)| self.homes[to.index()].0;
        let first = targets.first().map(group);
        let here = targets.iter().copied().filter(|t| Some(group(t)) == first).collect::<Vec<_>>();
        let others = targets.iter().copied().filter(|t| Some(group(t)) != first).collect::<Vec<_>>();
        let (Some(state), false) = (state, others.is_empty()) else {
            return self.edge(state, targets, origin, body);
        };
        let numbers: Vec<u32> = here.iter().map(|t| t.0).collect();
        let mut deciding = Vec::new();
        let cond = self.any(state, &numbers, origin, &mut deciding);
        let yes = self.edge(Some(state), &here, origin, &mut deciding);
        let no = self.route(Some(state), &others, origin, &mut deciding);
        let id = BlockId(self.blocks.len() as u32);
        self.blocks.push(Block { params: Vec::new(), body: deciding, end: End::Branch { cond, yes, no } });
        Edge::to(id)
    }

    /// An edge whose targets are all in one group; it passes the state number of the successor.
    fn edge(
        &mut self,
        state: Option<Value>,
        targets: &[(u32, BlockId)],
        origin: u32,
        body: &mut Vec<Value>,
    ) -> Edge {
        let Some(&(_, to)) = targets.first() else { return Edge::to(BlockId(0)) };
        let group = self.homes[to.index()].0;
        let mut edge = Edge::to(BlockId(group as u32 + 1));
        if !self.several[group] {
            return edge;
        }
        let numbers: Vec<(u32, u32)> =
            targets.iter().map(|&(from, to)| (from, self.homes[to.index()].1)).collect();
        edge.args.push(match state {
            Some(state) if numbers.iter().all(|(from, to)| from == to) => state,
            Some(state) => {
                // States with the same successor are tested together.
                let mut sources: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
                numbers.iter().for_each(|&(from, to)| sources.entry(to).or_default().push(from));
                let usual = sources.iter().max_by_key(|(_, from)| from.len()).map_or(0, |(&to, _)| to);
                let mut number = self.constant(usual, origin, body);
                for (&to, from) in sources.iter().filter(|(to, _)| **to != usual) {
                    let cond = self.any(state, from, origin, body);
                    let to = self.constant(to, origin, body);
                    number = self.make(origin, body, |b| b.select(cond, to, number));
                }
                number
            }
            None => self.constant(numbers[0].1, origin, body),
        });
        edge
    }

    /// Whether the state is one of these numbers.
    fn any(&mut self, state: Value, numbers: &[u32], origin: u32, body: &mut Vec<Value>) -> Value {
        let mut found = None;
        for &n in numbers {
            let n = self.constant(n, origin, body);
            let same = self.make(origin, body, |b| b.ieq(state, n));
            found = Some(match found {
                Some(before) => self.make(origin, body, |b| b.or(before, same)),
                None => same,
            });
        }
        found.unwrap_or_else(|| self.make(origin, body, |b| b.constant(Type::BOOL, 0)))
    }

    fn constant(&mut self, n: u32, origin: u32, body: &mut Vec<Value>) -> Value {
        self.make(origin, body, |b| b.constant(Type::I32, u64::from(n)))
    }

    /// Appends one operation.
    fn make(
        &mut self,
        origin: u32,
        body: &mut Vec<Value>,
        f: impl FnOnce(&mut Builder<'_>) -> Value,
    ) -> Value {
        let v = f(&mut Builder::new(&mut self.func.nodes, origin));
        body.push(v);
        v
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FILES, Machine, Random, random_func};
    use shisa_diag::Limits;

    /// A random function in which blocks of equal contents have different successors.
    fn repeating(random: &mut Random) -> Func {
        let blocks = 3 + random.below(12);
        let mut func = random_func(random, blocks);
        for _ in 0..blocks {
            let (from, to) = (random.below(blocks), random.below(blocks));
            let original = func.blocks[from].clone();
            let base = func.nodes.list.len() as u32;
            let copy = |v: Value| {
                let at = original.body.iter().position(|o| *o == v);
                Value(base + at.map_or(u32::MAX, |i| i as u32))
            };
            for &v in &original.body {
                let mut node = func.nodes.list[v.index()];
                let mut texture = None;
                if let Op::Texture(t) | Op::TextureStore(t) | Op::TextureAtomic(t) = &mut node.op {
                    texture = Some(func.nodes.textures[*t as usize]);
                    *t = func.nodes.textures.len() as u32;
                }
                map_operands(&mut node, texture.as_mut(), copy);
                func.nodes.textures.extend(texture);
                func.nodes.list.push(node);
            }
            let mut block = original.clone();
            block.body = original.body.iter().map(|v| copy(*v)).collect();
            if let End::Branch { cond, .. } = &mut block.end {
                *cond = copy(*cond);
            }
            block.end.edges_mut().for_each(|e| e.to = BlockId(random.below(blocks) as u32));
            func.blocks[to] = block;
        }
        func
    }

    #[test]
    fn states_as_numbers_do_the_same() {
        let mut random = Random::new(11);
        let (mut shared, mut smaller) = (0, 0);
        for seed in 0..150 {
            let func = repeating(&mut random);
            let size = |f: &Func| f.blocks.iter().map(|b| b.body.len()).sum::<usize>();
            let mut reachable = func.clone();
            reachable.renumber();
            for most in [usize::MAX, 0] {
                let mut condensed = condense(func.clone(), most).expect("blocks stand for themselves");
                condensed.files = FILES;
                crate::verify(&condensed).unwrap_or_else(|d| panic!("{d:?}"));
                let before = Machine::new(&func, seed, 300).run();
                let after = Machine::new(&condensed, seed, 900).run();
                assert!(before.agrees(&after), "{func:?}\n{condensed:?}");
                shared += usize::from(condensed.blocks.iter().any(|b| !b.params.is_empty()));
                smaller += usize::from(size(&condensed) < size(&reachable));
                crate::simplify(&mut condensed, &Limits::default()).unwrap();
                assert!(before.agrees(&Machine::new(&condensed, seed, 900).run()), "{func:?}\n{condensed:?}");
            }
        }
        assert!(shared > 20 && smaller > 20, "{shared} {smaller}");
    }

    #[test]
    fn indistinguishable_states_are_merged() {
        // Two copies of a loop that lead to each other.
        let mut func = Func { files: FILES, nodes: crate::Nodes::default(), blocks: Vec::new() };
        for to in [1, 2, 1] {
            let mut body = Vec::new();
            let cond = Builder::new(&mut func.nodes, 0).constant(Type::BOOL, 1);
            body.push(cond);
            let end = match func.blocks.len() {
                0 => End::Jump(Edge::to(BlockId(to))),
                _ => End::Branch { cond, yes: Edge::to(BlockId(to)), no: Edge::to(BlockId(3)) },
            };
            func.blocks.push(Block { params: Vec::new(), body, end });
        }
        func.blocks.push(Block { params: Vec::new(), body: Vec::new(), end: End::Exit });
        let condensed = condense(func, usize::MAX).unwrap();
        assert_eq!(condensed.blocks.len(), 3, "{condensed:?}");
    }
}
