//! Checks a single part against the ABI.

use super::layout::{self, Found};
use super::look::{Look, Summary};
use super::state::{CLEAR, Counter, Follow, State};
use super::{meta, preamble};
use crate::code::{Code, instructions};
use crate::facts::{Role, role};
use crate::part::{Part, Role as PartRole};
use crate::rules::{self, Expect};
use crate::sets::Registers;
use shisa_diag::{Limits, Sink};
use shisa_ir::Stage;

/// Reports breaches of the ABI by a single part. `None` if its code cannot be read.
pub(super) fn check(part: &Part, role: PartRole, limits: &Limits, sink: &mut Sink) -> Option<Summary> {
    meta::check(part, role, sink);
    let summary = code(part, role, Found::by(part, role), limits, sink);
    preamble::check(part, limits, sink);
    summary
}

/// Finds the errors in the code of a part that finds registers as stated.
pub(super) fn code(
    part: &Part,
    role: PartRole,
    found: Found,
    limits: &Limits,
    sink: &mut Sink,
) -> Option<Summary> {
    let range = match part.main() {
        Ok(range) => range,
        Err(d) => {
            sink.push(d);
            return None;
        }
    };
    // The rules report code that cannot be read.
    let code = Code::read(&part.code, range, limits).ok().filter(Code::is_sound)?;
    let inside = part.meta.key.inside_sample_loop && role != PartRole::Prolog;
    let start = State::start(if inside { CLEAR } else { Counter::Unset });
    let states = match code.solve(start, Follow::new(code.nodes())) {
        Ok(states) => states,
        Err(d) => {
            sink.push(d);
            return None;
        }
    };
    Some(Look::new(part, role, found, sink).at(&code, &states))
}

/// Halves of uniforms that a part may read, if known.
fn uniforms(part: &Part, role: PartRole) -> Option<u32> {
    match (role, part.meta.stage) {
        (PartRole::Main, _) => Some(part.meta.push_count),
        (_, Stage::Fragment) => Some(layout::FRAGMENT_UNIFORMS as u32),
        _ => None,
    }
}

/// The registers of colours that code may read without writing them: those of which it writes some components, and
/// those of the first colour if it reads no alpha.
pub(super) fn colours_unset(part: &Part, limits: &Limits) -> Registers {
    let Ok(code) = Code::read(&part.code, 0..part.code.len(), limits) else { return Registers::EMPTY };
    let written = code.steps().fold(Registers::EMPTY, |all, step| all.or(step.writes().registers));
    layout::begun(written).or(layout::BESIDE_ALPHA)
}

/// Whether code outputs varyings, or states that there are none.
pub(super) fn has_varyings(code: &[u8]) -> bool {
    instructions(code).any(|(_, insn)| matches!(role(&insn), Role::Varying(_)))
}

/// Checks the rules of any code: a part, or several that are joined.
pub(super) fn general(part: &Part, role: PartRole, joined: bool, limits: &Limits, sink: &mut Sink) {
    let meta = &part.meta;
    if let Ok(range) = part.main() {
        let expect = Expect {
            ends: !meta.key.no_stop,
            draws: meta.stage == Stage::Fragment && !meta.key.ignore_tib_dependencies,
            joined,
            registers: Some(meta.nr_gprs),
            uniforms: uniforms(part, role),
        };
        sink.extend(rules::check(&part.code, range, &expect, limits));
    }
    if let Ok(Some(range)) = preamble::range(part) {
        let expect = Expect {
            ends: true,
            draws: false,
            joined: false,
            registers: Some(meta.nr_preamble_gprs),
            uniforms: Some(meta.push_count),
        };
        sink.extend(rules::check(&part.code, range, &expect, limits));
    }
}
