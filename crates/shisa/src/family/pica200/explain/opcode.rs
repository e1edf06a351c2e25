//! An opcode, from its row.

use super::seed;
use crate::explain::{Explanation, Section, row};
use shisa_ir::{Access, Control, Lifted, Names, Scalar};
use shisa_pica200::format::Format;
use shisa_pica200::{ADDRESS, FILES, FLAGS, LOOPS, Options, Pica200, sequencer};
use shisa_rows::{Form, Insn, Line};

pub(super) fn explain(form: &Form<Pica200>) -> Explanation {
    let format = Format::of(form);
    let mut sections = vec![
        Section { heading: "Written", lines: vec![row::written(form)] },
        Section { heading: "Format", lines: vec![format!("{}: {}", format.name(), format.about())] },
    ];
    sections.extend(meaning(form));
    sections.push(row::bits(form, bit_names));
    sections.extend(row::examples(form, |word| {
        let (code, descriptor) = shisa_pica200::word::split(*word);
        match shisa_pica200::word::descriptor(code) {
            Some(_) => format!("{code:08x}:{descriptor:08x}"),
            None => format!("{code:08x}"),
        }
    }));
    sections.extend(seed::about(form.name));
    Explanation { word: form.name.into(), kind: "PICA200 opcode", summary: form.summary.into(), sections }
}

/// Names bits of the instruction, or of its operand descriptor.
pub(in super::super) fn bit_names(lo: u8, width: u8) -> String {
    match lo.checked_sub(32) {
        None => row::range(lo, width),
        Some(lo) => format!("descriptor {}", row::range(lo, width)),
    }
}

/// The effect of the first example: its lift as pseudocode.
fn meaning(form: &Form<Pica200>) -> Option<Section> {
    let (_, word) = form.examples.first()?;
    let insn = Insn::<Pica200>::decode(*word)?;
    let mut lifted = Lifted::new(FILES);
    shisa_rows::lift(&mut lifted, insn, &Options::DEFAULT, 0, 1).ok()?;
    let code = shisa_ir::pseudocode(&lifted.nodes, lifted.steps.first()?, &OperandNames);
    let mut text = Vec::new();
    shisa_rows::print(&insn, &Options::DEFAULT, &mut Line::new(&mut text));
    let lines = row::effect(&String::from_utf8_lossy(&text), &code);
    Some(Section { heading: "What it does", lines })
}

/// Names registers and control in PICA200's terms.
struct OperandNames;

impl Names for OperandNames {
    fn place(&self, access: &Access<'_>) -> String {
        let unit = usize::from(access.reg.unit);
        let of = |names: &[&str]| {
            let names: Vec<&str> = access
                .components
                .iter()
                .map(|c| names.get(unit + usize::from(*c)).copied().unwrap_or("?"))
                .collect();
            if names.len() == 1 { names.concat() } else { format!("({})", names.join(", ")) }
        };
        match access.reg.file {
            ADDRESS => of(&["a0.x", "a0.y", "aL"]),
            FLAGS => of(&["cmp.x", "cmp.y"]),
            LOOPS => {
                let parts = ["iterations", "step", "outer aL"].iter().map(|p| (p, unit / 3));
                let names: Vec<String> = access
                    .components
                    .iter()
                    .filter_map(|c| parts.clone().nth(unit % 3 + usize::from(*c)))
                    .map(|(p, n)| format!("loop{n} {p}"))
                    .collect();
                if names.len() == 1 { names.concat() } else { format!("({})", names.join(", ")) }
            }
            _ => FILES.place(&Access { scalar: Scalar::F32, ..*access }),
        }
    }

    fn control(&self, control: &Control) -> Option<String> {
        let (target, extra) = (control.target, control.extra);
        Some(match control.op {
            sequencer::CALL => format!("run words {target} to {}, then return", extra.saturating_sub(1)),
            sequencer::IF => format!("run up to word {target}, then go to {extra}; else go to {target}"),
            sequencer::LOOP => format!("repeat up to word {}", target.saturating_sub(1)),
            sequencer::BREAK => "leave the innermost loop".into(),
            sequencer::JUMP => format!("go to word {target}"),
            sequencer::END => "end the program".into(),
            _ => return None,
        })
    }
}
