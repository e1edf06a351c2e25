use super::*;
use crate::attributes::Role;
use crate::container::{Constant, Dvle, GeometryMode, OutputEntry};
use crate::options::PastEnd;
use crate::tests::assemble;
use crate::{Pica200, word};
use alloc::{collections::BTreeSet, format, string::String, vec};
use shisa_ir::{Binding, Scalar};
use shisa_rows::Insn;
use shisa_translate::{Form, GlslVersion, Options as How, Output, Products, SpirvVersion, Target, translate};

fn staged(program: &Program, dvle: Option<&Dvle>, target: Target, options: &How) -> Output {
    let limits = Limits::default();
    let staged =
        Staged { program, dvle, outputs: Outputs::Meaning, attributes: None, options: &Options::default() };
    let (func, tree, interface) = staged.lower(&limits).unwrap_or_else(|d| panic!("{d:?}"));
    shisa_ir::verify(&func).unwrap_or_else(|d| panic!("{d:?}"));
    let program = shisa_translate::Program { func: &func, tree: &tree, interface: &interface, source: &[] };
    translate(&program, target, options, &limits).unwrap_or_else(|d| panic!("{d:?}"))
}

fn wgsl(program: &Program, dvle: Option<&Dvle>) -> String {
    staged(program, dvle, Target::Wgsl, &How::default()).code.text().unwrap().into()
}

/// Programs in which instructions use each other's results, with every row of control flow.
const PROGRAMS: &[&[&str]] = &[
    &[
        "add r0, c0, v0",
        "dp3 r1, c1, v0",
        "dp4 r1.y, c2, v0",
        "dph r1.z, c3, v0",
        "dst r2, v0, r1",
        "ex2 r3, v0.x",
        "lg2 r3.y, v0",
        "litp r4, v0",
        "mul r5, v0, r4",
        "sge r6, v0, r5",
        "slt r7, v0, r6",
        "flr r8, v0",
        "max r9, v0, r8",
        "min r10, v0, r9",
        "rcp r11, v0",
        "rsq r12, v0",
        "mova a0.xy, v0",
        "mov r13, c4[a0.x]",
        "dphi r1.w, v0, c5",
        "dsti r2.w, v0, c6",
        "sgei r6.x, v0, c7",
        "slti r7.x, v0, c8[a0.y]",
        "mad r0, v0, r1, r2",
        "madi r0.xy, v0, r3, c9",
        "add r0, r0, r13",
        "cmp r0, lt, ge, r1",
        "ifc cmp.x && cmp.y, 28, 1",
        "nop",
        "mov o0, r0",
        "ifu b3, 31, 1",
        "mov o1, r6",
        "mov o1, r7",
        "callc !cmp.x, 45, 2",
        "callu b4, 45, 2",
        "call 45, 2",
        "nop",
        "for i0, 40",
        "add r1, c10[aL], r1",
        "breakc cmp.x || cmp.y",
        "mul r1, r1, r1",
        "nop",
        "jmpc cmp.x, 43",
        "jmpu b5, 43",
        "mov o2, r1",
        "end",
        "add r1, r1, r1",
        "nop",
    ],
    &["for i1, 3", "ifu b0, 3, 0", "break", "nop", "mov o0, v0", "end"],
];

/// The examples of all rows that compute, as one program: a new row needs no line here.
fn examples() -> Program {
    let computes = |row: &&shisa_rows::Form<Pica200>| {
        matches!(row.attr.role, Role::Compute | Role::Address | Role::Compare)
    };
    let rows = crate::forms::rows().forms().iter().filter(computes);
    let texts = rows.flat_map(|row| row.examples).map(|(text, _)| *text);
    // The numbers of descriptors follow from the program.
    let unnumbered = texts.map(|text| text.rsplit_once(", d").map_or(text, |(before, _)| before));
    assemble(&unnumbered.chain(["end"]).collect::<Vec<_>>())
}

#[test]
fn every_row_is_translated() {
    let mut seen = BTreeSet::new();
    let mut programs: Vec<Program> = PROGRAMS.iter().map(|lines| assemble(lines)).collect();
    programs.push(examples());
    programs.push(geometry(&["setemit 0", "mov o0, v0", "emit", "setemit 1, prim inv", "emit", "end"]));
    for program in &programs {
        for &code in &program.code {
            seen.insert(Insn::<Pica200>::decode(word::fuse(code, &program.descriptors)).unwrap().form().name);
        }
        for products in [Products::Exact, Products::Fast] {
            let options = How { form: Form::Compute, products, exact: true, ..How::default() };
            for target in [Target::Wgsl, Target::Msl, Target::Spirv(SpirvVersion::V1_3)] {
                let output = staged(program, None, target, &options);
                assert!(!output.source_map.is_empty());
            }
        }
    }
    let all: BTreeSet<&str> = crate::forms::rows().forms().iter().map(|r| r.name).collect();
    assert_eq!(all.difference(&seen).collect::<Vec<_>>(), Vec::<&&str>::new());
}

fn geometry(lines: &[&str]) -> Program {
    Program { stage: Stage::Geometry, ..assemble(lines) }
}

#[test]
fn booleans_are_bits_of_one_word() {
    let program = assemble(&["ifu b9, 2, 0", "mov o0, v0", "mov o1, v0", "end"]);
    let output = staged(&program, None, Target::Wgsl, &How::default());
    let text = output.code.text().unwrap();
    assert!(text.contains("& 512u) != 0u"), "{text}");
    let b = &output.reflection.uniforms[0];
    assert_eq!((&*b.name, b.scalar, b.slot.binding, b.size, &*b.used), ("b", Scalar::I1, 2, 16, &[9][..]));
}

/// A table that calls o0 the position, half of o1 the first texture coordinates, and o1.w their third.
fn table() -> Dvle {
    let entry = |kind, register, mask| OutputEntry { kind, register, mask, unknown: 0 };
    Dvle {
        output_mask: 3,
        outputs: vec![entry(0, 0, 15), entry(3, 1, 0b0110), entry(4, 1, 0b1000)],
        ..Dvle::default()
    }
}

#[test]
fn outputs_go_by_their_meaning() {
    let program = assemble(&["mov o0, v0", "mov o1, v1", "end"]);
    let output = staged(&program, Some(&table()), Target::Wgsl, &How::default());
    let text = output.code.text().unwrap();
    assert!(text.contains("= vec4<f32>(v0.xy, -v0.z, v0.w);"), "{text}");
    assert!(text.contains(", v1.yzw);"), "{text}");
    let list: Vec<String> = output
        .reflection
        .outputs
        .iter()
        .map(|o| format!("{} {:?} {:?} {:?}", o.name, o.kind, o.location, o.used))
        .collect();
    assert_eq!(list, ["position Position None xyzw", "texcoord0 Location Some(2) xyz"]);
    let registers = Staged {
        program: &program,
        dvle: Some(&table()),
        outputs: Outputs::Registers,
        attributes: None,
        options: &Options::default(),
    };
    let (_, _, interface) = registers.lower(&Limits::default()).unwrap();
    let names: Vec<_> = interface.outputs.iter().map(|o| (&*o.name, o.binding)).collect();
    assert_eq!(names, [("o0", Binding::Location(0)), ("o1", Binding::Location(1))]);
}

/// Old assemblers leave the header's mask 0; the loader of libctru reads the table.
#[test]
fn outputs_of_the_table_count_where_the_mask_is_0() {
    let program = assemble(&["mov o0, v0", "mov o1, v1", "end"]);
    let old = Dvle { output_mask: 0, ..table() };
    for outputs in [Outputs::Meaning, Outputs::Registers] {
        let options = Options::default();
        let [old, new] = [&old, &table()].map(|dvle| {
            let staged =
                Staged { program: &program, dvle: Some(dvle), outputs, attributes: None, options: &options };
            assert!(staged.warnings().is_empty());
            staged.lower(&Limits::default()).unwrap().2
        });
        assert_eq!((old.outputs.len(), &old.outputs), (2, &new.outputs));
    }
}

#[test]
fn outputs_that_vanish_are_reported() {
    let program = assemble(&["mov o0, v0", "mov o1, v1", "end"]);
    let mut dvle = table();
    dvle.outputs[1].kind = 9;
    let said = |dvle: &Dvle, outputs| {
        let options = Options::default();
        let staged =
            Staged { program: &program, dvle: Some(dvle), outputs, attributes: None, options: &options };
        staged.warnings().iter().map(|d| format!("{} {}", d.code, d.message)).collect::<Vec<_>>()
    };
    let dummies = "pica-output-dummy the translation leaves out outputs of type dummy: o1.yz";
    assert_eq!(said(&dvle, Outputs::Meaning), [dummies]);
    assert_eq!(said(&dvle, Outputs::Registers), [""; 0]);
    assert!(said(&Dvle::default(), Outputs::Meaning)[0].starts_with("pica-no-outputs "));
}

#[test]
fn what_the_table_does_not_name_is_one() {
    let entry = OutputEntry { kind: 2, register: 2, mask: 0b0011, unknown: 0 };
    let dvle = Dvle { output_mask: 4, outputs: vec![entry], ..Dvle::default() };
    let text = wgsl(&assemble(&["mov o2, v0", "end"]), Some(&dvle));
    assert!(text.contains("vec4<f32>(v0.xy, 1f, 1f)"), "{text}");
}

#[test]
fn constants_of_the_container_stand_in_the_code() {
    let one = 0x3f_0000;
    let constants = vec![
        Constant { kind: 2, register: 5, data: [one, one, 0, 0] },
        Constant { kind: 1, register: 2, data: [u32::from_le_bytes([3, 0, 1, 0]), 0, 0, 0] },
        Constant { kind: 0, register: 7, data: [1, 0, 0, 0] },
    ];
    let dvle = Dvle { constants, ..table() };
    let lines = ["for i2, 1", "add r0, c5, r0", "ifu b7, 4, 0", "mov o0, r0", "mov o1, v0", "end"];
    let output = staged(&assemble(&lines), Some(&dvle), Target::Wgsl, &How::default());
    assert_eq!(output.reflection.uniforms, vec![], "nothing is left to bind");
    let indexed = ["mova a0.x, v0", "mov o0, c5[a0.x]", "mov o1, c5", "end"];
    let output = staged(&assemble(&indexed), Some(&dvle), Target::Wgsl, &How::default());
    let c = &output.reflection.uniforms[0];
    assert_eq!((c.registers, c.used.len(), c.given.len()), (96, 0, 1));
    assert_eq!((c.given[0].register, c.given[0].bits), (5, [0x3f80_0000, 0x3f80_0000, 0, 0]));
}

/// A NaN's payload is lost where a run loads it, and so in the code.
#[test]
fn constants_in_the_code_are_those_that_runs_load() {
    let constant = Constant { kind: 2, register: 5, data: [0x7f_1234, 0x3f_0000, 1, 0xff_0000] };
    let dvle = Dvle { output_mask: 1, constants: vec![constant], ..Dvle::default() };
    let program = assemble(&["mov o0, c5", "end"]);
    for options in [Options::default(), Options::emulators()] {
        let outputs = Outputs::Registers;
        let staged =
            Staged { program: &program, dvle: Some(&dvle), outputs, attributes: None, options: &options };
        let (func, ..) = staged.lower(&Limits::default()).unwrap();
        let mut loaded = crate::upload::Uniforms::default();
        loaded.load(&dvle, &options);
        let stated =
            |bits: u32| func.nodes.list.iter().any(|n| matches!(n.op, Op::Const(c) if c == bits.into()));
        assert!(loaded.floats[5].into_iter().all(stated), "{:x?}", loaded.floats[5]);
    }
}

#[test]
fn straight_geometry_emits_without_asking() {
    let lines = [
        "setemit 0",
        "mov o0, v0",
        "emit",
        "setemit 1",
        "mov o0, c0",
        "emit",
        "setemit 2, prim inv",
        "mov o0, c1",
        "emit",
        "end",
    ];
    let text = wgsl(&geometry(&lines), None);
    let body = text.split("fn program(").nth(1).unwrap().split("\n}").next().unwrap();
    let vertices: Vec<_> = body.lines().filter_map(|l| l.trim().strip_prefix("emit_vertex")).collect();
    // Inverted: the first two are exchanged.
    assert_eq!(vertices, ["(program_out(c[0]));", "(program_out(v0));", "(program_out(c[1]));"], "{text}");
    assert!(!body.contains("if "), "{text}");
}

#[test]
fn banks_keep_what_was_there_two_emits_ago() {
    let lines = [
        "setemit 0",
        "mov o0, v0",
        "emit",
        "setemit 1",
        "mov o0, c0",
        "emit",
        "setemit 2, prim",
        "emit",
        "end",
    ];
    let text = wgsl(&geometry(&lines), None);
    let last = text.lines().filter_map(|l| l.trim().strip_prefix("emit_vertex")).next_back();
    assert_eq!(last, Some("(program_out(v0));"), "{text}");
}

#[test]
fn vertices_in_constants_belong_to_the_lane() {
    let program = geometry(&["setemit 0, prim", "mov o0, c1", "emit", "end"]);
    let geometry = GeometryMode { mode: 2, fixed_start: 1, fixed: 3, variable: 0 };
    let dvle = Dvle { kind: 1, geometry, output_mask: 1, ..Dvle::default() };
    let kernel = How { form: Form::Compute, ..How::default() };
    let output = staged(&program, Some(&dvle), Target::Wgsl, &kernel);
    assert!(output.reflection.uniforms[0].per_lane);
    assert_eq!(output.reflection.lanes.unwrap().input_stride, 2);
    let form = |geometry, version| {
        let dvle = Dvle { geometry, ..dvle.clone() };
        let output = staged(&program, Some(&dvle), version, &How::default());
        (output.reflection.form, output.warnings.first().map(|d| d.code))
    };
    let varying = GeometryMode { mode: 1, ..geometry };
    for target in [Target::Spirv(SpirvVersion::V1_3), Target::Glsl(GlslVersion::Core450)] {
        assert_eq!(form(geometry, target), (Form::Stage, None));
        let kernel = (Form::Compute, Some("translate-geometry-input"));
        assert_eq!(form(varying, target), kernel, "no stage takes a varying number of vertices");
    }
    assert_eq!(form(varying, Target::Wgsl), (Form::Compute, None));
    let es = staged(&program, Some(&dvle), Target::Glsl(GlslVersion::Es310), &How::default());
    let extended = "#version 310 es\n#extension GL_EXT_geometry_shader : require\n";
    assert!(es.code.text().is_some_and(|t| t.starts_with(extended)), "{:?}", es.code);
}

/// Many calls of one long procedure become one copy of it with a number that states where to return.
#[test]
fn many_calls_share_one_copy() {
    let calls = 40;
    let mut lines: Vec<String> = (0..calls).flat_map(|_| ["call 80, 60".into(), "nop".into()]).collect();
    lines[2 * calls - 1] = "end".into();
    lines.extend((0..60).map(|i| format!("add r{}, c{i}, r{}", i % 15, (i + 1) % 15)));
    lines.extend(["mov o0, r0".into(), "end".into()]);
    lines[2 * calls - 1] = "jmpu b0, 140".into();
    let lines: Vec<&str> = lines.iter().map(|l| &**l).collect();
    let program = assemble(&lines);
    let text = wgsl(&program, None);
    assert!(text.matches('+').count() < 150, "{text}");
}

/// The refusal names the option that lifts it.
#[test]
fn programs_without_end_need_a_choice() {
    let program = assemble(&["mov o0, v0"]);
    let lowered = |past_end| {
        let options = Options { past_end, ..Options::default() };
        let outputs = Outputs::Meaning;
        let staged = Staged { program: &program, dvle: None, outputs, attributes: None, options: &options };
        staged.lower(&Limits::default()).map(|_| ())
    };
    let refused = lowered(PastEnd::Refuse).unwrap_err();
    assert_eq!(refused[0].code, "flow-off-program");
    assert!(refused[0].help.iter().any(|h| h.contains("past-end")), "{refused:?}");
    assert_eq!(lowered(PastEnd::End), Ok(()));
    assert_eq!(lowered(PastEnd::Zeros), Ok(()));
}
