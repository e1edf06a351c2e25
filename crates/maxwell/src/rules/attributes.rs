//! Checks attributes that programs read and write against the maps of the Shader Program Header.

use super::code::{Code, Found};
use crate::container::Sph;
use crate::container::sph::common;
use crate::container::sph::{Interpolation as Stated, Mapped, Maps};
use crate::operand::fixed_attribute;
use crate::role::{AttributeAccess, AttributeAct, Interpolation, Role};
use crate::{Maxwell, ShaderStage};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::Insn;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let Some(header) = code.header else { return };
    for (i, insn) in code.insns() {
        let Some((map, first, count)) = named(insn, header.maps()) else { continue };
        for address in (0..count).map(|n| first + 4 * n) {
            let Some(mapped) = map(&header, address) else { continue };
            let field = mapped.field;
            if mapped.value == 0 {
                let text = format!("{} of the header lacks the attribute a[{address:#x}]", field.name);
                found.against(i, field, Diagnostic::error("maxwell-attribute", text));
            } else if let Some(how) = interpolated(insn, mapped) {
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

/// The bits of a header for an address.
type Map = fn(&Sph, u16) -> Option<Mapped>;

/// The attributes that an instruction names by number: their map in the header, the first address, the count.
fn named(insn: &Insn<Maxwell>, maps: Maps) -> Option<(Map, u16, u16)> {
    let access = access(insn).filter(|access| !access.patch)?;
    let map: Map = match (access.act, maps) {
        (AttributeAct::Interpolate { .. }, Maps::Pixel) => Sph::input,
        (AttributeAct::Load { output }, Maps::Vtg) if !output(&insn.word) => Sph::input,
        (AttributeAct::Load { .. } | AttributeAct::Store, Maps::Vtg) => Sph::output,
        _ => return None,
    };
    Some((map, fixed_attribute(insn)?, (access.components)(&insn.word)))
}

/// The fault in how a pixel program reads an attribute, if the header states its interpolation.
fn interpolated(insn: &Insn<Maxwell>, mapped: Mapped) -> Option<&'static str> {
    let AttributeAct::Interpolate { how, .. } = access(insn)?.act else { return None };
    match (how(&insn.word), mapped.interpolation()?) {
        (Interpolation::Constant, Stated::Perspective | Stated::Linear) => {
            Some("as a constant, and the header has it interpolated")
        }
        (Interpolation::Pass | Interpolation::Factor, Stated::Constant) => {
            Some("as interpolated, and the header has it constant")
        }
        (Interpolation::Factor, Stated::Linear) => {
            Some("times a factor, and the header has it linear on the screen")
        }
        _ => None,
    }
}

/// Attributes of the patch, whose number of components the header states.
fn patch(code: &Code<'_>, header: &Sph, found: &mut Found<'_>) {
    let field = const { common("PerPatchAttributeCount") };
    let count = header.value(field);
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
