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
    /// one winding: every other one has its first two vertices exchanged.
    pub fn primitives(self, vertices: &[usize]) -> Vec<Vec<usize>> {
        let groups = |size: usize| vertices.chunks_exact(size.max(1)).map(<[usize]>::to_vec).collect();
        match self {
            Assembly::Points => groups(1),
            Assembly::Lines => groups(2),
            Assembly::LineStrip => vertices.windows(2).map(<[usize]>::to_vec).collect(),
            Assembly::LineLoop => {
                let mut all = Assembly::LineStrip.primitives(vertices);
                if let (Some(first), Some(last), false) = (vertices.first(), vertices.last(), all.is_empty())
                {
                    all.push(vec![*last, *first]);
                }
                all
            }
            Assembly::Triangles => groups(3),
            Assembly::TriangleStrip => {
                let mut all: Vec<Vec<usize>> = vertices.windows(3).map(<[usize]>::to_vec).collect();
                all.iter_mut().skip(1).step_by(2).for_each(|corners| corners.swap(0, 1));
                all
            }
            Assembly::TriangleFan => match vertices.split_first() {
                Some((first, rest)) => rest.windows(2).map(|edge| [&[*first], edge].concat()).collect(),
                None => Vec::new(),
            },
            Assembly::LinesAdjacency => groups(4),
            Assembly::TrianglesAdjacency => groups(6),
            Assembly::Patches(size) => groups(size),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Assembly;

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
            assert_eq!(Assembly::of(name, 2).unwrap().primitives(&indices), expected, "{name}");
        }
        assert_eq!(Assembly::of("squares", 3), None);
    }
}
