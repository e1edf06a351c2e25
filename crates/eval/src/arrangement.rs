//! Lanes of a run, their arrangement as pixels, and what each lane of a wave runs.

use crate::environment::no_register;
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, WAVE};

/// The lanes of a batch as the pixels of a rectangle, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of pixels in a row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
}

/// The unit `by` units after `first`.
pub(crate) fn unit(first: Reg, by: usize) -> Result<Reg, Diagnostic> {
    let unit = u16::try_from(by).ok().and_then(|by| first.unit.checked_add(by));
    Ok(Reg { unit: unit.ok_or_else(|| no_register(first))?, ..first })
}

/// The lanes of a run, and their arrangement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement<'h> {
    /// Number of lanes.
    pub lanes: usize,
    /// The lanes as pixels, which run in quads; they are as many as the lanes.
    pub grid: Option<Grid>,
    /// For each lane, whether it is a helper lane from the start: it completes a quad, writes no memory, and counts as
    /// killed. Lanes after the end of the list are none.
    pub helpers: &'h [bool],
}

impl From<usize> for Arrangement<'_> {
    /// Lanes without neighbours.
    fn from(lanes: usize) -> Self {
        Arrangement { lanes, grid: None, helpers: &[] }
    }
}

impl Arrangement<'_> {
    /// The number of waves.
    pub(crate) fn waves(&self) -> Result<usize, Diagnostic> {
        let Some(Grid { width, height }) = self.grid else { return Ok(self.lanes.div_ceil(WAVE)) };
        if width.checked_mul(height) != Some(self.lanes) {
            let text = format!(
                "a grid of {width} by {height} pixels does not match a batch of {} lanes",
                self.lanes
            );
            return Err(Diagnostic::error("eval-batch", text));
        }
        Ok((width.div_ceil(2) * height.div_ceil(2)).div_ceil(WAVE / 4))
    }

    /// What the `index`-th lane of all waves runs.
    pub(crate) fn role(&self, index: usize) -> Role {
        let Some(Grid { width, height }) = self.grid else {
            return if index < self.lanes { Role::Lane(index) } else { Role::None };
        };
        let (quad, corner) = (index / 4, index % 4);
        let row = width.div_ceil(2).max(1);
        let (x, y) = (quad % row * 2 + corner % 2, quad / row * 2 + corner / 2);
        if quad / row >= height.div_ceil(2) {
            Role::None
        } else if x < width && y < height {
            Role::Lane(y * width + x)
        } else {
            Role::Helper { x, y }
        }
    }

    /// Whether a lane with this role only helps its quad.
    pub(crate) fn helps(&self, role: Role) -> bool {
        match role {
            Role::Lane(index) => self.helpers.get(index).is_some_and(|helps| *helps),
            Role::Helper { .. } => true,
            Role::None => false,
        }
    }
}

impl Grid {
    /// The value at a pixel just outside the grid, extrapolated from the values of the pixels.
    pub(crate) fn beyond(
        self,
        x: usize,
        y: usize,
        float: bool,
        at: impl Fn(usize) -> Result<u32, Diagnostic>,
    ) -> Result<u32, Diagnostic> {
        let (nx, ny) = (x.min(self.width.saturating_sub(1)), y.min(self.height.saturating_sub(1)));
        let nearest = at(ny * self.width + nx)?;
        if !float {
            return Ok(nearest);
        }
        let base = f32::from_bits(nearest);
        let mut value = base;
        if x > nx && nx > 0 {
            value += base - f32::from_bits(at(ny * self.width + nx - 1)?);
        }
        if y > ny && ny > 0 {
            value += base - f32::from_bits(at((ny - 1) * self.width + nx)?);
        }
        Ok(value.to_bits())
    }
}

/// What a lane of a wave runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A lane of the batch.
    Lane(usize),
    /// A pixel outside of the grid that completes a quad.
    Helper { x: usize, y: usize },
    /// Nothing: the batch has no more lanes.
    None,
}

impl Role {
    pub(crate) fn pixel(self) -> Option<usize> {
        match self {
            Role::Lane(index) => Some(index),
            _ => None,
        }
    }
}
