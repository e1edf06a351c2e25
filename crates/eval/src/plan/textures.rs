//! Texture operations.

use super::micro::{Micro, SampleId};
use super::planes::{Wide, ZERO};
use super::planner::{Checked, Planner, Val, malformed, unsupported};
use shisa_ir::{Lod, Node, SamplerRef, Scalar, Space, TexKind, TexOp, TextureRef, Type, Value};

impl Planner<'_> {
    pub(super) fn sample(&mut self, node: &Node, op: &TexOp) -> Checked<[Wide; 4]> {
        let result = if op.yields_integers() { Scalar::I32 } else { Scalar::F32 };
        if node.ty != result.by(4) {
            return Err(unsupported("texels other than four binary32 components"));
        }
        if op.changes() {
            return Err(malformed(node, "a texture operation yields nothing"));
        }
        self.read_texture(node, op)
    }

    fn read_texture(&mut self, node: &Node, op: &TexOp) -> Checked<[Wide; 4]> {
        let sample = self.texture_plan(node, op)?;
        let dst = self.alloc(4);
        self.ops.push(Micro::Texture { dst, sample });
        Ok([0, 1, 2, 3].map(|i| [dst.above(i).into(), ZERO]))
    }

    /// The address of the texel of an operation in [`Space::Texels`].
    fn texel_address(&mut self, node: &Node, op: &TexOp) -> Checked<Wide> {
        let location = self.read_texture(node, &TexOp { kind: TexKind::Location, ..*op })?;
        let [[low, _], [high, _], ..] = location;
        Ok([low, high])
    }

    pub(super) fn texture_store(&mut self, node: &Node, op: &TexOp) -> Checked<()> {
        match op.kind {
            TexKind::Store(_) => {
                let sample = self.texture_plan(node, op)?;
                self.ops.push(Micro::TextureStore { sample });
                Ok(())
            }
            TexKind::Bits { value, bytes } => {
                let (scalar, count) = match bytes {
                    1 => (Scalar::I8, 1),
                    2 => (Scalar::I16, 1),
                    4 | 8 | 16 => (Scalar::I32, bytes / 4),
                    _ => return Err(malformed(node, "no texel has this size")),
                };
                let values = self.typed(node, value, Scalar::I32.by(count))?.at;
                let address = self.texel_address(node, op)?;
                self.ops.push(Micro::Store { space: Space::Texels, address, scalar, count, values });
                Ok(())
            }
            _ => Err(malformed(node, "a texture operation writes nothing")),
        }
    }

    pub(super) fn texture_atomic(&mut self, node: &Node, op: &TexOp, out: &mut Val) -> Checked<()> {
        let TexKind::Atomic { op: atomic, value, expected } = op.kind else {
            return Err(malformed(node, "a texture operation changes nothing"));
        };
        let address = self.texel_address(node, op)?;
        self.atomic_at(node, atomic, (Space::Texels, address), [value, expected], out)
    }

    /// The plan of a texture operation. Floats are binary32, integers have 32 bits.
    fn texture_plan(&mut self, node: &Node, op: &TexOp) -> Checked<SampleId> {
        let coordinates = op.coordinates();
        let kind = if op.is_whole() { Scalar::I32 } else { Scalar::F32 };
        let fits = |v: Value, ty: Type, what| match self.operand(node, v)?.ty == ty {
            true => Ok(()),
            false => Err(malformed(node, what)),
        };
        fits(op.coord, kind.by(coordinates), "a coordinate has the wrong type")?;
        let lod = "a level of detail has the wrong type";
        match op.lod {
            Lod::Zero | Lod::Implicit => {}
            Lod::Bias(v) | Lod::Level(v) => fits(v, kind.by(1), lod)?,
            Lod::Gradient(x, y) => {
                fits(x, kind.by(coordinates), lod)?;
                fits(y, kind.by(coordinates), lod)?;
            }
        }
        let floats = op.least.iter().chain(&op.compare).try_for_each(|v| fits(*v, Type::F32, "no number"));
        floats?;
        let numbers = op.layer.iter().chain(&op.sample).try_for_each(|v| fits(*v, Type::I32, "no integer"));
        numbers?;
        op.offset.map_or(Ok(()), |v| fits(v, Scalar::I32.by(coordinates), "an offset has the wrong type"))?;
        if let TextureRef::Numbered(v) = op.texture {
            fits(v, Type::I32, "the number of a texture is not an integer")?;
        }
        if let SamplerRef::Handle(v) = op.sampler {
            fits(v, Type::I32, "a sampler is not an integer")?;
        }
        if let TexKind::Store(v) = op.kind {
            fits(v, Scalar::F32.by(4), "a texel has the wrong type")?;
        }
        if op.layer.is_some() != op.shape.arrayed || op.sample.is_some() != op.shape.multisampled {
            return Err(malformed(node, "a texture operation does not fit its shape"));
        }
        let mut failed = Ok(());
        let plan = op.map(|v| match self.operand(node, *v) {
            Ok(v) if v.ty.scalar.bits() == 64 => [v.at[0][0], v.at[0][1], ZERO, ZERO],
            Ok(v) => v.at.map(|at| at[0]),
            Err(e) => {
                failed = Err(e);
                [ZERO; 4]
            }
        });
        failed?;
        let id = SampleId::new(self.samples.len() as u32);
        self.samples.push(plan);
        Ok(id)
    }
}
