//! Registers: components assembled from units, and split into units.

use super::micro::Micro;
use super::planes::{PlaneId, RegisterSpan, Wide, ZERO};
use super::planner::{Checked, Planner, malformed, units};
use crate::loops::moves;
use shisa_ir::{File, FileId, FileKind, Node, Reg, Scalar};

impl Planner<'_> {
    /// The file of a register access; a written file must be writable.
    fn file(&self, node: &Node, file: FileId, written: bool) -> Checked<&'static File> {
        let file = self.layout.file(file).ok_or_else(|| malformed(node, "there is no such register file"))?;
        if !matches!(file.unit_bits, 1 | 16 | 32) {
            return Err(malformed(node, "register units have 1, 16 or 32 bits"));
        }
        if written && matches!(file.kind, FileKind::Input | FileKind::Uniform) {
            return Err(malformed(node, "the register file is read-only"));
        }
        Ok(file)
    }

    /// The planes of component `component` of a register.
    fn span(
        &self,
        node: &Node,
        file: &File,
        reg: Reg,
        component: u8,
        scalar: Scalar,
    ) -> Checked<RegisterSpan> {
        let n = units(file, scalar);
        let unit = u16::from(component).checked_mul(n).and_then(|by| reg.unit.checked_add(by));
        let span = unit.and_then(|unit| self.layout.span(Reg::new(reg.file, unit), n));
        span.ok_or_else(|| malformed(node, "the register is outside of its file"))
    }

    pub(super) fn read(&mut self, node: &Node, reg: Reg, component: u8, copy: bool) -> Checked<Wide> {
        let file = self.file(node, reg.file, false)?;
        let span = self.span(node, file, reg, component, node.ty.scalar)?;
        let mut parts = Vec::with_capacity(span.len() as usize);
        for unit in span.iter() {
            parts.push(if copy { self.run1(moves::COPY, unit.into()) } else { unit.into() });
        }
        Ok(self.assemble(file, node.ty.scalar, &parts))
    }

    pub(super) fn read_at(
        &mut self,
        node: &Node,
        file: FileId,
        (base, stride, index): (u16, u8, PlaneId),
        component: u8,
    ) -> Checked<Wide> {
        let number = file;
        let file = self.file(node, number, false)?;
        let whole = self.layout.whole(number).ok_or_else(|| malformed(node, "the file has no units"))?;
        let n = units(file, node.ty.scalar);
        let mut parts = Vec::with_capacity(usize::from(n));
        for k in 0..n {
            let offset = u32::from(base) + u32::from(component) * u32::from(n) + u32::from(k);
            let dst = self.alloc(1);
            self.ops.push(Micro::Gather { dst, file: whole, offset, stride: stride.into(), index });
            parts.push(dst.into());
        }
        Ok(self.assemble(file, node.ty.scalar, &parts))
    }

    /// Assembles a component from its units, the lowest first.
    fn assemble(&mut self, file: &File, scalar: Scalar, parts: &[PlaneId]) -> Wide {
        let mut out = [ZERO; 2];
        for (k, &part) in parts.iter().enumerate() {
            let bit = k * usize::from(file.unit_bits);
            let (half, shift) = (bit / 32, (bit % 32) as u8);
            let Some(slot) = out.get_mut(half) else { break };
            let so_far = *slot;
            let joined = if shift == 0 { part } else { self.run2(moves::insert(shift), so_far, part) };
            out[half] = joined;
        }
        if scalar.bits() < file.unit_bits {
            let bits = scalar.bits();
            out[0] = self.run1(moves::extract(0, bits), out[0]);
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
        let file = self.file(node, reg.file, true)?;
        let span = self.span(node, file, reg, component, scalar)?;
        let regs: Vec<_> = span.iter().collect();
        if let (16, (pairs, [])) = (file.unit_bits, regs.as_chunks::<2>()) {
            for (&regs, src) in pairs.iter().zip(value) {
                self.ops.push(Micro::WriteHalves { regs, src });
            }
            return Ok(());
        }
        for (k, &reg) in (0..).zip(&regs) {
            let bit = k * u32::from(file.unit_bits);
            let src = value[(bit / 32) as usize & 1];
            let bits = file.unit_bits.min(scalar.bits());
            let whole = bits == 32 || (regs.len() == 1 && bits == scalar.bits());
            let src = if whole { src } else { self.run1(moves::extract((bit % 32) as u8, bits), src) };
            self.ops.push(Micro::Write { reg, src });
        }
        Ok(())
    }
}
