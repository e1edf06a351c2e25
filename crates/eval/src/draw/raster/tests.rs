use super::*;

const VIEW: Viewport =
    Viewport { width: 8, height: 6, origin: Origin::UpperLeft, depth: Depth::ZeroToOne, clips_depth: true };

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
    assert_eq!(upper.counterclockwise, Some(true));
    let upper = covered(Some(upper));
    assert!(upper.contains(&(0, 0)) && upper.iter().all(|(x, y)| *x < 4 && *y < 3), "{upper:?}");
    let view = Viewport { origin: Origin::LowerLeft, ..VIEW };
    let lower = covered(view.triangle(corners));
    assert!(lower.contains(&(0, 5)) && lower.iter().all(|(x, y)| *x < 4 && *y > 2), "{lower:?}");
    let [a, b, c] = corners;
    assert_eq!(VIEW.triangle([b, a, c]).unwrap().counterclockwise, Some(false));
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

#[test]
fn depth_is_clamped_where_it_does_not_cut() {
    // z / w is x: from -1 at the left to 1 at the right.
    let corners = [[-1.0, -9.0, -1.0, 1.0], [3.0, -9.0, 3.0, 1.0], [-1.0, 9.0, -1.0, 1.0]];
    let all = |clips_depth: bool| Viewport { clips_depth, ..VIEW }.triangle(corners).unwrap();
    assert!(covered(Some(all(false))).iter().any(|(x, _)| *x == 0));
    let depths: Vec<f32> = all(false).pixels.iter().map(|pixel| pixel.position[2]).collect();
    assert!(depths.contains(&0.0) && depths.iter().all(|depth| (0.0..=1.0).contains(depth)));
    assert!(VIEW.point([0.0, 0.0, 2.0, 1.0], 1.0).is_none());
    let point = Viewport { clips_depth: false, ..VIEW }.point([0.0, 0.0, 2.0, 1.0], 1.0).unwrap();
    assert_eq!(point.pixels[0].position[2], 1.0);
    assert_eq!(Viewport { clips_depth: false, ..VIEW }.point([0.0, 0.0, f32::NAN, 1.0], 1.0), None);
}

#[test]
fn distances_cut_pixels() {
    // The whole picture; the distance is x, linear in space, from -1 at the left.
    let corners = [[-1.0, -1.0, 0.5, 1.0], [3.0, -1.0, 0.5, 1.0], [-1.0, 3.0, 0.5, 1.0]];
    let clipped = |distances: [f32; 3]| {
        let mut all = VIEW.triangle(corners).unwrap();
        all.clip(distances);
        covered(Some(all))
    };
    assert_eq!(clipped([0.0; 3]).len(), 48);
    assert_eq!(clipped([-1.0; 3]), []);
    assert_eq!(clipped([f32::NAN; 3]), []);
    let right = clipped([-1.0, 3.0, -1.0]);
    assert!(right.len() == 24 && right.iter().all(|(x, _)| *x >= 4), "{right:?}");
    let mut point = VIEW.point([0.0, 0.0, 0.5, 1.0], 2.0).unwrap();
    point.clip([-0.5, 9.0, 9.0]);
    assert_eq!(covered(Some(point)), []);
}

fn line(ends: [[f32; 2]; 2], width: usize) -> Vec<(usize, usize)> {
    // Positions in pixels, which are exact.
    let view = Viewport { width: 8, height: 8, ..VIEW };
    let position = |[x, y]: [f32; 2]| [x / 4.0 - 1.0, 1.0 - y / 4.0, 0.5, 1.0];
    covered(view.line(ends.map(position), width))
}

/// A pixel is drawn where the line leaves the diamond around its centre.
#[test]
fn lines_draw_the_diamonds_that_they_leave() {
    assert_eq!(line([[1.5, 2.5], [4.5, 2.5]], 1), [(1, 2), (2, 2), (3, 2)]);
    // The end is in the diamond of column 4, or past it.
    assert_eq!(line([[1.5, 2.5], [4.9, 2.5]], 1), [(1, 2), (2, 2), (3, 2)]);
    assert_eq!(line([[1.5, 2.5], [5.1, 2.5]], 1), [(1, 2), (2, 2), (3, 2), (4, 2)]);
    assert_eq!(line([[4.5, 2.5], [1.5, 2.5]], 1), [(2, 2), (3, 2), (4, 2)]);
    assert_eq!(line([[2.5, 1.5], [2.5, 4.5]], 1), [(2, 1), (2, 2), (2, 3)]);
    assert_eq!(line([[0.5, 0.5], [3.5, 3.5]], 1), [(0, 0), (1, 1), (2, 2)]);
    assert_eq!(line([[0.5, 3.5], [6.5, 0.5]], 1), [(5, 0), (3, 1), (4, 1), (1, 2), (2, 2), (0, 3)]);
    // A line within a diamond leaves none; nor does one that is not there.
    assert_eq!(line([[1.4, 2.5], [1.6, 2.5]], 1), []);
    assert_eq!(line([[1.5, 2.5], [1.5, 2.5]], 1), []);
    // Past the edges of the picture.
    assert_eq!(line([[-3.0, 7.5], [99.0, 7.5]], 1).len(), 8);
    assert_eq!(line([[-3.0, 9.5], [99.0, 9.5]], 1), []);
}

/// The segments of a chain draw no pixel twice, and the pixels of a closed one are those of the other direction.
#[test]
fn connected_lines_draw_each_pixel_once() {
    let chain = [[0.3, 0.7], [6.1, 1.9], [5.2, 4.8], [1.7, 3.1], [0.9, 5.6]];
    let mut all: Vec<_> = chain.windows(2).flat_map(|ends| line([ends[0], ends[1]], 1)).collect();
    let count = all.len();
    assert!(count > 12);
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn each_column_of_a_flat_line_has_one_pixel_and_wide_lines_have_more() {
    for n in 0..64u16 {
        let (from, to) = (f32::from(n % 8) * 0.37 + 1.0, f32::from(n / 8) * 0.37 + 1.0);
        let drawn = line([[-1.0, from], [9.0, to]], 1);
        let columns: Vec<usize> = drawn.iter().map(|(x, _)| *x).collect();
        assert!(drawn.len() == 8 && (0..8).all(|x| columns.contains(&x)), "{from} {to}: {drawn:?}");
    }
    assert_eq!(line([[0.5, 2.5], [2.5, 2.5]], 3), [(0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3)]);
    assert_eq!(line([[2.5, 0.5], [2.5, 2.5]], 2), line([[2.0, 0.5], [2.0, 2.5]], 2));
    assert_eq!(line([[2.5, 0.5], [2.5, 2.5]], 2).len(), 4);
    assert_eq!(line([[0.5, 2.5], [2.5, 2.5]], 0), []);
    // The middle of the line is below the picture. The widest line has 64 pixels.
    let reaches = |below: u8, width: usize| {
        let y = 7.5 + f32::from(below);
        !line([[0.5, y], [2.5, y]], width).is_empty()
    };
    assert!(reaches(32, 64) && !reaches(33, 64) && !reaches(32, 62) && !reaches(33, 66));
}

#[test]
fn values_of_lines_are_linear_in_space_or_on_the_screen() {
    // From w = 1 at the left edge to w = 3 at the right edge, along the middle of row 2.
    let y = 1.0 / 6.0;
    let ends = [[-1.0, y, 0.0, 1.0], [3.0, 3.0 * y, 1.5, 3.0]];
    let all = VIEW.line(ends, 1).unwrap();
    let pixel = all.pixels.iter().find(|pixel| pixel.covered && pixel.position[0] == 1.5).unwrap();
    let t = 1.5 / 8.0;
    let reciprocal = 1.0 - t + t / 3.0;
    let [space, screen] = pixel.weights;
    assert!((screen[1] - t).abs() < 1e-12 && (space[1] - t / 3.0 / reciprocal).abs() < 1e-12, "{space:?}");
    assert!((f64::from(pixel.position[3]) - reciprocal).abs() < 1e-6);
    assert!((f64::from(pixel.position[2]) - 0.5 * t).abs() < 1e-6);
    assert_eq!((all.counterclockwise, pixel.in_point), (None, None));
}

#[test]
fn lines_are_cut_at_the_visible_range() {
    let y = 1.0 / 6.0;
    // z / w is x.
    let ends = [[-1.0, y, -1.0, 1.0], [1.0, y, 1.0, 1.0]];
    let columns = |view: Viewport| covered(view.line(ends, 1)).iter().map(|(x, _)| *x).collect::<Vec<_>>();
    assert_eq!(columns(VIEW), [4, 5, 6, 7]);
    assert_eq!(columns(Viewport { depth: Depth::MinusOneToOne, ..VIEW }).len(), 8);
    assert_eq!(columns(Viewport { clips_depth: false, ..VIEW }).len(), 8);
    // The weights are still those of the ends.
    let all = VIEW.line(ends, 1).unwrap();
    let first = all.pixels.iter().find(|pixel| pixel.covered).unwrap();
    assert!((first.weights[0][1] - 4.5 / 8.0).abs() < 1e-12, "{:?}", first.weights);
    // An end that is not in front of the eye: the line leaves the picture at the right.
    let past = [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, -1.0]];
    assert!(covered(VIEW.line(past, 1)).iter().any(|(x, _)| *x == 7));
    for nothing in [[[0.0, 0.0, 2.0, 1.0], [1.0, 0.0, 3.0, 1.0]], [[f32::NAN; 4]; 2], [[0.0; 4]; 2]] {
        assert_eq!(VIEW.line(nothing, 1), None);
    }
    assert_eq!(VIEW.line([[0.0, 0.0, 0.5, -1.0], [1.0, 0.0, 0.5, -1.0]], 1), None);
}
