//! The pixels that triangles, lines and points cover, and the weights of corners at them.

mod lines;
#[cfg(test)]
mod tests;

/// The largest width of a line in pixels; wider lines count as this one.
pub const WIDEST_LINE: usize = 64;

/// Where the row of pixels with number 0 is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// At the top: y of positions points up.
    #[default]
    UpperLeft,
    /// At the bottom.
    LowerLeft,
}

/// The range of z / w that is visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// From 0 to 1, which is the depth.
    #[default]
    ZeroToOne,
    /// From -1 to 1, which are the depths 0 to 1.
    MinusOneToOne,
}

/// The pixels that show positions from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The position of row 0.
    pub origin: Origin,
    /// The visible range of depth.
    pub depth: Depth,
    /// Whether what is before or past the visible range is cut. Otherwise its depth is clamped.
    pub clips_depth: bool,
}

/// A pixel of a rectangle around a primitive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fragment {
    /// Whether the primitive covers its centre, in the viewport and between the near and the far plane. Others exist for
    /// the derivatives of their neighbours.
    pub covered: bool,
    /// Its centre in pixels, the depth, and 1 / w.
    pub position: [f32; 4],
    /// The weights of the corners for values that are linear in space, and for those that are linear on the screen.
    pub weights: [[f64; 3]; 2],
    /// The position within a point, from 0 to 1; `None` for lines and triangles.
    pub in_point: Option<[f32; 2]>,
}

/// The pixels of a rectangle around a primitive. It begins at an even column and row and has an even size.
#[derive(Clone, Debug, PartialEq)]
pub struct Fragments {
    /// The first column.
    pub x: usize,
    /// The first row.
    pub y: usize,
    /// Pixels of a row.
    pub width: usize,
    /// Row by row.
    pub pixels: Vec<Fragment>,
    /// Whether the corners are in counterclockwise order where y points up; `None` for points and lines, which have no
    /// back.
    pub counterclockwise: Option<bool>,
}

impl Viewport {
    /// The pixels of a triangle, by the positions of its corners; `None` if there are none
    /// around it, or it has no area. A pixel exactly on an edge
    /// belongs to the triangle if that is a left edge, or a horizontal one at the top.
    pub fn triangle(&self, corners: [[f32; 4]; 3]) -> Option<Fragments> {
        let corners = corners.map(|corner| corner.map(f64::from));
        let [a, b, c] = corners;
        // Twice the area of the triangle of the origin and each edge, as a function of x, y and 1.
        let edges = [edge(b, c), edge(c, a), edge(a, b)];
        let area = dot(edges[0], [a[0], a[1], a[3]]);
        if area == 0.0 || !area.is_finite() {
            return None;
        }
        let sign = area.signum();
        let (columns, rows) = self.bounds(&corners)?;
        let fragment = |x: usize, y: usize| {
            let at = self.position(x, y);
            let edges = edges.map(|edge| (edge, sign * dot(edge, at)));
            let inside = edges.iter().all(|(edge, value)| {
                let owned = sign * edge[0] > 0.0 || edge[0] == 0.0 && sign * edge[1] < 0.0;
                *value > 0.0 || *value == 0.0 && owned
            });
            let sum: f64 = edges.iter().map(|(_, value)| value).sum();
            let reciprocal = sum / area.abs();
            let space = edges.map(|(_, value)| value / sum);
            let screen = [0, 1, 2].map(|i| space[i] * corners[i][3] * reciprocal);
            let z: f64 = (0..3).map(|i| space[i] * corners[i][2]).sum::<f64>() * reciprocal;
            let (depth, visible) = self.depth(z);
            let covered = inside && visible && x < self.width && y < self.height;
            let position = [x as f32 + 0.5, y as f32 + 0.5, depth as f32, reciprocal as f32];
            Fragment { covered, position, weights: [space, screen], in_point: None }
        };
        Some(Fragments::of(columns, rows, Some(area > 0.0), fragment))
    }

    /// The pixels of a point, a square of a size in pixels; `None` if there are none around it, or it is not visible.
    pub fn point(&self, position: [f32; 4], size: f32) -> Option<Fragments> {
        let [x, y, z, w] = position.map(f64::from);
        let (depth, visible) = self.depth(z / w);
        if !(visible && w > 0.0 && size > 0.0) {
            return None;
        }
        let [left, top] = self.window([x / w, y / w]).map(|centre| centre - f64::from(size) / 2.0);
        let within = |start: f64, at: usize| (at as f64 + 0.5 - start) / f64::from(size);
        let range = |start: f64, pixels: usize| span([start, start + f64::from(size)].into_iter(), pixels);
        let fragment = |x: usize, y: usize| {
            let at = [within(left, x), within(top, y)];
            let inside = at.iter().all(|at| (0.0..1.0).contains(at));
            let position = [x as f32 + 0.5, y as f32 + 0.5, depth as f32, (1.0 / w) as f32];
            let covered = inside && x < self.width && y < self.height;
            let weights = [[1.0, 0.0, 0.0]; 2];
            Fragment { covered, position, weights, in_point: Some(at.map(|at| at as f32)) }
        };
        Some(Fragments::of(range(left, self.width)?, range(top, self.height)?, None, fragment))
    }

    /// The depth of z / w, and whether it is visible.
    fn depth(&self, z: f64) -> (f64, bool) {
        let depth = match self.depth {
            Depth::ZeroToOne => z,
            Depth::MinusOneToOne => (z + 1.0) / 2.0,
        };
        let visible = (0.0..=1.0).contains(&depth);
        match self.clips_depth {
            true => (depth, visible),
            false => (depth.clamp(0.0, 1.0), !depth.is_nan()),
        }
    }

    /// The centre of a pixel as a position with w of 1.
    fn position(&self, x: usize, y: usize) -> [f64; 3] {
        let at = |pixel: usize, pixels: usize| (2 * pixel + 1) as f64 / pixels as f64 - 1.0;
        let y = match self.origin {
            Origin::UpperLeft => -at(y, self.height),
            Origin::LowerLeft => at(y, self.height),
        };
        [at(x, self.width), y, 1.0]
    }

    /// A position with w of 1, in pixels.
    fn window(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let y = match self.origin {
            Origin::UpperLeft => -y,
            Origin::LowerLeft => y,
        };
        [(x, self.width), (y, self.height)].map(|(at, pixels)| (at + 1.0) / 2.0 * pixels as f64)
    }

    /// The columns and rows of the pixels around corners: all of them if a corner is not in front of the eye.
    fn bounds(&self, corners: &[[f64; 4]; 3]) -> Option<(Span, Span)> {
        if corners.iter().any(|corner| corner[3] <= 0.0) {
            return Some((
                span([0.0, self.width as f64].into_iter(), self.width)?,
                span([0.0, self.height as f64].into_iter(), self.height)?,
            ));
        }
        let window = corners.map(|[x, y, _, w]| self.window([x / w, y / w]));
        let range = |axis: usize, pixels| span(window.iter().map(|at| at[axis]), pixels);
        Some((range(0, self.width)?, range(1, self.height)?))
    }
}

/// A first column or row, and the one after the last.
type Span = (usize, usize);

/// The even span of pixels around values; `None` if they are all outside.
fn span(values: impl Iterator<Item = f64> + Clone, pixels: usize) -> Option<Span> {
    let (least, most) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
    let (first, end) = (least.floor().max(0.0) as usize, (most.ceil() as usize).min(pixels));
    (first < end).then(|| (first & !1, end.next_multiple_of(2)))
}

impl Fragments {
    /// Leaves out the pixels whose centre has a negative distance to a plane, by the distances of the corners.
    pub fn clip(&mut self, distances: [f32; 3]) {
        for pixel in &mut self.pixels {
            let [space, _] = pixel.weights;
            let distance: f64 =
                distances.iter().zip(space).map(|(distance, weight)| f64::from(*distance) * weight).sum();
            // False for what is not a number.
            pixel.covered &= distance >= 0.0;
        }
    }

    /// The pixels of a rectangle.
    fn of(
        (left, right): Span,
        (top, bottom): Span,
        counterclockwise: Option<bool>,
        fragment: impl Fn(usize, usize) -> Fragment,
    ) -> Fragments {
        let rows = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
        let pixels: Vec<Fragment> = rows.map(|(x, y)| fragment(x, y)).collect();
        Fragments { x: left, y: top, width: right - left, pixels, counterclockwise }
    }
}

/// The function of x, y and 1 that is zero on the line through two corners. Exchanged corners have exactly the negated
/// function, so that each pixel belongs to one of two triangles with the edge.
fn edge([ax, ay, _, aw]: [f64; 4], [bx, by, _, bw]: [f64; 4]) -> [f64; 3] {
    [ay * bw - by * aw, bx * aw - ax * bw, ax * by - bx * ay]
}

fn dot(edge: [f64; 3], at: [f64; 3]) -> f64 {
    edge[0] * at[0] + edge[1] * at[1] + edge[2] * at[2]
}
