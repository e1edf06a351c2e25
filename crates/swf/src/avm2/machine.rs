//! The interpreter: one method after the other, as far as values are known.

use super::bytes::Bytes;
use super::catalogue::Catalogue;
use super::domain::Domain;
use super::path::{Edge, Path};
use super::state::{Operation, State};
use super::value::{Closure, Function, Kind, Value, wrap};
use std::collections::HashSet;
use std::rc::Rc;

/// An interpreter.
pub(crate) struct Machine<'d, 'a> {
    pub(crate) domain: &'d Domain<'a>,
    pub(crate) state: State,
    pub(crate) path: Path,
    /// Instructions that may still run in all executions.
    pub(crate) steps: u64,
    /// Instructions that may still run in this execution.
    pub(crate) share: u64,
    depth: usize,
    pub(crate) catalogue: Catalogue,
    /// Outcomes of conditions that some execution has taken.
    pub(crate) edges: HashSet<Edge>,
    /// Methods that some execution has run.
    pub(crate) entered: HashSet<Function>,
}

/// The end of an execution: an exception, a fault of the code, or a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

pub(crate) type Outcome<T = Value> = Result<T, Stop>;

/// Most calls inside of each other.
const MAX_DEPTH: usize = 40;
/// Most values on the stack of a method, most scopes, and most local variables.
const MAX_VALUES: usize = 4096;

/// A running method.
pub(crate) struct Frame<'a> {
    pub(crate) function: Function,
    code: Bytes<'a>,
    whole: &'a [u8],
    locals: Vec<Value>,
    stack: Vec<Value>,
    scopes: Vec<Value>,
    /// The scopes in which the method was made.
    outer: Rc<[Value]>,
}

/// The name of a property, as an instruction states it.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub(crate) name: Rc<str>,
    pub(crate) abc: usize,
    /// The name in the byte code; 0 for a name that was computed.
    pub(crate) index: u32,
}

impl Property {
    pub(crate) fn named(name: &str) -> Property {
        Property { name: name.into(), abc: 0, index: 0 }
    }
}

impl Frame<'_> {
    fn pop(&mut self) -> Outcome {
        self.stack.pop().ok_or(Stop)
    }

    fn number(&mut self) -> Outcome<u32> {
        self.code.number().ok_or(Stop)
    }

    fn values(&mut self, count: u32) -> Outcome<Vec<Value>> {
        let first = self.stack.len().checked_sub(count as usize).ok_or(Stop)?;
        Ok(self.stack.split_off(first))
    }

    fn local(&self, index: u32) -> Value {
        self.locals.get(index as usize).cloned().unwrap_or(Value::Undefined)
    }

    fn set_local(&mut self, index: u32, value: Value) -> Outcome<()> {
        *self.locals.get_mut(index as usize).ok_or(Stop)? = value;
        Ok(())
    }

    fn jump(&mut self, from: usize, distance: i32) -> Outcome<()> {
        let to = from as i64 + i64::from(distance);
        let to = usize::try_from(to).ok().filter(|to| *to <= self.whole.len()).ok_or(Stop)?;
        self.code = Bytes::new(self.whole, to);
        Ok(())
    }
}

impl<'d, 'a> Machine<'d, 'a> {
    pub(crate) fn new(domain: &'d Domain<'a>, steps: u64) -> Self {
        Machine {
            domain,
            state: State::new(),
            path: Path::default(),
            steps,
            share: 0,
            depth: 0,
            catalogue: Catalogue::default(),
            edges: HashSet::new(),
            entered: HashSet::new(),
        }
    }

    /// Counts work as so many instructions.
    pub(crate) fn spend(&mut self, steps: usize) -> Outcome<()> {
        let steps = steps as u64;
        if self.share < steps || self.state.full() {
            return Err(Stop);
        }
        self.share -= steps;
        Ok(())
    }

    /// Calls a function. The result is not known if it has no body, or if calls are too deep.
    pub(crate) fn call(&mut self, closure: &Closure, this: Value, arguments: Vec<Value>) -> Outcome {
        let function = closure.function;
        let domain = self.domain;
        let Some((method, body)) = domain.method(function).and_then(|m| Some((m, m.body.as_ref()?))) else {
            return Ok(self.state.unknown(None));
        };
        if self.depth >= MAX_DEPTH || body.locals as usize > MAX_VALUES {
            let class = domain.class(function.abc, method.result);
            return Ok(self.state.unknown(class));
        }
        self.entered.insert(function);
        let mut locals = vec![Value::Undefined; (body.locals as usize).max(method.parameters.len() + 2)];
        if let Some(first) = locals.first_mut() {
            *first = this;
        }
        let count = method.parameters.len();
        let missing = count.saturating_sub(method.defaults.len());
        for (i, (local, class)) in locals.iter_mut().skip(1).zip(&method.parameters).enumerate() {
            *local = match (arguments.get(i), i.checked_sub(missing).and_then(|d| method.defaults.get(d))) {
                (Some(given), _) => given.clone(),
                (None, Some(default)) => self.constant(function.abc, *default),
                (None, None) => Value::Undefined,
            };
            self.hint(local, function.abc, *class);
        }
        if method.rest || method.arguments {
            let from = if method.rest { count } else { 0 };
            let list = self.state.object(Kind::Array(arguments.get(from..).unwrap_or_default().to_vec()));
            if let Some(local) = locals.get_mut(count + 1) {
                *local = list;
            }
        }
        let frame = Frame {
            function,
            code: Bytes::new(body.code, 0),
            whole: body.code,
            locals,
            stack: Vec::new(),
            scopes: Vec::new(),
            outer: Rc::clone(&closure.scopes),
        };
        self.depth += 1;
        let result = self.run(frame);
        self.depth -= 1;
        let result = result?;
        self.hint(&result, function.abc, method.result);
        Ok(result)
    }

    /// Notes the class of a value of which nothing is known.
    pub(crate) fn hint(&mut self, value: &Value, abc: usize, class: u32) {
        let Some(id) = value.as_object() else { return };
        if matches!(self.state.kind(id), Kind::Unknown(None))
            && let Some(class) = self.domain.class(abc, class)
            && let Some(kind) = self.state.kind_mut(id)
        {
            *kind = Kind::Unknown(Some(class));
        }
    }

    /// Whether a value converts to true; a value that is not known is tried with both outcomes.
    pub(crate) fn decide(&mut self, value: &Value, at: (Function, usize)) -> Outcome<bool> {
        match self.state.truth(value) {
            Ok(known) => Ok(known),
            Err((id, sense)) => {
                let outcome = self.path.choose(at, &mut self.edges).ok_or(Stop)?;
                self.state.assume(id, outcome == sense);
                Ok(outcome)
            }
        }
    }

    fn run(&mut self, mut frame: Frame<'a>) -> Outcome {
        loop {
            self.spend(1)?;
            if frame.stack.len() > MAX_VALUES || frame.scopes.len() > MAX_VALUES {
                return Err(Stop);
            }
            let at = frame.code.at();
            let op = frame.code.byte().ok_or(Stop)?;
            match op {
                // returnvoid, returnvalue
                0x47 => return Ok(Value::Undefined),
                0x48 => {
                    let value = self.state.settle(frame.pop()?);
                    if let Value::Text(text) = &value {
                        self.catalogue.kept(text);
                    }
                    return Ok(value);
                }
                // throw
                0x03 => return Err(Stop),
                0x0c..=0x1b => self.branch(&mut frame, op, at)?,
                _ => self.step(&mut frame, op, at)?,
            }
        }
    }

    /// Runs an instruction that changes where the method goes on.
    fn branch(&mut self, frame: &mut Frame<'a>, op: u8, at: usize) -> Outcome<()> {
        if op == 0x1b {
            return self.switch(frame, at);
        }
        let distance = frame.code.distance().ok_or(Stop)?;
        let next = frame.code.at();
        if op == 0x10 {
            return frame.jump(next, distance);
        }
        let place = (frame.function, at);
        let taken = if matches!(op, 0x11 | 0x12) {
            let value = self.state.settle(frame.pop()?);
            // The position belongs to the outcome of the jump.
            let value = if op == 0x12 { self.state.negate(&value) } else { value };
            self.decide(&value, place)?
        } else {
            let b = self.state.settle(frame.pop()?);
            let a = self.state.settle(frame.pop()?);
            let (condition, negated) = match op {
                0x0c => (self.less(&a, &b), true),
                0x0d => (self.less(&b, &a), false),
                0x0e => (self.less(&b, &a), true),
                0x0f => (self.less(&a, &b), false),
                0x13 | 0x19 => (self.equal(&a, &b), false),
                0x14 | 0x1a => (self.equal(&a, &b), true),
                0x15 => (self.less(&a, &b), false),
                0x16 => (self.less(&b, &a), true),
                0x17 => (self.less(&b, &a), false),
                _ => (self.less(&a, &b), true),
            };
            // ifnle and ifnge are the negations of a ≤ b and a ≥ b.
            let condition = if negated { self.state.negate(&condition) } else { condition };
            self.decide(&condition, place)?
        };
        if taken { frame.jump(next, distance) } else { Ok(()) }
    }

    fn switch(&mut self, frame: &mut Frame<'a>, at: usize) -> Outcome<()> {
        let index = self.state.settle(frame.pop()?);
        let default = frame.code.distance().ok_or(Stop)?;
        let last = frame.number()?;
        let mut cases = Vec::new();
        for _ in 0..=u64::from(last) {
            cases.push(frame.code.distance().ok_or(Stop)?);
        }
        let target = match index.index() {
            Some(index) => cases.get(index).copied().unwrap_or(default),
            None if index.as_object().is_some() => {
                // Each case is a condition of its own.
                let mut target = default;
                for (case, distance) in cases.iter().enumerate() {
                    let equal = self.equal(&index, &Value::Number(case as f64));
                    if self.decide(&equal, (frame.function, at + case))? {
                        target = *distance;
                        break;
                    }
                }
                target
            }
            None => default,
        };
        frame.jump(at, target)
    }

    /// Runs an instruction after which the next one follows.
    fn step(&mut self, frame: &mut Frame<'a>, op: u8, at: usize) -> Outcome<()> {
        let abc = frame.function.abc;
        match op {
            // nop, label, timestamp, bkpt
            0x01 | 0x02 | 0x09 | 0xf3 => {}
            // dxns, debugline, debugfile, bkptline
            0x06 | 0xf0..=0xf2 => drop(frame.number()?),
            0x07 | 0x29 => drop(frame.pop()?),
            0x08 => {
                let index = frame.number()?;
                frame.set_local(index, Value::Undefined)?;
            }
            // debug
            0xef => {
                frame.code.slice(1).ok_or(Stop)?;
                frame.number()?;
                frame.code.slice(1).ok_or(Stop)?;
                frame.number()?;
            }
            0x1c | 0x30 => {
                let scope = frame.pop()?;
                frame.scopes.push(scope);
            }
            0x1d => drop(frame.scopes.pop().ok_or(Stop)?),
            0x20 => frame.stack.push(Value::Null),
            0x21 => frame.stack.push(Value::Undefined),
            0x24 => {
                let byte = frame.code.byte().ok_or(Stop)?;
                frame.stack.push(Value::Number(f64::from(byte as i8)));
            }
            0x25 => {
                let short = frame.number()?;
                frame.stack.push(Value::Number(f64::from(short as i16)));
            }
            0x26 => frame.stack.push(Value::Bool(true)),
            0x27 => frame.stack.push(Value::Bool(false)),
            0x28 => frame.stack.push(Value::Number(f64::NAN)),
            0x2a => {
                let top = frame.stack.last().cloned().ok_or(Stop)?;
                frame.stack.push(top);
            }
            0x2b => {
                let (b, a) = (frame.pop()?, frame.pop()?);
                frame.stack.extend([b, a]);
            }
            0x2c..=0x2f => {
                let index = frame.number()?;
                let value = self.pushed(abc, op, index);
                frame.stack.push(value);
            }
            0x31 => {
                frame.number()?;
                frame.stack.push(Value::Undefined);
            }
            0x62 => {
                let index = frame.number()?;
                frame.stack.push(frame.local(index));
            }
            0xd0..=0xd3 => frame.stack.push(frame.local(u32::from(op - 0xd0))),
            0x63 => {
                let index = frame.number()?;
                let value = frame.pop()?;
                frame.set_local(index, value)?;
            }
            0xd4..=0xd7 => {
                let value = frame.pop()?;
                frame.set_local(u32::from(op - 0xd4), value)?;
            }
            0x92 | 0x94 | 0xc2 | 0xc3 => {
                let index = frame.number()?;
                let one = Value::Number(if matches!(op, 0x92 | 0xc2) { 1.0 } else { -1.0 });
                let value = self.arithmetic(0xa0, &frame.local(index), &one, op >= 0xc0);
                frame.set_local(index, value)?;
            }
            0x1e | 0x1f | 0x23 | 0x32 => self.enumerate(frame, op, at)?,
            0x35..=0x39 => {
                frame.pop()?;
                let unknown = self.state.unknown(None);
                frame.stack.push(unknown);
            }
            0x3a..=0x3e => drop(frame.values(2)?),
            0x50..=0x52 => {
                let value = self.state.settle(frame.pop()?);
                let shift = [31, 24, 16][usize::from(op - 0x50)];
                let wide = value.int().map(|n| Value::Number(f64::from(n << shift >> shift)));
                let wide = wide.unwrap_or_else(|| self.state.derive(Operation::Other(op), &value, &value));
                frame.stack.push(wide);
            }
            0x70..=0x78 | 0x80..=0x97 | 0xa0..=0xc7 => self.operate(frame, op)?,
            _ => self.object(frame, op)?,
        }
        Ok(())
    }

    /// The value of a constant that an instruction pushes.
    fn pushed(&mut self, abc: usize, op: u8, index: u32) -> Value {
        let Some(file) = self.domain.files.get(abc) else { return Value::Undefined };
        let at = index as usize;
        match op {
            0x2c => Value::constant(&file.string(index), abc, index),
            0x2d => Value::Number(f64::from(file.ints.get(at).copied().unwrap_or(0))),
            0x2e => Value::Number(f64::from(file.uints.get(at).copied().unwrap_or(0))),
            _ => Value::Number(file.doubles.get(at).copied().unwrap_or(f64::NAN)),
        }
    }

    /// Runs conversions, arithmetic and comparisons.
    fn operate(&mut self, frame: &mut Frame<'a>, op: u8) -> Outcome<()> {
        let abc = frame.function.abc;
        match op {
            // Conversions.
            0x70..=0x78 | 0x81..=0x85 | 0x88 | 0x89 => {
                let value = self.state.settle(frame.pop()?);
                let value = self.convert(op, value)?;
                frame.stack.push(value);
            }
            // coerce, astype
            0x80 | 0x86 => {
                let class = frame.number()?;
                let value = frame.pop()?;
                self.hint(&value, abc, class);
                frame.stack.push(value);
            }
            // astypelate
            0x87 => {
                let (class, value) = (frame.pop()?, frame.pop()?);
                if let (Some(id), Some(Kind::Class(c))) =
                    (value.as_object(), class.as_object().map(|c| self.state.kind(c).clone()))
                    && let Some(kind @ Kind::Unknown(None)) = self.state.kind_mut(id)
                {
                    *kind = Kind::Unknown(Some(c));
                }
                frame.stack.push(value);
            }
            0x90 | 0x91 | 0x93 | 0x97 | 0xc0 | 0xc1 | 0xc4 => {
                let value = self.state.settle(frame.pop()?);
                let (op, a, b, whole) = match op {
                    0x90 => (0xa1, Value::Number(0.0), value, false),
                    0xc4 => (0xa1, Value::Number(0.0), value, true),
                    0x91 => (0xa0, value, Value::Number(1.0), false),
                    0xc0 => (0xa0, value, Value::Number(1.0), true),
                    0x93 => (0xa1, value, Value::Number(1.0), false),
                    0xc1 => (0xa1, value, Value::Number(1.0), true),
                    _ => (0xaa, value, Value::Number(-1.0), true),
                };
                let result = self.arithmetic(op, &a, &b, whole);
                frame.stack.push(result);
            }
            // typeof, not
            0x95 => {
                let value = self.state.settle(frame.pop()?);
                let name = self.type_name(&value);
                frame.stack.push(name);
            }
            0x96 => {
                let value = self.state.settle(frame.pop()?);
                let value = self.state.negate(&value);
                frame.stack.push(value);
            }
            // istype
            0xb2 => {
                let name = frame.number()?;
                let value = self.state.settle(frame.pop()?);
                let class = self.domain.class(abc, name);
                let result = self.is(&value, class, f64::from(name));
                frame.stack.push(result);
            }
            _ => {
                let b = self.state.settle(frame.pop()?);
                let a = self.state.settle(frame.pop()?);
                let result = self.combine(op, a, b)?;
                frame.stack.push(result);
            }
        }
        Ok(())
    }

    /// The result of an instruction with two operands.
    fn combine(&mut self, op: u8, a: Value, b: Value) -> Outcome {
        Ok(match op {
            0xa0 => self.add(a, b)?,
            0xa1..=0xaa => self.arithmetic(op, &a, &b, false),
            0xc5..=0xc7 => self.arithmetic(0xa0 + (op - 0xc5), &a, &b, true),
            0xab | 0xac => self.equal(&a, &b),
            0xad => self.less(&a, &b),
            0xaf => self.less(&b, &a),
            0xae => {
                let more = self.less(&b, &a);
                self.state.negate(&more)
            }
            0xb0 => {
                let less = self.less(&a, &b);
                self.state.negate(&less)
            }
            // instanceof, istypelate
            0xb1 | 0xb3 => match b.as_object().map(|c| self.state.kind(c).clone()) {
                Some(Kind::Class(class)) => self.is(&a, Some(class), f64::from(b.as_object().unwrap_or(0))),
                _ => self.state.derive(Operation::Is, &a, &b),
            },
            // in
            0xb4 => match b.as_object() {
                Some(id) if !self.state.is_unknown(&b) => {
                    let name = self.text_of(&a)?;
                    let known = name.as_text().map(|n| self.has(id, n));
                    known.map_or_else(|| self.state.unknown(None), Value::Bool)
                }
                _ => self.state.derive(Operation::Other(op), &a, &b),
            },
            _ => return Err(Stop),
        })
    }

    /// Runs an instruction that concerns properties, calls and new objects.
    fn object(&mut self, frame: &mut Frame<'a>, op: u8) -> Outcome<()> {
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
            _ => return Err(Stop),
        };
        frame.stack.push(made);
        Ok(())
    }

    /// Runs an instruction of a loop over properties.
    fn enumerate(&mut self, frame: &mut Frame<'a>, op: u8, at: usize) -> Outcome<()> {
        let value = match op {
            // hasnext2: the object and the index are in local variables
            0x32 => {
                let (object, index) = (frame.number()?, frame.number()?);
                let (list, done) = (self.state.settle(frame.local(object)), frame.local(index));
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

    /// The integer of a number, wrapped to 32 bits where an instruction does.
    pub(crate) fn whole(number: f64, wrapped: bool) -> Value {
        Value::Number(if wrapped { f64::from(wrap(number)) } else { number })
    }
}
