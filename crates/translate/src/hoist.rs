//! Values computed at the start of the function: the operands of derivatives that the program takes where the lanes
//! of a quad may have diverged.

use shisa_ir::{Nodes, Value};

/// The hoisted values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hoisted {
    order: Vec<Value>,
    /// Whether each value of the function is among them; empty if none is.
    among: Vec<bool>,
    /// The number of values of the function.
    values: usize,
    /// Number of values that may still be visited: shared operands are visited repeatedly until they are computed.
    budget: usize,
}

impl Hoisted {
    /// No values, for a function with this many values.
    pub(crate) fn new(values: usize) -> Hoisted {
        Hoisted { order: Vec::new(), among: Vec::new(), values, budget: 16 * values }
    }

    /// The values in the order in which they are computed.
    pub(crate) fn order(&self) -> &[Value] {
        &self.order
    }

    /// Whether the value is among them.
    pub(crate) fn has(&self, v: Value) -> bool {
        self.among.get(v.index()).copied().unwrap_or(false)
    }

    /// Adds a value and its operands if all of them can be computed at the start; otherwise adds nothing.
    pub(crate) fn add(&mut self, nodes: &Nodes, v: Value) -> bool {
        self.among.resize(self.values, false);
        let mark = self.order.len();
        let mut stack = vec![(v, false)];
        while let Some((v, ready)) = stack.pop() {
            if self.has(v) {
                continue;
            }
            self.budget = self.budget.saturating_sub(1);
            if ready {
                self.set(v, true);
                self.order.push(v);
                continue;
            }
            if v.index() >= nodes.list.len() || !nodes.is_pure(v) || self.budget == 0 {
                for v in self.order.split_off(mark) {
                    self.set(v, false);
                }
                return false;
            }
            stack.push((v, true));
            nodes.operands(v, |a| stack.push((a, false)));
        }
        true
    }

    fn set(&mut self, v: Value, among: bool) {
        if let Some(slot) = self.among.get_mut(v.index()) {
            *slot = among;
        }
    }
}
