//! Facts about a decoded instruction, computed from its row and lift alone.

use crate::{Insn, Isa, lift};
use shisa_diag::Diagnostic;
use shisa_ir::{Control, FileId, Lifted, Mask, Node, Op, Reg, Space, Value};

/// A register access of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The first unit.
    pub reg: Reg,
    /// For vector registers, the accessed components, counted from `reg` in steps of `units` units.
    pub components: Mask,
    /// Units of one component.
    pub units: u8,
    /// Whether the access may be to any register of the file (an indexed access).
    pub indexed: bool,
}

/// A memory access of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The memory space.
    pub space: Space,
    /// Number of bytes read or written.
    pub bytes: u32,
    /// Whether it is a store.
    pub store: bool,
}

/// The facts about one instruction. They are stored in a scratch program that is reused: a query does not allocate once
/// the scratch program has grown.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    scratch: &'a Lifted,
}

impl<'a> Facts<'a> {
    /// Lifts an instruction at `pc` into the scratch program.
    ///
    /// # Errors
    /// The error with which the row refuses these operands.
    pub fn of<I: Isa>(
        scratch: &'a mut Lifted,
        insn: Insn<I>,
        ctx: I::Ctx<'_>,
        pc: u32,
        next: u32,
    ) -> Result<Self, Diagnostic> {
        scratch.nodes.list.clear();
        scratch.nodes.textures.clear();
        scratch.steps.clear();
        lift(scratch, insn, ctx, pc, next)?;
        Ok(Facts { scratch })
    }

    fn nodes(&self) -> impl Iterator<Item = &'a Node> + use<'a> {
        self.scratch.nodes.list.iter()
    }

    fn units(&self, file: FileId, bits: u8) -> u8 {
        let unit = self.scratch.files.get(usize::from(file.0)).map_or(32, |f| f.unit_bits);
        bits.div_ceil(unit.max(1)).max(1)
    }

    /// The registers that are read.
    pub fn reads(&self) -> impl Iterator<Item = Access> + use<'a> {
        let facts = *self;
        self.nodes().filter_map(move |n| {
            let picked =
                |swizzle: shisa_ir::Swizzle| Mask((0..n.ty.count).fold(0, |m, i| m | 1 << swizzle.get(i)));
            let bits = n.ty.scalar.bits();
            match n.op {
                Op::Read { reg, swizzle } => Some(Access {
                    reg,
                    components: picked(swizzle),
                    units: facts.units(reg.file, bits),
                    indexed: false,
                }),
                Op::ReadAt { file, base, swizzle, .. } => Some(Access {
                    reg: Reg::new(file, base),
                    components: picked(swizzle),
                    units: facts.units(file, bits),
                    indexed: true,
                }),
                _ => None,
            }
        })
    }

    /// The registers that are written.
    pub fn writes(&self) -> impl Iterator<Item = Access> + use<'a> {
        let facts = *self;
        self.nodes().filter_map(move |n| match n.op {
            Op::Write { reg, mask, value } => Some(Access {
                reg,
                components: mask,
                units: facts.units(reg.file, facts.bits(value)),
                indexed: false,
            }),
            _ => None,
        })
    }

    fn bits(&self, v: Value) -> u8 {
        self.scratch.nodes.list.get(v.index()).map_or(32, |n| n.ty.scalar.bits())
    }

    /// The memory accesses.
    pub fn memory(&self) -> impl Iterator<Item = Memory> + use<'a> {
        let facts = *self;
        self.nodes().filter_map(move |n| match n.op {
            Op::Load { space, .. } => {
                Some(Memory { space, bytes: bytes(n.ty.scalar.bits(), n.ty.count), store: false })
            }
            Op::Store { space, value, .. } | Op::Atomic { space, value, .. } => {
                let ty = facts.scratch.nodes.ty(value);
                Some(Memory { space, bytes: bytes(ty.scalar.bits(), ty.count), store: true })
            }
            _ => None,
        })
    }

    /// The control operation; its condition, if any, is a value of the scratch program.
    pub fn flow(&self) -> Control {
        self.scratch.steps.first().map_or_else(Control::default, |s| s.control)
    }

    /// Whether the instruction uses the texture unit.
    pub fn samples(&self) -> bool {
        !self.scratch.nodes.textures.is_empty()
    }
}

fn bytes(bits: u8, count: u8) -> u32 {
    u32::from(bits).div_ceil(8) * u32::from(count)
}
