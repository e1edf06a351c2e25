//! Products of zero and infinity: code for them exists only if the rule says that they are zero and the options ask for
//! exact products, in every operation that multiplies; on a device it yields what the rule says.

use crate::common::*;
use shisa_ir::*;
use shisa_translate::execute::{Device, Resources};
use shisa_translate::*;

type Made = fn(&mut Builder, Value, Value) -> Value;

/// Operations that multiply, and what they yield for 0 and infinity, or, for a power, 0 and 0.
const OPERATIONS: [(&str, Made, [f32; 2], f32); 4] = [
    ("product", |b, x, y| b.fmul(x, y), [0.0, f32::INFINITY], 0.0),
    ("power", |b, x, y| b.binary(Binary::FPow, x, y), [0.0, 0.0], 1.0),
    (
        "dot product",
        |b, x, y| {
            let dot = b.fdot(x, y);
            b.splat(dot, 4)
        },
        [0.0, f32::INFINITY],
        0.0,
    ),
    ("fused product", |b, x, y| b.fma(x, y, x), [0.0, f32::INFINITY], 0.0),
];

fn case(zero_product: bool, made: Made) -> Case {
    Case::vertex(|b| {
        b.rule = FloatRule { zero_product, ..FloatRule::IEEE };
        let (x, y) = (input(b, 0), input(b, 1));
        let result = made(b, x, y);
        output(b, 2, result);
        output(b, 3, x);
    })
}

const TARGETS: [Target; 5] = [
    Target::Wgsl,
    Target::Spirv(SpirvVersion::V1_3),
    Target::Glsl(GlslVersion::Core450),
    Target::Hlsl(ShaderModel::V6_0),
    Target::Msl,
];

fn code(zero_product: bool, products: Products, made: Made, target: Target) -> Code {
    let options = Options { form: Form::Compute, products, ..Options::default() };
    case(zero_product, made).translate(target, &options).unwrap_or_else(|e| panic!("{e:#?}")).code
}

fn length(code: &Code) -> usize {
    match code {
        Code::Text(text) => text.len(),
        Code::Words(words) => words.len(),
    }
}

#[test]
fn only_exact_products_have_code_for_zero_times_infinity() {
    for (name, made, ..) in OPERATIONS {
        for target in TARGETS {
            let of = |zero, products| code(zero, products, made, target);
            let plain = of(false, Products::Exact);
            assert_eq!(plain, of(false, Products::Fast), "{name} {target:?}");
            assert_eq!(plain, of(true, Products::Fast), "{name} {target:?}");
            assert!(length(&of(true, Products::Exact)) > length(&plain), "{name} {target:?}");
        }
    }
}

#[test]
fn exact_products_of_zero_are_zero_on_a_device() {
    for (words, target) in [(false, Target::Wgsl), (true, Target::Spirv(SpirvVersion::V1_3))] {
        let device =
            Device::open().and_then(|d| if words { d.with_words(shisa_passthrough::module) } else { Ok(d) });
        let Ok(device) = device.map_err(|e| println!("skipped: {e}")) else { return };
        for (name, made, operands, want) in OPERATIONS {
            let options = Options { form: Form::Compute, exact: true, ..Options::default() };
            let translated =
                case(true, made).translate(target, &options).unwrap_or_else(|e| panic!("{e:#?}"));
            let lane = operands.map(|x| [x.to_bits(); 4]).to_vec();
            let got =
                device.lanes(&translated, Resources::default(), &[lane]).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(got[0].outputs[0].map(f32::from_bits), [want; 4], "{name} {target:?}");
        }
    }
}

/// A factor that is neither zero nor infinite, or the value itself, needs no code.
#[test]
fn products_with_zero_or_infinity_need_code() {
    let words = |scalar: Scalar, bits: Option<u64>, products| {
        let case = Case::vertex(|b| {
            b.rule = FloatRule { zero_product: true, ..FloatRule::IEEE };
            let x = b.read(Reg::new(FileId(0), 0), Swizzle::IDENTITY, Type::F32);
            let x = b.convert(Convert::Float, x, scalar);
            let known = bits.map_or(x, |bits| b.constant(scalar.by(1), bits));
            let product = b.fmul(x, known);
            let swapped = b.fmul(known, x);
            let sum = b.fadd(product, swapped);
            let sum = b.convert(Convert::Float, sum, Scalar::F32);
            let sum = b.splat(sum, 4);
            output(b, 2, sum);
            output(b, 3, sum);
        });
        let options = Options { products, float16: true, ..Options::default() };
        case.translate(Target::Spirv(SpirvVersion::V1_3), &options).unwrap_or_else(|e| panic!("{e:#?}")).code
    };
    for (scalar, bits, careful) in [
        (Scalar::F32, Some(2f32.to_bits().into()), false),
        (Scalar::F32, Some((-2f32).to_bits().into()), false),
        (Scalar::F32, Some(0), true),
        (Scalar::F32, Some((-0f32).to_bits().into()), true),
        (Scalar::F32, Some(f32::INFINITY.to_bits().into()), true),
        (Scalar::F32, Some(f32::NEG_INFINITY.to_bits().into()), true),
        (Scalar::F32, None, false),
        (Scalar::F16, Some(0xbc00), false),
        (Scalar::F16, Some(0x8000), true),
        (Scalar::F16, Some(0xfc00), true),
        (Scalar::F64, Some((-2f64).to_bits()), false),
        (Scalar::F64, Some((-0f64).to_bits()), true),
        (Scalar::F64, Some(f64::NEG_INFINITY.to_bits()), true),
    ] {
        let needs = words(scalar, bits, Products::Exact) != words(scalar, bits, Products::Fast);
        assert_eq!(needs, careful, "{scalar:?} {bits:x?}");
    }
}
