//! Texture reads.

use super::{always_assembled, effect, only, op, since};
use crate::Effect::{Sample, SampleAnywhere, SampleLevel};
use crate::Yields::Vector;
use crate::operand::{A, AgalLift, COORD_A, D, DEST, Operands, SAMPLER_B, operands, read_source};
use crate::options::{TedLevel, TldLevel};
use crate::{Agal, RegType, SamplerBits, Source};
use shisa_diag::Diagnostic;
use shisa_ir::{Lod, SamplerRef, Scalar, Stage, Swizzle, TexOp, Value};
use shisa_rows::Form;

const OPERANDS: Operands = operands![DEST, COORD_A, SAMPLER_B];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agal>] = &[
    only(since(effect(op("ted", 0x26, OPERANDS, Vector, ted), SampleAnywhere), 2), Stage::Fragment).says("Samples a texture at any coordinate, in conditions too.")
        .examples(&[("ted ft0, ft1, fs0 <2d,nearest,nomip,clamp>", [0x020f_0000_0000_0026, 0x0000_0002_e400_0001, 0x0000_0005_0000_0000])]),
    only(effect(op("tex", 0x28, OPERANDS, Vector, tex), Sample), Stage::Fragment).says("Samples a texture.")
        .examples(&[("tex ft0, v0, fs0 <2d,linear,miplinear,repeat>", [0x020f_0000_0000_0028, 0x0000_0004_e400_0000, 0x1210_0005_0000_0000])]),
    always_assembled(only(since(effect(op("tld", 0x2e, OPERANDS, Vector, tld), SampleLevel), 4), Stage::Vertex), [3620, 3805]).says("Samples a texture in a vertex program, at a given level.")
        .examples(&[("tld vt0, va0, vs0 <2d,nearest,nomip,clamp>", [0x020f_0000_0000_002e, 0x0000_0000_e400_0000, 0x0000_0005_0000_0000])]),
];

fn sample(l: &mut AgalLift<'_, '_>, lod: Lod) {
    let bits = SamplerBits(l.insn.word[2]);
    let Some(dim) = bits.dim() else {
        return l
            .refuse(Diagnostic::error("lift-sampler", "a texture of unknown dimension cannot be sampled"));
    };
    if bits.kind() != RegType::SAMPLER {
        return l.refuse(Diagnostic::error("lift-sampler", "the second source is not a sampler"));
    }
    let coord = l.src(A);
    let op = TexOp::sample(bits.number(), dim, coord, lod);
    let op = TexOp { sampler: SamplerRef::given(bits.state()), ..op };
    let texel = l.texture(op, Scalar::F32);
    l.set(D, texel);
}

/// The fourth component of the coordinate.
fn coordinate_w(l: &mut AgalLift<'_, '_>) -> Value {
    let source = Source(l.insn.word[1]);
    read_source(l, source, Swizzle::splat(source.swizzle().get(3)), 1)
}

fn tex(l: &mut AgalLift<'_, '_>) {
    sample(l, Lod::Implicit);
}

fn ted(l: &mut AgalLift<'_, '_>) {
    let lod = match l.ctx.options.ted_level {
        TedLevel::Quad => Lod::Implicit,
        TedLevel::W => Lod::Level(coordinate_w(l)),
    };
    sample(l, lod);
}

fn tld(l: &mut AgalLift<'_, '_>) {
    let eighths = SamplerBits(l.insn.word[2]).bias();
    let level = match l.ctx.options.tld_level {
        TldLevel::Options => l.f32(f32::from(eighths) / 8.0, 1),
        TldLevel::W => coordinate_w(l),
    };
    sample(l, Lod::Level(level));
}
