//! What is known of registers at a point of a geometry program.

use super::STREAM;
use crate::guard::When;
use crate::operand::RZ;
use crate::{REGISTERS, Set};
use alloc::boxed::Box;

/// What is known of the content of one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    /// Whether it is the state of emission.
    pub(super) state: bool,
    /// Whether it is 0.
    pub(super) zero: bool,
    /// The number of the stream that it names, if it is known.
    pub(super) stream: Option<u64>,
}

impl Held {
    pub(super) const UNKNOWN: Held = Held { state: false, zero: false, stream: None };

    pub(super) fn number(number: u64) -> Held {
        Held { state: false, zero: number == 0, stream: Some(number & STREAM) }
    }

    /// What is known if it is one of two.
    pub(super) fn or(self, other: Held) -> Held {
        Held {
            state: self.state && other.state,
            zero: self.zero && other.zero,
            stream: self.stream.filter(|_| self.stream == other.stream),
        }
    }
}

/// What is known of all registers on one path, or on all paths of some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facts {
    /// Whether no vertex was emitted and no strip ended, so that the state is 0.
    initial: bool,
    states: Set,
    zeros: Set,
    /// The registers that name a known stream, and those of them with each bit of its number set.
    named: Set,
    bits: [Set; 2],
}

impl Facts {
    /// How often facts can be reduced at most.
    pub(super) const HEIGHT: u64 = 1 + 3 * 256;

    /// What is known where a program begins.
    pub(super) fn initial() -> Facts {
        let none = Set::default();
        Facts { initial: true, states: none, zeros: none, named: none, bits: [none; 2] }
    }

    /// What is known of a register.
    pub(super) fn get(&self, register: u64) -> Held {
        if register == RZ {
            return Held { state: self.initial, ..Held::number(0) };
        }
        let zero = self.zeros.has(register);
        let [low, high] = self.bits.map(|bits| u64::from(bits.has(register)));
        Held {
            state: self.states.has(register) || self.initial && zero,
            zero,
            stream: self.named.has(register).then_some(low | high << 1),
        }
    }

    /// Forgets what registers hold.
    pub(super) fn forget(&mut self, written: &Set) {
        let [low, high] = &mut self.bits;
        for set in [&mut self.states, &mut self.zeros, &mut self.named, low, high] {
            *set = set.without(written);
        }
    }

    /// Adds what is known of a register that nothing is known of.
    pub(super) fn add(&mut self, register: u64, held: Held) {
        let stream = held.stream.unwrap_or(0);
        let [low, high] = &mut self.bits;
        let sets = [
            (&mut self.states, held.state),
            (&mut self.zeros, held.zero),
            (&mut self.named, held.stream.is_some()),
            (low, stream & 1 != 0),
            (high, stream & 2 != 0),
        ];
        for (set, _) in sets.into_iter().filter(|(_, has)| *has) {
            set.insert(REGISTERS, register as usize, 1);
        }
    }

    /// Only one register holds the new state.
    pub(super) fn emit(&mut self, next: u64) {
        self.initial = false;
        self.states = Set::default();
        if next != RZ {
            self.add(next, Held { state: true, ..Held::UNKNOWN });
        }
    }

    /// What is known if either holds.
    fn or(&self, other: &Facts) -> Facts {
        let initial = self.initial && other.initial;
        let states = |facts: &Facts| match facts.initial && !initial {
            true => facts.states.or(&facts.zeros),
            false => facts.states,
        };
        let [low, high] = [0, 1].map(|n| self.bits[n].and(&other.bits[n]));
        let differ =
            [0, 1].map(|n| self.bits[n].without(&other.bits[n]).or(&other.bits[n].without(&self.bits[n])));
        let named = self.named.and(&other.named).without(&differ[0]).without(&differ[1]);
        Facts {
            initial,
            states: states(self).and(&states(other)),
            zeros: self.zeros.and(&other.zeros),
            named,
            bits: [low.and(&named), high.and(&named)],
        }
    }
}

/// Facts that may depend on one predicate: several instructions with the same guard belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cases {
    /// The facts; if there are others, those where the predicate holds.
    facts: Facts,
    /// A predicate, and the facts where it does not hold.
    otherwise: Option<Box<(u16, Facts)>>,
}

impl Cases {
    /// Facts that depend on nothing.
    pub(super) fn all(facts: Facts) -> Cases {
        Cases { facts, otherwise: None }
    }

    fn by(predicate: u16, [no, yes]: [Facts; 2]) -> Cases {
        let otherwise = (no != yes).then(|| Box::new((predicate, no)));
        Cases { facts: yes, otherwise }
    }

    fn predicate(&self) -> Option<u16> {
        self.otherwise.as_ref().map(|other| other.0)
    }

    /// The facts that hold in all cases.
    fn merged(&self) -> Facts {
        self.otherwise.as_ref().map_or(self.facts, |other| self.facts.or(&other.1))
    }

    /// The facts where a predicate does not hold, and where it does.
    fn of(&self, predicate: u16) -> [Facts; 2] {
        match &self.otherwise {
            Some(other) if other.0 == predicate => [other.1, self.facts],
            _ => [self.merged(); 2],
        }
    }

    /// The facts where an instruction with a guard runs.
    pub(super) fn where_run(&self, when: When) -> Facts {
        match when {
            When::If(predicate, value) => self.of(predicate)[usize::from(value)],
            When::Always | When::Never => self.merged(),
        }
    }

    /// The facts after an instruction that changes facts where it runs, and writes registers.
    pub(super) fn after(&self, when: When, writes: &Set, change: impl Fn(&mut Facts)) -> Cases {
        let mut after = match (when, self.predicate()) {
            (When::Never, _) => return self.clone(),
            (When::If(predicate, value), _) => {
                let mut both = self.of(predicate);
                change(&mut both[usize::from(value)]);
                Cases::by(predicate, both)
            }
            (When::Always, Some(predicate)) => {
                let mut both = self.of(predicate);
                both.iter_mut().for_each(change);
                Cases::by(predicate, both)
            }
            (When::Always, None) => {
                let mut facts = self.facts;
                change(&mut facts);
                Cases::all(facts)
            }
        };
        if after.predicate().is_some_and(|predicate| writes.has_predicate(predicate)) {
            after = Cases::all(after.merged());
        }
        after
    }

    /// The facts on either of two paths.
    pub(super) fn or(&self, other: &Cases) -> Cases {
        match (self.predicate(), other.predicate()) {
            (None, None) => Cases::all(self.facts.or(&other.facts)),
            (Some(a), Some(b)) if a != b => Cases::all(self.merged().or(&other.merged())),
            (Some(predicate), _) | (None, Some(predicate)) => {
                let (a, b) = (self.of(predicate), other.of(predicate));
                Cases::by(predicate, [a[0].or(&b[0]), a[1].or(&b[1])])
            }
        }
    }
}
