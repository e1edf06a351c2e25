//! Uniformity analysis: which values and blocks the lanes of a wave agree on.

use crate::graph::{Graph, PostDominators};
use crate::{BlockId, Class, End, FileKind, Func, LaneOp, Op, Space, Value};
use alloc::{vec, vec::Vec};

/// The values that are equal in every lane that defines them, and the blocks that all lanes run together.
///
/// Uniform are: constants, uniforms, constant memory at uniform addresses, votes in which all lanes take part, and
/// everything computed from such values alone. Divergent are: inputs, writable memory, and registers that are not
/// values yet. Lanes diverge at a branch whose condition is divergent, and reconverge at its post-dominator. Values
/// that join there are divergent, and so is every value that a loop changes if its lanes do not leave the loop
/// together. The analysis is conservative: a value reported as divergent may happen to agree.
#[derive(Clone, Debug)]
pub struct Uniformity {
    values: Vec<bool>,
    blocks: Vec<bool>,
}

impl Uniformity {
    /// Analyses one wave that runs a function that [`crate::verify`] accepts.
    pub fn of(func: &Func) -> Uniformity {
        Uniformity::find(func, false)
    }

    /// As [`Uniformity::of`] for a workgroup of several waves, whose votes can differ.
    pub fn of_workgroup(func: &Func) -> Uniformity {
        Uniformity::find(func, true)
    }

    fn find(func: &Func, waves: bool) -> Uniformity {
        let graph = Graph::new(func);
        let mut search = Search {
            users: Users::of(func, &graph),
            post: PostDominators::new(&graph),
            varies: vec![false; func.nodes.list.len()],
            parted: vec![false; graph.len()],
            values: Vec::new(),
            blocks: Vec::new(),
            waves,
            func,
            graph,
        };
        search.run();
        let blocks = (0..func.blocks.len()).map(|b| match search.graph.position(BlockId(b as u32)) {
            Some(p) => !search.parted[p],
            None => true,
        });
        let blocks = blocks.collect();
        Uniformity { values: search.varies.iter().map(|v| !v).collect(), blocks }
    }

    /// Whether all lanes that define this value agree on it.
    pub fn value(&self, v: Value) -> bool {
        self.values.get(v.index()).copied().unwrap_or(false)
    }

    /// Whether all lanes of the wave that have not ended run this block together; true for an unreachable block.
    pub fn block(&self, b: BlockId) -> bool {
        self.blocks.get(b.index()).copied().unwrap_or(false)
    }
}

/// A use of a value.
#[derive(Clone, Copy)]
enum User {
    /// An operation, or a parameter that the value is an argument of.
    Value(Value),
    /// The branch at the end of the block at this position.
    Branch(usize),
}

/// The uses of each value, as linked lists in one table.
struct Users {
    /// The latest use of each value, as an index in the table.
    latest: Vec<Option<u32>>,
    /// Each use, and the one of the same value before it.
    table: Vec<(User, Option<u32>)>,
}

impl Users {
    fn of(func: &Func, graph: &Graph) -> Users {
        let count = func.nodes.list.len();
        let mut users = Users { latest: vec![None; count], table: Vec::with_capacity(2 * count) };
        for (p, id) in graph.order.iter().enumerate() {
            let block = &func.blocks[id.index()];
            block.body.iter().for_each(|&v| func.nodes.operands(v, |o| users.push(o, User::Value(v))));
            if let End::Branch { cond, .. } = block.end {
                users.push(cond, User::Branch(p));
            }
            for edge in block.end.edges() {
                let params = &func.blocks[edge.to.index()].params;
                params.iter().zip(&edge.args).for_each(|(&p, &a)| users.push(a, User::Value(p)));
            }
        }
        users
    }

    fn push(&mut self, v: Value, user: User) {
        let before = self.latest[v.index()].replace(self.table.len() as u32);
        self.table.push((user, before));
    }

    /// Removes one use of a value.
    fn pop(&mut self, v: Value) -> Option<User> {
        let (user, before) = self.table[self.latest[v.index()]? as usize];
        self.latest[v.index()] = before;
        Some(user)
    }
}

struct Search<'a> {
    func: &'a Func,
    graph: Graph,
    post: PostDominators,
    users: Users,
    varies: Vec<bool>,
    /// For each position, whether only some lanes may run the block.
    parted: Vec<bool>,
    /// Divergent values and blocks whose users have not been visited.
    values: Vec<Value>,
    blocks: Vec<usize>,
    /// Whether there are several waves.
    waves: bool,
}

impl Search<'_> {
    fn run(&mut self) {
        let func = self.func;
        for p in 0..self.graph.len() {
            let id = self.graph.order[p];
            for &v in &func.blocks[id.index()].body {
                if self.differs(v) {
                    self.vary(v);
                }
            }
        }
        loop {
            if let Some(v) = self.values.pop() {
                while let Some(user) = self.users.pop(v) {
                    match user {
                        // A vote has the same result in all lanes, whatever its operand.
                        User::Value(u) if self.is_vote(u) => {}
                        User::Value(u) => self.vary(u),
                        User::Branch(p) => {
                            self.part(p);
                            self.join(self.post.after(p));
                        }
                    }
                }
            } else if let Some(p) = self.blocks.pop() {
                let block = &func.blocks[self.graph.order[p].index()];
                for &v in &block.body {
                    if func.nodes.class(v) != Class::Lane {
                        self.vary(v);
                    }
                }
                self.join(Some(p));
                self.part(p);
            } else {
                return;
            }
        }
    }

    fn vary(&mut self, v: Value) {
        if !core::mem::replace(&mut self.varies[v.index()], true) {
            self.values.push(v);
        }
    }

    /// Whether the result of an operation is divergent regardless of its operands.
    fn differs(&self, v: Value) -> bool {
        let uniform = |file: crate::FileId| {
            self.func.files.get(usize::from(file.0)).is_some_and(|f| f.kind == FileKind::Uniform)
        };
        match self.func.nodes.op(v) {
            Op::Read { reg, .. } => !uniform(reg.file),
            Op::ReadAt { file, .. } => !uniform(file),
            Op::Load { space, .. } => !matches!(space, Space::Constant(_) | Space::Constants),
            Op::Atomic { .. } | Op::TextureAtomic(_) | Op::Reduced => true,
            Op::Combine { combine, .. } => self.waves || combine.quad || combine.before,
            Op::Lane { .. } => self.waves,
            _ => false,
        }
    }

    fn is_vote(&self, v: Value) -> bool {
        let op = self.func.nodes.op(v);
        !self.waves && matches!(op, Op::Lane { op: LaneOp::Any | LaneOp::All | LaneOp::Ballot, .. })
    }

    /// Marks the blocks that are control-dependent on the branch at the end of the block at `p`: lanes that take
    /// different edges run them separately.
    fn part(&mut self, p: usize) {
        for to in self.graph.targets(p) {
            let (parted, blocks) = (&mut self.parted, &mut self.blocks);
            self.post.walk(to, p, |q| {
                if !core::mem::replace(&mut parted[q], true) {
                    blocks.push(q);
                }
            });
        }
    }

    /// The parameters of a block that lanes enter over different edges are divergent if their arguments differ.
    fn join(&mut self, p: Option<usize>) {
        let Some(p) = p else { return };
        let id = self.graph.order[p];
        let func = self.func;
        for (i, &param) in func.blocks[id.index()].params.iter().enumerate() {
            let sources = self.graph.sources(p).map(|s| &func.blocks[self.graph.order[s].index()].end);
            let mut arguments =
                sources.flat_map(|e| e.edges()).filter(|e| e.to == id).filter_map(|e| e.args.get(i));
            let first = arguments.next();
            let differ = arguments.any(|a| Some(a) != first);
            drop(arguments);
            if differ {
                self.vary(param);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FILES;
    use crate::{parse_func, verify};
    use alloc::{format, string::String};
    use shisa_diag::Limits;

    /// The divergent blocks and values of a program that begins with a test whether a register of `file` is negative.
    fn differences(file: char, rest: &str) -> String {
        let text = format!(
            "b0:
               %0: f32 = read {file}:0 xxxx
               %1: f32 = const 0
               %2: i1 = flt %0 %1
            {rest}"
        );
        let func = parse_func(&text, FILES, &Limits::default()).unwrap();
        verify(&func).unwrap();
        let found = Uniformity::of(&func);
        let blocks = (0..func.blocks.len() as u32).filter(|&b| !found.block(BlockId(b)));
        let blocks = blocks.map(|b| format!("b{b} "));
        let values = (0..func.nodes.list.len() as u32).map(Value);
        let values = values.filter(|&v| func.nodes.ty(v).count > 0 && !found.value(v));
        blocks.chain(values.map(|v| format!("{v:?} "))).collect()
    }

    /// Only constant banks hold the same for all lanes: other lanes may write all other memory.
    #[test]
    fn loads_agree_where_nothing_writes() {
        for space in
            ["global", "shared", "local", "uniforms", "outputs", "states", "constant 0", "constant 7"]
        {
            let text = format!("%3: i32 = const 8\n%4: f32 = load {space} %3\n%5: f32 = fneg %4\nexit\n");
            let differ = if space.starts_with("constant") { "" } else { "%4 %5 " };
            assert_eq!(differences('u', &text), differ, "{space}");
        }
    }

    /// A combination of all lanes is one number for them; one of quads, or of the lanes before each, is not.
    #[test]
    fn combinations_agree_where_all_lanes_are_combined() {
        for (lanes, differ) in [("", ""), (" quad", "%4 %5 "), (" before", "%4 %5 ")] {
            let text =
                format!("%3: i32 = const 8\n%4: i32 = combine_iadd{lanes} %3\n%5: i32 = iadd %4 %3\nexit\n");
            assert_eq!(differences('u', &text), differ, "{lanes}");
        }
    }

    #[test]
    fn branches_on_uniforms_keep_lanes_together() {
        let text = "branch %2 b1 b2
             b1:
               jump b3(%0)
             b2:
               jump b3(%1)
             b3(%3: f32):
               exit
            ";
        assert_eq!(differences('u', text), "");
        // What is read, what is computed from it, and what joins after it.
        assert_eq!(differences('i', text), "b1 b2 %0 %2 %3 ");
    }

    #[test]
    fn a_vote_brings_lanes_together_unless_only_some_take_part() {
        let text = "%3: i1 = any %2 %2
               branch %3 b1 b2
             b1:
               branch %2 b3 b2
             b2:
               exit
             b3:
               %4: i1 = any %2 %2
               jump b2
            ";
        assert_eq!(differences('i', text), "b3 %0 %2 %4 ");
        let func = format!("b0:\n%0: f32 = read u:0 xxxx\n%1: f32 = const 0\n%2: i1 = flt %0 %1\n{text}");
        let func = parse_func(&func, FILES, &Limits::default()).unwrap();
        let [wave, workgroup] = [Uniformity::of(&func), Uniformity::of_workgroup(&func)];
        assert_eq!(
            [&wave, &workgroup].map(|u| (u.value(Value(3)), u.block(BlockId(3)))),
            [(true, true), (false, false)]
        );
    }

    #[test]
    fn loops_that_lanes_leave_by_themselves_differ_inside() {
        let text = "jump b1(%1)
             b1(%3: f32):
               %4: i1 = flt %3 %0
               branch %4 b2 b3
             b2:
               %5: f32 = fadd %3 %3
               jump b1(%5)
             b3:
               %6: f32 = fneg %3
               exit
            ";
        assert_eq!(differences('u', text), "");
        assert_eq!(differences('i', text), "b1 b2 %0 %2 %3 %4 %5 %6 ");
    }

    #[test]
    fn endless_loops_have_no_place_where_lanes_meet() {
        let text = "branch %2 b1 b2
             b1:
               jump b1
             b2:
               jump b3
             b3:
               jump b2
            ";
        assert_eq!(differences('i', text), "b1 b2 b3 %0 %2 ");
    }
}
