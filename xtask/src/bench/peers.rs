//! Figures of other programs. They were measured elsewhere, in November 2026, on one thread of an AMD EPYC of the Zen 5
//! class: compare their ratios on such a machine only.

const FIGURES: &[(&str, &str)] = &[
    ("eval", "an AGAL interpreter (AwayJS in node) 40 M tokens/s"),
    ("agx/decode-print", "Mesa's disassembler 1.47, applegpu 0.015 to 0.035 M-instructions/s"),
    ("agx/run", "applegpu's emulator 0.11 to 0.15 M-lane-instructions/s"),
    ("maxwell/dis", "nvdisasm 0.107 M-instructions/s, after 55 ms of start"),
    ("pica200/translate/average", "Azahar to GLSL 75 µs/program"),
    ("translate/spirv", "naga-agal 29.7 µs/program of 13.5 tokens"),
    ("translate/wgsl", "naga-agal 25.5 µs/program of 13.5 tokens"),
];

/// The figures of other programs for what one of ours measures.
pub(super) fn of(name: &str) -> Option<&'static str> {
    FIGURES.iter().find(|(ours, _)| *ours == name).map(|(_, peers)| *peers)
}
