//! Memory: each space is an array of 32-bit words, a storage buffer or a variable.

use super::interface::{bind, block};
use super::module::Id;
use super::writer::{Killing, Refusal, Writer};
use crate::{Options, memory};
use shisa_diag::Diagnostic;
use shisa_ir::{Atomic, Binary, Scalar, Space, Type, Value};
use spirv::{Capability, Decoration, MemorySemantics, Op, Scope, StorageClass};

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
            let long = u.long.then(|| self.module.ty(Type::I64));
            let Some(buffer) = memory::buffer(u.space) else {
                let words = memory::words(self.interface, u.space);
                if let Some(long) = long.filter(|_| u.space == Space::Shared) {
                    self.shared_views(word, long, words);
                    continue;
                }
                let array = self.module.array(word, words, None);
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
            if let Some(long) = long {
                let array = self.module.runtime_array(long, 8);
                let longs = block(&mut self.module, array);
                let view = self.module.variable(class(u.space, options), longs);
                bind(&mut self.module, view, options.place(self.interface.stage, buffer));
                self.aliased(u.space, id, view);
            }
        }
        Ok(())
    }

    /// Workgroup memory as words, and the same memory as 64-bit words.
    fn shared_views(&mut self, word: Id, long: Id, words: u32) {
        self.module.extension("SPV_KHR_workgroup_memory_explicit_layout");
        self.module.capability(Capability::WorkgroupMemoryExplicitLayoutKHR);
        let views = [(word, words, 4), (long, words.div_ceil(2), 8)].map(|(of, length, stride)| {
            let array = self.module.array(of, length, Some(stride));
            let view = block(&mut self.module, array);
            self.module.variable(StorageClass::Workgroup, view)
        });
        self.module.name(views[0], "shared");
        self.memory.push((Space::Shared, views[0]));
        self.aliased(Space::Shared, views[0], views[1]);
    }

    /// Notes the 64-bit view of a space.
    fn aliased(&mut self, space: Space, words: Id, longs: Id) {
        let name = match space {
            Space::Shared => "shared_longs".to_owned(),
            Space::Buffer(n) => format!("buffer{n}_longs"),
            _ => "global_longs".to_owned(),
        };
        self.module.name(longs, &name);
        for view in [words, longs] {
            self.module.decorate(view, Decoration::Aliased, &[]);
        }
        self.longs.push((space, longs));
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
        let is_block = memory::buffer(space).is_some() || self.longs.iter().any(|m| m.0 == space);
        if !is_block {
            return Ok(self.raw(Op::AccessChain, pointer, &[variable, index]));
        }
        let member = self.module.u32(0);
        Ok(self.raw(Op::AccessChain, pointer, &[variable, member, index]))
    }

    /// A pointer to the 64-bit word at a byte address, in the second view of a space.
    fn long(&mut self, space: Space, address: Value) -> Result<Id, Refusal> {
        let variable = self.longs.iter().find(|m| m.0 == space).map(|m| m.1);
        let variable = variable.ok_or(Refusal::Invalid("a space of memory does not exist"))?;
        if self.type_of(address)? != Type::I32 {
            return Err(Refusal::Unsupported("an address of 64 bits"));
        }
        let (address, three, member) = (self.id(address)?, self.module.u32(3), self.module.u32(0));
        let index = self.value(Op::ShiftRightLogical, Type::I32, &[address, three]);
        let of = self.module.ty(Type::I64);
        let pointer = self.module.pointer(class(space, self.options), of);
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

    /// [`shisa_ir::Op::Store`]. A lane that was killed and continues as a helper changes no buffer.
    pub(super) fn store(&mut self, space: Space, address: Value, value: Value) -> Result<(), Refusal> {
        if self.is_patch(space) {
            return self.store_patch(address, value);
        }
        let ty = self.type_of(value)?;
        let at = self.word(space, address, ty.scalar)?;
        let value = self.id(value)?;
        let mut words = [[0; 2]; 4];
        for (i, word) in (0..ty.count).zip(&mut words) {
            let part = self.gather(&[(value, ty, i)], ty.with_count(1))?;
            *word = [self.pointer(at, i)?, self.bits(ty.with_count(1), Type::I32, part)];
        }
        let words = &words[..usize::from(ty.count.min(4))];
        let store = |w: &mut Self| words.iter().for_each(|word| w.effect(Op::Store, word));
        match memory::buffer(space) {
            Some(_) => self.unless_killed(store),
            // Nothing else sees it.
            None => store(self),
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
        let ty = self.type_of(value)?;
        let place = match ty {
            Type::I64 => self.long(space, address)?,
            _ => {
                let at = self.word(space, address, ty.scalar)?;
                self.pointer(at, 0)?
            }
        };
        let scope = if space == Space::Shared { Scope::Workgroup } else { Scope::Device };
        let (value, expected) = (self.id(value)?, self.id(expected)?);
        self.change(op, (place, scope), ty, (value, expected))
    }

    /// Changes what a pointer points to atomically, unless the lane was killed and continues as a helper.
    pub(super) fn change(
        &mut self,
        op: Atomic,
        (place, scope): (Id, Scope),
        ty: Type,
        (value, expected): (Id, Id),
    ) -> Result<Id, Refusal> {
        if ty == Type::I64 {
            self.module.capability(Capability::Int64Atomics);
        }
        let (scope, relaxed) = (self.module.u32(scope as u32), self.module.u32(0));
        let mut operands = vec![place, scope, relaxed, value];
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
                operands.splice(3.., [relaxed, value, expected]);
                Op::AtomicCompareExchange
            }
        };
        let Killing::Flag(_) = self.killing else { return Ok(self.value(operation, ty, &operands)) };
        let (of, zero) = (self.module.ty(ty), self.module.constant(ty, 0));
        let old = self.local(of, zero);
        self.unless_killed(|w| {
            let found = w.value(operation, ty, &operands);
            w.effect(Op::Store, &[old, found]);
        });
        Ok(self.value(Op::Load, ty, &[old]))
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
