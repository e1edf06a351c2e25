//! Random sequences of instructions whose results languages promise to the bit.

/// A source of numbers (splitmix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.next() as usize % of.len()]
    }
}

/// Instructions on registers `{d}`, `{a}`, `{b}`, `{c}`, each any of [`REGISTERS`], and a number `{n}`.
const INTEGERS: [&str; 33] = [
    "IADD {d}, {a}, {b}",
    "IADD {d}, {a}, -{b}",
    "IADD {d}.CC, {a}, {b} ;\nIADD.X {c}, {c}, {a}",
    "IADD3 {d}, {a}, {b}, -{c}",
    "ISCADD {d}, {a}, {b}, {n}",
    "SHL {d}, {a}, {n}",
    "SHR {d}, {a}, {n}",
    "SHR.U32 {d}, {a}, {b}",
    "SHL.W {d}, {a}, {b}",
    "SHF.L.W {d}, {a}, {n}, {c}",
    "LOP.AND {d}, {a}, {b}",
    "LOP.XOR {d}, {a}, ~{b}",
    "LOP3.LUT {d}, {a}, {b}, {c}, 0x96",
    "LOP3.LUT {d}, {a}, {b}, {c}, 0xe8",
    "XMAD {d}, {a}, {b}, {c}",
    "XMAD.MRG {d}, {a}, {b}.H1, RZ",
    "XMAD.PSL.CBCC {d}, {a}.H1, {b}.H1, {c}",
    "IMAD {d}, {a}, {b}, {c}",
    "IMUL.HI {d}, {a}, {b}",
    "IMUL.U32.U32.HI {d}, {a}, {b}",
    "IMNMX {d}, {a}, {b}, PT",
    "IMNMX.U32 {d}, {a}, {b}, !PT",
    "BFE {d}, {a}, {b}",
    "BFE.U32.BREV {d}, {a}, 0x1004",
    "BFI {d}, {a}, 0x808, {b}",
    "FLO.U32 {d}, {a}",
    "FLO.SH {d}, {a}",
    "POPC {d}, {a}",
    "PRMT {d}, {a}, 0x5140, {b}",
    "LEA {d}, {a}, {b}, {n}",
    "LEA.HI {d}, {a}, {b}, {c}, {n}",
    "ISETP.LT.AND P0, PT, {a}, {b}, PT ;\nSEL {d}, {a}, {c}, P0",
    "ISET.GE.U32.AND {d}, {a}, {b}, PT",
];

/// Registers that the instructions change.
pub(super) const REGISTERS: [&str; 6] = ["R4", "R5", "R6", "R7", "R8", "R9"];

/// So many random lines, some under a condition that differs between lanes.
pub(super) fn lines(seed: u64, count: usize) -> String {
    let mut random = Random(seed);
    let mut text = String::new();
    for n in 0..count {
        let mut line = random.one(&INTEGERS).to_owned();
        for slot in ["{d}", "{a}", "{b}", "{c}"] {
            line = line.replace(slot, random.one(&REGISTERS));
        }
        line = line.replace("{n}", &format!("{:#x}", random.next() % 32));
        match random.next() % 6 {
            0 => {
                let (a, b) = (random.one(&REGISTERS), random.one(&REGISTERS));
                text +=
                    &format!("ISETP.NE.AND P1, PT, {a}, {b}, PT ;\n@P1 BRA skip{n} ;\n{line} ;\nskip{n}:\n");
            }
            1 => {
                let (a, b) = (random.one(&REGISTERS), random.one(&REGISTERS));
                text += &format!(
                    "SSY join{n} ;\nISETP.GT.U32.AND P1, PT, {a}, {b}, PT ;\n@P1 BRA else{n} ;\n{line} ;\nSYNC ;\n\
                     else{n}:\nIADD {a}, {b}, {n:#x} ;\nSYNC ;\njoin{n}:\n"
                );
            }
            _ => text += &format!("{line} ;\n"),
        }
    }
    text
}
