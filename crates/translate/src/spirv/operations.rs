//! Writes the operations of the program, one after the other.

use super::module::Id;
use super::writer::{Killing, Refusal, Writer};
use crate::SpirvVersion;
use shisa_ir::{Node, Op as IrOp, Scalar, Stage, Ternary, Type, Value};
use spirv::{Capability, Op};

impl Writer<'_> {
    /// Writes the operation that makes `v`.
    pub(super) fn operation(&mut self, v: Value) -> Result<(), Refusal> {
        let node = self.node(v)?;
        if self.is_hoisted(v) {
            return Ok(());
        }
        let before = self.module.last();
        let id = match node.op {
            // Constants are declared at their uses.
            IrOp::Const(_) => return Ok(()),
            IrOp::Param => return Err(Refusal::Invalid("a block parameter among operations")),
            IrOp::Write { reg, mask, value } => return self.write(reg, mask, value),
            IrOp::Kill { .. } if self.program.interface.stage != Stage::Fragment => {
                return Err(Refusal::Unsupported("killing lanes outside of fragment programs"));
            }
            IrOp::Kill { cond } => return self.kill(cond),
            IrOp::Store { space, address, value } => return self.store(space, address, value),
            IrOp::TextureStore(number) => return self.store_texel(number),
            IrOp::Emit if self.emission.is_some() => {
                self.emit_vertex();
                return Ok(());
            }
            IrOp::EmitVertex { cond, stream, .. } if self.has_strips() => {
                return self.emit_in_strip(cond, stream);
            }
            IrOp::EndStrip { cond, .. } if self.has_strips() => return self.end_strip(cond),
            IrOp::SetEmit { .. } | IrOp::Emit | IrOp::EmitVertex { .. } | IrOp::EndStrip { .. } => {
                return Err(Refusal::Unsupported("a geometry stage"));
            }
            IrOp::Barrier | IrOp::Arrive { .. } => return self.barrier(),
            _ => self.made(v, &node)?,
        };
        self.define(v, id);
        let carrier = self.carriers.get(v.index()).copied().unwrap_or(0);
        if carrier != 0 {
            self.effect(Op::Store, &[carrier, id]);
        }
        let name = self.program.source.get(node.origin as usize).map_or("", |s| s.result);
        // Readers look for the last value that an instruction makes; a plain copy makes none.
        if id > before
            && !name.is_empty()
            && self.func.nodes.list.get(v.index() + 1).is_none_or(|n| n.origin != node.origin)
        {
            self.module.name(id, name);
        }
        Ok(())
    }

    /// The result of an operation that only yields a value.
    fn made(&mut self, v: Value, node: &Node) -> Result<Id, Refusal> {
        let ty = node.ty;
        match node.op {
            IrOp::Read { reg, swizzle } => self.read(reg, swizzle, ty),
            IrOp::ReadAt { file, base, stride, index, swizzle } => {
                self.read_at(file, (base, stride), index, swizzle, ty)
            }
            IrOp::Unary { op, rule, a } => {
                let a = self.id(a)?;
                if ty.scalar.is_float() {
                    self.float_unary(op, rule, ty, a)
                } else {
                    self.integer_unary(op, ty, a)
                }
            }
            IrOp::Binary { op, rule, a, b } => {
                let operands = self.type_of(a)?;
                if operands.scalar.is_float() {
                    self.float_binary(op, rule, operands, (a, b))
                } else {
                    self.integer_binary(op, operands, (a, b))
                }
            }
            IrOp::Ternary { op: Ternary::Fma, rule, a, b, c } => self.float_fma(rule, ty, (a, b, c)),
            IrOp::Ternary { op: Ternary::Select, rule: _, a, b, c } => self.select(ty, (a, b, c)),
            IrOp::Convert { op, rule, a } => {
                let from = self.type_of(a)?;
                let a = self.id(a)?;
                self.convert(op, rule, (from, ty), a)
            }
            IrOp::Swizzle { a, swizzle } => {
                let from = self.type_of(a)?;
                let a = self.id(a)?;
                let parts: [_; 4] = core::array::from_fn(|i| (a, from, swizzle.get(i as u8)));
                self.gather(&parts[..usize::from(ty.count.min(4))], ty)
            }
            IrOp::Join { parts } => {
                let mut ids = [0; 4];
                for (slot, part) in ids.iter_mut().zip(parts).take(usize::from(ty.count)) {
                    *slot = self.id(part)?;
                }
                Ok(match ty.count {
                    0 | 1 => ids[0],
                    n => self.value(Op::CompositeConstruct, ty, &ids[..usize::from(n.min(4))]),
                })
            }
            IrOp::TextureAtomic(number) => self.change_texel(number, ty),
            IrOp::Texture(number) => self.texture(number, v, ty),
            IrOp::Derivative { axis, a } => {
                let a = self.id(a)?;
                self.derivative(axis, ty, a)
            }
            IrOp::Lane { op, a, b } => self.lane(op, ty, a, b),
            IrOp::Combine { .. } => Err(Refusal::Unsupported("an exchange between lanes")),
            IrOp::Atomic { op, space, address, value, expected } => {
                self.atomic(op, (space, address), value, expected)
            }
            IrOp::Load { space, address } => self.load(space, address, ty),
            _ => Err(Refusal::Invalid("an operation without a value is used as one")),
        }
    }

    fn select(&mut self, ty: Type, (a, b, c): (Value, Value, Value)) -> Result<Id, Refusal> {
        let count = self.type_of(a)?.count;
        let (mut a, b, c) = (self.id(a)?, self.id(b)?, self.id(c)?);
        // Before version 1.4 the condition must have as many components as the result.
        if count < ty.count && self.version < SpirvVersion::V1_4 {
            let conditions = [a; 4];
            a = self.value(
                Op::CompositeConstruct,
                Scalar::I1.by(ty.count),
                &conditions[..usize::from(ty.count.min(4))],
            );
        }
        Ok(self.value(Op::Select, ty, &[a, b, c]))
    }

    /// Killed lanes continue as helpers: demoted if the version has that, else a flag ends them at the end.
    fn kill(&mut self, cond: Value) -> Result<(), Refusal> {
        let cond = self.id(cond)?;
        match self.killing {
            Killing::Never => return Err(Refusal::Invalid("a kill that the survey did not find")),
            Killing::Flag(flag) => {
                let before = self.value(Op::Load, Type::BOOL, &[flag]);
                let killed = self.value(Op::LogicalOr, Type::BOOL, &[before, cond]);
                self.effect(Op::Store, &[flag, killed]);
            }
            Killing::Demote => {
                self.module.capability(Capability::DemoteToHelperInvocation);
                let (demote, merge) = (self.module.id(), self.module.id());
                self.effect(Op::SelectionMerge, &[merge, 0]);
                self.effect(Op::BranchConditional, &[cond, demote, merge]);
                self.label(demote);
                self.effect(Op::DemoteToHelperInvocation, &[]);
                self.effect(Op::Branch, &[merge]);
                self.label(merge);
            }
        }
        Ok(())
    }
}
