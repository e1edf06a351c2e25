//! Events of the debugger about registers and memory that nothing has written, and about accesses outside of memory.
use crate::debug::{Case, SHARE, agal, agx, maxwell, pica200};
use serde_json::json;
use shisa::data::debug::{Commands, RECORDING_BYTES, Reply, Session, captured};
use shisa::{File, Isa, Language, Settings};
use std::collections::BTreeSet;

/// Longer runs are not searched.
const STEPS: u64 = 3_000;

/// What happened at the first event of a name, forwards from the start; `None` if there is none.
fn first(session: Session, event: &str) -> Option<String> {
    let mut commands = Commands::new(session);
    let reply = commands.run(&format!("until {event}")).unwrap();
    let Reply::Answer(answer) = reply else { panic!("{reply:?}") };
    (answer.data["reason"] == "breakpoint")
        .then(|| answer.data["breakpoint"]["what"].as_str().unwrap().to_owned())
}

/// The names of the cases with an event in one of their runs.
fn with(cases: &[Case], event: &str) -> BTreeSet<String> {
    let short = |session: &Session| session.recorded().end() <= STEPS;
    let has = |case: &&Case| {
        let sessions = case.sessions(RECORDING_BYTES);
        sessions.into_iter().filter(short).any(|session| first(session, event).is_some())
    };
    cases.iter().filter(has).map(|case| case.name.clone()).collect()
}

/// The cases that read what nothing has written: a PICA200 program that is there for this, and Maxwell kernels in which `XMAD.PSL`
/// inserts into half of a register whose other half does not matter.
const READING: [&str; 5] = [
    "loc_bytes.sm_50.O0",
    "loc_bytes.sm_53.O0",
    "mem_widths.sm_50.O3",
    "mem_widths.sm_53.O3",
    "pica200/run/temp_uninit.json",
];

/// Programs of the corpora read nothing that is not written, but for those of [`READING`]. Of all others, takes one of so many.
fn only_reading_programs_have_events(share: usize) {
    let mut reading = BTreeSet::new();
    for cases in [agal(), agx(), pica200(), maxwell()] {
        let taken = |(number, case): &(usize, Case)| number % share == 0 || READING.contains(&&*case.name);
        let cases: Vec<Case> = cases.into_iter().enumerate().filter(taken).map(|(_, case)| case).collect();
        reading.append(&mut with(&cases, "uninitialised"));
        assert_eq!(with(&cases, "outside"), BTreeSet::new());
    }
    assert_eq!(reading, READING.map(str::to_owned).into());
}

#[test]
fn written_programs_read_what_is_written() {
    only_reading_programs_have_events(SHARE);
}

#[test]
#[ignore = "a campaign takes all programs"]
fn all_written_programs_read_what_is_written() {
    only_reading_programs_have_events(1);
}

/// The bytes of an AGAL program's header, and of an instruction.
const HEADER: usize = 7;
const TOKEN: usize = 24;
/// The opcodes of `m33`, `m44` and `m34`.
const MATRIX: [u8; 3] = [0x17, 0x18, 0x19];

/// Programs without one of their instructions. Where a run of straight code reads what nothing has written, the rules of the
/// language, which know only the text, say so, too. They count all components that a swizzle names, and copies, so they find more.
#[test]
fn runs_read_what_the_rules_of_agal_find() {
    let (mut runs, mut rules) = (0, 0);
    // Of the registers of a matrix, the rules look at the first.
    let has_matrix =
        |bytes: &[u8]| (HEADER..bytes.len()).step_by(TOKEN).any(|at| MATRIX.contains(&bytes[at]));
    for case in agal().iter().filter(|case| case.bytes[1] == 1 && !has_matrix(&case.bytes)) {
        for start in (HEADER..case.bytes.len()).step_by(TOKEN) {
            let mut bytes = case.bytes.clone();
            bytes.drain(start..start + TOKEN);
            let changed =
                Case { bytes, name: format!("{} without {start}", case.name), input: case.input.clone() };
            let file = File::open(&changed.bytes, &Settings::new()).unwrap();
            let checked = file.programs().next().unwrap().check().unwrap();
            let by_rules = checked.iter().any(|d| ["agal-3647", "agal-3648"].contains(&d.code));
            let Ok(captured) = captured(|trace| file.run_traced(&changed.input, trace)) else { continue };
            let sessions = captured.into_iter().map(|run| run.session(RECORDING_BYTES));
            let by_run = sessions.into_iter().any(|session| first(session, "uninitialised").is_some());
            assert!(by_rules || !by_run, "{}", changed.name);
            runs += usize::from(by_run);
            rules += usize::from(by_rules);
        }
    }
    assert!(runs > 100 && runs * 10 > rules * 7, "{runs} found by runs, {rules} by the rules");
}

/// The first event of a kernel of two warps with 64 bytes of shared and 32 of local memory a thread.
fn of_kernel(event: &str, code: &str) -> Option<String> {
    let lines: String = code
        .split(" ;")
        .filter(|insn| !insn.trim().is_empty())
        .fold(String::new(), |all, insn| all + insn.trim() + " ; {3f:-:-:-:f}\n");
    let text = format!("// maxwell\n.chip sm_53\n.code \"main\"\n{lines}");
    let mut settings = Settings::new();
    settings.unchecked = true;
    let bytes =
        shisa::assemble(&text, Language::Maxwell, &settings).unwrap_or_else(|e| panic!("{e}\n{text}")).bytes;
    let settings = Settings::new().isa(Isa::Maxwell);
    let file = File::open(&bytes, &settings).unwrap();
    let input = json!({
        "grid": [2, 1, 1], "block": [64, 1, 1], "shared": 64, "local": 32,
        "constants": {"3": "07".repeat(16)},
    });
    let mut runs = captured(|trace| file.run_traced(&input.to_string(), trace)).unwrap();
    first(runs.remove(0).session(RECORDING_BYTES), event)
}

#[test]
fn lanes_read_registers_that_they_have_not_written() {
    let read = |code: &str| of_kernel("uninitialised", code);
    assert_eq!(read("IADD R1, R0, 0x1 ; EXIT ;").as_deref(), Some("R0 is read before anything writes it"));
    assert_eq!(read("MOV R0, RZ ; IADD R1, R0, 0x1 ; EXIT ;"), None);
    // A copy is not a read, and its copy is not written.
    assert_eq!(read("MOV R1, R0 ; EXIT ;"), None);
    let copied = read("MOV R1, R0 ; IADD R2, R1, 0x1 ; EXIT ;");
    assert_eq!(copied.as_deref(), Some("R1 is read before anything writes it"));
    // Only some lanes write it.
    let some = "S2R R2, SR_TID.X ; ISETP.LT.U32.AND P0, PT, R2, 0x3, PT ; @P0 MOV R0, RZ ; {} IADD R1, R0, 0x1 ; EXIT ;";
    assert!(read(&some.replace("{}", "")).is_some());
    assert_eq!(read(&some.replace("{}", "@!P0 MOV R0, R2 ;")), None);
    assert_eq!(read(&some.replace("{} IADD", "@P0 IADD")), None);
    // Conditions and addresses are read.
    let condition = read("@P1 EXIT ; EXIT ;");
    assert_eq!(condition.as_deref(), Some("P1 is read before anything writes it"));
    assert!(read("STS [R3], RZ ; EXIT ;").is_some());
}

#[test]
fn memory_is_read_that_nothing_has_written() {
    let read = |code: &str| of_kernel("uninitialised", code);
    let shared = read("LDS R0, [0x8] ; EXIT ;");
    assert_eq!(shared.as_deref(), Some("shared memory at 0x8 (4 bytes) is read before anything writes it"));
    assert_eq!(read("STS [0x8], RZ ; LDS R0, [0x8] ; EXIT ;"), None);
    // Each workgroup has its own, and each thread its own local memory.
    let first =
        "S2R R2, SR_CTAID.X ; ISETP.EQ.U32.AND P0, PT, R2, RZ, PT ; @P0 STS [RZ], RZ ; LDS R0, [RZ] ; EXIT ;";
    assert!(read(first).is_some());
    let local = "S2R R2, SR_TID.X ; ISETP.EQ.U32.AND P0, PT, R2, 0x5, PT ; @{} STL [0x4], RZ ; LDL R0, [0x4] ; EXIT ;";
    assert!(read(&local.replace("{}", "P0")).is_some());
    assert_eq!(read(&local.replace("@{} ", "")), None);
    // By its generic address.
    let generic = "MOV32I R2, 0x2000004 ; MOV R3, RZ ; {} LD.E R0, [R2] ; EXIT ;";
    assert!(read(&generic.replace("{}", "")).is_some());
    assert_eq!(read(&generic.replace("{}", "STL [0x4], RZ ;")), None);
}

#[test]
fn constants_are_read_past_the_end_of_their_bank() {
    let outside = |code: &str| of_kernel("outside", code);
    assert_eq!(outside("MOV R0, c[0x3][0xc] ; EXIT ;"), None);
    let found = outside("MOV R0, c[0x3][0x10] ; EXIT ;");
    assert_eq!(found.as_deref(), Some("bank 3 at 0x10 (4 bytes) is outside of memory"));
    // The bank and the address are computed.
    let computed = "MOV32I R1, {} ; LDC R0, c[0x3][R1] ; EXIT ;";
    assert!(outside(&computed.replace("{}", "0x10")).is_some());
    assert_eq!(outside(&computed.replace("{}", "0xc")), None);
}

/// Both directions find the same events.
#[test]
fn both_directions_find_the_same() {
    let cases = pica200();
    let case = cases.iter().find(|case| case.name.ends_with("temp_uninit.json")).unwrap();
    let mut commands = Commands::new(case.sessions(RECORDING_BYTES).remove(0));
    let mut times = |line: &str| {
        let mut times = Vec::new();
        while let Reply::Answer(answer) = commands.run(line).unwrap()
            && answer.data["reason"] == "breakpoint"
        {
            times.push(commands.session().time());
        }
        times
    };
    let forwards = times("until uninitialised");
    let mut backwards: Vec<u64> = times("before uninitialised").into_iter().map(|time| time + 1).collect();
    backwards.reverse();
    assert!(!forwards.is_empty());
    assert_eq!(forwards, backwards);
}
