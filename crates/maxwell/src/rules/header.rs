//! Rules about what the Shader Program Header permits, and about instructions of some stages only.

use super::code::{Code, Found};
use crate::container::sph::{Field, common};
use crate::role::{AttributeAct, Memory, Role};
use crate::{Maxwell, ShaderStage};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::{Form, Insn};

/// The stages in which the instructions of a row have a meaning; `None` if that is all of them.
pub fn stages(form: &Form<Maxwell>) -> Option<&'static [ShaderStage]> {
    form.attr.stages
}

/// An effect of an instruction that a flag of the header must permit.
struct Allowed {
    field: &'static Field,
    what: &'static str,
    /// The effect without the flag.
    otherwise: &'static str,
    does: fn(&Insn<Maxwell>) -> bool,
}

const ALLOWED: &[Allowed] = &[
    Allowed {
        field: common("DoesGlobalStore"),
        what: "writes global memory",
        otherwise: "it is dropped",
        does: |insn| accesses(insn).any(|access| access == Access::StoreGlobal),
    },
    Allowed {
        field: common("DoesLoadOrStore"),
        what: "reads or writes memory",
        otherwise: "it is dropped",
        does: |insn| accesses(insn).next().is_some(),
    },
    Allowed {
        field: common("DoesFp64"),
        what: "computes with 64-bit floats",
        otherwise: "it is dropped",
        does: |insn| insn.form().attr.computes_doubles(&insn.word),
    },
];

/// An access to memory that the header must permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Access {
    StoreGlobal,
    Other,
}

/// The access of an instruction that the header must permit, if it has one.
fn accesses(insn: &Insn<Maxwell>) -> impl Iterator<Item = Access> {
    let access = match insn.form().attr.role {
        Role::Memory(access) => match access.memory {
            Memory::Generic | Memory::Global if access.stores => Some(Access::StoreGlobal),
            Memory::Generic | Memory::Global | Memory::Local { .. } => Some(Access::Other),
            Memory::Shared | Memory::Constant { .. } => None,
        },
        Role::Compute
        | Role::Drain(_)
        | Role::Barrier(_)
        | Role::ReadSpecial { .. }
        | Role::Attribute(_)
        | Role::Emit(_)
        | Role::Kill => None,
    };
    access.into_iter()
}

/// Whether an instruction discards the pixel.
fn kills(insn: &Insn<Maxwell>) -> bool {
    matches!(insn.form().attr.role, Role::Kill)
}

/// Whether an instruction loads outputs.
fn loads_output(insn: &Insn<Maxwell>) -> bool {
    match insn.form().attr.role {
        Role::Attribute(access) => match access.act {
            AttributeAct::Load { output } => output(&insn.word),
            AttributeAct::Store | AttributeAct::Interpolate { .. } => false,
        },
        _ => false,
    }
}

/// The field that an instruction that discards pixels needs.
const KILLS: &Field = common("KillsPixels");

/// The fields of the Shader Program Header that must be set for an instruction, and the effect if they are not.
pub fn needs(insn: &Insn<Maxwell>) -> impl Iterator<Item = (&'static Field, &'static str)> {
    let flags = ALLOWED.iter().filter(move |rule| (rule.does)(insn)).map(|rule| (rule.field, rule.otherwise));
    flags.chain(kills(insn).then_some((KILLS, "it only raises an exception")))
}

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let Some(stage) = code.stage else { return };
    for (i, insn) in code.insns() {
        let name = insn.form().name;
        if stages(insn.form()).is_some_and(|own| !own.contains(&stage)) {
            let text = format!("{name} means nothing in a {} program", stage.name());
            found.at(i, Diagnostic::error("maxwell-stage", text));
        }
        if loads_output(insn) && stage == ShaderStage::Geometry {
            let text = "a geometry program cannot read its outputs";
            found.at(i, Diagnostic::error("maxwell-output-read", text));
        }
        let Some(header) = code.header else { continue };
        for rule in ALLOWED.iter().filter(|rule| (rule.does)(insn)) {
            if header.value(rule.field) == 0 {
                let text = format!(
                    "{name} {}, but the header has no {}, so {}",
                    rule.what, rule.field.name, rule.otherwise
                );
                found.against(i, rule.field, Diagnostic::error("maxwell-header", text));
            }
        }
        if kills(insn) && stage == ShaderStage::Fragment && header.value(KILLS) == 0 {
            let text = format!(
                "{name} discards pixels, but the header has no {}, so it only raises an exception",
                KILLS.name
            );
            found.against(i, KILLS, Diagnostic::error("maxwell-header", text));
        }
    }
}
