//! The naga types that programs need, each made once.

use naga::{Handle, ScalarKind, Span, StructMember, Type, TypeInner, UniqueArena, VectorSize};
use shisa_ir::Scalar;

/// Types by kind and count of components.
#[derive(Default)]
pub(super) struct Types {
    pub(super) arena: UniqueArena<Type>,
    made: [[Option<Handle<Type>>; 4]; 4],
    /// What a compared exchange of a word yields, once it is needed.
    pub(super) compared: Option<Handle<Type>>,
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

    /// What a compared exchange of a word yields: the old word, and whether it was exchanged.
    pub(super) fn compared(&mut self) -> Handle<Type> {
        if let Some(known) = self.compared {
            return known;
        }
        let scalar = naga::Scalar::U32;
        let mut member = |name: &str, scalar, offset| StructMember {
            name: Some(name.into()),
            ty: self.of(scalar, 1),
            binding: None,
            offset,
        };
        let members = vec![member("old_value", scalar, 0), member("exchanged", naga::Scalar::BOOL, 4)];
        let name = naga::PredeclaredType::AtomicCompareExchangeWeakResult(scalar).struct_name();
        let inner = TypeInner::Struct { members, span: 8 };
        let made = self.arena.insert(Type { name: Some(name), inner }, Span::UNDEFINED);
        self.compared = Some(made);
        made
    }

    /// The type that carries an IR type.
    pub(super) fn ir(&mut self, ty: shisa_ir::Type) -> Handle<Type> {
        self.of(scalar(ty.scalar), ty.count)
    }
}
