//! A loop over the lanes of planes, and macros that build one from a function of 32-bit words.

use crate::wave::Plane;
use core::fmt;
use shisa_ir::{FloatRule, Round, WAVE};

/// A loop over planes of 32-bit words: `dst = f(a, b, c)` in every lane.
#[derive(Clone, Copy)]
pub(crate) struct Loop {
    pub(super) name: &'static str,
    /// Number of operands that it reads; the others are ignored.
    pub(super) operands: u8,
    /// Parameters that are the same for all lanes, such as a shift amount.
    pub(super) numbers: [u8; 2],
    pub(super) run: fn(&mut Plane, [&Plane; 3], [u8; 2]),
}

impl Loop {
    /// Number of the three operands that it reads.
    pub(crate) fn operands(self) -> usize {
        self.operands.into()
    }

    /// Computes all lanes.
    #[inline(always)]
    pub(crate) fn run(self, dst: &mut Plane, operands: [&Plane; 3]) {
        (self.run)(dst, operands, self.numbers);
    }
}

impl fmt::Debug for Loop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.name, self.numbers)
    }
}

/// Whether the rule rounds to nearest and preserves denormals; the planner makes saturation an operation of its own.
pub(super) fn ieee(rule: FloatRule) -> bool {
    rule.round == Round::Nearest && !rule.flush && !rule.saturate
}

/// The loop of a function of one 32-bit word. The function may depend on two parameters, which the caller's pattern
/// names.
macro_rules! one {
    ($name:expr, $f:expr) => {
        one!($name, [0, 0], |_| $f)
    };
    ($name:expr, $numbers:expr, |$bound:pat_param| $f:expr) => {
        Loop {
            name: $name,
            operands: 1,
            numbers: $numbers,
            run: |dst, [a, ..], $bound| $crate::loops::lanes::map1(dst, a, $f),
        }
    };
}

/// The loop of a function of two 32-bit words.
macro_rules! two {
    ($name:expr, $f:expr) => {
        two!($name, [0, 0], |_| $f)
    };
    ($name:expr, $numbers:expr, |$bound:pat_param| $f:expr) => {
        Loop {
            name: $name,
            operands: 2,
            numbers: $numbers,
            run: |dst, [a, b, _], $bound| $crate::loops::lanes::map2(dst, a, b, $f),
        }
    };
}

/// The loop of a function of three 32-bit words.
macro_rules! three {
    ($name:expr, $f:expr) => {
        Loop {
            name: $name,
            operands: 3,
            numbers: [0, 0],
            run: |dst, operands, _| $crate::loops::lanes::map3(dst, operands, $f),
        }
    };
}
pub(super) use {one, three, two};

#[inline(always)]
pub(super) fn map1(dst: &mut Plane, a: &Plane, f: impl Fn(u32) -> u32) {
    for l in 0..WAVE {
        dst.0[l] = f(a.0[l]);
    }
}

#[inline(always)]
pub(super) fn map2(dst: &mut Plane, a: &Plane, b: &Plane, f: impl Fn(u32, u32) -> u32) {
    for l in 0..WAVE {
        dst.0[l] = f(a.0[l], b.0[l]);
    }
}

#[inline(always)]
pub(super) fn map3(dst: &mut Plane, [a, b, c]: [&Plane; 3], f: impl Fn(u32, u32, u32) -> u32) {
    for l in 0..WAVE {
        dst.0[l] = f(a.0[l], b.0[l], c.0[l]);
    }
}
