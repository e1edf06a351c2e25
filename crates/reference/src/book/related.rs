//! Instructions that are related to another one, computed from what they compute.

use crate::data::{Family, FormData, Isa};
use std::collections::BTreeSet;

/// Operations of the intermediate representation that undo or complement each other.
const OPPOSITES: [(&str, &str); 12] = [
    ("fadd", "fsub"),
    ("iadd", "isub"),
    ("fmin", "fmax"),
    ("umin", "umax"),
    ("smin", "smax"),
    ("flt", "fle"),
    ("feq", "fne"),
    ("ieq", "ine"),
    ("shl", "lshr"),
    ("fexp2", "flog2"),
    ("load", "store"),
    ("ddx", "ddy"),
];

/// Operations on floats that only prepare operands or finish results, where there are others.
const AUXILIARY: [&str; 7] = ["fneg", "fabs", "fsat", "feq", "fne", "flt", "fle"];

/// More instructions than these are no help.
const MOST: usize = 12;

/// How instructions are related.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    Same,
    Wider,
    Narrower,
    Opposite,
    Elsewhere,
}

impl Relation {
    pub(super) const ALL: [Relation; 5] =
        [Relation::Same, Relation::Wider, Relation::Narrower, Relation::Opposite, Relation::Elsewhere];

    pub(super) const fn title(self) -> &'static str {
        match self {
            Relation::Same => "The same operations",
            Relation::Wider => "The same operations on wider numbers",
            Relation::Narrower => "The same operations on narrower numbers",
            Relation::Opposite => "The opposite",
            Relation::Elsewhere => "The same operations in other instruction sets",
        }
    }
}

/// The names of operations, and the width of the widest number.
#[derive(PartialEq, Eq)]
struct Operations<'f> {
    names: BTreeSet<&'f str>,
    width: u32,
}

impl<'f> Operations<'f> {
    /// Those of a form that matter; `None` if it computes nothing.
    fn of(form: &'f FormData) -> Option<Operations<'f>> {
        let mut pairs: Vec<(&str, &str)> =
            form.operations.iter().filter_map(|operation| operation.split_once(' ')).collect();
        // Instructions on floats use integers for parts of registers.
        reduce(&mut pairs, |(_, kind)| kind.starts_with('f'));
        reduce(&mut pairs, |(name, _)| !AUXILIARY.contains(name));
        let width = |kind: &str| kind.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok();
        let widest = pairs.iter().filter_map(|(_, kind)| width(kind)).max()?;
        Some(Operations { names: pairs.into_iter().map(|(name, _)| name).collect(), width: widest })
    }

    /// The names with each one that has an opposite replaced by it; `None` if none has.
    fn opposite(&self) -> Option<BTreeSet<&'f str>> {
        let other = |name: &&'f str| {
            let found = OPPOSITES.iter().find_map(|(a, b)| match *name {
                name if name == *a => Some(*b),
                name if name == *b => Some(*a),
                _ => None,
            });
            found.unwrap_or(name)
        };
        let opposite: BTreeSet<&str> = self.names.iter().map(other).collect();
        (opposite != self.names).then_some(opposite)
    }

    fn relation(&self, other: &Operations<'_>, elsewhere: bool) -> Option<Relation> {
        match (self.names == other.names, elsewhere) {
            (true, true) => (self.width == other.width).then_some(Relation::Elsewhere),
            (true, false) if other.width > self.width => Some(Relation::Wider),
            (true, false) if other.width < self.width => Some(Relation::Narrower),
            (true, false) => Some(Relation::Same),
            (false, true) => None,
            (false, false) => (self.opposite().as_ref() == Some(&other.names)).then_some(Relation::Opposite),
        }
    }
}

/// Retains the items for which a condition holds, unless it holds for none.
fn reduce<T>(list: &mut Vec<T>, holds: impl Fn(&T) -> bool) {
    if list.iter().any(&holds) {
        list.retain(holds);
    }
}

/// The instructions that are related to one with these forms, by family and mnemonic. Relations with too many
/// instructions are left out.
pub(super) fn related<'i>(
    isa: &'i Isa,
    family: &Family,
    forms: &[&FormData],
) -> Vec<(Relation, Vec<(&'i Family, &'static str)>)> {
    let name = forms.first().map(|form| form.name);
    let own: Vec<Operations<'_>> = forms.iter().filter_map(|form| Operations::of(form)).collect();
    let mut found: BTreeSet<(Relation, &str, &'static str)> = BTreeSet::new();
    for other in &isa.families {
        let elsewhere = other.name != family.name;
        for form in other.forms.iter().filter(|form| elsewhere || Some(form.name) != name) {
            let Some(operations) = Operations::of(form) else { continue };
            let relations = own.iter().filter_map(|own| own.relation(&operations, elsewhere));
            found.extend(relations.map(|relation| (relation, other.name, form.name)));
        }
    }
    let of = |relation: Relation| {
        let of_relation = found.iter().filter(|(found, ..)| *found == relation);
        let named = |(_, family, name): &(Relation, &str, &'static str)| {
            isa.families.iter().find(|f| f.name == *family).map(|family| (family, *name))
        };
        (relation, of_relation.filter_map(named).collect::<Vec<_>>())
    };
    let lists = Relation::ALL.into_iter().map(of);
    lists.filter(|(_, list)| !list.is_empty() && list.len() <= MOST).collect()
}
