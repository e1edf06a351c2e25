//! Registers: components put together from units, and taken apart.

use super::{Checked, Planner, malformed, units};
use crate::micro::{Fast, Micro, P, Wide, ZERO};
use core::ops::Range;
use shisa_ir::{File, FileId, FileKind, Node, Reg, Scalar};

impl Planner<'_> {
    /// The file of a register access; written ones must be writable.
    pub(super) fn file(&self, node: &Node, file: FileId, written: bool) -> Checked<(&'static File, P)> {
        let (file, first) =
            self.layout.file(file).ok_or_else(|| malformed(node, "there is no such register file"))?;
        if !matches!(file.unit_bits, 1 | 16 | 32) {
            return Err(malformed(node, "register units have 1, 16 or 32 bits"));
        }
        if written && matches!(file.kind, FileKind::Input | FileKind::Uniform) {
            return Err(malformed(node, "the register file is never written"));
        }
        Ok((file, first))
    }

    /// The planes of component `component` of a register.
    pub(super) fn span(
        &self,
        node: &Node,
        file: &File,
        reg: Reg,
        component: u8,
        scalar: Scalar,
    ) -> Checked<Range<P>> {
        let n = units(file, scalar);
        let unit = u16::from(component).checked_mul(n).and_then(|by| reg.unit.checked_add(by));
        let last = unit.and_then(|unit| unit.checked_add(n - 1));
        let plane = |unit: Option<u16>| self.layout.plane(Reg::new(reg.file, unit?));
        match (plane(unit), plane(last)) {
            (Some(first), Some(last)) => Ok(first..last + 1),
            _ => Err(malformed(node, "the register is not in its file")),
        }
    }

    pub(super) fn read(&mut self, node: &Node, reg: Reg, component: u8, copy: bool) -> Checked<Wide> {
        let (file, _) = self.file(node, reg.file, false)?;
        let span = self.span(node, file, reg, component, node.ty.scalar)?;
        let mut parts = Vec::with_capacity(span.len());
        for plane in span {
            parts.push(if copy { self.fast(Fast::Copy, [plane, ZERO, ZERO]) } else { plane });
        }
        Ok(self.assemble(file, node.ty.scalar, &parts))
    }

    pub(super) fn read_at(
        &mut self,
        node: &Node,
        file: FileId,
        (base, stride, index): (u16, u8, P),
        component: u8,
    ) -> Checked<Wide> {
        let (file, first) = self.file(node, file, false)?;
        let n = units(file, node.ty.scalar);
        let mut parts = Vec::with_capacity(usize::from(n));
        for k in 0..n {
            let offset = u32::from(base) + u32::from(component) * u32::from(n) + u32::from(k);
            let dst = self.alloc(1);
            let (units, stride) = (u32::from(file.units), u32::from(stride));
            self.ops.push(Micro::Gather { dst, first, units, offset, stride, index });
            parts.push(dst);
        }
        Ok(self.assemble(file, node.ty.scalar, &parts))
    }

    /// Puts a component together from its units, the lowest first.
    pub(super) fn assemble(&mut self, file: &File, scalar: Scalar, parts: &[P]) -> Wide {
        let mut out = [ZERO; 2];
        for (k, &part) in parts.iter().enumerate() {
            let bit = k * usize::from(file.unit_bits);
            let (half, shift) = (bit / 32, (bit % 32) as u8);
            let Some(slot) = out.get_mut(half) else { break };
            let so_far = *slot;
            let joined =
                if shift == 0 { part } else { self.fast(Fast::Insert { shift }, [so_far, part, ZERO]) };
            out[half] = joined;
        }
        if scalar.bits() < file.unit_bits {
            let bits = scalar.bits();
            out[0] = self.fast(Fast::Extract { shift: 0, bits }, [out[0], ZERO, ZERO]);
        }
        out
    }

    pub(super) fn write(
        &mut self,
        node: &Node,
        reg: Reg,
        component: u8,
        scalar: Scalar,
        value: Wide,
    ) -> Checked<()> {
        let (file, _) = self.file(node, reg.file, true)?;
        let Range { start, end } = self.span(node, file, reg, component, scalar)?;
        let n = end - start;
        if file.unit_bits == 16 && n % 2 == 0 {
            for (word, k) in value.into_iter().zip((0..n).step_by(2)) {
                self.ops.push(Micro::WriteHalves { reg: start + k, src: word });
            }
            return Ok(());
        }
        for k in 0..n {
            let bit = k * P::from(file.unit_bits);
            let src = value[(bit / 32) as usize & 1];
            let bits = file.unit_bits.min(scalar.bits());
            let whole = bits == 32 || (n == 1 && bits == scalar.bits());
            let shift = (bit % 32) as u8;
            let src = if whole { src } else { self.fast(Fast::Extract { shift, bits }, [src, ZERO, ZERO]) };
            self.ops.push(Micro::Write { reg: start + k, src });
        }
        Ok(())
    }
}
