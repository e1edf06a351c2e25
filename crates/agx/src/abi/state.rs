//! What is known at a place of a part, whichever way led there.

use super::bits::Registers;
use super::code::{Code, Step};
use alloc::{vec, vec::Vec};

/// How deep lanes may be held back: the bounds of what `pop_exec` may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    /// `r0l` is no counter.
    Unset,
    /// Lanes may be held back by so many.
    Depth { least: u16, most: u16 },
}

/// The counter when no lane is held back.
pub(super) const CLEAR: Counter = Counter::Depth { least: 0, most: 0 };

/// What is known at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Registers that some way has written.
    pub(super) written: Registers,
    /// The nesting counter.
    pub(super) counter: Counter,
    /// Registers that loads of each group may still write.
    pub(super) pending: [Registers; 2],
    /// Whether a way has written its last varying, and whether one has not.
    pub(super) last: [bool; 2],
}

impl State {
    /// At the start of a part.
    pub(super) const fn start(counter: Counter) -> State {
        State { written: Registers::EMPTY, counter, pending: [Registers::EMPTY; 2], last: [false, true] }
    }

    /// What is known where two ways meet.
    fn join(&self, other: &State) -> State {
        State {
            written: self.written.or(other.written),
            counter: match (self.counter, other.counter) {
                (Counter::Depth { least: a, most: b }, Counter::Depth { least: c, most: d }) => {
                    Counter::Depth { least: a.min(c), most: b.max(d) }
                }
                _ => Counter::Unset,
            },
            pending: core::array::from_fn(|i| self.pending[i].or(other.pending[i])),
            last: core::array::from_fn(|i| self.last[i] || other.last[i]),
        }
    }

    /// What is known behind an instruction.
    fn behind(mut self, step: &Step) -> State {
        self.written = self.written.or(step.writes);
        self.pending = self.pending.map(|p| p.without(step.writes));
        if let Some(group) = group(step) {
            self.pending[group] = self.pending[group].or(step.writes);
        }
        match step.name() {
            "wait" => self.pending[step.bits(&[(8, 1)]) as usize] = Registers::EMPTY,
            "st_var" if step.bits(&[(7, 1)]) != 0 => self.last = [true, false],
            "no_var" => self.last = [true, false],
            _ => {}
        }
        self.counter = counter(self.counter, step);
        self
    }
}

/// The group that waits for what a load writes.
fn group(step: &Step) -> Option<usize> {
    let at = match step.name() {
        "load" | "atomic" | "stack_load" => 30,
        "smpf" | "smpi" => 63,
        _ => return None,
    };
    Some(step.bits(&[(at, 1)]) as usize)
}

/// How many levels an instruction of control flow names.
pub(super) fn levels(step: &Step) -> u16 {
    step.bits(&[(11, 2)]) as u16
}

/// The constant that an instruction writes to `r0l`, if it is one that only does that.
pub(super) fn constant(step: &Step) -> Option<u16> {
    let alone = step.writes == Registers::range(0, 1);
    (alone && step.name() == "ldimm").then(|| step.bits(&[(16, 16)]) as u16)
}

/// How many levels lanes leave where an instruction writes so to `r0l`, all of them or those that a condition chooses.
pub(super) fn levels_left(step: &Step) -> Option<u16> {
    constant(step).or_else(|| {
        let half = step.writes == Registers::range(0, 1);
        let [x, y] = [(40, 70), (52, 68)].map(|(low, high)| {
            let (number, kind) = (step.bits(&[(low, 6), (high, 2)]), step.bits(&[(low + 6, 3)]));
            (number as u16, kind)
        });
        let is_number = |(_, kind): (u16, u32)| kind == 4;
        let is_counter = |(number, kind): (u16, u32)| number == 0 && kind < 4;
        match step.name() {
            "csel" if half && is_number(x) && is_counter(y) => Some(x.0),
            "csel" if half && is_counter(x) && is_number(y) => Some(y.0),
            _ => None,
        }
    })
}

fn counter(counter: Counter, step: &Step) -> Counter {
    let Counter::Depth { least, most } = counter else {
        return if constant(step) == Some(0) { CLEAR } else { Counter::Unset };
    };
    let n = levels(step);
    match step.name() {
        "if" => Counter::Depth { least: least.saturating_add(n), most: most.saturating_add(n.max(1)) },
        "while" => Counter::Depth { least, most: most.max(n) },
        "pop_exec" => Counter::Depth { least: least.saturating_sub(n), most: most.saturating_sub(n) },
        // Lanes leave so many levels.
        _ if step.writes.contains(0) => match levels_left(step) {
            Some(n) => Counter::Depth { least, most: most.max(n) },
            None => Counter::Unset,
        },
        _ => counter,
    }
}

/// How often the counter may change at a place before it is taken to grow without end.
const PATIENCE: u8 = 12;

/// What is known before each instruction, and at the end; `None` where no way leads.
pub(super) fn solve(code: &Code, start: State) -> Vec<Option<State>> {
    let mut states: Vec<Option<State>> = vec![None; code.steps.len() + 1];
    let mut visits = vec![0u8; code.steps.len() + 1];
    states[0] = Some(start);
    let mut work = vec![0];
    while let Some(i) = work.pop() {
        let (Some(state), Some(step)) = (states[i], code.steps.get(i)) else { continue };
        let behind = state.behind(step);
        for to in code.next(i) {
            let mut joined = states[to].map_or(behind, |old| old.join(&behind));
            if states[to] == Some(joined) {
                continue;
            }
            let grows = states[to].is_some_and(|old| old.counter != joined.counter);
            visits[to] = visits[to].saturating_add(u8::from(grows));
            if visits[to] > PATIENCE
                && let Counter::Depth { least, most } = &mut joined.counter
                && *most > 0
            {
                (*least, *most) = (0, u16::MAX);
            }
            if states[to] != Some(joined) {
                states[to] = Some(joined);
                work.push(to);
            }
        }
    }
    states
}

#[cfg(test)]
mod tests {
    use crate::abi::check_part;
    use crate::part::{Meta, Part};
    use crate::tests::assemble;
    use alloc::vec::Vec;
    use shisa_diag::{Code, Limits};
    use shisa_ir::Stage;

    /// What is found in a loop out of which lanes go by this instruction.
    fn found(out: &str) -> Vec<Code> {
        let head = ["ldimm r0l, 0", "ldimm r1, 0", "ldimm r3, 0", "if 0.0, 0.0, 2, feq"];
        let body = [out, "update_exec", "iadd r3, r3, 1", "while 0, 0, 2, ieq", "jmp_any -28", "pop_exec 2"];
        let end = ["stop", "trap", "trap", "trap", "trap", "trap", "trap", "trap", "trap"];
        let code = assemble(&[&head[..], &body, &end].concat()).code;
        let mut meta = Meta { stage: Stage::Compute, nr_gprs: 8, ..Meta::default() };
        (meta.main_size, meta.binary_size) = (code.len() as u32, code.len() as u32);
        check_part(&Part { code, meta }, &Limits::default()).iter().map(|d| d.code).collect()
    }

    #[test]
    fn conditions_choose_lanes_that_leave() {
        assert_eq!(found("csel r0l, r3, 9, r0l, 2, ult"), [""; 0]);
        assert_eq!(found("csel r0l, r3, 9, 2, r0l, ugt"), [""; 0]);
        for other in ["csel r0l, r3, 9, r1l, 2, ult", "csel r0, r3, 9, r0, 2, ult"] {
            assert!(found(other).contains(&"agx-abi-counter"), "{other}");
        }
    }
}
