//! What a step changes besides the registers of its wave.

use crate::barriers::{Arrived, Reduced};
use crate::environment::{Access, Environment, Sample};
use crate::observer::{Observer, Touch};
use crate::position::Position;
use crate::wave::Plane;
use shisa_ir::{Emission, Lanes, Reg, Space, WAVE};
use std::marker::PhantomData;

/// The environment, the observer, and the marks of lanes that the operations of a step read and change.
///
/// Environment and observer are trait objects, so that the operations are compiled once and not for each pair of them:
/// an operation runs for 32 lanes, so that the indirect call costs little.
pub(crate) struct Surroundings<'s> {
    pub(crate) environment: &'s mut dyn Environment,
    /// `None` if nobody observes the run.
    pub(crate) observer: Option<&'s mut dyn Effects>,
    /// Lanes whose outputs are discarded.
    pub(crate) killed: &'s mut Lanes,
    /// For each lane, the settings of the next emitted vertex.
    pub(crate) emission: &'s mut [Emission; WAVE],
    /// The result of the latest reduction at a barrier.
    pub(crate) reduced: &'s mut Reduced,
    /// The barrier that the wave arrived at in this step.
    pub(crate) arrived: Option<Arrived>,
}

/// The calls of an [`Observer`] about the operations of a step; they do not depend on the sequencer.
pub(crate) trait Effects {
    /// As [`Observer::write`].
    fn write(&mut self, reg: Reg, lanes: Lanes, old: &Plane, new: &Plane);

    /// As [`Observer::access`].
    fn access(&mut self, touch: Touch, access: &Access<'_>, count: usize);

    /// As [`Observer::texel`].
    fn texel(&mut self, store: &Sample<'_>);

    /// As [`Observer::store`].
    fn store(&mut self, space: Space, lane: usize, address: u64, old: &[u8], new: &[u8]);
}

/// The calls of an [`Observer`] about a step: what [`crate::Machine::step`] runs is compiled once for each sequencer, and
/// not for each observer and environment.
pub(crate) trait Events<T>: Effects {
    /// As [`Observer::step`].
    fn step(&mut self, index: usize, active: Lanes, before: &Position<T>);

    /// As [`Observer::arrive`].
    fn arrive(&mut self, arrived: &Arrived, at: &Position<T>);
}

/// Passes the events of a step to an observer of a sequencer with state `T`.
pub(crate) struct Reporter<'o, T, O> {
    observer: &'o mut O,
    state: PhantomData<fn(&T)>,
}

impl<'o, T, O: Observer<T>> Reporter<'o, T, O> {
    pub(crate) fn new(observer: &'o mut O) -> Self {
        Reporter { observer, state: PhantomData }
    }

    /// The receiver of events; `None` if the observer uses no call.
    pub(crate) fn events(&mut self) -> Option<&mut dyn Events<T>> {
        if O::ACTIVE { Some(self) } else { None }
    }
}

impl<T, O: Observer<T>> Events<T> for Reporter<'_, T, O> {
    fn step(&mut self, index: usize, active: Lanes, before: &Position<T>) {
        self.observer.step(index, active, before);
    }

    fn arrive(&mut self, arrived: &Arrived, at: &Position<T>) {
        self.observer.arrive(arrived, at);
    }
}

impl<T, O: Observer<T>> Effects for Reporter<'_, T, O> {
    fn write(&mut self, reg: Reg, lanes: Lanes, old: &Plane, new: &Plane) {
        self.observer.write(reg, lanes, old, new);
    }

    fn access(&mut self, touch: Touch, access: &Access<'_>, count: usize) {
        self.observer.access(touch, access, count);
    }

    fn texel(&mut self, store: &Sample<'_>) {
        self.observer.texel(store);
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, old: &[u8], new: &[u8]) {
        self.observer.store(space, lane, address, old, new);
    }
}
