//! Random kernels as machine words. Fields are set by their numbers.

use crate::Random;
use crate::edges::EDGES;

/// Registers that a thread reads before its body, from R0 on.
pub(super) const INPUTS: usize = 8;
/// Words that a thread writes after its body: registers from R0 on, then its predicates.
pub(super) const OUTPUTS: usize = 16;

/// Registers that bodies compute with.
const USED: usize = 15;
/// The register of the outermost loop's counter.
const COUNTER: u64 = 16;
/// How deep conditions, loops and calls are nested.
const DEEPEST: u32 = 3;
/// The word that does nothing.
const NOP: u64 = 0x50b0_0000_0007_0f00;
/// `PT` as the guard.
const ALWAYS: u64 = 7 << 16;
/// The predicate of loops; bodies do not write it.
const LOOP: u64 = 6;

/// A body between the instructions that load inputs and store outputs.
#[derive(Default)]
pub(super) struct Body {
    /// The words from address 8 on; functions come after the end.
    pub(super) code: Vec<u64>,
    /// The address after the body, where the outputs are stored.
    pub(super) end: u64,
    /// The words of the body without functions.
    own: usize,
}

/// A value that is often an edge of binary32 or of integers.
pub(super) fn value(random: &mut Random) -> u32 {
    match random.below(5) {
        0 => EDGES[random.below(EDGES.len())],
        1 => random.below(64) as u32,
        2 => (random.below(41) as f32 / 4.0 - 5.0).to_bits(),
        _ => random.bits() as u32,
    }
}

/// The address of an instruction by its number: a bundle of 32 bytes has a control word and three instructions.
const fn address(number: usize) -> u64 {
    (number / 3 * 32 + (number % 3 + 1) * 8) as u64
}

impl Body {
    pub(super) fn random(random: &mut Random) -> Body {
        let mut maker = Maker { random, code: Vec::new(), calls: Vec::new(), functions: 0 };
        // Half of the bodies are a few instructions that compute, in which a fault is easy to find.
        if maker.below(2) == 0 {
            for _ in 0..1 + maker.below(3) {
                let word = maker.computed();
                maker.push(word | ALWAYS);
            }
        } else {
            maker.block(0);
        }
        let own = maker.code.len();
        // What is stored here reads the registers; its words are those of `epilogue`.
        let end = address(own);
        maker.code.resize(own + epilogue().len(), NOP);
        let mut done = 0;
        while let Some(&call) = maker.calls.get(done) {
            let here = maker.code.len();
            maker.aim(call, here);
            maker.block(DEEPEST - 1);
            maker.push(0xe320_0000_0000_000f | ALWAYS);
            done += 1;
        }
        Body { code: maker.code, end, own }
    }

    /// All words of the kernel: the body begins after the prologue, whose size is a multiple of a bundle, so that
    /// relative targets stay.
    pub(super) fn whole(&self) -> Vec<u64> {
        let mut code = prologue();
        let body = self.code.iter().take(self.own).copied();
        code.extend(
            body.chain(epilogue()).chain(self.code.iter().skip(self.own + epilogue().len()).copied()),
        );
        code
    }
}

/// Loads R0 to R7 from the thread's 32 bytes at the address of the first parameter. R20 is the thread.
fn prologue() -> Vec<u64> {
    let mut code = vec![
        0xf0c8_0000_0210_0014 | ALWAYS, // S2R R20, SR_TID.X
        0x3848_0000_0050_1415 | ALWAYS, // SHL R21, R20, 0x5
        0x4c10_8000_0500_1516 | ALWAYS, // IADD R22.CC, R21, c[0x0][0x140]
        0x4c10_0800_0510_ff17 | ALWAYS, // IADD.X R23, RZ, c[0x0][0x144]
        0xeed6_2000_0000_1600 | ALWAYS, // LDG.E.128 R0, [R22]
        0xeed6_2000_0100_1604 | ALWAYS, // LDG.E.128 R4, [R22+0x10]
    ];
    code.resize(code.len().next_multiple_of(3), NOP);
    code
}

/// Stores R0 to R14 and the predicates to the thread's 64 bytes at the address of the second parameter.
fn epilogue() -> Vec<u64> {
    let mut code = vec![0x0100_0000_0000_f00f | ALWAYS]; // MOV32I R15, 0x0
    // LOP32I.OR R15, R15, 1 << n
    code.extend((0..7).map(|n| 0x0420_0000_0000_0f0f | n << 16 | 1 << (20 + n)));
    code.extend([
        0x3848_0000_0060_1415 | ALWAYS, // SHL R21, R20, 0x6
        0x4c10_8000_0520_1516 | ALWAYS, // IADD R22.CC, R21, c[0x0][0x148]
        0x4c10_0800_0530_ff17 | ALWAYS, // IADD.X R23, RZ, c[0x0][0x14c]
    ]);
    // STG.E.128 [R22+offset], R(4n)
    code.extend((0..4).map(|n| 0xeede_2000_0000_1600 | ALWAYS | n << 24 | (4 * n)));
    code.push(0xe300_0000_0000_000f | ALWAYS);
    code
}

struct Maker<'a> {
    random: &'a mut Random,
    code: Vec<u64>,
    /// The words of calls whose function is not made yet.
    calls: Vec<usize>,
    functions: usize,
}

impl Maker<'_> {
    fn below(&mut self, n: usize) -> u64 {
        self.random.below(n) as u64
    }

    fn flag(&mut self, at: u32) -> u64 {
        self.below(2) << at
    }

    fn push(&mut self, word: u64) -> usize {
        self.code.push(word);
        self.code.len() - 1
    }

    /// Sets the target of the branch that is instruction `from`.
    fn aim(&mut self, from: usize, to: usize) {
        let distance = address(to).wrapping_sub(address(from) + 8) & 0xff_ffff;
        self.code.iter_mut().skip(from).take(1).for_each(|word| *word |= distance << 20);
    }

    /// A branch whose target comes later.
    fn branch(&mut self, opcode: u64, guard: u64) -> usize {
        let condition = if opcode == 0xe24 { 0xf } else { 0 };
        let call = if opcode == 0xe26 { 0x40 } else { 0 };
        self.push(opcode << 52 | guard << 16 | condition | call)
    }

    /// A leaving instruction: `SYNC`, `BRK`, `CONT`, `RET`, `EXIT`.
    fn leave(&mut self, opcode: u64, guard: u64) {
        self.push(opcode << 48 | guard << 16 | 0xf);
    }

    /// A guard that holds in some threads.
    fn guard(&mut self) -> u64 {
        self.below(6) | self.flag(3)
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..2 + self.below(3) {
            for _ in 0..1 + self.below(5) {
                let word = self.computed();
                let guard = if self.below(3) == 0 { self.guard() } else { 7 };
                self.push(word | guard << 16);
            }
            match self.below(8) {
                0..=2 if depth < DEEPEST => self.condition(depth),
                3 | 4 if depth < DEEPEST => self.loops(depth),
                5 if depth < DEEPEST && self.functions < 3 => {
                    let call = self.branch(0xe26, 7);
                    self.calls.push(call);
                    self.functions += 1;
                }
                6 if self.below(8) == 0 => {
                    let guard = self.guard();
                    self.leave(0xe300, guard);
                }
                _ => {}
            }
        }
    }

    /// Threads take one of two blocks and meet after them.
    fn condition(&mut self, depth: u32) {
        let meet = self.branch(0xe29, 7);
        let guard = self.guard();
        let other = self.branch(0xe24, guard);
        self.block(depth + 1);
        self.leave(0xf0f8, 7);
        let here = self.code.len();
        self.aim(other, here);
        self.block(depth + 1);
        self.leave(0xf0f8, 7);
        let here = self.code.len();
        self.aim(meet, here);
    }

    /// A loop of a few iterations that threads leave or continue early.
    fn loops(&mut self, depth: u32) {
        let counter = COUNTER + u64::from(depth);
        let out = self.branch(0xe2a, 7);
        let count = 1 + self.below(3);
        self.push(0x0100_0000_0000_f000 | ALWAYS | counter | count << 20);
        let top = self.code.len();
        let again = self.branch(0xe2b, 7);
        self.block(depth + 1);
        for opcode in [0xe340, 0xe350] {
            if self.below(2) == 0 {
                let guard = self.guard();
                self.leave(opcode, guard);
                self.block(DEEPEST);
            }
        }
        self.leave(0xe350, 7);
        let here = self.code.len();
        self.aim(again, here);
        // IADD32I counter, counter, -1; ISETP.NE.AND P6, PT, counter, RZ, PT
        self.push(0x1c0f_ffff_fff0_0000 | ALWAYS | counter << 8 | counter);
        self.push(0x5b6b_0380_0ff0_0007 | ALWAYS | counter << 8 | LOOP << 3);
        let back = self.branch(0xe24, LOOP);
        self.aim(back, top);
        self.leave(0xe340, 7);
        let here = self.code.len();
        self.aim(out, here);
    }

    fn register(&mut self) -> u64 {
        match self.below(12) {
            0 => 255,
            _ => self.below(USED),
        }
    }

    /// A destination at bit 0 and a source at bit 8.
    fn pair(&mut self) -> u64 {
        self.below(USED) | self.register() << 8
    }

    /// A second source in one of three forms of an opcode: register, constant, immediate.
    fn second(&mut self, forms: [u64; 3]) -> u64 {
        match self.below(4) {
            0 => forms[1] << 48 | (0x140 / 4 + 4 + self.below(6)) << 20,
            1 => forms[2] << 48 | (self.random.bits() & 0x7_ffff) << 20 | self.flag(56),
            // An immediate for shifts and fields.
            2 => forms[2] << 48 | (self.below(40) | self.below(34) << 8) << 20,
            _ => forms[0] << 48 | self.register() << 20,
        }
    }

    /// Forms of an opcode with the two lowest digits: those that begin with 5c, 4c and 38.
    fn two(&mut self, low: u64) -> u64 {
        self.second([0x5c00 | low, 0x4c00 | low, 0x3800 | low])
    }

    /// The same for 5b, 4b and 36.
    fn three(&mut self, low: u64) -> u64 {
        self.second([0x5b00 | low, 0x4b00 | low, 0x3600 | low])
    }

    /// A source predicate with its negation at bit 39.
    fn predicate(&mut self) -> u64 {
        (if self.below(3) == 0 { 7 } else { self.below(6) }) << 39 | self.flag(42)
    }

    /// Two predicates to write: the first at bit 3, the second at bit 0.
    fn written(&mut self) -> u64 {
        let first = self.below(6);
        let second = if self.below(2) == 0 { 7 } else { (first + 1 + self.below(5)) % 6 };
        first << 3 | second
    }

    fn third(&mut self) -> u64 {
        self.register() << 39
    }

    /// An instruction that computes, without a guard.
    fn computed(&mut self) -> u64 {
        let pair = self.pair();
        match self.below(36) {
            // Carries are read where they were written: an addition and the next word of the same sum.
            0 => {
                let low = self.two(0x10) | pair | 1 << 47 | self.below(3) << 48;
                self.push(low | ALWAYS);
                let pair = self.pair();
                self.two(0x10) | pair | 1 << 43 | self.below(3) << 48
            }
            1 => self.two(0x10) | pair | self.below(4) << 48,
            2 => 0x1c << 56 | pair | (self.random.bits() & 0xffff_ffff) << 20 | self.flag(56),
            3 => self.two(0x18) | pair | self.below(32) << 39 | self.below(4) << 48,
            4 => self.two(0x20) | pair | self.predicate() | self.flag(48),
            5 => {
                let modes = [7 << 48, 7 << 48, 2 << 44 | self.below(6) << 48, 3 << 44 | self.below(6) << 48];
                let mode = modes[self.below(4) as usize];
                self.two(0x40) | pair | self.below(16) << 39 | mode
            }
            6 => 0x5be7 << 48 | pair | self.register() << 20 | self.third() | self.below(256) << 28,
            7 => 0x04 << 56 | pair | (self.random.bits() & 0xffff_ffff) << 20 | self.below(16) << 53,
            8 => self.two(0x48) | pair | self.flag(39),
            9 => self.two(0x28) | pair | self.flag(39) | self.flag(40) | self.flag(48),
            10 => {
                let opcode = if self.below(2) == 0 { 0x5bf8 } else { 0x5cf8 };
                opcode << 48 | pair | self.register() << 20 | self.third() | self.flag(50)
            }
            11 => self.two(0x00) | pair | self.flag(40) | self.flag(48),
            12 => self.three(0xf0) & !(1 << 51) | pair | self.third(),
            13 => self.two(0x30) & !0xff00 | pair & 0xff | self.flag(40) | self.flag(41) | self.flag(48),
            14 => self.two(0x08) & !0xff00 | pair & 0xff | self.flag(40),
            15 => self.three(0xc0) | pair | self.third() | self.below(7) << 48,
            16..=18 => {
                let mode = [0, 1, 2, 4][self.below(4) as usize];
                let halves = self.flag(35) | self.flag(48) | self.flag(49) | self.flag(53);
                let word = 0x5b00 << 48 | pair | self.register() << 20 | self.third();
                word | halves | self.below(4) << 36 | mode << 50
            }
            19 => {
                let negated = self.below(3) << 51;
                let word = 0x5a00 << 48 | pair | self.register() << 20 | self.third() | negated;
                // The upper half of a negated product is left out.
                let high = if negated >> 52 == 0 { self.flag(54) } else { 0 };
                word | self.flag(48) | self.flag(53) | high
            }
            20 => self.two(0x38) | pair | self.below(8) << 39,
            21..=23 => {
                let word = self.three(0x60) | pair & 0xff00 | self.written() | self.predicate();
                word | self.below(3) << 45 | self.below(16) << 48
            }
            24 => self.three(0x40) | pair | self.third() | self.below(16) << 48,
            25 => {
                let word = self.three(0x50) | pair | self.predicate() | self.flag(44);
                word | self.below(3) << 45 | self.below(16) << 48
            }
            26 => self.two(0xa0) | pair | self.predicate(),
            27 => self.fadd(pair),
            28 => self.two(0x68) | pair | self.flag(44) | self.flag(48) | self.flag(50),
            29 => {
                let word = 0x5980 << 48 | pair | self.register() << 20 | self.third();
                word | self.below(4) << 48 | self.flag(50) | self.flag(53)
            }
            30 => self.two(0x60) | pair | self.predicate() | self.floats(),
            31 => {
                let word = self.three(0xb0) | pair & 0xff00 | self.written() | self.predicate();
                let signs = self.flag(6) | self.flag(7) | self.flag(43) | self.flag(44) | self.flag(47);
                word | signs | self.below(3) << 45 | self.below(16) << 48
            }
            32 => self.three(0xa0) | pair | self.third() | self.flag(47) | self.below(16) << 48,
            33 => match self.below(3) {
                0 => 0x5bd7 << 48 | pair | self.register() << 20 | self.below(32) << 39 | self.flag(45),
                1 => 0x5bdf << 48 | pair | self.register() << 20 | self.third() | self.below(32) << 28,
                _ => 0x38f0 << 48 | pair & 0xff00 | self.below(64) << 20 | self.below(4) << 41,
            },
            34 => self.three_terms(pair),
            _ => match self.below(2) {
                0 => self.two(0x98) & !0xff00 | pair & 0xff | 0xf << 39,
                _ => 0x01 << 56 | pair & 0xff | 0xf000 | (self.random.bits() & 0xffff_ffff) << 20,
            },
        }
    }

    /// Absolute values, negations and flushing of two floats.
    fn floats(&mut self) -> u64 {
        self.flag(44) | self.flag(45) | self.flag(46) | self.flag(48) | self.flag(49)
    }

    fn fadd(&mut self, pair: u64) -> u64 {
        self.two(0x58) | pair | self.floats() | self.flag(50)
    }

    /// `IADD3`: halves are not negated, and a shifted pair consists of halves.
    fn three_terms(&mut self, pair: u64) -> u64 {
        let word = 0x5cc0 << 48 | pair | self.register() << 20 | self.third();
        match self.below(2) {
            0 => word | [0, 1, 2, 4][self.below(4) as usize] << 49,
            _ => {
                let halves = (1 + self.below(2)) << 33 | (1 + self.below(2)) << 35 | self.below(3) << 31;
                word | halves | self.below(3) << 37
            }
        }
    }
}
