//! The rules of the specification that hold for every level.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

const SPACINGS: [Spacing; 3] = [Spacing::Equal, Spacing::FractionalOdd, Spacing::FractionalEven];
const LEVELS: [f32; 10] = [0.25, 1.0, 1.5, 2.0, 2.75, 3.0, 4.0, 6.5, 9.0, 64.0];

fn division(domain: Domain, spacing: Spacing, output: DivisionOutput) -> Division {
    Division { domain, spacing, output }
}

fn tessellated(domain: Domain, spacing: Spacing, levels: Levels) -> Tessellated {
    levels.tessellated(division(domain, spacing, DivisionOutput::Counterclockwise)).unwrap()
}

/// Patches with each level at each position, and with other levels beside it.
fn patches() -> impl Iterator<Item = (Domain, Spacing, Levels)> {
    let levels = LEVELS.iter().enumerate().flat_map(|(n, first)| {
        let other = move |by: usize| LEVELS[(n + by) % LEVELS.len()];
        (0..LEVELS.len()).map(move |by| Levels {
            outer: [*first, other(by), other(2 * by + 1), other(3 * by + 2)],
            inner: [other(by), other(7 * by)],
        })
    });
    let domains = [Domain::Triangles, Domain::Quads];
    levels.flat_map(move |levels| {
        domains.into_iter().flat_map(move |d| SPACINGS.into_iter().map(move |s| (d, s, levels)))
    })
}

/// Twice the area of a triangle, which is exact.
fn area(points: &[[f32; 2]], triangle: &[usize]) -> f64 {
    let [a, b, c] = [0, 1, 2].map(|corner| points[triangle[corner]].map(f64::from));
    (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
}

#[test]
fn triangles_cover_the_domain_once() {
    let mut count = 0;
    for (domain, spacing, levels) in patches() {
        let made = tessellated(domain, spacing, levels);
        let areas = || made.primitives.iter().map(|triangle| area(&made.points, triangle));
        // The order of corners is the same everywhere. Shorter segments may have no length.
        assert!(areas().all(|area| area >= 0.0), "{domain:?} {spacing:?} {levels:?}");
        let whole = if domain == Domain::Quads { 2.0 } else { 1.0 };
        assert_eq!(areas().sum::<f64>(), whole, "{domain:?} {spacing:?} {levels:?}");
        // Each edge has two triangles, or is an edge of the domain.
        let mut edges = BTreeSet::new();
        for triangle in &made.primitives {
            for corner in 0..3 {
                assert!(edges.insert((triangle[corner], triangle[(corner + 1) % 3])), "{levels:?}");
            }
        }
        let open = edges.iter().filter(|(a, b)| !edges.contains(&(*b, *a))).count();
        let sides = if domain == Domain::Quads { 4 } else { 3 };
        let outer = levels.outer.iter().take(sides).map(|level| Segments::of(*level, spacing).count);
        assert_eq!(open, outer.sum::<usize>(), "{domain:?} {spacing:?} {levels:?}");
        count += made.primitives.len();
    }
    assert!(count > 100_000, "{count}");
}

/// The points of each edge of the domain, by their coordinate along it.
fn edges(domain: Domain, made: &Tessellated) -> Vec<Vec<u32>> {
    let on = |edge: usize, [u, v]: [f32; 2]| {
        let distance = match (edge, domain) {
            (0, _) => u,
            (1, _) => v,
            (2, Domain::Quads) => 1.0 - u,
            (3, Domain::Quads) => 1.0 - v,
            _ => 1.0 - u - v,
        };
        let along = if edge.is_multiple_of(2) { v } else { u };
        (distance == 0.0).then_some(along.to_bits())
    };
    let count = if domain == Domain::Quads { 4 } else { 3 };
    let sorted = |edge: usize| {
        let mut all: Vec<u32> = made.points.iter().filter_map(|point| on(edge, *point)).collect();
        all.sort_unstable();
        all
    };
    (0..count).map(sorted).collect()
}

#[test]
fn edges_depend_on_their_own_level_only_and_are_symmetric() {
    let mut seen: BTreeMap<(usize, u32), Vec<u32>> = BTreeMap::new();
    for (domain, spacing, levels) in patches() {
        let made = tessellated(domain, spacing, levels);
        for (edge, points) in edges(domain, &made).into_iter().enumerate() {
            let key = (SPACINGS.iter().position(|s| *s == spacing).unwrap(), levels.outer[edge].to_bits());
            let first = seen.entry(key).or_insert_with(|| points.clone());
            assert_eq!(*first, points, "{domain:?} {spacing:?} {levels:?} edge {edge}");
            let mirrored: Vec<u32> =
                points.iter().rev().map(|bits| (1.0 - f32::from_bits(*bits)).to_bits()).collect();
            assert_eq!(mirrored, points, "{spacing:?} {levels:?}");
        }
    }
    assert_eq!(seen.len(), SPACINGS.len() * LEVELS.len());
}

#[test]
fn the_interior_does_not_depend_on_outer_levels() {
    for (domain, spacing, levels) in patches() {
        let interior = |outer: f32| {
            let made = tessellated(domain, spacing, Levels { outer: [outer; 4], ..levels });
            let inside = |[u, v]: &[f32; 2]| match domain {
                Domain::Quads => [*u, *v, 1.0 - u, 1.0 - v].iter().all(|distance| *distance > 0.0),
                _ => [*u, *v, 1.0 - u - v].iter().all(|distance| *distance > 0.0),
            };
            made.points.iter().filter(|point| inside(point)).map(|p| p.map(f32::to_bits)).collect::<Vec<_>>()
        };
        assert_eq!(interior(2.0), interior(5.0), "{domain:?} {spacing:?} {levels:?}");
    }
}

#[test]
fn integer_levels_have_known_numbers_of_points_and_triangles() {
    let triangle = |outer: f32, inner: f32| Levels { outer: [outer; 4], inner: [inner; 2] };
    let cases = [
        (1.0, 1.0, 3, 1),
        (2.0, 2.0, 7, 6),
        (3.0, 3.0, 12, 13),
        (4.0, 4.0, 19, 24),
        // The interior is divided as by a level of 2.
        (2.0, 1.0, 7, 6),
        (1.0, 2.0, 4, 3),
    ];
    for (outer, inner, points, triangles) in cases {
        let made = tessellated(Domain::Triangles, Spacing::Equal, triangle(outer, inner));
        assert_eq!((made.points.len(), made.primitives.len()), (points, triangles), "{outer} {inner}");
    }
    // A level of 1 in one direction of the interior only.
    let square = |outer, inner| {
        let made = tessellated(Domain::Quads, Spacing::Equal, Levels { outer, inner });
        (made.points.len(), made.primitives.len())
    };
    assert_eq!(square([1.0; 4], [1.0; 2]), (4, 2));
    assert_eq!(square([3.0; 4], [3.0; 2]), (16, 18));
    assert_eq!(square([1.0, 2.0, 3.0, 4.0], [4.0, 3.0]), (10 + 6, 10 + 6 + 4));
    assert_eq!(square([1.0; 4], [1.0, 3.0]), (4 + 2, 4 + 2));
    let made = tessellated(Domain::Triangles, Spacing::FractionalOdd, triangle(3.0, 1.0));
    assert_eq!((made.points.len(), made.primitives.len()), (12, 13));
}

#[test]
fn a_triangle_of_level_2_has_its_centre() {
    let made = tessellated(Domain::Triangles, Spacing::Equal, Levels { outer: [1.0; 4], inner: [2.0; 2] });
    let [u, v] = made.points[3];
    assert!((u - 1.0 / 3.0).abs() < 1e-6 && (v - 1.0 / 3.0).abs() < 1e-6, "{u} {v}");
    assert_eq!(made.points[..3], [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    // The concentric triangle of level 3 has its corners at the perpendicular lines of the thirds.
    let made = tessellated(Domain::Triangles, Spacing::Equal, Levels { outer: [1.0; 4], inner: [3.0; 2] });
    for (point, expected) in made.points[3..].iter().zip([[2.0, 2.0], [5.0, 2.0], [2.0, 5.0]]) {
        assert!(point.iter().zip(expected).all(|(at, n)| (at - n / 9.0).abs() < 1e-6), "{point:?}");
    }
}

#[test]
fn levels_are_clamped_and_rounded() {
    let count = |level: f32, spacing: Spacing| Segments::of(level, spacing).count;
    for (level, expected) in [
        (0.5, [1, 1, 2]),
        (1.0, [1, 1, 2]),
        (1.5, [2, 3, 2]),
        (2.0, [2, 3, 2]),
        (2.5, [3, 3, 4]),
        (3.0, [3, 3, 4]),
        (3.5, [4, 5, 4]),
        (62.5, [63, 63, 64]),
        (63.5, [64, 63, 64]),
        (f32::from(LARGEST_LEVEL), [64, 63, 64]),
        (64.5, [64, 63, 64]),
        (f32::INFINITY, [64, 63, 64]),
        (-5.0, [1, 1, 2]),
        (f32::NAN, [1, 1, 2]),
    ] {
        assert_eq!(SPACINGS.map(|spacing| count(level, spacing)), expected, "{level}");
    }
    assert_eq!(
        tessellated(Domain::Quads, Spacing::Equal, Levels { outer: [65.0; 4], inner: [1e9; 2] }),
        tessellated(Domain::Quads, Spacing::Equal, Levels { outer: [64.0; 4], inner: [64.0; 2] }),
    );
}

#[test]
fn fractional_levels_have_two_shorter_segments() {
    let lengths = |level: f32, spacing: Spacing| -> Vec<f64> {
        let ends = Segments::of(level, spacing).ends();
        ends.windows(2).map(|pair| f64::from(pair[1] - pair[0]) / f64::from(grid::ONE)).collect()
    };
    for (level, spacing, shorter) in [
        (2.5, Spacing::FractionalEven, 0.25),
        (3.5, Spacing::FractionalEven, 0.75),
        (4.0, Spacing::FractionalEven, 1.0),
        (3.5, Spacing::FractionalOdd, 0.25),
    ] {
        let lengths = lengths(level, spacing);
        let (first, others) = (lengths[0] * f64::from(level), &lengths[1..lengths.len() - 1]);
        assert!((first - shorter).abs() < 1e-6, "{level} {first}");
        assert!(others.iter().all(|length| (length * f64::from(level) - 1.0).abs() < 1e-6), "{others:?}");
    }
    // Just above a level the shorter segments begin at no length.
    assert!(lengths(3.0 + 1e-6, Spacing::FractionalOdd)[0] < 1e-6);
}

#[test]
fn lines_have_their_number_and_their_segments() {
    let levels = Levels { outer: [2.5, 3.5, f32::NAN, -1.0], inner: [f32::NAN; 2] };
    for (spacing, segments) in SPACINGS.into_iter().zip([4, 5, 4]) {
        let made = tessellated(Domain::Isolines, spacing, levels);
        // Their number is rounded as for equal spacing.
        assert_eq!(made.primitives.len(), 3 * segments);
        let rows: BTreeSet<u32> = made.points.iter().map(|[_, v]| v.to_bits()).collect();
        let rows: Vec<f32> = rows.into_iter().map(f32::from_bits).collect();
        assert!(rows.len() == 3 && rows[0] == 0.0 && (rows[2] - 2.0 / 3.0).abs() < 1e-6, "{rows:?}");
        for line in &made.primitives {
            let [a, b] = [made.points[line[0]], made.points[line[1]]];
            assert!(a[1] == b[1] && a[0] < b[0], "{a:?} {b:?}");
        }
    }
}

#[test]
fn the_output_states_the_order_of_corners_or_points() {
    let levels = Levels { outer: [3.0; 4], inner: [5.0; 2] };
    for domain in [Domain::Triangles, Domain::Quads] {
        let made = |output| levels.tessellated(division(domain, Spacing::Equal, output)).unwrap();
        let clockwise = made(DivisionOutput::Clockwise);
        let areas = clockwise.primitives.iter().map(|triangle| area(&clockwise.points, triangle));
        assert!(areas.clone().all(|area| area < 0.0) && areas.count() > 9);
        let points = made(DivisionOutput::Points);
        assert_eq!(points.points, clockwise.points);
        assert_eq!(points.primitives, (0..points.points.len()).map(|n| vec![n]).collect::<Vec<_>>());
        let different: BTreeSet<_> = points.points.iter().map(|p| p.map(f32::to_bits)).collect();
        assert_eq!(different.len(), points.points.len());
        assert_eq!(levels.tessellated(division(domain, Spacing::Equal, DivisionOutput::Lines)), None);
    }
    let lines = |output| levels.tessellated(division(Domain::Isolines, Spacing::Equal, output)).unwrap();
    assert_eq!(lines(DivisionOutput::Lines), lines(DivisionOutput::Clockwise));
    assert!(lines(DivisionOutput::Points).primitives.iter().all(|primitive| primitive.len() == 1));
}

#[test]
fn a_patch_without_a_level_above_0_is_discarded() {
    for (domain, read) in [(Domain::Isolines, 2), (Domain::Triangles, 3), (Domain::Quads, 4)] {
        for edge in 0..4 {
            for level in [0.0, -1.0, f32::NAN] {
                let mut levels = Levels::default();
                levels.outer[edge] = level;
                let made = tessellated(domain, Spacing::Equal, levels);
                assert_eq!(made.points.is_empty(), edge < read, "{domain:?} {edge} {level}");
            }
        }
    }
}
