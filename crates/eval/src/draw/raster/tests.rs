use super::*;

const VIEW: Viewport = Viewport { width: 8, height: 6, origin: Origin::UpperLeft, depth: Depth::ZeroToOne };

/// The covered pixels as columns and rows.
fn covered(fragments: Option<Fragments>) -> Vec<(usize, usize)> {
    let Some(all) = fragments else { return Vec::new() };
    let at = |i: usize| (all.x + i % all.width, all.y + i / all.width);
    all.pixels.iter().enumerate().filter(|(_, pixel)| pixel.covered).map(|(i, _)| at(i)).collect()
}

#[test]
fn triangles_with_a_common_edge_cover_each_pixel_once() {
    // The diagonal goes through centres of pixels.
    let view = Viewport { width: 8, height: 8, ..VIEW };
    let [a, b, c, d] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| [x, y, 0.5, 1.0]);
    for order in [[[a, b, c], [a, c, d]], [[c, b, a], [d, c, a]], [[a, b, d], [b, c, d]]] {
        let mut all: Vec<_> = order.iter().flat_map(|corners| covered(view.triangle(*corners))).collect();
        assert_eq!(all.len(), 64);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 64);
    }
}

#[test]
fn rows_count_from_the_origin() {
    // The upper left quarter.
    let corners = [[-1.0, 1.0, 0.0, 1.0], [-1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]];
    let upper = VIEW.triangle(corners).unwrap();
    assert!(upper.counterclockwise);
    let upper = covered(Some(upper));
    assert!(upper.contains(&(0, 0)) && upper.iter().all(|(x, y)| *x < 4 && *y < 3), "{upper:?}");
    let view = Viewport { origin: Origin::LowerLeft, ..VIEW };
    let lower = covered(view.triangle(corners));
    assert!(lower.contains(&(0, 5)) && lower.iter().all(|(x, y)| *x < 4 && *y > 2), "{lower:?}");
    let [a, b, c] = corners;
    assert!(!VIEW.triangle([b, a, c]).unwrap().counterclockwise);
}

#[test]
fn values_are_linear_in_space_or_on_the_screen() {
    // A wall from w = 1 at the left to w = 3 at the right.
    let corners = [[-1.0, -9.0, 0.0, 1.0], [3.0, -9.0, 0.0, 3.0], [-1.0, 9.0, 0.0, 1.0]];
    let view = Viewport { width: 2, height: 2, ..VIEW };
    let all = view.triangle(corners).unwrap();
    let left = all.pixels[0];
    // At a quarter of the screen's width 1 / w is 1 - 1/4 * 2/3.
    assert!((f64::from(left.position[3]) - 5.0 / 6.0).abs() < 1e-6, "{left:?}");
    let [space, screen] = left.weights;
    assert!((screen[1] - 0.25).abs() < 1e-12, "{screen:?}");
    assert!((space[1] - 0.25 / 3.0 * 6.0 / 5.0).abs() < 1e-12, "{space:?}");
    for weights in [space, screen] {
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn what_is_not_visible_is_cut() {
    // z / w is x: from -1 at the left to 1 at the right.
    let corners = [[-1.0, -9.0, -1.0, 1.0], [3.0, -9.0, 3.0, 1.0], [-1.0, 9.0, -1.0, 1.0]];
    let near = covered(VIEW.triangle(corners));
    assert!(!near.is_empty() && near.iter().all(|(x, _)| *x >= 4), "{near:?}");
    let view = Viewport { depth: Depth::MinusOneToOne, ..VIEW };
    assert!(covered(view.triangle(corners)).iter().any(|(x, _)| *x == 0));
    // A corner that is not in front of the eye.
    let past = [[-1.0, -1.0, 0.5, 1.0], [1.0, -1.0, 0.5, 1.0], [0.0, 3.0, 0.5, -1.0]];
    let seen = VIEW.triangle(past).unwrap();
    assert!(seen.pixels.iter().filter(|pixel| pixel.covered).all(|pixel| pixel.position[3] > 0.0));
    // It widens upwards from the lower edge to the far plane, which it reaches at half of the height.
    let all: Vec<_> = (3..6).flat_map(|y| (0..8).map(move |x| (x, y))).collect();
    assert_eq!(covered(Some(seen)), all);
    // Nothing at all: no area, outside of the viewport, not numbers.
    assert_eq!(VIEW.triangle([[0.0, 0.0, 0.0, 1.0]; 3]), None);
    assert_eq!(VIEW.triangle(corners.map(|[x, y, z, w]| [x + 9.0, y, z, w])), None);
    assert_eq!(VIEW.triangle([[f32::NAN; 4]; 3]), None);
}

#[test]
fn points_are_squares() {
    let point = |size| VIEW.point([0.0, 0.0, 0.5, 1.0], size);
    assert_eq!(covered(point(2.0)), [(3, 2), (4, 2), (3, 3), (4, 3)]);
    let all = point(2.0).unwrap();
    let first = all.pixels.iter().find(|pixel| pixel.covered).unwrap();
    assert_eq!((first.in_point, first.position), (Some([0.25, 0.25]), [3.5, 2.5, 0.5, 1.0]));
    for nothing in [point(0.0), VIEW.point([0.0, 0.0, 2.0, 1.0], 1.0), VIEW.point([0.0, 0.0, 0.0, -1.0], 1.0)]
    {
        assert_eq!(nothing, None);
    }
}
