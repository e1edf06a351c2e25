//! The tables of a file of ActionScript byte code.

use super::bytes::Bytes;
use std::rc::Rc;

/// Most entries of one table; larger tables are a fault. Compilers write some 100,000 at most.
const MAX_ENTRIES: u32 = 1 << 20;

/// A file of byte code. Every table is as long as the bytes that it was read from allow.
#[derive(Debug, Default)]
pub(crate) struct Abc<'a> {
    pub(crate) ints: Vec<i32>,
    pub(crate) uints: Vec<u32>,
    pub(crate) doubles: Vec<f64>,
    pub(crate) strings: Vec<Text<'a>>,
    /// The string with the name of each namespace.
    namespaces: Vec<u32>,
    spaces: Vec<Vec<u32>>,
    names: Vec<Name>,
    pub(crate) methods: Vec<Method<'a>>,
    pub(crate) classes: Vec<Class>,
    pub(crate) scripts: Vec<Script>,
}

/// A string constant.
#[derive(Debug)]
pub(crate) struct Text<'a> {
    /// Its bytes, which need not be UTF-8.
    pub(crate) bytes: &'a [u8],
    /// The offset of its first byte.
    pub(crate) offset: usize,
    /// Its characters.
    pub(crate) text: Rc<str>,
}

/// The name of a property or class, with the namespaces in which it is looked up.
#[derive(Clone, Copy, Debug)]
struct Name {
    /// The string; 0 for any name.
    name: u32,
    space: Space,
    /// Whether the name is taken from the stack.
    late: bool,
}

#[derive(Clone, Copy, Debug)]
enum Space {
    One(u32),
    Set(u32),
    /// Taken from the stack.
    Late,
    /// Those of another name, for `Vector.<T>`.
    Of(u32),
}

#[derive(Debug, Default)]
pub(crate) struct Method<'a> {
    /// The names of the parameters' types; 0 for any type.
    pub(crate) parameters: Vec<u32>,
    /// The name of the type of the result.
    pub(crate) result: u32,
    pub(crate) name: u32,
    /// Values of the last parameters where a call has fewer.
    pub(crate) defaults: Vec<Constant>,
    /// Whether the arguments without a parameter are an array in the local variable after the parameters.
    pub(crate) rest: bool,
    /// Whether all arguments are an array there.
    pub(crate) arguments: bool,
    pub(crate) body: Option<Body<'a>>,
}

#[derive(Debug)]
pub(crate) struct Body<'a> {
    pub(crate) locals: u32,
    pub(crate) code: &'a [u8],
    pub(crate) traits: Vec<Trait>,
}

/// A constant: its index and the kind of its pool.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Constant {
    pub(crate) index: u32,
    pub(crate) kind: u8,
}

impl Constant {
    pub(crate) const TEXT: u8 = 0x01;
    pub(crate) const INT: u8 = 0x03;
    pub(crate) const UINT: u8 = 0x04;
    pub(crate) const DOUBLE: u8 = 0x06;
}

#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) name: u32,
    pub(crate) base: u32,
    pub(crate) construct: u32,
    pub(crate) traits: Vec<Trait>,
    /// The method that runs once.
    pub(crate) start: u32,
    pub(crate) statics: Vec<Trait>,
}

#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) start: u32,
    pub(crate) traits: Vec<Trait>,
}

/// A member of a class, script or activation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trait {
    pub(crate) name: u32,
    /// The slot, or 0.
    pub(crate) slot: u32,
    pub(crate) kind: TraitKind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum TraitKind {
    Slot { class: u32, value: Constant },
    Method(u32),
    Getter(u32),
    Setter(u32),
    Class,
}

impl<'a> Abc<'a> {
    /// Reads the tables. After a fault the tables before it are there, and the offset of the fault is the second
    /// result.
    pub(crate) fn read(bytes: &'a [u8]) -> (Abc<'a>, Option<usize>) {
        let mut abc = Abc::default();
        // Minor and major version.
        let mut from = Bytes::new(bytes, 4);
        let whole = abc.pools(&mut from).and_then(|()| abc.code(&mut from));
        (abc, whole.is_none().then(|| from.at().min(bytes.len())))
    }

    fn pools(&mut self, from: &mut Bytes<'a>) -> Option<()> {
        self.ints = pool(from, 0, |b| Some(b.number()? as i32))?;
        self.uints = pool(from, 0, Bytes::number)?;
        self.doubles = pool(from, f64::NAN, Bytes::double)?;
        self.strings.push(Text { bytes: &[], offset: 0, text: "".into() });
        for _ in 1..count(from)? {
            let size = usize::try_from(from.number()?).ok()?;
            let bytes = from.slice(size)?;
            let text = String::from_utf8_lossy(bytes).into();
            self.strings.push(Text { bytes, offset: from.at() - size, text });
        }
        self.namespaces = pool(from, 0, |b| {
            b.byte()?;
            b.number()
        })?;
        self.spaces = pool(from, Vec::new(), |b| list(b, Bytes::number))?;
        self.names = pool(from, Name { name: 0, space: Space::Late, late: false }, name)?;
        Some(())
    }

    fn code(&mut self, from: &mut Bytes<'a>) -> Option<()> {
        self.methods = list(from, method)?;
        let metadata = from.number()?;
        for _ in 0..metadata {
            from.number()?;
            list(from, |b| Some((b.number()?, b.number()?)))?;
        }
        self.classes = list(from, instance)?;
        for class in &mut self.classes {
            class.start = from.number()?;
            class.statics = list(from, member)?;
        }
        self.scripts = list(from, |b| Some(Script { start: b.number()?, traits: list(b, member)? }))?;
        for _ in 0..from.number()? {
            let method = usize::try_from(from.number()?).ok()?;
            from.number()?;
            let locals = from.number()?;
            from.number()?;
            from.number()?;
            let size = usize::try_from(from.number()?).ok()?;
            let code = from.slice(size)?;
            // Handlers of exceptions: range, target, type and variable.
            list(from, |b| [(); 5].iter().try_for_each(|()| b.number().map(|_| ())))?;
            let traits = list(from, member)?;
            self.methods.get_mut(method)?.body = Some(Body { locals, code, traits });
        }
        Some(())
    }

    /// A string constant; empty if there is none.
    pub(crate) fn string(&self, index: u32) -> Rc<str> {
        self.strings.get(index as usize).map_or_else(|| "".into(), |s| Rc::clone(&s.text))
    }

    /// The name of a multiname, without its namespace; `None` if it is on the stack.
    pub(crate) fn name(&self, index: u32) -> Option<Rc<str>> {
        let name = self.names.get(index as usize)?;
        match name.space {
            Space::Of(base) => self.names.get(base as usize).map(|n| self.string(n.name)),
            _ if name.late => None,
            _ => Some(self.string(name.name)),
        }
    }

    /// Whether the namespace is on the stack; the name is on the stack where [`Abc::name`] is `None`.
    pub(crate) fn late_space(&self, index: u32) -> bool {
        index > 0 && self.names.get(index as usize).is_some_and(|n| matches!(n.space, Space::Late))
    }

    /// The names of the namespaces of a multiname.
    pub(crate) fn packages(&self, index: u32) -> Vec<Rc<str>> {
        let space = |index: u32| self.string(self.namespaces.get(index as usize).copied().unwrap_or(0));
        match self.names.get(index as usize).map(|n| n.space) {
            Some(Space::One(one)) => vec![space(one)],
            Some(Space::Set(set)) => {
                let set = self.spaces.get(set as usize).map_or(&[][..], Vec::as_slice);
                set.iter().map(|one| space(*one)).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn count(from: &mut Bytes<'_>) -> Option<u32> {
    from.number().filter(|count| *count <= MAX_ENTRIES)
}

/// A pool: its count is one larger than that of its entries, and entry 0 is not stored.
fn pool<'a, T>(
    from: &mut Bytes<'a>,
    zero: T,
    mut read: impl FnMut(&mut Bytes<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let mut list = vec![zero];
    for _ in 1..count(from)? {
        list.push(read(from)?);
    }
    Some(list)
}

fn list<'a, T>(from: &mut Bytes<'a>, mut read: impl FnMut(&mut Bytes<'a>) -> Option<T>) -> Option<Vec<T>> {
    let mut list = Vec::new();
    for _ in 0..count(from)? {
        list.push(read(from)?);
    }
    Some(list)
}

fn name(from: &mut Bytes<'_>) -> Option<Name> {
    let mut name = Name { name: 0, space: Space::Late, late: false };
    match from.byte()? {
        // QName, and the same for attributes of XML.
        0x07 | 0x0d => {
            name.space = Space::One(from.number()?);
            name.name = from.number()?;
        }
        // RTQName.
        0x0f | 0x10 => name.name = from.number()?,
        // RTQNameL.
        0x11 | 0x12 => name.late = true,
        // Multiname.
        0x09 | 0x0e => {
            name.name = from.number()?;
            name.space = Space::Set(from.number()?);
        }
        // MultinameL.
        0x1b | 0x1c => {
            name.space = Space::Set(from.number()?);
            name.late = true;
        }
        // TypeName: the class and its parameters.
        0x1d => {
            name.space = Space::Of(from.number()?);
            list(from, Bytes::number)?;
        }
        _ => return None,
    }
    Some(name)
}

fn method<'a>(from: &mut Bytes<'a>) -> Option<Method<'a>> {
    let mut method = Method::default();
    let parameters = from.number()?;
    method.result = from.number()?;
    for _ in 0..parameters {
        method.parameters.push(from.number()?);
    }
    method.name = from.number()?;
    let flags = from.byte()?;
    method.arguments = flags & 1 != 0;
    method.rest = flags & 4 != 0;
    if flags & 8 != 0 {
        method.defaults = list(from, |b| Some(Constant { index: b.number()?, kind: b.byte()? }))?;
    }
    if flags & 0x80 != 0 {
        // Names of the parameters.
        for _ in 0..parameters {
            from.number()?;
        }
    }
    Some(method)
}

fn instance(from: &mut Bytes<'_>) -> Option<Class> {
    let (name, base) = (from.number()?, from.number()?);
    if from.byte()? & 8 != 0 {
        // The namespace of protected members.
        from.number()?;
    }
    // Interfaces.
    list(from, Bytes::number)?;
    let construct = from.number()?;
    Some(Class { name, base, construct, traits: list(from, member)?, start: 0, statics: Vec::new() })
}

fn member(from: &mut Bytes<'_>) -> Option<Trait> {
    let name = from.number()?;
    let flags = from.byte()?;
    let slot = from.number()?;
    let index = from.number()?;
    let kind = match flags & 0xf {
        0 | 6 => {
            let mut value = Constant { index: from.number()?, kind: 0 };
            if value.index != 0 {
                value.kind = from.byte()?;
            }
            TraitKind::Slot { class: index, value }
        }
        1 | 5 => TraitKind::Method(index),
        2 => TraitKind::Getter(index),
        3 => TraitKind::Setter(index),
        4 => TraitKind::Class,
        _ => return None,
    };
    if flags & 0x40 != 0 {
        // Metadata.
        list(from, Bytes::number)?;
    }
    Some(Trait { name, slot, kind })
}
