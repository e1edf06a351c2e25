//! Text targets: expected texts, rules, refusals.

use crate::common::*;
use shisa_diag::Limits;
use shisa_ir::*;
use shisa_translate::*;

const WGSL: &str = "\
struct agal_vertex_out {
    @builtin(position) op: vec4<f32>,
    @location(0) v0: vec4<f32>,
}

@group(0) @binding(0) var<uniform> vc: array<vec4<f32>, 16>;

fn agal_vertex(va0: vec4<f32>, va1: vec4<f32>) -> agal_vertex_out {
    // m44 op, va0, vc0
    let op = vec4<f32>(dot(va0, vc[0]), dot(va0, vc[1]), dot(va0, vc[2]), dot(va0, vc[3]));
    // mul vt0, va1, vc4
    let vt0 = va1 * vc[4];
    // sat v0, vt0
    let v0 = saturate(vt0);
    return agal_vertex_out(op, v0);
}

@vertex
fn agal_vertex_main(@location(0) va0_in: vec4<f32>, @location(1) va1_in: vec4<f32>) -> agal_vertex_out {
    return agal_vertex(va0_in, va1_in);
}
";

#[test]
fn a_vertex_program_reads_like_its_source() {
    let options = Options { comments: true, name: "agal_vertex".into(), ..Options::default() };
    let output = cases::transform().translate(Target::Wgsl, &options).unwrap();
    assert_eq!(output.code, Code::Text(WGSL.into()));
    let map: Vec<_> = output.source_map.iter().map(|m| (m.start, m.end, m.instruction)).collect();
    // The last instruction also gets the line that returns its result.
    assert_eq!(map, [(10, 11, 0), (12, 13, 1), (14, 16, 2)]);
}

#[test]
fn wgsl_has_no_name_twice_and_none_that_is_reserved() {
    let mut case = cases::transform();
    case.interface.inputs[0].name = "loop".into();
    case.interface.inputs[1].name = "two words".into();
    case.interface.uniforms[0].name = "min".into();
    case.interface.outputs[1].name = "v_1".into();
    for (n, name) in ["f32", "agal_vertex", "v"].into_iter().enumerate() {
        case.source[n].1 = name.into();
    }
    let text = case.text(Target::Wgsl, &Options { name: "agal_vertex".into(), ..Options::default() });
    execute::judge_wgsl(&text).unwrap();
    for name in
        ["loop_1: vec4", "ntwo_words: vec4", "min_1: array", "v_1_: vec4", "let f32_1", "let agal_vertex_1"]
    {
        assert!(text.contains(name), "{name}\n{text}");
    }
}

#[test]
fn helpers_have_the_same_names_everywhere() {
    let rule = FloatRule { zero_product: true, ..FloatRule::IEEE };
    let mut case = Case::vertex(|b| {
        b.rule = rule;
        let (a, c) = (input(b, 0), constant(b, 0));
        let product = b.fmul(a, c);
        output(b, 2, product);
    });
    let name = "mul_xyzw";
    case.interface.uniforms[0].name = name.into();
    case.source = vec![("mul o0, v0, c0".into(), name.into())];
    let options = Options::default();
    assert_eq!(options.products, Products::Exact);
    let output = case.translate(Target::Wgsl, &options).unwrap();
    let Code::Text(text) = &output.code else { panic!("WGSL is text") };
    execute::judge_wgsl(text).unwrap();
    for part in ["mul_xyzw_1: array", "fn mul_xyzw(a:", "let mul_xyzw_2 = mul_xyzw("] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // Lines after a helper are still counted correctly.
    let line = text.lines().position(|l| l.contains("let mul_xyzw_2")).unwrap() as u32 + 1;
    assert!(output.source_map.iter().any(|m| (m.start..m.end).contains(&line)), "{line}\n{text}");
}

#[test]
fn wgsl_has_the_parentheses_that_it_needs() {
    let case = Case::vertex(|b| {
        let (x, y) = (input(b, 0), input(b, 1));
        let sum = b.fadd(x, y);
        let product = b.fmul(sum, x);
        let difference = b.fsub(y, product);
        let less = b.flt(difference, x);
        let negative = b.fneg(x);
        let twice = b.fneg(negative);
        let r = b.select(less, twice, y);
        output(b, 2, r);
    });
    let text = case.text(Target::Wgsl, &Options::default());
    execute::judge_wgsl(&text).unwrap();
    let wanted = "select(va1, -(-va0), (va1 - (va0 + va1) * va0 < va0))";
    assert!(text.contains(wanted), "{text}");
    // A sum on the right of a difference, and on its left.
    for (right, wanted) in [(true, "va0 - (va0 + va1)"), (false, "va0 + va1 - va0")] {
        let case = Case::vertex(|b| {
            let (x, y) = (input(b, 0), input(b, 1));
            let sum = b.fadd(x, y);
            let r = if right { b.fsub(x, sum) } else { b.fsub(sum, x) };
            output(b, 2, r);
        });
        let text = case.text(Target::Wgsl, &Options::default());
        assert!(text.contains(&format!("= {wanted};")), "{text}");
    }
}

fn turned(b: &mut Builder, v: Value) -> Value {
    b.swizzle(v, Swizzle::from_slice(&[3, 2, 1, 0]), 4)
}

#[test]
fn swizzles_pick_from_the_vector_or_the_parts_that_they_reach() {
    let mixed = |b: &mut Builder| {
        let (x, y) = (input(b, 0), input(b, 1));
        let parts = [(x, 0), (y, 1), (x, 2), (y, 3)].map(|(v, i)| b.component(v, i));
        b.join(&parts)
    };
    let case = Case::vertex(|b| {
        let x = input(b, 0);
        let first = turned(b, x);
        let second = b.swizzle(first, Swizzle::from_slice(&[1, 1, 3, 2]), 4);
        output(b, 2, second);
        let joined = mixed(b);
        let joined = turned(b, joined);
        let joined = b.swizzle(joined, Swizzle::from_slice(&[1, 0, 3, 2]), 4);
        let negative = b.fneg(joined);
        output(b, 3, negative);
    });
    let text = case.text(Target::Wgsl, &Options::default());
    assert!(text.contains("(va0.zzxy, "), "{text}");
    assert!(text.contains("-vec4<f32>(va0.z, va1.w, va0.x, va1.y);"), "{text}");
    // A vector that another instruction uses has a name.
    let mut case = Case::vertex(|b| {
        let joined = mixed(b);
        b.origin = 1;
        let joined = turned(b, joined);
        let sum = b.fadd(joined, joined);
        output(b, 2, sum);
        output(b, 3, sum);
    });
    case.source = vec![(String::new(), "mixed".into()), (String::new(), String::new())];
    let text = case.text(Target::Wgsl, &Options::default());
    assert!(text.contains("let mixed = vec4<f32>(va0.x, va1.y, va0.z, va1.w);"), "{text}");
    assert!(text.contains("mixed.wzyx + mixed.wzyx"), "{text}");
}

/// After a branch, only the value that is used there is known.
#[test]
fn swizzles_do_not_reach_into_branches() {
    type Made = fn(&mut Builder, Value) -> Value;
    let all: [Made; 2] = [turned, |b, sum| {
        let parts = [3, 2, 0, 0].map(|i| b.component(sum, i));
        b.join(&parts)
    }];
    for made in all {
        let mut case = Case::vertex(|_| {});
        case.func.blocks.clear();
        let (mut less, mut inner) = (None, None);
        let start = case.block(|b| {
            let v = input(b, 0);
            let (x, y) = (b.component(v, 0), b.component(v, 1));
            less = Some(b.flt(x, y));
        });
        let branch = case.block(|b| {
            let (x, y) = (input(b, 0), input(b, 1));
            let sum = b.fadd(x, y);
            inner = Some(made(b, sum));
        });
        let end = case.block(|b| {
            let out = turned(b, inner.unwrap());
            let out = b.fneg(out);
            output(b, 2, out);
            output(b, 3, out);
        });
        let yes = vec![Stmt::Block(branch)];
        let branched = Stmt::If { cond: Cond::Value(less.unwrap()), yes, no: vec![] };
        case.tree.body = vec![Stmt::Block(start), branched, Stmt::Block(end), Stmt::Exit];
        let text = case.text(Target::Wgsl, &Options::default());
        execute::judge_wgsl(&text).unwrap();
        assert!(text.contains("= -kept_1.wzyx;"), "{text}");
    }
}

fn codes(case: &Case, target: Target, options: &Options) -> Vec<&'static str> {
    match case.translate(target, options) {
        Ok(o) => panic!("accepted: {o:?}"),
        Err(list) => list.iter().map(|d| d.code).collect(),
    }
}

#[test]
fn what_cannot_be_said_is_refused_with_a_code() {
    let lane = |b: &mut Builder| {
        let v = input(b, 0);
        let r = b.push(Op::Lane { op: LaneOp::ShuffleXor, a: v, b: v }, F4);
        output(b, 2, r);
    };
    let round = |b: &mut Builder| {
        let v = input(b, 0);
        b.rule.round = Round::Zero;
        let r = b.fsqrt(v);
        output(b, 2, r);
    };
    let wide = |b: &mut Builder| {
        let v = b.constant(Scalar::F64.by(1), 0);
        b.fdiv(v, v);
    };
    let temp = |b: &mut Builder| {
        let v = b.read(Reg::new(FileId(2), 0), Swizzle::IDENTITY, F4);
        output(b, 2, v);
    };
    let options = Options::default();
    assert_eq!(codes(&Case::vertex(lane), Target::Wgsl, &options), ["translate-unsupported"]);
    assert_eq!(codes(&Case::vertex(round), Target::Msl, &options), ["translate-rounding"]);
    assert_eq!(codes(&Case::vertex(wide), Target::Wgsl, &options), ["translate-unsupported"; 2]);
    assert_eq!(codes(&Case::vertex(temp), Target::Wgsl, &options), ["translate-shape"]);
    for name in ["", "7up", "a b", "x\n", &"n".repeat(65)] {
        let options = Options { name: name.into(), ..Options::default() };
        assert_eq!(codes(&cases::transform(), Target::Wgsl, &options), ["translate-name"]);
    }
}

#[test]
fn the_compute_form_refuses_what_needs_quads() {
    let options = Options { form: Form::Compute, ..Options::default() };
    let find = |name| cases::all().into_iter().find(|c| c.0 == name).unwrap().1;
    assert_eq!(codes(&find("sample_in_loop"), Target::Wgsl, &options), ["translate-compute-lod"]);
    assert_eq!(codes(&find("kill_then_derive"), Target::Wgsl, &options), ["translate-compute-derivative"]);
    let old = Target::Glsl(GlslVersion::Core330);
    assert_eq!(codes(&cases::transform(), old, &options), ["translate-unsupported"]);
}

#[test]
fn derivatives_move_out_of_branches_or_are_told() {
    let find = |name| cases::all().into_iter().find(|c| c.0 == name).unwrap().1;
    let options = Options::default();
    let branch = find("sample_in_branch").translate(Target::Wgsl, &options).unwrap();
    let Code::Text(text) = &branch.code else { panic!("WGSL is text") };
    assert!(text.contains("textureSampleGrad(") && !text.contains("diagnostic(off"));
    assert!(branch.warnings.is_empty());
    let looped = find("sample_in_loop").translate(Target::Wgsl, &options).unwrap();
    let Code::Text(text) = &looped.code else { panic!("WGSL is text") };
    assert!(text.starts_with("diagnostic(off, derivative_uniformity);\n"));
    assert_eq!(looped.warnings[0].code, "translate-divergent-derivative");
}

#[test]
fn limits_hold_at_their_value() {
    let case = cases::transform();
    let run = |limits: &Limits| translate(&case.program(&[]), Target::Wgsl, &Options::default(), limits);
    let length = match run(&Limits::default()).unwrap().code {
        Code::Text(text) => text.len(),
        Code::Words(_) => panic!("WGSL is text"),
    };
    // Two statements and the block's operations.
    let fuel = 2 + case.func.blocks[0].body.len() as u64;
    for (fits, limits) in [
        (true, Limits { text_out: length, ..Limits::default() }),
        (false, Limits { text_out: length - 1, ..Limits::default() }),
        (true, Limits { fuel, ..Limits::default() }),
        (false, Limits { fuel: fuel - 1, ..Limits::default() }),
    ] {
        match run(&limits) {
            Ok(_) => assert!(fits),
            Err(list) => assert!(!fits && list[0].code == "limit-exceeded", "{list:?}"),
        }
    }
}

/// A program of nested branches, `depth` deep.
fn nested(depth: usize) -> Case {
    let mut case = Case::vertex(|b| {
        let v = input(b, 0);
        output(b, 2, v);
    });
    case.tree.vars.push((Type::BOOL, VarKind::Flag));
    let mut body = vec![Stmt::SetConst(Var(0), 1)];
    for _ in 0..depth {
        body = vec![Stmt::If { cond: Cond::Flag(Var(0)), yes: body, no: Vec::new() }];
    }
    body.append(&mut case.tree.body);
    case.tree.body = body;
    case
}

#[test]
fn nesting_is_bounded() {
    let bounded = || {
        let options = Options::default();
        for target in
            [Target::Wgsl, Target::Glsl(GlslVersion::Es300), Target::Hlsl(ShaderModel::V6_0), Target::Msl]
        {
            assert!(nested(96).translate(target, &options).is_ok());
            assert_eq!(codes(&nested(97), target, &options), ["limit-exceeded"]);
        }
    };
    // Tests are built without optimisation, and naga then needs more stack for this than threads of tests have.
    std::thread::Builder::new().stack_size(16 << 20).spawn(bounded).unwrap().join().unwrap();
}

#[test]
fn long_chains_of_operations_do_not_nest() {
    let case = Case::vertex(|b| {
        let mut v = input(b, 0);
        for _ in 0..20_000 {
            v = b.fneg(v);
        }
        output(b, 2, v);
    });
    let text = case.text(Target::Wgsl, &Options::default());
    assert!(text.lines().all(|l| l.len() < 200));
}

#[test]
fn comments_cannot_leave_their_line() {
    let mut case = cases::transform();
    case.source[1].0 = "mul\nvt0 \\".into();
    let text = case.text(Target::Hlsl(ShaderModel::V5_1), &Options { comments: true, ..Options::default() });
    assert!(text.contains("// mul/nvt0 /\n"));
}
