//! Texture operations.

use super::state::Body;
use crate::syntax::{Expr, Expression, Fetch, Kind, Level, Literal, MathFunction, Sample, Statement};
use crate::texture::{self, derives};
use shisa_ir::{Lod, Scalar, TexKind, TexOp, Value};

impl Body<'_, '_> {
    /// A sample, a gather or a texel read. `v` is the node, `t` its operation.
    pub(super) fn texel(&mut self, v: Value, t: &TexOp) -> Expr {
        let coordinate = self.get(t.coord);
        let layer = t.layer.map(|l| self.get(l));
        let image = self.texture(t);
        if t.kind == TexKind::Fetch {
            let sample = t.sample.map(|s| self.get(s));
            let level = match t.lod {
                Lod::Level(l) => Some(self.get(l)),
                _ if t.shape.multisampled => None,
                _ => Some(self.u32(0)),
            };
            return self.fetch(Fetch { image, coordinate, layer, sample, level });
        }
        let sampler = self.sampler(t);
        let gather = match t.kind {
            TexKind::Gather(_) if t.compare.is_some() => Some(0),
            TexKind::Gather(component) => Some(component & 3),
            _ => None,
        };
        let level = match t.compare {
            _ if gather.is_some() => Level::Zero,
            Some(_) if t.lod == Lod::Implicit && derives(t, self.program, self.options) => Level::Implicit,
            Some(_) => Level::Zero,
            None => self.level(v, t),
        };
        let offset = texture::offset(&self.program.func.nodes, t)
            .map(|all| self.offset(&all[..usize::from(t.shape.dim.coordinates())]));
        let reference = t.compare.map(|c| self.get(c));
        let sample = Sample { image, sampler, gather, coordinate, layer, offset, level, reference };
        let result = self.draft.sample(sample);
        // Comparisons yield one number.
        if reference.is_some() && gather.is_none() { self.splat(result, 4) } else { result }
    }

    /// A constant offset.
    fn offset(&mut self, all: &[i32]) -> Expr {
        let parts: Vec<_> = all.iter().map(|n| self.draft.literal(Literal::I32(*n))).collect();
        match *parts {
            [one] => one,
            _ => {
                let ty = self.types.of(Kind::Sint, parts.len() as u8);
                self.composed(ty, &parts)
            }
        }
    }

    /// The level of detail of a sample that does not compare.
    ///
    /// The bias of the sampler state is part of the code. Where no derivatives exist (vertex stage, compute form) the
    /// base level is 0. Where lanes may have diverged, derivatives computed at the start of the function replace
    /// implicit ones.
    fn level(&mut self, v: Value, t: &TexOp) -> Level {
        let state = t.sampler.state();
        let state_bias = state.map_or(0.0, |s| f32::from(s.bias_eighths) / 8.0);
        let bias = match t.lod {
            Lod::Bias(b) if state_bias == 0.0 => Some(self.get(b)),
            Lod::Bias(b) => {
                let (a, b) = (self.get(b), self.f32(state_bias));
                Some(self.add(a, b))
            }
            _ if state_bias != 0.0 => Some(self.f32(state_bias)),
            _ => None,
        };
        match t.lod {
            Lod::Level(l) => Level::Exact(self.get(l)),
            Lod::Zero => Level::Exact(self.f32(0.0)),
            _ if texture::is_level_zero(t, self.options) => Level::Exact(self.f32(0.0)),
            Lod::Gradient(x, y) => {
                let (x, y) = (self.get(x), self.get(y));
                self.gradient(x, y, bias)
            }
            Lod::Implicit | Lod::Bias(_) if !derives(t, self.program, self.options) => {
                Level::Exact(bias.unwrap_or_else(|| self.f32(0.0)))
            }
            Lod::Implicit | Lod::Bias(_) => match self.gradients.iter().find(|g| g.of == v).copied() {
                Some(g) => self.gradient(g.x, g.y, bias),
                None => bias.map_or(Level::Implicit, Level::Bias),
            },
        }
    }

    /// Explicit derivatives; a bias of b levels scales them by 2^b.
    fn gradient(&mut self, x: Expr, y: Expr, bias: Option<Expr>) -> Level {
        let Some(bias) = bias else { return Level::Gradient { x, y } };
        let scale = match self.draft.expression(bias) {
            Expression::Literal(Literal::F32(b)) => self.f32(b.exp2()),
            _ => self.math(MathFunction::Exp2, bias),
        };
        let (x, y) = (self.mul(x, scale), self.mul(y, scale));
        Level::Gradient { x, y }
    }

    /// Writes a texel, unless the lane was killed and continues as a helper.
    pub(super) fn store_texel(&mut self, t: &TexOp) {
        let value = match t.kind {
            TexKind::Store(value) => self.get(value),
            TexKind::Bits { value, .. } => {
                let mut parts = [None; 4];
                for (i, part) in (0..self.ty(value).count).zip(&mut parts) {
                    *part = Some(self.component_of(value, i));
                }
                self.assemble(Scalar::I32.by(4), &parts)
            }
            _ => return,
        };
        let coordinate = self.get(t.coord);
        let layer = t.layer.map(|l| self.get(l));
        let image = self.texture(t);
        self.unless_killed(|body| body.statement(Statement::StoreTexel { image, coordinate, layer, value }));
    }
}
