//! The stages that may have an instruction.

use shisa_ir::Stage;

/// The stages that may have an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// All.
    Any,
    /// Vertex programs.
    Vertex,
    /// Fragment programs.
    Fragment,
    /// Programs that compute.
    Compute,
    /// Fragment programs, and programs that compute on the tile of their workgroup.
    Tile,
}

impl Stages {
    /// The stage of the programs that may have the instruction, if those of `stage` may not; `tile` is whether they
    /// compute on the tile of their workgroup.
    pub fn other_than(self, stage: Stage, tile: bool) -> Option<Stage> {
        let wanted = match self {
            Stages::Any => return None,
            Stages::Vertex => Stage::Vertex,
            Stages::Fragment => Stage::Fragment,
            Stages::Compute => Stage::Compute,
            Stages::Tile if tile && stage == Stage::Compute => return None,
            Stages::Tile => Stage::Fragment,
        };
        (wanted != stage).then_some(wanted)
    }
}
