//! The keys of inputs for kernels.

use crate::run::Shape;

/// The keys, with those of the outputs, of the tests that judge them, and of descriptions of the program.
pub(super) const KEYS: Shape = Shape::Keys(&[
    ("version", Shape::Any),
    ("kernel", Shape::Any),
    ("grid", Shape::Any),
    ("block", Shape::Any),
    ("dynamic_shared", Shape::Any),
    ("shared", Shape::Any),
    ("local", Shape::Any),
    ("stack", Shape::Any),
    ("registers", Shape::Any),
    ("params", Shape::Any),
    ("constants", Shape::Any),
    ("buffers", Shape::Each(&BUFFER)),
    ("workgroups", Shape::Any),
    ("local_size", Shape::Any),
    ("resources", Shape::Each(&RESOURCE)),
    ("vertices", Shape::Each(&ITEM)),
    ("pixels", RECTANGLES),
    ("primitives", Shape::Each(&PRIMITIVE)),
    ("patches", Shape::Each(&PATCH)),
    ("draw", Shape::Keys(&DRAW)),
    ("stages", Shape::Each(&STAGE)),
    ("drawn", Shape::Any),
    ("executed", Shape::Any),
    ("findings", Shape::Any),
    ("profile", Shape::Any),
    ("trace", Shape::Any),
    ("cubin", Shape::Any),
    ("category", Shape::Any),
    ("arch", Shape::Any),
    ("opt", Shape::Any),
    ("features", Shape::Any),
    ("mnemonics", Shape::Any),
]);

const DRAW: [(&str, Shape); 19] = [
    ("topology", Shape::Any),
    ("indices", Shape::Any),
    ("restart", Shape::Any),
    ("vertices", Shape::Each(&GIVEN)),
    ("instances", Shape::Each(&GIVEN)),
    ("patch", Shape::Any),
    ("levels", Shape::Keys(&LEVELS)),
    ("division", Shape::Keys(&DIVISION)),
    ("provoking", Shape::Any),
    ("front", Shape::Any),
    ("cull", Shape::Any),
    ("line_width", Shape::Any),
    ("clip_distances", Shape::Any),
    ("depth_clip", Shape::Any),
    ("viewport", Shape::Keys(&VIEWPORT)),
    ("depth", Shape::Keys(&DEPTH)),
    ("stencil", Shape::Keys(&STENCIL)),
    ("targets", Shape::Each(&TARGET)),
    ("blend_constant", Shape::Any),
];

const GIVEN: Shape = Shape::Keys(&[("in", Shape::Any)]);

const LEVELS: [(&str, Shape); 2] = [("outer", Shape::Any), ("inner", Shape::Any)];

const DIVISION: [(&str, Shape); 3] =
    [("domain", Shape::Any), ("spacing", Shape::Any), ("output", Shape::Any)];

const VIEWPORT: [(&str, Shape); 4] =
    [("width", Shape::Any), ("height", Shape::Any), ("origin", Shape::Any), ("depth", Shape::Any)];

const DEPTH: [(&str, Shape); 3] = [("test", Shape::Any), ("write", Shape::Any), ("clear", Shape::Any)];

const STENCIL: [(&str, Shape); 3] =
    [("front", Shape::Keys(&FACE)), ("back", Shape::Keys(&FACE)), ("clear", Shape::Any)];

const FACE: [(&str, Shape); 7] = [
    ("test", Shape::Any),
    ("reference", Shape::Any),
    ("read_mask", Shape::Any),
    ("write_mask", Shape::Any),
    ("fail", Shape::Any),
    ("depth_fail", Shape::Any),
    ("pass", Shape::Any),
];

const TARGET: Shape =
    Shape::Keys(&[("mask", Shape::Any), ("clear", Shape::Any), ("blend", Shape::Keys(&BLEND))]);

const BLEND: [(&str, Shape); 2] = [("color", Shape::Keys(&EQUATION)), ("alpha", Shape::Keys(&EQUATION))];

const EQUATION: [(&str, Shape); 3] =
    [("source", Shape::Any), ("destination", Shape::Any), ("combination", Shape::Any)];

/// The input of a stage of a draw call.
const STAGE: Shape = Shape::Keys(&[
    ("constants", Shape::Any),
    ("resources", Shape::Each(&RESOURCE)),
    ("vertices", Shape::Each(&ITEM)),
    ("pixels", RECTANGLES),
    ("primitives", Shape::Each(&PRIMITIVE)),
    ("patches", Shape::Each(&PATCH)),
    ("executed", Shape::Any),
]);

const RECTANGLES: Shape = Shape::Several(&Shape::Keys(&PIXELS));

const BUFFER: Shape = Shape::Keys(&[
    ("address", Shape::Any),
    ("type", Shape::Any),
    ("data", Shape::Any),
    ("expected", Shape::Any),
    ("tolerance", Shape::Any),
]);

const RESOURCE: Shape = Shape::Keys(&[
    ("kind", Shape::Any),
    ("binding", Shape::Any),
    ("type", Shape::Any),
    ("data", Shape::Any),
    ("expected", Shape::Any),
    ("tolerance", Shape::Any),
    ("dim", Shape::Any),
    ("format", Shape::Any),
    ("width", Shape::Any),
    ("height", Shape::Any),
    ("depth", Shape::Any),
    ("layers", Shape::Any),
    ("levels", Shape::Any),
    ("filter", Shape::Any),
    ("wrap", Shape::Any),
    ("compare", Shape::Any),
]);

const ITEM: Shape = Shape::Keys(&[("in", Shape::Any), ("out", Shape::Any)]);

const PIXELS: [(&str, Shape); 10] = [
    ("x", Shape::Any),
    ("y", Shape::Any),
    ("covered", Shape::Any),
    ("width", Shape::Any),
    ("height", Shape::Any),
    ("in", Shape::Any),
    ("each", Shape::Any),
    ("coverage", Shape::Any),
    ("out", Shape::Any),
    ("killed", Shape::Any),
];

const PRIMITIVE: Shape = Shape::Keys(&[("vertices", Shape::Any), ("in", Shape::Any), ("out", Shape::Any)]);

const PATCH: Shape = Shape::Keys(&[
    ("vertices", Shape::Any),
    ("in", Shape::Any),
    ("patch", Shape::Any),
    ("points", Shape::Any),
    ("out", Shape::Any),
]);
