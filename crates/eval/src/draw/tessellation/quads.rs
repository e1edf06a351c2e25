//! Squares.

use super::Levels;
use super::grid::ONE;
use super::mesh::Mesh;
use super::segments::Segments;
use shisa_ir::Spacing;

/// The triangles of a square: a grid in the interior, and the area between it and the edges.
pub(super) fn mesh(levels: &Levels, spacing: Spacing) -> Mesh {
    let outer = levels.outer.map(|level| Segments::of(level, spacing));
    let mut mesh = Mesh::default();
    let edges = boundary(&mut mesh, outer);
    let undivided = levels.inner.map(|level| Segments::of(level, spacing));
    if outer.iter().chain(&undivided).all(|segments| segments.count == 1) {
        let [a, b, c, d] = edges.map(|edge| edge[0]);
        mesh.primitives = vec![vec![a, b, c], vec![a, c, d]];
        return mesh;
    }
    let [along_u, along_v] = levels.inner.map(|level| within(Segments::inner(level, spacing)));
    let rows: Vec<Vec<usize>> =
        along_v.iter().map(|v| along_u.iter().map(|u| mesh.point([*u, *v])).collect()).collect();
    for pair in rows.windows(2) {
        for (below, above) in pair[0].windows(2).zip(pair[1].windows(2)) {
            mesh.primitives.push(vec![below[0], below[1], above[1]]);
            mesh.primitives.push(vec![below[0], above[1], above[0]]);
        }
    }
    let column = |at: usize| rows.iter().map(move |row| row[at]);
    let (last_row, last_column) = (rows.len() - 1, along_u.len() - 1);
    let sides = [
        rows[0].clone(),
        column(last_column).collect(),
        rows[last_row].iter().rev().copied().collect(),
        column(0).rev().collect(),
    ];
    for (edge, side) in edges.iter().zip(&sides) {
        mesh.fill(edge, side);
    }
    mesh
}

/// The ends of segments without those of the edge.
fn within(segments: Segments) -> Vec<u32> {
    let ends = segments.ends();
    ends[1..ends.len() - 1].to_vec()
}

/// The points of the edges in counterclockwise order: v = 0, u = 1, v = 1, u = 0, each with both corners.
fn boundary(mesh: &mut Mesh, [left, bottom, right, top]: [Segments; 4]) -> [Vec<usize>; 4] {
    let corners = [[0, 0], [ONE, 0], [ONE, ONE], [0, ONE]].map(|corner| mesh.point(corner));
    let mut side = |number: usize, segments: Segments| {
        let mut chain = vec![corners[number]];
        chain.extend(within(segments).into_iter().map(|at| {
            mesh.point(match number {
                0 => [at, 0],
                1 => [ONE, at],
                2 => [ONE - at, ONE],
                _ => [0, ONE - at],
            })
        }));
        chain.push(corners[(number + 1) % 4]);
        chain
    };
    [side(0, bottom), side(1, right), side(2, top), side(3, left)]
}
