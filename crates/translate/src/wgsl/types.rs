//! Types, and how variables are declared and bound.

use super::labels::Label;
use super::printer::Printer;
use super::text::Short;
use crate::syntax::{
    AddressSpace, Binding, BuiltIn, Dimension, Global, Interpolation, Kind, Sampling, TexelClass, Type,
    TypeId, decimal,
};

/// The names of scalars and vectors of 2 to 4 components, by kind.
static VALUES: [[Short; 4]; 4] = [
    values(["bool", "vec2<bool>", "vec3<bool>", "vec4<bool>"]),
    values(["u32", "vec2<u32>", "vec3<u32>", "vec4<u32>"]),
    values(["i32", "vec2<i32>", "vec3<i32>", "vec4<i32>"]),
    values(["f32", "vec2<f32>", "vec3<f32>", "vec4<f32>"]),
];

const fn values([one, two, three, four]: [&str; 4]) -> [Short; 4] {
    [Short::new(one), Short::new(two), Short::new(three), Short::new(four)]
}

const fn row(kind: Kind) -> usize {
    match kind {
        Kind::Bool => 0,
        Kind::Uint => 1,
        Kind::Sint => 2,
        Kind::Float => 3,
    }
}

impl Printer<'_> {
    /// A variable of the module.
    pub(super) fn global(&mut self, name: Label, g: &Global) {
        if let Some(slot) = g.slot {
            self.attribute("@group(", slot.group);
            self.attribute("@binding(", slot.binding);
        }
        self.out.push_str(match g.space {
            AddressSpace::Uniform => "var<uniform> ",
            AddressSpace::Private => "var<private> ",
            AddressSpace::Workgroup => "var<workgroup> ",
            AddressSpace::Storage { written: true } => "var<storage, read_write> ",
            AddressSpace::Storage { written: false } => "var<storage> ",
            AddressSpace::Handle => "var ",
        });
        self.declaration(name, g.ty);
        self.out.push(';');
        self.end();
    }

    /// An attribute with a number, such as `@location(`.
    #[inline(always)]
    fn attribute(&mut self, head: &str, n: u32) {
        self.out.push_str(head);
        decimal(&mut self.out, n);
        self.out.push_str(") ");
    }

    /// The binding attributes of an argument or member.
    pub(super) fn binding(&mut self, binding: Option<Binding>) {
        match binding {
            None => {}
            Some(Binding::Location { location, interpolation, sampling }) => {
                self.attribute("@location(", location);
                self.out.push_str(match (interpolation, sampling) {
                    (Some(Interpolation::Flat), _) => "@interpolate(flat) ",
                    (Some(Interpolation::Linear), Some(Sampling::Centroid)) => {
                        "@interpolate(linear, centroid) "
                    }
                    (Some(Interpolation::Linear), Some(Sampling::Sample)) => "@interpolate(linear, sample) ",
                    (Some(Interpolation::Linear), _) => "@interpolate(linear) ",
                    (_, Some(Sampling::Centroid)) => "@interpolate(perspective, centroid) ",
                    (_, Some(Sampling::Sample)) => "@interpolate(perspective, sample) ",
                    _ => "",
                });
            }
            Some(Binding::BuiltIn(b)) => self.out.push_str(match b {
                BuiltIn::Position => "@builtin(position) ",
                BuiltIn::ClipDistances => "@builtin(clip_distances) ",
                BuiltIn::PrimitiveIndex => "@builtin(primitive_index) ",
                // The language has neither: entry points do not use them.
                BuiltIn::PointSize | BuiltIn::PointCoordinate => "",
                BuiltIn::FragmentDepth => "@builtin(frag_depth) ",
                BuiltIn::FrontFacing => "@builtin(front_facing) ",
                BuiltIn::SampleIndex => "@builtin(sample_index) ",
                BuiltIn::SampleMask => "@builtin(sample_mask) ",
                BuiltIn::InstanceIndex => "@builtin(instance_index) ",
                BuiltIn::VertexIndex => "@builtin(vertex_index) ",
                BuiltIn::GlobalInvocationId => "@builtin(global_invocation_id) ",
                BuiltIn::LocalInvocationId => "@builtin(local_invocation_id) ",
                BuiltIn::LocalInvocationIndex => "@builtin(local_invocation_index) ",
                BuiltIn::WorkgroupId => "@builtin(workgroup_id) ",
            }),
        }
    }

    /// A name with its type.
    #[inline]
    pub(super) fn declaration(&mut self, name: Label, ty: TypeId) {
        self.push_label(name);
        self.out.push_str(": ");
        self.ty(ty);
    }

    /// A type.
    #[inline(always)]
    pub(super) fn ty(&mut self, id: TypeId) {
        match self.module.types.get(id) {
            Type::Value { kind, count } => self.vector(kind, count),
            ty => self.other(ty),
        }
    }

    /// A type that is neither a scalar nor a vector.
    #[inline(never)]
    fn other(&mut self, ty: Type) {
        match ty {
            Type::Value { kind, count } => self.vector(kind, count),
            Type::Array { base, length, .. } => {
                self.out.push_str("array<");
                self.ty(base);
                if let Some(n) = length {
                    self.out.push_str(", ");
                    decimal(&mut self.out, n.get());
                }
                self.out.push('>');
            }
            Type::Structure => self.push_label(self.structure),
            Type::AtomicWord => self.out.push_str("atomic<u32>"),
            Type::Exchanged => self.out.push_str("__atomic_compare_exchange_result<u32>"),
            Type::Texture { dimension, arrayed, class } => self.texture(dimension, arrayed, class),
            Type::Sampler { comparison: true } => self.out.push_str("sampler_comparison"),
            Type::Sampler { comparison: false } => self.out.push_str("sampler"),
        }
    }

    /// The type of a texture.
    fn texture(&mut self, dimension: Dimension, arrayed: bool, class: TexelClass) {
        let (kind, texel) = match class {
            TexelClass::Sampled { multisampled: false, kind: Kind::Uint } => ("texture_", "<u32>"),
            TexelClass::Sampled { multisampled: true, kind: Kind::Uint } => {
                ("texture_multisampled_", "<u32>")
            }
            TexelClass::Sampled { multisampled: false, .. } => ("texture_", "<f32>"),
            TexelClass::Sampled { multisampled: true, .. } => ("texture_multisampled_", "<f32>"),
            TexelClass::Depth { multisampled: false } => ("texture_depth_", ""),
            TexelClass::Depth { multisampled: true } => ("texture_depth_multisampled_", ""),
            TexelClass::Written(_) | TexelClass::Changed(_) => ("texture_storage_", ""),
        };
        self.out.push_str(kind);
        self.out.push_str(match dimension {
            Dimension::D1 => "1d",
            Dimension::D2 => "2d",
            Dimension::D3 => "3d",
            Dimension::Cube => "cube",
        });
        self.out.push_str(if arrayed { "_array" } else { "" });
        self.out.push_str(texel);
        let (format, access) = match class {
            TexelClass::Written(format) => (format, ", write>"),
            TexelClass::Changed(format) => (format, ", read_write>"),
            _ => return,
        };
        self.out.push_str("<");
        self.out.push_str(format.name());
        self.out.push_str(access);
    }

    /// A scalar, or a vector of it.
    #[inline]
    pub(super) fn vector(&mut self, kind: Kind, size: u8) {
        self.out.push_short(&VALUES[row(kind)][usize::from(size.clamp(1, 4)) - 1]);
    }
}
