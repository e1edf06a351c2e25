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
    values: Values,
}

const fn key(path: &'static str, meaning: &'static str, default: &'static str) -> Key {
    Key { path, meaning, default, values: &[] }
}

const fn choice(path: &'static str, meaning: &'static str, default: &'static str, values: Values) -> Key {
    Key { path, meaning, default, values }
}

/// Names with their meanings.
type Values = &'static [(&'static str, &'static str)];

/// Comparisons of depths.
#[rustfmt::skip]
const DEPTH_TESTS: Values = &[
    ("never", "it never passes"),
    ("less", "the depth is less than the stored one"),
    ("equal", "both are equal"),
    ("less_equal", "it is less or equal"),
    ("greater", "it is greater"),
    ("not_equal", "they differ"),
    ("greater_equal", "it is greater or equal"),
    ("always", "it always passes"),
];

/// Comparisons of stencil values.
#[rustfmt::skip]
const STENCIL_TESTS: Values = &[
    ("never", "it never passes"),
    ("less", "the reference is less than the stored value"),
    ("equal", "both are equal"),
    ("less_equal", "it is less or equal"),
    ("greater", "it is greater"),
    ("not_equal", "they differ"),
    ("greater_equal", "it is greater or equal"),
    ("always", "it always passes"),
];

/// What becomes of a stencil value.
#[rustfmt::skip]
const ACTIONS: Values = &[
    ("keep", "nothing changes"),
    ("zero", "it becomes 0"),
    ("replace", "it becomes the reference"),
    ("increment", "1 is added, up to 255"),
    ("decrement", "1 is subtracted, down to 0"),
    ("invert", "all bits are inverted"),
    ("increment_wrap", "1 is added; 0 follows 255"),
    ("decrement_wrap", "1 is subtracted; 255 follows 0"),
];

/// Factors of blending.
#[rustfmt::skip]
const FACTORS: Values = &[
    ("zero", ""),
    ("one", ""),
    ("source", "the program's colour"),
    ("one_minus_source", ""),
    ("destination", "the target's colour"),
    ("one_minus_destination", ""),
    ("source_alpha", "the program's alpha"),
    ("one_minus_source_alpha", ""),
    ("destination_alpha", "the target's alpha"),
    ("one_minus_destination_alpha", ""),
    ("constant", "draw.blend_constant"),
    ("one_minus_constant", ""),
    ("constant_alpha", "the alpha of draw.blend_constant"),
    ("one_minus_constant_alpha", ""),
    ("source_alpha_saturate", "the smaller of the program's alpha and 1 minus the target's; 1 for alpha"),
];

/// How colours are combined.
#[rustfmt::skip]
const COMBINATIONS: Values = &[
    ("add", "their sum"),
    ("subtract", "the program's minus the target's"),
    ("reverse_subtract", "the target's minus the program's"),
    ("min", "the smaller colour, without factors"),
    ("max", "the larger colour, without factors"),
];

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
    key("draw.restart", "The index that is no vertex, but ends a strip, a loop, a fan or a list; the next vertex begins another one.", "no index ends one"),
    key("draw.vertices", "The vertices of each instance. The run makes those of the vertex stage from them.", "the vertices of the vertex stage, for one instance"),
    key("draw.vertices.in", "The attributes of a vertex, by name. They are before those of the instance.", "none"),
    key("draw.instances", "How many instances are drawn, or a list with the attributes of each. The attribute instance is the number of the instance, from 0; the numbers of primitives begin at 0 in each.", "1"),
    key("draw.instances.in", "The attributes of all vertices of an instance, by name.", "none"),
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
    choice("draw.provoking", "The vertex whose values an input of a fragment program has that the header states as constant. Strips and fans have their vertices in the order that OpenGL's glProvokingVertex states for each. Triangles of patches have them in the order of the tessellator.", "last", &[
        ("first", "as in Vulkan"),
        ("last", "as in OpenGL"),
    ]),
    choice("draw.front", "The order of corners of triangles whose front is visible, where y points up.", "counterclockwise", &[
        ("counterclockwise", ""),
        ("clockwise", ""),
    ]),
    choice("draw.cull", "Triangles that are not drawn. Points and lines have no back and are always drawn.", "none", &[
        ("none", "all triangles are drawn"),
        ("front", "those whose front is visible are not drawn"),
        ("back", "those whose back is visible are not drawn"),
        ("front_and_back", "no triangle is drawn"),
    ]),
    key("draw.line_width", "The width of lines in pixels, 1 to 64, along the axis along which a line is shorter. A pixel belongs to a line if the line leaves the diamond around its centre (the diamond-exit rule of OpenGL 4.6, section 14.5.1).", "1"),
    key("draw.clip_distances", "The numbers, 0 to 7, of the clip distances that cut: a pixel is not covered where one of them is negative at its centre.", "all that the program before the rasteriser writes, as in Vulkan"),
    key("draw.depth_clip", "Whether pixels before or past the visible range of depth are cut. Otherwise their depth is clamped to it.", "true"),
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
    key("draw.depth", "The depth test, after the fragment program. The depth is that which the program outputs, else that of the primitive, clamped to 0 to 1 and stored as binary32.", "no test, and nothing is stored"),
    choice("draw.depth.test", "Compares the depth of a pixel with the stored one; only pixels that pass are drawn.", "less", DEPTH_TESTS),
    key("draw.depth.write", "Whether the depth is stored where the test passes.", "true"),
    key("draw.depth.clear", "The depth that is stored before the draw call.", "1"),
    key("draw.stencil", "The stencil test, before the depth test. Each pixel has 8 bits.", "no test, and nothing is stored"),
    key("draw.stencil.front", "The stencil test of points, lines and triangles that show their front.", "always passes and changes nothing"),
    choice("draw.stencil.front.test", "Compares the reference with the stored value, both masked by read_mask.", "always", STENCIL_TESTS),
    key("draw.stencil.front.reference", "The value that is compared, 0 to 255.", "0"),
    key("draw.stencil.front.read_mask", "The bits that are compared, 0 to 255.", "255"),
    key("draw.stencil.front.write_mask", "The bits that change, 0 to 255.", "255"),
    choice("draw.stencil.front.fail", "What the stored value becomes where the stencil test fails.", "keep", ACTIONS),
    choice("draw.stencil.front.depth_fail", "What the stored value becomes where the stencil test passes and the depth test fails.", "keep", ACTIONS),
    choice("draw.stencil.front.pass", "What the stored value becomes where both tests pass.", "keep", ACTIONS),
    key("draw.stencil.back", "The stencil test of triangles that show their back.", "as draw.stencil.front"),
    choice("draw.stencil.back.test", "Compares the reference with the stored value, both masked by read_mask.", "always", STENCIL_TESTS),
    key("draw.stencil.back.reference", "The value that is compared, 0 to 255.", "0"),
    key("draw.stencil.back.read_mask", "The bits that are compared, 0 to 255.", "255"),
    key("draw.stencil.back.write_mask", "The bits that change, 0 to 255.", "255"),
    choice("draw.stencil.back.fail", "What the stored value becomes where the stencil test fails.", "keep", ACTIONS),
    choice("draw.stencil.back.depth_fail", "What the stored value becomes where the stencil test passes and the depth test fails.", "keep", ACTIONS),
    choice("draw.stencil.back.pass", "What the stored value becomes where both tests pass.", "keep", ACTIONS),
    key("draw.stencil.clear", "The value that is stored before the draw call, 0 to 255.", "0"),
    key("draw.targets", "The state of each render target, in their order, up to 8.", "the program's colour replaces that of the target"),
    key("draw.targets.mask", "The components that are written, by the letters r, g, b and a; an empty text is none. The others keep what the target has.", "rgba"),
    key("draw.targets.clear", "The colour before the draw call, four numbers.", "0 where the colour counts; pixels that nothing is drawn to are -"),
    key("draw.targets.blend", "How the program's colour is combined with that of the target. Both are binary32, without a range; components that the program does not output are 0, and alpha is 1.", "the program's colour replaces that of the target"),
    key("draw.targets.blend.color", "The equation of red, green and blue.", "the program's colour replaces that of the target"),
    choice("draw.targets.blend.color.source", "What the program's colour is multiplied with.", "one", FACTORS),
    choice("draw.targets.blend.color.destination", "What the target's colour is multiplied with.", "zero", FACTORS),
    choice("draw.targets.blend.color.combination", "How the two products are combined.", "add", COMBINATIONS),
    key("draw.targets.blend.alpha", "The equation of alpha.", "as draw.targets.blend.color"),
    choice("draw.targets.blend.alpha.source", "What the program's colour is multiplied with.", "one", FACTORS),
    choice("draw.targets.blend.alpha.destination", "What the target's colour is multiplied with.", "zero", FACTORS),
    choice("draw.targets.blend.alpha.combination", "How the two products are combined.", "add", COMBINATIONS),
    key("draw.blend_constant", "The constant colour of blending, four numbers.", "0 for all"),
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
