//! The classes and other definitions of all byte code of a SWF.

use super::abc::{Abc, Method, Trait, TraitKind};
use super::value::Function;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The byte code of a SWF.
#[derive(Debug, Default)]
pub(crate) struct Domain<'a> {
    pub(crate) files: Vec<Abc<'a>>,
    pub(crate) classes: Vec<Class>,
    /// Classes by name.
    named: HashMap<Rc<str>, Vec<usize>>,
    /// Other definitions of scripts.
    pub(crate) globals: HashMap<Rc<str>, Global>,
    /// Data that tags associate with the names of classes.
    data: BTreeMap<String, &'a [u8]>,
    /// The method of each name that a single class declares.
    only: HashMap<Rc<str>, Option<(usize, u32)>>,
}

/// A class.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) abc: usize,
    /// Its index in the byte code.
    pub(crate) index: usize,
    pub(crate) name: Rc<str>,
    pub(crate) package: Rc<str>,
    pub(crate) members: HashMap<Rc<str>, Members>,
    pub(crate) statics: HashMap<Rc<str>, Members>,
}

/// The traits of one name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Members {
    pub(crate) method: Option<u32>,
    pub(crate) getter: Option<u32>,
    pub(crate) setter: Option<u32>,
    pub(crate) variable: Option<Trait>,
}

/// A variable or function of a script.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Global {
    pub(crate) abc: usize,
    pub(crate) script: usize,
    pub(crate) kind: TraitKind,
}

impl<'a> Domain<'a> {
    pub(crate) fn new(files: Vec<Abc<'a>>, data: BTreeMap<String, &'a [u8]>) -> Self {
        let mut domain = Domain { files, data, ..Domain::default() };
        for (abc, file) in domain.files.iter().enumerate() {
            for (index, class) in file.classes.iter().enumerate() {
                let name = file.name(class.name).unwrap_or_else(|| "".into());
                let declared = members(file, &class.traits);
                for (name, method) in declared.iter().filter_map(|(n, m)| Some((n, m.method?))) {
                    let next = Some((domain.classes.len(), method));
                    domain.only.entry(Rc::clone(name)).and_modify(|one| *one = None).or_insert(next);
                }
                domain.named.entry(Rc::clone(&name)).or_default().push(domain.classes.len());
                domain.classes.push(Class {
                    abc,
                    index,
                    name,
                    package: file.packages(class.name).into_iter().next().unwrap_or_else(|| "".into()),
                    members: declared,
                    statics: members(file, &class.statics),
                });
            }
            for (script, traits) in file.scripts.iter().enumerate().map(|(i, s)| (i, &s.traits)) {
                for one in traits.iter().filter(|t| !matches!(t.kind, TraitKind::Class)) {
                    let Some(name) = file.name(one.name) else { continue };
                    domain.globals.entry(name).or_insert(Global { abc, script, kind: one.kind });
                }
            }
        }
        domain
    }

    /// The class that a name of byte code refers to.
    pub(crate) fn class(&self, abc: usize, name: u32) -> Option<usize> {
        let file = self.files.get(abc).filter(|_| name != 0)?;
        let classes = self.named.get(&file.name(name)?)?;
        match classes.as_slice() {
            [one] => Some(*one),
            several => {
                let packages = file.packages(name);
                let fits = |c: &&usize| self.classes.get(**c).is_some_and(|c| packages.contains(&c.package));
                several.iter().find(fits).or(several.first()).copied()
            }
        }
    }

    /// The base class of a class, if it is in the file.
    pub(crate) fn base(&self, class: usize) -> Option<usize> {
        let class = self.classes.get(class)?;
        self.class(class.abc, self.files.get(class.abc)?.classes.get(class.index)?.base)
    }

    /// The class and its base classes.
    pub(crate) fn line(&self, class: usize) -> impl Iterator<Item = usize> + '_ {
        // A class that derives from itself is a fault of the file.
        const DEEPEST: usize = 64;
        std::iter::successors(Some(class), |c| self.base(*c)).take(DEEPEST)
    }

    /// The members of a name in a class or its base classes, and the byte code that declares them.
    pub(crate) fn member(&self, class: usize, name: &str) -> Option<(usize, Members)> {
        self.line(class).find_map(|c| {
            let class = self.classes.get(c)?;
            Some((c, *class.members.get(name)?))
        })
    }

    /// The method of a name, and its class, if a single class declares one.
    pub(crate) fn only(&self, name: &str) -> Option<(usize, u32)> {
        *self.only.get(name)?
    }

    /// Whether a class declares a method.
    pub(crate) fn declares(&self, class: usize, function: Function) -> bool {
        let Some(class) = self.classes.get(class).filter(|c| c.abc == function.abc) else { return false };
        let constructor = self.files.get(class.abc).and_then(|f| f.classes.get(class.index));
        let is = |m: Option<u32>| m == Some(function.method);
        is(constructor.map(|c| c.construct))
            || class.members.values().any(|m| is(m.method) || is(m.getter) || is(m.setter))
    }

    pub(crate) fn method(&self, function: Function) -> Option<&Method<'a>> {
        self.files.get(function.abc)?.methods.get(function.method as usize)
    }

    /// Whether tags associate data with classes.
    pub(crate) fn has_data(&self) -> bool {
        !self.data.is_empty()
    }

    /// The data that a tag associates with a class.
    pub(crate) fn data_of(&self, class: usize) -> Option<&'a [u8]> {
        let class = self.classes.get(class)?;
        let full = if class.package.is_empty() {
            class.name.to_string()
        } else {
            format!("{}.{}", class.package, class.name)
        };
        self.data.get(&full).copied()
    }
}

fn members(file: &Abc<'_>, traits: &[Trait]) -> HashMap<Rc<str>, Members> {
    let mut map: HashMap<Rc<str>, Members> = HashMap::new();
    for one in traits {
        let Some(name) = file.name(one.name) else { continue };
        let members = map.entry(name).or_default();
        match one.kind {
            TraitKind::Method(m) => members.method = Some(m),
            TraitKind::Getter(m) => members.getter = Some(m),
            TraitKind::Setter(m) => members.setter = Some(m),
            TraitKind::Slot { .. } | TraitKind::Class => members.variable = Some(*one),
        }
    }
    map
}
