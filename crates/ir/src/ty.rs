//! Types of values: a scalar kind and a count of components.

use core::fmt;

/// The kind of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Scalar {
    /// One bit: a truth value.
    I1,
    /// A signless integer of 8 bits.
    I8,
    /// A signless integer of 16 bits.
    I16,
    /// A signless integer of 32 bits.
    I32,
    /// A signless integer of 64 bits.
    I64,
    /// IEEE binary16.
    F16,
    /// IEEE binary32; also carries every float24 value exactly.
    F32,
    /// IEEE binary64.
    F64,
}

impl Scalar {
    /// All kinds, in order of their discriminants.
    pub const ALL: [Scalar; 8] = {
        use Scalar::*;
        [I1, I8, I16, I32, I64, F16, F32, F64]
    };

    /// Width in bits.
    pub const fn bits(self) -> u8 {
        match self {
            Scalar::I1 => 1,
            Scalar::I8 => 8,
            Scalar::I16 | Scalar::F16 => 16,
            Scalar::I32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::F64 => 64,
        }
    }

    /// Whether it is one of the float kinds.
    pub const fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    /// The name in the text form: `i1` … `i64`, `f16`, `f32`, `f64`.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::I1 => "i1",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::F16 => "f16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The integer kind of the same width.
    pub const fn as_int(self) -> Scalar {
        match self {
            Scalar::F16 => Scalar::I16,
            Scalar::F32 => Scalar::I32,
            Scalar::F64 => Scalar::I64,
            int => int,
        }
    }

    /// A vector of `count` (1 to 4) components of this kind.
    pub const fn by(self, count: u8) -> Type {
        Type { scalar: self, count }
    }
}

/// A scalar (`count` 1) or a vector of 2 to 4 components. `count` 0 is the type of an operation that yields no value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type {
    /// Kind of each component.
    pub scalar: Scalar,
    /// Number of components, 1 to 4; 0 for no value.
    pub count: u8,
}

impl Type {
    /// No value.
    pub const NONE: Type = Scalar::I1.by(0);
    /// A truth value.
    pub const BOOL: Type = Scalar::I1.by(1);
    /// One 32-bit integer.
    pub const I32: Type = Scalar::I32.by(1);
    /// A 64-bit integer.
    pub const I64: Type = Scalar::I64.by(1);
    /// One binary32 number.
    pub const F32: Type = Scalar::F32.by(1);

    /// The same kind with another count.
    pub const fn with_count(self, count: u8) -> Type {
        self.scalar.by(count)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            0 => f.write_str("none"),
            1 => f.write_str(self.scalar.name()),
            n => write!(f, "{}x{n}", self.scalar.name()),
        }
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Type;
    use crate::Scalar;
    use alloc::format;

    #[test]
    fn types_print_as_in_functions() {
        let texts = [Type::NONE, Type::F32, Scalar::I16.by(3)].map(|ty| (format!("{ty}"), format!("{ty:?}")));
        let same = |text: &str| (text.into(), text.into());
        assert_eq!(texts, [same("none"), same("f32"), same("i16x3")]);
    }
}
