//! Words for what shaders of all families have in common.

/// Each word with its meaning; the first spelling is the reference's.
pub const CONCEPTS: &[(&[&str], &str)] = &[
    (
        &["mask", "write-mask"],
        "The components of a register that an instruction writes. The others keep their values. \
      Written after the destination: `ft0.xy`.",
    ),
    (
        &["swizzle"],
        "The component of a source that each component of the operation reads. `v0.wzyx` reverses the order, `v0.x` repeats one component. A swizzle of fewer than four letters repeats its last letter.",
    ),
    (&["component"], "One of the four numbers x, y, z, w of a vector register."),
    (
        &["varying"],
        "A value that a vertex program writes and a fragment program reads, interpolated between the \
      vertices of a triangle.",
    ),
    (&["attribute"], "A value that the application supplies for each vertex."),
    (&["constant", "uniform"], "A value that is the same for all vertices or pixels of a draw call."),
    (
        &["sampler"],
        "A texture together with its sampling state: filter, mip filter, wrap, level-of-detail bias.",
    ),
    (&["filter"], "How texels around a coordinate become a colour: `nearest` takes one, `linear` blends."),
    (
        &["mip"],
        "Smaller copies of a texture, each half as large as the one before. The level is chosen from how fast \
      coordinates change from pixel to pixel.",
    ),
    (&["lod", "bias"], "Level of detail: which mip level is read. A bias is added to the computed level."),
    (&["derivative"], "How much a value changes from one pixel to its neighbour in the quad."),
    (
        &["quad"],
        "Two by two pixels that run together, so that each can see how values change to its neighbours.",
    ),
    (&["lane"], "One vertex or pixel of those that run at the same time."),
    (&["wave"], "Up to 32 lanes that run in lock step."),
    (
        &["divergence"],
        "Lanes of a wave take different paths. Lanes that are not on the current path are masked off.",
    ),
    (
        &["indirect", "indirect-addressing"],
        "A register whose index is the value of another register: `vc[va0.x+4]`.",
    ),
    (
        &["lift"],
        "To convert an instruction to operations of the intermediate representation. Each row has one lift, \
      and evaluator, translator and this reference all use it.",
    ),
    (&["ir"], "The intermediate representation: small typed operations on values, each made once."),
    (&["linkage"], "The outputs of a vertex program must match the inputs of its fragment program."),
    (&["kill", "discard"], "To end a pixel without writing its colour."),
];
