//! Sets of lanes: mask registers with AVX-512. With AVX2 those of steps are vector registers, and the lanes that run and
//! those in doubt are vectors in the context.

use super::operations::{AND, MOVE, OR, XOR};
use super::{Assembler, Mask, Source, Vector};
use crate::jit::context::{Address, Field, Word};
use crate::jit::vectors::Vectors;
use iced_x86::{Code, Instruction, Register};

/// The first vector register of a set, with AVX2.
const STEPS: u8 = 6;

impl Mask {
    /// The mask register, with AVX-512. K0 cannot select lanes.
    pub(super) fn register(self) -> Register {
        match self {
            Mask::Lanes => Register::K7,
            Mask::Doubt => Register::K6,
            Mask::Step(n) => Register::K1 + u32::from(n),
            Mask::Condition(n) => Register::K3 + u32::from(n),
        }
    }
}

/// The lanes that run, and those in doubt, in the context.
fn lanes() -> Address {
    Field::LanesVector.address()
}

fn doubt() -> Address {
    Field::DoubtVector.address()
}

impl Assembler {
    /// The vector of a set of a step, with AVX2.
    pub(super) fn step(&mut self, set: Mask) -> Vector {
        match set {
            Mask::Step(n) => Vector(STEPS + n),
            Mask::Lanes | Mask::Doubt | Mask::Condition(_) => {
                self.fault("a set of lanes is not in a register");
                Vector(STEPS)
            }
        }
    }

    /// The vector of a set, with AVX2: the first set of steps is lost if the set is in memory.
    pub(super) fn set_in_register(&mut self, set: Mask) -> Vector {
        match set {
            Mask::Lanes => {
                let to = Vector(STEPS);
                self.vector1(MOVE, to, Source::Memory(lanes()));
                to
            }
            other => self.step(other),
        }
    }

    /// `to &= set`, with AVX2.
    pub(super) fn and_set(&mut self, to: Vector, set: Mask) {
        let set = match set {
            Mask::Lanes => Source::Memory(lanes()),
            other => Source::Vector(self.step(other)),
        };
        self.vector2(AND, to, to, set);
    }

    fn sets(&mut self, code: Code, dst: Mask, a: Mask, b: Mask) {
        self.put(Instruction::with3(code, dst.register(), a.register(), b.register()));
    }

    /// `dst` = the lanes of a set that run.
    pub(in crate::jit) fn running(&mut self, dst: Mask, a: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                let (to, a) = (self.step(dst), self.step(a));
                self.vector2(AND, to, a, Source::Memory(lanes()));
            }
            Vectors::Zmm => self.sets(Code::VEX_Kandw_kr_kr_kr, dst, a, Mask::Lanes),
        }
    }

    /// `dst` = the lanes that run and are not in a set.
    pub(in crate::jit) fn running_without(&mut self, dst: Mask, a: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                let (to, a) = (self.step(dst), self.step(a));
                let code = Code::VEX_Vpandn_ymm_ymm_ymmm256;
                self.instruction3(code, to.ymm(), a.ymm(), Source::Memory(lanes()), |i| i);
            }
            Vectors::Zmm => self.sets(Code::VEX_Kandnw_kr_kr_kr, dst, a, Mask::Lanes),
        }
    }

    /// No lane is in doubt.
    pub(in crate::jit) fn start_doubt(&mut self) {
        match self.vectors {
            Vectors::Ymm => {
                let zero = Vector(STEPS);
                self.vector2(XOR, zero, zero, Source::Vector(zero));
                self.store(doubt(), zero);
            }
            Vectors::Zmm => self.sets(Code::VEX_Kxorw_kr_kr_kr, Mask::Doubt, Mask::Doubt, Mask::Doubt),
        }
    }

    /// The lanes of a set are in doubt. The set is lost.
    pub(in crate::jit) fn report(&mut self, a: Mask) {
        self.reports += 1;
        match self.vectors {
            Vectors::Ymm => {
                let a = self.step(a);
                self.vector2(OR, a, a, Source::Memory(doubt()));
                self.store(doubt(), a);
            }
            Vectors::Zmm => self.sets(Code::VEX_Korw_kr_kr_kr, Mask::Doubt, Mask::Doubt, a),
        }
    }

    /// The running lanes of a set of a half are in doubt. The set and `spare` are lost.
    pub(in crate::jit) fn report_half(&mut self, a: Mask, high: bool, spare: Vector) {
        match self.vectors {
            Vectors::Ymm => {
                let set = self.step(a);
                let mut half = lanes();
                half.offset += if high { Vectors::Ymm.bytes() as i32 / 2 } else { 0 };
                let code = Code::VEX_Vpmovsxdq_ymm_xmmm128;
                self.put(Instruction::with2(code, spare.ymm(), half.operand()));
                self.vector2(AND, set, set, Source::Vector(spare));
                self.report(a);
            }
            Vectors::Zmm => {
                if high {
                    let half = Vectors::Zmm.lanes() as u32 / 2;
                    let (code, k) = (Code::VEX_Kshiftlw_kr_kr_imm8, a.register());
                    self.put(Instruction::with3(code, k, k, half));
                }
                self.running(a, a);
                self.report(a);
            }
        }
    }

    /// Whether a lane is in doubt: the flags say "not equal" if so. The first set of steps is lost.
    pub(in crate::jit) fn test_doubt(&mut self) {
        match self.vectors {
            Vectors::Ymm => {
                let set = Vector(STEPS);
                self.vector1(MOVE, set, Source::Memory(doubt()));
                self.put(Instruction::with2(Code::VEX_Vptest_ymm_ymmm256, set.ymm(), set.ymm()));
            }
            Vectors::Zmm => {
                let k = Mask::Doubt.register();
                self.put(Instruction::with2(Code::VEX_Kortestw_kr_kr, k, k));
            }
        }
    }

    /// The lanes of a general register run. The first set of steps is lost.
    pub(in crate::jit) fn start_lanes(&mut self, from: Register) {
        match self.vectors {
            Vectors::Ymm => {
                let set = Vector(STEPS);
                self.splat(set, from);
                // Each element has its lane's bit, or zero.
                let bits = Source::Memory(Field::LaneBits.address());
                self.vector2(AND, set, set, bits);
                self.instruction3(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, set.ymm(), set.ymm(), bits, |i| i);
                self.store(lanes(), set);
            }
            Vectors::Zmm => {
                let lanes = Mask::Lanes.register();
                self.put(Instruction::with2(Code::VEX_Kmovw_kr_r32, lanes, from));
            }
        }
    }

    /// The lanes of a set in a general register.
    pub(in crate::jit) fn bits_of(&mut self, dst: Register, from: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                let from = self.set_in_register(from);
                self.put(Instruction::with2(Code::VEX_Vmovmskps_r32_ymm, dst, from.ymm()));
            }
            Vectors::Zmm => self.put(Instruction::with2(Code::VEX_Kmovw_r32_kr, dst, from.register())),
        }
    }

    /// Zero in all lanes.
    pub(in crate::jit) fn zero(&mut self, to: Vector) {
        self.vector2(XOR, to, to, Source::Vector(to));
    }

    /// 1 in the lanes of a set, which a comparison made, and 0 in the others.
    pub(in crate::jit) fn ones(&mut self, dst: Vector, set: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                let set = self.step(set);
                self.vector2(AND, dst, set, Source::Word(Word::One));
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32;
                let one = Field::Word(Word::One).address().operand();
                let i = Instruction::with2(code, dst.of(Vectors::Zmm), one);
                self.put(i.map(|i| super::blends::zeroing(i, set)));
            }
        }
    }
}
