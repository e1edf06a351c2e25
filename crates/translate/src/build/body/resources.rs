//! References to what is declared outside of the function: inputs, uniforms, textures, memory.

use super::state::{Array, Body, Loaded, Part};
use crate::build::globals::UniformGlobal;
use crate::syntax::{Expr, Name};
use shisa_ir::{FileId, Op, Reg, SamplerRef, Space, TexOp, Value};

impl Body<'_, '_> {
    /// The texture operation of a value.
    pub(super) fn texture_op(&mut self, v: Value) -> Option<TexOp> {
        let found = match self.node(v).op {
            Op::Texture(t) | Op::TextureStore(t) | Op::TextureAtomic(t) => {
                self.program.func.nodes.textures.get(t as usize).copied()
            }
            _ => None,
        };
        if found.is_none() {
            self.impossible("a texture operation has no description");
        }
        found
    }

    /// The texture of an operation.
    pub(super) fn texture(&mut self, t: &TexOp) -> Expr {
        match self.texture_number(t).and_then(|i| self.tables.textures.get(i)) {
            Some(texture) => texture.0,
            None => self.nothing("a texture operation has no texture"),
        }
    }

    /// The sampler of an operation: a separate one, or the texture's own.
    pub(super) fn sampler(&mut self, t: &TexOp) -> Expr {
        let own = match t.sampler {
            SamplerRef::Unit(n) => self.program.interface.samplers.iter().position(|s| s.unit == n),
            _ => None,
        };
        let paired =
            || self.texture_number(t).and_then(|i| self.tables.textures.get(i)).and_then(|texture| texture.1);
        match own.and_then(|i| self.tables.samplers.get(i).copied()).or_else(paired) {
            Some(sampler) => sampler,
            None => self.nothing("a texture operation has no sampler"),
        }
    }

    /// The index of an operation's texture in the interface.
    pub(super) fn texture_number(&self, t: &TexOp) -> Option<usize> {
        let same = |x: &shisa_ir::Texture| Some(x.unit) == t.unit() && (t.is_query() || x.shape == t.shape);
        self.program.interface.textures.iter().position(same)
    }

    /// The variable of a memory space.
    pub(super) fn memory(&mut self, space: Space) -> Expr {
        let i = self.globals.memory.iter().position(|&(s, _)| s == space);
        match i.and_then(|i| self.tables.memory.get(i)) {
            Some(memory) => *memory,
            None => self.nothing("a memory access has no memory"),
        }
    }

    /// The argument that holds a register unit of an input file, and the component within it.
    pub(super) fn input(&self, reg: Reg) -> Option<Part> {
        let inputs = &self.program.interface.inputs;
        let i = inputs.iter().position(|io| {
            io.reg.file == reg.file
                && reg.unit.checked_sub(io.reg.unit).is_some_and(|n| n < u16::from(io.count))
        })?;
        let index = (reg.unit - inputs[i].reg.unit) as u8;
        Some(Part { base: Expr::new(i), index, count: inputs[i].count })
    }

    /// A vector of a uniform array, or `None` past the end.
    pub(super) fn uniform(&mut self, array: usize, vector: usize) -> Option<Expr> {
        let UniformGlobal { name, vectors, .. } = *self.globals.uniforms.get(array)?;
        if vector >= vectors as usize {
            return None;
        }
        if let Some(l) = self.tables.loaded.iter().rev().find(|l| (l.array, l.vector) == (array, vector)) {
            return Some(l.value);
        }
        let Array { variable, first } = self.tables.uniforms[array];
        let value = if self.is_of_vertices(array) {
            let inputs = self.tables.vertices.len();
            let input = *self.tables.vertices.get(vector.checked_rem(inputs)?)?;
            let pointer = self.member(input, (vector / inputs) as u32);
            self.draft.load(pointer)
        } else if first.is_some() {
            let index = self.u32(vector as u32);
            self.uniform_at(array, index)
        } else {
            let pointer = self.member(variable, vector as u32);
            self.draft.load(pointer)
        };
        self.draft.name(value, Name::numbered(name, vector as u32));
        self.tables.loaded.push(Loaded { array, vector, value });
        Some(value)
    }

    /// Whether an array has the inputs of vertices, which are arrays of their own.
    pub(super) fn is_of_vertices(&self, array: usize) -> bool {
        self.globals.vertices.as_ref().is_some_and(|(number, _)| *number == array)
    }

    /// A vector of a uniform array at a computed index.
    pub(super) fn uniform_at(&mut self, array: usize, index: Expr) -> Expr {
        let Array { variable: base, first } = self.tables.uniforms[array];
        let Some(pointer) = first else {
            let pointer = self.element(base, index);
            return self.draft.load(pointer);
        };
        let first = self.draft.load(pointer);
        let index = self.add(first, index);
        let pointer = self.element(base, index);
        let words = self.draft.load(pointer);
        self.float(words)
    }

    /// The index of a uniform array.
    pub(super) fn uniform_array(&self, file: FileId) -> Option<usize> {
        self.globals.uniforms.iter().position(|u| u.file == file)
    }
}
