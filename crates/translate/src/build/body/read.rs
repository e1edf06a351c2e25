//! Reads of inputs and uniforms.

use super::state::{Body, Part};
use crate::syntax::{BinaryOp, Expr};
use shisa_ir::{File, FileId, FileKind, Reg, Scalar, Swizzle, Type, Value};

impl<'p> Body<'p, '_> {
    /// Components of an input or uniform register.
    pub(super) fn read(&mut self, reg: Reg, swizzle: Swizzle, ty: Type) -> Expr {
        let Some(file) = self.file(reg.file) else {
            return self.nothing("a register is read whose file does not exist");
        };
        let uniform = file.kind == FileKind::Uniform;
        if uniform && file.unit_bits == 1 {
            return self.read_bits(reg, swizzle, ty);
        }
        let kind = if uniform { carried(file) } else { self.input_scalar(reg, file) };
        let mut parts: [Option<Part>; 4] = [None; 4];
        for (i, part) in (0..ty.count.clamp(1, 4)).zip(&mut parts) {
            let unit = reg.unit.saturating_add(u16::from(swizzle.get(i)));
            let Some(found) = self.unit(Reg::new(reg.file, unit), uniform) else {
                return self.nothing("a register is read that no input or uniform array holds");
            };
            // Most registers are a vector, so that the other components need no search.
            if i == 0 && found.count == 4 && found.index == swizzle.get(0) {
                let vector = self.picked(found.base, 4, swizzle, ty.count);
                return self.reinterpret(vector, kind, ty.scalar);
            }
            *part = Some(found);
        }
        let whole = self.assemble(kind.by(ty.count), &parts[..usize::from(ty.count.clamp(1, 4))]);
        self.reinterpret(whole, kind, ty.scalar)
    }

    /// The vector that holds a unit of an input or uniform register, and the component within it.
    fn unit(&mut self, reg: Reg, uniform: bool) -> Option<Part> {
        if !uniform {
            return self.input(reg);
        }
        let array = self.uniform_array(reg.file)?;
        let base = self.uniform(array, usize::from(reg.unit / 4))?;
        Some(Part { base, index: (reg.unit % 4) as u8, count: 4 })
    }

    /// The kind of an input register.
    fn input_scalar(&self, reg: Reg, file: &File) -> Scalar {
        let holds = |io: &&shisa_ir::Io| {
            io.reg.file == reg.file
                && reg.unit.checked_sub(io.reg.unit).is_some_and(|n| n < u16::from(io.count))
        };
        self.program.interface.inputs.iter().find(holds).map_or(file.scalar, |io| io.scalar)
    }

    fn file(&self, file: FileId) -> Option<&'p File> {
        self.program.func.files.get(usize::from(file.0))
    }

    /// Components of a uniform register at a computed index.
    pub(super) fn read_at(
        &mut self,
        file: FileId,
        base: u16,
        stride: u8,
        index: Value,
        swizzle: Swizzle,
        ty: Type,
    ) -> Expr {
        let (Some(array), Some(from)) = (self.uniform_array(file), self.file(file)) else {
            return self.nothing("an array is read that is no uniform array");
        };
        let mut index = self.get(index);
        let kind = carried(from);
        let gathered = |body: &mut Self, vector: Expr| {
            let part = |i: usize| Some(Part { base: vector, index: swizzle.get(i as u8), count: 4 });
            let parts: [_; 4] = std::array::from_fn(part);
            let whole = body.assemble(kind.by(ty.count), &parts[..usize::from(ty.count.clamp(1, 4))]);
            body.reinterpret(whole, kind, ty.scalar)
        };
        if self.is_of_vertices(array) {
            let input = self.tables.vertices.get(usize::from(base / 4)).copied();
            let Some(input) = input.filter(|_| usize::from(stride) == 4 * self.tables.vertices.len()) else {
                return self.nothing("an input of a vertex is read that does not exist");
            };
            let pointer = self.element(input, index);
            let vector = self.draft.load(pointer);
            return gathered(self, vector);
        }
        if stride != 4 {
            let stride = self.u32(u32::from(stride / 4));
            index = self.mul(index, stride);
        }
        if base != 0 {
            let base = self.u32(u32::from(base / 4));
            index = self.add(index, base);
        }
        let vector = self.uniform_at(array, index);
        gathered(self, vector)
    }

    /// Single bits: bit n of an array, counted through its 32-bit words, is register unit n.
    fn read_bits(&mut self, reg: Reg, swizzle: Swizzle, ty: Type) -> Expr {
        let mut components = Vec::with_capacity(4);
        for i in 0..ty.count.clamp(1, 4) {
            let unit = reg.unit.saturating_add(u16::from(swizzle.get(i)));
            let array = self.uniform_array(reg.file);
            let Some(base) = array.and_then(|a| self.uniform(a, usize::from(unit / 128))) else {
                return self.nothing("a bit is read that no uniform array holds");
            };
            let word = self.member(base, u32::from(unit % 128 / 32));
            let (mask, zero) = (self.u32(1 << (unit % 32)), self.u32(0));
            let bit = self.binary(BinaryOp::And, word, mask);
            components.push(self.binary(BinaryOp::NotEqual, bit, zero));
        }
        self.compose(ty, &components)
    }
}

/// The kind that a uniform array's components have in the code.
fn carried(file: &File) -> Scalar {
    if file.scalar == Scalar::F32 { Scalar::F32 } else { Scalar::I32 }
}
