//! A module under construction: one word list per section, ids, types and constants.

pub(super) use super::intern::Id;
use super::intern::{Key, Table};
use shisa_ir::{Scalar, Type};
use spirv::{Capability, Decoration, Op, StorageClass};
use std::collections::BTreeSet;

/// Appends an instruction.
pub(super) fn push(out: &mut Vec<u32>, op: Op, operands: &[u32]) {
    out.push((operands.len() as u32 + 1) << 16 | op as u32);
    out.extend_from_slice(operands);
}

/// The words of a string: UTF-8, zero-terminated, padded with zeros, little-endian.
fn string(text: &str) -> impl Iterator<Item = u32> + '_ {
    let bytes = text.as_bytes();
    (0..=bytes.len() / 4).map(move |i| {
        let byte = |k: usize| u32::from(bytes.get(4 * i + k).copied().unwrap_or(0)) << (8 * k);
        byte(0) | byte(1) | byte(2) | byte(3)
    })
}

/// Appends an instruction that holds a string.
pub(super) fn push_string(out: &mut Vec<u32>, op: Op, before: &[u32], text: &str, after: &[u32]) {
    let at = out.len();
    push(out, op, before);
    out.extend(string(text));
    out.extend_from_slice(after);
    let length = (out.len() - at) as u32;
    if let Some(head) = out.get_mut(at) {
        *head = length << 16 | op as u32;
    }
}

/// The sections of a module in the order that the format requires, and the tables that make types and constants
/// unique.
#[derive(Default)]
pub(super) struct Module {
    last: Id,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
    glsl: Id,
    /// Entry points, then execution modes.
    pub(super) entry: Vec<u32>,
    /// Strings and sources.
    pub(super) strings: Vec<u32>,
    names: Vec<u32>,
    decorations: Vec<u32>,
    /// Types, constants and global variables.
    pub(super) globals: Vec<u32>,
    /// Functions.
    pub(super) functions: Vec<u32>,
    scalars: [[Id; 4]; 8],
    /// All other types, and constants.
    known: Table,
}

impl Module {
    /// An empty module with memory for what most programs declare.
    pub(super) fn new() -> Module {
        Module {
            names: Vec::with_capacity(256),
            decorations: Vec::with_capacity(256),
            globals: Vec::with_capacity(512),
            known: Table::new(),
            ..Module::default()
        }
    }

    /// A new id.
    pub(super) fn id(&mut self) -> Id {
        self.last += 1;
        self.last
    }

    /// The newest id.
    pub(super) fn last(&self) -> Id {
        self.last
    }

    /// Declares a capability.
    pub(super) fn capability(&mut self, c: Capability) {
        self.capabilities.insert(c as u32);
    }

    /// Whether a capability is declared.
    pub(super) fn has(&self, c: Capability) -> bool {
        self.capabilities.contains(&(c as u32))
    }

    /// Declares an extension of SPIR-V.
    pub(super) fn extension(&mut self, name: &'static str) {
        self.extensions.insert(name);
    }

    /// The id of the extended instruction set for GLSL.
    pub(super) fn glsl(&mut self) -> Id {
        if self.glsl == 0 {
            self.glsl = self.id();
        }
        self.glsl
    }

    /// Names an id.
    pub(super) fn name(&mut self, id: Id, name: &str) {
        push_string(&mut self.names, Op::Name, &[id], name, &[]);
    }

    /// Names a member of a struct.
    pub(super) fn member_name(&mut self, id: Id, member: u32, name: &str) {
        push_string(&mut self.names, Op::MemberName, &[id, member], name, &[]);
    }

    /// Decorates an id.
    pub(super) fn decorate(&mut self, id: Id, decoration: Decoration, values: &[u32]) {
        push(&mut self.decorations, Op::Decorate, &[id, decoration as u32]);
        self.extend_decoration(values, 3);
    }

    /// Decorates a member of a struct.
    pub(super) fn decorate_member(&mut self, id: Id, member: u32, decoration: Decoration, values: &[u32]) {
        push(&mut self.decorations, Op::MemberDecorate, &[id, member, decoration as u32]);
        self.extend_decoration(values, 4);
    }

    fn extend_decoration(&mut self, values: &[u32], head: usize) {
        let at = self.decorations.len() - head;
        if let Some(word) = self.decorations.get_mut(at) {
            *word += (values.len() as u32) << 16;
        }
        self.decorations.extend_from_slice(values);
    }

    /// Appends a type, constant or global variable whose result comes first among its operands.
    fn global(&mut self, op: Op, operands: &[u32]) -> Id {
        let id = self.id();
        self.globals.push((operands.len() as u32 + 2) << 16 | op as u32);
        self.globals.push(id);
        self.globals.extend_from_slice(operands);
        id
    }

    /// A type that is unique by its operation and its (at most two) operands.
    fn unique(&mut self, op: Op, operands: &[u32]) -> Id {
        let key = Key::declared(op, operands);
        let known = self.known.find(key);
        if known != 0 {
            return known;
        }
        let id = self.global(op, operands);
        self.known.insert(key, id);
        id
    }

    /// The type of no value.
    pub(super) fn void(&mut self) -> Id {
        self.unique(Op::TypeVoid, &[])
    }

    /// The type of values; [`Type::NONE`] is void. Integers are unsigned.
    pub(super) fn ty(&mut self, ty: Type) -> Id {
        let Some(column) = usize::from(ty.count).checked_sub(1).filter(|&c| c < 4) else {
            return self.void();
        };
        let known = self.scalars[ty.scalar as usize][column];
        if known != 0 {
            return known;
        }
        let id = if column > 0 {
            let part = self.ty(ty.with_count(1));
            self.global(Op::TypeVector, &[part, u32::from(ty.count)])
        } else {
            self.scalar(ty.scalar)
        };
        self.scalars[ty.scalar as usize][column] = id;
        id
    }

    fn scalar(&mut self, scalar: Scalar) -> Id {
        match scalar {
            Scalar::I8 => self.capability(Capability::Int8),
            Scalar::I16 => self.capability(Capability::Int16),
            Scalar::I64 => self.capability(Capability::Int64),
            Scalar::F16 => self.capability(Capability::Float16),
            Scalar::F64 => self.capability(Capability::Float64),
            Scalar::I1 | Scalar::I32 | Scalar::F32 => {}
        }
        let bits = u32::from(scalar.bits());
        match scalar {
            Scalar::I1 => self.global(Op::TypeBool, &[]),
            s if s.is_float() => self.global(Op::TypeFloat, &[bits]),
            _ => self.global(Op::TypeInt, &[bits, 0]),
        }
    }

    /// The type of signed integers with the width and count of a type.
    pub(super) fn signed(&mut self, ty: Type) -> Id {
        // The unsigned type declares the capabilities.
        self.ty(ty);
        let one = self.unique(Op::TypeInt, &[ty.scalar.bits().into(), 1]);
        if ty.count > 1 { self.unique(Op::TypeVector, &[one, ty.count.into()]) } else { one }
    }

    /// A pointer type.
    pub(super) fn pointer(&mut self, class: StorageClass, to: Id) -> Id {
        self.unique(Op::TypePointer, &[class as u32, to])
    }

    /// The type of a sampler.
    pub(super) fn sampler(&mut self) -> Id {
        self.unique(Op::TypeSampler, &[])
    }

    /// The image type for a kind of texel. `kind` is the dimension; whether it is a depth image, is arrayed, is
    /// multisampled; 1 for sampled and 2 for written images; and the format of a written image.
    pub(super) fn image(&mut self, texels: Scalar, kind: [u32; 6]) -> Id {
        let texel = self.ty(texels.by(1));
        let [dim, rest @ ..] = kind;
        let mut operands = vec![texel, dim];
        operands.extend(rest);
        // A key holds two numbers. Each value here is below 256, and all but the dimension and the format are below
        // 4.
        let [dim, compared, arrayed, samples, use_, format] = kind;
        let shape = dim | compared << 8 | arrayed << 10 | samples << 12 | use_ << 14 | format << 16;
        let key = Key::declared(Op::TypeImage, &[texel, shape]);
        let known = self.known.find(key);
        if known != 0 {
            return known;
        }
        let id = self.global(Op::TypeImage, &operands);
        self.known.insert(key, id);
        id
    }

    /// The combined type of an image and its sampler.
    pub(super) fn sampled_image(&mut self, image: Id) -> Id {
        self.unique(Op::TypeSampledImage, &[image])
    }

    /// A struct of two members of one type, which the widening multiplications return.
    pub(super) fn couple(&mut self, member: Id) -> Id {
        self.unique(Op::TypeStruct, &[member, member])
    }

    /// A new array type. `stride` in bytes if it is laid out in memory.
    pub(super) fn array(&mut self, of: Id, length: u32, stride: Option<u32>) -> Id {
        let length = self.u32(length);
        let id = self.global(Op::TypeArray, &[of, length]);
        if let Some(stride) = stride {
            self.decorate(id, Decoration::ArrayStride, &[stride]);
        }
        id
    }

    /// A new array type whose length is that of the buffer; stride in bytes.
    pub(super) fn runtime_array(&mut self, of: Id, stride: u32) -> Id {
        let id = self.global(Op::TypeRuntimeArray, &[of]);
        self.decorate(id, Decoration::ArrayStride, &[stride]);
        id
    }

    /// The array of images or samplers of a type, of any number.
    pub(super) fn descriptors(&mut self, of: Id) -> Id {
        self.extension("SPV_EXT_descriptor_indexing");
        self.capability(Capability::RuntimeDescriptorArray);
        self.unique(Op::TypeRuntimeArray, &[of])
    }

    /// A new struct type.
    pub(super) fn structure(&mut self, members: &[Id]) -> Id {
        self.global(Op::TypeStruct, members)
    }

    /// The type of a function: result, then parameters.
    pub(super) fn function(&mut self, signature: &[Id]) -> Id {
        self.unique(Op::TypeFunction, signature)
    }

    /// A new global variable.
    pub(super) fn variable(&mut self, class: StorageClass, ty: Id) -> Id {
        let pointer = self.pointer(class, ty);
        self.constant_like(Op::Variable, pointer, &[class as u32])
    }

    fn constant_like(&mut self, op: Op, ty: Id, operands: &[u32]) -> Id {
        let id = self.id();
        self.globals.push((operands.len() as u32 + 3) << 16 | op as u32);
        self.globals.push(ty);
        self.globals.push(id);
        self.globals.extend_from_slice(operands);
        id
    }

    /// A signed integer, or a vector of signed integers.
    pub(super) fn signed_constants(&mut self, all: &[i32]) -> Id {
        let one = self.signed(Type::I32);
        let parts: Vec<Id> =
            all.iter().map(|n| self.constant_like(Op::Constant, one, &[*n as u32])).collect();
        match *parts {
            [one] => one,
            _ => {
                let ty = self.signed(Scalar::I32.by(all.len() as u8));
                self.constant_like(Op::ConstantComposite, ty, &parts)
            }
        }
    }

    /// The same bits in every component of `ty`.
    pub(super) fn constant(&mut self, ty: Type, bits: u64) -> Id {
        let width = u32::from(ty.scalar.bits());
        let bits = bits & (u64::MAX >> (64 - width));
        let id = self.ty(ty);
        let key = Key::constant(id, bits);
        let known = self.known.find(key);
        if known != 0 {
            return known;
        }
        let made = if ty.count > 1 {
            let part = self.constant(ty.with_count(1), bits);
            self.constant_like(Op::ConstantComposite, id, &[part; 4][..usize::from(ty.count.min(4))])
        } else {
            match ty.scalar {
                Scalar::I1 if bits != 0 => self.constant_like(Op::ConstantTrue, id, &[]),
                Scalar::I1 => self.constant_like(Op::ConstantFalse, id, &[]),
                _ if width == 64 => self.constant_like(Op::Constant, id, &[bits as u32, (bits >> 32) as u32]),
                _ => self.constant_like(Op::Constant, id, &[bits as u32]),
            }
        };
        self.known.insert(key, made);
        made
    }

    /// A 32-bit integer.
    pub(super) fn u32(&mut self, n: u32) -> Id {
        self.constant(Type::I32, u64::from(n))
    }

    /// The null constant of any type.
    pub(super) fn null(&mut self, ty: Id) -> Id {
        let key = Key::declared(Op::ConstantNull, &[ty]);
        let known = self.known.find(key);
        if known != 0 {
            return known;
        }
        let id = self.constant_like(Op::ConstantNull, ty, &[]);
        self.known.insert(key, id);
        id
    }

    /// All sections in order, and the index of the word at which the functions begin.
    pub(super) fn finish(self, version: u32) -> (Vec<u32>, usize) {
        let size = self.names.len() + self.decorations.len() + self.globals.len() + self.functions.len();
        let mut out = Vec::with_capacity(size + 256);
        // We have no registered generator number: 0.
        out.extend([spirv::MAGIC_NUMBER, version, 0, self.last + 1, 0]);
        for &c in &self.capabilities {
            push(&mut out, Op::Capability, &[c]);
        }
        for name in &self.extensions {
            push_string(&mut out, Op::Extension, &[], name, &[]);
        }
        if self.glsl != 0 {
            push_string(&mut out, Op::ExtInstImport, &[self.glsl], "GLSL.std.450", &[]);
        }
        push(
            &mut out,
            Op::MemoryModel,
            &[spirv::AddressingModel::Logical as u32, spirv::MemoryModel::GLSL450 as u32],
        );
        out.extend_from_slice(&self.entry);
        out.extend_from_slice(&self.strings);
        out.extend_from_slice(&self.names);
        out.extend_from_slice(&self.decorations);
        out.extend_from_slice(&self.globals);
        let start = out.len();
        out.extend_from_slice(&self.functions);
        (out, start)
    }
}
