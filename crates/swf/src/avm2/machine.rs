//! The interpreter: one method after the other, as far as values are known.

use super::abc::Constant;
use super::bytes::Bytes;
use super::catalogue::Catalogue;
use super::domain::Domain;
use super::frame::{Frame, Outcome, Stop};
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

/// Most calls inside of each other.
const MAX_DEPTH: usize = 40;
/// Most values on the stack of a method, most scopes, and most local variables.
const MAX_VALUES: usize = 4096;

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
                (None, Some(default)) => self.constant(function.abc, *default)?,
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
            None => {
                // Each case is a condition of its own; a known value that is not an index equals none.
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
                let kind =
                    [Constant::TEXT, Constant::INT, Constant::UINT, Constant::DOUBLE][usize::from(op - 0x2c)];
                frame.stack.push(self.constant(abc, Constant { kind, index })?);
            }
            0x31 => {
                frame.number()?;
                frame.stack.push(Value::Undefined);
            }
            0x62 => {
                let index = frame.number()?;
                frame.stack.push(frame.local(index)?);
            }
            0xd0..=0xd3 => frame.stack.push(frame.local(u32::from(op - 0xd0))?),
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
                let value = self.arithmetic(0xa0, &frame.local(index)?, &one, op >= 0xc0);
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

    /// The integer of a number, wrapped to 32 bits where an instruction does.
    pub(crate) fn whole(number: f64, wrapped: bool) -> Value {
        Value::Number(if wrapped { f64::from(wrap(number)) } else { number })
    }
}
