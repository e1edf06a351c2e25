//! The diagnostic codes of pictures.

/// Each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    ("mesh-empty", "The mesh has no triangles: points and lines have no surface."),
    (
        "mesh-gltf",
        "The glTF file is damaged, or has parts that are not supported: buffers in other files, sparse accessors, other versions than 2.",
    ),
    (
        "mesh-obj",
        "A line of the Wavefront OBJ has a number that is none, or a face with a corner that does not exist.",
    ),
    (
        "picture-default",
        "Nothing states the value of a constant or the image of a texture, so that the picture has a value of its own: constants are 0.25, 0.5, 0.75, 1, and textures show their coordinates.",
    ),
    (
        "picture-input",
        "An input of a picture does not fit the program: a name that it does not have, a size of zero, or an image whose bytes do not match its size.",
    ),
    (
        "picture-output",
        "The program writes no colour to the target that the picture shows, or a vertex program no position.",
    ),
    (
        "picture-stage",
        "The program is of another stage than the picture needs: `preview` runs fragment programs, `render` draws a mesh with a vertex program and, if there is one, a fragment program.",
    ),
];
