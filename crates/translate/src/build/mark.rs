//! Marks by which statements are found again in text that naga printed.

use crate::syntax::Name;

/// A statement: the name that it declares or stores to, `if`, `return` or `emit_vertex`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "naga"), expect(dead_code, reason = "only printers other than ours need it"))]
pub(crate) struct Mark<'a> {
    pub(crate) name: Name<'a>,
    /// The number of the expression, if it is the result of a call: naga names such results by it (`_e7`).
    pub(crate) call: Option<usize>,
    /// The instruction.
    pub(crate) origin: u32,
}
