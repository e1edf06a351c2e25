//! Arithmetic, comparisons and conversions of values.

use super::frame::Outcome;
use super::machine::{Machine, Property};
use super::state::Operation;
use super::value::{Kind, Text, Value, plain_text, wrap};
use std::rc::Rc;

/// Longest string that is built.
const MAX_TEXT: usize = 1 << 18;

impl Machine<'_, '_> {
    /// `a + b`.
    pub(crate) fn add(&mut self, a: Value, b: Value) -> Outcome {
        if let (Value::Number(a), Value::Number(b)) = (&a, &b) {
            return Ok(Value::Number(a + b));
        }
        let is_text = |v: &Value| v.as_text().is_some();
        if is_text(&a) || is_text(&b) || a.as_object().is_some() || b.as_object().is_some() {
            let (left, right) = (self.text_of(&a)?, self.text_of(&b)?);
            return self.concat(&left, &right);
        }
        Ok(self.arithmetic(0xa0, &a, &b, false))
    }

    /// Two strings, one after the other; not known if one is not.
    pub(crate) fn concat(&mut self, a: &Value, b: &Value) -> Outcome {
        for (one, other) in [(a, b), (b, a)] {
            if let Value::Text(text) = one {
                if other.as_text() == Some("") {
                    return Ok(one.clone());
                }
                self.catalogue.extended(text);
            }
        }
        let (Value::Text(a), Value::Text(b)) = (a, b) else {
            return Ok(self.state.derive(Operation::Other(0xa0), a, b));
        };
        let length = a.text.len() + b.text.len();
        self.spend(1 + length / 16)?;
        if length > MAX_TEXT {
            return Ok(self.state.unknown(None));
        }
        let parts = (a.parts + b.parts).max(2);
        Ok(Value::Text(Rc::new(Text {
            text: [a.text.as_str(), &b.text].concat(),
            first: a.first.or(b.first),
            parts,
        })))
    }

    /// The string that a value converts to; a value that is not known stays as it is.
    pub(crate) fn text_of(&mut self, value: &Value) -> Outcome {
        let Value::Object(id) = value else {
            return Ok(match value {
                Value::Text(_) => value.clone(),
                _ => Value::text(plain_text(value).unwrap_or_default()),
            });
        };
        match self.state.kind(*id) {
            Kind::Array(_) => self.join(*id, ","),
            Kind::Bytes(bytes) => Ok(Value::text(String::from_utf8_lossy(&bytes.bytes))),
            Kind::Instance(Some(_)) => {
                let result = self.call_property(value.clone(), &Property::named("toString"), Vec::new())?;
                Ok(if result.as_text().is_some() { result } else { value.clone() })
            }
            _ => Ok(value.clone()),
        }
    }

    /// Arithmetic on numbers; `op` is an opcode, `whole` wraps the result to an integer.
    pub(crate) fn arithmetic(&mut self, op: u8, a: &Value, b: &Value, whole: bool) -> Value {
        let (Some(x), Some(y)) = (a.number(), b.number()) else {
            return self.state.derive(Operation::Other(op), a, b);
        };
        let (i, j) = (wrap(x), wrap(y));
        let shift = (j & 31) as u32;
        let number = match op {
            0xa0 => x + y,
            0xa1 => x - y,
            0xa2 => x * y,
            0xa3 => x / y,
            0xa4 => x % y,
            0xa5 => f64::from(i.wrapping_shl(shift)),
            0xa6 => f64::from(i.wrapping_shr(shift)),
            0xa7 => f64::from((i as u32).wrapping_shr(shift)),
            0xa8 => f64::from(i & j),
            0xa9 => f64::from(i | j),
            _ => f64::from(i ^ j),
        };
        Self::whole(number, whole)
    }

    /// Whether `a < b`.
    pub(crate) fn less(&mut self, a: &Value, b: &Value) -> Value {
        if let (Some(a), Some(b)) = (a.as_text(), b.as_text()) {
            return Value::Bool(a < b);
        }
        match (a.number(), b.number()) {
            (Some(x), Some(y)) => Value::Bool(x < y),
            _ => self.state.derive(Operation::Less, a, b),
        }
    }

    /// Whether two values are equal.
    pub(crate) fn equal(&mut self, a: &Value, b: &Value) -> Value {
        let nothing = |v: &Value| matches!(v, Value::Null | Value::Undefined);
        match (a, b) {
            (Value::Object(x), Value::Object(y)) if x == y => return Value::Bool(true),
            (Value::Object(_), Value::Object(_)) => {
                if !self.state.is_unknown(a) && !self.state.is_unknown(b) {
                    return Value::Bool(false);
                }
            }
            (Value::Object(_), other) | (other, Value::Object(_)) => {
                let object = if a.as_object().is_some() { a } else { b };
                if nothing(other) && !self.state.is_unknown(object) {
                    return Value::Bool(false);
                }
            }
            _ if nothing(a) || nothing(b) => return Value::Bool(nothing(a) && nothing(b)),
            _ => {
                return Value::Bool(match (a.as_text(), b.as_text()) {
                    (Some(a), Some(b)) => a == b,
                    _ => a.number() == b.number(),
                });
            }
        }
        // The known value comes second, so that both orders are one comparison.
        if a.as_object().is_some() {
            self.state.derive(Operation::Equal, a, b)
        } else {
            self.state.derive(Operation::Equal, b, a)
        }
    }

    /// Whether a value is of a class; `key` distinguishes classes that are not in the file.
    pub(crate) fn is(&mut self, value: &Value, class: Option<usize>, key: f64) -> Value {
        let of = value.as_object().map(|id| self.state.kind(id).clone());
        match (of, class) {
            (Some(Kind::Instance(Some(of)) | Kind::Unknown(Some(of))), Some(class))
                if self.domain.line(of).any(|c| c == class) =>
            {
                Value::Bool(true)
            }
            (Some(Kind::Instance(Some(_))), Some(_)) => Value::Bool(false),
            (None, Some(_)) => Value::Bool(false),
            _ => self.state.derive(Operation::Is, value, &Value::Number(key)),
        }
    }

    /// The name of a value's type.
    pub(crate) fn type_name(&mut self, value: &Value) -> Value {
        match value {
            Value::Undefined => Value::text("undefined"),
            Value::Null => Value::text("object"),
            Value::Bool(_) => Value::text("boolean"),
            Value::Number(_) => Value::text("number"),
            Value::Text(_) => Value::text("string"),
            Value::Object(_) => self.state.derive(Operation::Other(0x95), value, value),
        }
    }

    /// Converts a value; `op` is the opcode of the conversion.
    pub(crate) fn convert(&mut self, op: u8, value: Value) -> Outcome {
        if self.state.is_unknown(&value) {
            return Ok(value);
        }
        Ok(match op {
            // convert_s; coerce_s leaves null alone
            0x70 => self.text_of(&value)?,
            0x85 if !matches!(value, Value::Null | Value::Undefined) => self.text_of(&value)?,
            0x85 => Value::Null,
            0x73 | 0x83 => value.int().map_or(value, |n| Value::Number(f64::from(n))),
            0x74 | 0x88 => value.int().map_or(value, |n| Value::Number(f64::from(n as u32))),
            0x75 | 0x84 => value.number().map_or(value, Value::Number),
            0x76 | 0x81 => self.state.truth(&value).map_or(value, Value::Bool),
            _ => value,
        })
    }
}
