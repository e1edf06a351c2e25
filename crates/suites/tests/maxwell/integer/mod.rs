//! What integer instructions compute, against plain arithmetic.

mod comparisons;
mod flags;
mod products;
mod shifts;
mod sums;
mod video;

use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Environment, Machine, NoObserver, Program};
use shisa_ir::{FileId, Lifted, Reg, Space};
use shisa_maxwell::{CODES, PREDICATES, REGISTERS, SPECIALS, Sequencer};

/// The lanes of a wave.
const LANES: usize = 32;

/// What a lane holds before the instructions run.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    /// `R0` to `R3`.
    registers: [u32; 4],
    /// The condition codes, bit 0 for zero, then sign, carry, overflow.
    codes: u32,
    /// The predicates, bit n for `Pn`.
    predicates: u32,
}

/// What a lane holds afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct After {
    /// `R0`.
    value: u32,
    /// The condition codes.
    codes: u32,
    /// The predicates.
    predicates: u32,
}

/// A constant bank of which the word at offset 4 n is 0x0123_4567 * (n + 1).
struct Constants;

/// The word of the constant bank at a byte offset.
fn constant(offset: u64) -> u32 {
    0x0123_4567u32.wrapping_mul(offset as u32 / 4 + 1)
}

impl Environment for Constants {
    fn load(&mut self, _: Space, _: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        bytes.copy_from_slice(&constant(address).to_le_bytes());
        Ok(())
    }

    fn store(&mut self, _: Space, _: usize, _: u64, _: &[u8]) -> Result<(), Diagnostic> {
        panic!("nothing is written")
    }
}

/// The lifted form of lines, or the code with which one is refused.
fn lifted(lines: &str) -> Result<Lifted, &'static str> {
    crate::assembled::lifted(lines).map_err(|d| d.code)
}

fn bits(machine: &Machine<'_, Sequencer>, file: FileId, count: u16, lane: usize) -> u32 {
    (0..count).map(|n| machine.register(Reg::new(file, n), lane).unwrap() << n).sum()
}

/// What lines leave in each of many lanes.
fn run(lines: &str, cases: &[Before]) -> Vec<After> {
    let lifted = lifted(lines).unwrap_or_else(|code| panic!("{lines}: {code}"));
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut results = Vec::new();
    for cases in cases.chunks(LANES) {
        let mut machine = Machine::new(&program, &Sequencer, 8, u32::MAX >> (LANES - cases.len()));
        for (lane, case) in cases.iter().enumerate() {
            let units = |file, bits: u32, count| (0..count).map(move |n| (file, n, bits >> n & 1));
            let registers = (0..).zip(case.registers).map(|(n, value)| (REGISTERS, n, value));
            let flags = units(CODES, case.codes, 4).chain(units(PREDICATES, case.predicates, 7));
            for (file, n, value) in registers.chain(flags).chain([(SPECIALS, 0, lane as u32)]) {
                machine.set_input(Reg::new(file, n), lane, value).unwrap();
            }
        }
        machine.run(&mut Constants, &mut NoObserver, &Limits::default()).unwrap();
        results.extend((0..cases.len()).map(|lane| After {
            value: machine.register(Reg::new(REGISTERS, 0), lane).unwrap(),
            codes: bits(&machine, CODES, 4, lane),
            predicates: bits(&machine, PREDICATES, 7, lane),
        }));
    }
    results
}

/// Compares part of what lines leave with a model.
fn holds<T: PartialEq + std::fmt::Debug>(
    lines: &str,
    cases: &[Before],
    part: impl Fn(After) -> T,
    model: impl Fn(Before) -> T,
) {
    for (case, after) in cases.iter().zip(run(lines, cases)) {
        assert_eq!(part(after), model(*case), "{lines}: {case:x?}");
    }
}

/// The value and the codes.
fn value_and_codes(after: After) -> (u32, u32) {
    (after.value, after.codes)
}

/// The value alone.
fn value(after: After) -> u32 {
    after.value
}

/// The codes of a result that has no carry: zero and sign.
fn plain_codes(value: u32) -> u32 {
    u32::from(value == 0) | u32::from((value as i32) < 0) << 1
}

/// Numbers at which something changes.
const EDGES: [u32; 14] = [
    0,
    1,
    2,
    0x7f,
    0x80,
    0xffff,
    0x1_0000,
    0x8000_8000,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_8000,
    0xffff_fffe,
    0xffff_ffff,
];

/// Random numbers (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 24) as u32
    }

    /// An edge or any number.
    fn edge(&mut self) -> u32 {
        let n = self.next();
        if n & 1 == 0 { EDGES[(n >> 8) as usize % EDGES.len()] } else { self.next() }
    }
}

/// All pairs of edges in R1 and R2, with any R0 and R3, codes and predicates; then random numbers in all.
fn cases() -> Vec<Before> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let pairs = EDGES.iter().flat_map(|a| EDGES.map(|b| [*a, b]));
    let pairs: Vec<[u32; 2]> = pairs.chain(vec![[0; 2]; 200]).collect();
    let edges = EDGES.len() * EDGES.len();
    let case = |(n, [a, b]): (usize, [u32; 2])| {
        let [zeroth, third] = [random.edge(), random.edge()];
        let [a, b] = if n < edges { [a, b] } else { [random.next(), random.edge()] };
        Before {
            registers: [zeroth, a, b, third],
            codes: random.next() & 15,
            predicates: random.next() & 127,
        }
    };
    pairs.into_iter().enumerate().map(case).collect()
}
