//! Emission of vertices in geometry programs.
//!
//! `OUT` reads the state of emission from one register and writes the next state to another. A regular program starts
//! with state 0, has the state in `R0` wherever a thread may end, and passes it unchanged to `AST`. In fast programs
//! `OUT` does nothing.
//!
//! `states` follows on all paths which registers hold the state that the last `OUT` wrote; `strips` which vertices the
//! current strip may have; `vertices` how many there are at least.

mod contents;
#[cfg(test)]
mod contents_tests;
mod facts;
mod states;
mod strips;
mod vertices;

pub(crate) use states::without_state;

use super::code::{Code, Found};
use crate::container::sph::{Field, common};
use crate::operand::RZ;
use crate::role::{Emission, Role, Stream};
use crate::{Maxwell, ShaderStage};
use alloc::collections::BTreeMap;
use alloc::format;
use shisa_diag::{Diagnostic, Severity};
use shisa_rows::Insn;

/// The field of streams that receive vertices.
const MASK: &Field = common("StreamOutMask");
/// The field with the largest number of vertices that a program may emit.
const VERTICES: &Field = common("MaxOutputVertexCount");
/// The topology of points, for which cuts have no effect.
const POINTS: u32 = 1;
/// The topology of strips of lines.
const LINES: u32 = 6;
/// The topology of strips of triangles.
const TRIANGLES: u32 = 7;
/// The significant bits of a stream's number.
const STREAM: u64 = 3;

/// The streams that vertices go to, by the numbers of the instructions, as far as they are known.
type Streams = BTreeMap<usize, u64>;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let geometry = match code.stage {
        Some(stage) => stage == ShaderStage::Geometry,
        None => emissions(code).next().is_some(),
    };
    if !geometry {
        return;
    }
    let get = |field| code.header.map(|header| header.value(field));
    let fast = const { common("IsFastGs") };
    if get(fast) == Some(1) {
        for (i, _) in emissions(code) {
            let text = "OUT does nothing in a fast geometry program";
            found.against(i, fast, Diagnostic::new(Severity::Note, "maxwell-out-fast", text));
        }
        return;
    }
    emissions(code).for_each(|(i, out)| operands(i, out, found));
    let streams = states::check(code, found);
    for (i, out) in emissions(code) {
        if let (Some(mask), Some(stream)) = (get(MASK), streams.get(&i).filter(|_| out.emits))
            && mask >> stream & 1 == 0
        {
            let text = format!("a vertex goes to stream {stream}, which {} lacks", MASK.name);
            found.against(i, MASK, Diagnostic::warning("maxwell-out-stream-mask", text));
        }
    }
    if let Some(most) = get(VERTICES).filter(|most| *most > 0) {
        vertices::check(code, most, found);
    }
    if let Some(needed) = get(const { common("OutputTopology") }).map_or(Some(1), vertices_of) {
        strips::check(code, &streams, needed, found);
    }
}

/// The vertices of a primitive of a topology of strips; `None` for points, which have no strips.
fn vertices_of(topology: u32) -> Option<u32> {
    match topology {
        POINTS => None,
        LINES => Some(2),
        TRIANGLES => Some(3),
        _ => Some(1),
    }
}

/// What an instruction does to the output, if it emits or cuts.
fn emission(insn: &Insn<Maxwell>) -> Option<Emission> {
    match insn.form().attr.role {
        Role::Emit(of) => Some(of(insn)),
        Role::Compute
        | Role::Memory(_)
        | Role::Drain(_)
        | Role::Barrier(_)
        | Role::ReadSpecial { .. }
        | Role::Attribute(_)
        | Role::Kill => None,
    }
}

/// The instructions that emit or cut.
fn emissions(code: &Code<'_>) -> impl Iterator<Item = (usize, Emission)> {
    code.insns().filter_map(|(i, insn)| Some((i, emission(insn)?)))
}

/// Whether an instruction ends a strip and emits nothing.
fn only_cuts(out: Emission) -> bool {
    out.cuts && !out.emits
}

/// The operands and suffixes of one instruction.
fn operands(i: usize, out: Emission, found: &mut Found<'_>) {
    if !out.emits && !out.cuts {
        let text = "this OUT neither emits a vertex nor ends a strip";
        found.at(i, Diagnostic::error("maxwell-out-type", text));
    }
    if only_cuts(out) && out.stream != Stream::Register(RZ) {
        let text = "OUT.CUT names a stream; its last operand must be RZ";
        found.at(i, Diagnostic::error("maxwell-out-cut", text));
    }
    if let Stream::Number(number) = out.stream
        && !only_cuts(out)
        && number > STREAM
    {
        let text = format!("stream {number:#x} does not exist; only two bits count: {}", number & STREAM);
        found.at(i, Diagnostic::warning("maxwell-out-stream", text));
    }
}
