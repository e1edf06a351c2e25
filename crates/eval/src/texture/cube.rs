//! Projection of a direction to a cube face and a position on it.

use super::footprint::Location;

/// The position that a direction points at, and its change if the direction changes by `dx` and `dy`.
pub(crate) fn project(direction: [f32; 3], dx: [f32; 3], dy: [f32; 3]) -> Location {
    let [x, y, z] = direction.map(f32::abs);
    let (axis, face) = if z >= x && z >= y {
        (2, 4)
    } else if y >= x {
        (1, 2)
    } else {
        (0, 0)
    };
    let negative = direction[axis].is_sign_negative();
    // The coordinates across and down the face, and toward it.
    let turn = |[x, y, z]: [f32; 3]| match (axis, negative) {
        (0, false) => [-z, -y, x],
        (0, true) => [z, -y, -x],
        (1, false) => [x, z, y],
        (1, true) => [x, -z, -y],
        (_, false) => [x, -y, z],
        (_, true) => [-x, -y, -z],
    };
    let [s, t, m] = turn(direction);
    let change = |d: [f32; 3]| {
        let [ds, dt, dm] = turn(d);
        [(ds - s / m * dm) / m * 0.5, (dt - t / m * dm) / m * 0.5, 0.0]
    };
    Location {
        face: face + usize::from(negative),
        at: [(s / m + 1.0) * 0.5, (t / m + 1.0) * 0.5, 0.0],
        dx: change(dx),
        dy: change(dy),
    }
}
