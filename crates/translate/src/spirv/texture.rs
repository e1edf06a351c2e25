//! Texture operations and derivatives.

use super::module::Id;
use super::writer::{Refusal, Writer};
use shisa_ir::{Axis, Dim, Lod, Scalar, TexOp, Type};
use spirv::{Capability, ImageOperands, Op};

/// The shape in SPIR-V's terms.
pub(super) const fn dim(dim: Dim) -> spirv::Dim {
    match dim {
        Dim::D2 => spirv::Dim::Dim2D,
        Dim::Cube => spirv::Dim::DimCube,
        Dim::D3 => spirv::Dim::Dim3D,
    }
}

impl Writer<'_> {
    /// Samples a texture; the result has four components.
    pub(super) fn texture(&mut self, number: u32, ty: Type) -> Result<Id, Refusal> {
        let textures = &self.func.nodes.textures;
        let Some(op) = textures.get(number as usize).copied() else {
            return Err(Refusal::Invalid("a texture operation does not exist"));
        };
        let texture = self.textures.iter().copied().find(|t| t.unit == op.unit && t.dim == op.dim);
        let Some(texture) = texture else {
            return Err(Refusal::Invalid("it samples a texture outside its interface"));
        };
        if ty.scalar != Scalar::F32 || ty.count != 4 {
            return Err(Refusal::Unsupported("a texture of anything but 32-bit floats"));
        }
        let coordinate = self.id(op.coord)?;
        let (operation, kind, operands) = self.level(&op)?;
        let image_type = self.module.image(dim(op.dim));
        let sampler_type = self.module.sampler();
        let image = self.raw(Op::Load, image_type, &[texture.image]);
        let sampler = self.raw(Op::Load, sampler_type, &[texture.sampler]);
        let both = self.module.sampled_image(image_type);
        let both = self.raw(Op::SampledImage, both, &[image, sampler]);
        let mut list = [both, coordinate, kind.bits(), 0, 0];
        let mut length = 3;
        for (slot, &operand) in list.iter_mut().skip(3).zip(&operands) {
            if operand != 0 {
                *slot = operand;
                length += 1;
            }
        }
        let length = if kind.is_empty() { 2 } else { length };
        Ok(self.value(operation, ty, &list[..length]))
    }

    /// Instruction, image operands and their ids (0 for none) that choose the level of detail.
    fn level(&mut self, op: &TexOp) -> Result<(Op, ImageOperands, [Id; 2]), Refusal> {
        use ImageOperands as I;
        let (implicit, explicit) = (Op::ImageSampleImplicitLod, Op::ImageSampleExplicitLod);
        let bias = op.sampler.map_or(0, |s| s.bias_eighths);
        let mip = op.sampler.is_none_or(|s| s.mip.is_some());
        Ok(match op.lod {
            Lod::Implicit | Lod::Bias(_) if !self.quads => {
                if self.kernel && mip && self.interface.stage == shisa_ir::Stage::Fragment {
                    return Err(Refusal::ComputeDerivative);
                }
                (explicit, I::LOD, [self.module.constant(Type::F32, 0), 0])
            }
            Lod::Implicit if bias == 0 => (implicit, I::NONE, [0; 2]),
            Lod::Implicit => (implicit, I::BIAS, [self.eighths(bias), 0]),
            Lod::Bias(value) => (implicit, I::BIAS, [self.biased(value, bias)?, 0]),
            Lod::Level(value) => (explicit, I::LOD, [self.id(value)?, 0]),
            Lod::Gradient(x, y) => (explicit, I::GRAD, [self.id(x)?, self.id(y)?]),
        })
    }

    fn eighths(&mut self, n: i8) -> Id {
        self.module.constant(Type::F32, u64::from((f32::from(n) / 8.0).to_bits()))
    }

    fn biased(&mut self, value: shisa_ir::Value, eighths: i8) -> Result<Id, Refusal> {
        let value = self.id(value)?;
        if eighths == 0 {
            return Ok(value);
        }
        let bias = self.eighths(eighths);
        Ok(self.value(Op::FAdd, Type::F32, &[value, bias]))
    }

    /// Right minus left, or lower minus upper row, of this lane's pair within the quad.
    pub(super) fn derivative(&mut self, axis: Axis, ty: Type, a: Id) -> Result<Id, Refusal> {
        if !self.quads {
            return Err(Refusal::ComputeDerivative);
        }
        if ty.scalar != Scalar::F32 {
            return Err(Refusal::Unsupported("a derivative of anything but 32-bit floats"));
        }
        self.module.capability(Capability::DerivativeControl);
        let op = match axis {
            Axis::X => Op::DPdxFine,
            Axis::Y => Op::DPdyFine,
        };
        Ok(self.value(op, ty, &[a]))
    }
}
