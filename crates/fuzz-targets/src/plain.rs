//! A plain interpreter of PICA200, to judge the library with.
//!
//! It is written from the published encodings and semantics, reads fields by their numbers, and shares no code with the
//! library: neither rows, nor lifts, nor the sequencer, nor arithmetic. It computes in binary32, as emulators do. Where no
//! hardware test is published it does what Azahar's interpreter does: dot products add to +0 from x to w, `rsq`
//! rounds the root and its reciprocal, a loop inside
//! another one restores the `aL` that it began with, an `end` that is a loop's last word steps `aL`, and words past the
//! code are zeros up to the last of 4096, which ends.

/// Four components.
pub(crate) type Vector = [f32; 4];

/// Words of the program memory.
const WORDS: usize = 4096;
/// The largest number of words that a run executes: more than once through the memory.
pub(crate) const STEPS: u64 = 6_000;
/// The largest lighting exponent of `litp`.
const EXPONENT: f32 = 32767.0 / 256.0;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// An `end`, after this many words.
    Ended(u64),
    /// A break outside of a loop, which hangs the hardware.
    Hangs,
    /// [`STEPS`] words.
    Endless,
}

/// A vertex that `emit` stored: slot, whether a triangle is complete, whether it is flipped, outputs.
pub(crate) type Emitted = (u32, bool, bool, [Vector; 16]);

/// A stored block: the address of its end, where control goes from there, and for loops the iterations left, the step
/// and the first `aL`.
#[derive(Clone, Copy, Debug)]
struct Block {
    end: u32,
    to: u32,
    left: u8,
    step: u8,
    first: u8,
}

/// The hardware's state.
#[derive(Clone, Debug)]
pub(crate) struct Plain<'a> {
    pub(crate) code: &'a [u32],
    pub(crate) descriptors: &'a [u32],
    pub(crate) v: [Vector; 16],
    pub(crate) r: [Vector; 16],
    pub(crate) c: [Vector; 96],
    /// Both banks of the outputs; an `emit` switches to the other one.
    pub(crate) o: [[Vector; 16]; 2],
    pub(crate) bank: usize,
    pub(crate) i: [[u8; 4]; 4],
    pub(crate) b: u16,
    /// `a0.x`, `a0.y`, `aL`.
    pub(crate) address: [i32; 3],
    /// `cmp.x`, `cmp.y`.
    pub(crate) flags: [bool; 2],
    /// Slot, whether a triangle is complete, whether it is flipped.
    pub(crate) emission: (u32, bool, bool),
    pub(crate) emitted: Vec<Emitted>,
    calls: Vec<Block>,
    conditions: Vec<Block>,
    loops: Vec<Block>,
}

fn field(word: u32, lowest: u32, width: u32) -> u32 {
    word >> lowest & ((1 << width) - 1)
}

/// Stores a block in a ring that holds `room` of them.
fn store(ring: &mut Vec<Block>, room: usize, block: Block) {
    if ring.len() == room {
        ring.remove(0);
    }
    ring.push(block);
}

/// Zero times infinity is zero.
fn times(a: f32, b: f32) -> f32 {
    let product = a * b;
    if product.is_nan() && !a.is_nan() && !b.is_nan() { 0.0 } else { product }
}

fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

fn truth(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}

/// The sum of products, from +0.
fn dot(a: Vector, b: Vector, count: usize) -> Vector {
    [(0..count).fold(0.0, |sum, n| sum + times(a[n], b[n])); 4]
}

/// A function of one component, computed in binary64 and rounded.
fn wide(x: f32, function: impl Fn(f64) -> f64) -> Vector {
    [function(f64::from(x)) as f32; 4]
}

fn each(a: Vector, b: Vector, function: impl Fn(f32, f32) -> f32) -> Vector {
    std::array::from_fn(|n| function(a[n], b[n]))
}

impl<'a> Plain<'a> {
    /// All registers zero.
    pub(crate) fn new(code: &'a [u32], descriptors: &'a [u32]) -> Plain<'a> {
        Plain {
            code,
            descriptors,
            v: [[0.0; 4]; 16],
            r: [[0.0; 4]; 16],
            c: [[0.0; 4]; 96],
            o: [[[0.0; 4]; 16]; 2],
            bank: 0,
            i: [[0; 4]; 4],
            b: 0,
            address: [0; 3],
            flags: [false; 2],
            emission: (0, false, false),
            emitted: Vec::new(),
            calls: Vec::new(),
            conditions: Vec::new(),
            loops: Vec::new(),
        }
    }

    /// The state in which the next run continues: `b15` is true.
    pub(crate) fn again(mut self) -> Plain<'a> {
        self.b |= 1 << 15;
        self.emitted.clear();
        self
    }

    /// Runs from word 0.
    pub(crate) fn run(&mut self) -> End {
        self.calls.clear();
        self.conditions.clear();
        self.loops.clear();
        let mut pc = 0u32;
        for steps in 1..=STEPS {
            let at = pc as usize;
            let word = if at >= WORDS - 1 { 0x22 << 26 } else { self.code.get(at).copied().unwrap_or(0) };
            let opcode = word >> 26;
            let (mut breaks, mut next) = (false, pc + 1);
            match opcode {
                0x20 => breaks = true,
                0x21 | 0x22 => {}
                0x23 => breaks = self.matches(word),
                0x24 => self.call(word, &mut next),
                0x25 if self.matches(word) => self.call(word, &mut next),
                0x26 if self.boolean(word) => self.call(word, &mut next),
                0x27 => self.condition(word, self.boolean(word), &mut next),
                0x28 => self.condition(word, self.matches(word), &mut next),
                0x29 => self.repeat(word, pc + 1),
                0x2a => self.emit(),
                0x2b => {
                    self.emission = (field(word, 24, 2), field(word, 23, 1) != 0, field(word, 22, 1) != 0);
                }
                0x2c if self.matches(word) => next = field(word, 10, 12),
                0x2d if self.boolean(word) != (field(word, 0, 1) != 0) => next = field(word, 10, 12),
                0x25 | 0x26 | 0x2c | 0x2d => {}
                _ => self.compute(word),
            }
            if breaks && self.loops.is_empty() {
                return End::Hangs;
            }
            pc = self.offered(pc + 1, next, breaks);
            if opcode == 0x22 || at >= WORDS - 1 {
                return End::Ended(steps);
            }
        }
        End::Endless
    }

    /// Compares the address after the instruction with the ends of blocks; returns the next address.
    fn offered(&mut self, after: u32, mut pc: u32, breaks: bool) -> u32 {
        let mut reached = after;
        for popped in 1..=4 {
            if self.calls.last().is_none_or(|c| c.end != reached) {
                break;
            }
            let call = self.calls.pop().expect("there is one");
            // The fourth return at once has no effect.
            if popped < 4 {
                (pc, reached) = (call.to, call.to);
            }
        }
        if self.conditions.last().is_some_and(|c| c.end == after) {
            pc = self.conditions.pop().expect("there is one").to;
        }
        if self.loops.last().is_some_and(|l| l.end == after || breaks) {
            let outer = self.loops.len() > 1;
            let open = self.loops.last_mut().expect("there is one");
            self.address[2] += i32::from(open.step);
            if !breaks && open.left > 0 {
                open.left -= 1;
                return open.to;
            }
            pc = open.end;
            if outer {
                self.address[2] = open.first.into();
            }
            self.loops.pop();
        }
        pc
    }

    /// Whether the flags match.
    fn matches(&self, word: u32) -> bool {
        let x = self.flags[0] == (field(word, 25, 1) != 0);
        let y = self.flags[1] == (field(word, 24, 1) != 0);
        match field(word, 22, 2) {
            0 => x || y,
            1 => x && y,
            2 => x,
            _ => y,
        }
    }

    fn boolean(&self, word: u32) -> bool {
        self.b >> field(word, 22, 4) & 1 != 0
    }

    fn call(&mut self, word: u32, next: &mut u32) {
        let start = field(word, 10, 12);
        let call = Block { end: start + field(word, 0, 8), to: *next, left: 0, step: 0, first: 0 };
        store(&mut self.calls, 4, call);
        *next = start;
    }

    fn condition(&mut self, word: u32, holds: bool, next: &mut u32) {
        let other = field(word, 10, 12);
        if holds {
            let block = Block { end: other, to: other + field(word, 0, 8), left: 0, step: 0, first: 0 };
            store(&mut self.conditions, 8, block);
        } else {
            *next = other;
        }
    }

    fn repeat(&mut self, word: u32, body: u32) {
        let [left, first, step, _] = self.i[field(word, 22, 2) as usize];
        store(&mut self.loops, 4, Block { end: field(word, 10, 12) + 1, to: body, left, step, first });
        self.address[2] = first.into();
    }

    fn emit(&mut self) {
        let (slot, complete, flipped) = self.emission;
        self.emitted.push((slot, complete, flipped, self.o[self.bank]));
        self.bank ^= 1;
    }

    /// A source register by its number, with its index register and its part of the descriptor.
    fn source(&self, number: u32, index: u32, descriptor: u32, part: u32) -> Vector {
        let register = match number {
            0x00..=0x0f => self.v[number as usize],
            0x10..=0x1f => self.r[number as usize - 0x10],
            _ => {
                let offset = match index {
                    0 => 0,
                    n => self.address[n as usize - 1],
                };
                let offset = if (-128..=127).contains(&offset) { offset } else { 0 };
                let at = (number as i32 - 0x20 + offset) & 0x7f;
                self.c.get(at as usize).copied().unwrap_or([1.0; 4])
            }
        };
        let negated = field(descriptor, 4 + 9 * part, 1) != 0;
        let selector = field(descriptor, 5 + 9 * part, 8);
        std::array::from_fn(|n| {
            let value = register[field(selector, 6 - 2 * n as u32, 2) as usize];
            if negated { -value } else { value }
        })
    }

    fn compute(&mut self, word: u32) {
        let opcode = word >> 26;
        let descriptor = |width| self.descriptors.get(field(word, 0, width) as usize).copied().unwrap_or(0);
        if opcode >= 0x30 {
            let d = descriptor(5);
            let (index, first) = (field(word, 22, 2), self.source(field(word, 17, 5), 0, d, 0));
            let (second, third) = match opcode < 0x38 {
                true => {
                    (self.source(field(word, 12, 5), 0, d, 1), self.source(field(word, 5, 7), index, d, 2))
                }
                false => {
                    (self.source(field(word, 10, 7), index, d, 1), self.source(field(word, 5, 5), 0, d, 2))
                }
            };
            let sum = each(each(first, second, times), third, |a, b| a + b);
            return self.write(field(word, 24, 5), d, sum);
        }
        let (d, index) = (descriptor(7), field(word, 19, 2));
        let (a, b) = match matches!(opcode, 0x18..=0x1b) {
            true => (self.source(field(word, 14, 5), 0, d, 0), self.source(field(word, 7, 7), index, d, 1)),
            false => (self.source(field(word, 12, 7), index, d, 0), self.source(field(word, 7, 5), 0, d, 1)),
        };
        let value = match opcode {
            0x00 => each(a, b, |a, b| a + b),
            0x01 => dot(a, b, 3),
            0x02 => dot(a, b, 4),
            0x03 | 0x18 => dot([a[0], a[1], a[2], 1.0], b, 4),
            0x04 | 0x19 => [1.0, times(a[1], b[1]), a[2], b[3]],
            0x05 => wide(a[0], f64::exp2),
            0x06 => wide(a[0], f64::log2),
            0x07 => {
                self.flags = [a[0] >= 0.0, a[3] >= 0.0];
                let y = larger(smaller(a[1], EXPONENT), -EXPONENT);
                [larger(a[0], 0.0), y, 0.0, larger(a[3], 0.0)]
            }
            0x08 => each(a, b, times),
            0x09 | 0x1a => each(a, b, |a, b| truth(a >= b)),
            0x0a | 0x1b => each(a, b, |a, b| truth(a < b)),
            0x0b => a.map(f32::floor),
            0x0c => each(a, b, larger),
            0x0d => each(a, b, smaller),
            0x0e => [1.0 / a[0]; 4],
            0x0f => [1.0 / a[0].sqrt(); 4],
            0x12 => {
                for n in (0..2).filter(|n| field(d, 3 - n, 1) != 0) {
                    self.address[n as usize] = a[n as usize] as i32;
                }
                return;
            }
            0x13 => a,
            0x2e | 0x2f => {
                self.flags = [(0, 24), (1, 21)].map(|(n, lowest)| match field(word, lowest, 3) {
                    0 => a[n] == b[n],
                    1 => a[n] != b[n],
                    2 => a[n] < b[n],
                    3 => a[n] <= b[n],
                    4 => a[n] > b[n],
                    5 => a[n] >= b[n],
                    _ => true,
                });
                return;
            }
            _ => unreachable!("programs have known opcodes only"),
        };
        self.write(field(word, 21, 5), d, value);
    }

    /// Writes the components of the descriptor's mask.
    fn write(&mut self, number: u32, descriptor: u32, value: Vector) {
        let register = match number {
            0x00..=0x0f => &mut self.o[self.bank][number as usize],
            _ => &mut self.r[number as usize - 0x10],
        };
        for n in (0..4).filter(|n| field(descriptor, 3 - n, 1) != 0) {
            register[n as usize] = value[n as usize];
        }
    }
}
