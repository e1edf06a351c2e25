//! Each row in a program whose results are stored: it is translated to SPIR-V, or refused for a reason that is known.

use super::Staged;
use crate::code::tests::words;
use crate::mark::Turn;
use crate::operand::D;
use crate::{Drawing, Maxwell, Options, ShaderStage};
use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use shisa_diag::Limits;
use shisa_ir::Stage;
use shisa_rows::{Insn, Isa};
use shisa_translate::{Options as Translation, Program, SpirvVersion, Target};

/// Registers that hold what memory holds, in groups of four.
const GROUPS: u16 = 62;

/// Mnemonics of examples that are refused, and the code. Lifts refuse what nothing public describes and what does not
/// exist.
const KNOWN: &[(&str, &str)] = &[
    ("ALD", "lift-attribute"),
    ("AST", "lift-attribute"),
    ("AST", "translate-unsupported"),
    ("B2R", "lift-unstated"),
    ("BPT", "maxwell-run-trap"),
    ("CS2R", "translate-special"),
    ("F2F", "lift-unstated"),
    ("IADD3", "lift-parts"),
    ("IPA", "lift-interpolation"),
    ("ISBERD", "lift-vertices"),
    ("PRMT", "lift-permute"),
    ("R2B", "lift-unstated"),
    ("RTT", "maxwell-run-trap"),
    ("SHF", "lift-shift"),
    ("SHL", "lift-shift"),
    ("SHR", "lift-shift"),
    ("SUATOM", "lift-atomic"),
    ("SUATOM", "lift-surface"),
    ("SULD", "lift-surface"),
    ("SURED", "lift-atomic"),
    ("TEX", "translate-texture"),
    ("TLD4", "lift-texture"),
    ("TMML", "lift-texture"),
    ("TMML", "translate-compute-lod"),
    ("TXA", "lift-unstated"),
    ("TXD", "lift-texture"),
    ("TXD", "translate-texture"),
    ("TXQ", "lift-texture"),
];

/// Lines that give registers, predicates and codes values that nothing determines.
fn before() -> Vec<String> {
    let pointer = ["MOV R250, c[0x0][0x140]", "MOV R251, c[0x0][0x144]"].map(String::from);
    let loads = (0..GROUPS).map(|n| format!("LDG.E.128 R{}, [R250+{:#x}]", 4 * n, 16 * n));
    let predicates = (0..7).map(|n| format!("ISETP.GT.AND P{n}, PT, R{}, RZ, PT", 8 + n));
    let codes = ["IADD RZ.CC, R16, R17".into()];
    pointer.into_iter().chain(loads).chain(predicates).chain(codes).collect()
}

/// Lines that store the result at `R{first}` and all predicates.
fn after(first: u64) -> Vec<String> {
    let pointer = ["MOV R250, c[0x0][0x148]", "MOV R251, c[0x0][0x14c]"].map(String::from);
    let results = (first..first + 4).filter(|n| *n < 248).zip(0..);
    let results = results.map(|(n, i)| format!("STG.E [R250+{:#x}], R{n}", 4 * i));
    let predicates = (0..7)
        .flat_map(|n| [format!("SEL R248, R0, RZ, P{n}"), format!("STG.E [R250+{:#x}], R248", 0x20 + 4 * n)]);
    pointer.into_iter().chain(results).chain(predicates).collect()
}

/// The code with which a word is refused; `None` if it is translated.
fn refusal(insn: &Insn<Maxwell>, drawn: Option<ShaderStage>) -> Option<&'static str> {
    let first = insn.form().operand(D).map_or(0, |_| insn.field(D));
    let (before, after) = (before(), after(first));
    let end = ["EXIT".into()];
    let lines: Vec<String> = before.iter().cloned().chain(["NOP".into()]).chain(after).chain(end).collect();
    let mut code = words(&lines.join("\n"));
    code[before.len()] = insn.word;
    let stage = match drawn {
        Some(ShaderStage::Fragment) => Stage::Fragment,
        Some(_) => Stage::Vertex,
        None => Stage::Compute,
    };
    let drawing = drawn.map(|stage| Drawing::new(stage, None, Options::DEFAULT));
    let program = crate::Program { stage, code, workgroup: [32, 1, 1], drawing };
    let staged = Staged { shared: 1 << 14, local: 1 << 14, ..Staged::new(program) };
    let limits = Limits::default();
    let (func, tree, interface, _) = match staged.lower(&limits) {
        Ok(lowered) => lowered,
        Err(d) => return Some(d[0].code),
    };
    let program = Program { func: &func, tree: &tree, interface: &interface, source: &[] };
    let target = Target::Spirv(SpirvVersion::V1_3);
    shisa_translate::translate(&program, target, &Translation::default(), &limits).err().map(|d| d[0].code)
}

#[test]
fn rows_are_translated_or_refused_for_a_known_reason() {
    let mut refused: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut translated = 0;
    for form in Maxwell::table().forms().iter().filter(|form| matches!(form.attr.turn, Turn::Next)) {
        for (_, word) in form.examples {
            let Some(insn) = Insn::<Maxwell>::decode(*word) else { continue };
            let stages = form.attr.stages.unwrap_or(&[ShaderStage::Compute]);
            let drawn = [ShaderStage::Compute, ShaderStage::Fragment, ShaderStage::Vertex]
                .into_iter()
                .find(|stage| stages.contains(stage));
            let Some(drawn) = drawn else { continue };
            match refusal(&insn, (drawn != ShaderStage::Compute).then_some(drawn)) {
                None => translated += 1,
                Some(code) => drop(refused.insert((form.name, code))),
            }
        }
    }
    let unknown: Vec<_> = refused.iter().filter(|reason| !KNOWN.contains(reason)).collect();
    assert_eq!(unknown, Vec::<&(&str, &str)>::new());
    let gone: Vec<_> = KNOWN.iter().filter(|reason| !refused.contains(*reason)).collect();
    assert_eq!(gone, Vec::<&(&str, &str)>::new(), "these are translated now");
    assert!(translated > 300, "{translated}");
}
