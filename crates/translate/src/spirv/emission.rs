//! The variables through which a geometry program outputs vertices.

use super::module::Id;
use crate::streams::Streams;
use shisa_ir::Type;

/// The variables that the code of a geometry program shares.
pub(super) struct Emission {
    /// The number of vertices so far.
    pub(super) count: Id,
    /// Index of the lane's first element in the buffer that is written; 0 in a stage.
    pub(super) first: Id,
    /// 1 if a strip ended before the next vertex, else 0; no variable (0) in a stage and without strips.
    pub(super) ended: Id,
    /// The variables of the stage's outputs, in the order of the interface.
    pub(super) outputs: Vec<(Id, Type)>,
    /// The streams of a stage whose vertices do not all go to the first.
    pub(super) streams: Option<StreamVariables>,
    /// All variables of outputs, each once.
    pub(super) declared: Vec<Id>,
}

/// The streams of a stage, with the variables of their outputs.
#[derive(Clone)]
pub(super) struct StreamVariables {
    pub(super) streams: Streams,
    /// The variables of the outputs of streams other than the first, in the order of [`Streams::outputs`].
    pub(super) outputs: Vec<Id>,
}

impl Emission {
    /// Its global variables, except the stage's outputs.
    pub(super) fn privates(&self) -> impl Iterator<Item = Id> {
        [self.count, self.first, self.ended].into_iter().filter(|id| *id != 0)
    }
}
