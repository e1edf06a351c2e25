//! What is certain of a sample, and how far results may be apart.

use super::Scene;
use super::plane::Plane;
use shisa::eval::Compare;
use shisa::eval::draw::Blend;

/// The rounding of a device that blends in binary32, relative to the colours: 2^-24 for each of up to 64 operations.
const BLENDING: f32 = 1.0 / 262_144.0;

/// What is certain of a pixel.
pub(super) enum Certain {
    /// Nothing: a sample is on an edge or on a clipping plane.
    OnEdge,
    /// Nothing: the outcome of a depth test is in doubt.
    NearTie,
    /// The outcome of all tests: how far the results of each sample may be apart.
    Within(Vec<Within>),
}

impl Certain {
    /// Of a pixel by its column and row, with samples at positions in it.
    pub(super) fn new(scene: &Scene, planes: &[Plane], [x, y]: [f64; 2], samples: &[[f64; 2]]) -> Certain {
        let positions = samples.iter().map(|[right, down]| [x + right, y + down]);
        let is_doubtful = |at: [f64; 2]| planes.iter().any(|plane| plane.is_doubtful(at));
        if !scene.is_exact && positions.clone().any(is_doubtful) {
            return Certain::OnEdge;
        }
        let all = positions.map(|at| within(scene, planes, at, [x + 0.5, y + 0.5])).collect();
        match all {
            Some(all) => Certain::Within(all),
            None => Certain::NearTie,
        }
    }
}

/// How far the results of a sample may be apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    pub(super) depth: f64,
    pub(super) color: f64,
}

/// The depth that is stored.
struct Stored<'p> {
    depth: f64,
    within: f64,
    /// Its triangle; `None` before anything is drawn.
    plane: Option<&'p Plane>,
}

/// Draws the triangles to the sample at a position of the pixel whose centre is another one. `None` if the outcome of a depth
/// test is in doubt, because both depths are closer to each other than they may be away from the exact ones.
fn within(scene: &Scene, planes: &[Plane], at: [f64; 2], centre: [f64; 2]) -> Option<Within> {
    let state = &scene.state;
    let mut stored = Stored { depth: f64::from(state.cleared), within: 0.0, plane: None };
    // The colour, and how far it may be away.
    let (mut color, mut apart) = ([0.0; 4], 0.0);
    for plane in planes {
        if state.culls(plane.area() > 0.0) || !plane.covers(at) {
            continue;
        }
        let (depth, within) = plane.depth_within(at);
        if let Some(test) = &state.depth {
            let (difference, bound) = match stored.plane.is_some_and(|other| plane.is_twin(other)) {
                true => (0.0, 0.0),
                false => (depth - stored.depth, within + stored.within),
            };
            let is_constant = matches!(test.compare, Compare::Always | Compare::Never);
            if !is_constant && bound > 0.0 && difference.abs() <= bound {
                return None;
            }
            if !test.compare.holds(difference as f32, 0.0) {
                continue;
            }
            if test.writes {
                stored = Stored { depth, within, plane: Some(plane) };
            }
        }
        let (own, spread) = (plane.color(centre).map(|n| n as f32), plane.spread(centre) as f32);
        (color, apart) = match &state.blend {
            Some(blend) => {
                let result = blend.blended(own, color, state.constant);
                (result, spread_of(blend, [own, color], [spread, apart], state.constant))
            }
            None => (own, spread),
        };
    }
    Some(Within { depth: stored.within, color: f64::from(apart) })
}

/// How far a blended colour may be away if the colours of program and target are, and arithmetic rounds. Products are linear
/// in each of both colours and both alphas, or grow with the magnitude of one. So the largest distance is at a corner
/// of the box of all colours.
fn spread_of(blend: &Blend, colors: [[f32; 4]; 2], apart: [f32; 2], constant: [f32; 4]) -> f32 {
    let [source, destination] = colors;
    let own = blend.blended(source, destination, constant);
    let moved = |corner: u32, color: [f32; 4], by: f32, bit: u32| {
        let sign = |n: usize| if corner >> (bit + u32::from(n == 3)) & 1 == 0 { 1.0 } else { -1.0 };
        std::array::from_fn(|n| color[n] + sign(n) * by)
    };
    let largest = (0..16).flat_map(|corner| {
        let other = blend.blended(
            moved(corner, source, apart[0], 0),
            moved(corner, destination, apart[1], 2),
            constant,
        );
        (0..4).map(move |n| (other[n] - own[n]).abs())
    });
    let magnitude = colors.iter().flatten().chain(&own).fold(1.0f32, |most, n| most.max(n.abs()));
    // Products of up to two colours.
    largest.fold(0.0, f32::max) + BLENDING * magnitude * magnitude
}
