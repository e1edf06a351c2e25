//! Wavefront OBJ.

use super::{Mesh, Vertex, fits, unit};
use shisa_diag::{Diagnostic, Limits, escape};
use std::collections::BTreeMap;

type Read<T> = Result<T, Diagnostic>;

/// The numbers of position, texture coordinates and normal of a corner, from 0.
type Corner = [Option<usize>; 3];

/// The lists that corners refer to.
#[derive(Default)]
struct Lists {
    positions: Vec<([f32; 3], [f32; 4])>,
    coordinates: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
}

/// Reads a text. Polygons are divided into triangles that share their first corner; lines that describe something else, such
/// as materials, are ignored.
///
/// # Errors
/// `mesh-obj` for numbers that are none, and for corners that do not exist; `limit-exceeded`.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Read<Mesh> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let d = Diagnostic::error("mesh-obj", format!("the mesh is neither text in UTF-8 ({e}) nor glTF"));
        d.help("meshes are Wavefront OBJ, or glTF 2.0 as .gltf or .glb")
    })?;
    let (mut lists, mut mesh) = (Lists::default(), Mesh::default());
    let mut known: BTreeMap<Corner, usize> = BTreeMap::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.trim_end().len();
        start += line.len();
        let at = |d: Diagnostic| d.at_text(range.clone(), "");
        let content = line.split('#').next().unwrap_or(line);
        let mut words = content.split_ascii_whitespace();
        let keyword = words.next();
        let words: Vec<&str> = words.collect();
        match keyword {
            Some("v") => lists.positions.push(position(&words).map_err(at)?),
            Some("vt") => {
                let [u, v] = numbers(&words, 1).map_err(at)?;
                // Images begin at the top, coordinates of OBJ at the bottom.
                lists.coordinates.push([u, 1.0 - v]);
            }
            Some("vn") => lists.normals.push(unit(numbers(&words, 3).map_err(at)?)),
            Some("f") => {
                let corners = words.iter().map(|word| lists.corner(word)).collect::<Read<Vec<Corner>>>();
                let mut numbers = Vec::new();
                for corner in corners.map_err(at)? {
                    let next = mesh.vertices.len();
                    let number = *known.entry(corner).or_insert(next);
                    if number == next {
                        mesh.vertices.push(lists.vertex(corner));
                    }
                    numbers.push(number);
                }
                let Some((first, rest)) = numbers.split_first().filter(|(_, rest)| rest.len() > 1) else {
                    return Err(at(wrong(format!(
                        "a face has {} corners; it has at least 3",
                        numbers.len()
                    ))));
                };
                mesh.triangles.extend(rest.windows(2).map(|edge| [*first, edge[0], edge[1]]));
            }
            _ => {}
        }
        fits(mesh.vertices.len().max(lists.positions.len()), mesh.triangles.len(), limits)?;
    }
    Ok(mesh)
}

fn wrong(text: String) -> Diagnostic {
    Diagnostic::error("mesh-obj", text)
}

/// The first numbers of a line, of which the last ones may be absent and are then 0.
fn numbers<const N: usize>(words: &[&str], needed: usize) -> Read<[f32; N]> {
    if words.len() < needed {
        return Err(wrong(format!("{} numbers, and {needed} are needed", words.len())));
    }
    let mut numbers = [0.0; N];
    for (number, word) in numbers.iter_mut().zip(words) {
        let read = word.parse().ok().filter(|number: &f32| number.is_finite());
        *number = read.ok_or_else(|| wrong(format!("`{}` is not a number", escape(word))))?;
    }
    Ok(numbers)
}

/// A position, and the colour after it; white if there is none.
fn position(words: &[&str]) -> Read<([f32; 3], [f32; 4])> {
    let position = numbers(words, 3)?;
    match words.get(3..6) {
        Some(color) => {
            let [red, green, blue] = numbers(color, 3)?;
            Ok((position, [red, green, blue, 1.0]))
        }
        None => Ok((position, [1.0; 4])),
    }
}

impl Lists {
    /// The numbers of a corner such as `1/2/3`, `1//3` or `-1`, which counts from the end.
    fn corner(&self, word: &str) -> Read<Corner> {
        let lengths = [self.positions.len(), self.coordinates.len(), self.normals.len()];
        let mut corner = [None; 3];
        let mut parts = word.split('/');
        for ((slot, length), part) in corner.iter_mut().zip(lengths).zip(&mut parts) {
            if part.is_empty() {
                continue;
            }
            let number: Option<i64> = part.parse().ok();
            let index = number.and_then(|n| match n {
                1.. => usize::try_from(n - 1).ok(),
                _ => length.checked_add_signed(isize::try_from(n).ok().filter(|n| *n < 0)?),
            });
            *slot =
                Some(index.filter(|index| *index < length).ok_or_else(|| {
                    wrong(format!("corner `{}` names entry {part} of {length}", escape(word)))
                })?);
        }
        if corner[0].is_none() || parts.next().is_some() {
            return Err(wrong(format!("`{}` is not a corner; corners are such as 1/2/3", escape(word))));
        }
        Ok(corner)
    }

    /// The vertex of a corner that exists.
    fn vertex(&self, [position, coordinates, normal]: Corner) -> Vertex {
        let mut vertex = Vertex::default();
        if let Some((position, color)) = position.and_then(|n| self.positions.get(n)) {
            (vertex.position, vertex.color) = (*position, *color);
        }
        if let Some(coordinates) = coordinates.and_then(|n| self.coordinates.get(n)) {
            vertex.coordinates = *coordinates;
        }
        if let Some(normal) = normal.and_then(|n| self.normals.get(n)) {
            vertex.normal = *normal;
        }
        vertex
    }
}
