//! The keys of draw calls.

use crate::explain::{Explanation, Section};

/// A key of `draw` in an input of `run`.
pub(in super::super) struct Key {
    /// Its path, such as `draw.viewport.width`.
    pub(in super::super) path: &'static str,
    /// What it states, in units and ranges.
    meaning: &'static str,
    /// What holds without it.
    default: &'static str,
    /// Its values, if they are names, with their meanings.
    values: &'static [(&'static str, &'static str)],
}

const fn key(path: &'static str, meaning: &'static str, default: &'static str) -> Key {
    Key { path, meaning, default, values: &[] }
}

const fn choice(
    path: &'static str,
    meaning: &'static str,
    default: &'static str,
    values: &'static [(&'static str, &'static str)],
) -> Key {
    Key { path, meaning, default, values }
}

/// Every key.
#[rustfmt::skip]
pub(in super::super) const KEYS: &[Key] = &[
    choice("draw.topology", "How vertices form primitives.", "a draw call needs it", &[
        ("points", "a point for each vertex"),
        ("lines", "a line for every two vertices"),
        ("line_strip", "connected lines"),
        ("line_loop", "connected lines, and one from the last vertex to the first"),
        ("triangles", "a triangle for every three vertices"),
        ("triangle_strip", "triangles, each with the last two vertices of the one before it"),
        ("triangle_fan", "triangles that have the first vertex in common"),
        ("lines_adjacency", "a line for every four vertices; a geometry program also reads the first and the last one"),
        ("triangles_adjacency", "a triangle for every six vertices; a geometry program also reads every second one"),
        ("patches", "patches of draw.patch vertices, which a tessellation evaluation program needs"),
    ]),
    key("draw.indices", "The vertices of primitives by number, from 0.", "all vertices, in their order"),
    key("draw.patch", "The number of vertices of a patch, 1 to 32.", "3, as in OpenGL"),
    key("draw.levels", "The levels of tessellation of patches that no control program runs for. Levels are clamped: the largest is 64, for fractional_odd 63. A patch with an outer level of its domain that is not above 0 is discarded.", "1 for all"),
    key("draw.levels.outer", "Four levels, one for each edge: u = 0, v = 0, w = 0 of a triangle; u = 0, v = 0, u = 1, v = 1 of quads; for isolines their number and the number of their segments.", "1 for all"),
    key("draw.levels.inner", "Two levels of the interior: the first one of a triangle; along u and along v of quads.", "1 for both"),
    key("draw.division", "How patches are divided. The hardware has it as state, not in the header of a program.", "what the file of the evaluation program states (a DKSH does), else triangles, equal, counterclockwise"),
    choice("draw.division.domain", "What is divided.", "see draw.division", &[
        ("isolines", "lines along u"),
        ("triangles", "a triangle with the coordinates u, v and w = 1 - u - v"),
        ("quads", "a square"),
    ]),
    choice("draw.division.spacing", "How edges are divided.", "see draw.division", &[
        ("equal", "into as many equal segments as the level, rounded up"),
        ("fractional_odd", "into an odd number of segments, of which the first and the last one are shorter"),
        ("fractional_even", "into an even number of segments, of which the first and the last one are shorter"),
    ]),
    choice("draw.division.output", "What the points of a divided patch form. Isolines form lines, or points.", "see draw.division", &[
        ("points", "a point each"),
        ("lines", "lines, of isolines only"),
        ("clockwise", "triangles in this order where u points right and v up"),
        ("counterclockwise", "triangles in this order where u points right and v up"),
    ]),
    choice("draw.front", "The order of corners of triangles whose front is visible, where y points up.", "counterclockwise", &[
        ("counterclockwise", ""),
        ("clockwise", ""),
    ]),
    key("draw.viewport", "The pixels that show positions from -1 to 1.", "none; a fragment program needs it"),
    key("draw.viewport.width", "Pixels of a row, at least 1.", "a viewport needs it"),
    key("draw.viewport.height", "Rows of pixels, at least 1.", "a viewport needs it"),
    choice("draw.viewport.origin", "The position of row 0.", "upper_left", &[
        ("upper_left", "row 0 is at the top; y of positions points up"),
        ("lower_left", "row 0 is at the bottom; y of positions points up"),
    ]),
    choice("draw.viewport.depth", "The visible range of z / w.", "zero_to_one", &[
        ("zero_to_one", "z / w is the depth"),
        ("minus_one_to_one", "-1 to 1 are the depths 0 to 1, as in OpenGL"),
    ]),
];

pub(super) fn explain(word: &str) -> Option<Explanation> {
    if word == "draw" {
        return Some(all());
    }
    let key = KEYS.iter().find(|key| key.path == word)?;
    let mut explanation = Explanation::new(key.path, "key of a Maxwell draw call", key.meaning)
        .section("Without it", vec![key.default.into()]);
    if !key.values.is_empty() {
        let value = |(name, about): &(&str, &str)| match *about {
            "" => (*name).to_owned(),
            about => format!("{name}: {about}"),
        };
        let lines = key.values.iter().map(value).collect();
        explanation = explanation.section("Values", lines);
    }
    Some(explanation)
}

/// The list of keys.
fn all() -> Explanation {
    let width = KEYS.iter().map(|key| key.path.len()).max().unwrap_or(0);
    let sentence = |text: &'static str| text.split_once(". ").map_or(text, |(first, _)| first);
    let line = |key: &Key| format!("{:width$}  {}", key.path, sentence(key.meaning).trim_end_matches('.'));
    let summary = "A draw call: programs of several stages run, and the outputs of one are the inputs of the next. Its \
                   key `draw` in the input of `run` states what the hardware has as state besides the programs.";
    Explanation {
        word: "draw".into(),
        kind: "Maxwell concept",
        summary: summary.into(),
        sections: vec![Section { heading: "Keys", lines: KEYS.iter().map(line).collect() }],
    }
}

pub(super) fn words() -> impl Iterator<Item = String> {
    KEYS.iter().map(|key| key.path).chain(["draw"]).map(String::from)
}
