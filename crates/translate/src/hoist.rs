//! Values that are made at the start of the function: what derivatives compare where the lanes of a quad may be apart
//! behind.

use shisa_ir::{Nodes, Value};

/// Those values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hoisted {
    order: Vec<Value>,
    /// Whether each value of the function is among them.
    among: Vec<bool>,
    /// Values that may still be looked at: shared operands are looked at again and again until they are made.
    budget: usize,
}

impl Hoisted {
    /// None, of a function of so many values.
    pub(crate) fn new(values: usize) -> Hoisted {
        Hoisted { order: Vec::new(), among: vec![false; values], budget: 16 * values }
    }

    /// The values in the order in which they are made.
    pub(crate) fn order(&self) -> &[Value] {
        &self.order
    }

    /// Whether the value is among them.
    pub(crate) fn has(&self, v: Value) -> bool {
        self.among.get(v.index()).copied().unwrap_or(false)
    }

    /// Adds a value and what it needs, if all of that can be made at the start; else nothing.
    pub(crate) fn add(&mut self, nodes: &Nodes, v: Value) -> bool {
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
