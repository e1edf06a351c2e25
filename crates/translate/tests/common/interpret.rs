//! A plain interpreter of structured programs, one lane at a time, without textures and derivatives.

use super::*;
use shisa_ir::scalar;

type Bits = [u64; 4];

/// The state of a lane.
pub struct Lane<'a> {
    case: &'a Case,
    inputs: &'a [[u32; 4]],
    constants: &'a [[u32; 4]],
    values: Vec<Bits>,
    vars: Vec<Bits>,
    pub outputs: Vec<[u32; 4]>,
    pub killed: bool,
}

#[derive(PartialEq)]
enum Way {
    On,
    Break,
    Continue,
    Exit,
}

/// Runs one lane.
pub fn interpret<'a>(case: &'a Case, inputs: &'a [[u32; 4]], constants: &'a [[u32; 4]]) -> Lane<'a> {
    let mut lane = Lane {
        case,
        inputs,
        constants,
        values: vec![[0; 4]; case.func.nodes.list.len()],
        vars: vec![[0; 4]; case.tree.vars.len()],
        outputs: vec![[0; 4]; case.interface.outputs.len()],
        killed: false,
    };
    lane.list(&case.tree.body);
    lane
}

impl Lane<'_> {
    fn list(&mut self, list: &[Stmt]) -> Way {
        for stmt in list {
            let way = match stmt {
                Stmt::Block(b) => {
                    self.block(*b);
                    Way::On
                }
                Stmt::Set(var, v) => {
                    self.vars[var.0 as usize] = self.values[v.index()];
                    Way::On
                }
                Stmt::SetConst(var, n) => {
                    self.vars[var.0 as usize][0] = u64::from(*n);
                    Way::On
                }
                Stmt::If { cond, yes, no } => {
                    let cond = match cond {
                        Cond::Value(v) => self.values[v.index()][0],
                        Cond::Flag(var) => self.vars[var.0 as usize][0],
                    };
                    self.list(if cond & 1 != 0 { yes } else { no })
                }
                Stmt::Loop(body) => loop {
                    match self.list(body) {
                        Way::Break => break Way::On,
                        Way::Exit => break Way::Exit,
                        Way::On | Way::Continue => {}
                    }
                },
                Stmt::Switch(var, lists) => self.list(&lists[self.vars[var.0 as usize][0] as usize]),
                Stmt::Break => Way::Break,
                Stmt::Continue => Way::Continue,
                Stmt::Exit => Way::Exit,
            };
            if way != Way::On {
                return way;
            }
        }
        Way::On
    }

    fn block(&mut self, id: BlockId) {
        let block = &self.case.func.blocks[id.index()];
        for &p in &block.params {
            let var = self.case.tree.vars.iter().position(|v| v.1 == VarKind::Param(p)).unwrap();
            self.values[p.index()] = self.vars[var];
        }
        for &v in &block.body {
            self.values[v.index()] = self.node(v);
        }
    }

    /// A register unit of an input or uniform file.
    fn unit(&self, file: FileId, unit: usize) -> u64 {
        if self.case.func.files[usize::from(file.0)].kind == FileKind::Uniform {
            return u64::from(self.constants[unit / 4][unit % 4]);
        }
        let interface = &self.case.interface;
        let io = interface.inputs.iter().position(|io| {
            let first = usize::from(io.reg.unit);
            io.reg.file == file && (first..first + usize::from(io.count)).contains(&unit)
        });
        io.map_or(0, |i| u64::from(self.inputs[i][unit - usize::from(interface.inputs[i].reg.unit)]))
    }

    fn node(&mut self, v: Value) -> Bits {
        let nodes = &self.case.func.nodes;
        let node = nodes.list[v.index()];
        let kind = node.ty.scalar;
        let get = |a: Value| self.values[a.index()];
        let each = |f: &dyn Fn(usize) -> u64| std::array::from_fn(f);
        match node.op {
            Op::Const(bits) => [bits; 4],
            Op::Read { reg, swizzle } => {
                each(&|i| self.unit(reg.file, usize::from(reg.unit) + usize::from(swizzle.get(i as u8))))
            }
            Op::ReadAt { file, base, stride, index, swizzle } => {
                let first = usize::from(base) + get(index)[0] as usize * usize::from(stride);
                each(&|i| self.unit(file, first + usize::from(swizzle.get(i as u8))))
            }
            Op::Write { reg, mask, value } => {
                let value = get(value);
                for (from, c) in mask.iter().enumerate() {
                    let unit = reg.unit + u16::from(c);
                    for (io, out) in self.case.interface.outputs.iter().zip(&mut self.outputs) {
                        if io.reg.file == reg.file
                            && (io.reg.unit..io.reg.unit + u16::from(io.count)).contains(&unit)
                        {
                            out[usize::from(unit - io.reg.unit)] = value[from] as u32;
                        }
                    }
                }
                [0; 4]
            }
            Op::Unary { op, rule, a } => each(&|i| scalar::unary(op, rule, kind, get(a)[i])),
            Op::Binary { op: Binary::FDot, rule, a, b } => {
                let n = usize::from(nodes.ty(a).count);
                [scalar::dot(rule, kind, &get(a)[..n], &get(b)[..n]); 4]
            }
            Op::Binary { op, rule, a, b } => {
                each(&|i| scalar::binary(op, rule, nodes.ty(a).scalar, get(a)[i], get(b)[i]))
            }
            Op::Ternary { op, rule, a, b, c } => {
                let spread = op == Ternary::Select && nodes.ty(a).count == 1;
                each(&|i| {
                    scalar::ternary(op, rule, kind, get(a)[if spread { 0 } else { i }], get(b)[i], get(c)[i])
                })
            }
            Op::Convert { op, rule, a } => {
                each(&|i| scalar::convert(op, rule, nodes.ty(a).scalar, kind, get(a)[i]))
            }
            Op::Swizzle { a, swizzle } => each(&|i| get(a)[usize::from(swizzle.get(i as u8))]),
            Op::Join { parts } => each(&|i| get(parts[i])[0]),
            Op::Kill { cond } => {
                self.killed |= get(cond)[0] & 1 != 0;
                [0; 4]
            }
            other => panic!("not interpreted: {other:?}"),
        }
    }
}
