//! Values of expressions.

use shisa_ir::Scalar;
use shisa_ir::scalar::{Rounding, float24, word};
use std::fmt;

/// How the bits of a value are understood and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Binary32.
    Float,
    /// Binary16, in the low 16 bits.
    Half,
    /// Binary32 that holds a number with 16 bits of fraction, as PICA200 computes them; shown with its 24 bits.
    Float24,
    /// Binary64.
    Double,
    /// A signed integer.
    Int,
    /// An unsigned integer.
    Unsigned,
    /// An unsigned integer in hexadecimal.
    Hex,
    /// Binary32 from 0 to 1, the components of a colour.
    Color,
    /// True or false.
    Bool,
}

impl Kind {
    /// The kinds that have casts.
    pub(super) const CASTS: [(&'static str, Kind); 8] = [
        ("float", Kind::Float),
        ("half", Kind::Half),
        ("float24", Kind::Float24),
        ("int", Kind::Int),
        ("unsigned", Kind::Unsigned),
        ("hex", Kind::Hex),
        ("color", Kind::Color),
        ("bool", Kind::Bool),
    ];

    /// That of a register with components of this type.
    pub fn of(scalar: Scalar) -> Kind {
        match scalar {
            Scalar::F32 => Kind::Float,
            Scalar::F16 => Kind::Half,
            Scalar::F64 => Kind::Double,
            Scalar::I1 => Kind::Bool,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => Kind::Hex,
        }
    }

    /// Whether its numbers have fractions.
    pub(super) fn is_float(self) -> bool {
        matches!(self, Kind::Float | Kind::Half | Kind::Float24 | Kind::Double | Kind::Color)
    }
}

/// A number for arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Float(f64),
    Integer(i64),
}

impl Number {
    /// The number with a fraction.
    pub(super) fn float(self) -> f64 {
        match self {
            Number::Float(number) => number,
            Number::Integer(number) => number as f64,
        }
    }
}

/// A value: up to four components of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    kind: Kind,
    parts: Vec<u64>,
}

impl Value {
    /// A value of components with these bits.
    pub fn new(kind: Kind, parts: Vec<u64>) -> Value {
        Value { kind, parts }
    }

    /// How its bits are understood.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The bits of a component.
    pub fn bits(&self, component: usize) -> Option<u64> {
        self.parts.get(component).copied()
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// The same bits of another kind.
    pub(super) fn cast(self, kind: Kind) -> Value {
        Value { kind, ..self }
    }

    /// Some of its components; `None` if one does not exist.
    pub(super) fn components(&self, which: &[u8]) -> Option<Value> {
        let parts = which.iter().map(|component| self.bits((*component).into())).collect::<Option<_>>()?;
        Some(Value { kind: self.kind, parts })
    }

    /// Whether all of its components are not zero.
    pub fn holds(&self) -> bool {
        self.numbers().all(|number| match number {
            Number::Float(number) => number != 0.0,
            Number::Integer(number) => number != 0,
        })
    }

    /// Its components as numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = Number> {
        self.parts.iter().map(|bits| match self.kind {
            Kind::Float | Kind::Float24 | Kind::Color => Number::Float(f32::from_bits(*bits as u32).into()),
            Kind::Half => Number::Float(f32::from_bits(word::from_half(*bits as u32)).into()),
            Kind::Double => Number::Float(f64::from_bits(*bits)),
            Kind::Int => Number::Integer((*bits as u32 as i32).into()),
            Kind::Unsigned | Kind::Hex | Kind::Bool => Number::Integer(*bits as i64),
        })
    }

    /// The value of numbers: binary32 if one has a fraction, else integers of 32 bits.
    pub(super) fn of(numbers: &[Number]) -> Value {
        let float = numbers.iter().any(|number| matches!(number, Number::Float(_)));
        let bits = |number: &Number| match *number {
            Number::Float(number) => u64::from((number as f32).to_bits()),
            Number::Integer(number) if float => u64::from((number as f32).to_bits()),
            Number::Integer(number) => u64::from(number as u32),
        };
        let kind = if float { Kind::Float } else { Kind::Int };
        Value { kind, parts: numbers.iter().map(bits).collect() }
    }

    /// Whether a component is not a number.
    pub fn has_nan(&self) -> bool {
        self.kind.is_float() && self.numbers().any(|number| matches!(number, Number::Float(f) if f.is_nan()))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == Kind::Color {
            return color(self, f);
        }
        for (number, (bits, value)) in self.parts.iter().zip(self.numbers()).enumerate() {
            if number > 0 {
                f.write_str(" ")?;
            }
            match (self.kind, value) {
                (Kind::Hex, _) => write!(f, "{bits:#010x}")?,
                (Kind::Bool, _) => write!(f, "{}", *bits != 0)?,
                (Kind::Float24, Number::Float(number)) => {
                    let packed = float24::encode(*bits as u32, Rounding::default());
                    write!(f, "{number:?} ({packed:#08x})")?;
                }
                (Kind::Double, Number::Float(number)) => write!(f, "{number:?}")?,
                (_, Number::Float(number)) => write!(f, "{:?}", number as f32)?,
                (Kind::Unsigned, _) => write!(f, "{bits}")?,
                (_, Number::Integer(number)) => write!(f, "{number}")?,
            }
        }
        Ok(())
    }
}

/// Writes the components of a colour as in CSS, each rounded to the nearest of 255 steps.
fn color(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("#")?;
    value.numbers().try_for_each(|number| {
        let Number::Float(number) = number else { return Ok(()) };
        write!(f, "{:02x}", (number.clamp(0.0, 1.0) * 255.0).round() as u8)
    })
}
