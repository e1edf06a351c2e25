//! What the code and its caller share: a structure in memory whose address is the code's only argument.

use crate::memory::{Chunk, LANES, Lanes, SLAB};
use crate::series;
use crate::working::Memory;
use std::f64::consts::{FRAC_1_PI, FRAC_2_PI, FRAC_PI_2};
use std::mem::offset_of;

use super::vectors::Vectors;
use iced_x86::Register;

/// Files that a program can read by a computed index; an instruction set has at most this many.
pub(super) const TABLES: usize = 4;

/// Arrays of attributes that code loads from, and of results that it stores to; others go through chunks.
pub(super) const ARRAYS: usize = 16;

/// Rows of four units in an array of the caller.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Rows {
    /// The row of the slab's first lane; null if the array is not used.
    pub(super) first: *mut u32,
    /// Bytes from one lane to the next.
    pub(super) stride: u64,
}

impl Rows {
    pub(super) const NONE: Rows = Rows { first: std::ptr::null_mut(), stride: 0 };
}

/// A location in memory: a register and a number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) base: Register,
    pub(super) offset: i32,
}

/// The most groups of lanes of a slab.
pub(super) const GROUPS: usize = SLAB / Vectors::Ymm.lanes();

/// The register that has the address of the context while the code runs.
pub(super) const CONTEXT: Register = Register::RBX;

/// Declares constants: an enumeration, and the array that the context has a copy of: each constant as often as a register
/// of AVX2 has lanes for it. Instructions of AVX-512 copy the first to all lanes by themselves.
macro_rules! constants {
    ($(#[$doc:meta])* $set:ident, $array:ident, $kind:ty, $lanes:expr; $($(#[$of:meta])* $name:ident = $bits:expr),+ $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub(super) enum $set { $($(#[$of])* $name),+ }

        const $array: [[$kind; $lanes]; [$($set::$name),+].len()] = [$([$bits; $lanes]),+];
    };
}

constants! {
    /// Constants of 32 bits.
    Word, WORDS, u32, Vectors::Ymm.lanes();
    Zero = 0,
    One = 1,
    Ones = u32::MAX,
    /// All bits if lanes 4k to 4k + 3 are a quad: the only constant that a run changes.
    Quads = 0,
    Sign = 0x8000_0000,
    Magnitude = 0x7fff_ffff,
    Exponent = 0x7f80_0000,
    Number1 = 0x3f80_0000,
    NumberMinus1 = 0xbf80_0000,
    NumberHalf = 0x3f00_0000,
    Number3Halves = 0x3fc0_0000,
    /// 2^31 and 2^32.
    SignedEnd = 0x4f00_0000,
    UnsignedEnd = 0x4f80_0000,
    SignedMax = 0x7fff_ffff,
    Low16 = 0xffff,
    Number65536 = 0x4780_0000,
    /// 2^-62, the smallest float24, and the pattern before it.
    Smallest24 = 0x2080_0000,
    BelowSmallest24 = 0x207f_ffff,
    /// 2^64, the first power of two above all float24 numbers.
    TooLarge24 = 0x5f80_0000,
    /// The number of patterns from `Smallest24` to `TooLarge24`.
    Range24 = 0x5f80_0000 - 0x2080_0000,
    /// The bits of a binary32 that float24 has.
    Bits24 = 0xffff_ff80,
    /// The distance of neighbouring float24 patterns.
    Step24 = 0x80,
    /// 1 + 2^-18: more than the error of a reciprocal square root after one iteration.
    Above1 = 0x3f80_0020,
    /// 2^-36.
    Tiny = 0x2d80_0000,
    Number3Quarters = 0x3f40_0000,
    /// 2^-126, the smallest number that is not denormal.
    Normal = 0x0080_0000,
    MinusInfinity = 0xff80_0000,
    /// 1.5 * 2^23: adding and subtracting it rounds to an integer.
    Rounder = 0x4b40_0000,
    /// Exponents beyond all of binary32.
    LeastPower = (-127f32).to_bits(),
    MostPower = 128f32.to_bits(),
    /// 2^20, the largest number of which code computes the sine.
    MostOfSine = 0x4980_0000,
    /// 2 / pi, and the three parts of -pi / 2.
    QuartersOfNumber = (FRAC_2_PI as f32).to_bits(),
    Quarter0 = quarter(0),
    Quarter1 = quarter(1),
    Quarter2 = quarter(2),
    Exp1 = (series::exp(1) as f32).to_bits(),
    Exp2 = (series::exp(2) as f32).to_bits(),
    Exp3 = (series::exp(3) as f32).to_bits(),
    Exp4 = (series::exp(4) as f32).to_bits(),
    Exp5 = (series::exp(5) as f32).to_bits(),
    Exp6 = (series::exp(6) as f32).to_bits(),
    Exp7 = (series::exp(7) as f32).to_bits(),
    Log0 = (series::log(0) as f32).to_bits(),
    Log1 = (series::log(1) as f32).to_bits(),
    Log2 = (series::log(2) as f32).to_bits(),
    Log3 = (series::log(3) as f32).to_bits(),
    Log4 = (series::log(4) as f32).to_bits(),
    Sin1 = (series::sin(1) as f32).to_bits(),
    Sin2 = (series::sin(2) as f32).to_bits(),
    Sin3 = (series::sin(3) as f32).to_bits(),
    Sin4 = (series::sin(4) as f32).to_bits(),
    Cos1 = (series::cos(1) as f32).to_bits(),
    Cos2 = (series::cos(2) as f32).to_bits(),
    Cos3 = (series::cos(3) as f32).to_bits(),
    Cos4 = (series::cos(4) as f32).to_bits(),
    Cos5 = (series::cos(5) as f32).to_bits(),
}

constants! {
    /// Constants of 64 bits.
    Long, LONGS, u64, Vectors::Ymm.lanes() / 2;
    Zero = 0,
    OneBit = 1,
    One = 1f64.to_bits(),
    ThreeHalves = 1.5f64.to_bits(),
    Infinity = f64::INFINITY.to_bits(),
    MinusInfinity = f64::NEG_INFINITY.to_bits(),
    Nan = 0x7ff8_0000_0000_0000,
    Significand = 0xf_ffff_ffff_ffff,
    /// 2^52, whose last bit is 1, and with the bias of exponents.
    Two52 = 0x4330_0000_0000_0000,
    Two52AndBias = 0x4330_0000_0000_0000 + 1023,
    /// Exponents beyond all of binary32, which binary64 has.
    LeastScale = (-1000f64).to_bits(),
    MostScale = 1000f64.to_bits(),
    /// Moves a pattern so that one near the middle of two binary32 numbers has no bits of `NearBits32`.
    NearMiddle32 = 0u64.wrapping_sub(0x1000_0000).wrapping_add(256),
    NearBits32 = 0x1fff_fe00,
    /// Moves a pattern so that one near a float24 number has no bits of `NearBits24`.
    NearNumber24 = 256,
    NearBits24 = 0xf_ffff_fe00,
    /// 2^-126 and 2^-151: between them, a binary32 has fewer bits.
    Normal32 = 0x3810_0000_0000_0000,
    Vanishing32 = 0x3680_0000_0000_0000,
    /// 2^-63: below it, a float24 is zero.
    Vanishing24 = 0x3c00_0000_0000_0000,
    Exp0 = 1f64.to_bits(),
    Exp1 = series::exp(1).to_bits(),
    Exp2 = series::exp(2).to_bits(),
    Exp3 = series::exp(3).to_bits(),
    Exp4 = series::exp(4).to_bits(),
    Exp5 = series::exp(5).to_bits(),
    Exp6 = series::exp(6).to_bits(),
    Exp7 = series::exp(7).to_bits(),
    Exp8 = series::exp(8).to_bits(),
    Exp9 = series::exp(9).to_bits(),
    Exp10 = series::exp(10).to_bits(),
    Exp11 = series::exp(11).to_bits(),
    Log0 = series::log(0).to_bits(),
    Log1 = series::log(1).to_bits(),
    Log2 = series::log(2).to_bits(),
    Log3 = series::log(3).to_bits(),
    Log4 = series::log(4).to_bits(),
    Log5 = series::log(5).to_bits(),
    Log6 = series::log(6).to_bits(),
    Log7 = series::log(7).to_bits(),
    Log8 = series::log(8).to_bits(),
    Log9 = series::log(9).to_bits(),
    Log10 = series::log(10).to_bits(),
    Sin1 = series::sin(1).to_bits(),
    Sin2 = series::sin(2).to_bits(),
    Sin3 = series::sin(3).to_bits(),
    Sin4 = series::sin(4).to_bits(),
    Sin5 = series::sin(5).to_bits(),
    Sin6 = series::sin(6).to_bits(),
    Sin7 = series::sin(7).to_bits(),
    Sin8 = series::sin(8).to_bits(),
    Sin9 = series::sin(9).to_bits(),
    Sin10 = series::sin(10).to_bits(),
    /// 1 / pi, -1 / 2, and 1.5 * 2^52: adding and subtracting it rounds to an integer.
    OneByPi = FRAC_1_PI.to_bits(),
    MinusHalf = (-0.5f64).to_bits(),
    Rounder = (1.5 * (1u64 << 52) as f64).to_bits(),
    /// The two parts of -pi / 2: the first is as near to the sum as a binary64 can be.
    MinusHalfPi = (-FRAC_PI_2).to_bits(),
    MinusHalfPiRest = (-6.123_233_995_736_766e-17f64).to_bits(),
}

/// A part of -pi / 2: the first parts are as near to the rest as a binary32 can be.
const fn quarter(part: u32) -> u32 {
    let mut rest = -FRAC_PI_2;
    let mut n = 0;
    while n < part {
        rest -= rest as f32 as f64;
        n += 1;
    }
    (rest as f32).to_bits()
}

/// What the code and its caller share. The code reaches memory only through the pointers of this structure.
#[repr(C, align(64))]
pub(super) struct Context {
    /// Indices of lanes.
    pub(super) scratch: [u32; LANES],
    /// With AVX2: the lanes that run, those in doubt, and the bit of each lane.
    lanes_vector: [u32; Vectors::Ymm.lanes()],
    doubt_vector: [u32; Vectors::Ymm.lanes()],
    lane_bits: [u32; Vectors::Ymm.lanes()],
    words: [[u32; Vectors::Ymm.lanes()]; WORDS.len()],
    longs: [[u64; Vectors::Ymm.lanes() / 2]; LONGS.len()],
    pub(super) chunks: *mut Chunk,
    /// For each block, the lanes that wait for it; all zero before and after a run.
    pub(super) waiting: *mut u16,
    pub(super) tables: [*const u32; TABLES],
    pub(super) inputs: [Rows; ARRAYS],
    pub(super) outputs: [Rows; ARRAYS],
    /// Number of groups whose lanes all exist in the arrays. A group is as many lanes as a register has.
    pub(super) whole: u64,
    /// The group to begin with; after a run the group that was not finished, or the number of groups.
    pub(super) next: u64,
    /// Number of groups.
    pub(super) count: u64,
    /// Instructions that a group may run.
    pub(super) lane_steps: u64,
    /// Instructions that all lanes may still run.
    pub(super) left: u64,
    /// `left` before the current chunk.
    pub(super) left_before: u64,
    /// The lanes of each group.
    pub(super) lanes: [u16; GROUPS],
    /// The lanes of each group that were killed.
    pub(super) killed: [u16; GROUPS],
    /// Not zero for each group that a piece left to the other engine.
    pub(super) left_groups: [u16; GROUPS],
    /// The control register of floating point while the code runs, and before.
    control: u32,
    old_control: u32,
    /// The control register for an instruction of AVX2 that rounds to nearest while the code runs.
    nearest: u32,
}

/// Rounds toward zero; no exception interrupts.
const TOWARD_ZERO: u32 = 0x7f80;
/// Rounds to nearest; no exception interrupts.
const TO_NEAREST: u32 = 0x1f80;

impl Context {
    /// A context whose pointers lead nowhere yet.
    pub(super) fn new() -> Context {
        Context {
            scratch: [0; LANES],
            lanes_vector: [0; Vectors::Ymm.lanes()],
            doubt_vector: [0; Vectors::Ymm.lanes()],
            lane_bits: std::array::from_fn(|lane| 1 << lane),
            words: WORDS,
            longs: LONGS,
            chunks: std::ptr::null_mut(),
            waiting: std::ptr::null_mut(),
            tables: [std::ptr::null(); TABLES],
            inputs: [Rows::NONE; ARRAYS],
            outputs: [Rows::NONE; ARRAYS],
            whole: 0,
            next: 0,
            count: 0,
            lane_steps: 0,
            left: 0,
            left_before: 0,
            lanes: [0; GROUPS],
            killed: [0; GROUPS],
            left_groups: [0; GROUPS],
            control: TOWARD_ZERO,
            old_control: 0,
            nearest: TO_NEAREST,
        }
    }

    /// Sets the lanes of the first groups.
    pub(super) fn set_lanes(&mut self, lanes: Lanes, groups: usize, vectors: Vectors) {
        for (group, set) in self.lanes.iter_mut().enumerate().take(groups) {
            *set = (lanes >> (group * vectors.lanes())) as u16 & vectors.all();
        }
    }

    /// Uses the memory of a run.
    pub(super) fn set_memory(&mut self, memory: &mut Memory) {
        for (to, table) in self.tables.iter_mut().zip(memory.tables()) {
            *to = table.as_ptr();
        }
        self.chunks = memory.chunks.as_mut_ptr();
    }

    /// Sets whether lanes 4k to 4k + 3 are a quad.
    pub(super) fn set_quads(&mut self, quads: bool) {
        self.words[Word::Quads as usize].fill(if quads { u32::MAX } else { 0 });
    }
}

// SAFETY: the pointers of a context are set when a run begins and not used after it has ended.
#[allow(unsafe_code)]
unsafe impl Send for Context {}

/// A field of the context.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    Scratch,
    LanesVector,
    DoubtVector,
    LaneBits,
    Chunks,
    Waiting,
    Table(usize),
    Input(usize),
    InputStride(usize),
    Output(usize),
    OutputStride(usize),
    Whole,
    Next,
    Count,
    LaneSteps,
    Left,
    LeftBefore,
    Lanes,
    Killed,
    LeftGroups,
    Control,
    OldControl,
    Nearest,
    Word(Word),
    Long(Long),
}

impl Field {
    /// The distance from the context's address.
    pub(super) fn offset(self) -> i32 {
        self.bytes() as i32
    }

    fn bytes(self) -> usize {
        match self {
            Field::Scratch => offset_of!(Context, scratch),
            Field::LanesVector => offset_of!(Context, lanes_vector),
            Field::DoubtVector => offset_of!(Context, doubt_vector),
            Field::LaneBits => offset_of!(Context, lane_bits),
            Field::Chunks => offset_of!(Context, chunks),
            Field::Waiting => offset_of!(Context, waiting),
            Field::Table(n) => offset_of!(Context, tables) + n * size_of::<*const u32>(),
            Field::Input(n) => offset_of!(Context, inputs) + n * size_of::<Rows>(),
            Field::InputStride(n) => Field::Input(n).bytes() + offset_of!(Rows, stride),
            Field::Output(n) => offset_of!(Context, outputs) + n * size_of::<Rows>(),
            Field::OutputStride(n) => Field::Output(n).bytes() + offset_of!(Rows, stride),
            Field::Whole => offset_of!(Context, whole),
            Field::Next => offset_of!(Context, next),
            Field::Count => offset_of!(Context, count),
            Field::LaneSteps => offset_of!(Context, lane_steps),
            Field::Left => offset_of!(Context, left),
            Field::LeftBefore => offset_of!(Context, left_before),
            Field::Lanes => offset_of!(Context, lanes),
            Field::Killed => offset_of!(Context, killed),
            Field::LeftGroups => offset_of!(Context, left_groups),
            Field::Control => offset_of!(Context, control),
            Field::OldControl => offset_of!(Context, old_control),
            Field::Nearest => offset_of!(Context, nearest),
            Field::Word(n) => offset_of!(Context, words) + n as usize * size_of_val(&WORDS[0]),
            Field::Long(n) => offset_of!(Context, longs) + n as usize * size_of_val(&LONGS[0]),
        }
    }

    /// Where the field is while the code runs.
    pub(super) fn address(self) -> Address {
        Address { base: CONTEXT, offset: self.offset() }
    }
}
