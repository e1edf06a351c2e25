//! An interpreter of a program for one lane, statement by statement, with the IR's own arithmetic.

use super::Generated;
use shisa_ir::*;

type Components = [u64; 4];

/// The outcome of one lane.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The outputs in the order of the interface.
    pub outputs: Vec<[u32; 4]>,
    /// Whether it was killed.
    pub killed: bool,
    /// Whether it met a denormal, or a minimum of NaN, which targets may treat as they like.
    pub doubtful: bool,
    /// Whether it met a number that is not finite, which text languages may assume never to occur.
    pub infinite: bool,
}

enum Flow {
    Next,
    Break,
    Continue,
    Exit,
}

struct Lane<'a> {
    program: &'a Generated,
    inputs: &'a [[u32; 4]],
    uniforms: &'a [[u32; 4]],
    values: Vec<Components>,
    vars: Vec<Components>,
    out: Outcome,
    fuel: u32,
}

/// Runs one lane with the registers of its inputs and of the uniform array. Returns `None` if it does not end.
pub fn run(program: &Generated, inputs: &[[u32; 4]], uniforms: &[[u32; 4]]) -> Option<Outcome> {
    let mut lane = Lane {
        program,
        inputs,
        uniforms,
        values: vec![[0; 4]; program.func.nodes.list.len()],
        vars: vec![[0; 4]; program.tree.vars.len()],
        out: Outcome {
            outputs: vec![[0; 4]; program.interface.outputs.len()],
            killed: false,
            doubtful: false,
            infinite: false,
        },
        fuel: 100_000,
    };
    lane.list(&program.tree.body);
    (lane.fuel > 0).then_some(lane.out)
}

fn denormal(scalar: Scalar, bits: u64) -> bool {
    scalar == Scalar::F32 && bits & 0x7f80_0000 == 0 && bits & 0x007f_ffff != 0
}

fn nan(bits: u64) -> bool {
    bits & 0x7fff_ffff > 0x7f80_0000
}

impl Lane<'_> {
    fn list(&mut self, list: &[Stmt]) -> Flow {
        for stmt in list {
            self.fuel = self.fuel.saturating_sub(1);
            if self.fuel == 0 {
                return Flow::Exit;
            }
            let flow = match stmt {
                Stmt::Block(b) => {
                    self.block(*b);
                    Flow::Next
                }
                Stmt::Set(var, value) => {
                    self.vars[var.0 as usize] = self.values[value.index()];
                    Flow::Next
                }
                Stmt::SetConst(var, bits) => {
                    self.vars[var.0 as usize] = [u64::from(*bits); 4];
                    Flow::Next
                }
                Stmt::If { cond, yes, no } => {
                    let cond = match cond {
                        Cond::Value(v) => self.values[v.index()],
                        Cond::Flag(var) => self.vars[var.0 as usize],
                    };
                    self.list(if cond[0] != 0 { yes } else { no })
                }
                Stmt::Loop(body) => loop {
                    match self.list(body) {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break Flow::Next,
                        Flow::Exit => break Flow::Exit,
                    }
                },
                Stmt::Switch(var, cases) => {
                    let case = self.vars[var.0 as usize][0] as usize;
                    cases.get(case).map_or(Flow::Next, |case| self.list(case))
                }
                Stmt::Break => Flow::Break,
                Stmt::Continue => Flow::Continue,
                Stmt::Exit => Flow::Exit,
            };
            if !matches!(flow, Flow::Next) {
                return flow;
            }
        }
        Flow::Next
    }

    fn block(&mut self, b: BlockId) {
        let program = self.program;
        let block = &program.func.blocks[b.index()];
        for &p in &block.params {
            let from = |kind: &VarKind| matches!(kind, VarKind::Param(v) if *v == p);
            let var = program.tree.vars.iter().position(|(_, kind)| from(kind)).expect("a variable");
            self.values[p.index()] = self.vars[var];
        }
        for &v in &block.body {
            self.values[v.index()] = self.operation(v);
        }
    }

    fn operation(&mut self, v: Value) -> Components {
        let node = self.program.func.nodes.list[v.index()];
        let at = |v: Value| self.values[v.index()];
        let ty = |v: Value| self.program.func.nodes.ty(v);
        let n = usize::from(node.ty.count);
        let each = |f: &dyn Fn(usize) -> u64| core::array::from_fn(|i| if i < n { f(i) } else { 0 });
        let mut operands = Vec::new();
        let (result, rule) = match node.op {
            Op::Const(bits) => (each(&|_| bits), None),
            Op::Read { reg, swizzle } => {
                let file = if reg.file.0 == 0 { self.inputs } else { self.uniforms };
                let register = file[usize::from(reg.unit / 4)];
                (each(&|i| register[usize::from(swizzle.get(i as u8))].into()), None)
            }
            Op::ReadAt { base, stride, index, swizzle, .. } => {
                let unit = usize::from(base) + at(index)[0] as usize * usize::from(stride);
                let register = self.uniforms[unit / 4];
                (each(&|i| register[usize::from(swizzle.get(i as u8))].into()), None)
            }
            Op::Write { reg, value, .. } => {
                let value = at(value);
                self.out.outputs[usize::from(reg.unit / 4)] = value.map(|c| c as u32);
                return [0; 4];
            }
            Op::Kill { cond } => {
                let killed = at(cond)[0] != 0;
                self.out.killed |= killed;
                return [0; 4];
            }
            Op::Unary { op, rule, a } => {
                operands.push(a);
                let bits = matches!(op, Unary::FNeg | Unary::FAbs);
                (each(&|i| scalar::unary(op, rule, ty(a).scalar, at(a)[i])), (!bits).then_some(rule))
            }
            Op::Binary { op, rule, a, b } => {
                operands.extend([a, b]);
                let (x, y) = (at(a), at(b));
                let extreme = matches!(op, Binary::FMin | Binary::FMax) && rule.nan == NanRule::Any;
                let unclear = extreme && (0..n).any(|i| nan(x[i]) || nan(y[i]));
                let result = if op == Binary::FDot {
                    let count = usize::from(ty(a).count);
                    let step = FloatRule { saturate: false, ..rule };
                    for i in 0..count {
                        let product = scalar::binary(Binary::FMul, step, Scalar::F32, x[i], y[i]);
                        self.out.doubtful |= !rule.flush && denormal(Scalar::F32, product);
                    }
                    [scalar::dot(rule, Scalar::F32, &x[..count], &y[..count]), 0, 0, 0]
                } else {
                    each(&|i| scalar::binary(op, rule, ty(a).scalar, x[i], y[i]))
                };
                self.out.doubtful |= unclear;
                (result, Some(rule))
            }
            Op::Ternary { op, rule, a, b, c } => {
                let one = ty(a).count == 1;
                let pick = |i| at(a)[if one { 0 } else { i }];
                (each(&|i| scalar::ternary(op, rule, node.ty.scalar, pick(i), at(b)[i], at(c)[i])), None)
            }
            Op::Convert { op, rule, a } => {
                let (from, to) = (ty(a).scalar, node.ty.scalar);
                (each(&|i| scalar::convert(op, rule, from, to, at(a)[i])), None)
            }
            Op::Swizzle { a, swizzle } => (each(&|i| at(a)[usize::from(swizzle.get(i as u8))]), None),
            Op::Join { parts } => (each(&|i| at(parts[i])[0]), None),
            other => panic!("not generated: {other:?}"),
        };
        let infinite = |c: &u64| c & 0x7f80_0000 == 0x7f80_0000;
        self.out.infinite |= node.ty.scalar == Scalar::F32 && result.iter().take(n).any(infinite);
        // A rule that flushes defines what happens to denormals; otherwise devices differ.
        if rule.is_some_and(|r| !r.flush) {
            let met = |v: Value| self.values[v.index()].iter().any(|&c| denormal(ty(v).scalar, c));
            let met = operands.into_iter().any(met) || result.iter().any(|&c| denormal(node.ty.scalar, c));
            self.out.doubtful |= met;
        }
        result
    }
}
