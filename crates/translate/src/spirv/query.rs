//! Queries of the properties of textures.

use super::module::Id;
use super::writer::{Refusal, TextureUnit, Writer};
use shisa_ir::{Dim, Scalar, TexKind, TexOp, Type};
use spirv::{Capability, Op};

impl Writer<'_> {
    /// The size of a level, or the number of samples.
    pub(super) fn query(&mut self, op: &TexOp, unit: TextureUnit) -> Result<Id, Refusal> {
        let four = Scalar::I32.by(4);
        let shape = unit.shape;
        self.module.capability(Capability::ImageQuery);
        let image = self.image(op, unit)?;
        let (zero, one) = (self.module.u32(0), self.module.u32(1));
        if op.kind == TexKind::Samples {
            let samples = match shape.multisampled {
                true => self.value(Op::ImageQuerySamples, Type::I32, &[image]),
                false => one,
            };
            return Ok(self.value(Op::CompositeConstruct, four, &[samples, zero, zero, zero]));
        }
        let one_level = shape.multisampled || unit.access.is_stored();
        let level = self.id(op.coord)?;
        let levels = match one_level {
            true => one,
            false => self.value(Op::ImageQueryLevels, Type::I32, &[image]),
        };
        let exists = self.value(Op::ULessThan, Type::BOOL, &[level, levels]);
        let level = self.value(Op::Select, Type::I32, &[exists, level, zero]);
        let extents = if shape.dim == Dim::Cube { 2 } else { shape.dim.coordinates() };
        let ty = Scalar::I32.by(extents + u8::from(shape.arrayed));
        let size = match one_level {
            true => self.value(Op::ImageQuerySize, ty, &[image]),
            false => self.value(Op::ImageQuerySizeLod, ty, &[image, level]),
        };
        let mut parts = [zero, zero, zero, levels];
        for (i, part) in (0..ty.count).zip(&mut parts) {
            let extent = self.gather(&[(size, ty, i)], Type::I32)?;
            *part = self.value(Op::Select, Type::I32, &[exists, extent, zero]);
        }
        Ok(self.value(Op::CompositeConstruct, four, &parts))
    }
}
