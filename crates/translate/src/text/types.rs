//! The naga types that programs need, each made once.

use naga::{Handle, ScalarKind, Span, Type, TypeInner, UniqueArena, VectorSize};
use shisa_ir::Scalar;

/// Types by kind and count of components.
#[derive(Default)]
pub(super) struct Types {
    pub(super) arena: UniqueArena<Type>,
    made: [[Option<Handle<Type>>; 4]; 4],
}

/// The naga scalar that carries a kind; integers are unsigned.
pub(super) const fn scalar(kind: Scalar) -> naga::Scalar {
    match kind {
        Scalar::I1 => naga::Scalar::BOOL,
        Scalar::F32 => naga::Scalar::F32,
        _ => naga::Scalar::U32,
    }
}

/// The size of a vector of `count` components; anything but 2 and 3 counts as 4.
pub(super) const fn size(count: u8) -> VectorSize {
    match count {
        2 => VectorSize::Bi,
        3 => VectorSize::Tri,
        _ => VectorSize::Quad,
    }
}

/// A scalar or vector type.
pub(super) const fn inner(scalar: naga::Scalar, count: u8) -> TypeInner {
    match count {
        0 | 1 => TypeInner::Scalar(scalar),
        n => TypeInner::Vector { size: size(n), scalar },
    }
}

impl Types {
    /// A type without a name.
    pub(super) fn add(&mut self, inner: TypeInner) -> Handle<Type> {
        self.arena.insert(Type { name: None, inner }, Span::UNDEFINED)
    }

    /// A scalar or vector type.
    pub(super) fn of(&mut self, scalar: naga::Scalar, count: u8) -> Handle<Type> {
        let row = match scalar.kind {
            ScalarKind::Bool => 0,
            ScalarKind::Uint => 1,
            ScalarKind::Sint => 2,
            _ => 3,
        };
        let column = usize::from(count.clamp(1, 4) - 1);
        if let Some(t) = self.made[row][column] {
            return t;
        }
        let t = self.add(inner(scalar, count));
        self.made[row][column] = Some(t);
        t
    }

    /// The type that carries an IR type.
    pub(super) fn ir(&mut self, ty: shisa_ir::Type) -> Handle<Type> {
        self.of(scalar(ty.scalar), ty.count)
    }
}
