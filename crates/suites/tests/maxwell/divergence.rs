//! Paths of diverging lanes: run, recovered and translated.

use crate::assembled::assemble;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Environment, Machine, Paths, recovered};
use shisa_ir::{Addresses, Lanes, Lifted, Op, Reg, Space};
use shisa_maxwell::*;
use shisa_rows::{Facts, Insn};
use shisa_translate::testing::translated;

/// A loop with a break; in it a condition, one part of which has another loop with a break; guards on sums and on a
/// store; a 64-bit sum for the address.
fn nested() -> Program {
    nested_with("S2R R0, SR_TID.X", WIDE)
}

const WIDE: [&str; 4] = [
    "IADD R6.CC, R5, c[0x0][0x140]",
    "IADD.X R7, RZ, c[0x0][0x144]",
    "@P1 STG.E [R6], R1",
    "STG.E [R6+0x80], R2",
];

fn nested_with(number: &str, [low, high, first, second]: [&str; 4]) -> Program {
    assemble(&[
        number,
        "MOV32I R1, 0x1",
        "MOV R2, RZ",
        "ISETP.LT.AND P1, PT, R0, 0x10, PT",
        "PBK {end}",
        "loop:",
        "SSY {join}",
        "LOP3.LUT R3, R2, 0x1, RZ, 0xc0",
        "ISETP.EQ.AND P0, PT, R3, RZ, PT",
        "@P0 BRA {even}",
        "PBK {left}",
        "MOV R4, RZ",
        "inner:",
        "IADD R4, R4, 0x1",
        "XMAD R1, R4, R0, R1",
        "ISETP.GT.AND P2, PT, R4, R2, PT",
        "@P2 BRK",
        "BRA {inner}",
        "left:",
        "SYNC",
        "even:",
        "@!P1 IADD R1, R1, 0x3",
        "SYNC",
        "join:",
        "IADD R2, R2, 0x1",
        "ISETP.GE.AND P3, PT, R2, R0, PT",
        "@P3 BRK",
        "BRA {loop}",
        "end:",
        "XMAD R5, R0, 0x4, RZ",
        low,
        high,
        first,
        "@!P1 EXIT",
        second,
        "EXIT",
    ])
}

const BASE: u64 = 0x1_ffff_fff0;

/// Words at [`BASE`], and bank 0 with the base at 0x140.
struct Memory([u32; 64]);

impl Environment for Memory {
    fn load(&mut self, space: Space, _: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        let word = match space {
            Space::Global => self.0[((address - BASE) / 4) as usize],
            _ => [BASE as u32, (BASE >> 32) as u32][(address as usize - 0x140) / 4],
        };
        bytes.copy_from_slice(&word.to_le_bytes());
        Ok(())
    }

    fn store(&mut self, space: Space, _: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        assert_eq!(space, Space::Global);
        self.0[((address - BASE) / 4) as usize] = u32::from_le_bytes(bytes.try_into().unwrap());
        Ok(())
    }
}

fn run(lifted: &Lifted, lanes: Lanes, memory: &mut Memory, paths: &mut Paths) {
    let program = shisa_eval::Program::new(lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 8, lanes);
    for lane in 0..32 {
        machine.set_input(Reg::new(SPECIALS, 33), lane, lane as u32).unwrap();
    }
    paths.restart();
    machine.run(memory, paths, &Limits::default()).unwrap();
}

#[test]
fn nested_divergence_gives_what_the_text_says() {
    let lifted = lift(&nested()).unwrap();
    let mut want = [0u32; 64];
    for lane in 0..16u32 {
        let (mut sum, mut i) = (1u32, 0);
        loop {
            if i % 2 == 1 {
                (1..=i + 1).for_each(|k| sum += k * lane);
            }
            i += 1;
            if i >= lane {
                break;
            }
        }
        (want[lane as usize], want[32 + lane as usize]) = (sum, i);
    }
    let (mut together, mut apart) = (Memory([0; 64]), Memory([0; 64]));
    let mut paths = Paths::new(&lifted);
    run(&lifted, Lanes::MAX, &mut together, &mut paths);
    assert_eq!(together.0, want);
    (0..32).for_each(|lane| run(&lifted, 1 << lane, &mut apart, &mut paths));
    assert_eq!(apart.0, want);
    let func = shisa_ir::recover(lifted.clone(), &Sequencer, 8, &Limits::default()).unwrap();
    let found = recovered(&lifted, &func);
    let missing: Vec<_> = paths.taken().difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(paths.taken().len() > 20, "{}", paths.taken().len());
}

#[test]
fn guards_select_what_is_computed_and_branch_around_the_rest() {
    let lifted = lift(&assemble(&["@P0 MOV R1, R2", "@!P0 STG.E [R4], R1", "EXIT"])).unwrap();
    let func = shisa_ir::recover(lifted.clone(), &Sequencer, 8, &Limits::default()).unwrap();
    assert_eq!(func.blocks.len(), 3, "{func:?}");
    let first = &func.blocks[0].body;
    let selects = |v: &&shisa_ir::Value| matches!(func.nodes.op(**v), Op::Ternary { .. });
    assert_eq!(first.iter().filter(selects).count(), 1);
    assert!(!first.iter().any(|v| matches!(func.nodes.op(*v), Op::Store { .. })));
}

#[test]
fn tokens_that_are_not_there_are_diagnosed() {
    for code in ["SYNC", "BRK"] {
        let lifted = lift(&assemble(&[code, "EXIT"])).unwrap();
        let fault = shisa_ir::recover(lifted.clone(), &Sequencer, 8, &Limits::default()).unwrap_err();
        assert_eq!(fault.code, "maxwell-run-token");
    }
    // Tokens are pushed in an endless loop.
    let lifted = lift(&assemble(&["SSY 0x20", "BRA 0x8"])).unwrap();
    let fault = shisa_ir::recover(lifted.clone(), &Sequencer, 8, &Limits::default()).unwrap_err();
    assert_eq!(fault.code, "flow-states");
}

#[test]
fn facts_of_instructions() {
    let program =
        assemble(&["@P3 LDG.E.64 R2, [R8+0x10]", "TEXS R4, R6, R4, R5, 0x1a4, 2D, RGBA", "@P0 BRK"]);
    let mut scratch = Lifted::new(FILES);
    let mut facts = |i: usize, check: &dyn Fn(Facts<'_>)| {
        let insn = Insn::<Maxwell>::decode(program.code[i]).unwrap();
        check(Facts::of(&mut scratch, insn, Ctx { pc: 8, ..Ctx::default() }, 8, 16).unwrap());
    };
    facts(0, &|f| {
        let reads: Vec<_> = f.reads().map(|a| (a.reg, a.components.0)).collect();
        assert_eq!(reads, [(Reg::new(PREDICATES, 3), 1), (Reg::new(REGISTERS, 8), 3)]);
        let writes: Vec<_> = f.writes().map(|a| (a.reg, a.components.0, a.units)).collect();
        assert_eq!(writes, [(Reg::new(REGISTERS, 2), 3, 1)]);
        let memory: Vec<_> = f.memory().map(|m| (m.space, m.bytes, m.store)).collect();
        assert_eq!(memory, [(Space::Global, 8, false)]);
    });
    facts(1, &|f| assert!(f.samples()));
    facts(2, &|f| assert_eq!((f.flow().op, f.flow().cond.is_some()), (sequencer::BRK, true)));
}

/// With 32-bit addresses and with 64-bit ones, whose low halves remain.
#[test]
fn nested_divergence_translates() {
    let narrow = ["IADD R6, R5, c[0x0][0x140]", "NOP", "@P1 STG [R6], R1", "STG [R6+0x80], R2"];
    for ends in [narrow, WIDE] {
        let program = nested_with("MOV R0, c[0x0][0x20]", ends);
        let (lifted, how) = (lift(&program).unwrap(), shisa_translate::Options::default());
        let interface = interface(&program, &lifted);
        let narrow =
            |func: &mut _| shisa_ir::narrow(func, FILES, Addresses::Window, shisa_ir::Natives::default());
        let target = shisa_translate::Target::Wgsl;
        let output = translated((&lifted, &Sequencer, 8), &interface, narrow, (target, &how)).unwrap();
        let code = output.code.text().unwrap();
        assert_eq!(code.matches("loop {").count(), 2, "{code}");
        assert!(!code.contains("switch"), "nested as it was written: {code}");
    }
}
