//! Computes the values of expressions.

use super::value::{Kind, Number, Value};
use super::{Expression, Operator, Tree, Word, wrong};
use crate::names::{Named, Names};
use crate::view::View;
use shisa_diag::Diagnostic;
use shisa_ir::{At, Space};
use std::cmp::Ordering;

type Computed = Result<Value, Diagnostic>;

/// Where an expression is computed.
struct Place<'v> {
    view: &'v mut dyn View,
    names: &'v Names,
    lane: usize,
}

impl Expression {
    /// Its value in a lane.
    ///
    /// # Errors
    /// `debug-expression` for components that a value does not have, and for values that do not fit together; what memory
    /// reports.
    pub fn value(&self, view: &mut dyn View, names: &Names, lane: usize) -> Computed {
        Place { view, names, lane }.compute(&self.tree)
    }
}

impl Place<'_> {
    fn compute(&mut self, tree: &Tree) -> Computed {
        Ok(match tree {
            Tree::Constant(value) => value.clone(),
            Tree::Register(named) => self.register(named)?,
            Tree::Indexed(stem, start, index) => {
                let index = integer(&self.compute(index)?)?;
                let name = format!("{stem}{}", index.saturating_add(*start as i64));
                let named = self.names.get(&name);
                let named = named.ok_or_else(|| wrong(format!("the program has no register \"{name}\"")))?;
                self.register(named)?
            }
            Tree::Load(space, address) => {
                let address = integer(&self.compute(address)?)? as u64;
                self.load(*space, address)?
            }
            Tree::Word(word) => self.word(*word),
            Tree::Components(tree, which) => {
                let value = self.compute(tree)?;
                let count = value.count();
                value.components(which).ok_or_else(|| {
                    wrong(format!("a value of {count} components does not have all of those"))
                })?
            }
            Tree::Cast(kind, tree) => self.compute(tree)?.cast(*kind),
            Tree::Not(tree) => boolean(!self.compute(tree)?.holds()),
            Tree::Negative(tree) => {
                let value = self.compute(tree)?;
                let negative = |number| match number {
                    Number::Float(number) => Number::Float(-number),
                    Number::Integer(number) => Number::Integer(number.wrapping_neg()),
                };
                Value::of(&value.numbers().map(negative).collect::<Vec<_>>())
            }
            Tree::Inverse(tree) => {
                let value = self.compute(tree)?;
                let bits = (0..value.count()).filter_map(|at| value.bits(at));
                Value::new(Kind::Hex, bits.map(|bits| u64::from(!(bits as u32))).collect())
            }
            Tree::Two(Operator::Or, a, b) => boolean(self.compute(a)?.holds() || self.compute(b)?.holds()),
            Tree::Two(Operator::And, a, b) => boolean(self.compute(a)?.holds() && self.compute(b)?.holds()),
            Tree::Two(operator, a, b) => {
                let (a, b) = (self.compute(a)?, self.compute(b)?);
                two(*operator, &a, &b)?
            }
        })
    }

    fn register(&mut self, named: &Named) -> Computed {
        let mut parts = Vec::with_capacity(named.units.len());
        for reg in &named.units {
            let plane = self.view.register(*reg).and_then(|plane| plane.get(self.lane));
            parts.push(u64::from(plane.ok_or_else(|| wrong(format!("there is no lane {}", self.lane)))?));
        }
        if named.joined {
            let whole = parts.iter().rev().fold(0, |bits, part| bits << named.bits | part);
            return Ok(Value::new(Kind::of(named.scalar), vec![whole]));
        }
        Ok(Value::new(Kind::of(named.scalar), parts))
    }

    fn load(&mut self, space: Space, address: u64) -> Computed {
        let mut bytes = [0; 4];
        self.view.load(space, self.lane, address, &mut bytes)?;
        Ok(Value::new(Kind::Hex, vec![u32::from_le_bytes(bytes).into()]))
    }

    fn word(&self, word: Word) -> Value {
        let set = |lanes: u32| boolean(lanes >> self.lane & 1 != 0);
        match word {
            Word::Counter => match self.view.at() {
                At::Step(pc) => Value::new(Kind::Hex, vec![pc.into()]),
                At::Implied(_) | At::Done => Value::new(Kind::Hex, vec![u32::MAX.into()]),
            },
            Word::Lane => Value::new(Kind::Int, vec![self.lane as u64]),
            Word::Active => set(self.view.active()),
            Word::Killed => set(self.view.killed()),
            Word::Lanes => Value::new(Kind::Int, vec![self.view.active().count_ones().into()]),
        }
    }
}

fn boolean(holds: bool) -> Value {
    Value::new(Kind::Bool, vec![holds.into()])
}

/// A value of one component as an integer.
fn integer(value: &Value) -> Result<i64, Diagnostic> {
    let mut numbers = value.numbers();
    match (numbers.next(), numbers.next()) {
        (Some(Number::Integer(number)), None) => Ok(number),
        _ => Err(wrong("an index or an address is one integer; use int(…) for the bits of a float")),
    }
}

/// An operation of corresponding components; a value of one component goes with each component of the other.
fn two(operator: Operator, a: &Value, b: &Value) -> Computed {
    let [left, right] = [a, b].map(|value| value.numbers().collect::<Vec<_>>());
    let count = left.len().max(right.len());
    if ![left.len(), right.len()].iter().all(|own| [1, count].contains(own)) {
        let text = format!("values of {} and {} components do not go together", left.len(), right.len());
        return Err(wrong(text));
    }
    let at = |numbers: &[Number], at: usize| numbers.get(if numbers.len() == 1 { 0 } else { at }).copied();
    let pairs = (0..count).filter_map(|component| Some((at(&left, component)?, at(&right, component)?)));
    let results = pairs.map(|(a, b)| one(operator, a, b)).collect::<Result<Vec<_>, _>>()?;
    let compared = matches!(
        operator,
        Operator::Equal
            | Operator::Unequal
            | Operator::Less
            | Operator::AtMost
            | Operator::Greater
            | Operator::AtLeast
    );
    let value = Value::of(&results);
    Ok(match compared {
        true => value.cast(Kind::Bool),
        // Bits and addresses stay in hexadecimal, with all of their bits.
        false if a.kind() == Kind::Hex && !value.kind().is_float() => {
            let bits = |number: &Number| if let Number::Integer(bits) = number { *bits as u64 } else { 0 };
            Value::new(Kind::Hex, results.iter().map(bits).collect())
        }
        false => value,
    })
}

fn one(operator: Operator, a: Number, b: Number) -> Result<Number, Diagnostic> {
    let order = match (a, b) {
        (Number::Integer(a), Number::Integer(b)) => Some(a.cmp(&b)),
        (a, b) => a.float().partial_cmp(&b.float()),
    };
    // A NaN is neither equal to nor less than any number.
    let holds = match operator {
        Operator::Equal => order.is_some_and(Ordering::is_eq),
        Operator::Unequal => !order.is_some_and(Ordering::is_eq),
        Operator::Less => order.is_some_and(Ordering::is_lt),
        Operator::AtMost => order.is_some_and(Ordering::is_le),
        Operator::Greater => order.is_some_and(Ordering::is_gt),
        Operator::AtLeast => order.is_some_and(Ordering::is_ge),
        _ => return computed(operator, a, b),
    };
    Ok(Number::Integer(holds.into()))
}

fn computed(operator: Operator, a: Number, b: Number) -> Result<Number, Diagnostic> {
    if let (Number::Integer(a), Number::Integer(b)) = (a, b) {
        return integers(operator, a, b).map(Number::Integer);
    }
    let (a, b) = (a.float(), b.float());
    Ok(Number::Float(match operator {
        Operator::Add => a + b,
        Operator::Subtract => a - b,
        Operator::Multiply => a * b,
        Operator::Divide => a / b,
        Operator::Remainder => a % b,
        _ => return Err(wrong("an operation on bits needs integers; use hex(…) for the bits of a float")),
    }))
}

fn integers(operator: Operator, a: i64, b: i64) -> Result<i64, Diagnostic> {
    let zero = || wrong("a division by zero");
    Ok(match operator {
        Operator::BitOr => a | b,
        Operator::BitXor => a ^ b,
        Operator::BitAnd => a & b,
        Operator::Left => a.wrapping_shl(b as u32),
        Operator::Right => a.wrapping_shr(b as u32),
        Operator::Add => a.wrapping_add(b),
        Operator::Subtract => a.wrapping_sub(b),
        Operator::Multiply => a.wrapping_mul(b),
        Operator::Divide => a.checked_div(b).ok_or_else(zero)?,
        Operator::Remainder => a.checked_rem(b).ok_or_else(zero)?,
        _ => return Err(wrong("an operator without a meaning for integers")),
    })
}
