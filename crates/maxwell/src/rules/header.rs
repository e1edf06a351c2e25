//! What the Shader Program Header allows, and what only some stages have.

use super::code::{Code, Found};
use crate::{Maxwell, ShaderStage};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_rows::{Field, Insn};

/// Instructions of one stage only.
const OWN: &[(&str, &[ShaderStage])] = &[
    ("ALD", VERTICES),
    ("AL2P", VERTICES),
    ("AST", VERTICES),
    ("ISBERD", VERTICES),
    ("IPA", &[ShaderStage::Fragment]),
    ("KIL", &[ShaderStage::Fragment]),
    ("OUT", &[ShaderStage::Geometry]),
    ("PIXLD", &[ShaderStage::Fragment]),
];
/// Stages that read and write attributes of vertices.
const VERTICES: &[ShaderStage] = &[
    ShaderStage::Vertex,
    ShaderStage::TessellationControl,
    ShaderStage::TessellationEvaluation,
    ShaderStage::Geometry,
];

/// The stages in which the instructions of a name mean anything; `None` if that is all of them.
pub fn stages(name: &str) -> Option<&'static [ShaderStage]> {
    OWN.iter().find(|(own, _)| *own == name).map(|(_, stages)| *stages)
}

/// What an instruction does that a flag of the header must allow.
struct Allowed {
    field: &'static str,
    what: &'static str,
    /// What becomes of it otherwise.
    otherwise: &'static str,
    does: fn(&Insn<Maxwell>) -> bool,
}

const ALLOWED: &[Allowed] = &[
    Allowed {
        field: "DoesGlobalStore",
        what: "writes global memory",
        otherwise: "it is dropped",
        does: |insn| matches!(insn.form().name, "ST" | "STG" | "ATOM" | "RED"),
    },
    Allowed {
        field: "DoesLoadOrStore",
        what: "reads or writes memory",
        otherwise: "it is dropped",
        does: |insn| matches!(insn.form().name, "LD" | "LDG" | "LDL" | "ST" | "STG" | "STL" | "ATOM" | "RED"),
    },
    Allowed {
        field: "DoesFp64",
        what: "computes with 64-bit floats",
        otherwise: "it is dropped",
        does: doubles,
    },
];

/// The field that `KIL` needs.
const KILLS: &str = "KillsPixels";
/// Whether `ALD` reads outputs.
const OUTPUT: Field = Field::at(32, 1);

/// The fields of the Shader Program Header that must be set for an instruction, and what becomes of it otherwise.
pub fn needs(insn: &Insn<Maxwell>) -> impl Iterator<Item = (&'static str, &'static str)> {
    let flags = ALLOWED.iter().filter(move |rule| (rule.does)(insn)).map(|rule| (rule.field, rule.otherwise));
    let kills = (insn.form().name == "KIL").then_some((KILLS, "it only raises an exception"));
    flags.chain(kills)
}

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let Some(stage) = code.stage else { return };
    for (i, insn) in code.insns() {
        let name = insn.form().name;
        if stages(name).is_some_and(|own| !own.contains(&stage)) {
            let text = format!("{name} means nothing in a {} program", stage.name());
            found.at(i, Diagnostic::error("maxwell-stage", text));
        }
        if name == "ALD" && OUTPUT.get(&insn.word) != 0 && stage == ShaderStage::Geometry {
            let text = "a geometry program cannot read its outputs";
            found.at(i, Diagnostic::error("maxwell-output-read", text));
        }
        let Some(header) = code.header else { continue };
        for rule in ALLOWED.iter().filter(|rule| (rule.does)(insn)) {
            if header.get(rule.field) == Some(0) {
                let text = format!(
                    "{name} {}, but the header has no {}, so {}",
                    rule.what, rule.field, rule.otherwise
                );
                found.against(i, rule.field, Diagnostic::error("maxwell-header", text));
            }
        }
        if name == "KIL" && stage == ShaderStage::Fragment && header.get(KILLS) == Some(0) {
            let text =
                "KIL discards pixels, but the header has no KillsPixels, so it only raises an exception";
            found.against(i, KILLS, Diagnostic::error("maxwell-header", text));
        }
    }
}

/// Whether an instruction computes with 64-bit floats.
fn doubles(insn: &Insn<Maxwell>) -> bool {
    let form = insn.form();
    let arithmetic = matches!(form.name, "DADD" | "DFMA" | "DMNMX" | "DMUL" | "DSET" | "DSETP");
    let named = |m: &shisa_rows::Modifier| {
        let name = m.names.get(m.field.get(&insn.word) as usize);
        name.is_some_and(|name| name.split('.').any(|part| part == "F64"))
    };
    arithmetic || matches!(form.name, "F2F" | "F2I" | "I2F") && form.modifiers.iter().any(named)
}
