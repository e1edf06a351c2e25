//! One program for each construct.

use super::*;

/// All of them, with names.
pub fn all() -> Vec<(&'static str, Case)> {
    vec![
        ("transform", transform()),
        ("indirect", indirect()),
        ("textures", textures()),
        ("sample_in_branch", sample_in_branch()),
        ("sample_in_loop", sample_in_loop()),
        ("power", power()),
        ("power_of_zero", power_of_zero()),
        ("dispatch", dispatch()),
        ("kill", kill(false)),
        ("kill_then_derive", kill(true)),
        ("floats", floats(FloatRule::IEEE)),
        (
            "floats_ruled",
            floats(FloatRule {
                flush: true,
                zero_product: true,
                saturate: true,
                nan: NanRule::Number,
                ..FloatRule::IEEE
            }),
        ),
        ("integers", integers()),
        ("constants", constants()),
        ("targets", targets()),
        ("instance", instance()),
        ("memory", memory()),
        ("escape", escape()),
        ("shuffled", shuffled()),
    ]
}

/// m44 op, va0, vc0 / mul vt0, va1, vc4 / sat v0, vt0
pub fn transform() -> Case {
    let mut case = Case::vertex(|b| {
        let a = input(b, 0);
        let rows: Vec<Value> = (0..4)
            .map(|i| {
                let c = constant(b, i);
                b.fdot(a, c)
            })
            .collect();
        let op = b.join(&rows);
        b.origin = 1;
        let (a, c) = (input(b, 1), constant(b, 4));
        let product = b.fmul(a, c);
        b.origin = 2;
        let sat = b.fsat(product);
        output(b, 2, op);
        output(b, 3, sat);
    });
    case.source = [("m44 op, va0, vc0", "op"), ("mul vt0, va1, vc4", "vt0"), ("sat v0, vt0", "v0")]
        .map(|(a, b)| (a.into(), b.into()))
        .to_vec();
    case
}

/// op = vc[va0.x + 2].wzyx, v0 = vc[va0.y]
pub fn indirect() -> Case {
    let mut case = Case::vertex(|b| {
        let a = input(b, 0);
        let indices = b.convert(Convert::FloatToSigned, a, Scalar::I32);
        let at = |b: &mut Builder, i, base, swizzle| {
            let index = b.component(indices, i);
            b.push(Op::ReadAt { file: FileId(1), base, stride: 4, index, swizzle }, F4)
        };
        let first = at(b, 0, 8, Swizzle::from_slice(&[3, 2, 1, 0]));
        let second = at(b, 1, 0, Swizzle::IDENTITY);
        output(b, 2, first);
        output(b, 3, second);
    });
    case.interface.uniforms[0].indirect = true;
    case
}

fn sampler(mip: Option<Filter>, bias_eighths: i8) -> Option<Sampler> {
    let wrap = [Wrap::Repeat, Wrap::Clamp, Wrap::Mirror];
    Some(Sampler { filter: Filter::Linear, mip, wrap, anisotropy: 4, bias_eighths })
}

pub fn tex(b: &mut Builder, unit: u16, dim: Dim, coord: Value, lod: Lod, sampler: Option<Sampler>) -> Value {
    let op = TexOp::sample(unit, dim, coord, lod);
    b.texture(TexOp { sampler: SamplerRef::given(sampler), ..op }, Scalar::F32)
}

fn textures() -> Case {
    let mip = sampler(Some(Filter::Linear), 4);
    let mut case = Case::fragment(|b| {
        let v = input(b, 0);
        let (xy, xyz) = (b.swizzle(v, Swizzle::IDENTITY, 2), b.swizzle(v, Swizzle::IDENTITY, 3));
        let w = b.component(v, 3);
        let (dx, dy) = (b.derivative(Axis::X, xy), b.derivative(Axis::Y, xy));
        let all = [
            tex(b, 0, Dim::D2, xy, Lod::Implicit, sampler(Some(Filter::Nearest), 0)),
            tex(b, 0, Dim::D2, xy, Lod::Implicit, mip),
            tex(b, 0, Dim::D2, xy, Lod::Bias(w), mip),
            tex(b, 0, Dim::D2, xy, Lod::Level(w), None),
            tex(b, 0, Dim::D2, xy, Lod::Gradient(dx, dy), mip),
            tex(b, 0, Dim::D2, xy, Lod::Implicit, sampler(None, 0)),
            tex(b, 1, Dim::Cube, xyz, Lod::Implicit, None),
            tex(b, 2, Dim::D3, xyz, Lod::Implicit, None),
        ];
        let sum = all.into_iter().reduce(|a, c| b.fadd(a, c));
        output(b, 2, sum.expect("there are textures"));
    });
    for (unit, dim) in [(0, Dim::D2), (1, Dim::Cube), (2, Dim::D3)] {
        case.interface.textures.push(Texture::new(format!("fs{unit}"), unit, dim));
    }
    case
}

/// oc = v0; if v0.x < v1.x { oc = texture at v1.yx * 2 }
fn sample_in_branch() -> Case {
    let mut case = Case::fragment(|_| {});
    case.func.blocks.clear();
    let (mut cond, mut first, mut sampled) = (Value(0), Value(0), Value(0));
    case.block(|b| {
        let (a, c) = (input(b, 0), input(b, 1));
        let (x, y) = (b.component(a, 0), b.component(c, 0));
        cond = b.flt(x, y);
        first = a;
    });
    case.block(|b| {
        let v = input(b, 1);
        let coord = b.swizzle(v, Swizzle::from_slice(&[1, 0]), 2);
        let two = b.f32(2.0, 2);
        let coord = b.fmul(coord, two);
        sampled = tex(b, 0, Dim::D2, coord, Lod::Implicit, sampler(Some(Filter::Linear), -8));
    });
    let mut param = Value(0);
    case.block(|b| {
        param = b.push(Op::Param, F4);
        output(b, 2, param);
    });
    let edge = |arg| Edge { to: BlockId(2), args: vec![arg] };
    case.func.blocks[0].end = End::Branch { cond, yes: Edge::to(BlockId(1)), no: edge(first) };
    case.func.blocks[1].end = End::Jump(edge(sampled));
    let var = Var(0);
    case.tree.vars = vec![(F4, VarKind::Param(param))];
    case.tree.body = vec![
        Stmt::Block(BlockId(0)),
        Stmt::If {
            cond: Cond::Value(cond),
            yes: vec![Stmt::Block(BlockId(1)), Stmt::Set(var, sampled)],
            no: vec![Stmt::Set(var, first)],
        },
        Stmt::Block(BlockId(2)),
        Stmt::Exit,
    ];
    case.texture(Dim::D2, None)
}

/// A loop whose body samples at a value of the loop: derivatives cannot move out.
fn sample_in_loop() -> Case {
    let mut case = looped(Case::fragment(|_| {}), |b, value| {
        let coord = b.swizzle(value, Swizzle::IDENTITY, 2);
        tex(b, 0, Dim::D2, coord, Lod::Implicit, sampler(Some(Filter::Linear), 0))
    });
    case.interface.textures.push(Texture::new("fs0", 0, Dim::D2));
    case
}

/// A power of a constant outside of the logarithm's domain: no compiler may be given that logarithm as a constant.
fn power_of_zero() -> Case {
    looped(Case::vertex(|_| {}), |b, value| {
        let zero = b.f32(0.0, 4);
        let op = Op::Binary { op: shisa_ir::Binary::FPow, rule: FloatRule::IEEE, a: zero, b: value };
        b.push(op, F4)
    })
}

/// op = va0 * va0 * …, va1.x times; v0 = va0.
fn power() -> Case {
    looped(Case::vertex(|_| {}), |b, value| {
        let a = input(b, 0);
        b.fmul(value, a)
    })
}

/// value = input 0; for (i = 0; i < input 1.x; i += 1) value = body(value); output = value
fn looped(mut case: Case, body: impl FnOnce(&mut Builder, Value) -> Value) -> Case {
    let vertex = case.interface.stage == Stage::Vertex;
    case.func.blocks.clear();
    let (mut start, mut zero) = (Value(0), Value(0));
    case.block(|b| {
        start = input(b, 0);
        zero = b.f32(0.0, 1);
    });
    let (mut count, mut value, mut more) = (Value(0), Value(0), Value(0));
    case.block(|b| {
        value = b.push(Op::Param, F4);
        count = b.push(Op::Param, Type::F32);
        let limit = input(b, 1);
        let limit = b.component(limit, 0);
        more = b.flt(count, limit);
    });
    let (mut next_value, mut next_count) = (Value(0), Value(0));
    case.block(|b| {
        next_value = body(b, value);
        let one = b.f32(1.0, 1);
        next_count = b.fadd(count, one);
    });
    case.block(|b| {
        output(b, 2, value);
        if vertex {
            let v = input(b, 0);
            b.write(Reg::new(FileId(3), 0), Mask::ALL, v);
        }
    });
    case.func.blocks[0].end = End::Jump(Edge { to: BlockId(1), args: vec![start, zero] });
    case.func.blocks[1].end = End::Branch { cond: more, yes: Edge::to(BlockId(2)), no: Edge::to(BlockId(3)) };
    case.func.blocks[2].end = End::Jump(Edge { to: BlockId(1), args: vec![next_value, next_count] });
    case.tree.vars = vec![(F4, VarKind::Param(value)), (Type::F32, VarKind::Param(count))];
    let set = |a, b| [Stmt::Set(Var(0), a), Stmt::Set(Var(1), b)];
    let mut again = vec![Stmt::Block(BlockId(2))];
    again.extend(set(next_value, next_count));
    let mut body = vec![Stmt::Block(BlockId(0))];
    body.extend(set(start, zero));
    body.push(Stmt::Loop(vec![
        Stmt::Block(BlockId(1)),
        Stmt::If { cond: Cond::Value(more), yes: again, no: vec![Stmt::Break] },
    ]));
    body.extend([Stmt::Block(BlockId(3)), Stmt::Exit]);
    case.tree.body = body;
    case
}

/// The loop of [`power`] as a dispatch loop.
fn dispatch() -> Case {
    let mut case = power();
    let next = Var(2);
    case.tree.vars.push((Type::I32, VarKind::Next));
    let (zero, more) = match (&case.func.blocks[0].end, &case.func.blocks[1].end) {
        (End::Jump(e), End::Branch { cond, .. }) => (e.args.clone(), *cond),
        _ => unreachable!("as built"),
    };
    let End::Jump(again) = &case.func.blocks[2].end else { unreachable!("as built") };
    let set = |args: &[Value]| vec![Stmt::Set(Var(0), args[0]), Stmt::Set(Var(1), args[1])];
    let go = |n| Stmt::SetConst(next, n);
    let mut first = vec![Stmt::Block(BlockId(0))];
    first.extend(set(&zero));
    first.push(go(1));
    let mut third = vec![Stmt::Block(BlockId(2))];
    third.extend(set(&again.args));
    third.extend([go(1), Stmt::Continue]);
    let second = vec![
        Stmt::Block(BlockId(1)),
        Stmt::If { cond: Cond::Value(more), yes: vec![go(2)], no: vec![go(3)] },
    ];
    let last = vec![Stmt::Block(BlockId(3)), Stmt::Break];
    case.tree.body =
        vec![go(0), Stmt::Loop(vec![Stmt::Switch(next, vec![first, second, third, last])]), Stmt::Exit];
    case
}

/// Kills lanes where v0.x < 0.5; oc = v0, or its derivative.
fn kill(derive: bool) -> Case {
    Case::fragment(|b| {
        let v = input(b, 0);
        let (x, half) = (b.component(v, 0), b.f32(0.5, 1));
        let cond = b.flt(x, half);
        b.kill(cond);
        let out = if derive { b.derivative(Axis::X, v) } else { v };
        output(b, 2, out);
    })
}

/// Every float operation under a rule.
fn floats(rule: FloatRule) -> Case {
    Case::vertex(|b| {
        b.rule = rule;
        let (x, y) = (input(b, 0), input(b, 1));
        let mut all = vec![
            b.fadd(x, y),
            b.fsub(x, y),
            b.fmul(x, y),
            b.fdiv(x, y),
            b.fmin(x, y),
            b.fmax(x, y),
            b.fpow(x, y),
            b.fma(x, y, x),
        ];
        b.rule.nan = NanRule::Second;
        all.extend([b.fmin(x, y), b.fmax(x, y)]);
        b.rule = rule;
        let dot = b.fdot(x, y);
        all.push(b.splat(dot, 4));
        use Unary::*;
        for op in [
            FNeg, FAbs, FSat, FFloor, FCeil, FTrunc, FRound, FSqrt, FRsqrt, FRcp, FExp2, FLog2, FSin, FCos,
            FSinc,
        ] {
            all.push(b.unary(op, x));
        }
        for op in [Binary::FEq, Binary::FNe, Binary::FLt, Binary::FLe] {
            let c = b.binary(op, x, y);
            all.push(b.select(c, x, y));
        }
        let one = b.component(x, 0);
        let c = b.feq(one, one);
        all.push(b.select(c, x, y));
        b.rule = FloatRule::IEEE;
        let sum = all.into_iter().reduce(|s, v| b.fadd(s, v)).expect("there are operations");
        output(b, 2, sum);
        output(b, 3, x);
    })
}

/// Every integer operation.
fn integers() -> Case {
    Case::vertex(|b| {
        let (x, y) = (input(b, 0), input(b, 1));
        let (i, j) =
            (b.convert(Convert::FloatToSigned, x, Scalar::I32), b.convert(Convert::Bits, y, Scalar::I32));
        let mut all = vec![b.convert(Convert::FloatToUnsigned, y, Scalar::I32)];
        use Binary::*;
        for op in [IAdd, ISub, IMul, UMulHi, SMulHi, UMin, UMax, SMin, SMax, And, Or, Xor, Shl, LShr, AShr] {
            all.push(b.binary(op, i, j));
        }
        let five = b.constant(Scalar::I32.by(4), 5);
        all.extend([b.shl(i, five), b.lshr(i, five), b.ashr(i, five)]);
        for op in [IEq, INe, ULt, ULe, SLt, SLe] {
            let c = b.binary(op, i, j);
            all.push(b.select(c, i, j));
            all.push(b.convert(Convert::ZeroExtend, c, Scalar::I32));
            all.push(b.convert(Convert::SignExtend, c, Scalar::I32));
            let d = b.not(c);
            let (d, e) = (b.and(c, d), b.or(c, d));
            let e = b.xor(d, e);
            all.push(b.select(e, j, i));
        }
        for op in [Unary::INeg, Unary::Not, Unary::PopCount, Unary::LeadingZeros, Unary::ReverseBits] {
            all.push(b.unary(op, i));
        }
        let sum = all.into_iter().reduce(|s, v| b.xor(s, v)).expect("there are operations");
        let bit = b.convert(Convert::Truncate, sum, Scalar::I1);
        let one = b.component(bit, 1);
        let both = b.component(bit, 2);
        let (both, either) = (b.and(one, both), b.or(one, both));
        let bits = b.join(&[both, either, one, both]);
        let flags = b.convert(Convert::UnsignedToFloat, bits, Scalar::F32);
        let signed = b.convert(Convert::SignedToFloat, sum, Scalar::F32);
        let unsigned = b.convert(Convert::UnsignedToFloat, sum, Scalar::F32);
        let floats = b.fadd(signed, unsigned);
        output(b, 2, floats);
        output(b, 3, flags);
    })
}

/// Numbers that are not finite, operations on constants only, denormals, negative zero.
fn constants() -> Case {
    Case::vertex(|b| {
        let parts = [f32::INFINITY, f32::NAN, f32::NEG_INFINITY, f32::from_bits(1)];
        let parts: Vec<Value> = parts.iter().map(|&f| b.f32(f, 1)).collect();
        let all = b.join(&parts);
        let (one, zero) = (b.f32(1.0, 4), b.f32(-0.0, 4));
        let quotient = b.fdiv(one, zero);
        let log = b.flog2(zero);
        let sum = b.fadd(quotient, log);
        output(b, 2, all);
        output(b, 3, sum);
    })
}

/// Depth and two colours; the second has fewer components.
fn targets() -> Case {
    let mut case = Case::fragment(|b| {
        let (x, y) = (input(b, 0), input(b, 1));
        output(b, 2, x);
        let yz = b.swizzle(y, Swizzle::from_slice(&[1, 2]), 2);
        b.write(Reg::new(FileId(2), 4), Mask(0b1010), yz);
        let depth = b.component(x, 3);
        b.write(Reg::new(FileId(3), 0), Mask(1), depth);
    });
    case.interface.outputs.push(io("fo1", 2, 1, 4, Binding::Location(1)));
    case.interface.outputs.push(io("fd", 3, 0, 1, Binding::Depth));
    case
}

fn instance() -> Case {
    let mut case = Case::vertex(|b| {
        let iid = b.read(Reg::new(FileId(4), 0), Swizzle::splat(0), F4);
        let a = input(b, 0);
        let sum = b.fadd(iid, a);
        output(b, 2, sum);
        output(b, 3, iid);
    });
    case.interface.inputs.push(io("iid", 4, 0, 1, Binding::InstanceIndex));
    case
}

/// op = the four floats at address va0.x of bank 2.
fn memory() -> Case {
    Case::vertex(|b| {
        let a = input(b, 0);
        let x = b.component(a, 0);
        let address = b.convert(Convert::FloatToUnsigned, x, Scalar::I32);
        let v = b.load(Space::Constant(2), address, F4);
        output(b, 2, v);
        output(b, 3, a);
    })
}

/// A value made inside a loop and used after it.
fn escape() -> Case {
    let mut case = power();
    let more = match &case.func.blocks[1].end {
        End::Branch { cond, .. } => *cond,
        _ => unreachable!("as built"),
    };
    let start = case.func.nodes.list.len() as u32;
    let value = case.func.blocks[1].params[0];
    let mut b = Builder::new(&mut case.func.nodes, 0);
    let doubled = b.fadd(value, value);
    case.func.blocks[1].body.push(Value(start));
    let last = case.func.blocks[3].body[0];
    if let Op::Write { value, .. } = &mut case.func.nodes.list[last.index()].op {
        *value = doubled;
    }
    // Leave the loop first, so that its last block is inside.
    let Stmt::Loop(body) = &mut case.tree.body[3] else { unreachable!("as built") };
    let Stmt::If { yes, .. } = body[1].clone() else { unreachable!("as built") };
    body[1] = Stmt::If { cond: Cond::Value(more), yes, no: vec![Stmt::Break] };
    case
}

/// Components taken apart and put together again.
fn shuffled() -> Case {
    Case::vertex(|b| {
        let (x, y) = (input(b, 0), input(b, 1));
        let parts = [(x, 0), (x, 1), (y, 3), (y, 3)].map(|(v, i)| b.component(v, i));
        let first = b.join(&parts);
        let product = b.fmul(x, y);
        let (p, one) = (b.component(product, 2), b.f32(1.0, 1));
        let second = b.join(&[p, one, p, p]);
        output(b, 2, first);
        output(b, 3, second);
    })
}
