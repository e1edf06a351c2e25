//! The program of a seed, what it consists of, and what the interpreter reports about a lane.

use shisa_ir::{
    Binary, Block, BlockId, Convert, End, FileId, FloatRule, Func, Mask, NanRule, Nodes, Op, Reg, Scalar,
    Stmt, Swizzle, Tree, Type, Unary, Value,
};
use shisa_translate::execute::random::{Generated, Outcome, Random, UNIFORMS, program, run, same};
use std::collections::BTreeMap;

/// A digest of a text.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// A report names the seed of a program that a device does not compute: it has to be the same program everywhere, until
/// the generator is changed on purpose.
#[test]
fn a_seed_is_the_same_program_on_every_machine() {
    let mut random = Random::new(1);
    let numbers: Vec<u64> = (0..4).map(|_| random.next()).collect();
    let below: Vec<usize> = (0..8).map(|_| random.below(100)).collect();
    let registers: Vec<[u32; 4]> = (0..40).map(|_| random.register()).collect();
    let programs: Vec<u64> = (0..60)
        .map(|seed| {
            let Generated { func, tree, interface } = program(&mut Random::new(seed));
            digest(&format!("{:?} {:?} {tree:?} {interface:?}", func.nodes.list, func.blocks))
        })
        .collect();
    assert_eq!(random.below(0), 0);
    let found = format!(
        "{numbers:x?} {below:?} {:x} {:x}",
        digest(&format!("{registers:x?}")),
        digest(&format!("{programs:x?}"))
    );
    assert_eq!(found, WANTED, "if the generator was changed on purpose, this is its new digest");
}

/// Numbers of a generator, and digests of registers and programs.
const WANTED: &str = "[a87719486a1fbe8, 1f718476476239e9, 10a19303d7538c0, 1194c9e62cfa647b] [32, 19, 21, 99, 67, 16, 91, 24] \
                      a26d957af57ad4c5 6b30ab2fb4f42b1c";

/// The name of an operation without its operands.
fn name(op: &Op) -> String {
    match op {
        Op::Unary { op, .. } => format!("{op:?}"),
        Op::Binary { op, .. } => format!("{op:?}"),
        Op::Ternary { op, .. } => format!("{op:?}"),
        Op::Convert { op, .. } => format!("{op:?}"),
        other => format!("{other:?}").split([' ', '(']).next().unwrap_or_default().to_owned(),
    }
}

#[test]
fn random_programs_have_every_operation_and_statement() {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    fn statements(list: &[Stmt], depth: usize, names: &mut BTreeMap<String, usize>, deepest: &mut usize) {
        *deepest = depth.max(*deepest);
        for stmt in list {
            let name = format!("{stmt:?}").split([' ', '(']).next().unwrap_or_default().to_owned();
            *names.entry(format!("Stmt::{name}")).or_default() += 1;
            match stmt {
                Stmt::If { yes, no, .. } => {
                    statements(yes, depth + 1, names, deepest);
                    statements(no, depth + 1, names, deepest);
                }
                Stmt::Loop(body) => statements(body, depth + 1, names, deepest),
                Stmt::Switch(_, cases) => cases.iter().for_each(|c| statements(c, depth + 1, names, deepest)),
                _ => {}
            }
        }
    }
    let (mut deepest, mut most) = (0, 0);
    for seed in 0..300 {
        let Generated { func, tree, .. } = program(&mut Random::new(seed));
        most = most.max(func.nodes.list.len());
        func.nodes.list.iter().for_each(|node| *names.entry(name(&node.op)).or_default() += 1);
        statements(&tree.body, 0, &mut names, &mut deepest);
    }
    let expected = "Const Param Read ReadAt Write Kill Swizzle Join Select FNeg FAbs FSat FFloor FCeil FTrunc FRound INeg \
                    Not PopCount LeadingZeros ReverseBits FAdd FSub FMul FMin FMax FDot FEq FNe FLt FLe IAdd ISub IMul \
                    UMulHi SMulHi UMin UMax SMin SMax And Or Xor Shl LShr AShr IEq INe ULt ULe SLt SLe SignedToFloat \
                    UnsignedToFloat Bits Truncate FloatToSigned FloatToUnsigned ZeroExtend SignExtend Stmt::Block \
                    Stmt::Set Stmt::SetConst Stmt::If Stmt::Loop Stmt::Switch Stmt::Break Stmt::Continue Stmt::Exit";
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort_unstable();
    let mut found: Vec<&str> = names.keys().map(String::as_str).collect();
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(names.values().all(|count| *count >= 20), "{names:?}");
    // A loop around a switch is two levels.
    assert!((4..=7).contains(&deepest), "{deepest}");
    assert!((100..1000).contains(&most), "{most}");
}

/// Programs of one block that write a value made of the first input registers.
fn outcome(build: impl FnOnce(&mut Nodes) -> Value, inputs: [u32; 4]) -> Outcome {
    let mut nodes = Nodes::default();
    let value = build(&mut nodes);
    let (origin, ty) = (0, nodes.ty(value));
    let bits = match ty.scalar {
        Scalar::F32 => value,
        _ => nodes.push(
            Op::Convert { op: Convert::Bits, rule: FloatRule::IEEE, a: value },
            Scalar::F32.by(ty.count),
            origin,
        ),
    };
    let reg = Reg::new(FileId(2), 0);
    nodes.push(Op::Write { reg, mask: Mask::ALL, value: bits }, Type::NONE, origin);
    let body = (0..nodes.list.len() as u32).map(Value).collect();
    let made = program(&mut Random::new(0));
    let generated = Generated {
        func: Func { nodes, blocks: vec![Block { params: Vec::new(), body, end: End::Exit }], ..made.func },
        tree: Tree { vars: Vec::new(), body: vec![Stmt::Block(BlockId(0)), Stmt::Exit] },
        interface: made.interface,
    };
    run(&generated, &[inputs; 4], &[[0; 4]; UNIFORMS as usize]).expect("it ends")
}

fn read(nodes: &mut Nodes, component: u8, scalar: Scalar) -> Value {
    let op = Op::Read { reg: Reg::new(FileId(0), 0), swizzle: Swizzle::from_slice(&[component]) };
    let value = nodes.push(op, Type::F32, 0);
    if scalar == Scalar::F32 {
        return value;
    }
    nodes.push(Op::Convert { op: Convert::Bits, rule: FloatRule::IEEE, a: value }, scalar.by(1), 0)
}

const ONE: u32 = 0x3f80_0000;
const SMALLEST: u32 = 0x0080_0000;
const DENORMAL: u32 = 0x007f_ffff;
const INFINITY: u32 = 0x7f80_0000;
const NAN: u32 = 0x7fc0_0000;
const FLUSH: FloatRule = FloatRule { flush: true, ..FloatRule::IEEE };

fn binary(op: Binary, rule: FloatRule, scalar: Scalar, inputs: [u32; 2]) -> Outcome {
    let build = |nodes: &mut Nodes| {
        let (a, b) = (read(nodes, 0, scalar), read(nodes, 1, scalar));
        nodes.push(Op::Binary { op, rule, a, b }, scalar.by(1), 0)
    };
    outcome(build, [inputs[0], inputs[1], 0, 0])
}

/// What a target may do with a denormal is not defined, unless the rule flushes it.
#[test]
fn denormals_are_doubtful_unless_they_are_flushed() {
    let add = |rule, x, y| binary(Binary::FAdd, rule, Scalar::F32, [x, y]).doubtful;
    for denormal in [1, DENORMAL, 0x8000_0001] {
        assert!(add(FloatRule::IEEE, denormal, ONE) && add(FloatRule::IEEE, ONE, denormal));
        assert!(!add(FLUSH, denormal, ONE));
        assert!(!binary(Binary::IAdd, FloatRule::IEEE, Scalar::I32, [denormal, 1]).doubtful);
    }
    for normal in [0, 0x8000_0000, SMALLEST, ONE, INFINITY, NAN] {
        assert!(!add(FloatRule::IEEE, normal, ONE), "{normal:x}");
    }
    // A result that is one.
    assert!(binary(Binary::FSub, FloatRule::IEEE, Scalar::F32, [SMALLEST + 1, SMALLEST]).doubtful);
    assert!(!binary(Binary::FSub, FLUSH, Scalar::F32, [SMALLEST + 1, SMALLEST]).doubtful);
    let unary = |op| {
        let build = |nodes: &mut Nodes| {
            let a = read(nodes, 0, Scalar::F32);
            nodes.push(Op::Unary { op, rule: FloatRule::IEEE, a }, Type::F32, 0)
        };
        outcome(build, [1, 0, 0, 0]).doubtful
    };
    // A sign is a bit.
    assert!(!unary(Unary::FNeg) && !unary(Unary::FAbs) && unary(Unary::FFloor));
}

/// A product that is a denormal is doubtful although the sum is not.
#[test]
fn products_of_a_sum_may_be_doubtful() {
    let dot = |rule, last: u32| {
        let build = |nodes: &mut Nodes| {
            let parts = [0, 1, 1, 1].map(|n| read(nodes, n, Scalar::F32));
            let a = nodes.push(Op::Join { parts }, Scalar::F32.by(2), 0);
            nodes.push(Op::Binary { op: Binary::FDot, rule, a, b: a }, Type::F32, 0)
        };
        outcome(build, [ONE, last, 0, 0])
    };
    // The square of 2^-70 is one, that of 2^-60 is not.
    assert!(dot(FloatRule::IEEE, 57 << 23).doubtful);
    assert!(!dot(FloatRule::IEEE, 67 << 23).doubtful);
    assert!(!dot(FLUSH, 57 << 23).doubtful);
    // Steps are not saturated, the sum is.
    let saturated = FloatRule { saturate: true, ..FloatRule::IEEE };
    assert_eq!(dot(saturated, 0x4000_0000).outputs[0][0], ONE);
    assert_eq!(dot(FloatRule::IEEE, 0x4000_0000).outputs[0][0], 0x40a0_0000);
}

#[test]
fn extremes_of_nan_are_doubtful_if_the_rule_leaves_them_open() {
    for op in [Binary::FMin, Binary::FMax] {
        for (nan, open) in [(NanRule::Any, true), (NanRule::Number, false), (NanRule::Second, false)] {
            let rule = FloatRule { nan, ..FLUSH };
            assert_eq!(binary(op, rule, Scalar::F32, [NAN, ONE]).doubtful, open, "{op:?} {nan:?}");
            assert_eq!(binary(op, rule, Scalar::F32, [ONE, NAN]).doubtful, open, "{op:?} {nan:?}");
            assert!(!binary(op, rule, Scalar::F32, [ONE, INFINITY]).doubtful);
        }
    }
    let any = FloatRule { nan: NanRule::Any, ..FLUSH };
    assert!(!binary(Binary::FAdd, any, Scalar::F32, [NAN, ONE]).doubtful);
}

#[test]
fn numbers_that_are_not_finite_are_reported() {
    let infinite = |x, y| binary(Binary::FAdd, FloatRule::IEEE, Scalar::F32, [x, y]).infinite;
    for x in [INFINITY, INFINITY | 1 << 31, NAN, INFINITY | 1] {
        assert!(infinite(x, ONE) && infinite(ONE, x), "{x:x}");
    }
    assert!(infinite(0x7f7f_ffff, 0x7f7f_ffff));
    assert!(!infinite(0x7f7f_ffff, ONE) && !infinite(0, SMALLEST));
}

#[test]
fn equal_results_may_differ_in_a_payload_or_the_sign_of_zero() {
    for (a, b, equal) in [
        (ONE, ONE, true),
        (ONE, ONE + 1, false),
        (ONE, ONE | 1 << 31, false),
        (NAN, 0xff80_0001, true),
        (NAN, INFINITY, false),
        (INFINITY, INFINITY | 1 << 31, false),
        (0, 1 << 31, true),
        (0, 1, false),
        (1, 1 << 31, false),
    ] {
        assert_eq!((same(a, b), same(b, a)), (equal, equal), "{a:x} {b:x}");
    }
}

#[test]
fn loops_without_an_end_are_given_up() {
    let made = program(&mut Random::new(0));
    let of = |body| Generated { tree: Tree { vars: Vec::new(), body }, ..made.clone() };
    let ends = |body| run(&of(body), &[[0; 4]; 4], &[[0; 4]; UNIFORMS as usize]).is_some();
    assert!(!ends(vec![Stmt::Loop(vec![Stmt::Continue])]));
    assert!(ends(vec![Stmt::Loop(vec![Stmt::Break, Stmt::Continue]), Stmt::Exit]));
    assert!(ends(vec![Stmt::Loop(vec![Stmt::Exit])]));
}
