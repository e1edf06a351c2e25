//! Textures and images.

use super::kind::{Written, binary, get, made, named, number, registers, whole};
use super::memory::format;
use crate::Agx;
use crate::operand::COORDINATES;
use shisa_rows::{Field, Line, Operand, Spelling, Word};

const SHAPES: &[&str] = &[
    "tex_1d",
    "tex_1d_array",
    "tex_2d",
    "tex_2d_array",
    "tex_2d_ms",
    "tex_3d",
    "tex_cube",
    "tex_cube_array",
    "tex_2d_ms_array",
];

const READ_SHAPE: Field = Field::at(40, 3).then(71, 1);
const IMAGE_SHAPE: Field = Field::at(40, 3).then(55, 1);

fn coordinates_of(shape: Field, word: u128) -> (u64, u64) {
    let (count, further) = COORDINATES.get(shape.get(&word) as usize).copied().unwrap_or_default();
    (count.into(), further.into())
}

const fn shape(field: Field) -> Operand<Agx> {
    made(field, &Written::Made(|field, word, out| named(SHAPES, field.get(&word), out)))
}

/// The registers with the coordinates: halves if bit 47 is set or if a layer or a sample follows.
fn coordinates(shape: Field, first: u64, word: u128, out: &mut Line<'_>) {
    let (count, further) = coordinates_of(shape, word);
    match (word.get(47, 1), further) {
        (1, _) => registers(b'r', first, false, count + further, out),
        (_, 0) => registers(b'r', first, true, count, out),
        _ => registers(b'r', first, false, count * 2 + 1, out),
    }
    if word.get(22, 1) != 0 {
        out.text(".discard");
    }
}

fn texture(value: u64, word: u128, out: &mut Line<'_>) {
    match word.get(38, 2) {
        0 => {
            out.text("ts");
            out.dec(value);
        }
        2 if value == 0 => out.byte(b'0'),
        3 => registers(b'r', value, true, 1, out),
        _ => registers(b'r', value, false, 1, out),
    }
}

/// The uniforms that a texture's offset is added to.
fn heap(value: u64, word: u128, out: &mut Line<'_>) {
    match word.get(39, 1) {
        0 => out.text("None"),
        _ => registers(b'u', value * 4, true, 2, out),
    }
}

const MODE: Operand<Agx> = made(
    Field::at(30, 2),
    &Written::If(
        |word| word.get(30, 2) != 0,
        |field, word, out| named(&["", "", "query_lod"], field.get(&word), out),
    ),
);
const GATHERED: Operand<Agx> = made(
    Field::at(86, 5),
    &Written::Made(|field, word, out| {
        let names = [
            "none",
            "compare",
            "gather_r",
            "gather_depth",
            "",
            "",
            "gather_g",
            "",
            "",
            "",
            "gather_b",
            "",
            "",
            "",
            "gather_a",
        ];
        named(&names, field.get(&word), out);
    }),
);
const MASK: Operand<Agx> = made(
    Field::at(48, 4),
    &Written::Made(|field, word, out| match field.get(&word) {
        0 => out.byte(b'0'),
        mask => (0..4).filter(|i| mask >> i & 1 != 0).for_each(|i| out.byte(b"xyzw"[i])),
    }),
);
const TEXELS: Operand<Agx> = whole(&Written::If(
    |word| word.get(48, 4) != 0,
    |_, word, out| {
        let count = u64::from(word.get(48, 4).count_ones());
        registers(b'r', get(word, &[(9, 6), (72, 2)]), word.get(8, 1) != 0, count, out);
    },
));
const SAMPLER: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let value = get(word, &[(56, 6), (92, 2)]);
    match word.get(62, 1) {
        0 => {
            out.text("ss");
            out.dec(value);
        }
        _ => registers(b'r', value, false, 1, out),
    }
}));
const DETAIL: Operand<Agx> = made(
    Field::at(52, 4),
    &Written::Made(|field, word, out| {
        let names = [
            "auto_lod",
            "auto_lod_bias",
            "lod_min",
            "",
            "lod_grad",
            "auto_lod_bias",
            "lod_min",
            "",
            "",
            "",
            "",
            "",
            "lod_grad_min",
        ];
        named(&names, field.get(&word), out);
    }),
);
const LEVEL: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let value = get(word, &[(24, 6), (76, 2)]);
    match word.get(52, 4) {
        0 => out.byte(b'0'),
        kind @ (4 | 12) => {
            let count = 2 * coordinates_of(READ_SHAPE, word).0 + u64::from(kind == 12);
            registers(b'r', value, true, count, out);
        }
        1 | 2 => registers(b'u', value, false, 1, out),
        _ => registers(b'r', value, false, 1, out),
    }
}));
/// The reference value of a comparison, and the offset in texels.
const COMPARED: Operand<Agx> = whole(&Written::If(
    |word| word.get(23, 1) != 0 || word.get(91, 1) != 0,
    |_, word, out| {
        let first = get(word, &[(80, 6), (94, 2)]);
        let compares = word.get(23, 1);
        registers(b'r', first, true, compares, out);
        if word.get(91, 1) != 0 {
            if compares != 0 {
                out.byte(b'_');
            }
            registers(b'r', first + 2 * compares, false, 1, out);
        }
    },
));

const READ: &[Operand<Agx>] = &[
    number(23, 1),
    MODE,
    binary(43, 4),
    binary(63, 1),
    GATHERED,
    MASK,
    binary(69, 2),
    TEXELS,
    whole(&Written::Made(|_, word, out| heap(word.get(64, 5), word, out))),
    whole(&Written::Made(|_, word, out| texture(get(word, &[(32, 6), (78, 2)]), word, out))),
    SAMPLER,
    shape(READ_SHAPE),
    whole(&Written::Made(|_, word, out| {
        coordinates(READ_SHAPE, get(word, &[(16, 6), (74, 2)]), word, out);
    })),
    DETAIL,
    LEVEL,
    COMPARED,
];
pub(crate) const TEXTURE_SAMPLE: Spelling<Agx> = Spelling::new("texture_sample", READ);
pub(crate) const TEXTURE_LOAD: Spelling<Agx> = Spelling::new("texture_load", READ);

const ROUND: Operand<Agx> =
    made(Field::at(53, 1), &Written::Made(|field, word, out| named(&["rte", "rtz"], field.get(&word), out)));
const IMAGE_COORDINATES: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    coordinates(IMAGE_SHAPE, get(word, &[(16, 6), (58, 2)]), word, out);
}));
const IMAGE_LEVEL: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let value = get(word, &[(24, 6), (60, 2)]);
    match word.get(31, 1) {
        0 => registers(b'r', value, false, 1, out),
        _ => out.dec(value),
    }
}));
const IMAGE: Operand<Agx> =
    whole(&Written::Made(|_, word, out| texture(get(word, &[(32, 6), (62, 2)]), word, out)));

pub(crate) const IMAGE_WRITE: Spelling<Agx> = Spelling::new(
    "image_write",
    &[
        whole(&Written::Made(|_, word, out| {
            registers(b'r', get(word, &[(9, 6), (56, 2)]), word.get(8, 1) != 0, 4, out);
        })),
        IMAGE_COORDINATES,
        IMAGE_LEVEL,
        whole(&Written::Made(|_, word, out| heap(word.get(48, 5), word, out))),
        IMAGE,
        shape(IMAGE_SHAPE),
        ROUND,
        number(23, 1),
        number(30, 1),
        number(43, 4),
        number(54, 1),
    ],
);
pub(crate) const IMAGE_WRITE_BLOCK: Spelling<Agx> = Spelling::new(
    "image_write_block",
    &[
        whole(&Written::Made(|_, word, out| registers(b'r', get(word, &[(9, 6), (56, 2)]), false, 1, out))),
        IMAGE_COORDINATES,
        IMAGE_LEVEL,
        IMAGE,
        shape(IMAGE_SHAPE),
        ROUND,
        format(Field::at(8, 1).then(64, 3)),
        number(23, 1),
        number(43, 4),
        number(67, 1),
    ],
);
