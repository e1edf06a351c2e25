//! The state before each node of a walk: what may have happened and what must have happened on the paths to it.

use crate::attributes::Role;
use crate::code::Code;
use shisa_rows::code::Analysis;

/// What has happened on the paths to a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct History {
    /// Components of outputs that some path has written since it began or output a vertex.
    pub(super) outputs_some: u64,
    /// The same, on every path.
    pub(super) outputs_all: u64,
    /// Components of temporaries that some path has written.
    pub(super) temporaries: u64,
    /// Address registers and flags that some path has written; bits as in [`crate::code::STATE`].
    pub(super) state: u8,
    /// Whether the previous word computes the address registers on some path.
    pub(super) address: bool,
    /// Whether every path has selected a vertex slot.
    pub(super) set_emit: bool,
    /// Whether the last selected slot completes a triangle on some path.
    pub(super) primitive: bool,
}

/// Finds the history before each node.
pub(super) struct Histories<'a> {
    pub(super) code: &'a Code,
    /// The word of each node.
    pub(super) nodes: &'a [u32],
    pub(super) geometry: bool,
}

impl Histories<'_> {
    /// How often a history can change: each of its bits once.
    pub(super) const HEIGHT: u64 = 64 + 64 + 64 + 8 + 3;
}

impl Analysis for Histories<'_> {
    type State = History;

    fn pass(&mut self, at: usize, history: &History) -> History {
        let (pc, mut after) = (self.nodes[at], *history);
        let writes = self.code.writes(pc);
        let role = self.code.role(pc);
        after.outputs_some |= writes.outputs;
        after.outputs_all |= writes.outputs;
        after.temporaries |= writes.temporaries;
        after.state |= writes.state;
        after.address = role == Some(Role::Address);
        if let Some(primitive) = self.code.set_emit(pc) {
            (after.set_emit, after.primitive) = (true, primitive);
        }
        if role == Some(Role::Emit) && self.geometry {
            (after.outputs_some, after.outputs_all) = (0, 0);
        }
        after
    }

    fn join(&mut self, _: usize, history: &mut History, other: &History) -> bool {
        let joined = History {
            outputs_some: history.outputs_some | other.outputs_some,
            outputs_all: history.outputs_all & other.outputs_all,
            temporaries: history.temporaries | other.temporaries,
            state: history.state | other.state,
            address: history.address || other.address,
            set_emit: history.set_emit && other.set_emit,
            primitive: history.primitive || other.primitive,
        };
        core::mem::replace(history, joined) != joined
    }
}
