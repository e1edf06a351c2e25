//! Words of a row: its examples, and examples in which one modifier has another value.

use super::setting::{ALWAYS, guard};
use shisa_maxwell::{Ctx, Maxwell};
use shisa_rows::{Form, Insn, Modifier};

/// A fact of a row that a word of it shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Facet {
    /// The row itself.
    Row,
    /// The value of the modifier of a number.
    Value(usize, u64),
}

impl Facet {
    /// All facets of a row that are defined.
    pub(super) fn all(form: &Form<Maxwell>) -> Vec<Facet> {
        let values = |(number, modifier): (usize, &Modifier)| {
            (0..modifier.names.len() as u64)
                .filter(|value| value >> modifier.field.width() == 0 && is_defined(modifier, *value))
                .map(move |value| Facet::Value(number, value))
                .collect::<Vec<_>>()
        };
        let values = form.modifiers.iter().enumerate().filter(|(_, m)| m.field.width() > 0).flat_map(values);
        core::iter::once(Facet::Row).chain(values).collect()
    }

    /// The mnemonic with the suffixes that all words of the row have.
    pub(super) fn row(self, form: &Form<Maxwell>) -> String {
        let fixed = form.modifiers.iter().filter(|m| m.field.width() == 0).map(|m| m.names[0]);
        core::iter::once(form.name).chain(fixed).collect()
    }

    /// [`Facet::row`], and the suffix that is shown. A value that is not
    /// written is named by the suffix of another one: `-.FTZ`.
    pub(super) fn name(self, form: &Form<Maxwell>) -> String {
        let mnemonic = self.row(form);
        match self {
            Facet::Row => mnemonic,
            Facet::Value(number, value) => match form.modifiers[number].names {
                ["", other, ..] if value == 0 => format!("{mnemonic} -{other}"),
                names => format!("{mnemonic} {}", names[value as usize]),
            },
        }
    }
}

/// Whether a value has a name that is not the disassembler's for a value without a meaning.
fn is_defined(modifier: &Modifier, value: u64) -> bool {
    let name = modifier.names[value as usize];
    !name.contains("INVALID") && !name.contains("???")
}

/// Words of the row that show the facet, the ones that differ least from an example first. All of them may run, and a
/// chip accepts them.
pub(super) fn words(form: &'static Form<Maxwell>, facet: Facet) -> impl Iterator<Item = Insn<Maxwell>> {
    let examples = form.examples.iter().map(move |(_, word)| {
        let mut word = *word;
        if let Facet::Value(number, value) = facet {
            form.modifiers[number].field.set(&mut word, value);
        }
        word
    });
    let others = form.modifiers.iter().enumerate().filter(move |(number, _)| match facet {
        Facet::Row => true,
        Facet::Value(shown, _) => shown != *number,
    });
    let changed = others.flat_map(|(_, modifier)| {
        (0..modifier.names.len() as u64).filter(|v| is_defined(modifier, *v)).map(move |v| (modifier, v))
    });
    let again = examples.clone();
    let changed = changed.flat_map(move |(modifier, value)| {
        again.clone().map(move |mut word| {
            modifier.field.set(&mut word, value);
            word
        })
    });
    examples.chain(changed).filter_map(Insn::<Maxwell>::decode).filter(move |insn| {
        core::ptr::eq(insn.form(), form)
            && guard(insn) != Some((ALWAYS, false))
            && shisa_maxwell::decode(insn.word, Ctx::default()).is_ok()
    })
}
