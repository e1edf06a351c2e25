//! Which methods have to do with AGAL.

use super::bytes::Bytes;
use super::domain::Domain;
use super::value::Function;
use shisa_agal::{Agal, identify_source};
use shisa_rows::Isa;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

/// How many calls away from AGAL a method may be.
pub(crate) const LEVELS: usize = 3;

/// The method of the player that makes programs.
const MAKES_PROGRAMS: &str = "createProgram";

/// The strings and names that a method uses.
struct Uses {
    strings: Vec<u32>,
    names: Vec<u32>,
}

/// The methods that have to do with AGAL, with their distance: 0 for those with text of AGAL or calls that take it,
/// more for those that call such methods.
pub(crate) fn methods(domain: &Domain<'_>) -> BTreeMap<Function, usize> {
    let mut uses: Vec<(Function, Vec<Rc<str>>)> = Vec::new();
    let mut found: BTreeMap<Function, usize> = BTreeMap::new();
    // Much else is uploaded, but embedded data may be programs. Names are among the strings.
    let makes_programs = domain.has_data()
        || domain.files.iter().any(|f| f.strings.iter().any(|s| &*s.text == MAKES_PROGRAMS));
    let takes = |name: &Rc<str>| match &**name {
        "assemble" | "assemble2" | "agalcode" => true,
        "upload" => makes_programs,
        _ => false,
    };
    for (abc, file) in domain.files.iter().enumerate() {
        let telling: Vec<bool> = file.strings.iter().map(|s| is_telling(&s.text)).collect();
        for (method, body) in (0..).zip(&file.methods).filter_map(|(i, m)| Some((i, m.body.as_ref()?))) {
            let of = scan(body.code);
            let function = Function { abc, method };
            let names: Vec<Rc<str>> = of.names.iter().filter_map(|n| file.name(*n)).collect();
            let text = of.strings.iter().any(|s| telling.get(*s as usize) == Some(&true));
            if text || names.iter().any(takes) {
                found.insert(function, 0);
            }
            uses.push((function, names));
        }
    }
    let mut known: HashSet<Rc<str>> = HashSet::new();
    for level in 1..LEVELS {
        let names = found.keys().filter_map(|f| own_name(domain, *f));
        known.extend(names.filter(|n| !is_common(n)));
        for (function, names) in &uses {
            if !found.contains_key(function) && names.iter().any(|n| known.contains(n)) {
                found.insert(*function, level);
            }
        }
    }
    found
}

/// The name by which other methods call a method: that in its class; of a constructor, that of the class.
fn own_name(domain: &Domain<'_>, function: Function) -> Option<Rc<str>> {
    let classes = domain.classes.iter().filter(|c| c.abc == function.abc);
    for class in classes {
        let declared = domain.files.get(class.abc).and_then(|f| f.classes.get(class.index));
        if declared.is_some_and(|c| c.construct == function.method) {
            return Some(Rc::clone(&class.name));
        }
        for (name, members) in class.members.iter().chain(&class.statics) {
            if [members.method, members.getter].contains(&Some(function.method)) {
                return Some(Rc::clone(name));
            }
        }
    }
    None
}

/// Names that many classes have.
fn is_common(name: &str) -> bool {
    matches!(name, "toString" | "dispose" | "update" | "clone" | "length" | "name" | "id" | "render")
}

/// Whether a string may belong to a program.
fn is_telling(text: &str) -> bool {
    let opcode = |line: &str| {
        let line = line.trim_start();
        let word =
            line.split_at_checked(3).filter(|(_, rest)| rest.is_empty() || rest.starts_with([' ', '\t']));
        word.is_some_and(|(name, _)| Agal::table().forms().iter().any(|f| f.name == name))
    };
    text.split(['\n', '\r']).take(4).any(opcode) || identify_source(text).is_some()
}

/// The strings and names in code, up to the first fault.
fn scan(code: &[u8]) -> Uses {
    let mut uses = Uses { strings: Vec::new(), names: Vec::new() };
    let mut from = Bytes::new(code, 0);
    while instruction(&mut from, &mut uses).is_some() {}
    uses
}

fn instruction(from: &mut Bytes<'_>, uses: &mut Uses) -> Option<()> {
    match from.byte()? {
        0x2c => uses.strings.push(from.number()?),
        // Names, some with the number of arguments.
        0x5d..=0x61 | 0x66 | 0x68 | 0x04 | 0x05 | 0x59 | 0x6a => uses.names.push(from.number()?),
        0x45 | 0x46 | 0x4a | 0x4c | 0x4e | 0x4f => {
            uses.names.push(from.number()?);
            from.number()?;
        }
        0x0c..=0x1a => drop(from.distance()?),
        0x1b => {
            from.distance()?;
            for _ in 0..=u64::from(from.number()?) {
                from.distance()?;
            }
        }
        0x24 | 0x65 => drop(from.byte()?),
        0xef => {
            from.byte()?;
            from.number()?;
            from.byte()?;
            from.number()?;
        }
        0x32 | 0x43 | 0x44 => {
            from.number()?;
            from.number()?;
        }
        0x06
        | 0x08
        | 0x25
        | 0x2d..=0x2f
        | 0x31
        | 0x40..=0x42
        | 0x49
        | 0x53
        | 0x55
        | 0x56
        | 0x58
        | 0x5a
        | 0x62
        | 0x63
        | 0x67
        | 0x6c..=0x6f
        | 0x80
        | 0x86
        | 0x92
        | 0x94
        | 0xb2
        | 0xc2
        | 0xc3
        | 0xf0..=0xf2 => {
            from.number()?;
        }
        _ => {}
    }
    Some(())
}
