//! Texture and image rows.

use super::{SHORT6, SHORT8, block, long_row, row};
use crate::Agx;
use crate::applegpu;
use crate::facts::{Facts, Memory, Pixel};
use crate::operand::{
    A, AgxLift, B, BLOCK, BLOCK_COORD, BLOCK_EXPLICIT, BLOCK_FORMAT, COHERENCY, COMPARED, COMPONENTS, COORD,
    D, GATHER, GATHERED, IMAGE, IMAGE_COORD, IMAGE_DIM, IMAGE_HEAP, IMAGE_LOD, IMAGE_RTZ, LOD, LOD_TYPE,
    MULTI_DIE, PIXEL, Place, QUERY_LOD, READ_WRITE, SAMPLED, SAMPLER, SAMPLER_STATE, SHADOW, SMP_DIM,
    SMP_GROUP, SMP_HEAP, SMP_KILL, SMP_MASK, SPARSE, STATE_GROUP, STATE_HEAP, STATE_OFFSET, Size, TEXTURE,
    TEXTURE_STATE, compared, described, floats, image_level, level, place, sampler, shape, texture,
    write_units,
};
use crate::options::SparseAnswer;
use shisa_diag::Diagnostic;
use shisa_ir::{Dim, Lod, Mask, SamplerRef, Scalar, Shape, Space, Swizzle, TexKind, TexOp, Type};
use shisa_rows::{Form, Operand, unstated};

const SAMPLE: &[Operand<Agx>] = &[
    SAMPLED, SMP_HEAP, TEXTURE, SAMPLER, COORD, LOD, COMPARED, SHADOW, QUERY_LOD, READ_WRITE, MULTI_DIE,
    SPARSE, SMP_KILL, SMP_DIM, SMP_MASK, LOD_TYPE, GATHER, SMP_GROUP, SHORT8,
];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    long_row("smpf", Facts::memory(Memory::Texture), (8, 12, 15), (0x6000_0000_00ff, 0x6000_0000_0031), SAMPLE, sample).says("Samples a texture at coordinates that are floats.").spelled(applegpu::TEXTURE_SAMPLE)
        .examples(&[("smpf     r0_r1_r2_r3, ts0, ss1, r0_r1, u8l, 2d, xyzw, auto_lod_bias, a", 0x11f_6200_1000_0131), ("smpf     r0, du54, r5, r4l, r0_r1_r2l, u64l, r15, shadow, 2d_array, x, lod_min, a", 0x1e_201b_4821_63ca_0080_8131), ("smpf     r4l_r4h_r5l_r5h, ts0, ss1, r4_r5, r8_r9_r10_r11, 2d, xyzw, lod_grad, a", 0x14f_6200_1008_1031)]),
    long_row("smpi", Facts::memory(Memory::Texture), (8, 12, 15), (0x6000_0000_00ff, 0x6000_0000_0071), SAMPLE, fetch).says("Reads a texture at coordinates that are integers.").spelled(applegpu::TEXTURE_LOAD)
        .examples(&[("smpi     r4_r5_r6_r7, ts0, ss0, r0_r1, 0, r2l, 2d, xyzw, auto_lod, a", 0x804_0000_000f_6200_0000_9171), ("smpi     r16_r17_r18_r19, ts0, ss0, r16_r17_r18l_r18h, 0, rw, 2d_ms_array, xyzw, auto_lod, b", 0x80_800f_6800_0020_c171)]),
    row("load", Facts::memory(Memory::Descriptor), 8, (0x10_00ff, 0x10_00ed), &[TEXTURE_STATE, STATE_HEAP, STATE_OFFSET, STATE_GROUP], |l| load_state(l, 0)).says("Loads a texture state from a heap of descriptors.").spelled(applegpu::TEX_STATE_STORE)
        .examples(&[("load     ts2, du6, r1, a", 0x1800_0000_0810_02ed)]),
    row("load", Facts::memory(Memory::Descriptor), 8, (0x10_00ff, 0x10_00ad), &[SAMPLER_STATE, STATE_HEAP, STATE_OFFSET, STATE_GROUP], |l| load_state(l, 256)).says("Loads a sampler state from a heap of descriptors.").spelled(applegpu::SAMPLER_STATE_STORE)
        .examples(&[("load     ss1, du4, r1, a", 0x1000_0000_0810_01ad)]),
    long_row("imgw", Facts::memory(Memory::Image), (6, 8, 15), (0x4800_0080_00ff, 0x4800_0080_00f1), &[PIXEL, IMAGE_HEAP, IMAGE, IMAGE_COORD, IMAGE_LOD, IMAGE_DIM, IMAGE_RTZ, COHERENCY, SHORT6], write).says("Writes a pixel of an image.").spelled(applegpu::IMAGE_WRITE)
        .examples(&[("imgw     r12_r13_r14_r15, du0, r1, r16_r17_r18l, 0, 2d_array", 0x4bc2_80a0_31f1), ("imgw     r32_r33_r34_r35, ts1, r24_r25, 0, 2d", 0x100_4a01_80b0_81f1)]),
    row("imgwblk", Facts::pixel(Pixel::Block), 10, (0x3ff8_0000_4800_0000_80ff, 0x8_0000_4800_0000_80b1), &[BLOCK, IMAGE_HEAP, IMAGE, BLOCK_COORD, IMAGE_LOD, BLOCK_EXPLICIT, IMAGE_DIM, BLOCK_FORMAT, IMAGE_RTZ], block::write).says("Writes a block of the tile to an image.").spelled(applegpu::IMAGE_WRITE_BLOCK)
        .examples(&[("imgwblk  r0l, ts0, r0, 0, 2d, i16", 0x8_0000_4a00_8000_81b1), ("imgwblk  r1l, ts2, r2_r3, 0, explicit_coords, 2d, u8norm", 0xa_0000_4a02_8084_84b1)]),
];

/// The component that each number gathers.
const GATHERS: [(u64, u8); 4] = [(1, 0), (3, 1), (5, 2), (7, 3)];

fn sample(l: &mut AgxLift<'_, '_>) {
    let (gathered, asked) = (l.insn.field(GATHERED), QUERY_LOD.field.get(&l.insn.word) != 0);
    let kind = match (gathered, asked, GATHERS.iter().find(|g| g.0 == gathered)) {
        (0, false, _) => TexKind::Sample,
        (0, true, _) => TexKind::Detail,
        (_, false, Some((_, component))) => TexKind::Gather(*component),
        _ => return unstated(l),
    };
    read(l, kind);
}

/// Coordinates and level are integers, and the sampler has no effect.
fn fetch(l: &mut AgxLift<'_, '_>) {
    match l.insn.field(GATHERED) == 0 && QUERY_LOD.field.get(&l.insn.word) == 0 {
        true => read(l, TexKind::Fetch),
        false => unstated(l),
    }
}

/// Texels are floats: the instruction does not state whether a texture holds integers.
fn read(l: &mut AgxLift<'_, '_>, kind: TexKind) {
    let exact = kind == TexKind::Fetch;
    let Some(shape) = shape(l).filter(|s| sampled(*s, kind)) else {
        return l.refuse(Diagnostic::error(
            "lift-texture",
            "textures of this shape cannot be read by this instruction",
        ));
    };
    let mask = Mask(l.insn.field(COMPONENTS) as u8);
    if mask.0 == 0 {
        return l.refuse(Diagnostic::error("lift-mask", "no component is chosen"));
    }
    let texture = texture(l);
    let Some((mut lod, least)) = level(l, shape, exact) else { return unstated(l) };
    // Only level 0 is multisampled, and only level 0 is gathered from.
    match (kind, lod) {
        (TexKind::Gather(_), Lod::Implicit) => lod = Lod::Zero,
        (TexKind::Gather(_), _) | (TexKind::Detail, Lod::Level(_) | Lod::Gradient(..)) => return unstated(l),
        (_, Lod::Level(_)) if shape.multisampled => return unstated(l),
        _ => {}
    }
    let Place { mut coord, layer, sample } = place(l, shape, exact);
    let (compare, mut offset) = compared(l, shape);
    if compare.is_some() && !matches!(kind, TexKind::Sample | TexKind::Gather(_))
        || offset.is_some() && (kind == TexKind::Detail || shape.dim == Dim::Cube)
    {
        return unstated(l);
    }
    if let Some(offset) = offset.take_if(|_| exact) {
        coord = l.iadd(coord, offset);
    }
    let sampler = if exact { SamplerRef::Texture } else { sampler(l) };
    let op = TexOp {
        kind,
        texture,
        layer,
        sample,
        least,
        compare,
        offset,
        sampler,
        ..TexOp::sample(0, shape, coord, lod)
    };
    let texel = l.texture(op, Scalar::F32);
    let kept = l.swizzle(texel, Swizzle::IDENTITY.under(mask), mask.count());
    l.set(D, kept);
    if SPARSE.field.get(&l.insn.word) != 0 {
        resident(l, mask.count());
    }
}

/// Writes the residency word after the given number of components: bit 0 states that not all texels are
/// resident. A bound texture is completely resident.
fn resident(l: &mut AgxLift<'_, '_>, components: u8) {
    let bits = SAMPLED.field.get(&l.insn.word);
    let size = if bits >> 8 != 0 { Size::Word } else { Size::Half };
    let all = l.constant(size.scalar().by(1), 0);
    let before = match l.ctx.options.sparse_answer {
        SparseAnswer::Next => components,
        SparseAnswer::Fifth => 4,
    };
    write_units(l, (bits & 0xff) as u16 + u16::from(before) * size.units(), size, all);
}

/// Loads a descriptor of a heap into a state register, by the common numbering of all states.
fn load_state(l: &mut AgxLift<'_, '_>, first: u64) {
    let number = first + l.insn.field(D);
    let address = described(l, A, B);
    let place = l.constant(Type::I32, 8 * number);
    l.store(Space::States, place, address);
}

fn sampled(shape: Shape, kind: TexKind) -> bool {
    match kind {
        TexKind::Fetch
        | TexKind::Location
        | TexKind::Store(_)
        | TexKind::Bits { .. }
        | TexKind::Atomic { .. } => shape.dim != Dim::Cube,
        TexKind::Gather(_) => !shape.multisampled && matches!(shape.dim, Dim::D2 | Dim::Cube),
        TexKind::Sample | TexKind::Detail => !shape.multisampled,
        TexKind::Size | TexKind::Samples => true,
    }
}

/// Texels are floats here, too.
fn write(l: &mut AgxLift<'_, '_>) {
    let Some(shape) = shape(l).filter(|s| !s.multisampled && s.dim != Dim::Cube) else {
        return l.refuse(Diagnostic::error("lift-texture", "images of this shape are not written"));
    };
    let towards_zero = IMAGE_RTZ.field.get(&l.insn.word) != 0;
    let texture = texture(l);
    let Place { coord, layer, .. } = place(l, shape, true);
    let lod = image_level(l);
    let bits = l.src(D);
    let size = if l.ty(bits).scalar == Scalar::I32 { Size::Word } else { Size::Half };
    let value = floats(l, bits, size);
    let op = TexOp::sample(0, shape, coord, lod);
    l.texture_store(TexOp { kind: TexKind::Store(value), texture, layer, towards_zero, ..op });
}
