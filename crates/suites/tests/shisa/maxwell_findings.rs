//! Findings of runs: races, reads of memory that nothing wrote, divergent barriers, and misaligned accesses.
use serde_json::{Value, json};
use shisa::{File, Isa, Language, Result, RunOptions, Settings};

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

/// Runs two blocks of two warps that have 256 bytes of shared memory; returns the findings.
fn found(source: &str) -> Result<Vec<Value>> {
    let code = assembled(source);
    let mut settings = Settings::new().isa(Isa::Maxwell);
    settings.maxwell.findings = true;
    let file = File::open(&code, &settings)?;
    let input = json!({"version": 1, "grid": [2, 1, 1], "block": [64, 1, 1], "shared": 256});
    let output = file.run_json(&input.to_string(), RunOptions::new())?;
    Ok(output["findings"].as_array().unwrap().clone())
}

/// The codes of the findings.
fn codes(source: &str) -> Vec<String> {
    let found = found(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    found.iter().map(|f| f["code"].as_str().unwrap().to_owned()).collect()
}

const NONE: [&str; 0] = [];

/// Each thread writes its word of shared memory and reads that of the thread 32 before or after it, with `between` in
/// between.
fn exchange(between: &str) -> String {
    format!(
        "S2R R0, SR_TID.X ;\nSHL R1, R0, 0x2 ;\nSTS [R1], R0 ;\n{between}\nLOP.XOR R1, R1, 0x80 ;\nLDS R2, [R1] ;\nEXIT ;"
    )
}

#[test]
fn barriers_prevent_races() {
    assert_eq!(codes(&exchange("BAR.SYNC 0x0 ;")), NONE);
    // The first warp reads what the second writes later; the second reads what the first wrote.
    let both = ["maxwell-run-race", "maxwell-run-race", "maxwell-run-uninitialised"];
    assert_eq!(codes(&exchange("NOP ;")), both);
    // Another number for each warp is no barrier between the two.
    let numbers = "SHR.U32 R3, R0, 0x5 ;\nBAR.SYNC R3, 0x20 ;";
    assert_eq!(codes(&exchange(numbers)), ["maxwell-run-race"]);
}

#[test]
fn findings_name_instruction_warp_and_block() {
    let found = found(&exchange("NOP ;")).unwrap();
    let race = &found[1];
    assert_eq!(
        race["message"],
        "lane 0 reads 4 bytes of shared memory at 0x0, which warp 0 writes without a barrier between the two"
    );
    let notes: Vec<&str> = race["notes"].as_array().unwrap().iter().map(|n| n.as_str().unwrap()).collect();
    // 32 lanes of the second warp, in both blocks.
    assert_eq!(
        notes,
        ["at 0x38, in warp 1 of block 0, 0, 0", "the other access is at 0x18", "64 times in all"]
    );
}

#[test]
fn atomic_operations_are_no_races() {
    assert_eq!(codes("MOV32I R1, 0x1 ;\nATOMS.ADD R2, [RZ], R1 ;\nEXIT ;"), ["maxwell-run-uninitialised"]);
    let cleared = "STS [RZ], RZ ;\nBAR.SYNC 0x0 ;\nMOV32I R1, 0x1 ;\nATOMS.ADD R2, [RZ], R1 ;\nEXIT ;";
    assert_eq!(codes(cleared), ["maxwell-run-race"], "both warps write the same word");
    let once = "S2R R0, SR_TID.X ;\nISETP.GT.U32.AND P0, PT, R0, 0x1f, PT ;\n@!P0 STS [RZ], RZ ;\nBAR.SYNC 0x0 ;\n\
                MOV32I R1, 0x1 ;\nATOMS.ADD R2, [RZ], R1 ;\nEXIT ;";
    assert_eq!(codes(once), NONE);
}

#[test]
fn memory_of_a_thread_is_written_before_it_is_read() {
    let codes = |accesses: &str| codes(&format!("MOV R1, c[0x0][0x20] ;\n{accesses}\nEXIT ;"));
    assert_eq!(codes("STL [R1+-0x10], R0 ;\nLDL R2, [R1+-0x10] ;"), NONE);
    assert_eq!(codes("STL [R1+-0x10], R0 ;\nLDL R2, [R1+-0xc] ;"), ["maxwell-run-uninitialised"]);
    // By its generic address.
    let generic = "LOP32I.OR R2, R1, 0x2000000 ;\nMOV R3, RZ ;\nST.E [R2+-0x10], R0 ;\nLDL R2, [R1+-0x10] ;";
    assert_eq!(codes(generic), NONE);
}

#[test]
fn divergent_barriers_are_found() {
    let some = "S2R R0, SR_LANEID ;\nISETP.GT.U32.AND P0, PT, R0, 0x3, PT ;\n@P0 BAR.SYNC 0x0 ;\nEXIT ;";
    assert_eq!(codes(some), ["maxwell-run-divergent-barrier"]);
    // Lanes that have ended are not missing.
    let rest =
        "S2R R0, SR_LANEID ;\nISETP.GT.U32.AND P0, PT, R0, 0x3, PT ;\n@P0 EXIT ;\nBAR.SYNC 0x0 ;\nEXIT ;";
    assert_eq!(codes(rest), NONE);
}

#[test]
fn misaligned_accesses_end_the_run() {
    for (access, size, address) in [
        ("LDS.64 R2, [0x4]", 8, 4),
        ("STS.128 [0x18], R4", 16, 0x18),
        ("STS [0x2], R4", 4, 2),
        ("LDS.U.S16 R2, [0x1]", 2, 1),
        ("STL.64 [0x14], R4", 8, 0x14),
    ] {
        let refused = found(&format!("{access} ;\nEXIT ;")).unwrap_err();
        let d = &refused.diagnostics[0];
        assert_eq!(d.code, "maxwell-run-misaligned", "{access}");
        let text = format!("an access of {size} bytes at {address:#x} is not at a multiple of {size}");
        assert_eq!(d.message, text);
        assert_eq!(d.notes, ["in lane 0", "at program counter 0x8", "in wave 0 of workgroup 0, 0, 0"]);
    }
    assert_eq!(codes("STS.128 [0x10], R4 ;\nSTS.U8 [0x41], R4 ;\nEXIT ;"), ["maxwell-run-race"; 2]);
}

/// Divergence, coalescing and conflicts of banks are counted by instruction.
#[test]
fn profiles_count_lanes_and_transactions() {
    let source = "S2R R0, SR_LANEID ;\nSHL R1, R0, 0x2 ;\nSTS [R1], R0 ;\nISETP.GT.U32.AND P0, PT, R0, 0xf, PT ;\n\
                  @P0 EXIT ;\nSHL R1, R0, 0x3 ;\nLDS R2, [R1] ;\nMOV R1, c[0x0][0x20] ;\nSTL.64 [R1+-0x10], R2 ;\nEXIT ;";
    let code = assembled(source);
    let mut settings = Settings::new().isa(Isa::Maxwell);
    settings.maxwell.profile = true;
    let file = File::open(&code, &settings).unwrap();
    let input = json!({"version": 1, "grid": [2, 1, 1], "block": [64, 1, 1], "shared": 256});
    let output = file.run_json(&input.to_string(), RunOptions::new()).unwrap();
    let cost = |number: usize| {
        // Three instructions of a bundle follow its control word.
        let address = (number / 3 * 4 + number % 3 + 1) * 8;
        let all = output["profile"].as_array().unwrap();
        all.iter().find(|cost| cost["instruction"] == address).unwrap().clone()
    };
    assert_eq!(cost(0), json!({"instruction": 8, "warps": 4, "lanes": 128}));
    let served = |accesses, bytes, transactions, least| json!({"accesses": accesses, "bytes": bytes, "transactions": transactions, "least": least});
    assert_eq!(cost(2)["shared"], served(4, 512, 4, 4));
    // 16 lanes, each in another bank.
    assert_eq!((cost(6)["lanes"].clone(), cost(6)["shared"].clone()), (64.into(), served(4, 256, 4, 4)));
    // Two words of each of 16 lanes: two sectors for each word.
    assert_eq!(cost(8)["global"], served(4, 512, 16, 16));
}
