//! The pixels of lines, by the diamond-exit rule of OpenGL 4.6, section 14.5.1.

use super::{Depth, Fragment, Fragments, Viewport, WIDEST_LINE, span};

/// The least w that a line is cut at, as a part of the larger w of its ends: where w is 0, a position is nowhere.
const LEAST_W: f64 = 1.0 / (1u64 << 40) as f64;

impl Viewport {
    /// The pixels of a line, with a width in pixels along the axis along which the line is shorter; `None` if there are none
    /// around it, or it is not visible. A pixel belongs to the line if the line leaves the diamond around the pixel's centre,
    /// whose corners are in the middle of the pixel's edges. So connected lines draw each pixel once. Values depend on the
    /// position along the longer axis.
    pub fn line(&self, ends: [[f32; 4]; 2], width: usize) -> Option<Fragments> {
        let ends = ends.map(|end| end.map(f64::from));
        let (from, to) = self.visible(&ends)?;
        let cut = [from, to].map(|at| [0, 1, 2, 3].map(|n| ends[0][n] + at * (ends[1][n] - ends[0][n])));
        let window = cut.map(|[x, y, _, w]| self.window([x / w, y / w]));
        if !window.iter().flatten().all(|at| at.is_finite()) {
            return None;
        }
        let [dx, dy] = [0, 1].map(|axis| (window[1][axis] - window[0][axis]).abs());
        let major = usize::from(dy > dx);
        let minor = 1 - major;
        let mut ends_of_first = window;
        // The pixels of a wide line are on both sides of it.
        let width = width.min(WIDEST_LINE);
        let beside = width.saturating_sub(1) as f64;
        ends_of_first.iter_mut().for_each(|end| end[minor] -= beside / 2.0);
        let range = |axis: usize, pixels: usize| {
            let past = if axis == minor { beside } else { 0.0 };
            let [a, b] = ends_of_first.map(|end| end[axis]);
            span([a.min(b) - 0.5, a.max(b) + 0.5 + past].into_iter(), pixels)
        };
        let (columns, rows) = (range(0, self.width)?, range(1, self.height)?);
        let length = window[1][major] - window[0][major];
        let fragment = |x: usize, y: usize| {
            let centre = [x, y].map(|at| at as f64 + 0.5);
            let is_left = (0..width).any(|by| {
                let mut base = centre;
                base[minor] -= by as f64;
                leaves(ends_of_first, base)
            });
            let along = (centre[major] - window[0][major]) / length;
            let [a, b] = [(1.0 - along) / cut[0][3], along / cut[1][3]];
            let reciprocal = a + b;
            let within = from + b / reciprocal * (to - from);
            let space = [1.0 - within, within, 0.0];
            let screen = [space[0] * ends[0][3] * reciprocal, space[1] * ends[1][3] * reciprocal, 0.0];
            let (depth, _) =
                self.depth((1.0 - along) * cut[0][2] / cut[0][3] + along * cut[1][2] / cut[1][3]);
            let covered = is_left && x < self.width && y < self.height;
            let depth = depth.clamp(0.0, 1.0);
            let position = [centre[0] as f32, centre[1] as f32, depth as f32, reciprocal as f32];
            Fragment { covered, position, weights: [space, screen], in_point: None }
        };
        Some(Fragments::of(columns, rows, None, fragment))
    }

    /// The part of a line that is visible, from 0 to 1: in front of the eye, and in the visible range of depth.
    fn visible(&self, ends: &[[f64; 4]; 2]) -> Option<(f64, f64)> {
        let least = LEAST_W * ends[0][3].abs().max(ends[1][3].abs());
        let (mut from, mut to) = (0.0f64, 1.0f64);
        let mut cut = |[a, b]: [f64; 2]| match (a >= 0.0, b >= 0.0) {
            (true, true) => {}
            (true, false) => to = to.min(a / (a - b)),
            (false, true) => from = from.max(a / (a - b)),
            (false, false) => to = -1.0,
        };
        cut(ends.map(|end| end[3] - least));
        if self.clips_depth {
            cut(ends.map(|[_, _, z, w]| match self.depth {
                Depth::ZeroToOne => z,
                Depth::MinusOneToOne => z + w,
            }));
            cut(ends.map(|[_, _, z, w]| w - z));
        }
        (from < to && least > 0.0).then_some((from, to))
    }
}

/// Whether a line between two ends leaves the diamond around a centre: it goes through it and does not end in it. Ties are
/// those of a line that is moved by e to the left and by e squared up, for an e that is smaller than any number.
fn leaves([a, b]: [[f64; 2]; 2], centre: [f64; 2]) -> bool {
    // Turned by an eighth of a circle, the diamond is a square.
    let turned = |[x, y]: [f64; 2]| [x + y, x - y];
    let (ends, middle) = ([turned(a), turned(b)], turned(centre));
    let bounds = |axis: usize| (middle[axis] - 0.5, middle[axis] + 0.5);
    let ends_within = (0..2).all(|axis| {
        let (low, high) = bounds(axis);
        low < ends[1][axis] && ends[1][axis] <= high
    });
    let reaches = (0..2).all(|axis| {
        let ((low, high), [from, to]) = (bounds(axis), ends.map(|end| end[axis]));
        low < from.max(to) && from.min(to) <= high
    });
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let side = |[x, y]: [f64; 2]| {
        let distance = (x - a[0]) * dy - (y - a[1]) * dx;
        [distance, dy, -dx].into_iter().find(|value| *value != 0.0)
    };
    let corners = [[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5]];
    let sides = corners.map(|[x, y]| side([centre[0] + x, centre[1] + y]));
    let on = |sign: f64| sides.iter().flatten().any(|side| side * sign > 0.0);
    reaches && !ends_within && on(1.0) && on(-1.0)
}
