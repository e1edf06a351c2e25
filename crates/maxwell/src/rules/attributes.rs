//! Checks attributes that programs read and write against the maps of the Shader Program Header.

use super::code::{Code, Found};
use crate::container::Sph;
use crate::container::sph::Maps;
use crate::operand::fixed_attribute;
use crate::role::{AttributeAccess, AttributeAct, Interpolation, Role};
use crate::{Maxwell, ShaderStage};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::Insn;

/// Addresses from `start`, and the header's bits for each four bytes.
struct Run {
    start: u16,
    end: u16,
    bit: u16,
    width: u16,
}

const fn run(start: u16, end: u16, bit: u16, width: u16) -> Run {
    Run { start, end, bit, width }
}

/// Inputs of pixel programs: system values, generic attributes, colours, system values, texture coordinates.
const PIXEL: &[Run] = &[
    run(0, 0x80, 160, 1),
    run(0x80, 0x280, 192, 2),
    run(0x280, 0x2a0, 448, 2),
    run(0x2c0, 0x300, 464, 1),
    run(0x300, 0x3a0, 480, 2),
];
/// Inputs of the other programs.
const INPUTS: &[Run] = &[run(0, 0x3a0, 160, 1)];
/// Outputs of the other programs; last the mask of viewports.
const OUTPUTS: &[Run] = &[run(0, 0x3a4, 400, 1)];

/// How the header has an attribute interpolated.
const UNIFORM: u32 = 1;
const PERSPECTIVE: u32 = 2;
const LINEAR: u32 = 3;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let Some(header) = code.header else { return };
    for (i, insn) in code.insns() {
        let Some((runs, first, count)) = named(insn, header.maps()) else { continue };
        for address in (0..count).map(|n| first + 4 * n) {
            let Some((field, value)) = bits(&header, runs, address) else { continue };
            if value == 0 {
                let text = format!("{field} of the header lacks the attribute a[{address:#x}]");
                found.against(i, field, Diagnostic::error("maxwell-attribute", text));
            } else if let Some(how) = interpolated(insn, field, value) {
                let text = format!("a[{address:#x}] is taken {how}");
                found.against(i, field, Diagnostic::warning("maxwell-interpolation", text));
            }
        }
    }
    if code.stage == Some(ShaderStage::TessellationControl) {
        patch(code, &header, found);
    }
}

/// The access of an instruction to attributes, if it has one.
fn access(insn: &Insn<Maxwell>) -> Option<AttributeAccess> {
    match insn.form().attr.role {
        Role::Attribute(access) => Some(access),
        Role::Compute
        | Role::Memory(_)
        | Role::Drain(_)
        | Role::Barrier(_)
        | Role::ReadSpecial { .. }
        | Role::Emit(_)
        | Role::Kill => None,
    }
}

/// The attributes that an instruction names by number: the header's runs, the first address, the count.
fn named(insn: &Insn<Maxwell>, maps: Maps) -> Option<(&'static [Run], u16, u16)> {
    let access = access(insn).filter(|access| !access.patch)?;
    let runs = match (access.act, maps) {
        (AttributeAct::Interpolate(_), Maps::Pixel) => PIXEL,
        (AttributeAct::Load { output }, Maps::Vtg) if !output(&insn.word) => INPUTS,
        (AttributeAct::Load { .. } | AttributeAct::Store, Maps::Vtg) => OUTPUTS,
        _ => return None,
    };
    Some((runs, fixed_attribute(insn)?, (access.components)(&insn.word)))
}

/// The fault in how a pixel program reads an attribute, if the header states its interpolation.
fn interpolated(insn: &Insn<Maxwell>, field: &str, value: u32) -> Option<&'static str> {
    let AttributeAct::Interpolate(how) = access(insn)?.act else { return None };
    if field.starts_with("ImapSystem") {
        return None;
    }
    match (how(&insn.word), value) {
        (Interpolation::Constant, PERSPECTIVE | LINEAR) => {
            Some("as a constant, and the header has it interpolated")
        }
        (Interpolation::Pass | Interpolation::Factor, UNIFORM) => {
            Some("as interpolated, and the header has it constant")
        }
        (Interpolation::Factor, LINEAR) => Some("times a factor, and the header has it linear on the screen"),
        _ => None,
    }
}

/// The field that has an attribute's bits, and their value; `None` for addresses that no map has.
fn bits(header: &Sph, runs: &[Run], address: u16) -> Option<(&'static str, u32)> {
    let run = runs.iter().find(|r| (r.start..r.end).contains(&address))?;
    let bit = run.bit + (address - run.start) / 4 * run.width;
    let field = header.fields().find(|f| (f.bit..f.bit + f.width * f.count).contains(&bit))?;
    let inside = bit - field.bit;
    let value = field.get(header, inside / field.width) >> (inside % field.width);
    Some((field.name, value & ((1 << run.width) - 1)))
}

/// Attributes of the patch, whose number of components the header states.
fn patch(code: &Code<'_>, header: &Sph, found: &mut Found<'_>) {
    let field = "PerPatchAttributeCount";
    let count = header.get(field).unwrap_or(0);
    for (i, insn) in code.insns() {
        let Some(access) = access(insn).filter(|access| access.patch) else { continue };
        let (AttributeAct::Store, Some(first)) = (access.act, fixed_attribute(insn)) else { continue };
        let end = u32::from(first) / 4 + u32::from((access.components)(&insn.word));
        if end > count {
            let text = format!("component {} of the patch is written, and the header has {count}", end - 1);
            found.against(i, field, Diagnostic::error("maxwell-attribute", text));
        }
    }
}
