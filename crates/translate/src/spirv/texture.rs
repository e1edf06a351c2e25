//! Texture operations and derivatives.

use super::convergence::Convergence;
use super::module::Id;
use super::writer::{Refusal, Writer};
use shisa_ir::{Axis, Dim, Lod, Scalar, TexOp, Type, Value};
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
    pub(super) fn texture(&mut self, number: u32, v: Value, ty: Type) -> Result<Id, Refusal> {
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
        let (operation, kind, operands) = self.level(&op, v)?;
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
    ///
    /// The bias of the sampler state is part of the code, for computed levels only. A sampler without mip
    /// filter means level 0; so does an implicit level where there are no neighbours.
    fn level(&mut self, op: &TexOp, v: Value) -> Result<(Op, ImageOperands, [Id; 2]), Refusal> {
        use ImageOperands as I;
        let (implicit, explicit) = (Op::ImageSampleImplicitLod, Op::ImageSampleExplicitLod);
        if op.sampler.is_some_and(|s| s.mip.is_none()) {
            return Ok((explicit, I::LOD, [self.module.constant(Type::F32, 0), 0]));
        }
        let eighths = op.sampler.map_or(0, |s| s.bias_eighths);
        let bias = match op.lod {
            Lod::Level(value) => return Ok((explicit, I::LOD, [self.id(value)?, 0])),
            Lod::Bias(value) => Some(self.biased(value, eighths)?),
            _ if eighths == 0 => None,
            _ => Some(self.eighths(eighths)),
        };
        if let Lod::Gradient(x, y) = op.lod {
            let gradient = [self.id(x)?, self.id(y)?];
            return Ok((explicit, I::GRAD, self.scaled_gradient(op.dim, gradient, bias)));
        }
        if self.kernel && self.interface.stage == shisa_ir::Stage::Fragment {
            return Err(Refusal::ComputeLod);
        }
        if !self.quads {
            return Ok((explicit, I::LOD, [self.module.constant(Type::F32, 0), 0]));
        }
        let made = self.gradients.binary_search_by_key(&v, |g| g.0).ok().and_then(|i| self.gradients.get(i));
        if let Some(&(_, gradient)) = made {
            return Ok((explicit, I::GRAD, self.scaled_gradient(op.dim, gradient, bias)));
        }
        Ok(bias.map_or((implicit, I::NONE, [0; 2]), |bias| (implicit, I::BIAS, [bias, 0])))
    }

    /// A bias of b levels scales derivatives by 2^b.
    fn scaled_gradient(&mut self, dim: Dim, gradient: [Id; 2], bias: Option<Id>) -> [Id; 2] {
        let Some(bias) = bias else { return gradient };
        let ty = Scalar::F32.by(dim.coordinates());
        let scale = self.glsl(spirv::GlslStd450Op::Exp2, Type::F32, &[bias]);
        gradient.map(|g| self.value(Op::VectorTimesScalar, ty, &[g, scale]))
    }

    fn eighths(&mut self, n: i8) -> Id {
        self.module.constant(Type::F32, u64::from((f32::from(n) / 8.0).to_bits()))
    }

    fn biased(&mut self, value: Value, eighths: i8) -> Result<Id, Refusal> {
        let value = self.id(value)?;
        if eighths == 0 {
            return Ok(value);
        }
        let bias = self.eighths(eighths);
        Ok(self.value(Op::FAdd, Type::F32, &[value, bias]))
    }

    /// Makes at the start of the function what must not wait until lanes are apart.
    pub(super) fn hoist(&mut self, convergence: &Convergence) -> Result<(), (Refusal, u32)> {
        for &v in &convergence.hoisted {
            let origin = self.node(v).map_or(0, |n| n.origin);
            self.operation(v).map_err(|r| (r, origin))?;
        }
        for &v in &convergence.gradients {
            let texture = match self.node(v).map(|n| n.op) {
                Ok(shisa_ir::Op::Texture(t)) => self.func.nodes.textures.get(t as usize).copied(),
                _ => None,
            };
            let Some(texture) = texture else { continue };
            let ty = Scalar::F32.by(texture.dim.coordinates());
            let origin = self.node(v).map_or(0, |n| n.origin);
            let [x, y] = [Axis::X, Axis::Y].map(|axis| {
                let coordinate = self.id(texture.coord)?;
                self.derivative(axis, ty, coordinate)
            });
            let at = |r| (r, origin);
            self.gradients.push((v, [x.map_err(at)?, y.map_err(at)?]));
        }
        // Blocks leave these out from now on.
        self.hoisted.clone_from(&convergence.is_hoisted);
        Ok(())
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
