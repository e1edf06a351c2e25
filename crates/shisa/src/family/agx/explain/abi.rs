//! The ABI between the parts of a program.

use crate::explain::{Explanation, Section};
use shisa_agx::abi::layout;

const NAMES: &[&str] = &["part-abi", "prolog", "epilog", "shader-part"];

pub(super) fn explain(word: &str) -> Option<Explanation> {
    NAMES.contains(&word).then(|| {
        let mut sections = vec![Section {
            heading: "Rules",
            lines: [
                "A program is a main part with a prolog before it, an epilog after it, or both; `shisa link` joins them.",
                "Vertex: the prolog loads attributes. It may overwrite r0 to r3 and r7, and preserves r5 and r6, also if the shader runs as compute.",
                "r1 is the link register: calls write it. r5 and r6 stay as they are also as compute, so that a prolog that fetches indices does not change the main part's key.",
                "So no value is passed in the nesting counter, and attributes begin at a multiple of four registers. Registers hold 30 of them; 32 would need calls or the stack.",
                "With n attributes (the highest number read plus one), the driver reserves 6n+5 halves of uniforms, as compute 6n+12.",
                "Prologs and epilogs have no preamble and no uniforms of their own, such as constants.",
                "A prolog writes no register above those that the main part reads, so that the program needs no more registers than the main part; in practice it may be a few halves more.",
                "Fragment: the epilog blends and stores colours, depth, stencil; a prolog kills samples, gets no inputs in registers, and may overwrite all of them.",
                "If the main part writes depth and stencil, it leaves their stores to the epilog, because the epilog may still discard (alpha to coverage).",
                "If tests are forced to run early, it leaves the sample mask in r3h; the epilog stores only those samples.",
                "With per-sample shading, main part and epilog run in a loop and preserve r0l and r1l. Otherwise they get no values there.",
                "r1l is usually 1 << the sample's number. The second source of dual-source blending replaces colour 1: there is only one target then.",
                "The first condition of a part outside of that loop is preceded by a write of 0 to r0l.",
                "Only the last part has a `stop`. Each part waits for its own loads.",
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
