//! The viewport of a draw call.

use crate::Result;
use crate::run::wrong;
use serde::Deserialize;
use shisa_eval::draw::{Depth, Origin, Viewport};

/// The keys of `viewport`.
#[derive(Deserialize)]
pub(super) struct View {
    pub(super) width: usize,
    pub(super) height: usize,
    #[serde(default)]
    origin: RowZero,
    #[serde(default)]
    depth: Range,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RowZero {
    #[default]
    UpperLeft,
    LowerLeft,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Range {
    #[default]
    ZeroToOne,
    MinusOneToOne,
}

impl View {
    /// The viewport of the rasteriser.
    ///
    /// # Errors
    /// `run-input` without pixels.
    pub(super) fn viewport(&self, clips_depth: bool) -> Result<Viewport> {
        if self.width == 0 || self.height == 0 {
            return Err(wrong("the viewport has no pixels"));
        }
        let origin = match self.origin {
            RowZero::UpperLeft => Origin::UpperLeft,
            RowZero::LowerLeft => Origin::LowerLeft,
        };
        let depth = match self.depth {
            Range::ZeroToOne => Depth::ZeroToOne,
            Range::MinusOneToOne => Depth::MinusOneToOne,
        };
        Ok(Viewport { width: self.width, height: self.height, origin, depth, clips_depth })
    }
}
