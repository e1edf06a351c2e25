//! Types, each stored once.

use super::name::Name;
use super::spare::emptied;
use crate::texture::TexelFormat;
use shisa_ir::Scalar;
use std::num::NonZeroU32;

/// The kind of a component; all but truth values have 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Uint,
    Sint,
    Float,
}

/// A type of [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TypeId(u16);

impl TypeId {
    /// Its position among the types of its module.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A scalar, or a vector of 2 to 4 components.
    Value { kind: Kind, count: u8 },
    /// A 32-bit word that is only changed by atomic operations.
    AtomicWord,
    /// An array. Without a length, it has as many elements as fit into its buffer. `stride` is in bytes.
    Array { base: TypeId, length: Option<NonZeroU32>, stride: u32 },
    /// [`Types::structure`].
    Structure,
    /// The result of a compare-exchange of a word: the old word, and whether it was exchanged.
    Exchanged,
    /// A texture.
    Texture { dimension: Dimension, arrayed: bool, class: TexelClass },
    /// A sampler.
    Sampler { comparison: bool },
}

/// The dimension of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dimension {
    D1,
    D2,
    D3,
    Cube,
}

/// The class of a texture's texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TexelClass {
    /// Floats or unsigned integers.
    Sampled { kind: Kind, multisampled: bool },
    /// Depths, for comparisons.
    Depth { multisampled: bool },
    /// Texels that are written.
    Written(TexelFormat),
    /// Texels of this format that atomic operations change.
    Changed(TexelFormat),
}

/// The structure of a program's outputs.
#[derive(Clone, Debug)]
pub(crate) struct Structure<'p> {
    pub(crate) name: Name<'p>,
    pub(crate) members: Vec<Member<'p>>,
    /// Its size in bytes.
    #[cfg_attr(not(feature = "naga"), expect(dead_code, reason = "only printers other than ours need it"))]
    pub(crate) span: u32,
}

/// A member of the structure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'p> {
    pub(crate) name: Name<'p>,
    pub(crate) ty: TypeId,
    pub(crate) binding: Option<Binding>,
    /// In bytes.
    #[cfg_attr(not(feature = "naga"), expect(dead_code, reason = "only printers other than ours need it"))]
    pub(crate) offset: u32,
}

/// The binding of an argument of an entry point, or of a member of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    Location { location: u32, interpolation: Option<Interpolation>, sampling: Option<Sampling> },
    BuiltIn(BuiltIn),
}

/// How a value is interpolated between vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interpolation {
    Perspective,
    Linear,
    Flat,
}

/// The point in a pixel at which a value is interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sampling {
    Centre,
    Centroid,
    Sample,
}

/// A built-in value of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BuiltIn {
    Position,
    PointSize,
    /// An array of floats.
    ClipDistances,
    PointCoordinate,
    PrimitiveIndex,
    FragmentDepth,
    FrontFacing,
    SampleIndex,
    SampleMask,
    InstanceIndex,
    VertexIndex,
    GlobalInvocationId,
    LocalInvocationId,
    LocalInvocationIndex,
    WorkgroupId,
}

/// The types of a module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types<'p> {
    list: Vec<Type>,
    /// Scalars and vectors, by kind and count.
    values: [[Option<TypeId>; 4]; 4],
    /// The structure that [`Type::Structure`] refers to.
    pub(crate) structure: Option<Structure<'p>>,
    /// Memory for the members of the structure.
    pub(crate) members: Vec<Member<'p>>,
}

/// The kind that carries an IR scalar; integers are unsigned.
pub(crate) const fn kind_of(scalar: Scalar) -> Kind {
    match scalar {
        Scalar::I1 => Kind::Bool,
        Scalar::F32 => Kind::Float,
        _ => Kind::Uint,
    }
}

impl<'p> Types<'p> {
    /// No types, with the memory of these.
    pub(crate) fn emptied<'q>(mut self) -> Types<'q> {
        self.list.clear();
        let members = self.structure.map_or(self.members, |s| s.members);
        Types { list: self.list, members: emptied(members), ..Types::default() }
    }

    /// Takes memory for so many types.
    pub(super) fn reserve(&mut self, types: usize) {
        self.list.reserve(types);
    }

    /// All types, each after its components.
    #[cfg_attr(not(feature = "naga"), expect(dead_code, reason = "only printers other than ours need it"))]
    pub(crate) fn list(&self) -> &[Type] {
        &self.list
    }

    /// A type by its number.
    pub(crate) fn get(&self, id: TypeId) -> Type {
        self.list[id.index()]
    }

    /// The number of a type. Adds the type if the module does not have it yet.
    pub(crate) fn add(&mut self, ty: Type) -> TypeId {
        if let Some(known) = self.list.iter().position(|t| *t == ty) {
            return TypeId(known as u16);
        }
        let id = TypeId(self.list.len() as u16);
        self.list.push(ty);
        id
    }

    /// A scalar or vector; a count of 0 means 1, one above 4 means 4.
    pub(crate) fn of(&mut self, kind: Kind, count: u8) -> TypeId {
        let count = count.clamp(1, 4);
        let (row, column) = (kind as usize, usize::from(count - 1));
        if let Some(known) = self.values[row][column] {
            return known;
        }
        let id = self.add(Type::Value { kind, count });
        self.values[row][column] = Some(id);
        id
    }

    /// [`Type::Exchanged`], with the types of its members.
    pub(crate) fn exchanged(&mut self) -> TypeId {
        if let Some(known) = self.list.iter().position(|t| *t == Type::Exchanged) {
            return TypeId(known as u16);
        }
        self.of(Kind::Uint, 1);
        self.of(Kind::Bool, 1);
        self.add(Type::Exchanged)
    }

    /// The type that carries an IR type.
    pub(crate) fn ir(&mut self, ty: shisa_ir::Type) -> TypeId {
        // A double is two words.
        let count = if ty.scalar == Scalar::F64 { 2 } else { ty.count };
        self.of(kind_of(ty.scalar), count)
    }
}
