//! Writes ActionScript byte code, as compilers do, with the parts that the tests need.

/// A file of byte code in the making.
#[derive(Default)]
pub(super) struct Writer {
    strings: Vec<String>,
    names: Vec<Vec<u8>>,
    /// The pools of `pushint`, `pushuint` and `pushdouble`.
    numbers: [Vec<Vec<u8>>; 3],
    methods: Vec<Method>,
    classes: Vec<Class>,
    /// The variables of methods, by the number of the method.
    variables: Vec<(u32, Vec<u8>)>,
    /// What the script declares besides classes, and its code.
    globals: Vec<Vec<u8>>,
    script: Vec<u8>,
}

/// What byte code states of a method.
pub(super) struct Method {
    /// The names of the types of its parameters; 0 for any type.
    pub(super) parameters: Vec<u32>,
    /// The name of the type of its result.
    pub(super) result: u32,
    pub(super) flags: u8,
    /// The indices and kinds of the values of its last parameters where a call has fewer.
    pub(super) defaults: Vec<(u32, u8)>,
    pub(super) locals: u32,
    code: Vec<u8>,
}

#[derive(Default)]
struct Class {
    name: u32,
    base: u32,
    construct: u32,
    start: u32,
    members: Vec<Vec<u8>>,
    statics: Vec<Vec<u8>>,
}

/// A number of seven bits a byte.
pub(super) fn number(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// An instruction with operands.
pub(super) fn op(code: u8, operands: &[u32]) -> Vec<u8> {
    let mut out = vec![code];
    operands.iter().for_each(|o| number(*o, &mut out));
    out
}

/// A jump over so many bytes.
pub(super) fn jump(code: u8, distance: i32) -> Vec<u8> {
    let mut out = vec![code];
    out.extend_from_slice(&distance.to_le_bytes()[..3]);
    out
}

pub(super) const THIS: u8 = 0xd0;
pub(super) const ADD: u8 = 0xa0;
pub(super) const POP: u8 = 0x29;
pub(super) const RETURN: u8 = 0x48;
pub(super) const END: u8 = 0x47;
/// Pushes the local variable in which tests keep an object, or sets it.
pub(super) const GET: [u8; 2] = [0x62, 3];
pub(super) const SET: [u8; 2] = [0x63, 3];
/// `getlocal0, pushscope`: how every method begins.
pub(super) const ENTER: [u8; 2] = [0xd0, 0x30];

impl Writer {
    pub(super) fn string(&mut self, text: &str) -> u32 {
        let at = self.strings.iter().position(|s| s == text).unwrap_or_else(|| {
            self.strings.push(text.into());
            self.strings.len() - 1
        });
        at as u32 + 1
    }

    /// A public name.
    pub(super) fn name(&mut self, text: &str) -> u32 {
        let mut entry = vec![0x07, 1];
        number(self.string(text), &mut entry);
        self.entry(entry)
    }

    /// A name that is taken from the stack.
    pub(super) fn late(&mut self) -> u32 {
        self.entry(vec![0x1b, 1])
    }

    /// A name as the pool has it: its kind and what the kind states.
    pub(super) fn entry(&mut self, entry: Vec<u8>) -> u32 {
        let at = self.names.iter().position(|n| *n == entry).unwrap_or_else(|| {
            self.names.push(entry);
            self.names.len() - 1
        });
        at as u32 + 1
    }

    /// `pushstring`.
    pub(super) fn push(&mut self, text: &str) -> Vec<u8> {
        let index = self.string(text);
        op(0x2c, &[index])
    }

    /// `pushint`, `pushuint` or `pushdouble` of a number that the pool has as these bytes.
    pub(super) fn push_number(&mut self, code: u8, bytes: Vec<u8>) -> Vec<u8> {
        let pool = &mut self.numbers[usize::from(code - 0x2d)];
        pool.push(bytes);
        op(code, &[pool.len() as u32])
    }

    /// `getlex`.
    pub(super) fn lex(&mut self, name: &str) -> Vec<u8> {
        let name = self.name(name);
        op(0x60, &[name])
    }

    /// `getproperty`.
    pub(super) fn get(&mut self, name: &str) -> Vec<u8> {
        let name = self.name(name);
        op(0x66, &[name])
    }

    /// `setproperty`.
    pub(super) fn set(&mut self, name: &str) -> Vec<u8> {
        let name = self.name(name);
        op(0x61, &[name])
    }

    /// `callproperty`.
    pub(super) fn call(&mut self, name: &str, arguments: u32) -> Vec<u8> {
        let name = self.name(name);
        op(0x46, &[name, arguments])
    }

    /// `findpropstrict` and `constructprop` without arguments.
    pub(super) fn make(&mut self, class: &str) -> Vec<u8> {
        let name = self.name(class);
        [op(0x5d, &[name]), op(0x4a, &[name, 0])].concat()
    }

    /// A method with parameters of any type.
    pub(super) fn method(&mut self, parameters: u32, code: &[&[u8]]) -> u32 {
        let (parameters, code) = (vec![0; parameters as usize], code.concat());
        self.methods.push(Method { parameters, result: 0, flags: 0, defaults: Vec::new(), locals: 12, code });
        self.methods.len() as u32 - 1
    }

    /// What the file states of a method, for changes.
    pub(super) fn stated(&mut self, method: u32) -> &mut Method {
        &mut self.methods[method as usize]
    }

    /// A class with a base class (or none) and a constructor.
    pub(super) fn class(&mut self, name: &str, base: &str, construct: u32) -> usize {
        let start = self.method(0, &[&[END]]);
        let (name, base) = (self.name(name), if base.is_empty() { 0 } else { self.name(base) });
        self.classes.push(Class { name, base, construct, start, ..Class::default() });
        self.classes.len() - 1
    }

    /// Adds a method to a class.
    pub(super) fn member(&mut self, class: usize, name: &str, method: u32) {
        self.add(class, name, 1, &[method], false);
    }

    pub(super) fn getter(&mut self, class: usize, name: &str, method: u32) {
        self.add(class, name, 2, &[method], false);
    }

    pub(super) fn static_method(&mut self, class: usize, name: &str, method: u32) {
        self.add(class, name, 1, &[method], true);
    }

    /// Adds a constant with a string as its value to a class.
    pub(super) fn constant(&mut self, class: usize, name: &str, text: &str) {
        let value = self.string(text);
        self.add(class, name, 6, &[0, value, 1], true);
    }

    /// Adds a variable to a class: of all objects, or of each.
    pub(super) fn variable(&mut self, class: usize, name: &str, kind: &str, fixed: bool) {
        let kind = self.name(kind);
        self.add(class, name, 0, &[kind, 0], fixed);
    }

    /// Replaces the code that initialises a class.
    pub(super) fn starts(&mut self, class: usize, code: &[&[u8]]) {
        self.classes[class].start = self.method(0, code);
    }

    /// Adds a variable to a method, which a scope of its own has.
    pub(super) fn local(&mut self, method: u32, name: &str) {
        let entry = self.entry_of(name, 0, &[0, 0]);
        self.variables.push((method, entry));
    }

    /// Adds something that a script declares: a variable (kind 0) or a method (kind 1).
    pub(super) fn global(&mut self, name: &str, kind: u8, data: &[u32]) {
        let entry = self.entry_of(name, kind, data);
        self.globals.push(entry);
    }

    /// Adds code to the script, which runs when a variable of it is first used.
    pub(super) fn runs(&mut self, code: &[u8]) {
        self.script.extend(code);
    }

    fn add(&mut self, class: usize, name: &str, kind: u8, data: &[u32], fixed: bool) {
        let entry = self.entry_of(name, kind, data);
        let class = &mut self.classes[class];
        if fixed { class.statics.push(entry) } else { class.members.push(entry) }
    }

    /// A declaration.
    fn entry_of(&mut self, name: &str, kind: u8, data: &[u32]) -> Vec<u8> {
        let mut entry = Vec::new();
        number(self.name(name), &mut entry);
        entry.push(kind);
        number(0, &mut entry);
        data.iter().for_each(|n| number(*n, &mut entry));
        entry
    }

    /// The bytes of the file.
    pub(super) fn write(&mut self) -> Vec<u8> {
        let code = [&self.script[..], &[END]].concat();
        let script = self.method(0, &[&code]);
        let mut out = vec![16, 0, 46, 0];
        for pool in &self.numbers {
            number(if pool.is_empty() { 0 } else { pool.len() as u32 + 1 }, &mut out);
            pool.iter().for_each(|n| out.extend(n));
        }
        number(self.strings.len() as u32 + 1, &mut out);
        for s in &self.strings {
            number(s.len() as u32, &mut out);
            out.extend(s.as_bytes());
        }
        // One namespace, without a name, and one set of it.
        out.extend([2, 0x16, 0, 2, 1, 1]);
        number(self.names.len() as u32 + 1, &mut out);
        self.names.iter().for_each(|n| out.extend(n));
        number(self.methods.len() as u32, &mut out);
        for method in &self.methods {
            number(method.parameters.len() as u32, &mut out);
            number(method.result, &mut out);
            method.parameters.iter().for_each(|kind| number(*kind, &mut out));
            out.extend([0, method.flags]);
            if !method.defaults.is_empty() {
                number(method.defaults.len() as u32, &mut out);
            }
            for (index, kind) in &method.defaults {
                number(*index, &mut out);
                out.push(*kind);
            }
        }
        out.push(0);
        number(self.classes.len() as u32, &mut out);
        let list = |entries: &[Vec<u8>], out: &mut Vec<u8>| {
            number(entries.len() as u32, out);
            entries.iter().for_each(|e| out.extend(e));
        };
        for class in &self.classes {
            number(class.name, &mut out);
            number(class.base, &mut out);
            out.extend([0, 0]);
            number(class.construct, &mut out);
            list(&class.members, &mut out);
        }
        for class in &self.classes {
            number(class.start, &mut out);
            list(&class.statics, &mut out);
        }
        out.push(1);
        number(script, &mut out);
        number((self.classes.len() + self.globals.len()) as u32, &mut out);
        for (index, class) in (0..).zip(&self.classes) {
            number(class.name, &mut out);
            out.push(4);
            number(0, &mut out);
            number(index, &mut out);
        }
        self.globals.iter().for_each(|g| out.extend(g));
        number(self.methods.len() as u32, &mut out);
        for (index, method) in (0..).zip(&self.methods) {
            number(index, &mut out);
            out.push(16);
            number(method.locals, &mut out);
            out.extend([0, 16]);
            number(method.code.len() as u32, &mut out);
            out.extend(&method.code);
            out.push(0);
            let variables: Vec<Vec<u8>> =
                self.variables.iter().filter(|(method, _)| *method == index).map(|v| v.1.clone()).collect();
            list(&variables, &mut out);
        }
        out
    }
}
