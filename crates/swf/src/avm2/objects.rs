//! Instructions that concern properties, calls and new objects.

use super::frame::{Frame, Outcome, Stop};
use super::machine::{Machine, Property};
use super::state::Operation;
use super::value::{Closure, Function, Kind, Value};
use std::rc::Rc;

impl<'a> Machine<'_, 'a> {
    /// Runs an instruction that concerns properties, calls and new objects.
    pub(crate) fn object(&mut self, frame: &mut Frame<'a>, op: u8) -> Outcome<()> {
        let abc = frame.function.abc;
        match op {
            // findpropstrict, findproperty, finddef
            0x5d..=0x5f => {
                let name = frame.number()?;
                let property = self.property(frame, name)?;
                let found = self.find(frame, &property);
                frame.stack.push(Value::Object(found));
            }
            // getlex
            0x60 => {
                let name = frame.number()?;
                let property = self.property(frame, name)?;
                let found = self.find(frame, &property);
                let value = self.get(Value::Object(found), &property)?;
                frame.stack.push(value);
            }
            0x66 | 0x04 => {
                let name = frame.number()?;
                let property = self.property(frame, name)?;
                let object = self.state.settle(frame.pop()?);
                let value = match op {
                    0x04 => self.get_super(frame.function, object, &property)?,
                    _ => self.get(object, &property)?,
                };
                frame.stack.push(value);
            }
            // setproperty, initproperty, setsuper
            0x61 | 0x68 | 0x05 => {
                let name = frame.number()?;
                let value = self.state.settle(frame.pop()?);
                let property = self.property(frame, name)?;
                let object = self.state.settle(frame.pop()?);
                self.put(object, &property, value)?;
            }
            // deleteproperty
            0x6a => {
                let name = frame.number()?;
                let property = self.property(frame, name)?;
                if let Some(id) = frame.pop()?.as_object() {
                    self.state.remove(id, &property.name);
                }
                frame.stack.push(Value::Bool(true));
            }
            // getdescendants
            0x59 => {
                let name = frame.number()?;
                self.property(frame, name)?;
                frame.pop()?;
                let unknown = self.state.unknown(None);
                frame.stack.push(unknown);
            }
            // getglobalscope, getscopeobject, getouterscope
            0x64 => {
                frame.stack.push(frame.outer.first().cloned().unwrap_or(Value::Object(super::state::GLOBALS)))
            }
            0x65 => {
                let index = frame.code.byte().ok_or(Stop)?;
                frame.stack.push(frame.scopes.get(usize::from(index)).cloned().ok_or(Stop)?);
            }
            0x67 => {
                let index = frame.number()?;
                frame.stack.push(frame.outer.get(index as usize).cloned().ok_or(Stop)?);
            }
            // getslot, setslot
            0x6c => {
                let slot = frame.number()?;
                let object = self.state.settle(frame.pop()?);
                let value = match self.slot(&object, slot) {
                    Some(name) => self.get(object, &Property { name, abc, index: 0 })?,
                    None => self.state.unknown(None),
                };
                frame.stack.push(value);
            }
            0x6d => {
                let slot = frame.number()?;
                let (value, object) = (self.state.settle(frame.pop()?), self.state.settle(frame.pop()?));
                if let Some(name) = self.slot(&object, slot) {
                    self.put(object, &Property { name, abc, index: 0 }, value)?;
                }
            }
            0x6e => {
                frame.number()?;
                let unknown = self.state.unknown(None);
                frame.stack.push(unknown);
            }
            0x6f => {
                frame.number()?;
                frame.pop()?;
            }
            0x40..=0x4f => self.invoke(frame, op)?,
            _ => self.make(frame, op)?,
        }
        Ok(())
    }

    /// Runs an instruction that calls.
    fn invoke(&mut self, frame: &mut Frame<'a>, op: u8) -> Outcome<()> {
        let abc = frame.function.abc;
        let first = frame.number()?;
        let result = match op {
            // newfunction
            0x40 => {
                let scopes = frame.outer.iter().chain(&frame.scopes).cloned().collect();
                let function = Function { abc, method: first };
                self.state.object(Kind::Closure(Closure { function, scopes, this: None }))
            }
            // call
            0x41 => {
                let arguments = self.arguments(frame, first)?;
                let (this, function) = (frame.pop()?, self.state.settle(frame.pop()?));
                self.call_value(&function, this, arguments)?
            }
            // construct
            0x42 => {
                let arguments = self.arguments(frame, first)?;
                let class = self.state.settle(frame.pop()?);
                self.construct(&class, arguments)?
            }
            // callmethod, callstatic
            0x43 | 0x44 => {
                let count = frame.number()?;
                let arguments = self.arguments(frame, count)?;
                let this = frame.pop()?;
                match op {
                    0x44 => {
                        let function = Function { abc, method: first };
                        let closure = Closure { function, scopes: Rc::clone(&frame.outer), this: None };
                        self.call(&closure, this, arguments)?
                    }
                    _ => self.state.unknown(None),
                }
            }
            // constructsuper
            0x49 => {
                let arguments = self.arguments(frame, first)?;
                let this = frame.pop()?;
                self.construct_base(frame.function, this, arguments)?;
                return Ok(());
            }
            // callsuper, callproperty, constructprop, callproplex, callsupervoid, callpropvoid
            0x45 | 0x46 | 0x4a | 0x4c | 0x4e | 0x4f => {
                let count = frame.number()?;
                let arguments = self.arguments(frame, count)?;
                let property = self.property(frame, first)?;
                let object = self.state.settle(frame.pop()?);
                match op {
                    0x4a => {
                        let class = self.get(object, &property)?;
                        self.construct(&class, arguments)?
                    }
                    0x45 | 0x4e => self.call_super(frame.function, object, &property, arguments)?,
                    _ => self.call_property(object, &property, arguments)?,
                }
            }
            _ => return Err(Stop),
        };
        if !matches!(op, 0x4e | 0x4f) {
            frame.stack.push(result);
        }
        Ok(())
    }

    fn arguments(&mut self, frame: &mut Frame<'a>, count: u32) -> Outcome<Vec<Value>> {
        let values = frame.values(count)?;
        Ok(values.into_iter().map(|v| self.state.settle(v)).collect())
    }

    /// Runs an instruction that makes an object.
    fn make(&mut self, frame: &mut Frame<'a>, op: u8) -> Outcome<()> {
        let made = match op {
            // applytype: the class without its parameters
            0x53 => {
                let count = frame.number()?;
                frame.values(count)?;
                frame.pop()?
            }
            // newobject
            0x55 => {
                let count = frame.number()?;
                let values = self.arguments(frame, count.saturating_mul(2))?;
                let id = self.state.add(Kind::Instance(None));
                for pair in values.chunks(2) {
                    if let [name, value] = pair
                        && let Some(name) = super::value::plain_text(name)
                    {
                        self.state.set(id, name.into(), value.clone());
                    }
                }
                Value::Object(id)
            }
            // newarray
            0x56 => {
                let count = frame.number()?;
                let values = self.arguments(frame, count)?;
                self.state.object(Kind::Array(values))
            }
            // newactivation
            0x57 => self.state.object(Kind::Activation(frame.function)),
            // newclass
            0x58 => {
                let index = frame.number()? as usize;
                frame.pop()?;
                let abc = frame.function.abc;
                let class = self.domain.classes.iter().position(|c| c.abc == abc && c.index == index);
                self.class_object(class.ok_or(Stop)?)?
            }
            // newcatch
            0x5a => {
                frame.number()?;
                self.state.object(Kind::Instance(None))
            }
            // throw, and what is no instruction
            _ => return Err(Stop),
        };
        frame.stack.push(made);
        Ok(())
    }

    /// Runs an instruction of a loop over properties.
    pub(crate) fn enumerate(&mut self, frame: &mut Frame<'a>, op: u8, at: usize) -> Outcome<()> {
        let value = match op {
            // hasnext2: the object and the index are in local variables
            0x32 => {
                let (object, index) = (frame.number()?, frame.number()?);
                let (list, done) = (self.state.settle(frame.local(object)?), frame.local(index)?);
                let done = done.index().ok_or(Stop)?;
                let more = match self.size(&list) {
                    Some(size) => done < size,
                    // A list that is not known has one element, which represents all.
                    None => {
                        let some = self.state.derive(Operation::Other(op), &list, &Value::Null);
                        done == 0 && self.decide(&some, (frame.function, at))?
                    }
                };
                frame.set_local(index, Value::Number(if more { done as f64 + 1.0 } else { 0.0 }))?;
                Value::Bool(more)
            }
            _ => {
                let (index, list) = (self.state.settle(frame.pop()?), self.state.settle(frame.pop()?));
                match (op, index.index()) {
                    (0x1f, Some(index)) => {
                        let more = self.size(&list).is_some_and(|size| index < size);
                        Value::Number(if more { index as f64 + 1.0 } else { 0.0 })
                    }
                    (_, Some(index)) => self.element(&list, index.saturating_sub(1), op == 0x1e)?,
                    _ => self.state.unknown(None),
                }
            }
        };
        frame.stack.push(value);
        Ok(())
    }

    /// The name of a property, which may be on the stack.
    fn property(&mut self, frame: &mut Frame<'a>, index: u32) -> Outcome<Property> {
        let abc = frame.function.abc;
        let file = self.domain.files.get(abc).ok_or(Stop)?;
        let (known, late_space) = (file.name(index), file.late_space(index));
        let property = match known {
            Some(name) => Property { name, abc, index },
            None => {
                let name = self.state.settle(frame.pop()?);
                let name = match name {
                    Value::Number(n) => super::value::number_text(n),
                    Value::Object(id) if self.state.is_unknown(&name) => format!("[{id}]"),
                    other => self.text_of(&other)?.as_text().unwrap_or("[]").to_owned(),
                };
                Property { name: name.into(), abc, index: 0 }
            }
        };
        if late_space {
            frame.pop()?;
        }
        Ok(property)
    }

    /// The innermost scope that has a property.
    fn find(&mut self, frame: &Frame<'a>, property: &Property) -> u32 {
        let scopes = frame.scopes.iter().rev().chain(frame.outer.iter().rev());
        let ids: Vec<u32> = scopes.filter_map(Value::as_object).collect();
        ids.into_iter().find(|id| self.has(*id, &property.name)).unwrap_or(super::state::GLOBALS)
    }
}
