//! Queries of the properties of textures.

use super::state::Body;
use crate::syntax::{BinaryOp, Expr, Expression, Query};
use crate::texture;
use shisa_ir::{Dim, Op, Scalar, Shape, TexKind, TexOp, Value};

impl Body<'_, '_> {
    /// The size of a level, or the number of samples.
    pub(super) fn query(&mut self, v: Value, t: &TexOp) -> Expr {
        let listed = self.program.interface.textures.iter().find(|x| Some(x.unit) == t.unit());
        let Some((shape, access)) = listed.map(|x| (x.shape, x.access)) else {
            return self.nothing("a texture operation has no texture");
        };
        let image = self.texture(t);
        if t.kind == TexKind::Samples {
            let samples = match shape.multisampled {
                true => self.asked(image, Query::Samples),
                false => self.u32(1),
            };
            let zero = self.u32(0);
            return self.compose(Scalar::I32.by(4), &[samples, zero, zero, zero]);
        }
        let one_level = shape.multisampled || access.is_stored();
        let level = self.get(t.coord);
        let first = self.program.func.nodes.op(t.coord) == Op::Const(0);
        let needed = !first || texture::uses_levels(self.program, v);
        let levels = match one_level || !needed {
            true => self.u32(1),
            false => self.asked(image, Query::Levels),
        };
        let zero = self.u32(0);
        let exists = (!first).then(|| self.binary(BinaryOp::Less, level, levels));
        let level = exists.map_or(level, |exists| self.select(exists, level, zero));
        let size = self.asked(image, Query::Size((!one_level).then_some(level)));
        let mut parts = self.extent(size, shape);
        if shape.arrayed {
            parts.push(self.asked(image, Query::Layers));
        }
        if let Some(exists) = exists {
            parts.iter_mut().for_each(|part| *part = self.select(exists, *part, zero));
        }
        parts.resize(3, zero);
        parts.push(levels);
        self.compose(Scalar::I32.by(4), &parts)
    }

    fn asked(&mut self, image: Expr, what: Query) -> Expr {
        self.push(Expression::Query { image, what })
    }

    /// The components of a size.
    fn extent(&mut self, size: Expr, shape: Shape) -> Vec<Expr> {
        let count = match shape.dim {
            Dim::D1 => return vec![size],
            Dim::D2 | Dim::Cube => 2,
            Dim::D3 => 3,
        };
        (0..count).map(|i| self.member(size, i)).collect()
    }
}
