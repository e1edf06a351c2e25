//! What comes from outside of the function: inputs, uniforms, textures, memory.

use super::{Body, Part};
use crate::text::names::Name;
use naga::{Expression, Handle};
use shisa_ir::{FileId, Reg, SamplerRef, Space, TexOp};

impl Body<'_, '_> {
    /// The texture and sampler of an operation.
    pub(in crate::text) fn texture(&mut self, t: &TexOp) -> (Handle<Expression>, Handle<Expression>) {
        let interface = self.program.interface;
        let i = interface.textures.iter().position(|x| Some(x.unit) == t.unit() && x.shape == t.shape);
        let (image, paired) = self.textures[i.unwrap_or(0)];
        let own = match t.sampler {
            SamplerRef::Unit(n) => interface.samplers.iter().position(|s| s.unit == n),
            _ => None,
        };
        (image, own.map(|i| self.samplers[i]).or(paired).unwrap_or(image))
    }

    /// The memory of a space.
    pub(in crate::text) fn memory(&self, space: Space) -> Handle<Expression> {
        let i = self.globals.memory.iter().position(|&(s, _)| s == space);
        self.memory[i.unwrap_or(0)]
    }

    /// The argument that holds a unit of an input file, and the component there.
    pub(in crate::text) fn input(&self, reg: Reg) -> Option<Part> {
        let inputs = &self.program.interface.inputs;
        let i = inputs.iter().position(|io| {
            io.reg.file == reg.file && reg.unit >= io.reg.unit && reg.unit < io.reg.unit + u16::from(io.count)
        })?;
        let index = (reg.unit - inputs[i].reg.unit) as u8;
        Some(Part { base: self.arguments[i], index, count: inputs[i].count })
    }

    /// A vector of a uniform array.
    pub(in crate::text) fn uniform(&mut self, array: usize, vector: usize) -> Option<Handle<Expression>> {
        let loaded = *self.loads[array].get(vector)?;
        if loaded.is_some() {
            return loaded;
        }
        let value = if self.firsts[array].is_some() {
            let index = self.u32(vector as u32);
            self.uniform_at(array, index)
        } else {
            let base = self.uniforms[array];
            let pointer = self.push(Expression::AccessIndex { base, index: vector as u32 });
            self.push(Expression::Load { pointer })
        };
        let name = Name::numbered(self.globals.uniforms[array].name, vector as u32);
        self.names.resize(self.fun.expressions.len(), None);
        self.names[value.index()] = Some(name);
        self.loads[array][vector] = Some(value);
        self.loaded.push((array, vector));
        Some(value)
    }

    /// A vector of a uniform array by a computed number.
    pub(in crate::text) fn uniform_at(
        &mut self,
        array: usize,
        index: Handle<Expression>,
    ) -> Handle<Expression> {
        let (base, first) = (self.uniforms[array], self.firsts[array]);
        let Some(pointer) = first else {
            let pointer = self.push(Expression::Access { base, index });
            return self.push(Expression::Load { pointer });
        };
        let first = self.push(Expression::Load { pointer });
        let index = self.add(first, index);
        let pointer = self.push(Expression::Access { base, index });
        let words = self.push(Expression::Load { pointer });
        self.float(words)
    }

    /// The number of a uniform array.
    pub(in crate::text) fn uniform_array(&self, file: FileId) -> Option<usize> {
        self.globals.uniforms.iter().position(|u| u.file == file)
    }
}
