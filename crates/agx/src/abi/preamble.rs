//! The preamble of a part: code that writes uniforms before the part runs.

use super::state::{Counter, Follow, State};
use crate::Agx;
use crate::code::{Code, instructions, length};
use crate::facts::{Control, Role, role};
use crate::part::Part;
use crate::sets::Uniforms;
use alloc::format;
use core::ops::Range;
use shisa_diag::{Diagnostic, Limits, Sink, bytes};
use shisa_rows::Insn;

/// The bytes of the preamble. Its size is not stored, so it reaches up to the traps after a `stop`.
pub(super) fn range(part: &Part) -> Result<Option<Range<usize>>, Diagnostic> {
    let Some(range) = part.preamble()? else { return Ok(None) };
    let code = bytes::part(&part.code, range.clone())?;
    let is = |insn: &Insn<Agx>, what| role(insn) == Role::Control(what);
    let mut all = instructions(code).skip_while(|(_, insn)| !is(insn, Control::Stop)).peekable();
    while all.next().is_some() {
        let traps = core::iter::from_fn(|| all.next_if(|(_, insn)| is(insn, Control::Trap)));
        if let Some((at, trap)) = traps.last() {
            return Ok(Some(range.start..range.start + at + length(&trap)));
        }
        while all.next_if(|(_, insn)| !is(insn, Control::Stop)).is_some() {}
    }
    let d = Diagnostic::error("agx-part-stop", "the preamble does not end with a stop and traps");
    Err(d.at_bytes(range, ""))
}

/// The preamble writes the uniforms between the driver's and the constants.
pub(super) fn check(part: &Part, limits: &Limits, sink: &mut Sink) {
    let range = match range(part) {
        Ok(Some(range)) => range,
        Ok(None) => return,
        Err(d) => return sink.push(d),
    };
    let meta = &part.meta;
    // The rules report code that cannot be read.
    let Some(code) = Code::read(&part.code, range.clone(), limits).ok().filter(Code::is_sound) else {
        return;
    };
    let written = code.steps().fold(Uniforms::EMPTY, |all, step| all.or(step.writes().uniforms));
    let free = Uniforms::range(meta.key.reserved_preamble as usize, meta.push_count as usize);
    let outside = written.without(free);
    if !outside.is_empty() {
        let text =
            format!("the preamble writes {}, but it may only write {}", outside.names('u'), free.names('u'));
        sink.push(Diagnostic::error("agx-abi-uniform", text).at_bytes(range, ""));
    }
    let states = match code.solve(State::start(Counter::Unset), Follow::new(code.nodes())) {
        Ok(states) => states,
        Err(d) => return sink.push(d),
    };
    for (step, state) in states.each() {
        if state.counter == Counter::Unset && matches!(step.role(), Role::Control(Control::Nesting(_))) {
            let text = format!(
                "{} of the preamble needs the nesting counter, but r0l may hold another number",
                step.name()
            );
            sink.push(Diagnostic::error("agx-abi-counter", text).at_bytes(step.bytes(), ""));
        }
    }
}
