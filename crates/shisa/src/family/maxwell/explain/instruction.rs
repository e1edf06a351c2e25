//! An instruction, from its rows.

use super::{note, value};
use crate::explain::{Explanation, Section, row};
use shisa_ir::{Access, Control, ControlOp, Lifted, Names};
use shisa_maxwell::{
    Attr, CODES, Chip, Distance, FILES, Latency, Maxwell, SPECIALS, SUITE, Schedule, sequencer,
    special_register,
};
use shisa_rows::{Form, Insn, Isa as _, UNSTATED};

/// The rows of a mnemonic; there is one for each form of its sources.
fn rows(name: &str) -> impl Iterator<Item = &'static Form<Maxwell>> {
    Maxwell::table().forms().iter().filter(move |f| f.name == name)
}

pub(super) fn explain(word: &str) -> Option<Explanation> {
    // The shortest summary is the most general one.
    let general = rows(word).min_by_key(|f| f.summary.len())?;
    let mut sections = Vec::new();
    let mut before: Option<&Form<Maxwell>> = None;
    for form in rows(word) {
        let mut lines = vec![row::written(form)];
        if rows(word).nth(1).is_some() {
            lines.push(format!("  {}", form.summary));
        }
        sections.push(Section { heading: "Written", lines });
        let other = |b: &Form<Maxwell>| availability(b.attr) != availability(form.attr);
        if before.is_none_or(other) {
            sections.extend(availability(form.attr));
        }
        if before.is_none() {
            sections.push(note::stages(form));
            sections.extend(note::needs(rows(word)));
        }
        let suffixes = |f: &Form<Maxwell>| (value::modifiers(f.modifiers), older(f));
        if before.is_none_or(|b| suffixes(b) != suffixes(form)) {
            let (now, older) = suffixes(form);
            let told = [("Modifiers", now), ("Modifiers of sm_50", older)];
            let told = told.into_iter().filter(|(_, lines)| !lines.is_empty());
            sections.extend(told.map(|(heading, lines)| Section { heading, lines }));
        }
        sections.push(meaning(form));
        sections.push(row::bits(form, value::bit_names));
        sections.extend(value::names(form));
        sections.extend(refusals(form));
        sections.extend(row::examples(form, digits));
        before = Some(form);
    }
    sections.extend(note::sections(word));
    Some(Explanation {
        word: general.name.into(),
        kind: "Maxwell instruction",
        summary: general.summary.into(),
        sections,
    })
}

pub(super) fn words() -> impl Iterator<Item = String> {
    Maxwell::table().forms().iter().map(|f| f.name.to_owned())
}

fn availability(attr: Attr) -> [Section; 2] {
    let chips = match attr.since {
        Chip::Sm50 => "all".into(),
        since => format!("from {since} on"),
    };
    let latency = match (attr.latency, attr.slow) {
        (Latency::Variable, _) => "variable: the instruction may raise a barrier",
        (Latency::Fixed, Some(_)) => {
            "fixed: the code stalls until the result is there; variable with some modifiers or operands"
        }
        (Latency::Fixed, None) => "fixed: the code stalls until the result is there",
    };
    let distance = |what: &str, distance: Option<Distance>| {
        let Distance { cycles, seen, doubted } = distance?;
        let trust = match distance?.trusted() {
            Some(_) => "",
            None if doubted => "; something else may protect them",
            None => "; that is too few to rely on",
        };
        Some(format!(
            "reads {what} at least {cycles} cycles after arithmetic, as seen {seen} times in compilers' output{trust}"
        ))
    };
    let read = [distance("a register", attr.reads), distance("condition codes", attr.reads_codes)];
    [
        Section { heading: "Chips", lines: vec![chips] },
        Section {
            heading: "Latency",
            lines: [Some(latency.into())].into_iter().chain(read).flatten().collect(),
        },
    ]
}

/// The suffixes for the first chip, if they differ.
fn older(form: &Form<Maxwell>) -> Vec<String> {
    form.older.map(value::modifiers).unwrap_or_default()
}

/// The conditions that the row refuses besides undefined bits.
fn refusals(form: &Form<Maxwell>) -> Option<Section> {
    let mut lines: Vec<String> = form.rules.iter().map(|r| r.code.to_owned()).collect();
    lines.dedup();
    (!lines.is_empty()).then_some(Section { heading: "May be refused with", lines })
}

/// The word in the form that `--words` reads, and its control bits if it needs any.
fn digits(word: &u128) -> String {
    let (bits, control) = (*word as u64, (word >> 64) as u32);
    match control {
        c if c == Schedule::PLAIN.0 => format!("{bits:016x}"),
        _ => format!("{bits:016x}, control bits {control:#x}"),
    }
}

/// The effect of the first example that has a meaning: its lift as pseudocode; or why there is none, and words.
fn meaning(form: &Form<Maxwell>) -> Section {
    let mut lines = vec![format!("not stated yet but in words: {}", form.summary)];
    for (text, word) in form.examples {
        let ctx = (SUITE.ctx)(form);
        let Some(insn) = Insn::<Maxwell>::decode(*word) else { continue };
        let mut lifted = Lifted::new(FILES);
        match shisa_rows::lift(&mut lifted, insn, ctx, ctx.pc, ctx.pc + 8) {
            Ok(()) => {
                let code =
                    lifted.steps.first().map(|s| shisa_ir::pseudocode(&lifted.nodes, s, &OperandNames));
                lines = row::effect(text.trim_end_matches([';', ' ']), &code.unwrap_or_default());
                break;
            }
            Err(d) if d.code != UNSTATED => {
                lines = vec![format!("not stated yet for the examples: {}", d.message)]
            }
            Err(_) => {}
        }
    }
    Section { heading: "What it does", lines }
}

/// Names registers and control in Maxwell's terms.
struct OperandNames;

impl Names for OperandNames {
    fn place(&self, access: &Access<'_>) -> String {
        let unit = access.reg.unit;
        match access.reg.file {
            CODES => {
                let code =
                    |c: &u8| ["zero", "sign", "carry", "overflow"].get(usize::from(unit) + usize::from(*c));
                let codes: Vec<&str> = access.components.iter().filter_map(code).copied().collect();
                format!("CC.{}", codes.join("."))
            }
            SPECIALS => special_register(unit as u8).map_or_else(|| format!("SR{unit}"), |s| s.name.into()),
            _ => FILES.place(access),
        }
    }

    fn control(&self, control: &Control) -> Option<String> {
        // The pseudocode adds a computed target.
        let to = control.place.map_or(format!(" to {:#x}", control.target), |_| String::new());
        Some(match control.op {
            sequencer::SSY => format!("SYNC will branch{to}"),
            sequencer::PBK => format!("BRK will branch{to}"),
            sequencer::SYNC => "wait where SSY says".into(),
            sequencer::BRK => "wait where PBK says".into(),
            sequencer::EXIT => "end these lanes, or wait where PEXIT says".into(),
            sequencer::RET => "wait for the other lanes of the call".into(),
            sequencer::SAM => "run the other lanes of the quads, too".into(),
            sequencer::RAM => "run only the lanes from before SAM".into(),
            ControlOp::Push(_) => format!("lanes that leave to this mark will branch{to}"),
            ControlOp::Pop(_) => "wait where the mark says".into(),
            ControlOp::Next => return None,
            _ => return FILES.control(control),
        })
    }
}
