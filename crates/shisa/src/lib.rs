//! The toolchain for shader machine code: AGAL, PICA200, Maxwell and AGX.
//!
//! # Concepts
//!
//! The functions of this crate are the verbs of the `shisa` command, on bytes: [`identify()`] says what a
//! file is; [`extract()`] takes a program out of it; [`disassemble`] and [`assemble`] go to text and back; [`check()`] and [`check_pair`] find every
//! rule that programs break; [`run()`] executes exactly; [`translate()`] and [`translate_pair`] write WGSL,
//! GLSL, HLSL, MSL and SPIR-V; [`explain()`] tells about an opcode, a register, an error code or a concept.
//!
//! All of them take [`Settings`]: bounds on input and work, and the choices that real machines leave
//! open. They fail with an [`Error`] that holds every fault found, each a [`diag::Diagnostic`] with a
//! stable code and the place in the input. No input makes them panic.
//!
//! A program is lifted to operations of the [`ir`] by the rows of its instruction set, the one statement
//! of what each instruction does; the evaluator and the translators both work on those.
//!
//! The crates behind the verbs are re-exported for programs that need more: [`diag`] (diagnostics),
//! [`ir`] (the representation that every instruction lifts to), [`rows`] (decoding, printing, parsing by
//! rows), and one crate for each instruction set, such as [`agal`].
//!
//! # Four small programs
#![doc = include_str!("../doc/examples.md")]
//!
//! # Features
//!
//! One for each instruction set (`agal`, `pica200`, `maxwell`, `agx`), `eval` (running programs),
//! `translate` (translation), `swf` (programs in SWF files), `render` (diagnostics with source excerpts). All but `render` are on.

#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
mod cfg;
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
mod check;
#[cfg(feature = "swf")]
mod container;
mod error;
mod explain;
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
mod extract;
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
mod identify;
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
mod listing;
#[cfg(any(feature = "agal", feature = "agx", feature = "pica200"))]
mod lower;
#[cfg(feature = "agx")]
mod parts;
#[cfg(feature = "pica200")]
mod picasso;
#[cfg(any(feature = "agal", feature = "agx", feature = "pica200"))]
mod program;
#[cfg(feature = "agx")]
mod report;
#[cfg(all(any(feature = "agal", feature = "agx", feature = "pica200"), feature = "eval"))]
mod run;
mod settings;
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
mod text;
#[cfg(all(any(feature = "agal", feature = "agx", feature = "pica200"), feature = "translate"))]
mod translate;

#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
pub use cfg::{Cfg, Way};
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
pub use check::check;
#[cfg(feature = "agal")]
pub use check::{LinkFinding, check_pair};
#[cfg(feature = "maxwell")]
pub use check::{check_maxwell, check_maxwell_listing};
pub use error::{Error, Result};
pub use explain::{Explanation, Section, explain};
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
pub use extract::{Extract, extract};
#[cfg(feature = "maxwell")]
pub use identify::identify_nvn;
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
pub use identify::{Identity, Part, identify};
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
pub use listing::listing_json;
#[cfg(any(feature = "agal", feature = "agx", feature = "pica200"))]
pub use lower::{Lowered, Selection};
#[cfg(feature = "agx")]
pub use parts::{AgxLinked, AgxPart, link_agx};
#[cfg(feature = "pica200")]
pub use picasso::assemble_picasso;
#[cfg(any(feature = "agal", feature = "agx", feature = "pica200"))]
pub use program::program;
#[cfg(feature = "agx")]
pub use report::{AgxReport, report_agx};
#[cfg(all(feature = "agx", feature = "eval"))]
pub use run::{
    ComputeCode, ComputeOutput, ComputePlan, ComputeProgram, ComputeRun, DrawPixels, DrawVertex, Drawing,
    DrawnPixel, PixelOutput, Preamble, VertexOutput, from_base64, run_agx_json, run_compute,
};
#[cfg(all(feature = "agal", feature = "eval"))]
pub use run::{OutputColumn, RunInput, RunOutput, TextureInput, run};
#[cfg(all(any(feature = "agal", feature = "agx", feature = "pica200"), feature = "eval"))]
pub use run::{RunOptions, run_json};
#[cfg(all(feature = "pica200", feature = "eval"))]
pub use run::{
    ShaderEmit, ShaderOutput, ShaderRegister, ShaderResult, ShaderRun, ShaderSet, ShaderTriangle, run_shader,
};
#[cfg(all(any(feature = "agal", feature = "agx", feature = "pica200"), feature = "eval"))]
pub use run::{TraceStep, TraceTexel, TraceWrite};
pub use settings::{Isa, Settings};
#[cfg(feature = "agx")]
pub use text::{AgxListing, assemble_agx};
#[cfg(feature = "agal")]
pub use text::{Assembled, assemble, assemble_macros};
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
pub use text::{Listing, disassemble, is_source};
#[cfg(feature = "maxwell")]
pub use text::{MaxwellListing, MaxwellSyntax, assemble_maxwell, assemble_maxwell_nvn};
#[cfg(all(feature = "agal", feature = "translate"))]
pub use translate::translate_pair;
#[cfg(all(any(feature = "agal", feature = "agx", feature = "pica200"), feature = "translate"))]
pub use translate::{translate, translate_one};

#[cfg(feature = "agal")]
pub use shisa_agal as agal;
#[cfg(feature = "agx")]
pub use shisa_agx as agx;
pub use shisa_diag::{self as diag, Confidence};
#[cfg(feature = "eval")]
pub use shisa_eval as eval;
pub use shisa_ir as ir;
#[cfg(feature = "maxwell")]
pub use shisa_maxwell as maxwell;
#[cfg(feature = "pica200")]
pub use shisa_pica200 as pica200;
pub use shisa_rows as rows;
#[cfg(feature = "swf")]
pub use shisa_swf as swf;
#[cfg(feature = "translate")]
pub use shisa_translate as translation;
