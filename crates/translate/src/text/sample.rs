//! Texture operations.

use super::body::Body;
use crate::{Form, Options, Program};
use naga::{Expression, Handle, Literal, SampleLevel};
use shisa_ir::{Lod, Stage, TexOp, Value};

/// Whether the level of detail comes from derivatives. Without a mip filter it is always level 0.
pub(super) fn implicit(t: &TexOp) -> bool {
    matches!(t.lod, Lod::Implicit | Lod::Bias(_)) && t.sampler.is_none_or(|s| s.mip.is_some())
}

/// Whether the operation takes derivatives across the quad when it runs in this form.
pub(super) fn derives(t: &TexOp, program: &Program, options: &Options) -> bool {
    implicit(t) && program.interface.stage == Stage::Fragment && options.form == Form::Stage
}

impl Body<'_, '_> {
    /// A sample. `v` is the node, `t` its operation.
    ///
    /// The bias of the sampler state is part of the code. Where no derivatives exist (vertex stage,
    /// compute form) the base level is 0. Where lanes may be apart, derivatives made at the start of the
    /// function take the place of implicit ones.
    pub(super) fn sample(&mut self, v: Value, t: &TexOp) -> Handle<Expression> {
        let coordinate = self.get(t.coord);
        let state_bias = t.sampler.map_or(0.0, |s| f32::from(s.bias_eighths) / 8.0);
        let bias = match t.lod {
            Lod::Bias(b) if state_bias == 0.0 => Some(self.get(b)),
            Lod::Bias(b) => {
                let (a, b) = (self.get(b), self.f32(state_bias));
                Some(self.add(a, b))
            }
            _ if state_bias != 0.0 => Some(self.f32(state_bias)),
            _ => None,
        };
        let level = match t.lod {
            Lod::Level(l) => SampleLevel::Exact(self.get(l)),
            _ if t.sampler.is_some_and(|s| s.mip.is_none()) => SampleLevel::Exact(self.f32(0.0)),
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
        };
        let (image, sampler) = self.texture(t);
        self.push(Expression::ImageSample {
            image,
            sampler,
            gather: None,
            coordinate,
            array_index: None,
            offset: None,
            level,
            depth_ref: None,
            clamp_to_edge: false,
        })
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
}
