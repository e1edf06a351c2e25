//! Where lanes go, by what they leave in R0.

use crate::assembled::assemble;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Environment, Machine, Paths, Program, recovered};
use shisa_ir::{Lanes, Reg, Space};
use shisa_maxwell::{REGISTERS, Sequencer, bundle, lift};

/// Constants: at offset n of any bank the value of a function.
struct Constants(fn(u8, u64) -> u32);

impl Environment for Constants {
    fn load(&mut self, space: Space, _: usize, at: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        let Space::Constant(bank) = space else { panic!("{space:?} is read") };
        bytes.copy_from_slice(&(self.0)(bank, at).to_le_bytes());
        Ok(())
    }
}

/// What a wave leaves: R0 of each lane, the lanes that were killed, and the paths that lanes took. R1 holds the lane, R2
/// is given.
fn left(
    lines: &[&str],
    constants: fn(u8, u64) -> u32,
    second: impl Fn(u32) -> u32,
    lanes: Lanes,
) -> Result<(Vec<u32>, Lanes, Paths), Diagnostic> {
    let lifted = lift(&assemble(lines)).unwrap();
    let mut paths = Paths::new(&lifted);
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 8, lanes);
    for lane in 0..32 {
        machine.set_input(Reg::new(REGISTERS, 1), lane as usize, lane).unwrap();
        machine.set_input(Reg::new(REGISTERS, 2), lane as usize, second(lane)).unwrap();
    }
    machine.run(&mut Constants(constants), &mut paths, &Limits::default())?;
    let values = (0..32).map(|lane| machine.register(Reg::new(REGISTERS, 0), lane).unwrap());
    Ok((values.collect(), machine.killed(), paths))
}

/// What a wave leaves in R0 of each lane. Every path that a lane takes is in the graph of the program, if its targets are
/// known.
fn values(lines: &[&str], constants: fn(u8, u64) -> u32, second: impl Fn(u32) -> u32) -> Vec<u32> {
    let (values, _, paths) = left(lines, constants, second, !0).unwrap();
    let lifted = lift(&assemble(lines)).unwrap();
    match shisa_ir::recover(lifted.clone(), &Sequencer, 8, &Limits::default()) {
        Ok(func) => {
            let found = recovered(&lifted, &func);
            let missing: Vec<_> = paths.taken().difference(&found).collect();
            assert!(missing.is_empty(), "{lines:?}: {missing:?}");
        }
        Err(fault) => {
            let computed = lifted.steps.iter().any(|step| step.control.place.is_some());
            assert!(computed && fault.code == "flow-indirect", "{lines:?}: {fault:?}");
        }
    }
    values
}

fn none(bank: u8, at: u64) -> u32 {
    panic!("c[{bank:#x}][{at:#x}] is read")
}

/// The value of each lane.
fn of_lanes(value: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(value).collect()
}

/// The code at each of four targets adds another number; all lanes then add 100.
const FOUR: [&str; 16] = [
    "SSY {end}",
    "{branch}",
    "EXIT",
    "IADD32I R0, R0, 0x1",
    "SYNC",
    "NOP",
    "IADD32I R0, R0, 0x2",
    "SYNC",
    "NOP",
    "IADD32I R0, R0, 0x3",
    "SYNC",
    "NOP",
    "IADD32I R0, R0, 0x4",
    "SYNC",
    "end:",
    "IADD32I R0, R0, 0x64",
];

/// The control word of the bundle that begins with the code for `number`.
fn control_word(number: u32) -> u32 {
    32 * (number & 3) + 32
}

fn four(branch: &str) -> Vec<&str> {
    let mut lines: Vec<&str> =
        FOUR.iter().map(|line| if *line == "{branch}" { branch } else { line }).collect();
    lines.push("EXIT");
    lines
}

const NEXT: u32 = bundle::address(2);

#[test]
fn each_lane_goes_to_the_target_in_its_register() {
    let want = of_lanes(|lane| 101 + (lane & 3));
    let second = |lane| control_word(lane) - NEXT + 0x10;
    assert_eq!(values(&four("BRX R2 -0x10"), none, second), want);
    assert_eq!(values(&four("JMX R2 -0x10"), none, |lane| control_word(lane) + 0x10), want);
    // A target may also be the first instruction past the control word.
    assert_eq!(values(&four("JMX R2"), none, |lane| control_word(lane) + 8), want);
    // Tables of constants: distances from the next instruction, and addresses.
    let relative = |bank: u8, at: u64| {
        assert!(bank == 2 && at >= 0x40, "c[{bank:#x}][{at:#x}]");
        control_word((at as u32 - 0x40) / 4) - NEXT
    };
    assert_eq!(values(&four("BRX c[0x2][R2+0x40]"), relative, |lane| lane % 4 * 4), want);
    let absolute = |bank: u8, at: u64| control_word(u32::from(bank) * ((at as u32).wrapping_add(4) / 4));
    assert_eq!(values(&four("JMX c[0x1][R2+-0x4]"), absolute, |lane| lane % 4 * 4), want);
}

/// Lanes whose guard fails continue after the branch; their registers may hold anything.
#[test]
fn lanes_that_do_not_branch_need_no_target() {
    let mut lines = Vec::from(["ISETP.GT.AND P0, PT, R1, 0x9, PT", "NOP", "NOP"]);
    let branch = four("@P0 BRX R2");
    lines.extend(branch);
    let next = bundle::address(5);
    let second = |lane| if lane > 9 { 32 + control_word(lane) - next } else { 12_345_679 * lane };
    let want = of_lanes(|lane| if lane > 9 { 101 + (lane & 3) } else { 0 });
    assert_eq!(values(&lines, none, second), want);
}

#[test]
fn constants_hold_distances_or_addresses() {
    let lines = |branch: &'static str| {
        [
            branch,
            "IADD32I R0, R0, 0x1",
            "EXIT",
            "IADD32I R0, R0, 0x2",
            "EXIT",
            "EXIT",
            "IADD32I R0, R0, 0x4",
            "EXIT",
        ]
    };
    let both = |bank: u8, at: u64| match (bank, at) {
        (1, 0xfffc) => 0x28 - 0x10,
        (1, 4) => 0x40,
        _ => panic!("c[{bank:#x}][{at:#x}] is read"),
    };
    for (branch, want) in [
        ("BRA c[0x1][-0x4]", 2),
        ("JMP c[0x1][0x4]", 4),
        ("JMP 0x20", 2),
        ("JMP 0x48", 4),
        ("@!PT JMP 0x48", 1),
        ("BRA 0x28", 2),
        ("BRA.U 0x40", 4),
        ("NOP", 1),
    ] {
        assert_eq!(values(&lines(branch), both, |_| 0), of_lanes(|_| want), "{branch}");
    }
    // A mark whose address a constant holds.
    let marked = ["SSY c[0x1][-0x4]", "SYNC", "EXIT", "IADD32I R0, R0, 0x7", "EXIT"];
    assert_eq!(values(&marked, both, |_| 0), of_lanes(|_| 7));
}

/// Calls nest, and lanes return at different times.
#[test]
fn calls_return_to_their_callers() {
    let callees = [
        "EXIT",
        "one:",
        "ISETP.GT.AND P0, PT, R1, 0x9, PT",
        "@P0 RET",
        "IADD32I R0, R0, 0x10",
        "CAL {two}",
        "RET",
        "two:",
        "IADD32I R0, R0, 0x100",
        "RET",
    ];
    let one = |lane| if lane > 9 { 0 } else { 0x110 };
    for call in ["CAL {one}", "CAL.NOINC {one}", "JCAL {one}", "CAL c[0x3][0x8]", "JCAL c[0x3][0xc]"] {
        let mut lines = Vec::from([call, "IADD32I R0, R0, 0x1", call, "IADD32I R0, R0, 0x1"]);
        lines.extend(callees);
        let second = call.starts_with("CAL c").then_some("NOP");
        if let Some(nop) = second {
            lines[2] = nop;
        }
        let calls = if second.is_some() { 1 } else { 2 };
        let table = |_: u8, at: u64| if at == 8 { bundle::address(5) - 0x10 } else { bundle::address(5) };
        assert_eq!(values(&lines, table, |_| 0), of_lanes(|lane| calls * one(lane) + 2), "{call}");
    }
}

/// As ptxas compiles calls of function pointers: lanes that call different functions return together.
#[test]
fn calls_through_pointers_return_together() {
    let lines = [
        "PRET {back}",
        "BRX R2 -0x18",
        "back:",
        "IADD32I R0, R0, 0x1",
        "EXIT",
        "IADD32I R0, R0, 0x10",
        "RET",
        "IADD32I R0, R0, 0x20",
        "RET",
    ];
    let functions = [bundle::address(4), bundle::address(6)];
    let got = values(&lines, none, |lane| functions[lane as usize / 5 % 2]);
    assert_eq!(got, of_lanes(|lane| 0x11 + 0x10 * (lane / 5 % 2)));
}

/// Marks of loops, exits and long jumps: a lane that leaves drops the marks that it made since.
#[test]
fn lanes_leave_to_the_mark_of_their_kind() {
    // Counts to the lane's number.
    let counts = [
        "PBK {done}",
        "loop:",
        "PCNT {again}",
        "ISETP.GE.AND P0, PT, R0, R1, PT",
        "@P0 BRK",
        "IADD32I R0, R0, 0x1",
        "CONT",
        "again:",
        "BRA {loop}",
        "done:",
        "IADD32I R0, R0, 0x100",
        "EXIT",
    ];
    assert_eq!(values(&counts, none, |_| 0), of_lanes(|lane| lane + 0x100));
    let jumps = [
        "PLONGJMP {far}",
        "SSY {never}",
        "CAL {function}",
        "never:",
        "IADD32I R0, R0, 0x1",
        "EXIT",
        "function:",
        "ISETP.GT.AND P0, PT, R1, 0x9, PT",
        "@P0 LONGJMP",
        "RET",
        "far:",
        "IADD32I R0, R0, 0x2",
        "EXIT",
    ];
    assert_eq!(values(&jumps, none, |_| 0), of_lanes(|lane| 1 + u32::from(lane > 9)));
    let exits = [
        "PEXIT {last}",
        "ISETP.GT.AND P0, PT, R1, 0x9, PT",
        "@P0 EXIT",
        "IADD32I R0, R0, 0x1",
        "EXIT.KEEPREFCOUNT",
        "last:",
        "IADD32I R0, R0, 0x2",
        "EXIT",
        "IADD32I R0, R0, 0x4",
        "EXIT",
    ];
    assert_eq!(values(&exits, none, |_| 0), of_lanes(|lane| 2 + u32::from(lane < 10)));
}

/// Killed lanes run on as helpers.
#[test]
fn discarded_pixels_run_on() {
    let lines = ["ISETP.GT.AND P0, PT, R1, 0x9, PT", "@P0 KIL", "IADD32I R0, R0, 0x1", "EXIT"];
    let (values, killed, _) = left(&lines, none, |_| 0, 0xffff).unwrap();
    assert_eq!(killed, 0xfc00);
    assert_eq!(values, of_lanes(|lane| u32::from(lane < 16)));
}

/// Helper lanes run between SAM and RAM only.
#[test]
fn quads_are_complete_between_sam_and_ram() {
    let lines = [
        "ISETP.EQ.AND P0, PT, R1, 0x5, PT",
        "@!P0 EXIT",
        "IADD32I R0, R0, 0x1",
        "SAM",
        "IADD32I R0, R0, 0x10",
        "RAM",
        "IADD32I R0, R0, 0x100",
        "EXIT",
    ];
    let value = |lane| match lane {
        5 => 0x111,
        4..8 => 0x10,
        _ => 0,
    };
    assert_eq!(left(&lines, none, |_| 0, !0).unwrap().0, of_lanes(value));
}

#[test]
fn a_stop_is_an_error_with_its_reason() {
    for (line, text) in [
        ("BPT.TRAP 0x1", "BPT.TRAP"),
        ("BPT.PAUSE", "BPT.PAUSE"),
        ("BPT.INT", "BPT.INT"),
        ("BPT.CAL", "BPT.CAL"),
        ("BPT.DRAIN", "BPT.DRAIN"),
        ("BPT.DRAIN_ILLEGAL", "BPT.DRAIN_ILLEGAL"),
        ("RTT", "RTT"),
    ] {
        let fault = left(&[line, "EXIT"], none, |_| 0, 1).err().unwrap();
        assert_eq!(fault.code, "maxwell-run-trap");
        assert!(fault.message.contains(text), "{line}: {}", fault.message);
        // No lane reaches the instruction.
        left(&["BRA 0x18", line, "EXIT"], none, |_| 0, 1).unwrap();
    }
    let refused = lift(&assemble(&["BPT.???6"])).unwrap_err();
    assert_eq!(refused[0].code, "lift-breakpoint");
}

/// What neither computes nor branches here.
#[test]
fn some_instructions_have_no_effect_on_values() {
    for line in
        ["IDE.EN 0x8683", "MEMBAR.GL", "MEMBAR.SYS.IVALLD", "DEPBAR {2}", "DEPBAR.LE SB5, 0x7", "DEPBAR"]
    {
        let lifted = lift(&assemble(&[line])).unwrap();
        assert!(
            lifted.nodes.list.is_empty() && lifted.steps[0].control == shisa_ir::Control::default(),
            "{line}"
        );
    }
}
