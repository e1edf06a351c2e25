//! The keys of a draw call about primitives on the screen.

use super::super::emitting::Components;
use super::assembled::{Assembled, float};
use super::fragments::rectangle;
use super::view::View;
use crate::run::wrong;
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::Value;
use shisa_diag::Limit;
use shisa_eval::draw::{Fragments, Provoking, Viewport, WIDEST_LINE};
use shisa_maxwell::component::{CLIP_DISTANCES, POINT_SIZE, POSITION};
use shisa_maxwell::container::Sph;

/// The state of the rasteriser.
#[derive(Deserialize)]
pub(super) struct Rasteriser {
    #[serde(default)]
    front: Front,
    #[serde(default)]
    cull: Cull,
    #[serde(default)]
    provoking: Provokes,
    #[serde(default = "one")]
    line_width: usize,
    /// The distances to planes that cut; without it all that are written.
    clip_distances: Option<Vec<u16>>,
    #[serde(default = "held")]
    depth_clip: bool,
    viewport: Option<View>,
}

fn one() -> usize {
    1
}

fn held() -> bool {
    true
}

/// The order of corners of triangles whose front is visible, where y points up.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Front {
    #[default]
    Counterclockwise,
    Clockwise,
}

/// Triangles that are not drawn.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Cull {
    #[default]
    None,
    Front,
    Back,
    FrontAndBack,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Provokes {
    First,
    #[default]
    Last,
}

impl Rasteriser {
    /// The state, if its numbers exist.
    ///
    /// # Errors
    /// `run-input` for a width of lines or a distance that does not exist.
    pub(super) fn checked(self) -> Result<Rasteriser> {
        if !(1..=WIDEST_LINE).contains(&self.line_width) {
            return Err(wrong(format!("lines of {} pixels; a line has 1 to {WIDEST_LINE}", self.line_width)));
        }
        let most = CLIP_DISTANCES.len();
        match self.clip_distances.iter().flatten().find(|number| usize::from(**number) >= most) {
            Some(number) => {
                Err(wrong(format!("there is no clip distance {number}; there are 0 to {}", most - 1)))
            }
            None => Ok(self),
        }
    }

    /// The vertex whose values constant inputs have.
    pub(super) fn provoking(&self) -> Provoking {
        match self.provoking {
            Provokes::First => Provoking::First,
            Provokes::Last => Provoking::Last,
        }
    }

    /// The width and the height of the picture.
    pub(super) fn size(&self) -> [usize; 2] {
        self.viewport.as_ref().map_or([0, 0], |view| [view.width, view.height])
    }

    /// The rectangles of pixels around primitives, in their order.
    ///
    /// # Errors
    /// `run-input` without a viewport, and for primitives that are not points, lines or triangles; `limit-exceeded`.
    pub(super) fn pixels(&self, all: &Assembled, header: Option<&Sph>, settings: &Settings) -> Result<Value> {
        let view = self.viewport.as_ref();
        let view = view.ok_or_else(|| wrong("a draw call with a fragment program needs a viewport"))?;
        let viewport = view.viewport(self.depth_clip)?;
        let size = viewport.width.saturating_mul(viewport.height);
        let check = |pixels: usize| {
            settings.limits.check(Limit::Memory, "bytes of pixels", pixels.saturating_mul(256))
        };
        check(size)?;
        let (mut count, mut rectangles) = (0usize, Vec::new());
        for primitive in &all.primitives {
            let corners = all.corners(primitive);
            let Some(mut fragments) = self.rasterised(&viewport, &corners)? else { continue };
            count = count.saturating_add(fragments.pixels.len());
            check(count)?;
            // Points and lines have no back, and are never culled.
            let front = fragments
                .counterclockwise
                .map(|counterclockwise| counterclockwise == (self.front == Front::Counterclockwise));
            if front.is_some_and(|front| self.culls(front)) {
                continue;
            }
            self.clip(&mut fragments, &corners);
            if fragments.pixels.iter().all(|pixel| !pixel.covered) {
                continue;
            }
            let provoking = self.provoking().among(&corners).copied();
            let shown = front.unwrap_or(true);
            rectangles.push(rectangle(&fragments, &corners, provoking, primitive.number, shown, header));
        }
        Ok(Value::Array(rectangles))
    }

    fn culls(&self, front: bool) -> bool {
        match self.cull {
            Cull::None => false,
            Cull::Front => front,
            Cull::Back => !front,
            Cull::FrontAndBack => true,
        }
    }

    /// Leaves out the pixels past a plane.
    fn clip(&self, fragments: &mut Fragments, corners: &[&Components]) {
        for (number, component) in (0..).zip(CLIP_DISTANCES) {
            let cuts = match &self.clip_distances {
                Some(numbers) => numbers.contains(&number),
                None => corners.iter().any(|corner| corner.contains_key(&component)),
            };
            if cuts {
                let mut distances = [0.0; 3];
                distances.iter_mut().zip(corners).for_each(|(at, corner)| *at = float(corner, component));
                fragments.clip(distances);
            }
        }
    }

    /// The pixels around a primitive; `None` if there are none.
    fn rasterised(&self, viewport: &Viewport, corners: &[&Components]) -> Result<Option<Fragments>> {
        let position = |corner: &Components| [0, 1, 2, 3].map(|n| float(corner, POSITION + n));
        Ok(match *corners {
            [a, b, c] => viewport.triangle([a, b, c].map(position)),
            [a, b] => viewport.line([a, b].map(position), self.line_width),
            [point] => {
                let size = if point.contains_key(&POINT_SIZE) { float(point, POINT_SIZE) } else { 1.0 };
                viewport.point(position(point), size)
            }
            _ => {
                let text = format!("a primitive of {} vertices is not rasterised", corners.len());
                return Err(wrong(text));
            }
        })
    }
}
