//! Instructions that compute: conversions, arithmetic and comparisons.

use super::frame::{Frame, Outcome, Stop};
use super::machine::Machine;
use super::state::Operation;
use super::value::{Kind, Value};

impl<'a> Machine<'_, 'a> {
    /// Runs conversions, arithmetic and comparisons.
    pub(crate) fn operate(&mut self, frame: &mut Frame<'a>, op: u8) -> Outcome<()> {
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
}
