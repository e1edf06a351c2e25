//! Loads and stores: each space of memory is a storage buffer of 32-bit words.

use super::interface::{bind, block};
use super::module::Id;
use super::writer::{Refusal, Writer};
use crate::Options;
use shisa_ir::{Scalar, Space, Type, Value};
use spirv::{Decoration, Op, StorageClass};

impl Writer<'_> {
    /// Declares the buffers of the spaces that the program touches.
    pub(super) fn memory_buffers(&mut self, options: &Options, spaces: &[Space]) -> Result<(), Refusal> {
        let mut shared = None;
        for &space in spaces {
            let (name, binding) = match space {
                Space::Global => ("global".into(), 0),
                Space::Constant(bank) => (format!("bank{bank}"), 1 + u32::from(bank)),
                Space::Shared | Space::Local | Space::Uniforms | Space::Outputs => {
                    return Err(Refusal::Unsupported(
                        "memory of a workgroup or a lane, or writable uniforms",
                    ));
                }
            };
            let words = *shared.get_or_insert_with(|| {
                let word = self.module.ty(Type::I32);
                let array = self.module.runtime_array(word, 4);
                block(&mut self.module, array)
            });
            let id = self.module.variable(StorageClass::StorageBuffer, words);
            self.module.name(id, &name);
            bind(&mut self.module, id, options.bindings.memory, binding);
            if space != Space::Global {
                self.module.decorate(id, Decoration::NonWritable, &[]);
            }
            self.memory.push((space, id));
        }
        Ok(())
    }

    /// The buffer of a space and the number of the word at a byte address.
    fn word(&mut self, space: Space, address: Value, scalar: Scalar) -> Result<(Id, Id), Refusal> {
        if !matches!(scalar, Scalar::I32 | Scalar::F32) {
            return Err(Refusal::Unsupported("memory of anything but 32-bit words"));
        }
        if self.type_of(address)? != Type::I32 {
            return Err(Refusal::Unsupported("an address of 64 bits"));
        }
        let buffer = self.memory.iter().find(|m| m.0 == space).map(|m| m.1);
        let buffer = buffer.ok_or(Refusal::Invalid("a space of memory does not exist"))?;
        let address = self.id(address)?;
        let two = self.module.u32(2);
        Ok((buffer, self.value(Op::ShiftRightLogical, Type::I32, &[address, two])))
    }

    fn place(&mut self, (buffer, word): (Id, Id), offset: u8) -> Id {
        let index = self.scaled(word, 1, u32::from(offset));
        let of = self.module.ty(Type::I32);
        let pointer = self.module.pointer(StorageClass::StorageBuffer, of);
        let member = self.module.u32(0);
        self.raw(Op::AccessChain, pointer, &[buffer, member, index])
    }

    /// [`shisa_ir::Op::Load`].
    pub(super) fn load(&mut self, space: Space, address: Value, ty: Type) -> Result<Id, Refusal> {
        let at = self.word(space, address, ty.scalar)?;
        let mut parts = [(0, Type::I32, 0); 4];
        for (i, part) in (0..ty.count).zip(&mut parts) {
            let place = self.place(at, i);
            part.0 = self.value(Op::Load, Type::I32, &[place]);
        }
        let from = Scalar::I32.by(ty.count);
        let words = self.gather(&parts[..usize::from(ty.count.min(4))], from)?;
        Ok(self.bits(from, ty, words))
    }

    /// [`shisa_ir::Op::Store`].
    pub(super) fn store(&mut self, space: Space, address: Value, value: Value) -> Result<(), Refusal> {
        if space != Space::Global {
            return Err(Refusal::Unsupported("a store to anything but global memory"));
        }
        let ty = self.type_of(value)?;
        let at = self.word(space, address, ty.scalar)?;
        let value = self.id(value)?;
        for i in 0..ty.count {
            let part = self.gather(&[(value, ty, i)], ty.with_count(1))?;
            let part = self.bits(ty.with_count(1), Type::I32, part);
            let place = self.place(at, i);
            self.effect(Op::Store, &[place, part]);
        }
        Ok(())
    }
}
