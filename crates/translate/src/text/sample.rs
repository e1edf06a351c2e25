//! Texture operations.

use super::body::Body;
use crate::{Form, Options, Program, texture};
use naga::{Expression, Handle, Literal, SampleLevel, Statement};
use shisa_ir::{Lod, Stage, TexKind, TexOp, Value};

/// Whether the level of detail comes from derivatives. Without a mip filter it is always level 0.
pub(super) fn implicit(t: &TexOp) -> bool {
    t.is_convergent() && t.sampler.state().is_none_or(|s| s.mip.is_some())
}

/// Whether the operation takes derivatives across the quad when it runs in this form.
pub(super) fn derives(t: &TexOp, program: &Program, options: &Options) -> bool {
    implicit(t) && program.interface.stage == Stage::Fragment && options.form == Form::Stage
}

impl Body<'_, '_> {
    /// A sample, a gather or a texel. `v` is the node, `t` its operation.
    pub(super) fn sample(&mut self, v: Value, t: &TexOp) -> Handle<Expression> {
        let coordinate = self.get(t.coord);
        let array_index = t.layer.map(|l| self.get(l));
        let (image, sampler) = self.texture(t);
        if t.kind == TexKind::Fetch {
            let sample = t.sample.map(|s| self.get(s));
            let level = match t.lod {
                Lod::Level(l) => Some(self.get(l)),
                _ if t.shape.multisampled => None,
                _ => Some(self.u32(0)),
            };
            return self.push(Expression::ImageLoad { image, coordinate, array_index, sample, level });
        }
        let gather = match t.kind {
            TexKind::Gather(_) if t.compare.is_some() => Some(naga::SwizzleComponent::X),
            TexKind::Gather(component) => Some(naga::SwizzleComponent::XYZW[usize::from(component & 3)]),
            _ => None,
        };
        let level = match t.compare {
            _ if gather.is_some() => SampleLevel::Zero,
            Some(_) if t.lod == Lod::Implicit && derives(t, self.program, self.options) => SampleLevel::Auto,
            Some(_) => SampleLevel::Zero,
            None => self.level(v, t),
        };
        let nodes = &self.program.func.nodes;
        let offset =
            texture::offset(nodes, t).map(|all| self.offset(&all[..usize::from(t.shape.dim.coordinates())]));
        let depth_ref = t.compare.map(|c| self.get(c));
        let result = self.push(Expression::ImageSample {
            image,
            sampler,
            gather,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            clamp_to_edge: false,
        });
        // Comparisons give one number.
        if depth_ref.is_some() && gather.is_none() { self.splat(result, 4) } else { result }
    }

    /// A constant offset.
    fn offset(&mut self, all: &[i32]) -> Handle<Expression> {
        let parts: Vec<_> = all.iter().map(|n| self.raw(Expression::Literal(Literal::I32(*n)))).collect();
        match *parts {
            [one] => one,
            _ => {
                let ty = self.types.of(naga::Scalar::I32, parts.len() as u8);
                self.push(Expression::Compose { ty, components: parts })
            }
        }
    }

    /// The level of detail of a sample that does not compare.
    ///
    /// The bias of the sampler state is part of the code. Where no derivatives exist (vertex stage,
    /// compute form) the base level is 0. Where lanes may be apart, derivatives made at the start of the
    /// function take the place of implicit ones.
    fn level(&mut self, v: Value, t: &TexOp) -> SampleLevel {
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
            Lod::Level(l) => SampleLevel::Exact(self.get(l)),
            Lod::Zero => SampleLevel::Exact(self.f32(0.0)),
            _ if state.is_some_and(|s| s.mip.is_none()) => SampleLevel::Exact(self.f32(0.0)),
            Lod::Gradient(x, y) => {
                let (x, y) = (self.get(x), self.get(y));
                self.gradient(x, y, bias)
            }
            Lod::Implicit | Lod::Bias(_) if !derives(t, self.program, self.options) => {
                SampleLevel::Exact(bias.unwrap_or_else(|| self.f32(0.0)))
            }
            Lod::Implicit | Lod::Bias(_) => match self.gradients.iter().find(|g| g.0 == v) {
                Some(&(_, x, y)) => self.gradient(x, y, bias),
                None => bias.map_or(SampleLevel::Auto, SampleLevel::Bias),
            },
        }
    }

    /// Explicit derivatives; a bias of b levels scales them by 2^b.
    fn gradient(
        &mut self,
        x: Handle<Expression>,
        y: Handle<Expression>,
        bias: Option<Handle<Expression>>,
    ) -> SampleLevel {
        let Some(bias) = bias else { return SampleLevel::Gradient { x, y } };
        let scale = match self.fun.expressions[bias] {
            Expression::Literal(Literal::F32(b)) => self.f32(b.exp2()),
            _ => self.math(naga::MathFunction::Exp2, bias),
        };
        let (x, y) = (self.mul(x, scale), self.mul(y, scale));
        SampleLevel::Gradient { x, y }
    }

    /// Writes a texel; a lane that is killed and goes on does not.
    pub(super) fn store_texel(&mut self, t: &TexOp) {
        let TexKind::Store(value) = t.kind else { return };
        let (coordinate, value) = (self.get(t.coord), self.get(value));
        let array_index = t.layer.map(|l| self.get(l));
        let (image, _) = self.texture(t);
        self.unless_killed(Statement::ImageStore { image, coordinate, array_index, value });
    }
}
