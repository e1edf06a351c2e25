//! The state before each instruction of a part, over all paths.

use super::layout::COUNTER;
use crate::code::{ALL_REGISTERS, Forwards, Step, group};
use crate::facts::{Control, Nesting, Role, Varying};
use crate::operand::{A, FINAL, LEVELS, counters_selected};
use crate::sets::Registers;
use alloc::{vec, vec::Vec};

/// The nesting counter: the number of levels that `pop_exec` may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counter {
    /// `r0l` is not a counter.
    Unset,
    /// Lanes may be masked off by the given number of levels.
    Depth {
        /// The fewest.
        least: u16,
        /// The most.
        most: u16,
        /// Whether `r0l` may hold another number instead, because it was overwritten outside of all conditions.
        reused: bool,
    },
}

/// The counter when no lane is masked off.
pub(super) const CLEAR: Counter = Counter::Depth { least: 0, most: 0, reused: false };

/// The state before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    /// Registers that some path has written.
    pub(super) written: Registers,
    /// The nesting counter.
    pub(super) counter: Counter,
    /// Registers that loads of each group may still write.
    pub(super) pending: [Registers; 2],
    /// Whether some path has written its last varying, and whether some path has not.
    pub(super) last: [bool; 2],
}

impl State {
    /// The state at the start of a part.
    pub(super) const fn start(counter: Counter) -> State {
        State { written: Registers::EMPTY, counter, pending: [Registers::EMPTY; 2], last: [false, true] }
    }

    /// The state where two paths join.
    fn join(&self, other: &State) -> State {
        let counter = match (self.counter, other.counter) {
            (
                Counter::Depth { least: a, most: b, reused: r },
                Counter::Depth { least: c, most: d, reused: s },
            ) => Counter::Depth { least: a.min(c), most: b.max(d), reused: r || s },
            (Counter::Unset, _) | (_, Counter::Unset) => Counter::Unset,
        };
        State {
            written: self.written.or(other.written),
            counter,
            pending: core::array::from_fn(|i| self.pending[i].or(other.pending[i])),
            last: core::array::from_fn(|i| self.last[i] || other.last[i]),
        }
    }

    /// The state after an instruction.
    fn after(mut self, step: &Step<'_>) -> State {
        let writes = step.writes().registers;
        self.written = self.written.or(writes);
        self.pending = self.pending.map(|p| p.without(writes));
        if let Some(group) = step.group() {
            self.pending[group] = self.pending[group].or(writes);
        }
        match step.role() {
            Role::Wait => self.pending[group(&step.insn)] = Registers::EMPTY,
            Role::Varying(Varying::Store) if step.insn.field(FINAL) == 0 => {}
            Role::Varying(Varying::Store | Varying::Absent) => self.last = [true, false],
            // An unknown procedure may write anything, and wait for everything.
            Role::Control(Control::CallRegister) => {
                (self.written, self.pending) = (ALL_REGISTERS, [Registers::EMPTY; 2]);
            }
            Role::Control(_) | Role::Compute | Role::Constant | Role::Select | Role::Exchange(_) => {}
            Role::Memory(_) | Role::Barrier(_) | Role::Pixel(_) | Role::Coefficients(_) | Role::Driver => {}
        }
        self.counter = counter(self.counter, step);
        self
    }
}

/// The number of levels in slot `LEVELS`.
pub(super) fn levels(step: &Step<'_>) -> u16 {
    step.insn.field(LEVELS) as u16
}

/// The largest number of levels that lanes leave if an instruction writes such numbers to `r0l`, in all lanes or in
/// those that a condition selects.
pub(super) fn levels_left(step: &Step<'_>) -> Option<u16> {
    if step.writes().registers != COUNTER {
        return None;
    }
    match step.role() {
        Role::Constant => Some(step.insn.field(A) as u16),
        Role::Select => {
            let counters = counters_selected(&step.insn)?;
            Some(counters.into_iter().flatten().max().unwrap_or(0).into())
        }
        _ => None,
    }
}

fn counter(counter: Counter, step: &Step<'_>) -> Counter {
    let left = levels_left(step);
    let Counter::Depth { least, most, reused } = counter else {
        return if step.role() == Role::Constant && left == Some(0) { CLEAR } else { Counter::Unset };
    };
    let n = levels(step);
    match (step.role(), left) {
        (Role::Control(Control::Nesting(nesting)), _) => match nesting {
            Nesting::If => {
                let (least, most) = (least.saturating_add(n), most.saturating_add(n.max(1)));
                Counter::Depth { least, most, reused: false }
            }
            Nesting::While => Counter::Depth { least, most: most.max(n), reused: false },
            Nesting::Pop => {
                Counter::Depth { least: least.saturating_sub(n), most: most.saturating_sub(n), reused: false }
            }
            Nesting::Else | Nesting::Update => Counter::Depth { least, most, reused: false },
        },
        (Role::Constant, Some(0)) if most == 0 || reused => CLEAR,
        // Lanes leave the given number of levels, or the register has another purpose while no lane is masked off.
        (Role::Constant, Some(n)) if most == 0 || reused => Counter::Depth { least, most: n, reused: true },
        (_, Some(n)) => Counter::Depth { least, most: most.max(n), reused },
        (_, None) if !step.writes().registers.and(COUNTER).is_empty() => Counter::Unset,
        (_, None) => counter,
    }
}

/// The number of times that the counter may grow at a node before it is assumed to grow without end.
const PATIENCE: u8 = 12;

/// Follows the state of a part through code with the given number of nodes.
pub(super) struct Follow {
    /// How often the counter has grown at each node.
    grown: Vec<u8>,
}

impl Follow {
    pub(super) fn new(nodes: usize) -> Follow {
        Follow { grown: vec![0; nodes] }
    }
}

impl Forwards for Follow {
    type State = State;

    fn after(&self, step: &Step<'_>, state: &State) -> State {
        state.after(step)
    }

    fn join(&mut self, node: usize, state: &mut State, other: &State) -> bool {
        let mut joined = state.join(other);
        if joined == *state {
            return false;
        }
        if joined.counter != state.counter
            && let Some(grown) = self.grown.get_mut(node)
        {
            *grown = grown.saturating_add(1);
            if *grown > PATIENCE
                && let Counter::Depth { least, most, .. } = &mut joined.counter
                && *most > 0
            {
                (*least, *most) = (0, u16::MAX);
            }
        }
        let changed = joined != *state;
        *state = joined;
        changed
    }
}

#[cfg(test)]
mod tests {
    use crate::abi::check_part;
    use crate::part::{Meta, Part};
    use crate::tests::assemble;
    use alloc::vec::Vec;
    use shisa_diag::{Code, Limits};
    use shisa_ir::Stage;

    /// The findings for a loop that lanes leave by this instruction.
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
