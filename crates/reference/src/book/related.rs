//! Instructions that are related to another one, computed from what they compute.

use crate::data::{Family, FormData, Isa};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Operations of the intermediate representation that undo or complement each other.
const OPPOSITES: [(&str, &str); 11] = [
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
    ("ddx", "ddy"),
];

/// Operations on floats that only prepare operands or finish results, where there are others.
const AUXILIARY: [&str; 5] = ["fneg", "fabs", "fsat", "feq", "fne"];

/// The beginnings of operations on memory. Others beside them compute addresses.
const MEMORY: [&str; 3] = ["load_", "store_", "atomic"];

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

/// The group of a form, the names of its operations, and the width of the widest number.
#[derive(PartialEq, Eq)]
struct Operations<'f> {
    group: &'static str,
    names: BTreeSet<&'f str>,
    width: u32,
}

impl<'f> Operations<'f> {
    /// Those of a form that matter; `None` if it computes nothing.
    fn of(form: &'f FormData) -> Option<Operations<'f>> {
        let mut pairs: Vec<(&str, &str)> =
            form.operations.iter().filter_map(|operation| operation.split_once(' ')).collect();
        reduce(&mut pairs, |(name, _)| MEMORY.iter().any(|memory| name.starts_with(memory)));
        // Instructions on floats use integers for parts of registers.
        reduce(&mut pairs, |(_, kind)| kind.starts_with('f'));
        reduce(&mut pairs, |(name, _)| !AUXILIARY.contains(name));
        let width = |kind: &str| kind.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().ok();
        let widest = pairs.iter().filter_map(|(_, kind)| width(kind)).max()?;
        Some(Operations {
            group: form.group,
            names: pairs.into_iter().map(|(name, _)| name).collect(),
            width: widest,
        })
    }

    /// Whether the other operations are the opposites of these, as far as there are opposites.
    fn is_opposite(&self, other: &Operations<'_>) -> bool {
        let opposite: BTreeSet<String> = self.names.iter().map(|name| opposite(name)).collect();
        self.names != other.names && opposite.iter().eq(other.names.iter())
    }

    fn relation(&self, other: &Operations<'_>, elsewhere: bool) -> Option<Relation> {
        let (same, grouped) = (self.names == other.names, self.group == other.group);
        match (elsewhere, other.width.cmp(&self.width)) {
            (true, Ordering::Equal) if same => Some(Relation::Elsewhere),
            (true, _) => None,
            (false, Ordering::Greater) if same => Some(Relation::Wider),
            (false, Ordering::Less) if same => Some(Relation::Narrower),
            (false, Ordering::Equal) if same && grouped => Some(Relation::Same),
            (false, _) => (grouped && self.is_opposite(other)).then_some(Relation::Opposite),
        }
    }
}

/// The opposite of an operation, or itself if it has none.
fn opposite(name: &str) -> String {
    if let Some(memory) = name.strip_prefix("load_") {
        return format!("store_{memory}");
    }
    if let Some(memory) = name.strip_prefix("store_") {
        return format!("load_{memory}");
    }
    let pair = OPPOSITES.iter().find(|(a, b)| [*a, *b].contains(&name));
    pair.map_or(name, |(a, b)| if *a == name { b } else { a }).to_owned()
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
