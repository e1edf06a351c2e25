//! The numbers of cycles that are enough.
//!
//! The bounds are measured: `cargo xtask latencies FILE…` follows every dependence in the output of compilers that no
//! barrier protects, and records the smallest number of cycles between both instructions. A number that compilers
//! rely on is enough; a smaller one may be, too. Overwriting a result of fixed latency is left out: such results are
//! written in order, and before those of variable latency, however close the instructions are.

use super::{Dependence, Kind};
use crate::class::Class;
use crate::code::Graph;

/// The kind of register that carries a dependence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    /// A general register.
    General,
    /// A predicate.
    Predicate,
    /// The condition codes.
    Codes,
}

impl Carrier {
    /// The carrier of a dependence; of several the first, which takes longest.
    fn of(dependence: &Dependence) -> Carrier {
        match () {
            () if dependence.registers.has_predicates() => Carrier::Predicate,
            () if dependence.registers.has_codes() => Carrier::Codes,
            () => Carrier::General,
        }
    }
}

/// The relation of the second instruction to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Second {
    /// Arithmetic of fixed latency, which reads its sources at once.
    Fixed,
    /// Control flow.
    Flow,
    /// Another class, which reads its sources later.
    Slow,
    /// The same class of variable latency, which finishes in order.
    Same,
}

impl Second {
    fn of(first: Class, second: Class) -> Second {
        match second {
            Class::Arithmetic => Second::Fixed,
            Class::Flow => Second::Flow,
            other if other == first => Second::Same,
            _ => Second::Slow,
        }
    }
}

/// The dependences that a bound is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The effect of the second instruction.
    pub kind: Kind,
    /// What carries it.
    pub carrier: Carrier,
    /// The class of the first instruction.
    pub first: Class,
    /// The kind of the second instruction.
    pub second: Second,
}

impl Pair {
    /// The pair of a dependence; `None` if one of its instructions does not exist.
    pub fn of(graph: &Graph, dependence: &Dependence) -> Option<Pair> {
        let first = graph.class(dependence.first)?;
        let second = graph.class(dependence.second)?;
        Some(Pair {
            kind: dependence.kind,
            carrier: Carrier::of(dependence),
            first,
            second: Second::of(first, second),
        })
    }
}

/// The smallest number of cycles seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The pair.
    pub pair: Pair,
    /// The cycles.
    pub cycles: u32,
    /// How often the pair was seen.
    pub seen: u32,
}

/// The bound of a pair, if it was seen. Late readers and writers may overwrite a source as soon as early ones may,
/// and all classes of variable latency write their results in order.
pub fn bound(pair: Pair) -> Option<Bound> {
    let of = |fits: &dyn Fn(&Pair) -> bool| BOUNDS.iter().find(|b| fits(&b.pair)).copied();
    let other = || match (pair.kind, pair.second) {
        (Kind::Source, Second::Slow) => of(&|p| *p == Pair { second: Second::Fixed, ..pair }),
        (Kind::Overwrite, Second::Same) => of(&|p| *p == Pair { first: p.first, ..pair }),
        _ => None,
    };
    of(&|p| *p == pair).or_else(other)
}

const fn seen(kind: Kind, carrier: Carrier, first: Class, second: Second, cycles: u32, seen: u32) -> Bound {
    Bound { pair: Pair { kind, carrier, first, second }, cycles, seen }
}

use Carrier::{Codes, General, Predicate};
use Class::{Arithmetic, Memory, Shared, Special};
use Kind::{Overwrite, Read, Source};
use Second::{Fixed, Flow, Same, Slow};

/// Measured in the output of ptxas 12.9 (sm_50, sm_52 and sm_53, without and with optimisation) and uam 1.1 for
/// kernels and shaders written for this project: 121,020 instructions.
#[rustfmt::skip]
pub const BOUNDS: &[Bound] = &[
    seen(Read, General, Arithmetic, Fixed, 6, 47117),
    seen(Read, General, Arithmetic, Slow, 2, 25394),
    seen(Read, Predicate, Arithmetic, Fixed, 13, 2483),
    seen(Read, Predicate, Arithmetic, Flow, 13, 1108),
    seen(Read, Predicate, Arithmetic, Slow, 13, 211),
    seen(Read, Codes, Arithmetic, Fixed, 6, 6616),
    seen(Read, Codes, Arithmetic, Flow, 13, 40),
    seen(Overwrite, General, Memory, Same, 4, 2),
    seen(Source, General, Special, Same, 2, 2),
    seen(Source, General, Memory, Same, 2, 140),
    seen(Source, General, Shared, Fixed, 22, 2),
    seen(Source, General, Shared, Same, 2, 39),
];
