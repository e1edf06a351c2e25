//! Textures, in the long form: coordinates in one vector of registers, the rest in another.

use super::texels;
use super::{UNDEFINED, always, choice, fixed, flag, late_predicate, row, undefined};
use crate::class::Class;
use crate::operand::{
    A, AT, B, D, Dest, HANDLE, MaxwellLift, NO_HANDLE, Number, P, Predicate, SHAPE, Source, Span, TABLE,
    operand, unless_pt, unless_rz,
};
use crate::{Chip, Ctx, Maxwell, attr};
use shisa_diag::Diagnostic;
use shisa_rows::{Field, Form, Insn, Modifier, OneOf, Operand, Rule};

const SHAPES: Field = Field::at(28, 3);
const MASK: Field = Field::at(31, 4);
const LEVEL: Field = Field::at(55, 3);
const BOUND_LEVEL: Field = Field::at(37, 3);

/// Which of two groups of texture reads this one is in, as compilers count them for `DEPBAR`.
pub(super) const PHASE: Modifier = Modifier::new(Field::at(64 + 17, 2), &["", ".T", ".P", ".INVALIDPHASE3"]);
pub(super) const NO_DEPENDENCE: Modifier = flag(49, &["", ".NODEP"]);
pub(super) const COMPARED: Modifier = flag(50, &["", ".DC"]);
const LEVELS: &[&str] = &["", ".LZ", ".LB", ".LL", ".INVALIDBLOD4", ".INVALIDBLOD5", ".LBA", ".LLA"];
pub(super) const GATHERED: &[&str] = &[".R", ".G", ".B", ".A"];
const OFFSETS: &[&str] = &["", ".AOFFI", ".PTP", ".INVALIDBTOFF03"];
const DERIVED: Modifier = flag(35, &["", ".NDV"]);
const BINDLESS: Modifier = always(&[".B"]);
const LOADED_LEVEL: Modifier = flag(55, &[".LZ", ".LL"]);

const TEX: &[Modifier] = &[
    Modifier::new(LEVEL, LEVELS),
    flag(58, &["", ".LC"]),
    flag(54, &["", ".AOFFI"]),
    COMPARED,
    DERIVED,
    NO_DEPENDENCE,
    PHASE,
];
const TEX_B: &[Modifier] = &[
    BINDLESS,
    Modifier::new(BOUND_LEVEL, LEVELS),
    flag(40, &["", ".LC"]),
    flag(36, &["", ".AOFFI"]),
    COMPARED,
    DERIVED,
    NO_DEPENDENCE,
    PHASE,
];
/// The component that a gather reads.
const COMPONENT: Field = Field::at(56, 2);
const BOUND_COMPONENT: Field = Field::at(38, 2);
const TLD4: &[Modifier] =
    &[Modifier::new(COMPONENT, GATHERED), choice(54, 2, OFFSETS), COMPARED, DERIVED, NO_DEPENDENCE, PHASE];
const TLD4_B: &[Modifier] = &[
    Modifier::new(BOUND_COMPONENT, GATHERED),
    BINDLESS,
    choice(36, 2, OFFSETS),
    COMPARED,
    DERIVED,
    NO_DEPENDENCE,
    PHASE,
];
const LOAD_OFFSET: Modifier = flag(35, &["", ".AOFFI"]);
const SAMPLES: Modifier = flag(50, &["", ".MS"]);
const CLAMPED: Modifier = flag(54, &["", ".CL"]);
const TLD: &[Modifier] = &[LOADED_LEVEL, LOAD_OFFSET, SAMPLES, CLAMPED, NO_DEPENDENCE, PHASE];
const TLD_B: &[Modifier] = &[BINDLESS, LOADED_LEVEL, LOAD_OFFSET, SAMPLES, CLAMPED, NO_DEPENDENCE, PHASE];
const GRADIENT_CLAMP: Modifier = flag(50, &["", ".LC"]);
const TXD: &[Modifier] = &[GRADIENT_CLAMP, LOAD_OFFSET, NO_DEPENDENCE, PHASE];
const TXD_B: &[Modifier] = &[BINDLESS, GRADIENT_CLAMP, LOAD_OFFSET, NO_DEPENDENCE, PHASE];
const QUERY: &[Modifier] = &[NO_DEPENDENCE, PHASE];
const QUERY_B: &[Modifier] = &[BINDLESS, NO_DEPENDENCE, PHASE];
const TMML: &[Modifier] = &[always(&[".LOD"]), DERIVED, NO_DEPENDENCE, PHASE];
const TMML_B: &[Modifier] = &[always(&[".B.LOD"]), DERIVED, NO_DEPENDENCE, PHASE];

/// One bit of the word, as a number of registers.
fn bit(word: &u128, at: u8) -> u8 {
    Field::at(at, 1).get(word) as u8
}

fn masked(word: &u128) -> u8 {
    MASK.get(word).count_ones() as u8
}

/// Registers of the coordinates: number in an array first, then one for each dimension.
fn coordinates(word: &u128) -> u8 {
    [1, 2, 2, 3, 3, 4, 3, 4][SHAPES.get(word) as usize & 7]
}

/// Registers of a level or bias.
const fn levels(kind: u64) -> u8 {
    (kind > 1) as u8
}

/// The least level shares the register of the layer, and has one of its own without a layer (NAK).
fn clamped(word: &u128, clamp: u8) -> u8 {
    coordinates(word) + (clamp & (1 - bit(word, 28)))
}

fn tex_first(word: &u128) -> u8 {
    clamped(word, bit(word, 58))
}

fn tex_first_b(word: &u128) -> u8 {
    clamped(word, bit(word, 40))
}

fn tex(word: &u128) -> u8 {
    levels(LEVEL.get(word)) + bit(word, 54) + bit(word, 50)
}

fn tex_b(word: &u128) -> u8 {
    1 + levels(BOUND_LEVEL.get(word)) + bit(word, 36) + bit(word, 50)
}

/// One register for an offset, two for four offsets.
fn tld4(word: &u128) -> u8 {
    Field::at(54, 2).get(word).min(2) as u8 + bit(word, 50)
}

fn tld4_b(word: &u128) -> u8 {
    1 + Field::at(36, 2).get(word).min(2) as u8 + bit(word, 50)
}

fn tld(word: &u128) -> u8 {
    bit(word, 55) + bit(word, 35) + bit(word, 50)
}

fn tld_b(word: &u128) -> u8 {
    1 + tld(word)
}

/// Offset and clamp share the register of the number in an array.
fn txd(word: &u128) -> u8 {
    let array = bit(word, 28);
    coordinates(word) + ((bit(word, 35) | bit(word, 50)) & (1 - array))
}

fn txd_b(word: &u128) -> u8 {
    1 + txd(word)
}

/// Two registers for each dimension.
fn gradients(word: &u128) -> u8 {
    2 * (coordinates(word) - bit(word, 28))
}

/// So many registers.
const fn vector(span: fn(&u128) -> u8) -> Source {
    Source { span: Span::By(span), ..Source::PLAIN }
}

/// Operands of a row: registers of the first and of the second vector, and the handle.
macro_rules! reads {
    ($first:expr, $second:expr, $handle:expr) => {
        &[
            FOUND,
            DEST,
            operand(A, Field::at(8, 8), &vector($first)),
            operand(B, Field::at(20, 8), &unless_rz(&vector($second))),
            $handle,
            SHAPE_NAME,
            COMPONENTS,
        ]
    };
}

/// The same with gradients, which are always written.
macro_rules! gradient_reads {
    ($first:expr, $handle:expr) => {
        &[
            FOUND,
            DEST,
            operand(A, Field::at(8, 8), &vector($first)),
            operand(B, Field::at(20, 8), &vector(gradients)),
            $handle,
            SHAPE_NAME,
            COMPONENTS,
        ]
    };
}

const DEST: Operand<Maxwell> = operand(D, Field::at(0, 8), &Dest { codes: false, span: Span::By(masked) });
/// Whether something that was read is not there.
const FOUND: Operand<Maxwell> = operand(P, Field::at(51, 3), &unless_pt(&Predicate { written: true }));
const SHAPE_NAME: Operand<Maxwell> = operand(SHAPE, SHAPES, &OneOf::new("shape", &texels::SHAPES));
const COMPONENTS: Operand<Maxwell> = operand(TABLE, MASK, &Number::PLAIN);
const SOURCE: Operand<Maxwell> = operand(A, Field::at(8, 8), &Source::PLAIN);
const SOURCE_B: Operand<Maxwell> = operand(A, Field::at(8, 8), &Source { span: Span::Two, ..Source::PLAIN });
const COORDINATES: Operand<Maxwell> = operand(A, Field::at(8, 8), &vector(coordinates));
const HANDLE_REGISTER: Operand<Maxwell> = operand(B, Field::at(20, 8), &unless_rz(&Source::PLAIN));
const ASKED: Operand<Maxwell> = operand(SHAPE, QUERIED, &OneOf::new("queried property", &QUERIES));
const BATCH: Operand<Maxwell> = operand(AT, Field::at(20, 8), &Number::PLAIN);

/// What TXQ asks for.
const QUERIED: Field = Field::at(22, 6);
/// Names by number; those without one are refused.
const QUERIES: [&str; 64] = {
    let mut names = [""; 64];
    let numbers = [
        "3",
        "4",
        "5",
        "6",
        "7",
        "TEX_SAMPLER_FILTER",
        "TEX_SAMPLER_LOD",
        "TEX_SAMPLER_WRAP",
        "TEX_SAMPLER_BORDER_COLOR",
        "12",
        "13",
        "14",
        "15",
        "16",
        "17",
        "18",
        "19",
        "20",
        "21",
        "22",
        "23",
        "24",
        "25",
        "26",
        "27",
        "28",
        "29",
        "30",
        "31",
    ];
    let mut i = 0;
    while i < numbers.len() {
        names[6 + 2 * i] = numbers[i];
        i += 1;
    }
    (names[1], names[2], names[5]) =
        ("TEX_HEADER_DIMENSION", "TEX_HEADER_TEXTURE_TYPE", "TEX_HEADER_SAMPLER_POS");
    names
};

const LATE: Rule<Maxwell> = Rule { code: "maxwell-chip", check: |insn, ctx| late_predicate(insn, ctx, 7) };
const LATE_CLAMP: Rule<Maxwell> = Rule { code: "maxwell-chip", check: |insn, ctx| late_clamp(insn, ctx, 50) };
const LATE_LEVEL_CLAMP: Rule<Maxwell> =
    Rule { code: "maxwell-chip", check: |insn, ctx| late_clamp(insn, ctx, 58) };
const LATE_BOUND_CLAMP: Rule<Maxwell> =
    Rule { code: "maxwell-chip", check: |insn, ctx| late_clamp(insn, ctx, 40) };
const KNOWN_QUERY: Rule<Maxwell> = Rule { code: UNDEFINED, check: known_query };

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("TEX", 0xc000, 0xf800, reads!(tex_first, tex, HANDLE), |l| texels::sample(l, [tex_first, tex])).attr(attr::TEXTURE.reads(2, 62)).modifiers(TEX).rules(&[LATE, LATE_LEVEL_CLAMP]).says("Samples a texture.")
        .examples(&[("TEX.LLA.AOFFI.DC.NDV.NODEP P5, R213, R226, R111, 0x493, 2D, 0x6;", 0x07e0_c3ee_493b_26f7_e2d5)]),
    row("TEX", 0xde80, 0xffc0, reads!(tex_first_b, tex_b, NO_HANDLE), |l| texels::sample(l, [tex_first_b, tex_b])).attr(attr::TEXTURE.reads(2, 62)).modifiers(TEX_B).rules(&[LATE, LATE_BOUND_CLAMP]).says("Samples a texture whose handle is in a register.")
        .examples(&[("TEX.B.LZ R0, R4, R8, 0x0, 2D, 0xf;", 0x07e0_deb8_0027_a087_0400)]),
    row("TLD4", 0xc800, 0xfc00, reads!(coordinates, tld4, HANDLE), |l| texels::gather(l, COMPONENT, [coordinates, tld4])).attr(attr::TEXTURE.reads(2, 12)).modifiers(TLD4).rules(&[LATE]).says("Gathers one component of the four texels that sampling would blend.")
        .examples(&[("TLD4.R.PTP.DC.NODEP P0, R54, RZ, R243, 0x1d05, 3D, 0x4;", 0x07e0_c887_d052_4f37_ff36), ("TLD4.R.DC P0, R54, R12, R243, 0x1d05, 2D, 0x4;", 0x07e0_c805_d052_2f37_0c36)]),
    fixed("TLD4", (0xdec0_0000_0000_0000, 0xffc0_0100_0000_0000), reads!(coordinates, tld4_b, NO_HANDLE), |l| texels::gather(l, BOUND_COMPONENT, [coordinates, tld4_b])).attr(attr::TEXTURE.reads(2, 12)).modifiers(TLD4_B).rules(&[LATE]).says("Gathers one component of the four texels that sampling would blend, of a texture whose handle is in a register.")
        .examples(&[("TLD4.G.B.AOFFI R0, R4, R8, 0x0, 2D, 0xf;", 0x07e0_def8_0057_a087_0400)]),
    row("TLD", 0xdc00, 0xff00, reads!(coordinates, tld, HANDLE), |l| texels::fetch(l, [coordinates, tld])).attr(attr::TEXTURE).modifiers(TLD).rules(&[LATE]).says("Loads a texel.")
        .examples(&[("TLD.LL R0, R4, R8, 0x28, 2D, 0xf;", 0x07e0_dcb8_0287_a087_0400)]),
    row("TLD", 0xdd00, 0xff00, reads!(coordinates, tld_b, NO_HANDLE), |l| texels::fetch(l, [coordinates, tld_b])).attr(attr::TEXTURE).modifiers(TLD_B).rules(&[LATE]).says("Loads a texel of a texture whose handle is in a register.")
        .examples(&[("TLD.B.LZ.MS R0, R4, R8, 0x0, 2D, 0xf;", 0x07e0_dd3c_0007_a087_0400)]),
    row("TXD", 0xde00, 0xffc0, gradient_reads!(txd, HANDLE), |l| texels::gradients(l, [txd, gradients])).attr(attr::TEXTURE).modifiers(TXD).rules(&[LATE, LATE_CLAMP]).says("Samples a texture with given gradients.")
        .examples(&[("TXD.LC.AOFFI.NODEP R24, R168, R177, 0x19, ARRAY_CUBE, 0x2;", 0x07e0_de3e_0199_7b17_a818), ("TXD.AOFFI R24, R168, R177, 0x19, 2D, 0x2;", 0x07e0_de38_0199_2b17_a818)]),
    row("TXD", 0xde40, 0xffc0, gradient_reads!(txd_b, NO_HANDLE), |l| texels::gradients(l, [txd_b, gradients])).attr(attr::TEXTURE).modifiers(TXD_B).rules(&[LATE, LATE_CLAMP]).says("Samples a texture whose handle is in a register with given gradients.")
        .examples(&[("TXD.B R0, R4, R8, 0x0, 2D, 0xf;", 0x07e0_de78_0007_a087_0400)]),
    row("TXQ", 0xdf48, 0xfff8, &[DEST, SOURCE, ASKED, HANDLE, COMPONENTS], query).attr(attr::TEXTURE.reads(2, 8)).modifiers(QUERY).rules(&[KNOWN_QUERY]).says("Queries a property of a texture or its sampler.")
        .examples(&[("TXQ R0, R0, TEX_HEADER_DIMENSION, 0x56, 0x1;", 0x07e0_df48_0560_8047_0000)]),
    row("TXQ", 0xdf50, 0xfff8, &[DEST, SOURCE_B, ASKED, NO_HANDLE, COMPONENTS], query).attr(attr::TEXTURE.reads(2, 8)).modifiers(QUERY_B).rules(&[KNOWN_QUERY]).says("Queries a property of a texture whose handle is in a register.")
        .examples(&[("TXQ.B R0, R0, TEX_SAMPLER_LOD, 0x0, 0x1;", 0x07e0_df50_0000_8487_0000), ("TXQ.B R0, R0, TEX_HEADER_DIMENSION, 0x0, 0x1;", 0x07e0_df50_0000_8047_0000)]),
    row("TMML", 0xdf58, 0xfff8, &[DEST, COORDINATES, HANDLE, SHAPE_NAME, COMPONENTS], |l| texels::level(l, coordinates)).attr(attr::TEXTURE).modifiers(TMML).says("Determines which level sampling would read.")
        .examples(&[("@P1 TMML.LOD.NDV.NODEP R22, R116, 0x6dc, 3D, 0xd;", 0x07e0_df5a_6dce_c001_7416), ("TMML.LOD R22, R116, 0x6dc, 2D, 0x3;", 0x07e0_df58_6dc1_a007_7416)]),
    row("TMML", 0xdf60, 0xfff8, &[DEST, COORDINATES, HANDLE_REGISTER, NO_HANDLE, SHAPE_NAME, COMPONENTS], |l| texels::level(l, coordinates)).attr(attr::TEXTURE).modifiers(TMML_B).says("Determines which level sampling would read, of a texture whose handle is in a register.")
        .examples(&[("@P6 TMML.B.LOD.NDV R41, R74, R128, 0x0, 2D, 0x2;", 0x07e0_df60_0009_2806_4a29)]),
    row("TXA", 0xdf40, 0xfff8, &[DEST, SOURCE, HANDLE, COMPONENTS], texels::choice).attr(attr::TEXTURE).modifiers(&[DERIVED, NO_DEPENDENCE, PHASE]).says("Determines how sampling would choose among texels.")
        .examples(&[("TXA.NODEP R41, R146, 0x1766, 0xf;", 0x07e0_df43_7667_8007_9229)]),
    row("STP", 0xeea0, 0xfff8, &[BATCH], hint).attr(attr::FIXED.with_reuse3(true).on(Class::Texture)).bare().modifiers(&[flag(31, &["", ".WAIT"]), PHASE]).says("Sets the phase of texture reads.")
        .examples(&[("STP.WAIT 0x3c;", 0x07e0_eea0_0000_83c0_0000)]),
];

/// Refuses the suffix `.LC` on the first chip.
fn late_clamp(insn: &Insn<Maxwell>, ctx: Ctx, at: u8) -> Option<Diagnostic> {
    let wrong = ctx.chip < Chip::Sm52 && bit(&insn.word, at) != 0;
    wrong
        .then(|| Diagnostic::error("maxwell-chip", "this chip has no .LC here: sm_52 is the first that does"))
}

fn known_query(insn: &Insn<Maxwell>, _: Ctx) -> Option<Diagnostic> {
    let unknown = QUERIES[QUERIED.get(&insn.word) as usize & 63].is_empty();
    undefined(unknown, "no property has this number")
}

fn query(l: &mut MaxwellLift<'_, '_>) {
    let number = QUERIED.get(&l.insn.word) as usize & 63;
    texels::query(l, QUERIES[number]);
}

/// A phase groups reads for `DEPBAR`; it changes no value.
fn hint(_: &mut MaxwellLift<'_, '_>) {}
