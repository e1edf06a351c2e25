//! A batch in the order of its waves, for engines that run quads by themselves.

use crate::arrangement::{Arrangement, Role};
use crate::batch::{Batch, Column};
use crate::runner::{Values, check, is_extrapolated, value};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::File;

/// The lanes of a batch in the order of its waves: quad by quad, if the batch has a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InQuads {
    /// For each lane the lane of the batch that it runs, `None` for a helper lane that completes a quad.
    pub pixels: Vec<Option<usize>>,
    /// The inputs of the batch for these lanes.
    pub inputs: Vec<Column>,
}

impl Batch {
    /// The lanes in the order of waves, with the inputs that [`Batch::run`] gives to helper lanes.
    ///
    /// # Errors
    /// `eval-batch` if the number of pixels in the grid differs from the number of lanes, or an input does not have a value
    /// for each lane; `limit-exceeded` if the inputs need more memory than the limit.
    pub fn in_quads(&self, files: &[File], limits: &Limits) -> Result<InQuads, Diagnostic> {
        let arrangement = Arrangement { lanes: self.lanes, grid: self.grid, helpers: &self.helpers };
        arrangement.waves()?;
        let roles = || (0..).map(|lane| arrangement.role(lane)).take_while(|role| *role != Role::None);
        let units: usize = self.inputs.iter().map(|column| usize::from(column.units)).sum();
        let bytes = roles().count().saturating_mul(units.saturating_mul(size_of::<u32>()));
        limits.check(Limit::Memory, "bytes of inputs in quads", bytes)?;
        let column = |column: &Column| {
            let (input, units) = (Values::from(column), usize::from(column.units));
            check(&input, self.lanes)?;
            let float = is_extrapolated(files, column.reg);
            let lane = |role: Role| (0..units).map(move |by| value(&input, by, float, arrangement, role));
            let bits = roles().flat_map(lane).collect::<Result<_, Diagnostic>>()?;
            Ok(Column { reg: column.reg, units: column.units, bits })
        };
        let inputs = self.inputs.iter().map(column).collect::<Result<_, Diagnostic>>()?;
        Ok(InQuads { pixels: roles().map(Role::pixel).collect(), inputs })
    }
}
