//! The keys of inputs for compute programs and for programs that draw.

use crate::run::Shape;

/// The keys, with those of the outputs and of the tests that judge them.
pub(super) const KEYS: Shape = Shape::Keys(&[
    ("version", Shape::Any),
    ("uniforms_hex", Shape::Any),
    ("buffers", Shape::Each(&BUFFER)),
    ("executed", Shape::Any),
    ("trace", Shape::Any),
    ("grid", Shape::Any),
    ("workgroup", Shape::Any),
    ("programs", Shape::Any),
    ("imageblock", Shape::Keys(&TILE)),
    ("scratch_size", Shape::Any),
    ("textures", Shape::Each(&TEXTURE)),
    ("samplers", Shape::Each(&SAMPLER)),
    ("vertices", Shape::Any),
    ("instances", Shape::Any),
    ("outputs", Shape::Any),
    ("pixels", Shape::Keys(&PIXELS)),
    ("drawn", Shape::Any),
    ("type", Shape::Any),
    ("tolerance", Shape::Any),
    ("g13x", Shape::Any),
]);

const BUFFER: Shape = Shape::Keys(&[
    ("addr", Shape::Any),
    ("data", Shape::Any),
    ("expect", Shape::Any),
    ("expect_hw", Shape::Any),
]);

const TILE: [(&str, Shape); 4] =
    [("width", Shape::Any), ("height", Shape::Any), ("samples", Shape::Any), ("stride", Shape::Any)];

const TEXTURE: Shape = Shape::Keys(&[
    ("shape", Shape::Any),
    ("width", Shape::Any),
    ("height", Shape::Any),
    ("depth", Shape::Any),
    ("layers", Shape::Any),
    ("samples", Shape::Any),
    ("levels", Shape::Any),
    ("format", Shape::Any),
    ("data", Shape::Any),
    ("expect", Shape::Any),
    ("linear", Shape::Any),
    ("mip", Shape::Any),
    ("repeat", Shape::Any),
    ("compare", Shape::Any),
]);

const SAMPLER: Shape = Shape::Keys(&[
    ("linear", Shape::Any),
    ("mip", Shape::Any),
    ("repeat", Shape::Any),
    ("compare", Shape::Any),
]);

const PIXELS: [(&str, Shape); 8] = [
    ("width", Shape::Any),
    ("height", Shape::Any),
    ("samples", Shape::Any),
    ("coefficients", Shape::Any),
    ("perspective", Shape::Any),
    ("depth", Shape::Any),
    ("tile_bytes", Shape::Any),
    ("tile", Shape::Any),
];
