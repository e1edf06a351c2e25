//! What parts of a program expect of each other.

use crate::explain::{Explanation, Section};
use shisa_agx::abi::layout;

const NAMES: &[&str] = &["part-abi", "prolog", "epilog", "shader-part"];

pub(super) fn explain(word: &str) -> Option<Explanation> {
    NAMES.contains(&word).then(|| {
        let mut sections = vec![Section {
            heading: "Rules",
            lines: [
                "A program is a main part with a prolog before it, an epilog behind it, or both; `shisa link` joins them.",
                "Vertex: the prolog loads attributes; r0 to r3 and r7 are its own, r5 and r6 stay as they are, also where the shader runs as compute.",
                "So nothing is handed over in the nesting counter, and attributes begin at a multiple of four registers. Registers hold 30 of them.",
                "With n attributes, the highest number read and one, the driver reserves 6n+5 halves of uniforms, as compute 6n+12.",
                "Prologs and epilogs have no preamble and no uniforms of their own, such as constants.",
                "A prolog writes no register above those that the main part reads, so that the program has as many as the main part; in practice it may be a few halves more.",
                "Fragment: the epilog blends and stores colours, depth, stencil; a prolog kills samples, finds nothing in registers, and may overwrite all.",
                "The main part leaves depth and stencil to the epilog where it writes them, because the epilog may still discard (alpha to coverage).",
                "It leaves the mask of samples in r3h where tests are forced to come early; the epilog stores only those samples.",
                "Where samples are shaded one by one, main part and epilog run in a loop and leave r0l and r1l as they are. Otherwise they find nothing there.",
                "r1l is usually 1 << the sample's number. The second source of blending takes the place of colour 1: there is only one target then.",
                "The first condition of a part outside of that loop is preceded by a write of 0 to r0l.",
                "Only the last part has a `stop`; what a part loads it waits for itself.",
            ]
            .map(String::from)
            .into(),
        }];
        sections.extend(layout::describe().into_iter().map(|(heading, lines)| Section { heading, lines }));
        Explanation {
            word: "part-abi".into(),
            kind: "AGX concept",
            summary: "What prologs, main parts and epilogs expect of each other: registers, uniforms, ends.".into(),
            sections,
        }
    })
}

pub(super) fn words() -> impl Iterator<Item = String> {
    NAMES.iter().map(|n| (*n).to_owned())
}
