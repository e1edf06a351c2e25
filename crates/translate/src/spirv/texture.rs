//! Texture operations and derivatives.

use super::convergence::Convergence;
use super::module::Id;
use super::writer::{Killing, Refusal, TextureUnit, Writer};
use crate::texture::{self, TexelFormat, Unlisted};
use shisa_ir::{Axis, Dim, Lod, SamplerRef, Scalar, TexKind, TexOp, TextureAccess, TextureRef, Type, Value};
use spirv::{Capability, Decoration, ImageOperands, Op, Scope, StorageClass};

/// The image operands of an instruction, in the order of their bits in the mask.
struct Operands(Vec<(ImageOperands, Vec<Id>)>);

impl Operands {
    fn push(&mut self, operand: ImageOperands, ids: &[Id]) {
        let at = self.0.partition_point(|(other, _)| other.bits() < operand.bits());
        self.0.insert(at, (operand, ids.to_vec()));
    }
}

impl Writer<'_> {
    /// The type of a texture's variable.
    pub(super) fn image_type(&mut self, t: &shisa_ir::Texture) -> Id {
        let format = TexelFormat::of(t.access);
        let dim = match t.shape.dim {
            Dim::D1 if format.is_some() => self.needing(Capability::Image1D, spirv::Dim::Dim1D),
            Dim::D1 => self.needing(Capability::Sampled1D, spirv::Dim::Dim1D),
            Dim::D2 => spirv::Dim::Dim2D,
            Dim::Cube if t.shape.arrayed => self.needing(Capability::SampledCubeArray, spirv::Dim::DimCube),
            Dim::Cube => spirv::Dim::DimCube,
            Dim::D3 => spirv::Dim::Dim3D,
        };
        let compared = t.access == TextureAccess::Compared;
        let (use_, format) = match format {
            Some(format) => (2, self.image_format(format)),
            None => (1, spirv::ImageFormat::Unknown),
        };
        let flags = [compared, t.shape.arrayed, t.shape.multisampled].map(u32::from);
        self.module.image(t.texels, [dim as u32, flags[0], flags[1], flags[2], use_, format as u32])
    }

    /// The format of an image that is written or changed.
    fn image_format(&mut self, format: TexelFormat) -> spirv::ImageFormat {
        use spirv::ImageFormat as Format;
        let extended = Capability::StorageImageExtendedFormats;
        match format {
            TexelFormat::Rgba32Float => Format::Rgba32f,
            TexelFormat::R8Uint => self.needing(extended, Format::R8ui),
            TexelFormat::R16Uint => self.needing(extended, Format::R16ui),
            TexelFormat::R32Uint => Format::R32ui,
            TexelFormat::Rg32Uint => self.needing(extended, Format::Rg32ui),
            TexelFormat::Rgba32Uint => Format::Rgba32ui,
            TexelFormat::R64Uint => {
                self.module.extension("SPV_EXT_shader_image_int64");
                self.needing(Capability::Int64ImageEXT, Format::R64ui)
            }
        }
    }

    fn needing<T>(&mut self, capability: Capability, what: T) -> T {
        self.module.capability(capability);
        what
    }

    /// A texture operation and its variables; the sampler is 0 if the operation needs none.
    fn texture_of(&self, number: u32, result: Type) -> Result<(TexOp, TextureUnit, Id), Refusal> {
        let Some(op) = self.func.nodes.textures.get(number as usize).copied() else {
            return Err(Refusal::Invalid("a texture operation does not exist"));
        };
        let (listed, _) = texture::listed(self.program, &op, result).map_err(|fault| match fault {
            Unlisted::Interface(what) => Refusal::Invalid(what),
            Unlisted::Language(what) => Refusal::Unsupported(what),
        })?;
        if let Some(what) = texture::refused(&self.func.nodes, &op) {
            return Err(Refusal::Texture(what));
        }
        let unit = self.textures.iter().find(|t| t.unit == listed.unit && t.shape == listed.shape);
        let unit = *unit.ok_or(Refusal::Invalid("a texture is used that the interface does not name"))?;
        let separate = |number| self.samplers.iter().find(|s| s.0 == number).map_or(0, |s| s.1);
        let sampler = match op.sampler {
            SamplerRef::Unit(n) => separate(n),
            SamplerRef::Handle(_) if unit.sampler == 0 => separate(unit.unit),
            _ => unit.sampler,
        };
        Ok((op, unit, sampler))
    }

    /// A pointer to the image of an operation.
    fn image_pointer(&mut self, op: &TexOp, unit: TextureUnit) -> Result<Id, Refusal> {
        let TextureRef::Numbered(number) = op.texture else { return Ok(unit.image) };
        self.module.capability(match unit.access.is_stored() {
            true => Capability::StorageImageArrayNonUniformIndexing,
            false => Capability::SampledImageArrayNonUniformIndexing,
        });
        let number = self.id(number)?;
        Ok(self.element(unit.image, unit.ty, number))
    }

    /// A pointer to the sampler of an operation; `sampler` is its variable.
    fn sampler_pointer(&mut self, op: &TexOp, sampler: Id) -> Result<Id, Refusal> {
        let SamplerRef::Handle(number) = op.sampler else { return Ok(sampler) };
        let (number, ty) = (self.id(number)?, self.module.sampler());
        Ok(self.element(sampler, ty, number))
    }

    /// A pointer to an element, which may be another in each lane, of an array of images or samplers.
    fn element(&mut self, array: Id, ty: Id, index: Id) -> Id {
        self.module.capability(Capability::ShaderNonUniform);
        let pointer = self.module.pointer(StorageClass::UniformConstant, ty);
        let element = self.raw(Op::AccessChain, pointer, &[array, index]);
        self.module.decorate(element, Decoration::NonUniform, &[]);
        element
    }

    /// Loads an image or a sampler through a pointer, or joins both; what lanes may have different ones of is marked.
    fn descriptor(&mut self, op: &TexOp, operation: Op, ty: Id, operands: &[Id]) -> Id {
        let made = self.raw(operation, ty, operands);
        if matches!(op.texture, TextureRef::Numbered(_)) {
            self.module.decorate(made, Decoration::NonUniform, &[]);
        }
        made
    }

    /// The image of an operation.
    pub(super) fn image(&mut self, op: &TexOp, unit: TextureUnit) -> Result<Id, Refusal> {
        let pointer = self.image_pointer(op, unit)?;
        Ok(self.descriptor(op, Op::Load, unit.ty, &[pointer]))
    }

    /// Reads a texture; the result has four components.
    pub(super) fn texture(&mut self, number: u32, v: Value, ty: Type) -> Result<Id, Refusal> {
        let (op, unit, sampler) = self.texture_of(number, ty)?;
        if !matches!(ty.scalar, Scalar::F32 | Scalar::I32) || ty.count != 4 {
            return Err(Refusal::Unsupported("a texture of anything but 32-bit numbers"));
        }
        if op.is_query() {
            return self.query(&op, unit);
        }
        let coordinate = self.coordinate(&op)?;
        let (explicit, mut operands) = self.level(&op, v)?;
        if let Some(offset) = texture::offset(&self.func.nodes, &op) {
            let count = op.shape.dim.coordinates();
            operands.push(
                ImageOperands::CONST_OFFSET,
                &[self.module.signed_constants(&offset[..usize::from(count)])],
            );
        }
        if let Some(sample) = op.sample {
            operands.push(ImageOperands::SAMPLE, &[self.id(sample)?]);
        }
        let image = self.image(&op, unit)?;
        if op.kind == TexKind::Fetch {
            return Ok(self.image_operation(Op::ImageFetch, ty, &[image, coordinate], &operands));
        }
        if sampler == 0 {
            return Err(Refusal::Invalid("a sampler is used that the interface does not name"));
        }
        let sampler_type = self.module.sampler();
        let sampler = self.sampler_pointer(&op, sampler)?;
        let sampler = self.descriptor(&op, Op::Load, sampler_type, &[sampler]);
        let both = self.module.sampled_image(unit.ty);
        let both = self.descriptor(&op, Op::SampledImage, both, &[image, sampler]);
        let compare = op.compare.map(|c| self.id(c)).transpose()?;
        Ok(match (op.kind, compare) {
            (TexKind::Gather(component), None) => {
                let component = self.module.constant(Type::I32, component.into());
                self.image_operation(Op::ImageGather, ty, &[both, coordinate, component], &operands)
            }
            (TexKind::Gather(_), Some(c)) => {
                self.image_operation(Op::ImageDrefGather, ty, &[both, coordinate, c], &operands)
            }
            (TexKind::Detail, _) => {
                self.module.capability(Capability::ImageQuery);
                let two = ty.with_count(2);
                let detail = self.value(Op::ImageQueryLod, two, &[both, coordinate]);
                let none = self.module.constant(two, 0);
                self.value(Op::VectorShuffle, ty, &[detail, none, 0, 1, 2, 2])
            }
            (_, None) => {
                let name = if explicit { Op::ImageSampleExplicitLod } else { Op::ImageSampleImplicitLod };
                self.image_operation(name, ty, &[both, coordinate], &operands)
            }
            (_, Some(c)) => {
                let name = match explicit {
                    true => Op::ImageSampleDrefExplicitLod,
                    false => Op::ImageSampleDrefImplicitLod,
                };
                let one = self.image_operation(name, ty.with_count(1), &[both, coordinate, c], &operands);
                self.value(Op::CompositeConstruct, ty, &[one; 4])
            }
        })
    }

    fn image_operation(&mut self, op: Op, ty: Type, first: &[Id], operands: &Operands) -> Id {
        let mut list = first.to_vec();
        if !operands.0.is_empty() {
            list.push(operands.0.iter().fold(0, |mask, (operand, _)| mask | operand.bits()));
            list.extend(operands.0.iter().flat_map(|(_, ids)| ids));
        }
        self.value(op, ty, &list)
    }

    /// Writes a texel, unless the lane was killed and continues as a helper.
    pub(super) fn store_texel(&mut self, number: u32) -> Result<(), Refusal> {
        let (op, unit, _) = self.texture_of(number, Type::NONE)?;
        let value = match op.kind {
            TexKind::Store(value) => self.id(value)?,
            TexKind::Bits { value, .. } => {
                let (ty, zero) = (self.type_of(value)?, self.module.u32(0));
                let all = self.id(value)?;
                let mut parts = [zero; 4];
                for (i, part) in (0..ty.count).zip(&mut parts) {
                    *part = self.gather(&[(all, ty, i)], Type::I32)?;
                }
                self.value(Op::CompositeConstruct, Scalar::I32.by(4), &parts)
            }
            _ => return Err(Refusal::Invalid("a texture operation writes nothing")),
        };
        let coordinate = self.coordinate(&op)?;
        let image = self.image(&op, unit)?;
        self.unless_killed(|w| {
            w.effect(Op::ImageWrite, &[image, coordinate, value]);
        });
        Ok(())
    }

    /// Changes a texel atomically, unless the lane was killed and continues as a helper.
    pub(super) fn change_texel(&mut self, number: u32, ty: Type) -> Result<Id, Refusal> {
        let (op, unit, _) = self.texture_of(number, ty)?;
        let TexKind::Atomic { op: atomic, value, expected } = op.kind else {
            return Err(Refusal::Invalid("a texture operation changes nothing"));
        };
        let coordinate = self.coordinate(&op)?;
        let (value, expected) = (self.id(value)?, self.id(expected)?);
        let texel = self.module.ty(ty);
        let pointer = self.module.pointer(StorageClass::Image, texel);
        let sample = self.module.u32(0);
        let image = self.image_pointer(&op, unit)?;
        let place = self.descriptor(&op, Op::ImageTexelPointer, pointer, &[image, coordinate, sample]);
        self.change(atomic, (place, Scope::Device), ty, (value, expected))
    }

    /// Runs an effect unless the lane was killed and continues as a helper.
    pub(super) fn unless_killed(&mut self, effect: impl FnOnce(&mut Self)) {
        let Killing::Flag(flag) = self.killing else { return effect(self) };
        let killed = self.value(Op::Load, Type::BOOL, &[flag]);
        let (write, merge) = (self.module.id(), self.module.id());
        self.effect(Op::SelectionMerge, &[merge, 0]);
        self.effect(Op::BranchConditional, &[killed, merge, write]);
        self.label(write);
        effect(self);
        self.effect(Op::Branch, &[merge]);
        self.label(merge);
    }

    /// The coordinate followed by the layer, in the kind of the coordinate.
    fn coordinate(&mut self, op: &TexOp) -> Result<Id, Refusal> {
        let coordinate = self.id(op.coord)?;
        // A query of the level takes no layer.
        let Some(layer) = op.layer.filter(|_| op.kind != TexKind::Detail) else { return Ok(coordinate) };
        let mut layer = self.id(layer)?;
        let scalar = if op.is_exact() { Scalar::I32 } else { Scalar::F32 };
        if scalar == Scalar::F32 {
            layer = self.value(Op::ConvertUToF, Type::F32, &[layer]);
        }
        let ty = scalar.by(op.shape.dim.coordinates() + 1);
        Ok(self.value(Op::CompositeConstruct, ty, &[coordinate, layer]))
    }

    /// Whether the level of detail is explicit, and the image operands that select it.
    ///
    /// The bias of the sampler state is part of the code, for computed levels only. A sampler without mip filter
    /// samples level 0; so does an implicit level where lanes have no neighbours.
    fn level(&mut self, op: &TexOp, v: Value) -> Result<(bool, Operands), Refusal> {
        use ImageOperands as I;
        let mut operands = Operands(Vec::new());
        match (op.kind, op.lod) {
            (TexKind::Gather(_), _) => return Ok((true, operands)),
            (TexKind::Fetch, Lod::Level(level)) => {
                operands.push(I::LOD, &[self.id(level)?]);
                return Ok((true, operands));
            }
            (TexKind::Fetch, _) => return Ok((true, operands)),
            (TexKind::Detail, Lod::Bias(_)) => {
                return Err(Refusal::Texture("asking for a level with a bias"));
            }
            _ => {}
        }
        let zero = self.module.constant(Type::F32, 0);
        let state = op.sampler.state();
        if crate::texture::is_level_zero(op, self.options) || op.lod == Lod::Zero {
            operands.push(I::LOD, &[zero]);
            return Ok((true, operands));
        }
        let eighths = state.map_or(0, |s| s.bias_eighths);
        let bias = match op.lod {
            Lod::Level(value) => {
                operands.push(I::LOD, &[self.id(value)?]);
                return Ok((true, operands));
            }
            Lod::Bias(value) => Some(self.biased(value, eighths)?),
            _ if eighths == 0 => None,
            _ => Some(self.eighths(eighths)),
        };
        let made = self.gradients.binary_search_by_key(&v, |g| g.0).ok().and_then(|i| self.gradients.get(i));
        let mut gradient = made.map(|g| g.1);
        if let Lod::Gradient(x, y) = op.lod {
            gradient = Some([self.id(x)?, self.id(y)?]);
        } else if self.kernel && self.interface.stage == shisa_ir::Stage::Fragment {
            return Err(Refusal::ComputeLod);
        } else if !self.quads {
            if op.kind == TexKind::Detail {
                return Err(Refusal::ComputeLod);
            }
            operands.push(I::LOD, &[zero]);
            return Ok((true, operands));
        }
        match (gradient, bias) {
            (Some(gradient), bias) => {
                operands.push(I::GRAD, &self.scaled_gradient(op.shape.dim, gradient, bias));
            }
            (None, Some(bias)) => operands.push(I::BIAS, &[bias]),
            (None, None) => {}
        }
        if let Some(least) = op.least {
            self.module.capability(Capability::MinLod);
            let least = self.id(least)?;
            operands.push(I::MIN_LOD, &[least]);
        }
        Ok((gradient.is_some(), operands))
    }

    /// A bias of b levels scales derivatives by 2^b.
    fn scaled_gradient(&mut self, dim: Dim, gradient: [Id; 2], bias: Option<Id>) -> [Id; 2] {
        let Some(bias) = bias else { return gradient };
        let ty = Scalar::F32.by(dim.coordinates());
        let scale = self.glsl(spirv::GlslStd450Op::Exp2, Type::F32, &[bias]);
        let times = if ty.count > 1 { Op::VectorTimesScalar } else { Op::FMul };
        gradient.map(|g| self.value(times, ty, &[g, scale]))
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

    /// Computes at the start of the function what is not possible after lanes diverge.
    pub(super) fn hoist(&mut self, convergence: &Convergence) -> Result<(), (Refusal, u32)> {
        for &v in convergence.hoisted.order() {
            let origin = self.node(v).map_or(0, |n| n.origin);
            self.operation(v).map_err(|r| (r, origin))?;
        }
        for &v in &convergence.gradients {
            let texture = match self.node(v).map(|n| n.op) {
                Ok(shisa_ir::Op::Texture(t)) => self.func.nodes.textures.get(t as usize).copied(),
                _ => None,
            };
            let Some(texture) = texture else { continue };
            let ty = Scalar::F32.by(texture.shape.dim.coordinates());
            let origin = self.node(v).map_or(0, |n| n.origin);
            let [x, y] = [Axis::X, Axis::Y].map(|axis| {
                let coordinate = self.id(texture.coord)?;
                self.derivative(axis, ty, coordinate)
            });
            let at = |r| (r, origin);
            self.gradients.push((v, [x.map_err(at)?, y.map_err(at)?]));
        }
        // From here on, blocks skip these values.
        self.hoisted.clone_from(&convergence.hoisted);
        Ok(())
    }

    /// The difference right - left, or lower - upper row, of this lane's pair within the quad.
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
