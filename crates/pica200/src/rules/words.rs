//! Each word by itself, and against the masks of its program.

use super::names::listed;
use super::program::Program;
use super::{Finding, Found, Subject, codes};
use crate::attributes::Role;
use crate::code::{Registers, components};
use crate::operand::{D, VERTEX, X, Y, sources};
use crate::{Pica200, word};
use alloc::format;
use shisa_diag::Severity;
use shisa_ir::ControlOp;
use shisa_rows::Insn;
use shisa_rows::code::Effects;

/// The first output that geometry programs do not have.
const GEOMETRY_OUTPUTS: u32 = 7;

pub(super) fn check(program: &Program<'_>, found: &mut Found) {
    for word in program.words() {
        let (pc, effects) = (word.pc, word.effects);
        let at = Subject::Word(pc);
        let Some(insn) = word.insn else {
            found.push(Finding::new(codes::OPCODE, at, "this word has no known opcode"));
            continue;
        };
        encoding(program, pc, &insn, &effects, found);
        registers_of(program, pc, &insn, &effects, found);
        stage(program, pc, &insn, found);
    }
}

fn encoding(
    program: &Program<'_>,
    pc: u32,
    insn: &Insn<Pica200>,
    effects: &Effects<Registers>,
    found: &mut Found,
) {
    let at = Subject::Word(pc);
    let name = insn.form().name;
    let writes = effects.writes.temporaries | effects.writes.outputs | u64::from(effects.writes.state);
    if let Some(n) = word::descriptor(insn.word as u32).filter(|n| *n >= program.descriptors.len()) {
        let message = format!("{name} names descriptor {n}; there are {}", program.descriptors.len());
        found.push(Finding::new(codes::DESCRIPTOR, at, message));
    } else if insn.form().operand(D).is_some() && writes == 0 {
        found.push(Finding::new(codes::EMPTY_MASK, at, format!("{name} writes no component")));
    }
    let unknown = insn.unknown_bits();
    if unknown != 0 {
        let message = format!("{name} has bits that mean nothing: {unknown:#010x}");
        // A count or a number that was too large for its field.
        let flow = program.code.control(pc).op != ControlOp::Next;
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

fn registers_of(
    program: &Program<'_>,
    pc: u32,
    insn: &Insn<Pica200>,
    effects: &Effects<Registers>,
    found: &mut Found,
) {
    let at = Subject::Word(pc);
    let name = insn.form().name;
    let mut inputs = sources(insn).map(|s| s.number).filter(|n| *n < 16);
    if let Some(first) = inputs.next()
        && let Some(other) = inputs.find(|n| *n != first)
    {
        let message = format!("{name} reads two input registers, v{first} and v{other}");
        found.push(Finding::new(codes::TWO_INPUTS, at, message));
    }
    let unset = effects.reads.inputs & !components(program.dvle.inputs);
    // Sources that name input registers themselves leave the mask empty, and loaders do not ask for it.
    if unset != 0 && program.dvle.inputs != 0 {
        let message = format!("{} is read, but is no input of the program", listed('v', unset));
        found.push(Finding::new(codes::INPUT_DISABLED, at, message).with(Subject::Inputs, "the inputs"));
    }
    let beyond = effects.writes.outputs >> (4 * GEOMETRY_OUTPUTS) << (4 * GEOMETRY_OUTPUTS);
    if program.geometry && beyond != 0 {
        let message = format!("geometry programs do not have {}", listed('o', beyond));
        found.push(Finding::new(codes::GEOMETRY_OUTPUT, at, message));
        return;
    }
    // Assemblers write whole registers of which only some components are outputs.
    let enabled = program.enabled;
    let unseen = (0..16).filter(|n| enabled >> (4 * n) & 0xf == 0).fold(0, |m, n| m | 0xf << (4 * n));
    let unseen = effects.writes.outputs & unseen;
    if unseen != 0 {
        let message = format!("{} is written, but is no output of the program", listed('o', unseen));
        found.push(Finding::new(codes::OUTPUT_DISABLED, at, message));
    }
}

fn stage(program: &Program<'_>, pc: u32, insn: &Insn<Pica200>, found: &mut Found) {
    let at = Subject::Word(pc);
    let role = insn.form().attr.role;
    if !program.geometry && matches!(role, Role::Emit | Role::SetEmit) {
        let message = format!("{} in a vertex program", insn.form().name);
        found.push(Finding::new(codes::GEOMETRY_ONLY, at, message));
    }
    if role == Role::SetEmit && insn.field(VERTEX) > 2 {
        found.push(Finding::new(codes::VERTEX_SLOT, at, "there is no vertex slot 3"));
    }
}
