//! An instruction, from its rows.

use crate::explain::{Explanation, Section, row};
use shisa_agx::facts::Length;
use shisa_agx::{Agx, FILES, SUITE, fetch, length};
use shisa_ir::Lifted;
use shisa_rows::{Form, Insn, Isa as _, Modifier, OneOf, Operand};
use std::collections::BTreeSet;

/// The rows of a mnemonic, in Mesa's syntax or applegpu's; there is one for each form of its sources.
fn rows(name: &str) -> impl Iterator<Item = &'static Form<Agx>> {
    let own = Agx::table().forms().iter().any(|f| f.name == name);
    Agx::table().forms().iter().filter(move |f| match own {
        true => f.name == name,
        false => other_names(f).contains(name),
    })
}

/// The mnemonics of a row in applegpu's syntax, without the suffix of saturation.
fn other_names(form: &Form<Agx>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut spelling = form.spelling.as_ref();
    while let Some(this) = spelling {
        let begun = vec![this.name.to_owned()];
        let with = |names: Vec<String>, suffix: &Modifier| {
            names.iter().flat_map(|name| suffix.names.iter().map(move |s| format!("{name}{s}"))).collect()
        };
        let all = this.modifiers.iter().fold(begun, with);
        // Values of a field that have no name leave only the start of a mnemonic.
        let whole = all.iter().map(|name| name.trim_end_matches(".sat")).filter(|name| !name.ends_with('_'));
        names.extend(whole.filter(|name| !name.is_empty()).map(str::to_owned));
        spelling = this.unless.map(|(_, other)| other);
    }
    names
}

pub(super) fn explain(word: &str) -> Option<Explanation> {
    // The shortest summary is the most general one.
    let general = rows(word).min_by_key(|f| f.summary.len())?;
    let mut sections = Vec::new();
    for form in rows(word) {
        let mut lines = vec![written(form)];
        if rows(word).nth(1).is_some() {
            lines.push(format!("  {}", form.summary));
        }
        let other: Vec<String> = other_names(form).into_iter().filter(|name| name != form.name).collect();
        lines.extend(other.chunks(8).map(|names| format!("applegpu: {}", names.join(", "))));
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
    let forms = Agx::table().forms().iter();
    forms.flat_map(|f| core::iter::once(f.name.to_owned()).chain(other_names(f)))
}

/// The most names of an operand that are all shown.
const FEW: usize = 4;

/// The mnemonic with its operands; those in brackets may be left out.
fn written(form: &Form<Agx>) -> String {
    let operand = |op: &Operand<Agx>| {
        let kind: &dyn core::any::Any = op.kind;
        let names = kind.downcast_ref::<OneOf>().map_or(&[][..], |one| one.names);
        let names: Vec<&str> = names.iter().copied().filter(|name| !name.is_empty()).collect();
        let text = match names.len() {
            1..=FEW => names.join(" or "),
            _ => format!("<{}>", op.kind.describe()),
        };
        if op.kind.optional() { format!("[{text}]") } else { text }
    };
    let operands: Vec<String> = form.operands.iter().map(operand).collect();
    format!("{} {}", form.name, operands.join(", ")).trim_end().to_owned()
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
            lines = row::effect(text, &code.unwrap_or_default());
            break;
        }
    }
    Section { heading: "What it does", lines }
}
