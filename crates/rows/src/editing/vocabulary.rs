//! The words that operands can be.

use super::dialect::Dialect;
use super::token::text;
use super::usage::operands;
use crate::{Form, Isa, OneOf, Operand, Scan};
use alloc::{borrow::ToOwned, collections::BTreeMap, collections::BTreeSet, rc::Rc, string::String};
use core::cell::RefCell;

/// Words by the name of the operand's kind.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// The operands of the rows' examples.
    examples: BTreeMap<&'static str, BTreeSet<String>>,
    /// The words that a kind was found to read.
    read: RefCell<BTreeMap<&'static str, Rc<[String]>>>,
}

impl Vocabulary {
    /// Collects the operands of the examples of all rows.
    pub(super) fn of<I: Isa>() -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for form in I::table().forms() {
            for (example, _) in form.examples {
                let example = example.split([';', '{']).next().unwrap_or(example);
                let Some((_, rest)) = example.trim_ascii_start().split_once(' ') else { continue };
                let spans = operands(rest, 0, rest.len());
                if spans.len() != form.operands.len() {
                    continue;
                }
                for (span, op) in spans.into_iter().zip(form.operands) {
                    let words = vocabulary.examples.entry(op.kind.describe()).or_default();
                    words.insert(text(rest, span).to_owned());
                }
            }
        }
        vocabulary
    }

    /// The words of a dialect in a context.
    pub(super) fn words<'v, D: Dialect>(
        &'v self,
        dialect: &'v D,
        context: <D::Isa as Isa>::Ctx<'v>,
        registers: &'v BTreeSet<String>,
    ) -> Words<'v, D> {
        Words { vocabulary: self, dialect, context, registers }
    }
}

/// The words of a dialect.
pub(super) struct Words<'v, D: Dialect> {
    vocabulary: &'v Vocabulary,
    pub(super) dialect: &'v D,
    pub(super) context: <D::Isa as Isa>::Ctx<'v>,
    pub(super) registers: &'v BTreeSet<String>,
}

impl<D: Dialect> Words<'_, D> {
    /// Whether an operand may be a text: its kind reads all of it, and the rules allow it.
    pub(super) fn accepts(&self, form: &Form<D::Isa>, op: &Operand<D::Isa>, text: &str) -> bool {
        let (mut word, mut scan) = (form.template(), Scan::new(text, 0));
        op.kind.begins(op, &word).allows(scan.peek())
            && op.kind.parse(op, &mut word, &mut scan, self.context).is_ok()
            && scan.is_empty()
            && self.dialect.allows(op, word)
    }

    /// The operands of examples that have the kind of an operand.
    pub(super) fn examples(&self, op: &Operand<D::Isa>) -> impl Iterator<Item = &str> {
        self.vocabulary.examples.get(op.kind.describe()).into_iter().flatten().map(String::as_str)
    }

    /// The registers, names of a list and examples that an operand may be.
    pub(super) fn operands(&self, form: &Form<D::Isa>, op: &Operand<D::Isa>) -> Rc<[String]> {
        let kind = op.kind.describe();
        if let Some(known) = self.vocabulary.read.borrow().get(kind) {
            return Rc::clone(known);
        }
        let any: &dyn core::any::Any = op.kind;
        let listed = any.downcast_ref::<OneOf>().map_or(&[][..], |one| one.names);
        let listed = listed.iter().copied().filter(|name| !name.is_empty());
        let all = listed.chain(self.registers.iter().map(String::as_str)).chain(self.examples(op));
        let found: Rc<[String]> =
            all.filter(|text| self.accepts(form, op, text)).map(ToOwned::to_owned).collect();
        self.vocabulary.read.borrow_mut().insert(kind, Rc::clone(&found));
        found
    }
}
