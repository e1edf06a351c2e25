//! Refusals, limits, names, lines and the source map.

use super::*;
use shisa_ir::{SamplerSlot, Texture};

fn small(stage: Stage, f: impl FnOnce(&mut Builder)) -> Made {
    let mut m = Made::new(stage);
    let (block, ()) = m.block(f);
    m.tree.body = vec![block, Stmt::Exit];
    m
}

fn code(m: &Made, limits: &Limits) -> &'static str {
    let program = Program { func: &m.func, tree: &m.tree, interface: &m.interface, source: &[] };
    match translate(&program, Target::Spirv(SpirvVersion::V1_3), &Options::default(), limits) {
        Ok(_) => "",
        Err(d) => d[0].code,
    }
}

#[test]
fn refusals() {
    let value = |b: &mut Builder| b.f32(1.5, 1);
    let cases: [(&str, Made); 12] = [
        (
            "translate-rounding",
            small(Stage::Vertex, |b| {
                b.rule.round = Round::Zero;
                let a = value(b);
                b.fsqrt(a);
            }),
        ),
        (
            "translate-rounding",
            small(Stage::Vertex, |b| {
                b.rule.round = Round::Up;
                let a = value(b);
                b.convert(Convert::Float, a, Scalar::F16);
            }),
        ),
        (
            "",
            small(Stage::Vertex, |b| {
                b.rule.round = Round::Up;
                let a = value(b);
                b.unary(Unary::FFloor, a);
            }),
        ),
        (
            "translate-unsupported",
            small(Stage::Vertex, |b| {
                let a = value(b);
                let t = b.flt(a, a);
                b.kill(t);
            }),
        ),
        (
            "translate-unsupported",
            small(Stage::Vertex, |b| {
                let a = b.i32(0);
                b.load(Space::Shared, a, Type::I32);
            }),
        ),
        (
            "translate-unsupported",
            small(Stage::Vertex, |b| {
                let a = b.i32(0);
                b.store(Space::Shared, a, a);
            }),
        ),
        (
            "translate-unsupported",
            small(Stage::Vertex, |b| {
                let a = value(b);
                let t = b.flt(a, a);
                b.push(Op::Lane { op: LaneOp::Any, a: t, b: t }, Type::BOOL);
            }),
        ),
        (
            "translate-unsupported",
            small(Stage::Compute, |b| {
                b.push(Op::Barrier, Type::NONE);
            }),
        ),
        // Its interface states no primitives.
        ("translate-shape", small(Stage::Geometry, |_| ())),
        (
            "translate-compute-derivative",
            small(Stage::Vertex, |b| {
                let a = value(b);
                b.derivative(Axis::X, a);
            }),
        ),
        (
            "translate-shape",
            small(Stage::Vertex, |b| {
                b.push(Op::Unary { op: Unary::FNeg, rule: FloatRule::IEEE, a: Value(77) }, Type::F32);
            }),
        ),
        (
            "translate-uniform-range",
            small(Stage::Vertex, |b| {
                b.read(Reg::new(UNIFORM, 200), Swizzle::IDENTITY, Type::F32);
            }),
        ),
    ];
    for (i, (expected, made)) in cases.iter().enumerate() {
        assert_eq!(code(made, &Limits::default()), *expected, "case {i}");
    }
}

#[test]
fn limits_hold_at_their_value() {
    let mut m = small(Stage::Vertex, |b| {
        for _ in 0..10 {
            b.f32(0.0, 1);
        }
    });
    // Ten operations and two statements.
    for (fuel, expected) in [(11, "limit-exceeded"), (12, ""), (13, "")] {
        assert_eq!(code(&m, &Limits { fuel, ..Limits::default() }), expected);
    }
    for _ in 0..20 {
        m.tree.body = vec![Stmt::Loop(core::mem::take(&mut m.tree.body))];
    }
    for (printed_nesting, expected) in [(19, "limit-exceeded"), (20, ""), (21, "")] {
        assert_eq!(code(&m, &Limits { printed_nesting, ..Limits::default() }), expected);
    }
}

#[test]
fn names_lines_and_source_map() {
    let mut m = Made::new(Stage::Vertex);
    let (first, sum) = m.block(|b| {
        let a = b.read(Reg::new(INPUT, 0), Swizzle::IDENTITY, Scalar::F32.by(4));
        b.fadd(a, a)
    });
    let (second, ()) = m.block(|b| b.write(Reg::new(OUTPUT, 0), Mask::ALL, sum));
    m.tree.body = vec![first, second];
    let source =
        [Source { text: "add vt0, va0, va0", result: "vt0" }, Source { text: "mov op, vt0", result: "" }];
    let program = Program { func: &m.func, tree: &m.tree, interface: &m.interface, source: &source };
    let options = Options { comments: true, name: "shader".into(), ..Options::default() };
    let output =
        translate(&program, Target::Spirv(SpirvVersion::V1_3), &options, &Limits::default()).unwrap();
    let words = words(&output);
    validate(SpirvVersion::V1_3, &words);
    let instructions: Vec<_> = output.source_map.iter().map(|m| m.instruction).collect();
    assert_eq!(instructions, [0, 1]);
    for m in &output.source_map {
        // A line of its own, then the operation.
        assert_eq!(words[m.start as usize], 4 << 16 | spirv::Op::Line as u32);
        assert_eq!(words[m.start as usize + 2], m.instruction + 1);
    }
    let last = output.source_map[1];
    let store = words[last.start as usize + 4];
    assert_eq!((store, last.end - last.start), (3 << 16 | spirv::Op::Store as u32, 7));
    let text = listing(&words);
    for part in ["%vt0 = OpFAdd %v4float %i0 %i0", "add vt0, va0, va0", "\"shader_main\"", "NoContraction"] {
        assert!(text.is_empty() || text.contains(part), "{part}\n{text}");
    }
    // The same words as without the listing, apart from lines and strings.
    let plain =
        translate(&program, Target::Spirv(SpirvVersion::V1_3), &Options::default(), &Limits::default())
            .unwrap();
    assert_eq!(plain.source_map.len(), 2);
}

/// Atomic operations that no language has, and banks of constants that a program selects, are refused by all writers;
/// an exchange and a bank by number are not.
#[test]
fn memory_that_languages_lack_is_refused() {
    let atomic = |op: Atomic| {
        small(Stage::Vertex, |b| {
            let zero = b.i32(0);
            let float = matches!(op, Atomic::CombineFloats(..));
            let value = if float { b.f32(1.0, 1) } else { zero };
            b.atomic(op, (Space::Global, zero), value, None);
        })
    };
    let load = |space: Space| {
        small(Stage::Vertex, |b| {
            let zero = b.i32(0);
            b.load(space, zero, Type::I32);
        })
    };
    let refused = "translate-unsupported";
    let cases = [
        (atomic(Atomic::Exchange), ""),
        (atomic(Atomic::Increment), refused),
        (atomic(Atomic::Decrement), refused),
        (atomic(Atomic::CombineFloats(Binary::FAdd, FloatRule::IEEE)), refused),
        (load(Space::Constant(1)), ""),
        (load(Space::Constants), refused),
    ];
    for (i, (made, expected)) in cases.iter().enumerate() {
        let program = Program { func: &made.func, tree: &made.tree, interface: &made.interface, source: &[] };
        for target in [Target::Spirv(SpirvVersion::V1_3), Target::Wgsl] {
            let found = translate(&program, target, &Options::default(), &Limits::default());
            let found = found.err().map_or("", |d| d[0].code);
            assert_eq!(found, *expected, "case {i} for {target:?}");
        }
    }
}

/// The values of the constants of 32 bits of a module, and its opcodes.
fn constants_and_opcodes(m: &Made) -> (Vec<u32>, Vec<u32>) {
    const CONSTANT: u32 = 43;
    let words = words(&m.translate(SpirvVersion::V1_3, &Options::default()).unwrap());
    let constants = instructions(&words).filter_map(|instruction| match *instruction {
        [_, _, _, bits] if opcode(instruction) == CONSTANT => Some(bits),
        _ => None,
    });
    (constants.collect(), instructions(&words).map(opcode).collect())
}

/// An operation on the bits of an input.
fn of_input(f: impl FnOnce(&mut Builder, Value) -> Value) -> Made {
    small(Stage::Vertex, |b| {
        let v = b.read(Reg::new(INPUT, 0), Swizzle::IDENTITY, Scalar::F32.by(4));
        let result = f(b, v);
        let bits = b.convert(Convert::Bits, result, Scalar::F32);
        b.write(Reg::new(OUTPUT, 0), Mask::ALL, bits);
    })
}

/// The instructions that convert are undefined outside of the integers' range.
#[test]
fn floats_are_clamped_to_the_largest_one_inside_of_the_range() {
    for (op, largest) in [(Convert::FloatToSigned, 0x4eff_ffff), (Convert::FloatToUnsigned, 0x4f7f_ffff)] {
        let (constants, _) = constants_and_opcodes(&of_input(|b, v| b.convert(op, v, Scalar::I32)));
        assert!(constants.contains(&largest), "{op:?}: {constants:x?}");
        assert!(!constants.contains(&(largest + 1)), "{op:?}: {constants:x?}");
    }
}

/// Shifts by the width or more are undefined.
#[test]
fn no_shift_is_by_the_width_or_more() {
    const LOGICAL: [u32; 2] = [194, 196];
    for (op, by) in [Binary::Shl, Binary::LShr].into_iter().flat_map(|op| [31, 32, 33].map(|by| (op, by))) {
        let (_, opcodes) = constants_and_opcodes(&of_input(|b, v| {
            let (v, by) = (b.convert(Convert::Bits, v, Scalar::I32), b.constant(Scalar::I32.by(4), by));
            b.binary(op, v, by)
        }));
        assert_eq!(opcodes.iter().any(|o| LOGICAL.contains(o)), by < 32, "{op:?} by {by}");
    }
}

/// Image operands are in the order of their bits in the mask: the bias, the offset, the least level.
#[test]
fn image_operands_are_in_the_order_of_their_bits() {
    let mut m = small(Stage::Fragment, |b| {
        let coord = b.read(Reg::new(INPUT, 0), Swizzle::IDENTITY, Scalar::F32.by(2));
        let bias = b.f32(2.0, 1);
        let (least, parts) = (b.f32(3.0, 1), [b.i32(1), b.i32(-1)]);
        let offset = b.join(&parts);
        let op = TexOp::sample(0, Dim::D2, coord, Lod::Bias(bias));
        let color = b.texture(TexOp { offset: Some(offset), least: Some(least), ..op }, Scalar::F32);
        b.write(Reg::new(OUTPUT, 4), Mask::ALL, color);
    });
    m.interface.outputs.remove(0);
    let output = m.translate(SpirvVersion::V1_3, &Options::default()).unwrap();
    let words = words(&output);
    validate(SpirvVersion::V1_3, &words);
    let defining =
        |id: u32| instructions(&words).find(|i| matches!(opcode(i), 43 | 44) && i[2] == id).unwrap();
    let sample = instructions(&words).find(|i| opcode(i) == 87).expect("OpImageSampleImplicitLod");
    assert_eq!(sample[5], 1 | 8 | 128, "bias, constant offset, least level");
    assert_eq!(defining(sample[6])[3], 2f32.to_bits());
    assert_eq!(opcode(defining(sample[7])), 44, "a vector");
    assert_eq!(defining(sample[8])[3], 3f32.to_bits());
}

/// Textures that differ in any property have image types of their own, and equal ones share theirs.
#[test]
fn images_that_differ_are_other_types() {
    let (plain, layered) = (Shape::from(Dim::D2), Shape::from(Dim::D2).layered());
    let samples = Shape { multisampled: true, ..plain };
    let all = [
        (plain, TextureAccess::Sampled, Scalar::F32),
        (plain, TextureAccess::Sampled, Scalar::F32),
        (plain, TextureAccess::Sampled, Scalar::I32),
        (Dim::D3.into(), TextureAccess::Sampled, Scalar::F32),
        (plain, TextureAccess::Compared, Scalar::F32),
        (layered, TextureAccess::Sampled, Scalar::F32),
        (samples, TextureAccess::Sampled, Scalar::F32),
        (plain, TextureAccess::Written, Scalar::F32),
    ];
    let mut made = small(Stage::Fragment, |b| {
        let at = b.read(Reg::new(INPUT, 0), Swizzle::IDENTITY, Scalar::F32.by(4));
        let whole = b.convert(Convert::FloatToSigned, at, Scalar::I32);
        for (unit, (shape, access, texels)) in (0..).zip(all) {
            let count = if shape.dim == Dim::D3 { 3 } else { 2 };
            let (coord, texel) =
                (b.swizzle(at, Swizzle::IDENTITY, count), b.swizzle(whole, Swizzle::IDENTITY, count));
            let first = b.component(whole, 0);
            let layer = shape.arrayed.then_some(first);
            let op = TexOp { layer, ..TexOp::sample(unit, shape, coord, Lod::Zero) };
            let fetched = TexOp { coord: texel, kind: TexKind::Fetch, ..op };
            match access {
                TextureAccess::Written => {
                    b.texture_store(TexOp { kind: TexKind::Store(at), ..fetched });
                    continue;
                }
                TextureAccess::Compared => {
                    let compare = Some(b.component(at, 2));
                    b.texture(TexOp { compare, sampler: SamplerRef::Unit(0), ..op }, texels)
                }
                _ if shape.multisampled => b.texture(TexOp { sample: Some(first), ..fetched }, texels),
                _ if texels == Scalar::I32 => b.texture(fetched, texels),
                _ => b.texture(op, texels),
            };
        }
    });
    let texture =
        |(unit, (shape, access, texels))| Texture { access, texels, ..Texture::new("s", unit, shape) };
    made.interface.textures = (0..).zip(all).map(texture).collect();
    made.interface.samplers =
        vec![SamplerSlot { name: "ss".into(), unit: 0, comparison: true, handle: String::new() }];
    let words = words(&made.translate(SpirvVersion::V1_3, &Options::default()).unwrap());
    validate(SpirvVersion::V1_3, &words);
    let types = instructions(&words).filter(|i| opcode(i) == spirv::Op::TypeImage as u32);
    assert_eq!(types.count(), all.len() - 1);
}
