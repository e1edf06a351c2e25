//! A plain interpreter of one Maxwell thread, to judge the library with.
//!
//! It is written from the public encodings (nvdisasm's text of each bit) and NVIDIA's description of what instructions
//! compute (the PTX manual). It reads fields by their numbers and shares no code with the library: neither rows, nor
//! lifts, nor the sequencer, nor arithmetic. It runs each thread alone, with its own stack of tokens: what a warp does
//! about divergence must not change the results of its threads.

mod float;
mod integer;

use std::collections::BTreeSet;

/// The largest number of instructions that a thread executes.
const STEPS: usize = 20_000;

/// Bits `lo` to `lo + count - 1` of a word.
fn bits(word: u64, lo: u32, count: u32) -> u64 {
    word >> lo & ((1 << count) - 1)
}

fn bit(word: u64, at: u32) -> bool {
    bits(word, at, 1) == 1
}

/// Where a token leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Sync,
    Break,
    Continue,
    Return,
}

/// How a thread ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It reached the end of the body.
    Whole,
    /// It executed `EXIT`.
    Exited,
}

/// The registers of a thread.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) r: [u32; 255],
    pub(crate) p: [bool; 7],
    carry: bool,
    /// Words of constants of bank 0.
    pub(crate) constants: Vec<u32>,
    stack: Vec<(Mark, u64)>,
    /// The names of the instructions that were executed.
    pub(crate) seen: BTreeSet<&'static str>,
}

impl Thread {
    pub(crate) fn new(constants: Vec<u32>) -> Thread {
        let (stack, seen) = (Vec::new(), BTreeSet::new());
        Thread { r: [0; 255], p: [false; 7], carry: false, constants, stack, seen }
    }

    fn get(&self, word: u64, lo: u32) -> u32 {
        self.r.get(bits(word, lo, 8) as usize).copied().unwrap_or(0)
    }

    fn set(&mut self, word: u64, value: u32) {
        self.r.iter_mut().skip(bits(word, 0, 8) as usize).take(1).for_each(|r| *r = value);
    }

    /// A predicate with its negation above it.
    fn condition(&self, word: u64, lo: u32) -> bool {
        self.p.get(bits(word, lo, 3) as usize).copied().unwrap_or(true) != bit(word, lo + 3)
    }

    fn set_p(&mut self, number: u64, value: bool) {
        self.p.iter_mut().skip(number as usize).take(1).for_each(|p| *p = value);
    }

    /// The second source: a register, a constant, or the 20 bits of an immediate, which `immediate` widens.
    fn second(&self, word: u64, immediate: impl Fn(u32) -> u32) -> u32 {
        match word >> 60 {
            5 => self.get(word, 20),
            4 => self.constants.get(bits(word, 20, 14) as usize).copied().unwrap_or(0),
            _ => immediate((bits(word, 20, 19) | bits(word, 56, 1) << 19) as u32),
        }
    }

    /// As an integer: the immediate has a sign.
    fn integer(&self, word: u64) -> u32 {
        self.second(word, |v| ((v << 12) as i32 >> 12) as u32)
    }

    /// As a float: the immediate has the upper 20 bits.
    fn float(&self, word: u64) -> u32 {
        self.second(word, |v| v << 12)
    }

    /// Combines a truth value with the source predicate of a comparison (bits 39 to 42) and sets both results.
    fn compared(&mut self, word: u64, holds: bool) {
        let other = self.condition(word, 39);
        let combine = |holds: bool| match bits(word, 45, 2) {
            0 => holds && other,
            1 => holds || other,
            _ => holds != other,
        };
        let (first, second) = (combine(holds), combine(!holds));
        self.set_p(bits(word, 0, 3), second);
        self.set_p(bits(word, 3, 3), first);
    }

    /// Leaves to the nearest token with a mark.
    fn leave(&mut self, mark: Mark) -> u64 {
        loop {
            let (found, to) = self.stack.pop().expect("the generator pushes a token first");
            if found == mark {
                return to;
            }
        }
    }

    /// Runs instructions from the first one on until the thread ends or is past the address `end`.
    pub(crate) fn run(&mut self, code: &[u64], end: u64) -> End {
        let mut at = 8;
        for _ in 0..STEPS {
            if at == end {
                return End::Whole;
            }
            // A bundle of 32 bytes has a control word and three instructions.
            let number = at / 32 * 3 + at % 32 / 8 - 1;
            let word = code.get(number as usize).copied().expect("targets are inside the code");
            let next = if at % 32 == 24 { at + 16 } else { at + 8 };
            // Calls and what pushes a token have no guard.
            let guarded = !matches!(word >> 52, 0xe26 | 0xe29..=0xe2b);
            if guarded && !self.condition(word, 16) {
                at = next;
                continue;
            }
            let target = (at + 8).wrapping_add(((bits(word, 20, 24) << 40) as i64 >> 40) as u64);
            let (name, to) = match word >> 52 {
                0xe29 => ("SSY", self.push(Mark::Sync, target, next)),
                0xe2a => ("PBK", self.push(Mark::Break, target, next)),
                0xe2b => ("PCNT", self.push(Mark::Continue, target, next)),
                0xe26 => {
                    self.push(Mark::Return, next, next);
                    ("CAL", target)
                }
                0xe24 => ("BRA", target),
                0xf0f => ("SYNC", self.leave(Mark::Sync)),
                0xe34 => ("BRK", self.leave(Mark::Break)),
                0xe35 => ("CONT", self.leave(Mark::Continue)),
                0xe32 => ("RET", self.leave(Mark::Return)),
                0xe30 => {
                    self.seen.insert("EXIT");
                    return End::Exited;
                }
                _ => (self.compute(word), next),
            };
            self.seen.insert(name);
            at = to;
        }
        panic!("the generator makes programs that end");
    }

    fn push(&mut self, mark: Mark, target: u64, next: u64) -> u64 {
        self.stack.push((mark, target));
        next
    }

    /// Runs an instruction that computes, and returns its name.
    fn compute(&mut self, word: u64) -> &'static str {
        let computed = self.compute_integer(word).or_else(|| self.compute_float(word));
        computed.unwrap_or_else(|| panic!("the generator makes no word {word:016x}"))
    }
}
