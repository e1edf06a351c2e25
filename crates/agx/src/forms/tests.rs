extern crate std;

use crate::lift::lift_for;
use crate::registers::{LANE, OTHER_SAMPLE, OWN_SAMPLE, STAGED_FILES};
use crate::tests::assemble;
use crate::{
    COEFFICIENTS, Coefficient, DEPTHS, FILES, KILLED, REGISTERS, SAMPLES, SPECIALS, Sequencer, TESTED, TILE,
    TILE_HALVES, VARYINGS, lift,
};
use alloc::{format, vec::Vec};
use shisa_diag::Limits;
use shisa_eval::{Machine, NoEnvironment, NoObserver, Program};
use shisa_ir::{FileId, Lanes, Reg};

/// The four halves from r8 after some lines, in each lane. r1 to r3 begin with these numbers, r4 with the lane's.
fn lanes(lines: &[&str], numbers: [u32; 3]) -> [u64; 32] {
    let begin = [1, 2, 3].map(|r| format!("ldimm r{r}, {}", numbers[r - 1]));
    let mut all = alloc::vec!["mov r4, thread_index_in_simdgroup"];
    all.extend(begin.iter().map(|line| line.as_str()));
    all.extend(lines);
    all.push("stop");
    let lifted = lift(&assemble(&all)).unwrap();
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 0, Lanes::MAX);
    machine.set_quads(true);
    (0..32).for_each(|lane| machine.set_input(Reg::new(SPECIALS, 52), lane, lane as u32).unwrap());
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    core::array::from_fn(|lane| {
        (0..4).fold(0, |v, i| {
            v | u64::from(machine.register(Reg::new(REGISTERS, 16 + i), lane).unwrap() & 0xffff) << (16 * i)
        })
    })
}

/// The same of the first lane, and of one instruction.
fn result(line: &str, numbers: [u32; 3]) -> u64 {
    lanes(&[line], numbers)[0]
}

fn all(cases: &[(&str, [u32; 3], u64)]) {
    for (line, numbers, want) in cases {
        let got = result(line, *numbers);
        assert_eq!(got, *want, "{line} of {numbers:x?} gives {got:#x}, not {want:#x}");
    }
}

#[test]
fn sums_are_exact_before_they_are_cut_or_clamped() {
    all(&[
        ("iadd dr8, r1, r2", [0xffff_ffff, 0xffff_ffff, 0], 0x1_ffff_fffe),
        ("iadd dr8, r1.sx, r2", [0xffff_ffff, 5, 0], 4),
        ("isub dr8, r1, r2, lsl 4", [0, 1, 0], (-16i64) as u64),
        ("iadd r8, r1, r2, sat", [0xffff_ffff, 5, 0], 0xffff_ffff),
        ("isub r8, r1, r2, sat", [3, 5, 0], 0),
        ("iadd r8, r1.sx, r2.sx, sat", [0x7fff_ffff, 5, 0], 0x7fff_ffff),
        ("isub r8, r1.sx, r2, sat", [0x8000_0000, 5, 0], 0x8000_0000),
        ("iadd r8l, r1, r2, sat", [0xffff, 5, 0], 0xffff),
        ("isub r8l, r1l.sx, r2, sat", [0x8000, 5, 0], 0x8000),
        // Nothing is clamped if something is shifted, or has 64 bits.
        ("iadd r8, r1, r2, lsl 1, sat", [0xffff_ffff, 5, 0], 9),
        ("iadd dr8, r1, r2, sat", [0xffff_ffff, 5, 0], 0x1_0000_0004),
    ]);
}

#[test]
fn products_are_exact_before_they_are_cut_or_clamped() {
    all(&[
        ("imul dr8, r1, r2", [0xffff_ffff, 0xffff_ffff, 0], 0xffff_fffe_0000_0001),
        ("imul dr8, r1.sx, r2", [0xffff_ffff, 7, 0], (-7i64) as u64),
        ("imadd r8, r1, r2, r3, lsl 2", [3, 5, 7], 43),
        ("imsub r8, r1, r2, r3", [3, 5, 7], 8),
        ("imadd r8, r1, r2, r3, sat", [0xffff_ffff, 0xffff_ffff, 0xffff_ffff], 0xffff_ffff),
        ("imsub r8, r1, r2, r3, sat", [3, 5, 70], 0),
        ("imsub r8, r1, r2, r3.sx, sat", [3, 5, 70], (-55i32) as u32 as u64),
        // The product alone exceeds signed 64 bits.
        ("imadd r8, r1, r2, r3.sx, sat", [0xffff_ffff, 0xffff_ffff, 0xffff_ffff], 0x7fff_ffff),
        ("imsub r8, r1.sx, r2, r3, sat", [0x8000_0000, 0xffff_ffff, 0xffff_ffff], 0x8000_0000),
        ("imul r8l, r1.sx, r2.sx, sat", [300, 300, 0], 0x7fff),
    ]);
}

#[test]
fn shifts_have_seven_bits_and_fields_their_masks() {
    all(&[
        ("shl r8, r1, r2", [1, 31, 0], 0x8000_0000),
        ("shl r8, r1, r2", [1, 32, 0], 0),
        ("shl r8, r1, r2", [1, 129, 0], 2),
        ("shr r8, r1, r2", [0x8000_0000, 31, 0], 1),
        ("shr r8, r1, r2", [0x8000_0000, 64, 0], 0),
        ("bfi r8, r1, r2, r3, 4", [0xffff_ffff, 0xa, 8], 0xffff_faff),
        ("bfi r8, r1, r2, r3, 0", [0xff, 0xa, 8], 0xaff),
        ("bfi r8, r1, r2, r3, 4", [0x1234, 0xa, 40], 0x1234),
        ("bfeil r8, r1, r2, r3, 4", [0xffff_fff0, 0xabcd, 4], 0xffff_fffc),
        ("extr r8, r1, r2, r3, 0", [0x8765_4321, 0xabcd_ef01, 4], 0x1876_5432),
        ("extr r8, r1, r2, r3, 8", [0x8765_4321, 0xabcd_ef01, 40], 0xef),
        ("shlhi r8, r1, r2, r3, 0", [0, 0x8765_4321, 4], 8),
        ("shlhi r8, r1, r2, r3, 4", [0xffff_ffff, 0x3, 36], 0xffff_ff3f),
        ("shrhi r8, r1, r2, r3, 0", [0, 0x8765_4321, 36], 0x0876_5432),
        ("shrhi r8, r1, r2, r3, 8", [0xffff_ffff, 0x21, 28], 0xffff_f21f),
        ("asr r8, r1, r2, 0, 0", [0x8000_0000, 31, 0], 0xffff_ffff),
        ("asr r8, r1l, r2, 0, 0", [0x8000, 4, 0], 0xffff_f800),
        ("asrh r8, r1, r2, 0, 0", [0x8000_0001, 32, 0], 0x8000_0001),
        ("asrh r8, r1, r2, 0, 0", [0x8000_0001, 68, 0], 0xffff_ffff),
        ("asrh r8, r1, r2, 0, 0", [0x8000_0001, 31, 0], 2),
    ]);
}

#[test]
fn bits_follow_their_tables() {
    let (a, b) = (0b0011, 0b0101);
    for (name, want) in [
        ("zero", 0),
        ("and", 0b0001),
        ("andn1", 0b0100),
        ("andn2", 0b0010),
        ("xor", 0b0110),
        ("or", 0b0111),
        ("nor", 0b1000),
        ("xnor", 0b1001),
        ("orn1", 0b1101),
        ("orn2", 0b1011),
        ("nand", 0b1110),
        ("one", 0b1111),
    ] {
        assert_eq!(result(&format!("{name} r8, r1, r2"), [a, b, 0]) & 15, want, "{name}");
    }
    // The digits are the results where no source has a bit, only the first, only the second, both.
    for (table, want) in [("0101", 0b0011), ("0011", 0b0101), ("1010", 0b1100), ("1100", 0b1010)] {
        assert_eq!(result(&format!("bitop r8, r1, r2, {table}"), [a, b, 0]) & 15, want, "{table}");
    }
    all(&[
        ("not r8, r1", [5, 0, 0], 0xffff_fffa),
        ("not_a r8, r1", [5, 0, 0], 5),
        ("mov_a r8, r1", [5, 0, 0], 5),
        ("mov r8l, r1", [0x1_2345, 0, 0], 0x2345),
        ("bitrev r8, r1", [0x8000_0001, 0, 0], 0x8000_0001),
        ("bitrev r8, r1l", [1, 0, 0], 0x8000_0000),
        ("popcnt r8, r1", [0xf0f0, 0, 0], 8),
        ("ffs r8, r1", [0x0001_0010, 0, 0], 16),
        ("ffs r8, r1", [0, 0, 0], 0xffff_ffff),
        ("intl r8, r1, r2", [0xffff, 0, 0], 0x5555_5555),
        ("intl r8, r1, r2", [0x10003, 0x8001, 0], 0x8000_0007),
    ]);
}

#[test]
fn floats_flush_round_twice_and_clamp() {
    let f = |v: f32| v.to_bits();
    let r = |v: f32| u64::from(v.to_bits());
    all(&[
        ("fadd r8, r1, r2", [1, 0x8000_0001, 0], 0),
        ("fmul r8, r1, r2", [f(1e-30), f(-1e-10), 0], 0x8000_0000),
        ("fadd r8, r1l, r2l", [0x0001, 0x0001, 0], r(2f32.powi(-23))),
        // 1 + 2^-11 + 2^-26: a half would be above 1 if rounded at once.
        ("fadd r8l, r1, r2", [f(1.0), f(2f32.powi(-11) + 2f32.powi(-26)), 0], 0x3c00),
        ("ffma r8, r1, r2, r3, sat", [f(2.0), f(3.0), f(-1.0)], r(1.0)),
        ("fadd r8, r1, r2, sat", [f(f32::NAN), 0, 0], 0),
        ("fadd r8, r1.abs.neg, 31.0", [f(-1.0), 0, 0], r(30.0)),
        // Halves round once: 1 + 2^-11 + 2^-24, which a binary32 would round to a tie.
        ("hfma r8l, r1l, r2l, r3l", [0x4200, 0x3556, 0x0001], 0x3c01),
        ("hadd r8l, r1l, r2l", [0x0001, 0x0001, 0], 0x0002),
        ("hmul r8l, r1l.neg, r2l, sat", [0x3c00, 0x3c00, 0], 0),
        ("hadd r8h, r1h, 0.25", [0x3c00_0000, 0, 0], 0x3d00_0000),
    ]);
}

#[test]
fn functions_are_exact_and_rounded_once() {
    let f = |v: f32| v.to_bits();
    let r = |v: f32| u64::from(v.to_bits());
    all(&[
        ("floor r8, r1", [f(-1.5), 0, 0], r(-2.0)),
        ("ceil r8, r1", [f(-1.5), 0, 0], r(-1.0)),
        ("trunc r8, r1", [f(-1.5), 0, 0], r(-1.0)),
        ("rint r8, r1", [f(2.5), 0, 0], r(2.0)),
        ("rcp r8, r1", [f(3.0), 0, 0], r(1.0 / 3.0)),
        ("rcp r8, r1", [1, 0, 0], r(f32::INFINITY)),
        ("rsqrt r8, r1", [f(4.0), 0, 0], r(0.5)),
        ("rsqrts r8, r1", [f(4.0), 0, 0], r(0.5)),
        ("rsqrts r8, r1", [f(-0.0), 0, 0], r(1.0)),
        ("rsqrts r8, r1", [f(f32::INFINITY), 0, 0], r(1.0)),
        ("log2 r8, r1", [f(8.0), 0, 0], r(3.0)),
        ("exp2 r8, r1", [f(-2.0), 0, 0], r(0.25)),
        ("sinr r8, r1", [f(0.5), 0, 0], r(0.5)),
        ("sinr r8, r1", [f(1.25), 0, 0], r(0.75)),
        ("sinr r8, r1", [f(3.5), 0, 0], r(-0.5)),
        ("sinc r8, r1", [f(1.0), 0, 0], r(1.0)),
        ("sinc r8, r1", [0, 0, 0], r(core::f32::consts::FRAC_PI_2)),
        ("floor r8, r1, sat", [f(7.5), 0, 0], r(1.0)),
    ]);
    let squares = ["u32_to_f r5, r4, rte", "fmul r5, r5, r5", "dfdx r8, r5", "dfdy r9, r5"];
    let got = lanes(&squares, [0; 3]);
    // Lanes 4 and 5 are side by side, 6 and 7 below.
    assert_eq!(got[5] as u32, f(25.0 - 16.0));
    assert_eq!((got[4] >> 32) as u32, f(36.0 - 16.0));
}

#[test]
fn conversions_round_and_clamp() {
    let f = |v: f32| v.to_bits();
    let r = |v: f32| u64::from(v.to_bits());
    all(&[
        ("u8_to_f r8, r1, rte", [0x1ff, 0, 0], r(255.0)),
        ("s8_to_f r8, r1, rte", [0x1ff, 0, 0], r(-1.0)),
        ("s16_to_f r8, r1l, rte", [0x8000, 0, 0], r(-32768.0)),
        ("u32_to_f r8, r1, rte", [0xffff_ffff, 0, 0], r(4_294_967_296.0)),
        ("u32_to_f r8, r1, rtz", [0xffff_ffff, 0, 0], 0x4f7f_ffff),
        ("s32_to_f r8l, r1, rte", [0xffff_fffe, 0, 0], 0xc000),
        ("f_to_u32 r8, r1, rtz", [f(-3.0), 0, 0], 0),
        ("f_to_u32 r8, r1, rtz", [f(1e20), 0, 0], 0xffff_ffff),
        ("f_to_s32 r8, r1, rte", [f(-2.5), 0, 0], 0xffff_fffe),
        ("f_to_s32 r8, r1, rtz", [f(-2.9), 0, 0], 0xffff_fffe),
        ("f_to_s32 r8, r1, rtz", [f(f32::NAN), 0, 0], 0),
        ("f_to_u16 r8l, r1, rtz", [f(1e9), 0, 0], 0xffff),
        ("f_to_s16 r8l, r1, rtz", [f(-1e9), 0, 0], 0x8000),
        ("f_to_s32 r8, r1l, rtz", [0xc100, 0, 0], 0xffff_fffe),
    ]);
}

/// Integers of 16 bits in registers of 32: those without a sign have zeros above, the others their sign.
#[test]
fn halves_fill_their_register() {
    for n in [0i32, 1, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff, 0x1_0000] {
        let bits = (n as f32).to_bits();
        let (unsigned, signed) = ((n as u32).min(0xffff), n.min(0x7fff) as u32);
        all(&[
            ("f_to_u16 r8, r1, rtz", [bits, 0, 0], unsigned.into()),
            ("f_to_u16 r8l, r1, rtz", [bits, 0, 0], unsigned.into()),
            ("f_to_s16 r8, r1, rtz", [bits, 0, 0], signed.into()),
        ]);
        let (bits, negative) = ((-n as f32).to_bits(), (-n).max(-0x8000) as u32);
        all(&[
            ("f_to_u16 r8, r1, rtz", [bits, 0, 0], 0),
            ("f_to_s16 r8, r1, rtz", [bits, 0, 0], negative.into()),
            ("f_to_s16 r8l, r1, rtz", [bits, 0, 0], u64::from(negative & 0xffff)),
        ]);
    }
}

#[test]
fn comparisons_know_signs_and_nan() {
    let f = |v: f32| v.to_bits();
    let nan = f(f32::NAN);
    all(&[
        ("csel r8, r1, r2, 1, 2, ult", [0xffff_ffff, 1, 0], 2),
        ("csel r8, r1, r2, 1, 2, slt", [0xffff_ffff, 1, 0], 1),
        ("csel r8, r1l, r2, 1, 2, seq", [0xffff, 0xffff_ffff, 0], 1),
        ("csel r8, r1l, r2, 1, 2, ieq", [0xffff, 0xffff_ffff, 0], 2),
        ("csel r8, r1, r2, 1, 2, flt", [nan, 0, 0], 2),
        ("csel r8, r1, r2, r1, r2, fltn", [nan, f(1.0), 0], u64::from(f(1.0))),
        ("csel r8, r1, r2, r1, r2, fltn", [f(1.0), nan, 0], u64::from(f(1.0))),
        ("csel r8, r1, r2, r1, r2, fgtn", [f(1.0), f(2.0), 0], u64::from(f(2.0))),
        ("csel r8, r1, r2, 1, 2, feq", [1, 0, 0], 1),
    ]);
}

#[test]
fn votes_count_active_lanes() {
    assert_eq!(lanes(&["ballot r8"], [0; 3])[7], 0xffff_ffff);
    assert_eq!(lanes(&["ballot r8, r4, 3, ult"], [0; 3]), [7; 32]);
    assert_eq!(lanes(&["ballot r8, r4, 3, quad, ult"], [0; 3])[0], 7);
    assert_eq!(lanes(&["ballot r8, r4, 5, quad, ieq"], [0; 3])[4], 2);
    let some = ["ldimm r8, 0", "if r4, 4, 1, ugt", "ballot r8", "pop_exec 1"];
    let got = lanes(&some, [0; 3]);
    assert_eq!((got[4], got[5]), (0, 0xffff_ffe0));
    let half = ["u32_to_f r5, r4, rte", "ballot r8, r5, 2.0, fngt"];
    assert_eq!(lanes(&half, [0; 3]), [7; 32]);
}

#[test]
fn lanes_exchange_with_one_choice_in_four() {
    let of = |lines: &[&str]| lanes(lines, [0; 3]).map(|v| v as u32);
    assert_eq!(of(&["shuffle r8, r4, 6"]), [6; 32]);
    assert_eq!(of(&["shuffle r8, r4, 40"]), core::array::from_fn(|lane| lane as u32));
    // All lanes of a quad request 0 | 1 | 2 | 3 of their group.
    assert_eq!(of(&["shuffle r8, r4, r4"]), core::array::from_fn(|lane| lane as u32 | 3));
    assert_eq!(of(&["shuffle r8, r4, 1, quad, xor"]), core::array::from_fn(|lane| lane as u32 ^ 1));
    assert_eq!(of(&["shuffle r8, r4, 9, xor"]), core::array::from_fn(|lane| lane as u32 ^ 9));
    let down = |lane: usize| if lane < 27 { lane + 5 } else { lane } as u32;
    assert_eq!(of(&["shuffle r8, r4, 5, down"]), core::array::from_fn(down));
    assert_eq!(
        of(&["shuffle r8, r4, 5, rotate, up"]),
        core::array::from_fn(|lane| (lane as u32).wrapping_sub(5) & 31)
    );
    // Inactive lanes select too, and are read.
    let lines = ["mov r5, r4", "mov r8, 0", "if r4, 1, 1, ult", "shuffle r8, r4, r5", "pop_exec 1"];
    assert_eq!(of(&lines)[..2], [3, 0]);
}

#[test]
fn calls_come_back() {
    let lines = [
        "mov r8, 1",
        "call {f}",
        "iadd r8, r8, 4",
        "jmp_any {end}",
        "f:",
        "iadd r8, r8, 2",
        "ret r1",
        "end:",
    ];
    let got = lanes(&lines, [0; 3])[0];
    assert_eq!(got, 7);
    let lifted = lift(&assemble(&["ret r1", "stop"])).unwrap();
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 0, 1);
    let fault = machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap_err();
    assert_eq!(fault.code, "flow-return");
    let lifted = lift(&assemble(&["call 0"])).unwrap();
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 0, 1);
    let fault = machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap_err();
    assert_eq!(fault.code, "flow-depth");
}

/// The result of lines in two lanes: the fault, if there is one, and r8.
fn two_lanes(lines: &[&str]) -> (Option<&'static str>, u32) {
    let lifted = lift(&assemble(lines)).unwrap();
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 0, 3);
    machine.set_input(LANE, 1, 1).unwrap();
    let fault = machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).err();
    (fault.map(|d| d.code), machine.register(Reg::new(REGISTERS, 16), 1).unwrap())
}

#[test]
fn calls_go_where_registers_tell() {
    // The function is at byte 30, and the call returns to byte 14.
    let lines = ["ldimm r12, 30", "ldimm r8, 1", "call r12", "iadd r8, r8, 4", "mov r9, r1", "stop"];
    let whole = |function: &[&str]| two_lanes(&[&lines, function].concat());
    let function = ["iadd r8, r8, 2", "ret r1"];
    assert_eq!(whole(&function), (None, 7), "r1 holds the offset to return to");
    // Returns by another register, past the sum.
    assert_eq!(whole(&["iadd r13, r1, 8", "iadd r8, r8, 2", "ret r13"]), (None, 3));
    assert_eq!(two_lanes(&["ldimm r12, 7", "call r12", "stop"]).0, Some("eval-off-program"));
    assert_eq!(
        two_lanes(&["mov r12, thread_index_in_simdgroup", "call r12", "stop"]).0,
        Some("flow-divergent")
    );
    // No lane is active, so no call is made.
    let none = ["ldimm r12, 7", "if 0, 1, 1, ieq", "call r12", "pop_exec 1", "stop"];
    assert_eq!(two_lanes(&none).0, None);
}

#[test]
fn incomplete_jumps_matter_where_they_are_reached() {
    assert_eq!(two_lanes(&["ldimm r8, 3", "stop", "jmp_incomplete 18"]), (None, 3));
    assert_eq!(two_lanes(&["jmp_incomplete 18", "stop"]).0, Some("flow-incomplete"));
}

#[test]
fn recovery_refuses_places_that_data_tell() {
    let recovered = |lines: &[&str]| {
        let lifted = lift(&assemble(lines)).unwrap();
        shisa_ir::recover(lifted.clone(), &Sequencer, 0, &Limits::default()).map(drop).map_err(|d| d.code)
    };
    let call = |before: &[&'static str]| recovered(&[before, &["call r12", "stop", "ret r1"]].concat());
    assert_eq!(call(&["mov r12, thread_index_in_simdgroup"]), Err("flow-indirect"));
    assert_eq!(call(&["ldimm r12, 10", "mov r12l, r3l"]), Err("flow-indirect"), "half of it is overwritten");
    assert_eq!(
        call(&["ldimm r12, 10", "if r3, 0, 1, ieq", "pop_exec 1"]),
        Err("flow-indirect"),
        "paths join"
    );
    // Where the constant is moved on, and other registers are written.
    assert_eq!(call(&["ldimm r12, 8", "ldimm r11, 3"]), Err("flow-off-program"), "8 is in an instruction");
    assert_eq!(call(&["ldimm r2, 18", "mov r12, r2", "ldimm r13l, 1"]), Ok(()));
}

/// An evaluator that ran lines in one lane whose coefficient units hold 1000 and their own numbers, and which has two
/// samples.
fn drawn(lines: &[&str]) -> impl Fn(Reg) -> u32 {
    drawn_for(lines, None, &[])
}

/// The same for pixels with so many samples, of which the lane runs for one, and with more inputs.
fn drawn_for(lines: &[&str], samples: Option<u16>, inputs: &[(Reg, u32)]) -> impl Fn(Reg) -> u32 {
    let mut all = lines.to_vec();
    all.push("stop");
    let mut lifted = lift_for(&assemble(&all), samples).unwrap();
    lifted.files = STAGED_FILES;
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 0, 1);
    for kind in Coefficient::all() {
        for unit in kind.unit()..kind.unit() + 8 {
            machine.set_input(Reg::new(COEFFICIENTS, unit), 0, (1000.0 + f32::from(unit)).to_bits()).unwrap();
        }
    }
    machine.set_input(Reg::new(SPECIALS, 124), 0, 3).unwrap();
    inputs.iter().for_each(|(reg, v)| machine.set_input(*reg, 0, *v).unwrap());
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    let killed = machine.killed();
    let all: alloc::collections::BTreeMap<Reg, u32> = (0..)
        .zip(FILES)
        .flat_map(|(file, f)| (0..f.units).map(move |unit| Reg::new(FileId(file), unit)))
        .map(|reg| (reg, machine.register(reg, 0).unwrap()))
        .collect();
    move |reg| if reg.file == SAMPLES && reg.unit == 2 { killed } else { all[&reg] }
}

fn word(of: &impl Fn(Reg) -> u32, n: u16) -> u32 {
    of(Reg::new(REGISTERS, 2 * n)) | of(Reg::new(REGISTERS, 2 * n + 1)) << 16
}

#[test]
fn coefficients_are_read_where_they_are_asked_for() {
    use Coefficient::*;
    let of = drawn(&[
        "iter r4_r5, cf1, cf0",
        "iter r6, cf3",
        "iter r7l, cf2, centroid",
        "ldimm r2l, 2",
        "iter r8, cf1, cf0, r2l, sample",
        "iter r9, cf1, 3, sample",
        "ldimm r3l, 5",
        "iter r10, r3l",
        "ldcf r12_r13_r14, cf4",
    ]);
    let at = |kind: Coefficient, n: u16| (1000.0 + f32::from(kind.unit() + n)).to_bits();
    let want = [
        at(Centre { perspective: true }, 1),
        at(Centre { perspective: true }, 2),
        at(Centre { perspective: false }, 3),
    ];
    assert_eq!([4, 5, 6].map(|n| word(&of, n)), want);
    let half = f32::from_bits(at(Centroid { perspective: false }, 2));
    assert_eq!(of(Reg::new(REGISTERS, 14)), 0x6400 + ((half - 1024.0) as u32));
    assert_eq!(word(&of, 8), at(Sample { sample: 2, perspective: true }, 1));
    assert_eq!(word(&of, 9), at(Sample { sample: 3, perspective: false }, 1));
    assert_eq!(word(&of, 10), at(Centre { perspective: false }, 5));
    assert_eq!([12, 13, 14].map(|n| word(&of, n)), [at(Dx, 4), at(Dy, 4), at(Corner, 4)]);
}

#[test]
fn samples_of_the_tile_are_stored_until_they_are_killed() {
    let tile = |sample: u16, half: u16| Reg::new(TILE, sample * TILE_HALVES + half);
    let of = drawn(&[
        "ldimm r1, 1065353216",
        "ldimm r2, 305419896",
        "st_tile r1, 0, 255, 0, u8norm, x",
        "st_tile r1, 0, 1, 3, u8norm, x",
        "sample_mask 1, 0",
        "st_tile r2, 0, 3, 4, i32, x",
        "ldimm r3l, 2",
        "ld_tile r4, 0, r3l, 4, i32, x",
        "ld_tile r5, 0, 1, 2, i16, x",
        "zs_emit 2, r1",
    ]);
    assert_eq!([0, 1].map(|half| of(tile(0, half))), [0xff, 0xff00]);
    assert_eq!([0, 1].map(|half| of(tile(3, half))), [0xff, 0]);
    assert_eq!([(0, 2), (1, 2), (1, 3), (2, 2)].map(|(s, h)| of(tile(s, h))), [0, 0x5678, 0x1234, 0]);
    assert_eq!([word(&of, 4), word(&of, 5)], [0x1234_5678, 0xff00]);
    assert_eq!([of(KILLED), of(TESTED), of(Reg::new(SAMPLES, 2))], [1, 2, 0]);
    assert_eq!([0, 1].map(|s| of(Reg::new(DEPTHS, s))), [0, 0x3f80_0000]);
    let of = drawn(&["sample_mask 255, 252"]);
    assert_eq!([of(KILLED), of(Reg::new(SAMPLES, 2))], [3, 1]);
}

/// A lane that runs for one sample of four has the data of that sample; those of another are what no lane sees.
#[test]
fn a_lane_for_one_sample_has_its_data() {
    let lines = [
        "ldimm r2l, 2",
        "iter r8_r9, cf1, cf0, r2l, sample",
        "iter r10, cf3, 2, sample",
        "ld_tile r4, 0, 4, 4, i32, x",
        "ld_tile r5, 0, 4, 2, i16, x",
        "ld_tile r6, 0, 4, 3, u8norm, x",
    ];
    let other: Vec<_> =
        (0..4).map(|i| (Reg::new(OTHER_SAMPLE.file, OTHER_SAMPLE.unit + i), 7 + u32::from(i))).collect();
    let at = |perspective, n: u16| {
        (1000.0 + f32::from(Coefficient::Sample { sample: 0, perspective }.unit() + n)).to_bits()
    };
    for own in 0..4 {
        let tile = [(1, 0xff34), (2, 0x5678), (3, 0x1234)].map(|(half, v)| (Reg::new(TILE, half), v));
        let inputs = [&other[..], &tile, &[(OWN_SAMPLE, own)]].concat();
        let of = drawn_for(&lines, Some(4), &inputs);
        let want = match own {
            2 => [at(true, 1), at(true, 2), at(false, 3), 0x1234_5678, 0xff34, 1f32.to_bits()],
            _ => [7, 8, 7, 7, 7, 0],
        };
        assert_eq!([8, 9, 10, 4, 5, 6].map(|n| word(&of, n)), want, "sample {own}");
    }
}

#[test]
fn outputs_of_vertices_have_numbers() {
    let of = drawn(&["ldimm r1, 1065353216", "st_var r1, 3", "st_var r1, 255, last"]);
    assert_eq!([2, 3, 255].map(|n| of(Reg::new(VARYINGS, n))), [0, 0x3f80_0000, 0x3f80_0000]);
}

#[test]
fn the_tile_ends() {
    let refused = |line: &str| lift(&assemble(&[line, "stop"])).unwrap_err()[0].code;
    for line in [
        "st_tile r1, 0, 255, 510, i32, x",
        "ld_tile r1, 0, 255, 511, i16, x",
        "st_tile r1, r2l_r2h, 1, 0, explicit_coords, u8norm, x",
    ] {
        assert_eq!(refused(line), "lift-tile", "{line}");
    }
}
