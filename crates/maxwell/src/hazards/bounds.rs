//! How close compilers put dependent instructions.
//!
//! Nobody publishes how many cycles are enough. The numbers here are measured: `cargo xtask latencies FILE…` follows
//! every dependence in the output of compilers that no barrier protects, and records the smallest number of cycles
//! between both instructions. A number that compilers rely on is enough; a smaller one may be, too. How soon an
//! instruction may read a general register depends on when its unit reads its sources, so that bound is a fact of its
//! row ([`crate::Attr::reads`]).
//!
//! No time ever protects a result of variable latency or its sources. Only order does: a class that finishes its
//! instructions in order may overwrite what an earlier one of them writes or reads.

use super::wait::drain;
use super::{Dependence, Kind};
use crate::Distance;
use crate::class::Class;
use crate::code::Graph;

/// Cycles after which every result of fixed latency is available, whatever reads it. A schedule leaves so many for
/// readers of which too few pairs were seen.
pub const SURE: u32 = 15;

/// The cycles below which the check doubts a reader of a general register of which too few pairs were seen: the largest
/// that most rows with enough pairs need.
const GENERAL: u32 = 6;
/// The same for the condition codes.
const CODES: u32 = 13;
/// A predicate, read as an operand or a guard: the smallest number of every instruction that was seen to read one.
const PREDICATE: Distance = Distance::new(13, 2_295_852);

/// The classes whose instructions write their results in order, with the number of pairs seen.
const WRITES_IN_ORDER: &[(Class, u32)] =
    &[(Class::Memory, 3_925), (Class::Shared, 581), (Class::Double, 282)];
/// The classes whose instructions read their sources in order, with the number of pairs seen.
const READS_IN_ORDER: &[(Class, u32)] =
    &[(Class::Memory, 12_006), (Class::Shared, 64_756), (Class::Special, 2_307), (Class::Double, 489)];

/// One class for all classes of a unit. Global memory and textures share one: cuBLAS waits with one count
/// for loads of both.
pub(super) const fn unit(class: Class) -> Class {
    match class {
        Class::Texture => Class::Memory,
        class => class,
    }
}

/// The classes of a later and of an earlier instruction whose result the barrier of the later one signals, too, with the
/// number of results for which compilers rely on it in 2,156,832 instructions. Of other classes they never did: each
/// `ALD`, `OUT` and `TEX` whose result is used raises a barrier of its own.
const SIGNALS: &[(Class, Class, u32)] = &[
    (Class::Memory, Class::Memory, 6_004),
    (Class::Memory, Class::Texture, 446),
    (Class::Shared, Class::Shared, 51_881),
    (Class::Special, Class::Special, 6_119),
    (Class::Double, Class::Double, 257),
];

/// Whether the barrier of a later instruction signals an earlier one of the same unit, too. Before accesses to textures,
/// compilers rely on it for accesses to memory in 39 pairs of CUDA 10 only, which the check permits and a schedule does
/// not rely on.
pub(super) fn signals(later: Option<Class>, earlier: Option<Class>) -> bool {
    SIGNALS.iter().any(|(by, of, _)| (later, earlier) == (Some(*by), Some(*of)))
}

/// The classes whose instructions overwrite results, each with the class of the earlier instruction, in too few pairs to
/// rely on it. cuDNN 8.5 fetches texels over what it has loaded from local memory.
const SELDOM_IN_ORDER: &[(Class, Class, u32)] =
    &[(Class::Special, Class::Special, 56), (Class::Texture, Class::Memory, 16)];

/// Whether compilers leave out the wait that a dependence needs, but in too few pairs to rely on it: an instruction
/// overwrites a source of one of another class that shares its unit, or of one that waits at a barrier of the workgroup,
/// or a result as in [`SELDOM_IN_ORDER`].
pub(super) fn is_doubtful(graph: &Graph, dependence: &Dependence) -> bool {
    let [first, second] = [dependence.first, dependence.second].map(|i| graph.class(i));
    match dependence.kind {
        Kind::Read => false,
        Kind::Overwrite => SELDOM_IN_ORDER
            .iter()
            .any(|(later, earlier, _)| (Some(*earlier), Some(*later)) == (first, second)),
        Kind::Source => {
            // What waits until others have read their sources has read its own: seen in 8 pairs.
            let waits = graph.insn(dependence.first).is_some_and(|insn| drain(insn).sources.is_some());
            waits || first != second && first.map(unit) == second.map(unit)
        }
    }
}

/// The cycles that a result of fixed latency needs before an instruction reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// The cycles that a schedule leaves: as many as compilers do, and [`SURE`] where too few pairs were seen.
    pub enough: u32,
    /// The cycles that the largest of all readers with tight pairs needs. Compilers leave some readers more out of
    /// habit, which is no fault.
    pub largest: u32,
    /// The smallest distance seen in the output of compilers, if any was.
    pub seen: Option<Distance>,
}

/// The cycles that a dependence on a result of fixed latency needs.
pub fn needed(graph: &Graph, dependence: &Dependence) -> Needed {
    let registers = &dependence.registers;
    let attr = graph.insn(dependence.second).map(|insn| insn.form().attr);
    let carriers = [
        (registers.has_predicates(), Some(PREDICATE), PREDICATE.cycles),
        (registers.has_codes(), attr.and_then(|attr| attr.reads_codes), CODES),
        (!registers.general().is_empty(), attr.and_then(|attr| attr.reads), GENERAL),
    ];
    // Of several carriers, the one that takes longest.
    let mut all = Needed { enough: 0, largest: 0, seen: None };
    for (_, seen, largest) in carriers.into_iter().filter(|(is_carrier, ..)| *is_carrier) {
        let enough = seen.and_then(Distance::trusted).map_or(SURE, |d| d.cycles);
        all.enough = all.enough.max(enough);
        if largest > all.largest {
            (all.largest, all.seen) = (largest, seen);
        }
    }
    all
}

/// Whether the second instruction of a dependence issues sooner than a schedule lets it.
pub(super) fn is_open(graph: &Graph, dependence: &Dependence) -> bool {
    let Some(first) = graph.insn(dependence.first) else { return false };
    if !first.form().attr.is_variable(&first.word) {
        // Results of fixed latency are written in order, and before those of variable latency.
        return dependence.kind == Kind::Read && dependence.cycles < needed(graph, dependence).enough;
    }
    !is_ordered(dependence.kind, graph.class(dependence.first), graph.class(dependence.second))
}

/// Whether the second instruction of a dependence issues so soon that the check reports it.
pub(super) fn is_fault(graph: &Graph, dependence: &Dependence) -> bool {
    let variable = graph.insn(dependence.first).is_some_and(|insn| insn.form().attr.is_variable(&insn.word));
    is_open(graph, dependence) && (variable || dependence.cycles < needed(graph, dependence).largest)
}

/// Whether the order in which a unit works protects a dependence between instructions of these classes.
pub(super) fn is_ordered(kind: Kind, first: Option<Class>, second: Option<Class>) -> bool {
    let classes: &[(Class, u32)] = match kind {
        Kind::Read => &[],
        Kind::Overwrite => WRITES_IN_ORDER,
        Kind::Source => READS_IN_ORDER,
    };
    first == second && classes.iter().any(|(class, _)| Some(*class) == first.map(unit))
}
