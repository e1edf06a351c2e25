//! The ABI between the parts of a program, and its checks.
//!
//! [`layout`] states the registers and uniforms that parts pass to each other. [`check_part`] and [`check_parts`]
//! follow all paths through the code of parts. They read roles and operands, so they also check instructions whose
//! meaning is not stated. A finding is a breach of the ABI itself: on every path, or on one that may be taken.
//! Nothing is found in the output of Mesa's compiler.

mod codes;
mod components;
mod fit;
pub mod layout;
mod look;
#[cfg(test)]
mod memory_tests;
mod meta;
mod notes;
mod part;
mod preamble;
mod state;
#[cfg(test)]
mod tests;

pub use codes::CODES;
pub use fit::check_parts;
pub(crate) use fit::examine;
pub(crate) use look::Summary;
pub use notes::{left, notes};

pub use crate::sets::{Bits, Registers, Uniforms};

use crate::part::{Coefficients, LinkedMeta, Meta, Part, Role};
use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Limits, Sink};
use shisa_ir::Stage;

/// All faults of a single part.
pub fn check_part(part: &Part, limits: &Limits) -> Vec<Diagnostic> {
    let mut sink = Sink::new(limits.diagnostics);
    let role = part.role();
    if let Some(summary) = part::check(part, role, limits, &mut sink).filter(|_| role == Role::Main) {
        fit::reserved(part, &summary, &mut sink);
    }
    part::general(part, role, false, limits, &mut sink);
    sink.finish()
}

/// All faults of a program made of parts. Its metadata states nothing about uniforms and memory.
pub fn check_linked(code: &[u8], meta: &LinkedMeta, limits: &Limits) -> Vec<Diagnostic> {
    let mut sink = Sink::new(limits.diagnostics);
    if meta.size as usize != code.len() {
        let text = alloc::format!("size is {} bytes, but there are {}", meta.size, code.len());
        sink.push(Diagnostic::error("agx-part-meta", text));
    }
    let mut part = Part { code: code.into(), meta: Meta { stage: Stage::Fragment, ..Meta::default() } };
    part.meta.main_size = code.len() as u32;
    part.meta.nr_gprs = meta.nr_gprs;
    part.meta.scratch_size = meta.scratch_size;
    (part.meta.push_count, part.meta.local_size) = (512, u32::MAX);
    (part.meta.reads_tib, part.meta.writes_sample_mask) = (meta.reads_tib, meta.writes_sample_mask);
    part.meta.cf = Some(Coefficients { nr_cf: meta.nr_cf, ..Coefficients::default() });
    // A vertex shader that runs as compute writes no varyings.
    if !meta.fragment {
        part.meta.stage = if part::has_varyings(code) { Stage::Vertex } else { Stage::Compute };
    }
    // The inputs of a program are those of its prolog.
    let inputs = layout::inputs(&part, Role::Prolog);
    let fragment = part.meta.stage == Stage::Fragment;
    let partial = if fragment { part::colours_unset(&part, limits) } else { Registers::EMPTY };
    part::code(&part, Role::Main, layout::Found { inputs, partial }, limits, &mut sink);
    part::general(&part, Role::Main, true, limits, &mut sink);
    sink.finish()
}
