//! What rows and programs lift to.

use shisa_agal::{
    Agal, AsmOptions, Ctx, Options, Program, RegType, Role, SUITE, Sequencer, assemble, files, interface,
    lift,
};
use shisa_diag::Limits;
use shisa_ir::{Binding, End, Op, Reg, Stage};
use shisa_rows::{Insn, Isa};

#[test]
fn rows_are_sound() {
    let report = SUITE.run();
    assert_eq!(report.faults, Vec::<String>::new());
    for lifted in &report.lifted {
        let program = shisa_eval::Program::new(lifted, &Limits::default());
        program.unwrap_or_else(|d| panic!("{d}: {lifted:?}"));
    }
}

/// Every row lifts with plain temporaries as operands.
#[test]
fn every_row_lifts() {
    let options = Options::default();
    for form in Agal::table().forms() {
        let stage = form.attr.stage.unwrap_or(Stage::Fragment);
        let mut word = form.template();
        for op in form.operands {
            let bits = match Role::of(op) {
                Role::Sampler => 5 << 32,
                Role::Destination => 0x020f_0000,
                Role::Source => 0x2_e400_0000,
            };
            op.field.set(&mut word, bits);
        }
        let program = Program { version: 4, stage, tokens: vec![word], trailing: Vec::new() };
        let lifted = lift(&program, &options).unwrap_or_else(|d| panic!("{}: {d:?}", form.name));
        assert_eq!(lifted.steps.len(), 1);
        assert!(Insn::<Agal>::decode(word).is_some_and(|i| i.form().name == form.name));
    }
}

/// Constants, inputs and samplers are never written, whatever a token says.
#[test]
fn only_temporaries_and_outputs_are_written() {
    for stage in [Stage::Vertex, Stage::Fragment] {
        for kind in 0..16u64 {
            let token = [(0x000f_0000 | kind << 24) << 32, 0x2_e400_0000, 0];
            let program = Program { version: 4, stage, tokens: vec![token], trailing: Vec::new() };
            let written = matches!((kind, stage), (2 | 3, _) | (4, Stage::Vertex) | (6, Stage::Fragment));
            assert_eq!(lift(&program, &Options::default()).is_ok(), written, "{stage:?} {kind}");
        }
    }
}

/// A computed register number is always within the registers of its kind.
#[test]
fn computed_numbers_stay_within_their_registers() {
    for (stage, kind) in [(Stage::Vertex, 0), (Stage::Vertex, 1), (Stage::Fragment, 2), (Stage::Fragment, 5)]
    {
        let source = 1 << 63 | 2 << 40 | kind << 32 | 0xe4 << 24 | 200 << 16;
        let token = [0x020f_0000 << 32, source, 0];
        let program = Program { version: 4, stage, tokens: vec![token], trailing: Vec::new() };
        let Ok(lifted) = lift(&program, &Options::default()) else {
            assert_eq!(kind, 5, "there are no registers of samplers");
            continue;
        };
        let mut numbers = lifted.nodes.list.iter().filter_map(|n| match n.op {
            Op::Const(bits) => Some(bits as u32 as i32),
            _ => None,
        });
        let last = RegType(kind as u8).count(4, stage) as i32 - 1;
        assert!(numbers.any(|n| n == last - 200), "{stage:?} {kind}");
    }
}

/// The interface has the registers that a program names, each alone, whatever its number: constants up to the last
/// one, and inputs at locations of their numbers.
#[test]
fn interfaces_have_what_is_named() {
    let limits = Limits::default();
    for (stage, names) in [(Stage::Vertex, ["va", "vc", "vt"]), (Stage::Fragment, ["v", "fc", "ft"])] {
        let [input, constant, temporary] = names;
        let head = format!("// agal 3 {}\n", stage.name());
        let interface = |operand: &str| {
            let source = format!("{head}mov {temporary}0, {operand}\n");
            let options = AsmOptions { unchecked: true, ..AsmOptions::default() };
            let assembly = assemble(&source, &options, &limits);
            let program = assembly.program.unwrap_or_else(|| panic!("{:?}", assembly.diagnostics));
            interface(&program, &lift(&program, &Options::default()).unwrap())
        };
        for n in 0..if stage == Stage::Vertex { 250 } else { 200 } {
            let found = interface(&format!("{constant}{n}"));
            let uniforms: Vec<_> =
                found.uniforms.iter().map(|u| (u.registers, u.used.clone(), u.indirect)).collect();
            assert_eq!(uniforms, [(n + 1, vec![n], false)], "{constant}{n}");
            assert_eq!((found.inputs.len(), found.outputs.len()), (0, 0), "{constant}{n}");
        }
        for n in 0..8u16 {
            let found = interface(&format!("{input}{n}.y"));
            let inputs: Vec<_> = found.inputs.iter().map(|i| (&*i.name, i.used.0, i.binding)).collect();
            let want = (&*format!("{input}{n}"), 0b10, Binding::Location(n.into()));
            assert_eq!(inputs, [want]);
            assert!(found.uniforms.is_empty());
        }
    }
    // An index reaches every constant.
    let source = "// agal 3 vertex\nmov op, vc[va0.x+2]\n";
    let program = assemble(source, &AsmOptions::default(), &limits).program.unwrap();
    let found = interface(&program, &lift(&program, &Options::default()).unwrap());
    assert_eq!((found.uniforms[0].registers, found.uniforms[0].indirect), (250, true));
}

/// A refused token leaves no operations in the lift.
#[test]
fn refused_tokens_leave_no_operations() {
    let options = Options::default();
    let ctx = Ctx { version: 1, stage: Stage::Fragment, options: &options };
    let tex_to_constant = [0x010f_0000_0000_0028, 0x4_e400_0000, 0x5_0000_0000];
    let mut lifted = shisa_ir::Lifted::new(files(Stage::Fragment));
    let insn = Insn::<Agal>::decode(tex_to_constant).unwrap();
    shisa_rows::lift(&mut lifted, insn, ctx, 0, 1).unwrap_err();
    assert_eq!(lifted, shisa_ir::Lifted::new(files(Stage::Fragment)));
}

/// The instructions that each lane runs are a path of the recovered graph, whatever the outcomes of the
/// conditions.
#[test]
fn nested_conditions_run_only_where_recovery_leads() {
    let source = "// agal 2 fragment\nmov ft0, v0\nifg ft0.x, fc0.x\nifl ft0.y, fc0.x\nadd ft0.z, ft0.z, fc0.y\n\
        els\nife ft0.w, fc0.x\nmov ft0.z, fc0.y\neif\nsub ft0.w, ft0.w, fc0.y\neif\nels\nine ft0.y, fc0.x\n\
        mul ft0, ft0, fc0\neif\neif\nmov oc, ft0\n";
    let limits = Limits::default();
    let assembly = assemble(source, &AsmOptions::default(), &limits);
    let program = assembly.program.unwrap_or_else(|| panic!("{:?}", assembly.diagnostics));
    let lifted = lift(&program, &Options::default()).unwrap();
    let sequencer = Sequencer::new(&program, &limits);
    let func = shisa_ir::recover(lifted.clone(), &sequencer, 0, &limits).unwrap();
    let plan = shisa_eval::Program::new(&lifted, &limits).unwrap();
    let mut paths = shisa_eval::Paths::new(&lifted);
    for outcomes in 0..27 {
        let mut machine = shisa_eval::Machine::new(&plan, &sequencer, 0, 1);
        for (unit, digit) in (0..).zip([1, 3, 9, 1]) {
            let value = (outcomes / digit % 3) as f32 - 1.0;
            let reg = Reg::new(RegType::VARYING.file(), unit);
            machine.set_input(reg, 0, value.to_bits()).unwrap();
        }
        paths.restart();
        machine.run(&mut shisa_eval::NoEnvironment, &mut paths, &limits).unwrap();
    }
    let found = shisa_eval::recovered(&lifted, &func);
    let missing: Vec<_> = paths.taken().difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(paths.taken().len() > 10, "the inputs take many paths: {}", paths.taken().len());
}

#[test]
fn conditions_fork_and_join() {
    let source = |kind: u64, n: u64| kind << 32 | 0xe4 << 24 | n;
    let mov = [0x020f_0000_0000_0000, source(4, 0), 0];
    let tokens = vec![mov, [0x1c, source(2, 0), source(1, 0)], mov, [0x20, 0, 0], mov, [0x21, 0, 0], mov];
    let program = Program { version: 2, stage: Stage::Fragment, tokens, trailing: Vec::new() };
    let lifted = lift(&program, &Options::default()).unwrap();
    let limits = Limits::default();
    let seq = Sequencer::new(&program, &limits);
    let func = shisa_ir::recover(lifted.clone(), &seq, 0, &limits).unwrap();
    assert_eq!(func.blocks.len(), 4);
    assert!(matches!(func.blocks[0].end, End::Branch { .. }));
    let writes = |b: usize| {
        func.blocks[b].body.iter().filter(|v| matches!(func.nodes.op(**v), Op::Write { .. })).count()
    };
    assert_eq!([writes(0), writes(1), writes(2), writes(3)], [1, 1, 1, 1]);
}
