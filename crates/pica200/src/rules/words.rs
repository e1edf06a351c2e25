//! Each word by itself, and against the masks of its program.

use super::effects::{Effects, sources, vertex_slot};
use super::seen::{Seen, components, registers};
use super::{Finding, Found, Subject, codes};
use crate::operand::{D, X, Y};
use crate::{Pica200, word};
use alloc::format;
use shisa_diag::Severity;
use shisa_ir::ControlOp;
use shisa_rows::Insn;

/// The first output that geometry programs do not have.
const GEOMETRY_OUTPUTS: u32 = 7;

pub(super) fn check(seen: &Seen<'_>, found: &mut Found) {
    for (pc, insn, effects) in seen.words() {
        let at = Subject::Word(pc);
        let Some(insn) = insn else {
            found.push(Finding::new(codes::OPCODE, at, "this word has no known opcode"));
            continue;
        };
        encoding(seen, pc, &insn, &effects, found);
        registers_of(seen, pc, &insn, &effects, found);
        stage(seen, pc, &insn, &effects, found);
    }
}

fn encoding(seen: &Seen<'_>, pc: u32, insn: &Insn<Pica200>, effects: &Effects, found: &mut Found) {
    let at = Subject::Word(pc);
    let name = insn.form().name;
    let writes = effects.sets | effects.outputs | u64::from(effects.state_written);
    if let Some(n) = word::descriptor(insn.word as u32).filter(|n| *n >= seen.descriptors.len()) {
        let message = format!("{name} names descriptor {n}; there are {}", seen.descriptors.len());
        found.push(Finding::new(codes::DESCRIPTOR, at, message));
    } else if insn.form().operand(D).is_some() && writes == 0 {
        found.push(Finding::new(codes::EMPTY_MASK, at, format!("{name} writes no component")));
    }
    let unknown = insn.unknown_bits();
    if unknown != 0 {
        let message = format!("{name} has bits that mean nothing: {unknown:#010x}");
        // A count or a number that was too large for its field.
        let flow = seen.code.control(pc).op != ControlOp::Next;
        let severity = if flow { Severity::Warning } else { Severity::Note };
        found.push(Finding::new(codes::UNUSED_BITS, at, message).severity(severity));
    }
    if sources(insn).any(|s| s.index != 0 && s.number < 32) {
        found.push(Finding::new(codes::INDEX_IGNORED, at, "an index with a register that is no constant"));
    }
    for (slot, flag) in [(X, "cmp.x"), (Y, "cmp.y")] {
        let comparison = insn.field(slot);
        if comparison > 5 {
            let message = format!("comparison {comparison} for {flag} has no name");
            found.push(Finding::new(codes::COMPARE_RESERVED, at, message));
        }
    }
}

fn registers_of(seen: &Seen<'_>, pc: u32, insn: &Insn<Pica200>, effects: &Effects, found: &mut Found) {
    let at = Subject::Word(pc);
    let name = insn.form().name;
    let mut inputs = sources(insn).map(|s| s.number).filter(|n| *n < 16);
    if let Some(first) = inputs.next()
        && let Some(other) = inputs.find(|n| *n != first)
    {
        let message = format!("{name} reads two input registers, v{first} and v{other}");
        found.push(Finding::new(codes::TWO_INPUTS, at, message));
    }
    let unset = effects.inputs & !registers(seen.dvle.inputs);
    // Sources that name input registers themselves leave the mask empty, and loaders do not ask for it.
    if unset != 0 && seen.dvle.inputs != 0 {
        let message = format!("{} is read, but is no input of the program", components('v', unset));
        found.push(Finding::new(codes::INPUT_DISABLED, at, message).with(Subject::Inputs, "the inputs"));
    }
    let beyond = effects.outputs >> (4 * GEOMETRY_OUTPUTS) << (4 * GEOMETRY_OUTPUTS);
    if seen.geometry && beyond != 0 {
        let message = format!("geometry programs do not have {}", components('o', beyond));
        found.push(Finding::new(codes::GEOMETRY_OUTPUT, at, message));
        return;
    }
    // Assemblers write whole registers of which only some components are outputs.
    let enabled = seen.enabled;
    let unseen = (0..16).filter(|n| enabled >> (4 * n) & 0xf == 0).fold(0, |m, n| m | 0xf << (4 * n));
    let unseen = effects.outputs & unseen;
    if unseen != 0 {
        let message = format!("{} is written, but is no output of the program", components('o', unseen));
        found.push(Finding::new(codes::OUTPUT_DISABLED, at, message));
    }
}

fn stage(seen: &Seen<'_>, pc: u32, insn: &Insn<Pica200>, effects: &Effects, found: &mut Found) {
    let at = Subject::Word(pc);
    if !seen.geometry && (effects.emit || effects.setemit.is_some()) {
        let message = format!("{} in a vertex program", insn.form().name);
        found.push(Finding::new(codes::GEOMETRY_ONLY, at, message));
    }
    if effects.setemit.is_some() && vertex_slot(insn) > 2 {
        found.push(Finding::new(codes::VERTEX_SLOT, at, "there is no vertex slot 3"));
    }
}
