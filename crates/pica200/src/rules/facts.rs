//! What is known in front of each node of a walk: what may and what must have happened on the way.

use super::effects::{Code, Effects};
use super::walk::Walk;
use alloc::{vec, vec::Vec};

/// What has happened on the ways to a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Past {
    /// Components of outputs that some way has written since it began or put a vertex out.
    pub(super) outputs_some: u64,
    /// The same, on every way.
    pub(super) outputs_all: u64,
    /// Components of temporaries that some way has written.
    pub(super) temporaries: u64,
    /// Address registers and flags that some way has written; bits as in [`super::effects::STATE`].
    pub(super) state: u8,
    /// Whether the word before is `mova` on some way.
    pub(super) mova: bool,
    /// Whether every way has chosen a vertex slot.
    pub(super) setemit: bool,
    /// Whether the last chosen slot completes a triangle on some way.
    pub(super) primitive: bool,
}

impl Past {
    /// What is known behind a word.
    fn then(mut self, effects: &Effects, mova: bool, geometry: bool) -> Past {
        self.outputs_some |= effects.outputs;
        self.outputs_all |= effects.outputs;
        self.temporaries |= effects.sets;
        self.state |= effects.state_written;
        self.mova = mova;
        if let Some(primitive) = effects.setemit {
            (self.setemit, self.primitive) = (true, primitive);
        }
        if effects.emit && geometry {
            (self.outputs_some, self.outputs_all) = (0, 0);
        }
        self
    }

    /// What is known where two ways meet.
    fn join(self, other: Past) -> Past {
        Past {
            outputs_some: self.outputs_some | other.outputs_some,
            outputs_all: self.outputs_all & other.outputs_all,
            temporaries: self.temporaries | other.temporaries,
            state: self.state | other.state,
            mova: self.mova || other.mova,
            setemit: self.setemit && other.setemit,
            primitive: self.primitive || other.primitive,
        }
    }
}

/// What is known in front of each node.
pub(super) fn pasts(walk: &Walk, code: &Code, geometry: bool) -> Vec<Past> {
    let mut pasts: Vec<Option<Past>> = vec![None; walk.nodes.len()];
    if let Some(first) = pasts.first_mut() {
        *first = Some(Past::default());
    }
    let mut todo = vec![0u32];
    while let Some(i) = todo.pop() {
        let (Some(node), Some(Some(past))) = (walk.nodes.get(i as usize), pasts.get(i as usize)) else {
            continue;
        };
        // The end of a turn is no word: what ran before it stays the last word.
        let behind = match node.implied {
            true => *past,
            false => past.then(&code.effects(node.pc), code.name(node.pc) == "mova", geometry),
        };
        for &next in &node.next {
            let slot = &mut pasts[next as usize];
            let joined = slot.map_or(behind, |old| old.join(behind));
            if *slot != Some(joined) {
                *slot = Some(joined);
                todo.push(next);
            }
        }
    }
    pasts.into_iter().map(Option::unwrap_or_default).collect()
}
