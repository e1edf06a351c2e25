//! Compiles a function: splits vectors into components, drops what no output needs, and gives components their memory.

mod accesses;
mod arithmetic;
mod fuse;
#[cfg(test)]
mod kernels_tests;
mod order;
mod outside;
mod parts;
mod places;
mod split;
mod unneeded;
mod wide;
mod writes;

use crate::Floats;
use crate::access::Access;
use crate::instruction::{Arrive, Instruction};
use crate::plan::Table;
use crate::program::Program;
use parts::{Part, Parts};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Addresses, File, Func, Lifted, Natives, Reg, Sequencer, Tree};

/// A program whose components have no memory yet. Blocks are in the order of execution.
struct Draft {
    parts: Parts,
    /// Instructions on uniforms, which run once a call.
    uniform: Vec<Instruction<Part>>,
    blocks: Vec<Block>,
    /// The outputs with their components.
    outputs: Vec<(Reg, Part)>,
    tables: Vec<Table>,
    /// The accesses of instructions, by their number.
    accesses: Vec<Access<Part>>,
}

impl Draft {
    /// Calls `f` with every use of a component.
    fn uses(&self, mut f: impl FnMut(Part)) {
        self.uniform.iter().for_each(|i| i.operands(&self.accesses, &mut f));
        for block in &self.blocks {
            block.body.iter().for_each(|i| i.operands(&self.accesses, &mut f));
            let moves = block.next.edges().flat_map(|e| &e.moves);
            moves.for_each(|i| i.operands(&self.accesses, &mut f));
            block.next.operands(&mut f);
        }
        self.outputs.iter().for_each(|(_, part)| f(*part));
    }
}

struct Block {
    body: Vec<Instruction<Part>>,
    next: Next,
    /// Whether an edge from this block or a later one leads to this block or an earlier one, so that the block may run
    /// several times for a slab.
    repeats: bool,
}

enum Next {
    Jump(Edge),
    Branch {
        cond: Part,
        yes: Edge,
        no: Edge,
    },
    /// The lanes arrive at a barrier and then take the edge.
    Barrier(Arrive<Part>, Edge),
    Exit,
}

impl Next {
    /// Calls `f` with every component that decides what comes next.
    fn operands(&self, mut f: impl FnMut(Part)) {
        match self {
            Next::Branch { cond, .. } => f(*cond),
            Next::Barrier(arrive, _) => arrive.operands(f),
            Next::Jump(_) | Next::Exit => {}
        }
    }

    fn edges(&self) -> impl Iterator<Item = &Edge> {
        let (a, b) = match self {
            Next::Jump(e) | Next::Barrier(_, e) => (Some(e), None),
            Next::Branch { yes, no, .. } => (Some(yes), Some(no)),
            Next::Exit => (None, None),
        };
        a.into_iter().chain(b)
    }

    fn edges_mut(&mut self) -> impl Iterator<Item = &mut Edge> {
        let (a, b) = match self {
            Next::Jump(e) | Next::Barrier(_, e) => (Some(e), None),
            Next::Branch { yes, no, .. } => (Some(yes), Some(no)),
            Next::Exit => (None, None),
        };
        a.into_iter().chain(b)
    }
}

/// An edge, with the instructions that pass values to the parameters of the block.
struct Edge {
    to: usize,
    moves: Vec<Instruction<Part>>,
}

/// How the lanes of a lifted program run it.
#[derive(Debug)]
pub struct Start<'a, S> {
    /// Where waves go.
    pub sequencer: &'a S,
    /// Program counter of the first instruction.
    pub entry: u32,
    /// The files of the program, with units of 32 bits in place of those of 16 ([`shisa_ir::narrow`]). Registers of the
    /// compiled program are in these.
    pub words: &'static [File],
}

impl Program {
    /// Compiles a function whose registers are values ([`shisa_ir::simplify`]), with the tree that
    /// [`shisa_ir::structurise`] made of it. Every path to an exit must write the same outputs, which `simplify` arranges:
    /// an output that a path does not write has any value in the lanes that take it.
    ///
    /// # Errors
    /// `exec-unsupported` if the engine lacks an operation of the program; `limit-exceeded`.
    pub fn new(
        func: &Func,
        tree: &Tree,
        floats: impl Into<Floats>,
        limits: &Limits,
    ) -> Result<Program, Diagnostic> {
        compile((func, tree), floats.into(), false, limits)
    }

    /// Compiles a lifted program: recovers its graph, converts its registers to values, converts 64-bit
    /// integers and 16-bit values to words, and nests its blocks.
    ///
    /// # Errors
    /// As [`Program::new`], and those of [`shisa_ir::recover`], [`shisa_ir::simplify`], [`shisa_ir::narrow`] and
    /// [`shisa_ir::structurise`].
    pub fn of_lifted<S: Sequencer>(
        lifted: Lifted,
        Start { sequencer, entry, words }: Start<'_, S>,
        floats: impl Into<Floats>,
        limits: &Limits,
    ) -> Result<Program, Diagnostic> {
        let mut func = shisa_ir::recover(lifted, sequencer, entry, limits)?;
        shisa_ir::simplify(&mut func, limits)?;
        let is_wide = func.nodes.list.iter().any(|node| node.ty.scalar.bits() == 64);
        if is_wide || func.files.iter().any(|file| file.unit_bits == 16) {
            shisa_ir::narrow(&mut func, words, Addresses::Full, Natives::default())?;
        }
        let tree = shisa_ir::structurise(&mut func, limits)?;
        compile((&func, &tree), floats.into(), sequencer.runs_steps_once(), limits)
    }
}

/// Compiles a function. `once` is whether a wave of the evaluator runs every step at most once.
fn compile(
    (func, tree): (&Func, &Tree),
    floats: Floats,
    once: bool,
    limits: &Limits,
) -> Result<Program, Diagnostic> {
    let order = order::order(func, tree);
    limits.check(Limit::Instructions, "operations", func.nodes.list.len())?;
    let mut draft = split::split(func, &order, floats)?;
    outside::find(&mut draft);
    writes::preserve(&mut draft, limits)?;
    unneeded::remove(&mut draft, limits)?;
    fuse::fuse(&mut draft, floats.precision);
    // Without loops a block has run for all lanes that reach it when it has run once.
    let rejoins = once && !draft.blocks.iter().any(|b| b.repeats);
    Ok(Program::of(places::place(draft, (func.files, floats.arithmetic(), rejoins), limits)?))
}
