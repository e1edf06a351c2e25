//! A triangle in numbers of 64 bits, which judges how far results may be apart.

use super::{Corner, SIZE};

/// Distances in pixels below which a sample may be covered or not.
const EDGE: f64 = 1.0 / 256.0;
/// The same for the depth, from 0 to 1.
const PLANE: f64 = 1.0 / 1024.0;
/// The rounding of a device that computes depths in binary32, relative to the numbers that it adds: 2^-24 for each of up to
/// 256 operations.
const ROUNDING: f64 = 1.0 / 65536.0;

/// A triangle.
pub(super) struct Plane {
    /// Each edge as a function of x, y and 1.
    edges: [[f64; 3]; 3],
    corners: [[f64; 4]; 3],
    colors: [[f64; 4]; 3],
    /// The depth if it is the same everywhere, and no device rounds it: corners have the same w, a power of two.
    flat: Option<f64>,
    /// Whether corners are on the grid of devices.
    is_exact: bool,
}

impl Plane {
    pub(super) fn new(corners: &[Corner; 3], is_exact: bool) -> Plane {
        let positions = corners.map(|corner| corner.position.map(f64::from));
        let edge = |a: [f64; 4], b: [f64; 4]| {
            [a[1] * b[3] - a[3] * b[1], a[3] * b[0] - a[0] * b[3], a[0] * b[1] - a[1] * b[0]]
        };
        let [a, b, c] = positions;
        let colors = corners.map(|corner| corner.color.map(f64::from));
        let is_flat =
            [b, c].iter().all(|corner| corner[2..] == a[2..]) && a[3] > 0.0 && a[3].log2() % 1.0 == 0.0;
        let flat = is_flat.then(|| a[2] / a[3]);
        Plane { edges: [edge(b, c), edge(c, a), edge(a, b)], corners: positions, colors, flat, is_exact }
    }

    fn values(&self, [x, y]: [f64; 2]) -> [f64; 3] {
        let at = [2.0 * x / SIZE[0] as f64 - 1.0, 1.0 - 2.0 * y / SIZE[1] as f64, 1.0];
        self.edges.map(|edge| (0..3).map(|n| edge[n] * at[n]).sum())
    }

    /// Whether both triangles have the same corners, so that all engines compute the same depths.
    pub(super) fn is_twin(&self, other: &Plane) -> bool {
        self.corners == other.corners
    }

    /// Twice the area with the sign of its winding: positive for counterclockwise corners, where y points up.
    pub(super) fn area(&self) -> f64 {
        let [a, ..] = self.corners;
        self.edges[0][0] * a[0] + self.edges[0][1] * a[1] + self.edges[0][2] * a[3]
    }

    /// Whether the triangle covers a position in pixels. A position exactly on an edge belongs to it if that is a left edge,
    /// or a horizontal one at the top.
    pub(super) fn covers(&self, at: [f64; 2]) -> bool {
        let sign = self.area().signum();
        let inside = self.values(at).iter().zip(self.edges).all(|(value, edge)| {
            let is_owned = sign * edge[0] > 0.0 || edge[0] == 0.0 && sign * edge[1] < 0.0;
            sign * value > 0.0 || *value == 0.0 && is_owned
        });
        inside && (0.0..=1.0).contains(&self.depth(at))
    }

    /// The depth at a position in pixels. It is linear on the screen.
    fn depth(&self, at: [f64; 2]) -> f64 {
        let values = self.values(at);
        let sum =
            |n: usize| values.iter().zip(self.corners).map(|(value, corner)| value * corner[n]).sum::<f64>();
        sum(2) / sum(3)
    }

    /// The depth at a position that the triangle covers, and how far that of a device may be away.
    ///
    /// Devices round corners to 1/256 of a pixel. The value inside of the moved triangle is a mean of its corners; with the
    /// same weights, the position in the exact triangle is at most 1/256 of a pixel away along x and along y. So depths differ
    /// by at most that distance times the slopes. The rounding of the plane that a device computes is added: it is relative to
    /// the depth at pixel 0, 0, and to the slopes times the position.
    pub(super) fn depth_within(&self, at: [f64; 2]) -> (f64, f64) {
        if let Some(depth) = self.flat {
            return (depth, 0.0);
        }
        let depth = self.depth(at);
        let slopes = (self.depth([at[0] + 1.0, at[1]]) - depth).abs()
            + (self.depth([at[0], at[1] + 1.0]) - depth).abs();
        let moved = if self.is_exact { 0.0 } else { EDGE * slopes };
        (depth, moved + ROUNDING * (1.0 + SIZE[0] as f64 * slopes))
    }

    /// The colour at a position in pixels.
    pub(super) fn color(&self, at: [f64; 2]) -> [f64; 4] {
        let values = self.values(at);
        let sum: f64 = values.iter().sum();
        std::array::from_fn(|n| {
            values.iter().zip(self.colors).map(|(value, color)| value / sum * color[n]).sum()
        })
    }

    /// Whether rounding of the corners may change what a position shows.
    pub(super) fn is_doubtful(&self, at: [f64; 2]) -> bool {
        let values = self.values(at);
        let slope = |edge: [f64; 3]| (2.0 * edge[0] / SIZE[0] as f64).hypot(2.0 * edge[1] / SIZE[1] as f64);
        let near_edge = values.iter().zip(self.edges).any(|(value, edge)| value.abs() < EDGE * slope(edge));
        let (sum, depth) = (values.iter().sum::<f64>(), self.depth(at));
        near_edge || sum == 0.0 || depth.abs() < PLANE || (depth - 1.0).abs() < PLANE
    }

    /// How much rounding of the corners may change the colour at a position.
    pub(super) fn spread(&self, at: [f64; 2]) -> f64 {
        let own = self.color(at);
        let moved = [[EDGE, 0.0], [-EDGE, 0.0], [0.0, EDGE], [0.0, -EDGE]];
        let apart = moved.iter().flat_map(|[right, down]| {
            let other = self.color([at[0] + right, at[1] + down]);
            (0..4).map(move |n| (other[n] - own[n]).abs())
        });
        4.0 * apart.fold(0.0, f64::max) + 1e-4
    }
}
