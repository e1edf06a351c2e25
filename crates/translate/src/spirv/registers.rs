//! Reads of inputs and uniforms, writes of outputs.

use super::module::Id;
use super::slots::{element, units_per_component, value_type};
use super::writer::{Refusal, Writer};
use shisa_ir::{File, FileId, FileKind, Io, Mask, Reg, Scalar, Swizzle, Type, Value};
use spirv::{Op, StorageClass};

/// The variable of a uniform array.
#[derive(Clone, Copy)]
pub(super) struct Array {
    pub(super) variable: Id,
    /// Whether each lane has its own.
    pub(super) own: bool,
}

impl Writer<'_> {
    fn file(&self, file: FileId) -> Result<&'static File, Refusal> {
        self.func.files.get(usize::from(file.0)).ok_or(Refusal::Invalid("a register file does not exist"))
    }

    /// The index of the input or output that holds a register unit of a file, and the component.
    fn slot(&self, file: FileId, unit: usize) -> Result<(usize, u8), Refusal> {
        let slot = self.slots.find(file, unit);
        slot.ok_or(Refusal::Invalid("it reads or writes a register outside its interface"))
    }

    /// [`shisa_ir::Op::Read`].
    pub(super) fn read(&mut self, reg: Reg, swizzle: Swizzle, ty: Type) -> Result<Id, Refusal> {
        let file = self.file(reg.file)?;
        match file.kind {
            FileKind::Uniform if file.unit_bits == 1 => self.read_bits(reg, swizzle, ty),
            FileKind::Uniform => self.read_uniform(reg, swizzle, ty),
            FileKind::Input => self.read_input(file, reg, swizzle, ty),
            FileKind::Temp | FileKind::Output => {
                Err(Refusal::Unsupported("a read of a temporary or output register"))
            }
        }
    }

    fn read_input(&mut self, file: &File, reg: Reg, swizzle: Swizzle, ty: Type) -> Result<Id, Refusal> {
        let width = units_per_component(file, ty.scalar);
        let mut parts = [(0, ty, 0); 4];
        let mut scalar = ty.scalar;
        for (i, part) in (0..ty.count).zip(&mut parts) {
            let unit = usize::from(reg.unit) + usize::from(swizzle.get(i)) * width;
            let (number, component) = self.slot(reg.file, unit)?;
            let (Some(io), Some(&id)) = (self.interface.inputs.get(number), self.inputs.get(number)) else {
                return Err(Refusal::Invalid("an input does not exist"));
            };
            if io.scalar.bits() != ty.scalar.bits() {
                return Err(Refusal::Unsupported("a read of an input in another width"));
            }
            scalar = io.scalar;
            *part = (id, value_type(io), component);
        }
        let from = scalar.by(ty.count);
        let got = self.gather(&parts[..usize::from(ty.count.min(4))], from)?;
        Ok(self.bits(from, ty, got))
    }

    /// The array of a uniform file: its variable, length in elements and element type.
    fn uniform(&self, file: FileId) -> Result<(Array, u32, Type), Refusal> {
        let bank = self.interface.uniforms.iter().zip(&self.uniforms).find(|(u, _)| u.file == file);
        let (u, &variable) = bank.ok_or(Refusal::Invalid("it reads a uniform file outside its interface"))?;
        let variable = Array { variable, own: u.per_lane };
        Ok((variable, crate::reflection::vectors(self.program, self.options, u), element(self.file(file)?)))
    }

    /// The number of inputs of a vertex, if the file is that of the vertices of a stage.
    fn vertices_of(&self, file: FileId) -> Result<Option<u32>, Refusal> {
        let array = self.interface.uniforms.iter().find(|u| u.file == file);
        let array = array.ok_or(Refusal::Invalid("it reads a uniform file outside its interface"))?;
        Ok(self.reads_vertices(array).then_some(self.interface.vertex_inputs.len() as u32))
    }

    /// The value of a uniform component, from its 32 bits.
    fn uniform_value(&mut self, from: Type, ty: Type, got: Id) -> Result<Id, Refusal> {
        match ty.scalar {
            Scalar::F32 | Scalar::I32 => Ok(self.bits(from, ty, got)),
            Scalar::I1 if from.scalar == Scalar::I32 => {
                let zero = self.module.constant(from, 0);
                Ok(self.value(Op::INotEqual, ty, &[got, zero]))
            }
            _ => Err(Refusal::Unsupported("a uniform of this width")),
        }
    }

    fn read_uniform(&mut self, reg: Reg, swizzle: Swizzle, ty: Type) -> Result<Id, Refusal> {
        let (variable, elements, element) = self.uniform(reg.file)?;
        let mut parts = [(0, element, 0); 4];
        let mut loaded: [(u32, Id); 4] = [(u32::MAX, 0); 4];
        for (i, part) in (0..ty.count).zip(&mut parts) {
            let unit = u32::from(reg.unit) + u32::from(swizzle.get(i));
            let vector = unit / 4;
            if vector >= elements {
                return Err(Refusal::Invalid("it reads a uniform register outside its interface"));
            }
            let id = match loaded.iter().find(|l| l.0 == vector) {
                Some(l) => l.1,
                None => {
                    let id = match self.vertices_of(reg.file)? {
                        Some(attributes) => {
                            let vertex = self.module.u32(vector / attributes);
                            self.vertex_input(vector % attributes, vertex)?
                        }
                        None => {
                            let index = self.module.u32(vector);
                            self.load_element(variable, element, index)
                        }
                    };
                    loaded[usize::from(i & 3)] = (vector, id);
                    id
                }
            };
            *part = (id, element, (unit % 4) as u8);
        }
        let from = element.with_count(ty.count);
        let got = self.gather(&parts[..usize::from(ty.count.min(4))], from)?;
        self.uniform_value(from, ty, got)
    }

    pub(super) fn load_element(&mut self, array: Array, element: Type, index: Id) -> Id {
        let of = self.module.ty(element);
        let place = if array.own {
            let pointer = self.module.pointer(StorageClass::Private, of);
            self.raw(Op::AccessChain, pointer, &[array.variable, index])
        } else {
            let pointer = self.module.pointer(StorageClass::Uniform, of);
            let member = self.module.u32(0);
            self.raw(Op::AccessChain, pointer, &[array.variable, member, index])
        };
        self.value(Op::Load, element, &[place])
    }

    /// Single bits: bit n of an array, counted through its 32-bit words, is register unit n.
    fn read_bits(&mut self, reg: Reg, swizzle: Swizzle, ty: Type) -> Result<Id, Refusal> {
        let (variable, elements, element) = self.uniform(reg.file)?;
        let mut parts = [(0, Type::BOOL, 0); 4];
        for (i, part) in (0..ty.count).zip(&mut parts) {
            let unit = u32::from(reg.unit) + u32::from(swizzle.get(i));
            if unit / 128 >= elements {
                return Err(Refusal::Invalid("it reads a uniform register outside its interface"));
            }
            let index = self.module.u32(unit / 128);
            let vector = self.load_element(variable, element, index);
            let word = self.value(Op::CompositeExtract, Type::I32, &[vector, unit % 128 / 32]);
            let (mask, zero) = (self.module.u32(1 << (unit % 32)), self.module.u32(0));
            let bit = self.value(Op::BitwiseAnd, Type::I32, &[word, mask]);
            part.0 = self.value(Op::INotEqual, Type::BOOL, &[bit, zero]);
        }
        self.gather(&parts[..usize::from(ty.count.min(4))], ty)
    }

    /// [`shisa_ir::Op::ReadAt`]. An index outside the array reads its last element.
    pub(super) fn read_at(
        &mut self,
        file: FileId,
        (base, stride): (u16, u8),
        index: Value,
        swizzle: Swizzle,
        ty: Type,
    ) -> Result<Id, Refusal> {
        if self.file(file)?.kind != FileKind::Uniform || self.file(file)?.unit_bits == 1 {
            return Err(Refusal::Unsupported("an indexed read of anything but a uniform file"));
        }
        let (variable, elements, element) = self.uniform(file)?;
        let index = self.id(index)?;
        let inner = base % 4;
        let from = element.with_count(ty.count);
        let fits = (0..ty.count).all(|i| inner + u16::from(swizzle.get(i)) < 4);
        let got = if let Some(attributes) = self.vertices_of(file)? {
            if u32::from(stride) != 4 * attributes || !fits {
                return Err(Refusal::Unsupported("a computed input of a vertex"));
            }
            let vertex = self.at_most(index, elements / attributes - 1);
            let whole = self.vertex_input(u32::from(base / 4), vertex)?;
            let parts: [_; 4] =
                core::array::from_fn(|i| (whole, element, (inner as u8 + swizzle.get(i as u8)) & 3));
            self.gather(&parts[..usize::from(ty.count.min(4))], from)?
        } else if stride % 4 == 0 && fits {
            let vector = self.scaled(index, u32::from(stride / 4), u32::from(base / 4));
            let vector = self.at_most(vector, elements - 1);
            let whole = self.load_element(variable, element, vector);
            let parts: [_; 4] =
                core::array::from_fn(|i| (whole, element, (inner as u8 + swizzle.get(i as u8)) & 3));
            self.gather(&parts[..usize::from(ty.count.min(4))], from)?
        } else {
            let mut parts = [(0, element.with_count(1), 0); 4];
            for (i, part) in (0..ty.count).zip(&mut parts) {
                let unit = u32::from(base) + u32::from(swizzle.get(i));
                let unit = self.scaled(index, u32::from(stride), unit);
                let unit = self.at_most(unit, 4 * elements - 1);
                let two = self.module.u32(2);
                let vector = self.value(Op::ShiftRightLogical, Type::I32, &[unit, two]);
                let whole = self.load_element(variable, element, vector);
                let three = self.module.u32(3);
                let component = self.value(Op::BitwiseAnd, Type::I32, &[unit, three]);
                part.0 = self.value(Op::VectorExtractDynamic, element.with_count(1), &[whole, component]);
            }
            self.gather(&parts[..usize::from(ty.count.min(4))], from)?
        };
        self.uniform_value(from, ty, got)
    }

    /// index * factor + offset.
    pub(super) fn scaled(&mut self, index: Id, factor: u32, offset: u32) -> Id {
        let mut result = index;
        if factor != 1 {
            let factor = self.module.u32(factor);
            result = self.value(Op::IMul, Type::I32, &[result, factor]);
        }
        if offset != 0 {
            let offset = self.module.u32(offset);
            result = self.value(Op::IAdd, Type::I32, &[result, offset]);
        }
        result
    }

    fn at_most(&mut self, index: Id, last: u32) -> Id {
        let last = self.module.u32(last);
        self.glsl(spirv::GlslStd450Op::UMin, Type::I32, &[index, last])
    }

    /// [`shisa_ir::Op::Write`].
    pub(super) fn write(&mut self, reg: Reg, mask: Mask, value: Value) -> Result<(), Refusal> {
        let file = self.file(reg.file)?;
        if file.kind != FileKind::Output {
            return Err(Refusal::Unsupported("a write of anything but an output register"));
        }
        let ty = self.type_of(value)?;
        let id = self.id(value)?;
        let width = units_per_component(file, ty.scalar);
        let mut whole = None;
        for (i, component) in (0..ty.count).zip(mask.iter()) {
            let unit = usize::from(reg.unit) + usize::from(component) * width;
            let (number, slot) = self.slot(reg.file, unit)?;
            let (Some(io), Some(&variable)) = (self.interface.outputs.get(number), self.outputs.get(number))
            else {
                return Err(Refusal::Invalid("an output does not exist"));
            };
            if io.scalar.bits() != ty.scalar.bits() {
                return Err(Refusal::Unsupported("a write of an output in another width"));
            }
            if i == 0 && slot == 0 && io.count == ty.count && mask == Mask::first(ty.count) {
                whole = Some((variable, value_type(io)));
                break;
            }
            let part = self.gather(&[(id, ty, i)], ty.with_count(1))?;
            let part = self.bits(ty.with_count(1), io.scalar.by(1), part);
            self.store_component(variable, io, slot, part);
        }
        if let Some((variable, to)) = whole {
            let id = self.bits(ty, to, id);
            self.effect(Op::Store, &[variable, id]);
        }
        Ok(())
    }

    fn store_component(&mut self, variable: Id, io: &Io, component: u8, part: Id) {
        let mut place = variable;
        if io.count > 1 {
            let of = self.module.ty(io.scalar.by(1));
            let pointer = self.module.pointer(StorageClass::Function, of);
            let index = self.module.u32(u32::from(component));
            place = self.raw(Op::AccessChain, pointer, &[variable, index]);
        }
        self.effect(Op::Store, &[place, part]);
    }
}
