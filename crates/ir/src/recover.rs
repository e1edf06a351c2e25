//! Control flow recovery: the sequencer, run with one lane and both outcomes of every condition.

use crate::{
    At, Block, BlockId, ControlOp, Edge, End, Func, Lifted, Nodes, Op, Sequencer, Step, Value, map_operands,
};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limits};

/// The program as one lane sees it: each state that the lane can be in (program counter and stacks)
/// becomes a block.
///
/// # Errors
/// When the sequencer refuses a step, when the lane runs out of the program, and when there are more
/// than four states an instruction (`flow-states`).
pub fn recover<S: Sequencer>(
    lifted: &Lifted,
    seq: &S,
    entry: u32,
    limits: &Limits,
) -> Result<Func, Diagnostic> {
    let steps = lifted.steps.len() + lifted.implied.len();
    Limits::check("instructions", steps, limits.instructions)?;
    let mut explorer = Explorer {
        lifted,
        seq,
        leaders: leaders(lifted),
        ids: BTreeMap::new(),
        todo: Vec::new(),
        bound: 4 * steps + 16,
        func: Func {
            files: lifted.files,
            nodes: Nodes { list: Vec::with_capacity(lifted.nodes.list.len() + 16), textures: Vec::new() },
            blocks: Vec::new(),
        },
    };
    explorer.intern(seq.start(entry, 1))?;
    while let Some((id, state)) = explorer.todo.pop() {
        explorer.block(id, state)?;
    }
    let mut func = explorer.func;
    func.tidy();
    Ok(func)
}

/// For each instruction, whether a way leads to it other than from the instruction before.
fn leaders(lifted: &Lifted) -> Vec<bool> {
    let mut leaders = vec![false; lifted.steps.len()];
    let mut mark = |pc| {
        if let Some(i) = lifted.find(pc) {
            leaders[i] = true;
        }
    };
    for s in lifted.steps.iter().chain(&lifted.implied) {
        if s.control.op != ControlOp::Next {
            mark(s.next);
            mark(s.control.target);
            mark(s.control.extra);
        }
    }
    leaders
}

struct Explorer<'a, S: Sequencer> {
    lifted: &'a Lifted,
    seq: &'a S,
    leaders: Vec<bool>,
    ids: BTreeMap<S::State, BlockId>,
    todo: Vec<(BlockId, S::State)>,
    bound: usize,
    func: Func,
}

impl<S: Sequencer> Explorer<'_, S> {
    fn intern(&mut self, state: S::State) -> Result<Edge, Diagnostic> {
        if let Some(&id) = self.ids.get(&state) {
            return Ok(Edge::to(id));
        }
        if self.ids.len() >= self.bound {
            let text = alloc::format!("the program has more than {} states of control", self.bound);
            return Err(Diagnostic::error("flow-states", text)
                .note("its stacks grow without bound or its branches multiply them"));
        }
        let id = BlockId(self.func.blocks.len() as u32);
        self.func.blocks.push(Block { params: Vec::new(), body: Vec::new(), end: End::Exit });
        self.ids.insert(state.clone(), id);
        self.todo.push((id, state));
        Ok(Edge::to(id))
    }

    /// Runs from `state` until a way forks or joins.
    fn block(&mut self, id: BlockId, mut state: S::State) -> Result<(), Diagnostic> {
        let mut body = Vec::new();
        let end = loop {
            let at = self.seq.at(&state);
            if at == At::Done {
                break End::Exit;
            }
            let Some((index, step)) = self.lifted.step(at) else {
                return Err(Diagnostic::error(
                    "flow-off-program",
                    alloc::format!("control leaves the program at {at:?}"),
                )
                .help("end every path with the instruction that ends the program"));
            };
            let active = self.seq.active(&state) & 1 != 0;
            let base = self.func.nodes.list.len() as u32;
            if active {
                self.copy(step, index as u32, &mut body);
            }
            let cond = step.control.cond.filter(|_| active);
            if step.control.op == ControlOp::Next {
                self.seq.step(&mut state, &step.control, step.next, 1)?;
                // A join ends the block: whoever else comes here finds the same block.
                if matches!(self.seq.at(&state), At::Step(pc) if !self.leads(pc)) {
                    continue;
                }
                break End::Jump(self.intern(state)?);
            }
            let mut yes = state.clone();
            self.seq.step(&mut yes, &step.control, step.next, u32::from(active))?;
            let Some(cond) = cond else { break End::Jump(self.intern(yes)?) };
            self.seq.step(&mut state, &step.control, step.next, 0)?;
            let cond = Value(cond.0 - step.nodes.start + base);
            break End::Branch { cond, yes: self.intern(yes)?, no: self.intern(state)? };
        };
        let block = &mut self.func.blocks[id.index()];
        block.body = body;
        block.end = end;
        Ok(())
    }

    fn leads(&self, pc: u32) -> bool {
        self.lifted.find(pc).is_none_or(|i| self.leaders[i])
    }

    /// Appends a step's operations; their operands move along with them.
    fn copy(&mut self, step: &Step, index: u32, body: &mut Vec<Value>) {
        let base = self.func.nodes.list.len() as u32;
        for i in step.nodes.clone() {
            let mut node = self.lifted.nodes.list[i as usize];
            let mut texture = match &mut node.op {
                Op::Texture(t) => {
                    let op = self.lifted.nodes.textures[*t as usize];
                    *t = self.func.nodes.textures.len() as u32;
                    Some(op)
                }
                _ => None,
            };
            node.origin = index;
            map_operands(&mut node, texture.as_mut(), |v| Value(v.0 - step.nodes.start + base));
            self.func.nodes.textures.extend(texture);
            body.push(Value(self.func.nodes.list.len() as u32));
            self.func.nodes.list.push(node);
        }
    }
}
