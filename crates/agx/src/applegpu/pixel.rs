//! Tiles, samples and interpolated values.

use super::kind::{Written, binary, get, named, number, registers, whole};
use super::memory::{LOCAL_FORMAT, LOCAL_MASK, LOCAL_REGISTERS};
use super::suffix;
use crate::Agx;
use shisa_rows::{Field, Line, Operand, Spelling, Word};

/// A register of 16 bits or a number.
fn half_or_number(is_number: bool, value: u64, out: &mut Line<'_>) {
    match is_number {
        true => out.dec(value),
        false => registers(b'r', value, false, 1, out),
    }
}

pub(crate) const WAIT_PIX: Spelling<Agx> = Spelling::new("wait_pix", &[number(8, 10), number(22, 2)]);
pub(crate) const SIGNAL_PIX: Spelling<Agx> = Spelling::new("signal_pix", &[number(8, 10), number(22, 2)]);
pub(crate) const WAIT: Spelling<Agx> = Spelling::new("wait", &[number(8, 1)]);
pub(crate) const DOORBELL: Spelling<Agx> = Spelling::new("doorbell", &[number(8, 8)]);
pub(crate) const JMP_INCOMPLETE: Spelling<Agx> = Spelling::new("jmp_incomplete", &[SHORT_DISTANCE]);
pub(crate) const JMP_IF_SKIPPING_DOORBELL: Spelling<Agx> =
    Spelling::new("jmp_if_skipping_doorbell", &[SHORT_DISTANCE]);

/// A signed distance of eight bits.
const SHORT_DISTANCE: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let distance = word.get(16, 8) as u8 as i8;
    out.text(if distance < 0 { "pc-" } else { "pc+" });
    out.dec(u64::from(distance.unsigned_abs()));
}));

const TILE: &[Operand<Agx>] = &[
    LOCAL_REGISTERS,
    LOCAL_FORMAT,
    number(35, 1),
    LOCAL_MASK,
    whole(&Written::Made(|_, word, out| out.dec(get(word, &[(28, 7), (40, 2)])))),
    whole(&Written::Made(|_, word, out| {
        half_or_number(word.get(22, 1) == 0, get(word, &[(42, 6), (56, 2)]), out);
    })),
    whole(&Written::Made(|_, word, out| out.dec(get(word, &[(16, 6), (58, 2)])))),
];
pub(crate) const LD_TILE: Spelling<Agx> = Spelling::new("ld_tile", TILE);
pub(crate) const ST_TILE: Spelling<Agx> = Spelling::new("st_tile", TILE);

/// The selected samples.
const SAMPLES: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    half_or_number(word.get(8, 1) != 0, get(word, &[(9, 6), (24, 2)]), out);
}));
pub(crate) const SAMPLE_MASK: Spelling<Agx> = Spelling::new(
    "sample_mask",
    &[
        SAMPLES,
        whole(&Written::Made(|_, word, out| {
            half_or_number(word.get(23, 1) != 0, get(word, &[(16, 6), (26, 2)]), out);
        })),
    ],
);
pub(crate) const ZS_EMIT: Spelling<Agx> = Spelling::new(
    "zs_emit",
    &[
        SAMPLES,
        whole(&Written::Made(|_, word, out| {
            let count = 2 * word.get(29, 1) + word.get(30, 1);
            registers(b'r', get(word, &[(16, 6), (26, 2)]), false, count, out);
        })),
        number(22, 2),
    ],
);

const OUTPUT: &[Operand<Agx>] = &[
    number(31, 1),
    whole(&Written::Made(|_, word, out| registers(b'r', get(word, &[(10, 5), (24, 2)]) * 2, true, 1, out))),
    whole(&Written::Made(|_, word, out| {
        half_or_number(word.get(23, 1) != 0, get(word, &[(16, 6), (26, 2)]), out);
    })),
];
pub(crate) const NO_VAR: Spelling<Agx> = Spelling::new("no_var", OUTPUT);
pub(crate) const ST_VAR: Spelling<Agx> =
    Spelling::new("st_var", OUTPUT).modifiers(&[suffix(Field::at(7, 1), &["", "_final"])]);

fn interpolated(word: u128, each: u64, out: &mut Line<'_>) {
    let count = match word.get(30, 2) {
        0 => 4,
        n => n,
    };
    registers(b'r', get(word, &[(9, 6), (56, 2)]), word.get(8, 1) != 0, count * each, out);
}

fn coefficient(number: u64, out: &mut Line<'_>) {
    out.text("cf");
    out.dec(number);
}

const COEFFICIENT: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let value = get(word, &[(16, 6), (58, 2)]);
    match word.get(23, 1) {
        0 => coefficient(value, out),
        _ => registers(b'r', value, false, 1, out),
    }
}));
const INTERPOLATED: Operand<Agx> = whole(&Written::Made(|_, word, out| interpolated(word, 1, out)));
/// The sample, if interpolation is at one.
const SAMPLE: Operand<Agx> = whole(&Written::If(
    |word| word.get(48, 1) != 0,
    |_, word, out| half_or_number(word.get(49, 1) == 0, word.get(32, 8), out),
));
const FORWARD: Operand<Agx> =
    whole(&Written::If(|word| word.get(22, 1) != 0, |_, _, out| out.text("forward")));
const ELIDE: Operand<Agx> = whole(&Written::If(|word| word.get(46, 1) != 0, |_, _, out| out.text("elide")));
const PLACE: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    named(&["center", "sample", "centroid", "sample"], word.get(48, 2), out);
}));

pub(crate) const ITER: Spelling<Agx> = Spelling::new(
    "iter",
    &[
        INTERPOLATED,
        COEFFICIENT,
        SAMPLE,
        FORWARD,
        ELIDE,
        PLACE,
        binary(52, 1),
        number(40, 6),
        number(47, 1),
        number(50, 2),
        number(53, 3),
        number(62, 2),
    ],
);
pub(crate) const ITERPROJ: Spelling<Agx> = Spelling::new(
    "iterproj",
    &[
        INTERPOLATED,
        COEFFICIENT,
        whole(&Written::Made(|_, word, out| coefficient(get(word, &[(24, 6), (60, 2)]), out))),
        SAMPLE,
        FORWARD,
        ELIDE,
        PLACE,
        binary(52, 1),
        number(40, 6),
        number(47, 1),
        number(50, 2),
        number(53, 3),
        number(62, 2),
    ],
);
pub(crate) const LDCF: Spelling<Agx> = Spelling::new(
    "TODO.ldcf",
    &[whole(&Written::Made(|_, word, out| interpolated(word, 3, out))), COEFFICIENT],
);
