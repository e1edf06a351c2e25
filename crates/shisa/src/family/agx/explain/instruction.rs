//! An instruction, from its rows.

use crate::explain::{Explanation, Section, row};
use shisa_agx::facts::Length;
use shisa_agx::{Agx, FILES, SUITE, fetch, length};
use shisa_ir::Lifted;
use shisa_rows::{Form, Insn, Isa as _};

/// The rows of a mnemonic; there is one for each form of its sources.
fn rows(name: &str) -> impl Iterator<Item = &'static Form<Agx>> {
    Agx::table().forms().iter().filter(move |f| f.name == name)
}

pub(super) fn explain(word: &str) -> Option<Explanation> {
    // The shortest summary is the most general one.
    let general = rows(word).min_by_key(|f| f.summary.len())?;
    let mut sections = Vec::new();
    for form in rows(word) {
        let mut lines = vec![row::written(form)];
        if rows(word).nth(1).is_some() {
            lines.push(format!("  {}", form.summary));
        }
        lines.extend(form.spelling.map(|s| format!("applegpu: {}", s.name)).filter(|s| !s.ends_with(": ")));
        sections.push(Section { heading: "Written", lines });
        sections.push(Section { heading: "Length", lines: vec![lengths(form.attr.length)] });
        sections.push(meaning(form));
        sections.push(row::bits(form, row::range));
        sections.extend(row::examples(form, digits));
    }
    Some(Explanation {
        word: general.name.into(),
        kind: "AGX instruction",
        summary: general.summary.into(),
        sections,
    })
}

pub(super) fn words() -> impl Iterator<Item = String> {
    Agx::table().forms().iter().map(|f| f.name.to_owned())
}

fn lengths(length: Length) -> String {
    let Length { short, long, bit } = length;
    match short == long {
        true => format!("{short} bytes"),
        false => format!("{short} bytes, or {long} where bit {bit} is set"),
    }
}

/// The bytes in the form that `--words` reads.
fn digits(word: &u128) -> String {
    let bytes = word.to_le_bytes();
    let size = fetch(&bytes).map_or(0, |insn| length(&insn));
    bytes.iter().take(size).map(|b| format!("{b:02x}")).collect()
}

/// The effect of the first example that has a meaning: its lift as pseudocode; or why there is none.
fn meaning(form: &Form<Agx>) -> Section {
    let mut lines = Vec::new();
    for (text, word) in form.examples {
        let Some(insn) = Insn::<Agx>::decode(*word) else { continue };
        let mut lifted = Lifted::new(FILES);
        if let Err(d) = shisa_rows::lift(&mut lifted, insn, (SUITE.ctx)(form), 0, 2) {
            lines = vec![d.message];
            lines.extend(d.help);
        } else {
            let code = lifted.steps.first().map(|s| shisa_ir::pseudocode(&lifted.nodes, s, &FILES));
            lines = vec![format!("{text}:")];
            lines.extend(code.iter().flat_map(|c| c.lines()).map(|l| format!("  {l}")));
            if lines.len() == 1 {
                lines.push("  nothing".into());
            }
            break;
        }
    }
    Section { heading: "What it does", lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_told_with_its_bits_and_examples() {
        for form in Agx::table().forms() {
            let text = explain(form.name).map(|e| e.to_string()).unwrap_or_default();
            assert!(text.contains(form.summary) && !form.summary.is_empty(), "{}", form.name);
            assert!(form.examples.iter().all(|(example, _)| text.contains(example)), "{}", form.name);
        }
        let text = explain("fadd").map(|e| e.to_string()).unwrap_or_default();
        for line in ["4 bytes, or 6 where bit 15 is set", "operand 2", "r0", "2a81402aa400"] {
            assert!(text.contains(line), "{line} in\n{text}");
        }
    }
}
