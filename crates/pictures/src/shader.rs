//! A program as pictures run it.

use crate::counts::Counts;
use crate::faults::{Result, not_recorded};
use crate::image::Image;
use shisa_debug::Captured;
use shisa_eval::Grid;
use shisa_ir::{Io, Name, Stage};

/// A register of constants that a program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name, such as `fc0`.
    pub name: Name,
    /// The number of its components.
    pub count: u8,
    /// Whether an input or the program's container states its value.
    pub is_set: bool,
}

/// A texture that a program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its name, such as `fs0`.
    pub name: Name,
    /// Whether an input has bound a texture.
    pub is_set: bool,
}

/// The lanes of a run: vertices or pixels.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<'l> {
    /// How many there are.
    pub count: usize,
    /// Their arrangement as pixels, which run in quads.
    pub grid: Option<Grid>,
    /// Pixels that only complete quads; those past the end of the list do not.
    pub helpers: &'l [bool],
    /// For each of [`Shader::inputs`] the bits of its components, lane after lane.
    pub inputs: &'l [Vec<u32>],
}

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// For each of [`Shader::outputs`] the bits of its components, lane after lane.
    pub outputs: Vec<Vec<u32>>,
    /// Whether each lane was discarded.
    pub killed: Vec<bool>,
    /// Instructions that all lanes executed together.
    pub executed: u64,
}

/// A program of a graphics stage that is ready to run.
pub trait Shader {
    /// Its stage.
    fn stage(&self) -> Stage;

    /// What differs between its lanes.
    fn inputs(&self) -> &[Io];

    /// What it writes.
    fn outputs(&self) -> &[Io];

    /// The constants that it reads, as far as instructions name them.
    fn constants(&self) -> Vec<Constant>;

    /// The textures that it reads.
    fn textures(&self) -> Vec<Slot>;

    /// Sets components of a constant, from a given one on, for the runs that follow.
    ///
    /// # Errors
    /// `picture-input` if there are no such components.
    fn set_constant(&mut self, name: &str, first: usize, values: &[f32]) -> Result<()>;

    /// Binds an image as a texture for the runs that follow.
    ///
    /// # Errors
    /// `picture-input` if the program has no such texture; what the texture unit refuses.
    fn set_texture(&mut self, name: &str, image: &Image) -> Result<()>;

    /// Whether the visible depths z / w of its positions are from -1 to 0, rather than from 0 to 1.
    fn has_negative_depth(&self) -> bool {
        false
    }

    /// Runs lanes, and counts what each of them cost.
    ///
    /// # Errors
    /// What the evaluator refuses.
    fn run(&mut self, lanes: &Lanes<'_>, counts: Option<&mut Counts>) -> Result<Ran>;

    /// The run of lanes, for a debugger.
    ///
    /// # Errors
    /// `picture-stage` if the program is not one of pixels; what the evaluator refuses.
    fn captured(&mut self, _: &Lanes<'_>) -> Result<Captured> {
        Err(vec![not_recorded()])
    }
}
