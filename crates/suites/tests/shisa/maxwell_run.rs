//! Running Maxwell programs: inputs, memory, and what is refused.
use serde_json::{Value, json};
use shisa::{File, Isa, Language, Result, RunOptions, Settings};
use shisa_run::{from_base64, to_base64};

/// Assembles a program, each instruction with control bits that wait for everything.
fn assembled(source: &str) -> Vec<u8> {
    let lines = source.lines().map(|line| match line.trim_end().strip_suffix(';') {
        Some(insn) => format!("{insn} ; {{3f:-:-:-:f}}\n"),
        None => format!("{line}\n"),
    });
    let text = format!("// maxwell\n.chip sm_53\n.code \"main\"\n{}", lines.collect::<String>());
    let mut settings = Settings::default();
    settings.unchecked = true;
    shisa::assemble(&text, Language::Maxwell, &settings).unwrap_or_else(|e| panic!("{e}\n{text}")).bytes
}

/// Runs a source; input and output match the schema.
fn run(source: &str, input: &Value) -> Result<Value> {
    let root: Value =
        serde_json::from_str(include_str!("../../../../docs/schema/maxwell-run.schema.json")).unwrap();
    let code = assembled(source);
    let file = File::open(&code, &Settings::new().isa(Isa::Maxwell))?;
    let output = file.run_json(&input.to_string(), RunOptions::new().trace(3))?;
    crate::compute_engines::agree(&code, &Settings::new().isa(Isa::Maxwell), input, &output);
    for value in [input, &output] {
        assert_eq!(crate::schema::faults(&root, &root, value, ""), [""; 0]);
    }
    Ok(output)
}

const OUT: u64 = 0x1_0000_0000;

/// One block of one warp with a buffer of 32 words, whose address is the parameter.
fn input() -> Value {
    json!({
        "version": 1, "grid": [1, 1, 1], "block": [32, 1, 1],
        "params": OUT.to_le_bytes().iter().map(|b| format!("{b:02x}")).collect::<String>(),
        "buffers": [{"address": OUT, "type": "u32", "data": to_base64(&[0xff; 128])}],
    })
}

/// The words of the buffer after a run.
fn words(source: &str, input: &Value) -> Vec<u32> {
    let output = run(source, input).unwrap_or_else(|e| panic!("{e}"));
    let bytes = output["buffers"][0]["expected"].as_str().and_then(from_base64).unwrap();
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Stores R8 in the thread's word.
fn stored(program: &str) -> String {
    format!(
        "S2R R0, SR_TID.X ;\n{program}\nSHL R0, R0, 0x2 ;\nIADD R2.CC, R0, c[0x0][0x140] ;\n\
         IADD.X R3, RZ, c[0x0][0x144] ;\nSTG.E [R2], R8 ;\nEXIT ;"
    )
}

#[test]
fn the_launch_is_in_constants_and_special_registers() {
    for (insn, expected) in [
        ("MOV R8, c[0x0][0x0] ;", 0x100_0000),
        ("MOV R8, c[0x0][0x20] ;", 0xff_fff0),
        ("MOV R8, c[0x0][0x8] ;", 32),
        ("MOV R8, c[0x0][0xfc] ;", 0),
        ("MOV R8, c[0x0][0x1000] ;", 0),
        ("S2R R8, SR_LMEMHIOFF ;", 0xff_eff0),
        ("S2R R8, SR_NTID ;", 32),
    ] {
        assert_eq!(words(&stored(insn), &input()), [expected; 32], "{insn}");
    }
    let lanes: Vec<u32> = (0..32).collect();
    assert_eq!(words(&stored("S2R R8, SR_LANEID ;"), &input()), lanes);
}

#[test]
fn clocks_advance() {
    let read = |register: &str| {
        format!("S2R R4, {register} ;\nMOV R6, RZ ;\nS2R R5, {register} ;\nIADD R8, R5, -R4 ;")
    };
    let passed = words(&stored(&read("SR_CLOCKLO")), &input());
    assert!(passed[0] > 0 && passed.iter().all(|cycles| *cycles == passed[0]), "{passed:?}");
    let high = words(&stored("S2R R8, SR_CLOCKHI ;"), &input());
    assert_eq!(high, [0; 32]);
}

#[test]
fn shared_and_local_memory_have_windows() {
    // A word of shared memory by its own address and by its generic one, in both orders.
    let mut shared = input();
    shared["dynamic_shared"] = 128.into();
    let through_window = "SHL R4, R0, 0x2 ;\nIADD R6, R4, c[0x0][0x0] ;\nMOV R7, RZ ;\nIADD R5, R0, 0x64 ;\n";
    let expected: Vec<u32> = (0..32).map(|i| i + 100).collect();
    for access in ["STS [R4], R5 ;\nLD.E R8, [R6] ;", "ST.E [R6], R5 ;\nLDS R8, [R4] ;"] {
        assert_eq!(words(&stored(&format!("{through_window}{access}")), &shared), expected, "{access}");
    }
    // The same for the stack, of which each thread has its own.
    let through_window = "MOV R4, c[0x0][0x20] ;\nIADD R4, R4, -0x10 ;\nLOP.OR R6, R4, c[0x0][0x4] ;\nMOV R7, RZ ;\n\
                          IADD R5, R0, 0x64 ;\n";
    for access in ["STL [R4], R5 ;\nLD.E R8, [R6] ;", "ST.E [R6], R5 ;\nLDL R8, [R4] ;"] {
        assert_eq!(words(&stored(&format!("{through_window}{access}")), &input()), expected, "{access}");
    }
}

/// Buffers may touch a window, but not overlap it.
#[test]
fn buffers_are_outside_of_windows() {
    let (start, end) = (0x100_0000u64, 0x300_0000);
    for (address, fits) in [(start - 128, true), (start - 127, false), (end - 1, false), (end, true)] {
        let mut at = input();
        at["buffers"][0]["address"] = address.into();
        let done = run("EXIT ;", &at).map(|_| ()).map_err(|e| e.diagnostics[0].code);
        assert_eq!(done, if fits { Ok(()) } else { Err("eval-buffer") }, "{address:#x}");
    }
}

/// Code without a container is any kernel that the input names.
#[test]
fn bare_code_has_no_name() {
    let mut named = input();
    named["kernel"] = "saxpy".into();
    assert_eq!(words(&stored("MOV R8, 0x7 ;"), &named), [7; 32]);
}

#[test]
fn accesses_outside_of_memory_end_the_run() {
    let refused = |program: &str, input: &Value| run(&stored(program), input).unwrap_err().to_string();
    for (program, message) in [
        ("LDS R8, [0x80] ;", "a load of 4 bytes at 0x80 is outside of shared memory"),
        ("STL [0x0], R0 ;", "of 4 bytes at 0x0 is outside of local memory"),
        (
            "MOV32I R4, 0xffeff0 ;\nLDL R8, [R4+-0x4] ;",
            "a load of 4 bytes at 0xffefec is outside of local memory",
        ),
        (
            "MOV R4, RZ ;\nMOV R5, RZ ;\nLDG.E R8, [R4] ;",
            "a load of 4 bytes at 0x0 is outside of global memory",
        ),
        ("MOV R8, c[0x5][0x0] ;", "bank 5 of the constants, which nothing provides"),
    ] {
        let mut with_shared = input();
        with_shared["dynamic_shared"] = 128.into();
        let text = refused(program, &with_shared);
        assert!(text.contains(message) && text.contains("eval-memory-outside"), "{program}: {text}");
    }
}

#[test]
fn banks_of_constants_are_given() {
    let mut input = input();
    input["constants"] = json!({"5": "00000000efbeadde"});
    assert_eq!(words(&stored("MOV R8, c[0x5][0x4] ;"), &input), [0xdead_beef; 32]);
    // Bank 0 has the launch's sizes besides.
    input["constants"] = json!({"0": "00".repeat(0x30)});
    assert_eq!(words(&stored("MOV R8, c[0x0][0x8] ;"), &input), [32; 32]);
}

/// A change of the input, and a part of the message.
type Case<'c> = (&'c dyn Fn(&mut Value), &'c str);

#[test]
fn inputs_that_do_not_fit_are_refused() {
    let code = stored("MOV R8, RZ ;");
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut input = input();
        change(&mut input);
        run(&code, &input).unwrap_err().to_string()
    };
    let cases: [Case<'_>; 8] = [
        (&|v| v["grid"] = json!([1, 0, 1]), "each number is at least 1"),
        (&|v| v["block"] = json!([1024, 2, 1]), "1 to 1024 are allowed"),
        (&|v| v["params"] = "0".into(), "the parameters are not hexadecimal"),
        (&|v| v["buffers"][0]["data"] = "?".into(), "the data of buffer 0 is not base64"),
        (&|v| v["buffers"][0]["address"] = "seven".into(), "\"seven\" is not an address"),
        (&|v| v["buffers"][0]["address"] = 0x1ff_ffffu32.into(), "overlaps the window of shared memory"),
        (&|v| v["buffres"] = json!([]), "\"buffres\" is not a known key"),
        (&|v| v["constants"] = json!({"1": "00".repeat(0x1_0004)}), "the largest is 65536"),
    ];
    for (change, message) in cases {
        let text = refused(change);
        assert!(text.contains(message), "{message}: {text}");
    }
}

#[test]
fn words_that_are_no_instructions_matter_only_where_they_may_run() {
    let after = format!("{}\n.word 0xffffffffffffffff", stored("MOV R8, RZ ;"));
    let code = assembled(&after);
    assert!(!code.is_empty());
    assert_eq!(words(&after, &input()), [0; 32]);
    let before = format!(".word 0xffffffffffffffff\n{}", stored("MOV R8, RZ ;"));
    let text = run(&before, &input()).unwrap_err().to_string();
    assert!(text.contains("lift-opcode"), "{text}");
}
