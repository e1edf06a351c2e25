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

const DRAW: [(&str, Shape); 4] = [
    ("topology", Shape::Any),
    ("indices", Shape::Any),
    ("front", Shape::Any),
    ("viewport", Shape::Keys(&VIEWPORT)),
];

const VIEWPORT: [(&str, Shape); 4] =
    [("width", Shape::Any), ("height", Shape::Any), ("origin", Shape::Any), ("depth", Shape::Any)];

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
