//! Several triangles in one draw call, with a depth test, blending and culling.

use super::triangle::Finished;
use super::{Device, Register, Resources};
use crate::Output;

pub use super::state::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, CompareFunction, Face, FrontFace, Sample, State,
};

/// Triangles that a vertex and a fragment program draw. The fragment program outputs one colour.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The stage form of the vertex program.
    pub vertex: &'a Output,
    /// The stage form of the fragment program.
    pub fragment: &'a Output,
    /// The vertex program's input registers at each corner, in the order of its interface; three corners a triangle.
    pub corners: &'a [Vec<Register>],
    /// Width and height of the target in pixels.
    pub size: [u32; 2],
    /// Samples of a pixel.
    pub samples: u32,
    /// What happens around the programs.
    pub state: State,
}

impl Device {
    /// Draws triangles. Returns the samples of the target, row by row; those of a pixel are adjacent.
    ///
    /// # Errors
    /// What the device reports about the code.
    pub fn scene(&self, scene: &Scene<'_>) -> Result<Vec<Sample>, String> {
        let Scene { vertex, fragment, corners, size, samples, state } = scene;
        self.checked(|| {
            let resources = [Resources::default(); 2];
            let drawing = (*size, *samples, Some(*state));
            let Finished { targets, planes, .. } =
                self.drawn([vertex, fragment], resources, corners, drawing, *size)?;
            let pixels = (0..size[1] as usize).flat_map(|y| (0..size[0] as usize).map(move |x| (x, y)));
            let (targets, planes) = (&targets, &planes);
            Ok(pixels.flat_map(|at| planes.iter().map(move |plane| targets.sample(plane, at))).collect())
        })
    }
}
