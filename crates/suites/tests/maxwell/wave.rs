//! Runs instructions in tests: one program for many inputs, a lane each.

use crate::assembled::lifted;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Environment, Machine, NoObserver, Program};
use shisa_ir::{Lanes, Reg, Space};
use shisa_maxwell::{CODES, PREDICATES, REGISTERS, SPECIALS, Sequencer};

/// What a lane has after the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// R0 and R1.
    pub(crate) words: [u32; 2],
    /// Zero, sign, carry, overflow.
    pub(crate) codes: [bool; 4],
    /// P0 and P1.
    pub(crate) predicates: [bool; 2],
}

impl Outcome {
    /// R0, and R1 above it.
    pub(crate) fn wide(&self) -> u64 {
        u64::from(self.words[1]) << 32 | u64::from(self.words[0])
    }
}

/// Bank 0 with these words.
struct Constants<'a>(&'a [u32]);

impl Environment for Constants<'_> {
    fn load(&mut self, space: Space, _: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        assert_eq!(space, Space::Constant(0));
        for (i, word) in bytes.chunks_exact_mut(4).enumerate() {
            word.copy_from_slice(&self.0[address as usize / 4 + i].to_le_bytes());
        }
        Ok(())
    }

    fn store(&mut self, _: Space, _: usize, _: u64, _: &[u8]) -> Result<(), Diagnostic> {
        panic!("nothing is written")
    }
}

/// What lines leave, for each input: R2 to R7.
pub(crate) fn wave(lines: &str, inputs: &[[u32; 6]]) -> Vec<Outcome> {
    with_constants(lines, &[], inputs)
}

/// The same, with constants in bank 0.
pub(crate) fn with_constants(lines: &str, constants: &[u32], inputs: &[[u32; 6]]) -> Vec<Outcome> {
    let lifted = lifted(lines).unwrap_or_else(|d| panic!("{lines}: {d}"));
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut outcomes = Vec::new();
    for inputs in inputs.chunks(32) {
        let mut machine = Machine::new(&program, &Sequencer, 8, Lanes::MAX);
        for (lane, input) in inputs.iter().enumerate() {
            machine.set_input(Reg::new(SPECIALS, 0), lane, lane as u32).unwrap();
            for (n, word) in (2..).zip(input) {
                machine.set_input(Reg::new(REGISTERS, n), lane, *word).unwrap();
            }
        }
        machine.run(&mut Constants(constants), &mut NoObserver, &Limits::default()).unwrap();
        let outcome = |lane| {
            let unit = |file, n| machine.register(Reg::new(file, n), lane).unwrap();
            Outcome {
                words: [0, 1].map(|n| unit(REGISTERS, n)),
                codes: [0, 1, 2, 3].map(|n| unit(CODES, n) != 0),
                predicates: [0, 1].map(|n| unit(PREDICATES, n) != 0),
            }
        };
        outcomes.extend((0..inputs.len()).map(outcome));
    }
    outcomes
}

/// Random words (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.next() as usize % of.len()]
    }

    /// Any float: special ones, ones near 1, any bits.
    pub(crate) fn float(&mut self) -> u32 {
        let (bits, sign) = (self.next() as u32, self.next() as u32 & 1 << 31);
        match self.next() % 4 {
            0 => self.one(EDGES) | sign,
            1 | 2 => sign | ((120 << 23) + (bits & 0x07ff_ffff) % (16 << 23)),
            _ => bits,
        }
    }

    /// Any double.
    pub(crate) fn double(&mut self) -> u64 {
        let (bits, sign) = (self.next(), self.next() & 1 << 63);
        match self.next() % 4 {
            0 => self.one(DOUBLES) | sign,
            1 | 2 => sign | ((1016 << 52) + bits % (16 << 52)),
            _ => bits,
        }
    }

    /// Any half.
    pub(crate) fn half(&mut self) -> u16 {
        self.next() as u16
    }

    /// Any word: small ones, ones near the ends, any bits.
    pub(crate) fn word(&mut self) -> u32 {
        let bits = self.next() as u32;
        match self.next() % 3 {
            0 => self.one(&[0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, !0]),
            1 => (bits as i32 >> (bits & 31)) as u32,
            _ => bits,
        }
    }

    /// So many inputs.
    pub(crate) fn inputs(&mut self, count: usize, mut word: impl FnMut(&mut Random) -> u32) -> Vec<[u32; 6]> {
        (0..count).map(|_| [(); 6].map(|()| word(self))).collect()
    }

    /// So many inputs of three doubles.
    pub(crate) fn doubles(&mut self, count: usize) -> Vec<[u32; 6]> {
        let mut input = || {
            let [a, b, c] = [self.double(), self.double(), self.double()];
            [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32, c as u32, (c >> 32) as u32]
        };
        (0..count).map(|_| input()).collect()
    }
}

const EDGES: &[u32] = &[
    0,
    1,
    0x003f_ffff,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001,
    0x7fc0_0000,
    0x7fff_ffff,
    0x4b00_0000,
    0x4f00_0000,
    0x4f80_0000,
    0x5f80_0000,
];
const DOUBLES: &[u64] = &[
    0,
    1,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x3ff0_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x41e0_0000_0000_0000,
    0x43e0_0000_0000_0000,
    0x47ef_ffff_f000_0000,
];

/// Whether two floats are the same, or both NaN.
pub(crate) fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// Whether two doubles are the same, or both NaN.
pub(crate) fn same_double(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// Zero with the same sign, of a denormal.
pub(crate) fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0.0f32.copysign(x) } else { x }
}

/// 0 to 1; NaN and -0 are 0.
pub(crate) fn saturated(x: f32) -> f32 {
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

/// A double rounded to a float: to the nearest, down, up or to zero.
pub(crate) fn rounded(x: f64, suffix: &str) -> f32 {
    let near = x as f32;
    let wide = f64::from(near);
    match suffix {
        ".RM" if wide > x => near.next_down(),
        ".RP" if wide < x => near.next_up(),
        ".RZ" if wide.abs() > x.abs() => {
            if x > 0.0 {
                near.next_down()
            } else {
                near.next_up()
            }
        }
        _ => near,
    }
}
