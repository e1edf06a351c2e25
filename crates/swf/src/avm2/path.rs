//! Which outcomes of conditions an execution takes.

use super::value::Function;
use std::collections::HashSet;

/// A condition of a method, and an outcome.
pub(crate) type Edge = (Function, usize, bool);

/// The outcomes that an execution takes at conditions whose value is not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    /// Those that were chosen before it began.
    plan: Vec<bool>,
    taken: Vec<bool>,
    /// Positions at which the other outcome remains to be tried.
    open: Vec<(usize, Edge)>,
}

/// Most conditions of unknown value in one execution.
const MAX_DECISIONS: usize = 200;

impl Path {
    pub(crate) fn new(plan: Vec<bool>) -> Path {
        Path { plan, ..Path::default() }
    }

    /// The outcome to take at a condition; `None` if there were too many.
    pub(crate) fn choose(&mut self, at: (Function, usize), seen: &mut HashSet<Edge>) -> Option<bool> {
        let position = self.taken.len();
        if position >= MAX_DECISIONS {
            return None;
        }
        let edge = |outcome| (at.0, at.1, outcome);
        let outcome = match self.plan.get(position) {
            Some(planned) => *planned,
            None => {
                let outcome = seen.contains(&edge(false)) && !seen.contains(&edge(true));
                self.open.push((position, edge(!outcome)));
                outcome
            }
        };
        seen.insert(edge(outcome));
        self.taken.push(outcome);
        Some(outcome)
    }

    /// The plans that differ from this path in its last outcome.
    pub(crate) fn others(&self) -> impl Iterator<Item = (Vec<bool>, Edge)> + '_ {
        self.open.iter().map(|(position, edge)| {
            let mut plan = self.taken.get(..*position).unwrap_or_default().to_vec();
            plan.push(edge.2);
            (plan, *edge)
        })
    }
}
