//! What instructions compute.

use crate::assembled::lifted;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Environment, Machine, NoObserver, Program};
use shisa_ir::{Reg, Space};
use shisa_maxwell::{CODES, REGISTERS, Sequencer};

/// Memory that takes one word.
struct Word(u32);

impl Environment for Word {
    fn load(&mut self, _: Space, _: usize, _: u64, _: &mut [u8]) -> Result<(), Diagnostic> {
        panic!("nothing is read")
    }

    fn store(&mut self, _: Space, _: usize, _: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        self.0 = u32::from_le_bytes(bytes.try_into().unwrap());
        Ok(())
    }
}

/// What instructions leave in R0, if R1 to R3 hold these and P0 holds.
fn value(lines: &str, registers: [u32; 3]) -> u32 {
    ran(lines, registers).0
}

/// What instructions leave in R0 and in the condition codes (zero, negative, carry, overflow), if R1 to R3 hold these and
/// P0 holds.
fn ran(lines: &str, registers: [u32; 3]) -> (u32, [bool; 4]) {
    let all = format!("ISETP.T.AND P0, PT, RZ, RZ, PT;{lines};STG [RZ], R0");
    let lifted = lifted(&all).unwrap_or_else(|d| panic!("{lines}: {d}"));
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 8, 1);
    for (n, value) in (1..).zip(registers) {
        machine.set_input(Reg::new(REGISTERS, n), 0, value).unwrap();
    }
    let mut word = Word(0);
    machine.run(&mut word, &mut NoObserver, &Limits::default()).unwrap();
    (word.0, [0, 1, 2, 3].map(|n| machine.register(Reg::new(CODES, n), 0).unwrap() != 0))
}

/// Lines with three registers and what comes out.
fn hold(cases: &[(&str, [u32; 3], u32)]) {
    let wrong = cases.iter().filter(|(lines, with, want)| value(lines, *with) != *want);
    let found = wrong.map(|(lines, with, _)| format!("{lines} {with:x?}: {:#x}", value(lines, *with)));
    assert_eq!(found.collect::<Vec<_>>(), [""; 0]);
}

const MINUS: u32 = 0xffff_fff0;

/// The condition codes of sums of any signs, without a carry, with one, and plus one, against sums in 64 bits. Extended
/// sums are zero only if the sum before them is.
#[test]
fn sums_set_condition_codes() {
    const EDGES: [u32; 9] =
        [0, 1, 2, 0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, 0xffff_ffff];
    // R3 is not zero: its sum with -1 has a carry.
    let forms = [
        ("IADD R0.CC, R1, R2", 0, true),
        ("IADD.PO R0.CC, R1, R2", 1, true),
        ("IADD32I RZ.CC, R3, -0x1; IADD.X R0.CC, R1, R2", 1, false),
        ("IADD32I RZ.CC, R3, -0x7; IADD.X R0.CC, R1, R2", 1, true),
        ("IADD32I RZ.CC, RZ, -0x1; IADD.X R0.CC, R1, R2", 0, false),
        ("IADD32I RZ.CC, RZ, 0x0; IADD.X R0.CC, R1, R2", 0, true),
    ];
    for (lines, one_more, zero_before) in forms {
        for a in EDGES {
            for b in EDGES {
                let unsigned = u64::from(a) + u64::from(b) + one_more;
                let signed = i64::from(a as i32) + i64::from(b as i32) + one_more as i64;
                let sum = unsigned as u32;
                let codes = [
                    sum == 0 && zero_before,
                    (sum as i32) < 0,
                    unsigned > u64::from(u32::MAX),
                    i32::try_from(signed).is_err(),
                ];
                assert_eq!(ran(lines, [a, b, 7]), (sum, codes), "{lines}: {a:#x} and {b:#x}");
            }
        }
    }
}

#[test]
fn sums_and_shifts() {
    hold(&[
        ("IADD32I R0, -R1, 0x7", [5, 0, 0], 2),
        ("IADD32I.PO R0, R1, 0x7", [5, 0, 0], 13),
        ("IADD32I R0.CC, R1, -0x1; IADD.X R0, RZ, RZ", [1, 0, 0], 1),
        ("IADD3 R0, R1, -R2, R3", [1, 2, 3], 2),
        ("ISCADD R0, R1, -R2, 0x3", [3, 4, 0], 20),
        ("ISCADD.PO R0, R1, R2, 0x3", [3, 4, 0], 29),
        ("ISCADD32I R0, R1, 0x5, 0x1f", [3, 0, 0], 0x8000_0005),
        ("LEA R0, -R1, R2, 0x2", [1, 10, 0], 6),
        ("LEA P1, R0, R1, R2, 0x1; SEL R0, R0, RZ, P1", [0x4000_0000, 0x8000_0001, 0], 1),
        ("LEA P1, R0, R1, R2, 0x1; SEL R0, R0, RZ, P1", [0x4000_0000, 0x7000_0001, 0], 0),
        ("LEA.HI R0, R1, R2, R3, 0x4", [0x9000_0000, 7, 0x10], 0x110),
        ("LEA.HI R0, R1, R2, R3", [0x9000_0000, 7, 0x10], 0x17),
        ("SHL R0, R1, R2", [3, 32, 0], 0),
        ("SHL.W R0, R1, R2", [3, 33, 0], 6),
        ("SHR R0, R1, R2", [MINUS, 40, 0], !0),
        ("SHR.U32 R0, R1, R2", [MINUS, 40, 0], 0),
        ("SHR.U32.W R0, R1, 0x24", [MINUS, 0, 0], 0x0fff_ffff),
        ("SHR.U32.BREV R0, R1, 0x1", [1, 0, 0], 0x4000_0000),
        ("SHF.L R0, R1, R2, R3", [0x8000_0001, 4, 3], 0x38),
        ("SHF.L R0, R1, R2, R3", [0x8000_0001, 99, 3], 0x8000_0001),
        ("SHF.L.W R0, R1, R2, R3", [0x8000_0001, 32, 3], 3),
        ("SHF.R R0, R1, R2, R3", [0x8000_0001, 4, 3], 0x3800_0000),
        ("SHF.R R0, R1, 0x20, R3", [0x8000_0001, 0, 3], 3),
    ]);
}

#[test]
fn fields_of_bits() {
    hold(&[
        ("BFE.U32 R0, R1, 0x804", [0x1234_5f78, 0, 0], 0xf7),
        ("BFE R0, R1, 0x804", [0x1234_5f78, 0, 0], 0xffff_fff7),
        ("BFE R0, R1, R2", [0x8000_0000, 0x081c, 0], 0xffff_fff8),
        ("BFE R0, R1, R2", [!0, 0x0004, 0], 0),
        ("BFE.U32 R0, R1, R2", [!0, 0xff10, 0], 0xffff),
        ("BFE.U32.BREV R0, R1, 0x400", [0x8000_0000, 0, 0], 1),
        ("BFI R0, R1, 0x804, R3", [0xfab, 0, 0x1111_1111], 0x1111_1ab1),
        ("BFI R0, R1, R2, R3", [0xfab, 0xff18, 0x1111_1111], 0xab11_1111),
        ("BFI R0, R1, R2, R3", [0xfab, 0x0820, 0x1111_1111], 0x1111_1111),
        ("PRMT R0, R1, 0x7610, R3", [0x3322_1100, 0, 0x7766_5544], 0x7766_1100),
        ("PRMT R0, R1, R2, R3", [0x33f2_1100, 0x0a65, 0x7766_5544], 0x00ff_6655),
        ("FLO.U32 R0, R1", [0x0001_8000, 0, 0], 16),
        ("FLO.U32 R0, ~R1", [!0, 0, 0], !0),
        ("FLO R0, R1", [!4, 0, 0], 2),
        ("FLO.U32.SH R0, R1", [0x0001_8000, 0, 0], 15),
        ("FLO.SH R0, R1", [!0, 0, 0], !0),
        ("POPC R0, R1", [0xf0f1, 0, 0], 9),
        ("POPC R0, ~R1", [0xf0f1, 0, 0], 23),
        ("LOP.AND R0, R1, ~R2", [0xff, 0x3c, 0], 0xc3),
        ("LOP.PASS_B R0, R1, ~R2", [0xff, 0x3c, 0], !0x3c),
        ("LOP.XOR.NZ P1, R0, R1, R2; SEL R0, R1, R3, P1", [5, 5, 9], 9),
        ("LOP32I.OR R0, R1, 0x12340000", [0xff, 0, 0], 0x1234_00ff),
    ]);
}

#[test]
fn choices_by_integers_and_predicates() {
    hold(&[
        ("SEL R0, R1, R2, !P0", [1, 2, 0], 2),
        ("ICMP.LT R0, R1, R2, R3", [1, 2, MINUS], 1),
        ("ICMP.LT.U32 R0, R1, R2, R3", [1, 2, MINUS], 2),
        ("ISET.GT.U32.AND R0, R1, R2, P0", [MINUS, 2, 0], !0),
        ("ISET.BF.GT.OR R0, R1, R2, P0", [MINUS, 2, 0], 0x3f80_0000),
        ("ISET.GT.XOR R0, R1, R2, P0", [3, 2, 0], 0),
        ("IMNMX R0, R1, R2, PT", [MINUS, 2, 0], MINUS),
        ("IMNMX R0, R1, R2, !PT", [MINUS, 2, 0], 2),
        ("IMNMX.U32 R0, R1, R2, PT", [MINUS, 2, 0], 2),
        ("PSET.AND.OR R0, P0, !P0, PT", [0, 0, 0], !0),
        ("PSET.BF.XOR.AND R0, P0, P0, PT", [0, 0, 0], 0),
        ("PSETP.AND.AND P1, P2, P0, !P0, PT; SEL R0, R1, R2, P1", [1, 2, 0], 2),
        ("PSETP.AND.AND P1, P2, P0, !P0, PT; SEL R0, R1, R2, P2", [1, 2, 0], 2),
        ("PSETP.OR.AND P1, P2, !P0, P0, PT; SEL R0, R1, R2, P2", [1, 2, 0], 1),
    ]);
}

#[test]
fn floats() {
    let [one, two, three, none] = [1.0f32, 2.0, 3.0, f32::NAN].map(f32::to_bits);
    let minus = (-1.5f32).to_bits();
    hold(&[
        ("FMUL R0, R1, -R2", [two, three, 0], (-6.0f32).to_bits()),
        ("FMUL.SAT R0, R1, R2", [two, three, 0], one),
        ("FMUL32I R0, R1, 0.5", [three, 0, 0], (1.5f32).to_bits()),
        ("FADD32I R0, -|R1|, 3", [minus, 0, 0], (1.5f32).to_bits()),
        ("MOV R0, R3; FFMA32I R0, R1, 2, -R0", [three, 0, one], (5.0f32).to_bits()),
        ("FMNMX R0, R1, R2, PT", [none, two, 0], two),
        ("FMNMX R0, |R1|, R2, !PT", [minus, one, 0], (1.5f32).to_bits()),
        ("FCMP.LT R0, R1, R2, R3", [1, 2, minus], 1),
        ("FCMP.GEU R0, R1, R2, R3", [1, 2, none], 1),
        ("FCMP.NE R0, R1, R2, R3", [1, 2, none], 2),
        ("FCMP.NEU R0, R1, R2, R3", [1, 2, none], 1),
        ("FCMP.EQU R0, R1, R2, R3", [1, 2, 0x8000_0000], 1),
        ("FSET.LTU.AND R0, R1, R2, PT", [one, two, 0], !0),
        ("FSET.BF.NUM.AND R0, R1, R2, PT", [one, two, 0], 0x3f80_0000),
        ("FSET.NAN.AND R0, R1, R2, PT", [none, two, 0], !0),
        ("FSETP.LE.AND P1, P2, R1, |R2|, P0; SEL R0, R1, RZ, P1", [one, minus, 0], one),
        ("FSETP.GTU.AND P1, P2, R1, R2, P0; SEL R0, R1, RZ, P2", [one, two, 0], one),
    ]);
}

/// The three roundings that a suffix names, each apart from the other two: for sums and products that lie between two
/// numbers, above zero and below.
#[test]
fn suffixes_round_down_up_and_to_zero() {
    let (one, next, more) = (0x3f80_0000, 0x3f80_0001, 0x3f80_0002);
    // 2 to the power of -30.
    let tiny = 0x3080_0000;
    let below = |bits: u32| bits | 1 << 31;
    let least = (-16_777_217i32) as u32;
    for (suffix, sum, negative, product, opposite, whole) in [
        (".RM", one, below(next), more, below(more + 1), -16_777_218f32),
        (".RP", next, below(one), more + 1, below(more), -16_777_216f32),
        (".RZ", one, below(one), more, below(more), -16_777_216f32),
    ] {
        hold(&[
            (&format!("FADD{suffix} R0, R1, R2"), [one, tiny, 0], sum),
            (&format!("FADD{suffix} R0, -R1, -R2"), [one, tiny, 0], negative),
            (&format!("FMUL{suffix} R0, R1, R2"), [next, next, 0], product),
            (&format!("FMUL{suffix} R0, R1, -R2"), [next, next, 0], opposite),
            (&format!("FFMA{suffix} R0, R1, R2, R3"), [next, next, 0], product),
            (&format!("FFMA{suffix} R0, R1, -R2, R3"), [next, next, 0], opposite),
            (&format!("I2F.F32.S32{suffix} R0, R1"), [least, 0, 0], whole.to_bits()),
        ]);
    }
}

#[test]
fn products_and_conversions() {
    let [half, large] = [-2.5f32, 3e9].map(f32::to_bits);
    hold(&[
        ("IMUL R0, R1, R2", [MINUS, 3, 0], (-48i32) as u32),
        ("IMUL.HI R0, R1, R2", [MINUS, 3, 0], !0),
        ("IMUL.U32.U32.HI R0, R1, R2", [MINUS, 3, 0], 2),
        ("IMUL32I.U32.U32 R0, R1, 0x10", [5, 0, 0], 80),
        ("I2F.F32.S32 R0, R1", [MINUS, 0, 0], (-16.0f32).to_bits()),
        ("I2F.F32.U32 R0, R1", [MINUS, 0, 0], (4_294_967_280u32 as f32).to_bits()),
        ("I2F.F32.U32.RZ R0, R1", [0x0100_0001, 0, 0], 16_777_216f32.to_bits()),
        ("I2F.F32.U32.RP R0, R1", [0x0100_0001, 0, 0], 16_777_218f32.to_bits()),
        ("I2F.F32.S32 R0, 0x7.NEG", [0, 0, 0], (-7.0f32).to_bits()),
        ("I2F.F32.S8 R0, R1.B2", [0x00fe_0000, 0, 0], (-2.0f32).to_bits()),
        ("I2F.F32.U16 R0, R1.H1", [0xfffe_0000, 0, 0], 65534f32.to_bits()),
        ("I2I.S32.S16 R0, R1", [0x8000, 0, 0], 0xffff_8000),
        ("I2I.U32.U8 R0, R1.B3", [0x8000_0000, 0, 0], 0x80),
        ("I2I.S32.S32 R0, -R1", [16, 0, 0], MINUS),
        ("F2I.S32.F32 R0, R1", [half, 0, 0], -2i32 as u32),
        ("F2I.S32.F32.FLOOR R0, R1", [half, 0, 0], -3i32 as u32),
        ("F2I.S32.F32.TRUNC R0, |R1|", [half, 0, 0], 2),
        ("F2I.U32.F32.TRUNC R0, R1", [half, 0, 0], 0),
        ("F2I.S32.F32.CEIL R0, R1", [large, 0, 0], 0x7fff_ffff),
        ("F2F.F32.F32.CEIL R0, R1", [half, 0, 0], (-2.0f32).to_bits()),
        ("F2F.F32.F32.ROUND R0, -R1", [half, 0, 0], 2.0f32.to_bits()),
    ]);
}

/// Rounding down, up, to zero and to the nearest, of a sum, a product, both, and a conversion, for both signs.
#[test]
fn rounding_goes_where_the_suffix_says() {
    let [one, tiny, third] = [1.0f32, 2.0f32.powi(-30), 1.0 / 3.0].map(f32::to_bits);
    let [below, above] = [one - 1, one + 1];
    let minus = 1 << 31;
    hold(&[
        ("FADD R0, R1, R2", [one, tiny, 0], one),
        ("FADD.RM R0, R1, R2", [one, tiny, 0], one),
        ("FADD.RP R0, R1, R2", [one, tiny, 0], above),
        ("FADD.RZ R0, R1, R2", [one, tiny, 0], one),
        ("FADD R0, R1, -R2", [one, tiny, 0], one),
        ("FADD.RM R0, R1, -R2", [one, tiny, 0], below),
        ("FADD.RP R0, R1, -R2", [one, tiny, 0], one),
        ("FADD.RZ R0, R1, -R2", [one, tiny, 0], below),
        ("FADD.RM R0, -R1, -R2", [one, tiny, 0], above | minus),
        ("FADD.RP R0, -R1, -R2", [one, tiny, 0], one | minus),
        // The third as a float is above the third: 3 * f = 1 + 2^-25.
        ("FMUL.RM R0, R1, R2", [third, 3.0f32.to_bits(), 0], one),
        ("FMUL.RP R0, R1, R2", [third, 3.0f32.to_bits(), 0], above),
        ("FMUL.RM R0, R1, -R2", [third, 3.0f32.to_bits(), 0], above | minus),
        ("FFMA.RM R0, R1, R2, -R3", [one, one, tiny], below),
        ("FFMA.RP R0, R1, R2, -R3", [one, one, tiny], one),
        ("FFMA.RM R0, R1, R2, R3", [one, one, tiny], one),
        ("I2F.F32.U32.RM R0, R1", [0x0100_0001, 0, 0], 16_777_216f32.to_bits()),
        ("I2F.F32.S32.RM R0, R1", [0xfeff_ffff, 0, 0], (-16_777_218f32).to_bits()),
        ("I2F.F32.S32.RP R0, R1", [0xfeff_ffff, 0, 0], (-16_777_216f32).to_bits()),
    ]);
}
