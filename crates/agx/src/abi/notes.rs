//! Notes about a part in its listing.

use super::layout::{self, Found, Place};
use super::part::code;
use crate::part::{Part, Role};
use crate::sets::Registers;
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use shisa_diag::{Limits, Sink};
use shisa_ir::Stage;

/// The registers in which a part passes values to the next, as far as it writes them.
pub fn left(part: &Part, limits: &Limits) -> Registers {
    let role = part.role();
    let summary = code(part, role, Found::by(part, role), limits, &mut Sink::new(0));
    let written = summary.map_or(Registers::EMPTY, |summary| summary.written);
    places_left(part, role).iter().fold(Registers::EMPTY, |all, place| all.or(place.registers())).and(written)
}

/// The values that a part may pass to the next, if one follows.
fn places_left(part: &Part, role: Role) -> Vec<Place> {
    match (part.meta.stage, role) {
        _ if !part.meta.key.no_stop => Vec::new(),
        (Stage::Vertex | Stage::Compute, Role::Prolog) => layout::vertex_registers(layout::ATTRIBUTES, true),
        (Stage::Fragment, Role::Main) => layout::fragment_registers(),
        _ => Vec::new(),
    }
}

/// The registers and uniforms that a part receives and passes on, as far as it reads and writes them: for
/// [`crate::text::DisOptions::notes`], at the part's first instruction.
pub fn notes(part: &Part, limits: &Limits) -> BTreeMap<usize, Vec<String>> {
    let mut notes = BTreeMap::new();
    let role = part.role();
    let Ok(range) = part.main() else { return notes };
    let inputs = layout::inputs(part, role);
    let summary = code(part, role, Found::by(part, role), limits, &mut Sink::new(0));
    let Some(summary) = summary else { return notes };
    let stage = part.meta.stage;
    let compute = stage == Stage::Compute;
    let (found, uniforms) = match (stage, role) {
        (Stage::Vertex | Stage::Compute, Role::Prolog) => (layout::vertex_registers(0, false), Vec::new()),
        (Stage::Vertex | Stage::Compute, Role::Main) => {
            let n = summary.live.and(layout::ALL_ATTRIBUTES).end().saturating_sub(16).div_ceil(8);
            let attributes = layout::vertex_registers(layout::ATTRIBUTES, compute);
            // If the part does not read the draw's number, drivers use its slot for other values.
            let mut uniforms = layout::vertex_uniforms(n, compute);
            uniforms.retain(|p| compute || part.meta.uses_draw_id || p.first != layout::draw_uniform(n));
            (attributes, uniforms)
        }
        (Stage::Fragment, Role::Main) => (layout::sample_registers(), layout::fragment_uniforms()),
        (Stage::Fragment, Role::Epilog) => {
            let found = [layout::sample_registers(), layout::fragment_registers()].concat();
            (found, layout::fragment_uniforms())
        }
        _ => (Vec::new(), Vec::new()),
    };
    let registers = |places: &[Place], of: Registers| -> Vec<String> {
        let touched = places.iter().filter(|p| !p.registers().and(of).is_empty());
        touched.map(|p| format!("{} = {}", p.registers().names('r'), p.what)).collect()
    };
    let mut first = registers(&found, summary.live.and(inputs));
    let read = uniforms.iter().filter(|p| !p.uniforms().and(summary.uniforms).is_empty());
    first.extend(read.map(|p| format!("{} = {}", p.uniforms().names('u'), p.what)));
    first.extend(
        registers(&places_left(part, role), summary.written).into_iter().map(|line| format!("leaves {line}")),
    );
    if !first.is_empty() {
        notes.insert(range.start, first);
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::Meta;
    use crate::text::{AsmOptions, assemble};

    /// The notes of a vertex program that reads the uniform where drivers may put the number of the draw.
    fn notes_of(uses_draw_id: bool) -> Vec<String> {
        let limits = Limits::default();
        let done = assemble("// agx\nmov r0l, u2l\nstop\n", &AsmOptions::default(), &limits);
        let code = done.bytes.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
        let main_size = code.len() as u32;
        let meta = Meta { stage: Stage::Vertex, main_size, uses_draw_id, ..Meta::default() };
        notes(&Part { code, meta }, &limits).into_values().flatten().collect()
    }

    #[test]
    fn the_number_of_the_draw_is_noted_where_it_is_read() {
        assert_eq!(notes_of(true), ["u2l = number of the draw"]);
        assert_eq!(notes_of(false), [""; 0]);
    }
}
