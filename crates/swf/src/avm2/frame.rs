//! A running method: its code, its stack, its scopes and its local variables.

use super::bytes::Bytes;
use super::value::{Function, Value};
use std::rc::Rc;

/// The end of an execution: an exception, a fault of the code, or a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

pub(crate) type Outcome<T = Value> = Result<T, Stop>;

/// A running method.
pub(crate) struct Frame<'a> {
    pub(crate) function: Function,
    pub(crate) code: Bytes<'a>,
    pub(crate) whole: &'a [u8],
    pub(crate) locals: Vec<Value>,
    pub(crate) stack: Vec<Value>,
    pub(crate) scopes: Vec<Value>,
    /// The scopes in which the method was made.
    pub(crate) outer: Rc<[Value]>,
}

impl Frame<'_> {
    pub(crate) fn pop(&mut self) -> Outcome {
        self.stack.pop().ok_or(Stop)
    }

    pub(crate) fn number(&mut self) -> Outcome<u32> {
        self.code.number().ok_or(Stop)
    }

    pub(crate) fn values(&mut self, count: u32) -> Outcome<Vec<Value>> {
        let first = self.stack.len().checked_sub(count as usize).ok_or(Stop)?;
        Ok(self.stack.split_off(first))
    }

    pub(crate) fn local(&self, index: u32) -> Outcome {
        self.locals.get(index as usize).cloned().ok_or(Stop)
    }

    pub(crate) fn set_local(&mut self, index: u32, value: Value) -> Outcome<()> {
        *self.locals.get_mut(index as usize).ok_or(Stop)? = value;
        Ok(())
    }

    pub(crate) fn jump(&mut self, from: usize, distance: i32) -> Outcome<()> {
        let to = from as i64 + i64::from(distance);
        let to = usize::try_from(to).ok().filter(|to| *to <= self.whole.len()).ok_or(Stop)?;
        self.code = Bytes::new(self.whole, to);
        Ok(())
    }
}
