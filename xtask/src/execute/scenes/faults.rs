//! Faults in the states of the rasteriser, which the comparison must notice.

use super::state::State;
use shisa::data::pictures::Cull;
use shisa::eval::Compare;
use shisa::eval::draw::{Blend, Combination, DepthTest, Equation};

/// A fault: its name, and the state of a scene with it.
pub(super) type Fault = (&'static str, fn(State) -> State);

/// All faults. A state that a fault leaves as it is does not have it.
pub(super) const FAULTS: [Fault; 8] = [
    ("ties of depths", |state| with_comparison(state, exchanged_ties)),
    ("order of depths", |state| with_comparison(state, exchanged_order)),
    ("stored depths", |state| State {
        depth: state.depth.map(|test| DepthTest { writes: !test.writes, ..test }),
        ..state
    }),
    ("factors", |state| {
        with_equations(state, |own| Equation { source: own.destination, destination: own.source, ..own })
    }),
    ("combinations", |state| {
        with_equations(state, |own| Equation { combination: exchanged(own.combination), ..own })
    }),
    ("factors of alpha", |state| State {
        blend: state.blend.map(|blend| Blend { alpha: blend.color, ..blend }),
        ..state
    }),
    ("constant colour", |state| {
        let [r, g, b, a] = state.constant;
        State { constant: [g, b, a, r], ..state }
    }),
    ("winding", |state| State {
        cull: match state.cull {
            Cull::Nothing => Cull::Nothing,
            Cull::Counterclockwise => Cull::Clockwise,
            Cull::Clockwise => Cull::Counterclockwise,
        },
        ..state
    }),
];

fn with_comparison(state: State, change: fn(Compare) -> Compare) -> State {
    State { depth: state.depth.map(|test| DepthTest { compare: change(test.compare), ..test }), ..state }
}

fn with_equations(state: State, change: fn(Equation) -> Equation) -> State {
    State {
        blend: state.blend.map(|blend| Blend { color: change(blend.color), alpha: change(blend.alpha) }),
        ..state
    }
}

/// The comparison whose result differs for equal depths only.
fn exchanged_ties(compare: Compare) -> Compare {
    match compare {
        Compare::Less => Compare::LessEqual,
        Compare::LessEqual => Compare::Less,
        Compare::Greater => Compare::GreaterEqual,
        Compare::GreaterEqual => Compare::Greater,
        Compare::Equal => Compare::Never,
        Compare::NotEqual => Compare::Always,
        Compare::Always => Compare::NotEqual,
        Compare::Never => Compare::Equal,
    }
}

/// The comparison of exchanged depths; the opposite one if it is the same.
fn exchanged_order(compare: Compare) -> Compare {
    match compare {
        Compare::Less => Compare::Greater,
        Compare::LessEqual => Compare::GreaterEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterEqual => Compare::LessEqual,
        Compare::Equal => Compare::NotEqual,
        Compare::NotEqual => Compare::Equal,
        Compare::Always => Compare::Never,
        Compare::Never => Compare::Always,
    }
}

fn exchanged(combination: Combination) -> Combination {
    match combination {
        Combination::Add => Combination::Subtract,
        Combination::Subtract => Combination::ReverseSubtract,
        Combination::ReverseSubtract => Combination::Add,
        Combination::Min => Combination::Max,
        Combination::Max => Combination::Min,
    }
}
