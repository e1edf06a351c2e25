//! Primitives of lists of vertices.

/// How vertices form primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assembly {
    /// A point for each vertex.
    Points,
    /// A line for every two vertices.
    Lines,
    /// Connected lines.
    LineStrip,
    /// Connected lines, and one from the last vertex to the first.
    LineLoop,
    /// A triangle for every three vertices.
    Triangles,
    /// Triangles, each with the last two vertices of the one before it.
    TriangleStrip,
    /// Triangles that have the first vertex in common.
    TriangleFan,
    /// A line for every four vertices: the first and the last are beside it.
    LinesAdjacency,
    /// A triangle for every six vertices: every second one is beside it.
    TrianglesAdjacency,
    /// Patches of a number of vertices.
    Patches(usize),
}

/// The vertex of a primitive whose values constant inputs have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Provoking {
    /// The first one, as in Vulkan.
    First,
    /// The last one, as in OpenGL.
    #[default]
    Last,
}

impl Provoking {
    /// The vertex among those of a primitive.
    pub fn among<T>(self, corners: &[T]) -> Option<&T> {
        match self {
            Provoking::First => corners.first(),
            Provoking::Last => corners.last(),
        }
    }

    /// Exchanges vertices of a triangle of a strip, which is in counterclockwise order with its last vertex at the end, so
    /// that its first vertex is at the start if this is the one. The order stays counterclockwise.
    pub fn turn(self, corners: &mut [usize]) {
        if let (Provoking::First, [a, b, _]) = (self, &corners)
            && a > b
        {
            corners.rotate_left(1);
        }
    }
}

impl Assembly {
    /// The assembly of a name, such as `triangle_strip`; `patches` is of the given number of vertices.
    pub fn of(name: &str, patch: usize) -> Option<Assembly> {
        Some(match name {
            "points" => Assembly::Points,
            "lines" => Assembly::Lines,
            "line_strip" => Assembly::LineStrip,
            "line_loop" => Assembly::LineLoop,
            "triangles" => Assembly::Triangles,
            "triangle_strip" => Assembly::TriangleStrip,
            "triangle_fan" => Assembly::TriangleFan,
            "lines_adjacency" => Assembly::LinesAdjacency,
            "triangles_adjacency" => Assembly::TrianglesAdjacency,
            "patches" => Assembly::Patches(patch),
            _ => return None,
        })
    }

    /// The vertices of each primitive. Vertices at the end that form none are left out. All triangles of a strip have
    /// one winding: every other one has two vertices exchanged. The vertex of a strip or a fan that constant inputs have is
    /// first or last.
    pub fn primitives(self, vertices: &[usize], provoking: Provoking) -> Vec<Vec<usize>> {
        let groups = |size: usize| vertices.chunks_exact(size.max(1)).map(<[usize]>::to_vec).collect();
        match self {
            Assembly::Points => groups(1),
            Assembly::Lines => groups(2),
            Assembly::LineStrip => vertices.windows(2).map(<[usize]>::to_vec).collect(),
            Assembly::LineLoop => {
                let mut all = Assembly::LineStrip.primitives(vertices, provoking);
                if let (Some(first), Some(last), false) = (vertices.first(), vertices.last(), all.is_empty())
                {
                    all.push(vec![*last, *first]);
                }
                all
            }
            Assembly::Triangles => groups(3),
            Assembly::TriangleStrip => {
                let mut all: Vec<Vec<usize>> = vertices.windows(3).map(<[usize]>::to_vec).collect();
                for corners in all.iter_mut().skip(1).step_by(2) {
                    match provoking {
                        Provoking::First => corners.swap(1, 2),
                        Provoking::Last => corners.swap(0, 1),
                    }
                }
                all
            }
            Assembly::TriangleFan => match (vertices.split_first(), provoking) {
                (Some((first, rest)), Provoking::First) => {
                    rest.windows(2).map(|edge| [edge, &[*first]].concat()).collect()
                }
                (Some((first, rest)), Provoking::Last) => {
                    rest.windows(2).map(|edge| [&[*first], edge].concat()).collect()
                }
                (None, _) => Vec::new(),
            },
            Assembly::LinesAdjacency => groups(4),
            Assembly::TrianglesAdjacency => groups(6),
            Assembly::Patches(size) => groups(size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Assembly, Provoking};

    #[test]
    fn vertices_form_primitives() {
        for (name, vertices, expected) in [
            ("points", 2, vec![vec![0], vec![1]]),
            ("lines", 5, vec![vec![0, 1], vec![2, 3]]),
            ("line_strip", 3, vec![vec![0, 1], vec![1, 2]]),
            ("line_loop", 3, vec![vec![0, 1], vec![1, 2], vec![2, 0]]),
            ("line_loop", 1, vec![]),
            ("triangles", 5, vec![vec![0, 1, 2]]),
            ("triangle_strip", 5, vec![vec![0, 1, 2], vec![2, 1, 3], vec![2, 3, 4]]),
            ("triangle_fan", 4, vec![vec![0, 1, 2], vec![0, 2, 3]]),
            ("triangle_fan", 0, vec![]),
            ("lines_adjacency", 4, vec![vec![0, 1, 2, 3]]),
            ("triangles_adjacency", 6, vec![vec![0, 1, 2, 3, 4, 5]]),
            ("patches", 4, vec![vec![0, 1], vec![2, 3]]),
        ] {
            let indices: Vec<usize> = (0..vertices).collect();
            assert_eq!(
                Assembly::of(name, 2).unwrap().primitives(&indices, Provoking::Last),
                expected,
                "{name}"
            );
        }
        assert_eq!(Assembly::of("squares", 3), None);
    }

    /// The vertices of the table of OpenGL's glProvokingVertex.
    #[test]
    fn the_first_vertex_is_the_provoking_one() {
        let all = [0, 1, 2, 3, 4];
        for (assembly, first, last) in
            [(Assembly::TriangleStrip, [0, 1, 2], [2, 3, 4]), (Assembly::TriangleFan, [1, 2, 3], [2, 3, 4])]
        {
            let corners = |provoking: Provoking| assembly.primitives(&all, provoking);
            let provoking = |provoking: Provoking| {
                corners(provoking).iter().map(|c| *provoking.among(c).unwrap()).collect::<Vec<_>>()
            };
            assert_eq!(provoking(Provoking::First), first);
            assert_eq!(provoking(Provoking::Last), last);
            // Both are the same triangles with the same winding.
            for (a, b) in corners(Provoking::First).iter().zip(corners(Provoking::Last)) {
                assert!((0..3).any(|by| (0..3).all(|n| a[n] == b[(n + by) % 3])), "{a:?} {b:?}");
            }
        }
        let turned = |mut corners: Vec<usize>, provoking: Provoking| {
            provoking.turn(&mut corners);
            corners
        };
        assert_eq!(turned(vec![2, 1, 3], Provoking::First), [1, 3, 2]);
        assert_eq!(turned(vec![2, 1, 3], Provoking::Last), [2, 1, 3]);
        assert_eq!(turned(vec![1, 2, 3], Provoking::First), [1, 2, 3]);
        assert_eq!(turned(vec![2, 1], Provoking::First), [2, 1]);
    }
}
