//! PICA200 programs on the evaluator, from files that these tests write.

use shisa::diag::Limits;
use shisa::pica200::container::{Constant, Descriptor, Dvle, OutputEntry, Shbin};
use shisa::pica200::upload::Uniforms;
use shisa::pica200::{Options, Pica200, word};
use shisa::pica200::{ShaderOutput, ShaderRun, ShaderSet};
use shisa::rows::{Names, Scan};
use shisa::{File, RunOptions, Settings};

/// The schema's faults in a value of a run.
fn faults(value: &serde_json::Value) -> Vec<String> {
    let text = include_str!("../../../../docs/schema/pica200-run.schema.json");
    let schema: serde_json::Value = serde_json::from_str(text).unwrap();
    crate::schema::faults(&schema, &schema, value, "")
}

/// A file with one program whose outputs are `o0` and `o1`.
fn file(kind: u8, lines: &[&str]) -> Vec<u8> {
    let names = Names::<Pica200>::new();
    let mut file = Shbin::default();
    for line in lines {
        let insn = shisa::rows::parse(&names, &mut Scan::new(line, 0), &Options::DEFAULT);
        let mut insn = insn.unwrap_or_else(|d| panic!("{line}: {d}"));
        if word::descriptor(insn.word as u32).is_some() {
            insn.word |= file.descriptors.len() as u64;
            file.descriptors.push(Descriptor { bits: word::split(insn.word).1, flags: 0 });
        }
        file.code.push(word::split(insn.word).0);
    }
    let constant = Constant { kind: 2, register: 95, data: [0x3f_0000, 0, 0xbf_0000, 0x40_0000] };
    file.programs.push(Dvle { kind, output_mask: 3, constants: vec![constant], ..Dvle::default() });
    file.write(&Limits::default()).unwrap()
}

fn emulators() -> Settings {
    let mut settings = Settings::new();
    settings.pica200.options = Options::emulators();
    settings
}

/// One run for each x of `v0`; y, z and w are 1, 2 and 3 more. Constants are N, N + ¼, N + ½, N + ¾.
fn set(xs: &[f32]) -> ShaderSet {
    let mut uniforms = Uniforms::default();
    for (bits, n) in uniforms.floats.iter_mut().flatten().zip(0u16..) {
        *bits = (f32::from(n) * 0.25).to_bits();
    }
    uniforms.integers[0] = [2, 1, 1, 0];
    uniforms.integers[1] = [3, 4, 2, 0];
    let run = |x: &f32| {
        let v0 = [0.0, 1.0, 2.0, 3.0].map(|i| (x + i).to_bits());
        ShaderRun { inputs: [(0, v0)].into(), ..ShaderRun::default() }
    };
    ShaderSet { uniforms, runs: xs.iter().map(run).collect(), ..ShaderSet::default() }
}

fn run(bytes: &[u8], set: &ShaderSet, settings: &Settings) -> Result<ShaderOutput, shisa::Error> {
    let program = File::open(bytes, settings)?.program(1)?;
    shisa::pica200::run(&program, std::slice::from_ref(set), RunOptions::new()).map(|mut o| o.remove(0))
}

fn run_json(bytes: &[u8], input: &str, options: RunOptions) -> Result<serde_json::Value, shisa::Error> {
    File::open(bytes, &Settings::new())?.run_json(input, options)
}

fn code(result: Result<ShaderOutput, shisa::Error>) -> &'static str {
    result.unwrap_err().diagnostics[0].code
}

fn floats(output: &ShaderOutput, run: usize, register: usize) -> [f32; 4] {
    output.results[run].outputs[register].1.map(f32::from_bits)
}

/// Nested loops, a jump out of both, a break, a call: each vertex takes another path.
const WANDERING: &[&str] = &[
    "mov r0, v0",
    "mov r1, c0",
    "for i0, 14",
    "add r0.x, c0[aL].x, r0.x",
    "for i1, 12",
    "cmp c2.xx, lt, lt, r0.xy",
    "breakc cmp.x && cmp.y",
    "add r1, c0[aL], r1",
    "cmp c70.xx, lt, lt, r1.xx",
    "jmpc cmp.x, 16",
    "callc !cmp.y, 20, 2",
    "add r0.y, c1.x, r0.y",
    "nop",
    "add r1.z, c0[aL].y, r1.z",
    "nop",
    "nop",
    "mov o0, r0",
    "mov o1, r1",
    "end",
    "nop",
    "add r0.y, c2.y, r0.y",
    "mul r1.w, c4.w, r1.w",
];

#[test]
fn vertices_together_are_as_vertices_alone() {
    let bytes = file(0, WANDERING);
    let xs: Vec<f32> = (0..100).map(|n| n as f32 * 0.375 - 20.0).collect();
    for settings in [emulators(), Settings::default()] {
        let together = run(&bytes, &set(&xs), &settings).unwrap();
        let lengths: std::collections::BTreeSet<_> = together.results.iter().map(|r| r.steps).collect();
        assert!(lengths.len() > 3, "the vertices take several paths: {lengths:?}");
        for (x, want) in xs.iter().zip(&together.results) {
            assert_eq!(run(&bytes, &set(&[*x]), &settings).unwrap().results[0], *want, "{x}");
        }
    }
}

/// Entries that a jump leaves on the loop stack overwrite older ones, and nothing grows.
#[test]
fn jumps_out_of_loops_run_to_the_end() {
    let lines = [
        "mov r0, v0",
        "for i0, 5",
        "cmp c80.xx, le, lt, r0.xx",
        "jmpc cmp.x, 9",
        "jmpc !cmp.x, 7",
        "nop",
        "nop",
        "add r0.x, c1.x, r0.x",
        "jmpc !cmp.x, 1",
        "mov o0, r0",
        "end",
    ];
    let output = run(&file(0, &lines), &set(&[0.0, 40.0, 100.0]), &emulators()).unwrap();
    assert_eq!([0, 1, 2].map(|n| floats(&output, n, 0)[0]), [80.0, 80.0, 100.0]);
    assert_eq!(output.results[0].steps, 1 + 80 * 6 + 3 + 2);
}

/// The results of a program of one vertex with `c0` all 1 and `i0` of this many iterations, one less: executed words,
/// `o0.x` and `aL`.
fn counted(lines: &[&str], more: u8, booleans: u16, settings: &Settings) -> (u64, f32, i32) {
    let mut uniforms = Uniforms { booleans, ..Uniforms::default() };
    uniforms.floats[0] = [1f32.to_bits(); 4];
    uniforms.integers[0] = [more, 0, 1, 0];
    let set = ShaderSet { uniforms, runs: vec![ShaderRun::default()], ..ShaderSet::default() };
    let output = run(&file(0, lines), &set, settings).unwrap();
    (output.results[0].steps, floats(&output, 0, 0)[0], output.results[0].address[2])
}

/// In the last iteration, too, the end of a loop has priority over a jump, call or condition that is its last word, and
/// over a call that ends there.
#[test]
fn the_end_of_a_loop_has_priority_in_every_iteration() {
    const ADD: &str = "add r0, c0, r0";
    const OUT: &str = "mov o0, r0";
    type Case = (&'static [&'static str], u8, u16, (u64, f32, i32));
    let cases: &[Case] = &[
        (&["for i0, 2", ADD, "jmpu !b0, 5", ADD, ADD, OUT, "end"], 2, 0, (11, 5.0, 3)),
        (&["for i0, 2", ADD, "ifu b0, 5, 0", ADD, ADD, OUT, "end"], 2, 0, (11, 5.0, 3)),
        (&["for i0, 2", ADD, "call 7, 1", ADD, ADD, OUT, "end", ADD, "nop"], 2, 0, (11, 5.0, 3)),
        (&["for i0, 1", "jmpu !b0, 4", ADD, ADD, OUT, "end"], 0, 0, (6, 2.0, 1)),
        (&["for i0, 3", "call 2, 2", ADD, ADD, ADD, OUT, "end"], 2, 1, (13, 7.0, 3)),
        // The same for conditions and procedures; loops that end together; breaks.
        (&["ifu b0, 3, 1", ADD, "jmpu !b0, 5", ADD, ADD, OUT, "end"], 2, 1, (6, 2.0, 0)),
        (&["call 4, 1", ADD, OUT, "end", "jmpu !b0, 6", ADD, ADD, OUT, "end"], 2, 0, (5, 1.0, 0)),
        (&["for i0, 3", ADD, "for i0, 3", ADD, ADD, OUT, "end"], 2, 0, (9, 5.0, 0)),
        (&["for i0, 3", ADD, "ifu b0, 4, 0", ADD, ADD, OUT, "end"], 2, 1, (13, 7.0, 3)),
        (&["for i0, 2", ADD, "break", OUT, "end"], 2, 0, (5, 1.0, 1)),
        (&["for i0, 2", ADD, "nop", OUT, "end"], 2, 0, (9, 3.0, 3)),
        (&["for i0, 5", "for i0, 3", ADD, "break", ADD, "nop", OUT, "end"], 2, 0, (18, 6.0, 1)),
    ];
    for settings in [emulators(), Settings::default()] {
        for (lines, more, booleans, want) in cases {
            assert_eq!(counted(lines, *more, *booleans, &settings), *want, "{lines:?}");
        }
    }
}

/// Azahar's interpreter ends the iteration before the program; whether the hardware does is not known.
#[test]
fn an_end_that_is_a_loops_last_word_steps_al_as_chosen() {
    let lines = ["for i0, 2", "mov o0, c0", "end", "end"];
    assert_eq!(counted(&lines, 2, 0, &Settings::default()), (3, 1.0, 0));
    let mut step = Settings::default();
    assert!(step.pica200.options.set("end-last", "step"));
    for settings in [emulators(), step] {
        assert_eq!(counted(&lines, 2, 0, &settings), (3, 1.0, 1));
        // In the last iteration of an inner loop, aL has the value that the inner loop began with.
        let inner = ["for i0, 3", "for i0, 3", "mov o0, c0", "end", "end"];
        assert_eq!(counted(&inner, 0, 0, &settings), (4, 1.0, 0));
        // Vertices that end there and vertices that go on are groups of their own.
        let apart = ["for i0, 3", "cmp c0, lt, lt, v0", "jmpc !cmp.x, 4", "end", "mov o0, c0", "end"];
        let mut set = set(&[-1.0, 9.0, -1.0]);
        set.uniforms.floats[0] = [1f32.to_bits(); 4];
        let output = run(&file(0, &apart), &set, &settings).unwrap();
        let results: Vec<_> = output.results.iter().map(|r| (r.steps, r.address[2])).collect();
        assert_eq!(results, [(5, 1), (4, 2), (5, 1)]);
    }
}

/// In binary32 a dot product adds its products to +0, as in emulators; float24 has no -0.
#[test]
fn a_dot_product_of_negative_zeros_is_positive_zero() {
    for (name, order) in
        [("dp3", "xyzw"), ("dp4", "xyzw"), ("dp4", "wzyx"), ("dp4", "pairs"), ("dph", "pairs")]
    {
        let lines = ["mov r0, v0", &format!("{name} r1, v1, r0"), "mov o0, r1", "rcp o1, r1", "end"];
        let bytes = file(0, &lines);
        let inputs = [(0, [(-1f32).to_bits(); 4]), (1, [0; 4])].into();
        let mut given = ShaderRun { inputs, ..ShaderRun::default() };
        if name == "dph" {
            // The first source's w is 1: the product of w is -0 here, too.
            given.inputs.insert(0, [(-1f32).to_bits(), (-1f32).to_bits(), (-1f32).to_bits(), 0x8000_0000]);
        }
        let set = ShaderSet { runs: vec![given], ..ShaderSet::default() };
        let mut settings = emulators();
        assert!(settings.pica200.options.set("dot-order", order));
        let output = run(&bytes, &set, &settings).unwrap();
        let [dot, reciprocal] = [0, 1].map(|n| output.results[0].outputs[n].1[0]);
        assert_eq!((dot, reciprocal), (0, 0x7f80_0000), "{name} {order}");
    }
}

/// Old assemblers leave the header's mask of outputs 0: the output table counts, as for the loader of libctru.
#[test]
fn outputs_of_the_table_are_results_where_the_mask_is_0() {
    let lines = ["mov o2, v0", "end"];
    let mut old = Shbin::read(&file(0, &lines), &Limits::default()).unwrap();
    old.programs[0].output_mask = 0;
    old.programs[0].outputs = vec![OutputEntry { kind: 0, register: 2, mask: 15, unknown: 0 }];
    let bytes = old.write(&Limits::default()).unwrap();
    let output = run(&bytes, &set(&[1.0]), &Settings::default()).unwrap();
    assert_eq!(output.results[0].outputs, [(2, [1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits))]);
}

#[test]
fn endless_programs_meet_the_limit() {
    let mut settings = emulators();
    settings.limits.lane_steps = 1000;
    let endless = file(0, &["cmp c0, eq, eq, r0", "jmpc cmp.x, 0", "end"]);
    assert_eq!(code(run(&endless, &set(&[1.0, 2.0]), &settings)), "limit-exceeded");
    let recursive = file(0, &["call 0, 2", "nop", "end"]);
    assert_eq!(code(run(&recursive, &set(&[1.0]), &settings)), "limit-exceeded");
}

#[test]
fn what_lies_past_the_end_is_a_choice() {
    let bytes = file(0, &["mov o0, v0"]);
    let with = |value: &str| {
        let mut settings = Settings::default();
        assert!(settings.pica200.options.set("past-end", value));
        settings.limits.lane_steps = 10_000;
        run(&bytes, &set(&[1.0]), &settings)
    };
    assert_eq!(code(with("refuse")), "eval-off-program");
    assert_eq!(with("end").unwrap().results[0].steps, 2);
    let zeros = with("zeros").unwrap();
    assert_eq!(zeros.results[0].steps, 4096);
    assert_eq!(floats(&zeros, 0, 0)[0], 2.0, "a word of zeros adds v0 to itself");
    assert_eq!(code(with("wrap")), "limit-exceeded");
}

#[test]
fn choices_reach_the_machine() {
    let set_to = |key: &str, value: &str| {
        let mut settings = Settings::default();
        assert!(settings.pica200.options.set(key, value), "{key}={value}");
        settings
    };
    let cmp = file(
        0,
        &["cmp v0, true6, true7, v0", "ifc cmp.x && cmp.y, 4, 1", "mov o0, c1", "nop", "mov o0, c2", "end"],
    );
    for (value, want) in [("always", 1.0), ("never", 2.0)] {
        let output = run(&cmp, &set(&[1.0]), &set_to("cmp-6-7", value)).unwrap();
        assert_eq!(floats(&output, 0, 0)[0], want, "{value}");
    }
    let mova = file(0, &["mova a0.xy, v0.xx", "mov o0, c20[a0.x]", "end"]);
    for (key, value, x, want) in [
        ("mova", "truncate", -1.5, -1),
        ("mova", "floor", -1.5, -2),
        ("mova", "nearest", 2.5, 2),
        ("mova-range", "wide", 300.0, 300),
        ("mova-range", "wrap", 300.0, 44),
        ("mova-range", "clamp", 300.0, 127),
    ] {
        let output = run(&mova, &set(&[x]), &set_to(key, value)).unwrap();
        assert_eq!(output.results[0].address[0], want, "{key}={value}");
    }
    // The second iteration continues from 250 + 10, which counts as an offset of zero unless it started anew.
    let looped = file(0, &["for i2, 1", "mov r0, c20[aL]", "mov o0, r0", "end"]);
    for (value, read, last) in [("wide", 20.0, 270), ("byte", 24.0, 14)] {
        let mut set = set(&[0.0]);
        set.uniforms.integers[2] = [1, 250, 10, 0];
        let output = run(&looped, &set, &set_to("al-width", value)).unwrap();
        assert_eq!((floats(&output, 0, 0)[0], output.results[0].address[2]), (read, last), "{value}");
    }
    // The inner loop begins with 5 and steps by 3.
    let left = ["for i2, 4", "for i1, 3", "nop", "break", "mov r0, c20[aL]", "mov o0, r0", "end"];
    let over = ["for i2, 4", "for i1, 3", "nop", "nop", "mov r0, c20[aL]", "mov o0, r0", "end"];
    for (lines, value, want) in
        [(left, "began", 5), (left, "stepped", 8), (over, "began", 5), (over, "stepped", 8)]
    {
        let mut set = set(&[0.0]);
        set.uniforms.integers[1] = [0, 5, 3, 0];
        set.uniforms.integers[2] = [0, 9, 0, 0];
        let output = run(&file(0, &lines), &set, &set_to("inner-al", value)).unwrap();
        let got = (floats(&output, 0, 0)[0], output.results[0].address[2]);
        assert_eq!(got, (20.0 + want as f32, want), "{lines:?} {value}");
    }
    // 1 + 2^-17 is half-way.
    let sum = file(0, &["rcp r0.x, v0.x", "add o0, c1.x, r0.x", "end"]);
    for (value, want) in [("truncate", 1.0f32), ("nearest", 1.0), ("away", 1.0 + 1.0 / 65536.0)] {
        let output = run(&sum, &set(&[131_072.0]), &set_to("add", value)).unwrap();
        assert_eq!(floats(&output, 0, 0)[0], want, "{value}");
    }
}

#[test]
fn constants_of_the_program_lie_over_the_uniforms() {
    let bytes = file(0, &["mov o0, c95", "mov o1, c94", "end"]);
    let output = run(&bytes, &set(&[1.0]), &Settings::default()).unwrap();
    assert_eq!(floats(&output, 0, 0), [1.0, 0.0, -1.0, 2.0]);
    assert_eq!(floats(&output, 0, 1), [94.0, 94.25, 94.5, 94.75]);
}

#[test]
fn floats_past_24_bits_are_rounded_as_they_come_in() {
    let bytes = file(0, &["mov o0, v0", "end"]);
    let fine = 1.0 + f32::EPSILON;
    let x = |settings: &Settings| floats(&run(&bytes, &set(&[fine]), settings).unwrap(), 0, 0)[0];
    assert_eq!((x(&Settings::default()), x(&emulators())), (1.0, fine));
}

/// The two banks of outputs alternate, and slots retain their vertices.
#[test]
fn outputs_have_two_banks() {
    let lines = [
        "mov o0, v0",
        "setemit 0",
        "emit",
        "mov o1, v0",
        "setemit 1",
        "emit",
        "setemit 2, prim inv",
        "emit",
        "end",
    ];
    let bytes = file(1, &lines);
    let mut two = set(&[1.0, 5.0]);
    let output = run(&bytes, &two, &Settings::default()).unwrap();
    let first = &output.results[0];
    let v0 = [1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits);
    let got: Vec<_> = first.emits.iter().map(|e| (e.slot, e.outputs[0].1, e.outputs[1].1)).collect();
    assert_eq!(got, [(0, v0, [0; 4]), (1, [0; 4], v0), (2, v0, [0; 4])]);
    assert_eq!((first.triangles.len(), first.triangles[0].flipped), (1, true));
    assert_eq!(first.triangles[0].vertices[1][1].1, v0);
    // Three emits later the banks are exchanged, which the next run sees only if it continues.
    let fresh = &output.results[1].emits[0].outputs;
    assert_eq!(fresh[1].1, [0; 4]);
    two.keep_registers = true;
    let rest = &run(&bytes, &two, &Settings::default()).unwrap().results[1].emits[0].outputs;
    assert_eq!(rest[1].1, v0);
}

#[test]
fn registers_stay_live_and_b15_is_true() {
    let lines =
        ["add r0, c4, r0", "ifu b15, 4, 0", "nop", "add r1, c8, r1", "mov o0, r0", "mov o1, r1", "end"];
    let bytes = file(1, &lines);
    let mut three = set(&[0.0; 3]);
    three.keep_registers = true;
    let output = run(&bytes, &three, &Settings::default()).unwrap();
    assert_eq!([0, 1, 2].map(|n| floats(&output, n, 0)[0]), [4.0, 8.0, 12.0]);
    assert_eq!([0, 1, 2].map(|n| floats(&output, n, 1)[0]), [0.0, 8.0, 16.0]);
}

#[test]
fn a_run_may_bring_constants() {
    let bytes = file(1, &["mov o0, c7", "end"]);
    let mut two = set(&[0.0; 2]);
    two.runs[0].constants.insert(7, [9f32.to_bits(); 4]);
    let output = run(&bytes, &two, &Settings::default()).unwrap();
    assert_eq!([0, 1].map(|n| floats(&output, n, 0)[0]), [9.0, 7.0]);
}

#[test]
fn emitting_needs_a_geometry_program() {
    let bytes = file(0, &["emit", "end"]);
    assert_eq!(code(run(&bytes, &set(&[1.0]), &Settings::default())), "eval-no-environment");
}

#[test]
fn a_break_outside_of_a_loop_is_reported() {
    let bytes = file(0, &["break", "end"]);
    assert_eq!(code(run(&bytes, &set(&[1.0]), &Settings::default())), "pica-run-break");
}

#[test]
fn json_is_filled_in() {
    let bytes = file(0, &["for i0, 1", "add o0, c0[aL], v0", "end"]);
    let input = r#"{ "name": "registers", "sets": [
        { "i": { "i0": [1, 2, 1, 0] }, "c": { "c2": "3f800000 0 0 0", "c3": "40000000 0 0 0" },
          "vertices": [{ "in": { "v0": "3f800000 40000000 0 0" } }] }] }"#;
    let options = RunOptions::new().trace(10);
    let filled = run_json(&bytes, input, options).unwrap();
    assert_eq!(faults(&filled), [""; 0]);
    let wrong = serde_json::json!({ "sets": [{ "vertices": [{ "steps": "4" }] }] });
    assert_eq!(faults(&wrong).len(), 1);
    assert_eq!(filled["name"], "registers");
    let vertex = &filled["sets"][0]["vertices"][0];
    assert_eq!(vertex["out"]["o0"], "40400000 40000000 00000000 00000000");
    assert_eq!((&vertex["end"], &vertex["steps"]), (&serde_json::json!([0, 0, 4, 0, 0]), &4.into()));
    let trace = filled["sets"][0]["trace"].as_array().unwrap();
    let words: Vec<_> = trace.iter().map(|s| s["instruction"].as_u64().unwrap()).collect();
    assert_eq!(words, [0, 1, 1, 1, 1, 2], "the end of an iteration belongs to the loop's last word");
    assert_eq!(trace[0]["writes"][0], serde_json::json!({ "register": "aL", "values": ["00000002"] }));
}

#[test]
fn emitted_vertices_are_filled_in() {
    let bytes = file(1, &["mov o0, v0", "setemit 0, prim inv", "emit", "end"]);
    let input = r#"{ "sets": [{ "invocations": [{ "in": { "v0": "3f800000 0 0 0" } }] }] }"#;
    let filled = run_json(&bytes, input, RunOptions::new()).unwrap();
    assert_eq!(faults(&filled), [""; 0]);
    let run = &filled["sets"][0]["invocations"][0];
    let o0 = "3f800000 00000000 00000000 00000000";
    assert_eq!((&run["emits"][0]["o"]["o0"], &run["emits"][0]["inv"]), (&o0.into(), &true.into()));
    assert_eq!((&run["primitives"][0]["v"][0]["o0"], &run["steps"]), (&o0.into(), &4.into()));
}

#[test]
fn wrong_inputs_are_reported() {
    let bytes = file(0, &["end"]);
    for (input, part) in [
        ("[]", "expected"),
        ("{}", "sets"),
        (r#"{ "version": 2, "sets": [] }"#, "version"),
        (r#"{ "sets": [{}] }"#, "either"),
        (r#"{ "sets": [{ "vertices": [], "invocations": [] }] }"#, "either"),
        (r#"{ "sets": [{ "dvle": 1, "vertices": [] }] }"#, "no program 1"),
        (r#"{ "sets": [{ "b": "x", "vertices": [] }] }"#, "mask"),
        (r#"{ "sets": [{ "c": { "c96": "0 0 0 0" }, "vertices": [] }] }"#, "c96"),
        (r#"{ "sets": [{ "vertices": [{ "in": { "v16": "0 0 0 0" } }] }] }"#, "v16"),
        (r#"{ "sets": [{ "vertices": [{ "in": { "v0": "0 0 0" } }] }] }"#, "four 32-bit words"),
        (r#"{ "sets": [{ "i": { "i0": [256, 0, 0, 0] }, "vertices": [] }] }"#, "256"),
    ] {
        let error = run_json(&bytes, input, RunOptions::new()).unwrap_err();
        let d = &error.diagnostics[0];
        assert!(d.code == "run-input" && d.message.contains(part), "{input}: {d}");
    }
}
