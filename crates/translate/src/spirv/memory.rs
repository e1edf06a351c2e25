//! Memory: each space is an array of 32-bit words, a storage buffer or a variable.

use super::interface::{bind, block};
use super::module::Id;
use super::writer::{Refusal, Writer};
use crate::{Options, memory};
use shisa_diag::Diagnostic;
use shisa_ir::{Atomic, Binary, Scalar, Space, Type, Value};
use spirv::{Decoration, MemorySemantics, Op, Scope, StorageClass};

fn class(space: Space, options: &Options) -> StorageClass {
    match space {
        _ if memory::is_uniform(space, options) => StorageClass::Uniform,
        Space::Shared => StorageClass::Workgroup,
        Space::Local => StorageClass::Private,
        _ => StorageClass::StorageBuffer,
    }
}

impl Writer<'_> {
    /// Declares the memory spaces that the program uses.
    pub(super) fn memory_variables(
        &mut self,
        uses: &[memory::Use],
        options: &Options,
    ) -> Result<(), Diagnostic> {
        let mut shared = None;
        for u in uses {
            memory::check(self.program, options, *u)?;
            let word = self.module.ty(Type::I32);
            let Some(buffer) = memory::buffer(u.space) else {
                let array = self.module.array(word, memory::words(self.interface, u.space), None);
                let id = self.module.variable(class(u.space, options), array);
                self.module.name(id, if u.space == Space::Shared { "shared" } else { "local" });
                self.memory.push((u.space, id));
                continue;
            };
            let words = match u.is_uniform(options) {
                true => {
                    let four = self.module.ty(Scalar::I32.by(4));
                    let array = self.module.array(four, u.vectors(), Some(16));
                    block(&mut self.module, array)
                }
                false => *shared.get_or_insert_with(|| {
                    let array = self.module.runtime_array(word, 4);
                    block(&mut self.module, array)
                }),
            };
            let id = self.module.variable(class(u.space, options), words);
            match u.space {
                Space::Constant(bank) => self.module.name(id, &format!("bank{bank}")),
                Space::Buffer(n) => self.module.name(id, &format!("buffer{n}")),
                _ => self.module.name(id, "global"),
            }
            bind(&mut self.module, id, options.place(self.interface.stage, buffer));
            if !u.written && !u.is_uniform(options) {
                self.module.decorate(id, Decoration::NonWritable, &[]);
            }
            self.memory.push((u.space, id));
        }
        Ok(())
    }

    /// The space, and the index of its 32-bit word at a byte address.
    fn word(&mut self, space: Space, address: Value, scalar: Scalar) -> Result<(Space, Id), Refusal> {
        if !matches!(scalar, Scalar::I32 | Scalar::F32) {
            return Err(Refusal::Unsupported("memory of anything but 32-bit words"));
        }
        if self.type_of(address)? != Type::I32 {
            return Err(Refusal::Unsupported("an address of 64 bits"));
        }
        let address = self.id(address)?;
        let two = self.module.u32(2);
        Ok((space, self.value(Op::ShiftRightLogical, Type::I32, &[address, two])))
    }

    /// A pointer to a word, `after` words further on.
    fn pointer(&mut self, (space, word): (Space, Id), after: u8) -> Result<Id, Refusal> {
        let variable = self.memory.iter().find(|m| m.0 == space).map(|m| m.1);
        let variable = variable.ok_or(Refusal::Invalid("a space of memory does not exist"))?;
        let index = self.scaled(word, 1, u32::from(after));
        let of = self.module.ty(Type::I32);
        let pointer = self.module.pointer(class(space, self.options), of);
        if memory::is_uniform(space, self.options) {
            let [zero, two, three] = [0, 2, 3].map(|n| self.module.u32(n));
            let vector = self.value(Op::ShiftRightLogical, Type::I32, &[index, two]);
            let component = self.value(Op::BitwiseAnd, Type::I32, &[index, three]);
            return Ok(self.raw(Op::AccessChain, pointer, &[variable, zero, vector, component]));
        }
        if memory::buffer(space).is_none() {
            return Ok(self.raw(Op::AccessChain, pointer, &[variable, index]));
        }
        let member = self.module.u32(0);
        Ok(self.raw(Op::AccessChain, pointer, &[variable, member, index]))
    }

    /// [`shisa_ir::Op::Load`].
    pub(super) fn load(&mut self, space: Space, address: Value, ty: Type) -> Result<Id, Refusal> {
        if self.is_patch(space) {
            return self.load_patch(address, ty);
        }
        let at = self.word(space, address, ty.scalar)?;
        let mut parts = [(0, Type::I32, 0); 4];
        for (i, part) in (0..ty.count).zip(&mut parts) {
            let place = self.pointer(at, i)?;
            part.0 = self.value(Op::Load, Type::I32, &[place]);
        }
        let from = Scalar::I32.by(ty.count);
        let words = self.gather(&parts[..usize::from(ty.count.min(4))], from)?;
        Ok(self.bits(from, ty, words))
    }

    /// [`shisa_ir::Op::Store`].
    pub(super) fn store(&mut self, space: Space, address: Value, value: Value) -> Result<(), Refusal> {
        if self.is_patch(space) {
            return self.store_patch(address, value);
        }
        let ty = self.type_of(value)?;
        let at = self.word(space, address, ty.scalar)?;
        let value = self.id(value)?;
        for i in 0..ty.count {
            let part = self.gather(&[(value, ty, i)], ty.with_count(1))?;
            let part = self.bits(ty.with_count(1), Type::I32, part);
            let place = self.pointer(at, i)?;
            self.effect(Op::Store, &[place, part]);
        }
        Ok(())
    }

    /// [`shisa_ir::Op::Atomic`].
    pub(super) fn atomic(
        &mut self,
        op: Atomic,
        (space, address): (Space, Value),
        value: Value,
        expected: Value,
    ) -> Result<Id, Refusal> {
        if self.is_patch(space) {
            return Err(Refusal::Unsupported("an atomic operation on outputs of a patch"));
        }
        let at = self.word(space, address, self.type_of(value)?.scalar)?;
        let place = self.pointer(at, 0)?;
        let scope = if space == Space::Shared { Scope::Workgroup } else { Scope::Device };
        let (scope, relaxed) = (self.module.u32(scope as u32), self.module.u32(0));
        let value = self.id(value)?;
        let operation = match op {
            Atomic::Combine(Binary::IAdd) => Op::AtomicIAdd,
            Atomic::Combine(Binary::ISub) => Op::AtomicISub,
            Atomic::Combine(Binary::And) => Op::AtomicAnd,
            Atomic::Combine(Binary::Or) => Op::AtomicOr,
            Atomic::Combine(Binary::Xor) => Op::AtomicXor,
            Atomic::Combine(Binary::UMin) => Op::AtomicUMin,
            Atomic::Combine(Binary::UMax) => Op::AtomicUMax,
            Atomic::Combine(Binary::SMin) => Op::AtomicSMin,
            Atomic::Combine(Binary::SMax) => Op::AtomicSMax,
            Atomic::Combine(_) | Atomic::CombineFloats(..) | Atomic::Increment | Atomic::Decrement => {
                return Err(Refusal::Unsupported("an atomic operation of this kind"));
            }
            Atomic::Exchange => Op::AtomicExchange,
            Atomic::CompareExchange => {
                let expected = self.id(expected)?;
                let operands = [place, scope, relaxed, relaxed, value, expected];
                return Ok(self.value(Op::AtomicCompareExchange, Type::I32, &operands));
            }
        };
        Ok(self.value(operation, Type::I32, &[place, scope, relaxed, value]))
    }

    /// [`shisa_ir::Op::Barrier`]: a workgroup barrier that also orders memory writes.
    pub(super) fn barrier(&mut self) -> Result<(), Refusal> {
        if !memory::together(self.program, self.options) {
            let what = "what a workgroup does together, in another stage or in the compute form,";
            return Err(Refusal::Unsupported(what));
        }
        if self.interface.tessellation.is_some() {
            self.patch_barrier();
            return Ok(());
        }
        let semantics = MemorySemantics::ACQUIRE_RELEASE
            | MemorySemantics::UNIFORM_MEMORY
            | MemorySemantics::WORKGROUP_MEMORY;
        let group = self.module.u32(Scope::Workgroup as u32);
        let semantics = self.module.u32(semantics.bits());
        self.effect(Op::ControlBarrier, &[group, group, semantics]);
        Ok(())
    }
}
