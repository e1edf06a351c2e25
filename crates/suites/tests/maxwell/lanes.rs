//! Runs lines with values of all lanes, for tests of memory and of exchanges between lanes.

use crate::assembled::lifted;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{BufferEnvironment, Machine, NoObserver, Program};
use shisa_ir::{Reg, WAVE};
use shisa_maxwell::{PREDICATES, REGISTERS, SPECIALS, Sequencer};

/// A sequence of numbers (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) as usize) % n
    }

    /// A number with many zeros or ones at the edges of ranges, or any other.
    pub(crate) fn word(&mut self) -> u32 {
        const EDGES: [u32; 8] = [0, 1, 2, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fffe, !0];
        match self.below(3) {
            0 => EDGES[self.below(8)],
            1 => self.below(8) as u32,
            _ => (self.next() >> 16) as u32,
        }
    }
}

/// The values that a wave of 32 lanes starts with.
pub(crate) struct Lanes {
    pub(crate) environment: BufferEnvironment,
    inputs: Vec<(Reg, [u32; WAVE])>,
}

/// What a run has left.
pub(crate) struct Ran {
    pub(crate) environment: BufferEnvironment,
    registers: Vec<[u32; WAVE]>,
    predicates: Vec<[u32; WAVE]>,
}

impl Lanes {
    /// All lanes know their numbers.
    pub(crate) fn new(environment: BufferEnvironment) -> Lanes {
        let number = std::array::from_fn(|lane| lane as u32);
        Lanes { environment, inputs: vec![(Reg::new(SPECIALS, 0), number)] }
    }

    pub(crate) fn set(&mut self, register: u16, value: impl Fn(usize) -> u32) {
        self.inputs.push((Reg::new(REGISTERS, register), std::array::from_fn(value)));
    }

    pub(crate) fn set_predicate(&mut self, predicate: u16, value: impl Fn(usize) -> bool) {
        let values = std::array::from_fn(|lane| value(lane).into());
        self.inputs.push((Reg::new(PREDICATES, predicate), values));
    }

    pub(crate) fn run(self, lines: &str) -> Ran {
        self.tried(lines).unwrap_or_else(|d| panic!("{lines}: {d}"))
    }

    /// The error with which the run ends.
    pub(crate) fn refused(self, lines: &str) -> Diagnostic {
        match self.tried(lines) {
            Err(d) => d,
            Ok(_) => panic!("{lines} runs"),
        }
    }

    fn tried(mut self, lines: &str) -> Result<Ran, Diagnostic> {
        let lifted = lifted(lines)?;
        let program = Program::new(&lifted, &Limits::default())?;
        let mut machine = Machine::new(&program, &Sequencer, 8, !0);
        for (reg, values) in self.inputs {
            for (lane, value) in values.into_iter().enumerate() {
                machine.set_input(reg, lane, value)?;
            }
        }
        machine.run(&mut self.environment, &mut NoObserver, &Limits::default())?;
        let of = |file, units| -> Vec<_> {
            (0..units).map(|n| machine.plane(Reg::new(file, n)).unwrap().0).collect()
        };
        let (registers, predicates) = (of(REGISTERS, 255), of(PREDICATES, 7));
        Ok(Ran { environment: self.environment, registers, predicates })
    }
}

impl Ran {
    /// A register of all lanes.
    pub(crate) fn registers(&self, n: usize) -> [u32; WAVE] {
        self.registers[n]
    }

    /// A predicate of all lanes.
    pub(crate) fn predicates(&self, n: usize) -> [bool; WAVE] {
        self.predicates[n].map(|bit| bit != 0)
    }
}
