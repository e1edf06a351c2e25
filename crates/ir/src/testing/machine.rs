//! A tiny interpreter: the behaviour of a function as a list of events. Deliberately slow and simple.

use crate::*;
use alloc::{vec, vec::Vec};

type Components = [u64; 4];

/// One lane.
#[derive(Debug)]
pub struct Machine<'a> {
    func: &'a Func,
    model: FloatModel,
    /// The units of each file.
    files: Vec<Vec<u64>>,
    values: Vec<Components>,
    /// The observable events, in order.
    events: Vec<u64>,
    /// Number of blocks that may still run.
    fuel: usize,
}

impl<'a> Machine<'a> {
    /// A lane with inputs and uniforms made from `seed`, for at most `fuel` blocks.
    pub fn new(func: &'a Func, seed: u64, fuel: usize) -> Machine<'a> {
        let mut random = super::Random::new(seed);
        Machine::given(func, FloatModel::F32, fuel, |f, _| random.bits() & (u64::MAX >> (64 - f.unit_bits)))
    }

    /// A lane with these units of inputs and uniforms, for at most `fuel` blocks.
    pub fn given(
        func: &'a Func,
        model: FloatModel,
        fuel: usize,
        mut given: impl FnMut(&File, u16) -> u64,
    ) -> Machine<'a> {
        let mut file = |f: &File| match f.kind {
            FileKind::Input | FileKind::Uniform => (0..f.units).map(|unit| given(f, unit)).collect(),
            _ => vec![0; f.units.into()],
        };
        let files = func.files.iter().map(&mut file).collect();
        let values = vec![[0; 4]; func.nodes.list.len()];
        Machine { func, model, files, values, events: Vec::new(), fuel }
    }

    /// Replaces the units of a file.
    pub fn with_file(mut self, file: usize, units: Vec<u64>) -> Self {
        self.files[file] = units;
        self
    }

    /// Runs the whole function.
    pub fn run(mut self) -> Outcome {
        let mut at = BlockId(0);
        loop {
            let block = &self.func.blocks[at.index()];
            if !self.body(at) {
                return self.outcome(false);
            }
            let edge = match &block.end {
                End::Exit => return self.outcome(true),
                End::Jump(e) => e,
                End::Branch { cond, yes, no } => {
                    if self.values[cond.index()][0] != 0 {
                        yes
                    } else {
                        no
                    }
                }
            };
            self.enter(edge);
            at = edge.to;
        }
    }

    fn enter(&mut self, edge: &Edge) {
        let args: Vec<Components> = edge.args.iter().map(|a| self.values[a.index()]).collect();
        for (p, a) in self.func.blocks[edge.to.index()].params.iter().zip(args) {
            self.values[p.index()] = a;
        }
    }

    /// Runs the operations of a block; false if the fuel is used up.
    fn body(&mut self, at: BlockId) -> bool {
        for &v in &self.func.blocks[at.index()].body {
            self.values[v.index()] = self.step(v);
        }
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    fn outcome(mut self, finished: bool) -> Outcome {
        if finished {
            for (f, units) in self.func.files.iter().zip(&self.files) {
                if f.kind == FileKind::Output {
                    self.events.extend(units);
                }
            }
        }
        Outcome { events: self.events, finished }
    }

    fn read(&self, file: FileId, unit: u64, scalar: Scalar) -> u64 {
        let f = &self.func.files[file.0 as usize];
        (0..u64::from(f.units_of(scalar))).fold(0, |bits, u| {
            bits | self.files[file.0 as usize][(unit + u) as usize] << (u * u64::from(f.unit_bits))
        }) & (u64::MAX >> (64 - scalar.bits()))
    }

    fn step(&mut self, v: Value) -> Components {
        let node = self.func.nodes.list[v.index()];
        let at = |v: Value| self.values[v.index()];
        let kind = |v: Value| self.func.nodes.ty(v).scalar;
        let n = usize::from(node.ty.count);
        let each = |f: &dyn Fn(usize) -> u64| core::array::from_fn(|i| if i < n { f(i) } else { 0 });
        match node.op {
            Op::Const(bits) => each(&|_| bits),
            Op::Param => at(v),
            Op::Read { reg, swizzle } => {
                let step = u64::from(self.func.files[reg.file.0 as usize].units_of(node.ty.scalar));
                each(&|i| {
                    self.read(
                        reg.file,
                        u64::from(reg.unit) + u64::from(swizzle.get(i as u8)) * step,
                        node.ty.scalar,
                    )
                })
            }
            Op::ReadAt { file, base, stride, index, swizzle } => {
                let unit = u64::from(base) + at(index)[0] * u64::from(stride);
                let step = u64::from(self.func.files[file.0 as usize].units_of(node.ty.scalar));
                each(&|i| self.read(file, unit + u64::from(swizzle.get(i as u8)) * step, node.ty.scalar))
            }
            Op::Write { reg, mask, value } => {
                let (bits, scalar) = (at(value), kind(value));
                let f = &self.func.files[reg.file.0 as usize];
                let step = usize::from(f.units_of(scalar));
                for (i, c) in mask.iter().enumerate() {
                    for u in 0..step {
                        let piece =
                            bits[i] >> (u * usize::from(f.unit_bits)) & (u64::MAX >> (64 - f.unit_bits));
                        self.files[reg.file.0 as usize][usize::from(reg.unit) + usize::from(c) * step + u] =
                            piece;
                    }
                }
                [0; 4]
            }
            Op::Unary { op, rule, a } => each(&|i| self.model.unary(op, rule, kind(a), at(a)[i])),
            Op::Binary { op: Binary::FDot, rule, a, b } => {
                let count = usize::from(self.func.nodes.ty(a).count);
                [self.model.dot(rule, kind(a), &at(a)[..count], &at(b)[..count]), 0, 0, 0]
            }
            Op::Binary { op, rule, a, b } => {
                each(&|i| self.model.binary(op, rule, kind(a), at(a)[i], at(b)[i]))
            }
            Op::Ternary { op, rule, a, b, c } => {
                let one = self.func.nodes.ty(a).count == 1;
                each(&|i| {
                    self.model.ternary(op, rule, kind(c), at(a)[if one { 0 } else { i }], at(b)[i], at(c)[i])
                })
            }
            Op::Convert { op: Convert::Pair, a, .. } if n == 2 => {
                let [low, high] = scalar::halves(at(a)[0]);
                [low, high, 0, 0]
            }
            Op::Convert { op: Convert::Pair, a, .. } => [scalar::pair([at(a)[0], at(a)[1]]), 0, 0, 0],
            Op::Convert { op, rule, a } => {
                each(&|i| self.model.convert(op, rule, kind(a), node.ty.scalar, at(a)[i]))
            }
            Op::Swizzle { a, swizzle } => each(&|i| at(a)[usize::from(swizzle.get(i as u8))]),
            Op::Join { parts } => each(&|i| at(parts[i])[0]),
            // Values from the environment: any function of the operands will do.
            Op::Texture(t) => {
                let t = self.func.nodes.textures[t as usize];
                let mut mixed = 0u64;
                t.map(|v| mixed = mixed.rotate_left(5) ^ at(*v)[0]);
                each(&|i| mixed.wrapping_mul(77 + i as u64) & 0xffff_ffff)
            }
            Op::TextureStore(t) => {
                let t = self.func.nodes.textures[t as usize];
                self.events.push(7);
                t.map(|v| self.events.push(at(*v)[0]));
                [0; 4]
            }
            Op::TextureAtomic(t) => {
                let t = self.func.nodes.textures[t as usize];
                self.events.push(11);
                let mut mixed = 0u64;
                t.map(|v| {
                    self.events.push(at(*v)[0]);
                    mixed = mixed.rotate_left(5) ^ at(*v)[0];
                });
                each(&|_| mixed & (u64::MAX >> (64 - node.ty.scalar.bits())))
            }
            Op::Derivative { a, .. } => each(&|i| at(a)[i]),
            Op::Lane { a, .. } | Op::Combine { a, .. } => each(&|i| at(a)[i]),
            Op::Atomic { address, value, .. } => {
                let event = [6, at(address)[0], at(value)[0]];
                self.events.extend(event);
                each(&|i| at(address)[i] & (u64::MAX >> (64 - node.ty.scalar.bits())))
            }
            Op::Load { address, .. } => {
                each(&|i| (at(address)[0] + i as u64) & (u64::MAX >> (64 - node.ty.scalar.bits())))
            }
            Op::Store { address, value, .. } => {
                let event = [1, at(address)[0], at(value)[0]];
                self.events.extend(event);
                [0; 4]
            }
            Op::Kill { cond } => {
                if at(cond)[0] & 1 != 0 {
                    self.events.push(2);
                }
                [0; 4]
            }
            Op::SetEmit { vertex, .. } => {
                self.events.extend([3, vertex.into()]);
                [0; 4]
            }
            Op::Emit => {
                self.emit([4].into());
                [0; 4]
            }
            Op::EmitVertex { cond, vertex, stream } => {
                if at(cond)[0] & 1 != 0 {
                    self.emit([9, at(vertex)[0], at(stream)[0]].into());
                }
                [0; 4]
            }
            Op::EndStrip { cond, vertex } => {
                if at(cond)[0] & 1 != 0 {
                    self.events.extend([10, at(vertex)[0]]);
                }
                [0; 4]
            }
            Op::Barrier => {
                self.events.push(5);
                [0; 4]
            }
            Op::Arrive { number, threads, vote, .. } => {
                self.events.extend([8, at(number)[0], at(threads)[0], at(vote)[0]]);
                [0; 4]
            }
            Op::Reduced => [self.events.len() as u64, 0, 0, 0],
        }
    }

    /// Records an emission with all outputs.
    fn emit(&mut self, event: Vec<u64>) {
        self.events.extend(event);
        for (f, units) in self.func.files.iter().zip(&self.files) {
            if f.kind == FileKind::Output {
                self.events.extend(units);
            }
        }
    }
}

/// The observable result of a run.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    /// Effects in order, and if the run ended, the units of all outputs.
    pub events: Vec<u64>,
    /// Whether the run ended before the fuel was used up.
    pub finished: bool,
}

impl Outcome {
    /// Whether both runs have equal events, as far as both got.
    pub fn agrees(&self, other: &Outcome) -> bool {
        let n = if self.finished && other.finished {
            self.events.len().max(other.events.len())
        } else {
            self.events.len().min(other.events.len())
        };
        self.events.get(..n).is_some() && self.events.get(..n) == other.events.get(..n)
    }
}

/// What follows a list of statements.
enum Flow {
    On,
    Break,
    Continue,
    Stop(bool),
}

impl Machine<'_> {
    /// Runs the function in the order that the tree defines.
    pub fn run_tree(mut self, tree: &Tree) -> Outcome {
        let mut vars = vec![[0xdead; 4]; tree.vars.len()];
        let finished = matches!(self.list(tree, &tree.body, &mut vars), Flow::Stop(true));
        self.outcome(finished)
    }

    fn list(&mut self, tree: &Tree, list: &[Stmt], vars: &mut [Components]) -> Flow {
        for s in list {
            let flow = match s {
                Stmt::Block(b) => {
                    for &p in &self.func.blocks[b.index()].params {
                        let var = tree.vars.iter().position(|&(_, k)| k == VarKind::Param(p));
                        self.values[p.index()] = vars[var.expect("a variable for each parameter")];
                    }
                    if self.body(*b) { Flow::On } else { Flow::Stop(false) }
                }
                Stmt::Set(var, v) => {
                    vars[var.0 as usize] = self.values[v.index()];
                    Flow::On
                }
                Stmt::SetConst(var, c) => {
                    vars[var.0 as usize] = [(*c).into(); 4];
                    Flow::On
                }
                Stmt::If { cond, yes, no } => {
                    let holds = match cond {
                        Cond::Value(v) => self.values[v.index()][0],
                        Cond::Flag(f) => vars[f.0 as usize][0],
                    };
                    assert!(holds < 2, "a flag is set before it is read");
                    self.list(tree, if holds != 0 { yes } else { no }, vars)
                }
                Stmt::Loop(body) => loop {
                    match self.list(tree, body, vars) {
                        Flow::On | Flow::Continue => {
                            self.fuel = self.fuel.saturating_sub(1);
                            if self.fuel == 0 {
                                break Flow::Stop(false);
                            }
                        }
                        Flow::Break => break Flow::On,
                        stop => break stop,
                    }
                },
                Stmt::Switch(var, arms) => self.list(tree, &arms[vars[var.0 as usize][0] as usize], vars),
                Stmt::Break => Flow::Break,
                Stmt::Continue => Flow::Continue,
                Stmt::Exit => Flow::Stop(true),
            };
            match flow {
                Flow::On => {}
                other => return other,
            }
        }
        Flow::On
    }
}
