//! Properties of objects, and classes.

use super::abc::{Constant, TraitKind};
use super::domain::Members;
use super::frame::{Outcome, Stop};
use super::machine::{Machine, Property};
use super::player;
use super::state::GLOBALS;
use super::value::{ByteArray, Closure, Function, Id, Kind, Value};
use std::rc::Rc;

impl Machine<'_, '_> {
    /// The value of a constant of a trait, of a parameter, or of an instruction that pushes it. Byte code that names a
    /// constant which does not exist ends the execution, as the player refuses it.
    pub(crate) fn constant(&self, abc: usize, constant: Constant) -> Outcome {
        let file = self.domain.files.get(abc).ok_or(Stop)?;
        let at = constant.index as usize;
        Ok(match constant.kind {
            Constant::TEXT => Value::constant(&file.strings.get(at).ok_or(Stop)?.text, abc, constant.index),
            Constant::INT => Value::Number(f64::from(*file.ints.get(at).ok_or(Stop)?)),
            Constant::UINT => Value::Number(f64::from(*file.uints.get(at).ok_or(Stop)?)),
            Constant::DOUBLE => Value::Number(*file.doubles.get(at).ok_or(Stop)?),
            0x0a => Value::Bool(false),
            0x0b => Value::Bool(true),
            0x0c => Value::Null,
            _ => Value::Undefined,
        })
    }

    /// Whether an object has a property that a scope finds.
    pub(crate) fn has(&self, id: Id, name: &str) -> bool {
        if self.state.property(id, name).is_some() {
            return true;
        }
        match self.state.kind(id) {
            Kind::Instance(Some(class)) | Kind::Unknown(Some(class)) => {
                self.domain.member(*class, name).is_some()
            }
            Kind::Class(class) => self.static_member(*class, name).is_some(),
            Kind::Activation(function) => self.variables(*function).any(|n| &*n == name),
            _ => false,
        }
    }

    /// The names of the variables of a method.
    fn variables(&self, function: Function) -> impl Iterator<Item = Rc<str>> {
        let file = self.domain.files.get(function.abc);
        let traits = self.domain.method(function).and_then(|m| m.body.as_ref()).map(|b| &b.traits);
        let traits = traits.into_iter().flatten();
        traits.filter_map(move |t| file?.name(t.name))
    }

    /// The name of a slot.
    pub(crate) fn slot(&self, object: &Value, slot: u32) -> Option<Rc<str>> {
        let (abc, traits) = match self.state.kind(object.as_object()?) {
            Kind::Activation(function) => {
                (function.abc, &self.domain.method(*function)?.body.as_ref()?.traits)
            }
            Kind::Class(class) | Kind::Instance(Some(class)) => {
                let of = self.domain.classes.get(*class)?;
                let class = self.domain.files.get(of.abc)?.classes.get(of.index)?;
                let fixed = matches!(self.state.kind(object.as_object()?), Kind::Class(_));
                (of.abc, if fixed { &class.statics } else { &class.traits })
            }
            _ => return None,
        };
        let named = traits.iter().find(|t| t.slot == slot && matches!(t.kind, TraitKind::Slot { .. }));
        let found = named.or_else(|| traits.get((slot as usize).checked_sub(1)?))?;
        self.domain.files.get(abc)?.name(found.name)
    }

    fn static_member(&self, class: usize, name: &str) -> Option<(usize, Members)> {
        self.domain.line(class).find_map(|c| Some((c, *self.domain.classes.get(c)?.statics.get(name)?)))
    }

    /// The value of a property.
    pub(crate) fn get(&mut self, object: Value, property: &Property) -> Outcome {
        let name = &property.name;
        if let Value::Text(text) = &object {
            return Ok(match &**name {
                "length" => Value::Number(text.text.chars().count() as f64),
                _ => self.state.unknown(None),
            });
        }
        let Value::Object(id) = object else { return Ok(self.state.unknown(None)) };
        if let Some(own) = self.state.property(id, name) {
            return Ok(own);
        }
        match self.state.kind(id).clone() {
            Kind::Globals => self.global(property),
            Kind::Class(class) => match self.static_member(class, name) {
                Some((class, members)) => {
                    let holder = self.class_object(class)?;
                    if let Some(value) = holder.as_object().and_then(|h| self.state.property(h, name)) {
                        return Ok(value);
                    }
                    self.member(class, members, holder, name)
                }
                None => Ok(self.lazily(id, name, None)),
            },
            Kind::Instance(Some(class)) | Kind::Unknown(Some(class)) => {
                match self.domain.member(class, name) {
                    Some((class, members)) => self.member(class, members, Value::Object(id), name),
                    None => Ok(self.lazily(id, name, None)),
                }
            }
            Kind::Array(list) => Ok(match (&**name, name.parse::<usize>()) {
                ("length", _) => Value::Number(list.len() as f64),
                (_, Ok(index)) => list.get(index).cloned().unwrap_or(Value::Undefined),
                _ => self.state.unknown(None),
            }),
            Kind::Bytes(bytes) => Ok(match (&**name, name.parse::<usize>()) {
                ("length", _) => Value::Number(bytes.bytes.len() as f64),
                ("position", _) => Value::Number(bytes.at as f64),
                ("bytesAvailable", _) => Value::Number(bytes.bytes.len().saturating_sub(bytes.at) as f64),
                (_, Ok(index)) => {
                    bytes.bytes.get(index).map_or(Value::Undefined, |b| Value::Number(f64::from(*b)))
                }
                _ => self.state.unknown(None),
            }),
            Kind::Player(class) => Ok(match player::constant(&class, name) {
                Some(text) => Value::text(text),
                None => self.lazily(id, name, None),
            }),
            _ => Ok(self.lazily(id, name, None)),
        }
    }

    /// A value that is not known, which the property has from now on.
    fn lazily(&mut self, id: Id, name: &Rc<str>, class: Option<usize>) -> Value {
        let value = self.state.unknown(class);
        self.state.set(id, Rc::clone(name), value.clone());
        value
    }

    /// The value of a declared property.
    fn member(&mut self, class: usize, members: Members, object: Value, name: &Rc<str>) -> Outcome {
        let abc = self.domain.classes.get(class).ok_or(Stop)?.abc;
        if let Some(getter) = members.getter {
            let closure = self.closure(class, getter, None)?;
            return self.call(&closure, object, Vec::new());
        }
        let Some(id) = object.as_object() else { return Ok(Value::Undefined) };
        if let Some(method) = members.method {
            let closure = self.closure(class, method, Some(id))?;
            return Ok(self.state.object(Kind::Closure(closure)));
        }
        let Some(TraitKind::Slot { class: kind, value }) = members.variable.map(|v| v.kind) else {
            return Ok(self.lazily(id, name, None));
        };
        if value.index != 0 && value.kind != 0x0c {
            return self.constant(abc, value);
        }
        let known = matches!(self.state.kind(id), Kind::Instance(_) | Kind::Class(_));
        let kind_name = self.domain.files.get(abc).and_then(|f| f.name(kind));
        match kind_name.as_deref() {
            Some("int" | "uint") if known => Ok(Value::Number(0.0)),
            // A variable without a value has one by the time that it is used.
            _ => {
                let class = self.domain.class(abc, kind);
                Ok(self.lazily(id, name, class))
            }
        }
    }

    /// A method of a class.
    pub(crate) fn closure(&mut self, class: usize, method: u32, this: Option<Id>) -> Outcome<Closure> {
        let abc = self.domain.classes.get(class).ok_or(Stop)?.abc;
        let object = self.class_object(class)?;
        let scopes = Rc::new([Value::Object(GLOBALS), object]);
        Ok(Closure { function: Function { abc, method }, scopes, this })
    }

    /// A property of the scripts: a class, a variable, or a class of the player.
    fn global(&mut self, property: &Property) -> Outcome {
        if property.index != 0
            && let Some(class) = self.domain.class(property.abc, property.index)
        {
            return self.class_object(class);
        }
        let Some(global) = self.domain.globals.get(&property.name).copied() else {
            return Ok(self.state.player(&property.name));
        };
        let scopes: Rc<[Value]> = Rc::new([Value::Object(GLOBALS)]);
        let closure = |method| Closure {
            function: Function { abc: global.abc, method },
            scopes: Rc::clone(&scopes),
            this: Some(GLOBALS),
        };
        match global.kind {
            TraitKind::Method(method) | TraitKind::Getter(method) => {
                let closure = closure(method);
                Ok(self.state.object(Kind::Closure(closure)))
            }
            TraitKind::Slot { value, .. } if value.index != 0 => self.constant(global.abc, value),
            _ => {
                // The script sets its variables when it runs.
                let script = self.domain.files.get(global.abc).and_then(|f| f.scripts.get(global.script));
                if let Some(script) =
                    script.filter(|_| self.state.scripts.insert((global.abc, global.script)))
                {
                    self.call(&closure(script.start), Value::Object(GLOBALS), Vec::new())?;
                }
                Ok(match self.state.property(GLOBALS, &property.name) {
                    Some(value) => value,
                    None => self.lazily(GLOBALS, &property.name, None),
                })
            }
        }
    }

    /// The object of a class. At its first use the class is initialised.
    pub(crate) fn class_object(&mut self, class: usize) -> Outcome {
        if let Some(id) = self.state.classes.get(&class) {
            return Ok(Value::Object(*id));
        }
        let id = self.state.add(Kind::Class(class));
        self.state.classes.insert(class, id);
        let of = self.domain.classes.get(class).ok_or(Stop)?;
        let start = self.domain.files.get(of.abc).and_then(|f| f.classes.get(of.index)).map(|c| c.start);
        if !self.is_assembler(class) {
            let closure = self.closure(class, start.ok_or(Stop)?, Some(id))?;
            // A class whose initialisation ends early has what was set before.
            if self.call(&closure, Value::Object(id), Vec::new()).is_err() && self.share == 0 {
                return Err(Stop);
            }
        }
        Ok(Value::Object(id))
    }

    /// Whether a class is Adobe's assembler, whose initialisation and inner workings do not matter.
    pub(crate) fn is_assembler(&self, class: usize) -> bool {
        let has = |name| self.domain.member(class, name);
        has("assemble").is_some_and(|m| m.1.method.is_some()) && has("agalcode").is_some()
    }

    /// Sets a property.
    pub(crate) fn put(&mut self, object: Value, property: &Property, value: Value) -> Outcome<()> {
        if let Value::Text(text) = &value {
            self.catalogue.kept(text);
        }
        let Value::Object(id) = object else { return Ok(()) };
        let name = &property.name;
        match self.state.kind_mut(id) {
            Some(Kind::Array(list)) => {
                const MAX_LENGTH: usize = 1 << 16;
                if let Some(index) = name.parse::<usize>().ok().filter(|i| *i < MAX_LENGTH) {
                    if index >= list.len() {
                        list.resize(index + 1, Value::Undefined);
                    }
                    if let Some(element) = list.get_mut(index) {
                        *element = value;
                    }
                } else if let ("length", Some(size)) = (&**name, value.index()) {
                    list.truncate(size);
                }
                return self.spend(1);
            }
            Some(Kind::Bytes(bytes)) => {
                if !set_bytes(bytes, name, &value)
                    && let Some(kind) = self.state.kind_mut(id)
                {
                    *kind = Kind::Unknown(None);
                }
                return Ok(());
            }
            Some(Kind::Instance(Some(class)) | Kind::Unknown(Some(class))) => {
                let class = *class;
                if let Some((class, Members { setter: Some(setter), .. })) = self.domain.member(class, name) {
                    let closure = self.closure(class, setter, Some(id))?;
                    self.call(&closure, Value::Object(id), vec![value])?;
                    return Ok(());
                }
            }
            Some(Kind::Class(class)) => {
                let class = *class;
                if let Some((holder, _)) = self.static_member(class, name)
                    && let Some(holder) = self.class_object(holder)?.as_object()
                {
                    self.state.set(holder, Rc::clone(name), value);
                    return Ok(());
                }
            }
            _ => {}
        }
        self.state.set(id, Rc::clone(name), value);
        Ok(())
    }

    /// The number of elements that a loop visits; `None` if it is not known.
    pub(crate) fn size(&self, list: &Value) -> Option<usize> {
        let Value::Object(id) = list else { return Some(0) };
        match self.state.kind(*id) {
            Kind::Array(list) => Some(list.len()),
            Kind::Instance(_) => Some(self.state.names(*id).count()),
            _ => None,
        }
    }

    /// An element that a loop visits, or its name.
    pub(crate) fn element(&mut self, list: &Value, index: usize, name: bool) -> Outcome {
        let Value::Object(id) = list else { return Ok(Value::Undefined) };
        match self.state.kind(*id) {
            Kind::Array(_) if name => Ok(Value::Number(index as f64)),
            Kind::Array(list) => Ok(list.get(index).cloned().unwrap_or(Value::Undefined)),
            Kind::Instance(_) => {
                let Some(key) = self.state.names(*id).nth(index).cloned() else {
                    return Ok(Value::Undefined);
                };
                match name {
                    true => Ok(Value::text(&*key)),
                    false => Ok(self.state.property(*id, &key).unwrap_or(Value::Undefined)),
                }
            }
            _ => Ok(self.state.unknown(None)),
        }
    }
}

/// Sets a property of a byte array; `false` if its bytes are not known afterwards.
fn set_bytes(bytes: &mut ByteArray, name: &str, value: &Value) -> bool {
    match (name, value, value.index(), name.parse::<usize>()) {
        ("endian", Value::Text(text), ..) => bytes.little = text.text == "littleEndian",
        ("position", _, Some(at), _) => bytes.at = at,
        ("length", _, Some(length), _) => bytes.bytes.truncate(length),
        ("endian" | "position" | "length", ..) => return false,
        (_, _, _, Ok(index)) => match value.int() {
            Some(number) => player::write(bytes, index, &[number as u8]),
            None => return false,
        },
        _ => {}
    }
    true
}
