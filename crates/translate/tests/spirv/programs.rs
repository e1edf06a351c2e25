//! Hand-made programs: every operation, every statement, every stage.

use super::*;

fn write(b: &mut Builder, register: u16, v: Value) {
    b.write(Reg::new(OUTPUT, 4 * register), Mask::first(b.ty(v).count), v);
}

fn input(b: &mut Builder, register: u16, count: u8) -> Value {
    b.read(Reg::new(INPUT, 4 * register), Swizzle::IDENTITY, Scalar::F32.by(count))
}

/// One block of operations on an input and a uniform.
fn straight(stage: Stage, f: impl FnOnce(&mut Builder, Value, Value)) -> Made {
    let mut m = Made::new(stage);
    let (block, ()) = m.block(|b| {
        let a = input(b, 0, 4);
        let c = b.read(Reg::new(UNIFORM, 4), Swizzle::from_slice(&[3, 2, 1, 0]), Scalar::F32.by(4));
        f(b, a, c);
    });
    m.tree.body = vec![block, Stmt::Exit];
    m
}

const RULES: [FloatRule; 5] = [
    FloatRule::IEEE,
    FloatRule { flush: true, ..FloatRule::IEEE },
    FloatRule { saturate: true, ..FloatRule::IEEE },
    FloatRule { zero_product: true, flush: true, saturate: true, ..FloatRule::IEEE },
    FloatRule { nan: NanRule::Second, ..FloatRule::IEEE },
];

#[test]
fn float_operations() {
    use Binary::*;
    use Unary::*;
    for rule in RULES {
        straight(Stage::Vertex, |b, a, c| {
            b.rule = rule;
            let mut sum = a;
            for op in [
                FNeg, FAbs, FSat, FFloor, FCeil, FTrunc, FRound, FSqrt, FRsqrt, FRcp, FExp2, FLog2, FSin,
                FCos, FSinc,
            ] {
                let x = b.unary(op, c);
                sum = b.fadd(sum, x);
            }
            for op in [FAdd, FSub, FMul, FDiv, FMin, FMax, FPow] {
                let x = b.binary(op, a, c);
                sum = b.fmul(sum, x);
            }
            let dot = b.fdot(a, c);
            let dot = b.splat(dot, 4);
            sum = b.fma(sum, dot, c);
            for op in [FEq, FNe, FLt, FLe] {
                let t = b.binary(op, sum, c);
                sum = b.select(t, a, sum);
                let t = b.component(t, 2);
                sum = b.select(t, c, sum);
            }
            write(b, 0, sum);
        })
        .check(true);
    }
}

#[test]
fn integer_operations() {
    use Binary::*;
    straight(Stage::Vertex, |b, a, _| {
        let mut x = b.convert(Convert::Bits, a, Scalar::I32);
        let n = b.read(Reg::new(INTEGERS, 2), Swizzle::IDENTITY, Scalar::I32.by(4));
        for op in [IAdd, ISub, IMul, UMulHi, SMulHi, UMin, UMax, SMin, SMax, And, Or, Xor, Shl, LShr, AShr] {
            x = b.binary(op, x, n);
        }
        for shift in [3, 40] {
            let by = b.constant(Scalar::I32.by(4), shift);
            for op in [Shl, LShr, AShr] {
                let y = b.binary(op, n, by);
                x = b.xor(x, y);
            }
        }
        for op in [Unary::INeg, Unary::Not, Unary::PopCount, Unary::LeadingZeros, Unary::ReverseBits] {
            x = b.unary(op, x);
        }
        let mut t = b.ieq(x, n);
        for op in [INe, ULt, ULe, SLt, SLe] {
            let u = b.binary(op, x, n);
            for op in [And, Or, Xor, IEq, INe] {
                t = b.binary(op, t, u);
            }
        }
        t = b.not(t);
        x = b.select(t, x, n);
        let x = b.convert(Convert::Bits, x, Scalar::F32);
        write(b, 0, x);
    })
    .check(true);
}

#[test]
fn conversions() {
    use Convert::*;
    straight(Stage::Vertex, |b, a, c| {
        let mut sum = a;
        for scalar in [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64] {
            for (there, back) in [(FloatToSigned, SignedToFloat), (FloatToUnsigned, UnsignedToFloat)] {
                let n = b.convert(there, c, scalar);
                let x = b.convert(back, n, Scalar::F32);
                sum = b.fadd(sum, x);
            }
        }
        for scalar in [Scalar::F16, Scalar::F64] {
            let x = b.convert(Float, sum, scalar);
            let y = b.fmul(x, x);
            let n = b.convert(FloatToSigned, y, Scalar::I32);
            let n = b.convert(SignedToFloat, n, Scalar::F32);
            let y = b.convert(Float, y, Scalar::F32);
            sum = b.fadd(y, n);
        }
        let bits = b.convert(Bits, sum, Scalar::I32);
        let narrow = b.convert(Truncate, bits, Scalar::I16);
        let narrow = b.unary(Unary::PopCount, narrow);
        let wide = b.convert(SignExtend, narrow, Scalar::I64);
        let truth = b.convert(Truncate, wide, Scalar::I1);
        let wide = b.convert(ZeroExtend, truth, Scalar::I32);
        let minus = b.convert(SignExtend, truth, Scalar::I32);
        let one = b.convert(UnsignedToFloat, truth, Scalar::F32);
        let pair = b.swizzle(wide, Swizzle::IDENTITY, 2);
        let pair = b.pair(pair, Scalar::I64);
        let halves = b.push(Op::Convert { op: Pair, rule: FloatRule::IEEE, a: pair }, Scalar::I32.by(2));
        let halves = b.swizzle(halves, Swizzle::from_slice(&[1, 0, 1, 0]), 4);
        let x = b.iadd(minus, halves);
        let x = b.convert(Bits, x, Scalar::F32);
        let x = b.fadd(x, one);
        write(b, 1, x);
    })
    .check(true);
}

#[test]
fn vectors_and_registers() {
    straight(Stage::Vertex, |b, a, c| {
        let x = b.component(a, 1);
        let v = b.join(&[x, x, x]);
        let w = b.swizzle(c, Swizzle::from_slice(&[2, 0]), 2);
        let s = b.splat(x, 2);
        let d = b.fadd(w, s);
        b.write(Reg::new(OUTPUT, 0), Mask(0b1011), v);
        b.write(Reg::new(OUTPUT, 5), Mask(0b101), d);
        let one = b.read(Reg::new(INPUT, 3), Swizzle::from_slice(&[0, 1]), Scalar::F32.by(2));
        let index = b.convert(Convert::FloatToSigned, x, Scalar::I32);
        for (base, stride) in [(8, 4), (2, 4), (3, 1), (0, 0)] {
            let ty = Scalar::F32.by(3);
            let op = Op::ReadAt { file: UNIFORM, base, stride, index, swizzle: Swizzle::IDENTITY };
            let v = b.push(op, ty);
            let v = b.fadd(v, v);
            b.write(Reg::new(OUTPUT, 0), Mask(0b111), v);
        }
        b.write(Reg::new(OUTPUT, 6), Mask(0b11), one);
    })
    .check(true);
}

#[test]
fn textures_and_derivatives() {
    let sampler = Sampler { bias_eighths: -3, mip: Some(Filter::Linear), ..Sampler::default() };
    for stage in [Stage::Fragment, Stage::Vertex] {
        let made = straight(stage, |b, a, c| {
            let mut sum = c;
            for (unit, dim) in [(0, Dim::D2), (1, Dim::Cube), (2, Dim::D3)] {
                let coord = b.swizzle(a, Swizzle::IDENTITY, dim.coordinates());
                let level = b.component(c, 0);
                let lods = [Lod::Implicit, Lod::Bias(level), Lod::Level(level), Lod::Gradient(coord, coord)];
                for lod in lods {
                    for sampler in [None, Some(sampler)] {
                        let t = b.texture(
                            TexOp {
                                sampler: SamplerRef::given(sampler),
                                ..TexOp::sample(unit, dim, coord, lod)
                            },
                            Scalar::F32,
                        );
                        sum = b.fadd(sum, t);
                    }
                }
            }
            if stage == Stage::Fragment {
                for axis in [Axis::X, Axis::Y] {
                    let d = b.derivative(axis, sum);
                    sum = b.fadd(sum, d);
                }
            }
            write(b, 0, sum);
        });
        made.check(stage == Stage::Vertex);
        let kernel = Options { form: Form::Compute, ..Options::default() };
        if stage == Stage::Fragment {
            assert_eq!(made.translate(SpirvVersion::V1_3, &kernel), Err("translate-compute-lod".into()));
        }
    }
}

#[test]
fn kill_and_depth() {
    let mut m = straight(Stage::Fragment, |b, a, c| {
        let x = b.component(a, 0);
        let y = b.component(c, 0);
        let t = b.flt(x, y);
        b.kill(t);
        write(b, 0, a);
        let depth = b.fmul(x, y);
        b.write(Reg::new(OUTPUT, 8), Mask(1), depth);
    });
    m.interface.outputs.push(Io { count: 1, ..io("od", OUTPUT, 8, Binding::Depth) });
    m.check(true);
    let old = listing(&words(&m.translate(SpirvVersion::V1_5, &Options::default()).unwrap()));
    let new = listing(&words(&m.translate(SpirvVersion::V1_6, &Options::default()).unwrap()));
    if !old.is_empty() {
        assert!(old.contains("OpKill") && !old.contains("OpDemoteToHelperInvocation"), "{old}");
        assert!(new.contains("OpDemoteToHelperInvocation") && !new.contains("OpKill"), "{new}");
        assert!(new.contains("DepthReplacing"), "{new}");
    }
}

#[test]
fn numbers_of_the_stage() {
    let mut m = straight(Stage::Vertex, |b, a, _| {
        let n = b.read(Reg::new(INPUT, 8), Swizzle::splat(0), Scalar::F32.by(4));
        let i = b.read(Reg::new(INPUT, 12), Swizzle::splat(0), Scalar::I32.by(4));
        let i = b.convert(Convert::SignedToFloat, i, Scalar::F32);
        let n = b.fadd(n, i);
        let n = b.fadd(n, a);
        write(b, 0, n);
    });
    m.interface.inputs.push(Io { count: 1, ..io("iid", INPUT, 8, Binding::InstanceIndex) });
    m.interface.inputs.push(Io {
        count: 1,
        scalar: Scalar::I32,
        ..io("vid", INPUT, 12, Binding::VertexIndex)
    });
    m.check(true);
    let mut m = Made::new(Stage::Compute);
    let (block, ()) = m.block(|b| {
        let id = b.read(Reg::new(INPUT, 0), Swizzle::IDENTITY, Scalar::I32.by(3));
        b.iadd(id, id);
    });
    m.tree.body = vec![block];
    m.interface.inputs = vec![Io { scalar: Scalar::I32, count: 3, ..io("id", INPUT, 0, Binding::GlobalId) }];
    m.interface.outputs.clear();
    m.interface.workgroup = [8, 4, 1];
    m.check(false);
}

/// A loop with a break and a continue, a switch inside, an early exit.
#[test]
fn statements() {
    let mut m = Made::new(Stage::Vertex);
    let (first, (zero, one, go)) = m.block(|b| {
        let a = input(b, 0, 4);
        let zero = b.f32(0.0, 4);
        let x = b.component(a, 0);
        let y = b.component(a, 1);
        (zero, a, b.flt(x, y))
    });
    let (head, sum, param) = m.param_block(Scalar::F32.by(4));
    let (work, (next, done)) = m.block(|b| {
        let next = b.fadd(param, one);
        let x = b.component(next, 0);
        let y = b.f32(100.0, 1);
        (next, b.flt(y, x))
    });
    let (end, ()) = m.block(|b| write(b, 0, next));
    let (early, ()) = m.block(|b| write(b, 1, one));
    let flag = m.var(Type::BOOL, VarKind::Flag);
    let state = m.var(Type::I32, VarKind::Next);
    let iffy = |cond, yes, no| Stmt::If { cond, yes, no };
    m.tree.body = vec![
        first,
        Stmt::Set(sum, zero),
        iffy(Cond::Value(go), vec![early.clone(), Stmt::Exit], vec![]),
        iffy(Cond::Value(go), vec![], vec![]),
        iffy(Cond::Value(go), vec![], vec![Stmt::SetConst(flag, 1)]),
        Stmt::Loop(vec![
            head,
            work,
            iffy(Cond::Value(done), vec![Stmt::Break, Stmt::Set(sum, next)], vec![Stmt::Set(sum, next)]),
            iffy(Cond::Flag(flag), vec![Stmt::Continue], vec![]),
            Stmt::Switch(
                state,
                vec![
                    vec![Stmt::SetConst(state, 1), Stmt::Continue],
                    vec![Stmt::Break],
                    vec![],
                    vec![
                        Stmt::Loop(vec![Stmt::Break]),
                        iffy(Cond::Value(go), vec![Stmt::Exit], vec![Stmt::Break]),
                    ],
                ],
            ),
        ]),
        // Used after the loop.
        end,
        iffy(Cond::Value(done), vec![Stmt::Exit], vec![Stmt::Exit]),
        early,
    ];
    m.check(true);
    // No path leads out of this loop.
    let (body, ()) = m.block(|b| write(b, 0, zero));
    m.tree.body = vec![Stmt::Loop(vec![body.clone()]), body];
    m.check(true);
    m.tree.body = vec![Stmt::Break];
    assert_eq!(m.translate(SpirvVersion::V1_3, &Options::default()), Err("translate-shape".into()));
}

/// A dispatch loop: one case uses a value that another made.
#[test]
fn dispatch_loop() {
    let mut m = Made::new(Stage::Vertex);
    let state = m.var(Type::I32, VarKind::Next);
    let (a, made) = m.block(|b| {
        let a = input(b, 0, 4);
        b.fadd(a, a)
    });
    let (c, ()) = m.block(|b| write(b, 0, made));
    m.tree.body = vec![
        Stmt::SetConst(state, 1),
        Stmt::Loop(vec![Stmt::Switch(
            state,
            vec![vec![c, Stmt::Exit], vec![a.clone(), Stmt::SetConst(state, 0)], vec![a, Stmt::Continue]],
        )]),
    ];
    m.check(true);
}

/// Derivatives where lanes have diverged: taken at the start if that is possible, else with a warning.
#[test]
fn divergent_samples() {
    let mut m = Made::new(Stage::Fragment);
    let (start, (apart, together)) = m.block(|b| {
        let a = input(b, 0, 1);
        let c = b.read(Reg::new(UNIFORM, 0), Swizzle::IDENTITY, Type::F32);
        (b.flt(a, c), b.flt(c, c))
    });
    let sample = |b: &mut Builder, coord, lod| b.texture(TexOp::sample(0, Dim::D2, coord, lod), Scalar::F32);
    let (plain, first) = m.block(|b| {
        let coord = input(b, 1, 2);
        let coord = b.fmul(coord, coord);
        let bias = b.f32(1.5, 1);
        sample(b, coord, Lod::Bias(bias))
    });
    let (nested, ()) = m.block(|b| {
        let coord = b.swizzle(first, Swizzle::IDENTITY, 2);
        let second = sample(b, coord, Lod::Implicit);
        write(b, 0, second);
    });
    for (cond, expected, warnings) in
        [(apart, "OpImageSampleExplicitLod", 1), (together, "OpImageSampleImplicitLod", 0)]
    {
        let yes = vec![plain.clone(), nested.clone()];
        m.tree.body = vec![start.clone(), Stmt::If { cond: Cond::Value(cond), yes, no: vec![] }];
        m.check(false);
        let output = m.translate(SpirvVersion::V1_3, &Options::default()).unwrap();
        assert_eq!(output.warnings.len(), warnings);
        let text = listing(&words(&output));
        assert!(
            text.is_empty() || text.contains(expected) && text.contains("OpDPdxFine") == (warnings > 0),
            "{text}"
        );
    }
    // A lane that has ended is no longer a neighbour.
    m.tree.body =
        vec![start, Stmt::If { cond: Cond::Value(apart), yes: vec![Stmt::Exit], no: vec![] }, plain, nested];
    m.check(false);
    assert_eq!(m.translate(SpirvVersion::V1_3, &Options::default()).unwrap().warnings.len(), 1);
}

#[test]
fn memory() {
    straight(Stage::Vertex, |b, a, _| {
        let x = b.component(a, 0);
        let address = b.convert(Convert::FloatToUnsigned, x, Scalar::I32);
        let v = b.load(Space::Global, address, Scalar::F32.by(3));
        let w = b.load(Space::Constant(3), address, Scalar::I32.by(3));
        let w = b.convert(Convert::Bits, w, Scalar::F32);
        let sum = b.fadd(v, w);
        b.store(Space::Global, address, sum);
        b.store(Space::Global, address, x);
    })
    .check(false);
}

/// The names of the variables that are decorated as aliased, in order.
fn aliased(words: &[u32]) -> Vec<String> {
    let (mut names, mut found) = (Vec::new(), Vec::new());
    const NAME: u32 = spirv::Op::Name as u32;
    const DECORATE: u32 = spirv::Op::Decorate as u32;
    const ALIASED: u32 = spirv::Decoration::Aliased as u32;
    for instruction in instructions(words) {
        match (opcode(instruction), instruction) {
            (NAME, [_, id, name @ ..]) => {
                let bytes: Vec<u8> = name.iter().flat_map(|word| word.to_le_bytes()).collect();
                let end = bytes.iter().position(|byte| *byte == 0).unwrap();
                names.push((*id, String::from_utf8(bytes[..end].to_vec()).unwrap()));
            }
            (DECORATE, [_, id, ALIASED]) => found.push(*id),
            _ => {}
        }
    }
    let name = |id: &u32| names.iter().find(|(named, _)| named == id).map_or("", |(_, name)| name);
    let mut all: Vec<String> = found.iter().map(|id| name(id).to_owned()).collect();
    all.sort();
    all
}

/// Atomic operations of 64 bits see the memory as words of their size.
#[test]
fn views_of_the_same_memory_are_aliased() {
    let buffer = Buffer { name: "buffer3".into(), number: 3, pointer: Pointer { bank: 0, offset: 0 } };
    let rows: [(Space, [&str; 2]); 3] = [
        (Space::Global, ["global", "global_longs"]),
        (Space::Shared, ["shared", "shared_longs"]),
        (Space::Buffer(3), ["buffer3", "buffer3_longs"]),
    ];
    for (space, names) in rows {
        for bits in [32, 64] {
            let mut m = Made::new(Stage::Compute);
            let (block, ()) = m.block(|b| {
                let (address, ty) = (b.i32(8), if bits == 64 { Type::I64 } else { Type::I32 });
                let value = b.constant(ty, 7);
                b.atomic(Atomic::Combine(Binary::IAdd), (space, address), value, None);
                b.atomic(Atomic::Combine(Binary::Or), (space, address), value, None);
                let (address, word) = (b.i32(0), b.i32(1));
                b.store(space, address, word);
                b.atomic(Atomic::Combine(Binary::IAdd), (space, address), word, None);
            });
            m.tree.body = vec![block, Stmt::Exit];
            m.interface = Interface {
                buffers: vec![buffer.clone()],
                shared: 64,
                ..Case::new(Stage::Compute, FILES).interface
            };
            let output = m.translate(SpirvVersion::V1_4, &Options::default()).unwrap();
            let expected: &[&str] = if bits == 64 { &names } else { &[] };
            assert_eq!(aliased(&words(&output)), expected, "{space:?} {bits}");
            validate(SpirvVersion::V1_4, &words(&output));
        }
    }
}
