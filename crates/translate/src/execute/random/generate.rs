//! Random structured programs: correctly typed, from operations that every engine must compute exactly.
//!
//! Floats become integers only by conversion, never by reinterpreting bits, and are never divided. So neither the
//! payload of a NaN nor the sign of a zero, which targets do not guarantee, can spread.

use super::Random;
use shisa_ir::*;

const FILES: &[File] =
    &[file("a", FileKind::Input, 16), file("c", FileKind::Uniform, 32), file("r", FileKind::Output, 12)];

const fn file(name: &'static str, kind: FileKind, units: u16) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units, scalar: Scalar::F32 }
}

/// Vectors in the uniform buffer.
pub const UNIFORMS: u16 = 8;

/// A program with everything it needs.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Its operations.
    pub func: Func,
    /// The order of its blocks.
    pub tree: Tree,
    /// A fragment program of four inputs, three outputs and a uniform array.
    pub interface: Interface,
}

fn interface() -> Interface {
    let io = |name: String, file: u8, register: u16, binding| Io {
        name: name.into(),
        reg: Reg::new(FileId(file), 4 * register),
        scalar: Scalar::F32,
        count: 4,
        used: Mask::ALL,
        binding,
    };
    Interface {
        stage: Stage::Fragment,
        inputs: (0..4).map(|i| io(format!("a{i}"), 0, i, Binding::Location(i.into()))).collect(),
        outputs: (0..3).map(|i| io(format!("r{i}"), 2, i, Binding::Location(i.into()))).collect(),
        uniforms: vec![UniformArray { indirect: true, ..UniformArray::new("c", FileId(1), UNIFORMS) }],
        textures: Vec::new(),
        samplers: Vec::new(),
        buffers: Vec::new(),
        geometry: None,
        tessellation: None,
        vertex_outputs: Vec::new(),
        patch_outputs: Vec::new(),
        vertex_inputs: Vec::new(),
        workgroup: [1; 3],
        shared: 0,
        local: 0,
    }
}

/// Makes a program.
pub fn program(random: &mut Random) -> Generated {
    let mut g = Generator {
        func: Func { files: FILES, nodes: Nodes::default(), blocks: Vec::new() },
        tree: Tree::default(),
        random,
        known: Vec::new(),
        body: Vec::new(),
        budget: 60,
    };
    let mut list = Vec::new();
    g.list(&mut list, 3, false);
    g.end(&mut list);
    g.tree.body = list;
    Generated { func: g.func, tree: g.tree, interface: interface() }
}

struct Generator<'r> {
    func: Func,
    tree: Tree,
    random: &'r mut Random,
    /// Values that are usable here.
    known: Vec<Value>,
    /// The block under construction.
    body: Vec<Value>,
    /// Operations left to make.
    budget: usize,
}

const FLOATS: [Binary; 5] = [Binary::FAdd, Binary::FSub, Binary::FMul, Binary::FMin, Binary::FMax];
const INTEGERS: [Binary; 15] = [
    Binary::IAdd,
    Binary::ISub,
    Binary::IMul,
    Binary::UMulHi,
    Binary::SMulHi,
    Binary::UMin,
    Binary::UMax,
    Binary::SMin,
    Binary::SMax,
    Binary::And,
    Binary::Or,
    Binary::Xor,
    Binary::Shl,
    Binary::LShr,
    Binary::AShr,
];

impl Generator<'_> {
    fn push(&mut self, op: Op, ty: Type) -> Value {
        let v = self.func.nodes.push(op, ty, self.func.nodes.list.len() as u32);
        self.body.push(v);
        if ty.count > 0 {
            self.known.push(v);
        }
        v
    }

    fn ty(&mut self) -> Type {
        self.random
            .pick(&[Scalar::F32, Scalar::F32, Scalar::I32, Scalar::I1])
            .by(self.random.below(4) as u8 + 1)
    }

    fn rule(&mut self) -> FloatRule {
        FloatRule {
            flush: self.random.below(4) == 0,
            saturate: self.random.below(6) == 0,
            zero_product: self.random.below(4) == 0,
            nan: self.random.pick(&[NanRule::Any, NanRule::Number, NanRule::Second]),
            ..FloatRule::IEEE
        }
    }

    /// A value of a type: a known one or a new one.
    fn value(&mut self, ty: Type) -> Value {
        for _ in 0..4 {
            if let Some(&v) = self.known.get(self.random.below(self.known.len().max(1)))
                && self.func.nodes.ty(v) == ty
            {
                return v;
            }
        }
        let swizzle = Swizzle(self.random.next() as u8);
        let register = 4 * self.random.below(4) as u16;
        match self.random.below(4) {
            0 if ty.scalar != Scalar::I1 => {
                let bits = self.number(ty.scalar);
                self.push(Op::Const(bits), ty)
            }
            1 if ty.scalar == Scalar::F32 => {
                let reg = Reg::new(FileId(1), 4 * self.random.below(UNIFORMS.into()) as u16);
                self.push(Op::Read { reg, swizzle }, ty)
            }
            2 if ty.scalar == Scalar::F32 => {
                let index = self.value(Type::I32);
                let last = self.push(Op::Const(3), Type::I32);
                let index = self.push(
                    Op::Binary { op: Binary::And, rule: FloatRule::IEEE, a: index, b: last },
                    Type::I32,
                );
                self.push(Op::ReadAt { file: FileId(1), base: 8, stride: 4, index, swizzle }, ty)
            }
            _ if ty.scalar == Scalar::I1 => {
                let a = self.value(Scalar::F32.by(ty.count));
                let b = self.value(Scalar::F32.by(ty.count));
                let rule = FloatRule { flush: self.random.below(2) == 0, ..FloatRule::IEEE };
                let op = self.random.pick(&[Binary::FEq, Binary::FNe, Binary::FLt, Binary::FLe]);
                self.push(Op::Binary { op, rule, a, b }, ty)
            }
            _ => {
                let reg = Reg::new(FileId(0), register);
                self.push(Op::Read { reg, swizzle }, ty)
            }
        }
    }

    fn number(&mut self, scalar: Scalar) -> u64 {
        let noise = self.random.next() & 0xffff_ffff;
        match (scalar, self.random.below(3)) {
            (_, 0) => noise,
            (Scalar::F32, _) => ((noise as i32 >> 20) as f32 * 0.25).to_bits().into(),
            _ => noise % 40,
        }
    }

    fn operation(&mut self) {
        let ty = self.ty();
        let rule = self.rule();
        let op = match self.random.below(8) {
            0 => self.unary(ty, rule),
            1..=3 => self.binary(ty, rule),
            4 => {
                let count = if self.random.below(2) == 0 { 1 } else { ty.count };
                let a = self.value(Scalar::I1.by(count));
                let (b, c) = (self.value(ty), self.value(ty));
                Some(Op::Ternary { op: Ternary::Select, rule: FloatRule::IEEE, a, b, c })
            }
            5 => self.conversion(ty, rule),
            6 => {
                let count = self.random.below(4) as u8 + 1;
                let a = self.value(ty.with_count(count));
                let picks: [u8; 4] = core::array::from_fn(|_| self.random.below(count.into()) as u8);
                Some(Op::Swizzle { a, swizzle: Swizzle::from_slice(&picks) })
            }
            _ if ty.count > 1 => {
                let mut parts = [Value(0); 4];
                for i in 0..4 {
                    parts[i] = if i < ty.count.into() { self.value(ty.with_count(1)) } else { parts[i - 1] };
                }
                Some(Op::Join { parts })
            }
            _ => None,
        };
        if let Some(op) = op {
            self.push(op, ty);
        }
    }

    fn unary(&mut self, ty: Type, rule: FloatRule) -> Option<Op> {
        use Unary::*;
        let op = match ty.scalar {
            Scalar::F32 => self.random.pick(&[FNeg, FAbs, FSat, FFloor, FCeil, FTrunc, FRound]),
            Scalar::I1 => Not,
            _ => self.random.pick(&[INeg, Not, PopCount, LeadingZeros, ReverseBits]),
        };
        let a = self.value(ty);
        Some(Op::Unary { op, rule, a })
    }

    fn binary(&mut self, ty: Type, rule: FloatRule) -> Option<Op> {
        let mut operands = ty;
        let op = match ty.scalar {
            Scalar::F32 if ty.count == 1 && self.random.below(3) == 0 => {
                operands.count = self.random.below(4) as u8 + 1;
                Binary::FDot
            }
            Scalar::F32 => self.random.pick(&FLOATS),
            Scalar::I1 if self.random.below(2) == 0 => {
                self.random.pick(&[Binary::And, Binary::Or, Binary::Xor, Binary::IEq, Binary::INe])
            }
            Scalar::I1 => {
                operands.scalar = Scalar::I32;
                use Binary::*;
                self.random.pick(&[IEq, INe, ULt, ULe, SLt, SLe])
            }
            _ => self.random.pick(&INTEGERS),
        };
        let (a, b) = (self.value(operands), self.value(operands));
        Some(Op::Binary { op, rule, a, b })
    }

    fn conversion(&mut self, ty: Type, rule: FloatRule) -> Option<Op> {
        use Convert::*;
        let (op, from) = match ty.scalar {
            Scalar::F32 => self.random.pick(&[
                (SignedToFloat, Scalar::I32),
                (UnsignedToFloat, Scalar::I32),
                (UnsignedToFloat, Scalar::I1),
                (Bits, Scalar::I32),
            ]),
            Scalar::I1 => (Truncate, Scalar::I32),
            _ => self.random.pick(&[
                (FloatToSigned, Scalar::F32),
                (FloatToUnsigned, Scalar::F32),
                (ZeroExtend, Scalar::I1),
                (SignExtend, Scalar::I1),
            ]),
        };
        let a = self.value(from.by(ty.count));
        Some(Op::Convert { op, rule, a })
    }

    /// Closes the block under construction.
    fn close(&mut self, list: &mut Vec<Stmt>, params: Vec<Value>) {
        let body = core::mem::take(&mut self.body);
        list.push(Stmt::Block(BlockId(self.func.blocks.len() as u32)));
        self.func.blocks.push(Block { params, body, end: End::Exit });
    }

    fn param(&mut self, ty: Type) -> (Value, Var) {
        let v = self.func.nodes.push(Op::Param, ty, 0);
        self.known.push(v);
        (v, self.var(ty, VarKind::Param(v)))
    }

    fn var(&mut self, ty: Type, kind: VarKind) -> Var {
        self.tree.vars.push((ty, kind));
        Var(self.tree.vars.len() as u32 - 1)
    }

    /// Statements; sometimes ends in an exit or a jump.
    fn list(&mut self, list: &mut Vec<Stmt>, depth: usize, in_loop: bool) {
        let known = self.known.len();
        for _ in 0..self.random.below(4) + 1 {
            for _ in 0..self.random.below(6) {
                if self.budget > 0 {
                    self.budget -= 1;
                    self.operation();
                }
            }
            match self.random.below(10) {
                0 => {
                    let cond = self.value(Type::BOOL);
                    self.push(Op::Kill { cond }, Type::NONE);
                }
                1..=4 if depth > 0 => self.branch(list, depth - 1, in_loop),
                5 | 6 if depth > 0 => self.repeat(list, depth - 1),
                7 if depth > 0 => self.dispatch(list, depth - 1),
                _ => {}
            }
        }
        self.close(list, Vec::new());
        if depth < 3 {
            match self.random.below(8) {
                0 => self.end(list),
                1 if in_loop => list.push(Stmt::Break),
                2 if in_loop => list.push(Stmt::Continue),
                _ => {}
            }
        }
        self.known.truncate(known);
    }

    /// Writes the outputs and ends the lane.
    fn end(&mut self, list: &mut Vec<Stmt>) {
        for register in 0..3 {
            let value = self.value(Scalar::F32.by(4));
            let value = if self.random.below(3) == 0 {
                let bits = self.value(Scalar::I32.by(4));
                self.push(
                    Op::Convert { op: Convert::Bits, rule: FloatRule::IEEE, a: bits },
                    Scalar::F32.by(4),
                )
            } else {
                value
            };
            let reg = Reg::new(FileId(2), 4 * register);
            self.push(Op::Write { reg, mask: Mask::ALL, value }, Type::NONE);
        }
        self.close(list, Vec::new());
        list.push(Stmt::Exit);
    }

    /// An `if` whose lists join in a parameter.
    fn branch(&mut self, list: &mut Vec<Stmt>, depth: usize, in_loop: bool) {
        let cond = self.value(Type::BOOL);
        let ty = self.ty();
        let before = self.value(ty);
        self.close(list, Vec::new());
        let known = self.known.len();
        let (v, var) = self.param(ty);
        self.known.truncate(known);
        let mut sides = [Vec::new(), Vec::new()];
        for side in &mut sides {
            if self.random.below(4) > 0 {
                self.list(side, depth, in_loop);
            }
            let value = if self.random.below(2) == 0 { before } else { self.value(ty) };
            if !matches!(side.last(), Some(Stmt::Exit | Stmt::Break | Stmt::Continue)) {
                self.close(side, Vec::new());
                side.push(Stmt::Set(var, value));
            }
            self.body.clear();
            self.known.truncate(known);
        }
        let [yes, no] = sides;
        list.push(Stmt::Set(var, before));
        list.push(Stmt::If { cond: Cond::Value(cond), yes, no });
        self.known.push(v);
        self.close(list, vec![v]);
    }

    /// A loop of a few iterations that carries a value.
    fn repeat(&mut self, list: &mut Vec<Stmt>, depth: usize) {
        let ty = self.ty();
        let (zero, before) = (self.push(Op::Const(0), Type::I32), self.value(ty));
        self.close(list, Vec::new());
        let known = self.known.len();
        let (round, round_var) = self.param(Type::I32);
        let (carried, carried_var) = self.param(ty);
        list.extend([Stmt::Set(round_var, zero), Stmt::Set(carried_var, before)]);
        let mut body = Vec::new();
        let one = self.push(Op::Const(1), Type::I32);
        let last = self.random.below(4) as u64;
        let last = self.push(Op::Const(last), Type::I32);
        let next =
            self.push(Op::Binary { op: Binary::IAdd, rule: FloatRule::IEEE, a: round, b: one }, Type::I32);
        let more =
            self.push(Op::Binary { op: Binary::ULt, rule: FloatRule::IEEE, a: round, b: last }, Type::BOOL);
        let params = vec![round, carried];
        self.close(&mut body, params);
        body.push(Stmt::Set(round_var, next));
        body.push(Stmt::If { cond: Cond::Value(more), yes: Vec::new(), no: vec![Stmt::Break] });
        self.list(&mut body, depth, true);
        if !matches!(body.last(), Some(Stmt::Exit | Stmt::Break | Stmt::Continue)) {
            let value = self.value(ty);
            self.close(&mut body, Vec::new());
            body.push(Stmt::Set(carried_var, value));
        }
        self.body.clear();
        list.push(Stmt::Loop(body));
        // Values that the header made are visible after the loop.
        self.known.truncate(known);
        self.known.extend([round, carried, next]);
    }

    /// A loop around a switch whose cases use values that other cases made.
    fn dispatch(&mut self, list: &mut Vec<Stmt>, depth: usize) {
        let cond = self.value(Type::BOOL);
        self.close(list, Vec::new());
        let state = self.var(Type::I32, VarKind::Next);
        let flag = self.var(Type::BOOL, VarKind::Flag);
        list.extend([Stmt::SetConst(state, 2), Stmt::SetConst(flag, 0)]);
        let known = self.known.len();
        let mut first = Vec::new();
        self.operation();
        let made = self.value(Scalar::F32.by(4));
        self.close(&mut first, Vec::new());
        first.push(Stmt::SetConst(state, 0));
        self.known.truncate(known);
        self.known.push(made);
        let mut second = Vec::new();
        self.list(&mut second, depth, false);
        if !matches!(second.last(), Some(Stmt::Exit)) {
            second.push(Stmt::SetConst(flag, 1));
            second.push(Stmt::If {
                cond: Cond::Value(cond),
                yes: vec![Stmt::Break],
                no: vec![Stmt::SetConst(state, 1)],
            });
        }
        let out = vec![Stmt::If { cond: Cond::Flag(flag), yes: vec![Stmt::Break], no: vec![Stmt::Exit] }];
        list.push(Stmt::Loop(vec![Stmt::Switch(state, vec![second, out, first])]));
    }
}
