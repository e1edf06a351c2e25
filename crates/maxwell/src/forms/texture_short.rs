//! Textures, in the short form: both sources and both destinations are single registers or pairs.

use super::texels;
use super::texture::{COMPARED, GATHERED, NO_DEPENDENCE, PHASE};
use super::{UNDEFINED, always, choice, fixed, flag, undefined};
use crate::attr::Attr;
use crate::operand::{
    A, B, COMPONENTS, COMPONENTS2, D, Dest, E, FIXED_RZ, HANDLE, MaxwellLift, SHAPE, Source, Span, expected,
    operand, unless_rz,
};
use crate::{Ctx, Maxwell, attr};
use shisa_diag::Diagnostic;
use shisa_ir::{TexKind, Value};
use shisa_rows::{Details, Field, Form, Hints, Insn, Kind, Line, Modifier, Operand, Rule, Scan};

/// The mode of a texture read: shape, level, offset and comparison together.
const MODE: Field = Field::at(53, 4);
/// The number of the shape of two dimensions.
const FLAT: u64 = 2;
/// The components that are written.
const KEPT: Field = Field::at(50, 3);

/// A mode of reading a texture: suffix, shape, registers of the first and of the second source.
type Mode = (&'static str, &'static str, u8, u8);

const SAMPLE: [Mode; 14] = [
    (".LZ", "1D", 1, 0),
    ("", "2D", 1, 1),
    (".LZ", "2D", 1, 1),
    (".LL", "2D", 2, 1),
    (".DC", "2D", 2, 1),
    (".LL.DC", "2D", 2, 2),
    (".LZ.DC", "2D", 2, 1),
    ("", "ARRAY_2D", 2, 1),
    (".LZ", "ARRAY_2D", 2, 1),
    (".LZ.DC", "ARRAY_2D", 2, 2),
    ("", "3D", 2, 1),
    (".LZ", "3D", 2, 1),
    ("", "CUBE", 2, 1),
    (".LL", "CUBE", 2, 2),
];

/// Those with an empty shape do not exist.
const LOAD: [Mode; 13] = [
    (".LZ", "1D", 1, 0),
    (".LL", "1D", 1, 1),
    (".LZ", "2D", 1, 1),
    ("", "", 0, 0),
    (".LZ.AOFFI", "2D", 2, 1),
    (".LL", "2D", 2, 1),
    (".LZ.MS", "2D", 2, 1),
    (".LZ", "3D", 2, 1),
    (".LZ", "ARRAY_2D", 1, 2),
    ("", "", 0, 0),
    ("", "", 0, 0),
    ("", "", 0, 0),
    (".LL.AOFFI", "2D", 2, 2),
];

/// The suffixes of the modes.
const fn suffixes<const N: usize>(modes: &[Mode; N]) -> [&'static str; N] {
    let (mut names, mut i) = ([""; N], 0);
    while i < N {
        names[i] = modes[i].0;
        i += 1;
    }
    names
}

const SAMPLE_MODE: Modifier = Modifier::new(MODE, &suffixes(&SAMPLE));
const LOAD_MODE: Modifier = Modifier::new(MODE, &suffixes(&LOAD));
const HALF: Modifier = always(&[".F16"]);
const SAMPLE_WIDE: &[Modifier] = &[SAMPLE_MODE, NO_DEPENDENCE, PHASE];
const SAMPLE_HALF: &[Modifier] = &[HALF, SAMPLE_MODE, NO_DEPENDENCE, PHASE];
const LOAD_WIDE: &[Modifier] = &[LOAD_MODE, NO_DEPENDENCE, PHASE];
const LOAD_HALF: &[Modifier] = &[HALF, LOAD_MODE, NO_DEPENDENCE, PHASE];
const OFFSET: Modifier = flag(51, &["", ".AOFFI"]);
const GATHER: Modifier = choice(52, 2, GATHERED);
const GATHER_WIDE: &[Modifier] = &[GATHER, OFFSET, COMPARED, NO_DEPENDENCE, PHASE];
const GATHER_HALF: &[Modifier] = &[HALF, GATHER, OFFSET, COMPARED, NO_DEPENDENCE, PHASE];

fn mode<const N: usize>(modes: &[Mode; N], word: &u128) -> Mode {
    modes.get(MODE.get(word) as usize).copied().unwrap_or_default()
}

/// Registers of one component or two, or of what two leave of three or four.
fn kept(word: &u128) -> u8 {
    if KEPT.get(word) < 4 { 1 } else { 2 }
}

/// Gathering reads a pair and leaves the second source to offset and comparison, if it has either.
fn gather_first(word: &u128) -> u8 {
    if Field::at(50, 2).get(word) == 0 { 1 } else { 2 }
}

fn gather_second(word: &u128) -> u8 {
    Field::at(50, 2).get(word).count_ones().max(1) as u8
}

const fn dest(slot: shisa_rows::Slot, lo: u8, dest: &'static Dest) -> Operand<Maxwell> {
    operand(slot, Field::at(lo, 8), dest)
}

const PAIR: Dest = Dest { codes: false, span: Span::Two };
const ONE: Operand<Maxwell> = dest(D, 0, &Dest { codes: false, span: Span::By(kept) });
const TWO: Operand<Maxwell> = dest(D, 0, &PAIR);
const REST: Operand<Maxwell> = dest(E, 28, &Dest { codes: false, span: Span::By(kept) });
const HALVES: Operand<Maxwell> = dest(D, 0, &Dest::ONE);
const REST_HALVES: Operand<Maxwell> = dest(E, 28, &Dest::ONE);
const GATHERED_REST: Operand<Maxwell> = dest(E, 28, &PAIR);

/// So many registers.
const fn source(span: fn(&u128) -> u8) -> Source {
    Source { span: Span::By(span), ..Source::PLAIN }
}

const SAMPLED: [Operand<Maxwell>; 2] = [
    operand(A, Field::at(8, 8), &source(|word| mode(&SAMPLE, word).2)),
    operand(B, Field::at(20, 8), &unless_rz(&source(|word| mode(&SAMPLE, word).3))),
];
const LOADED: [Operand<Maxwell>; 2] = [
    operand(A, Field::at(8, 8), &source(|word| mode(&LOAD, word).2)),
    operand(B, Field::at(20, 8), &unless_rz(&source(|word| mode(&LOAD, word).3))),
];
const GATHERED_FROM: [Operand<Maxwell>; 2] = [
    operand(A, Field::at(8, 8), &source(gather_first)),
    operand(B, Field::at(20, 8), &source(gather_second)),
];
const SAMPLE_SHAPE: Operand<Maxwell> = operand(SHAPE, Field::NONE, &ShapeOf(&SAMPLE));
const LOAD_SHAPE: Operand<Maxwell> = operand(SHAPE, Field::NONE, &ShapeOf(&LOAD));

const KNOWN_SAMPLE: &[Rule<Maxwell>] = &[Rule { code: UNDEFINED, check: |i, _| known(&SAMPLE, i) }];
const KNOWN_LOAD: &[Rule<Maxwell>] = &[Rule { code: UNDEFINED, check: |i, _| known(&LOAD, i) }];

/// A row with two destinations.
const fn two(
    name: &'static str,
    bits: u64,
    operands: &'static [Operand<Maxwell>],
    lift: fn(&mut MaxwellLift<'_, '_>),
) -> Form<Maxwell> {
    fixed(name, (bits << 48, 0xfe00_0000_0000_0000), operands, lift).yields_to(name).attr(attr::TEXTURE)
}

/// A row with one destination; the second is `RZ`.
const fn one(
    name: &'static str,
    bits: u64,
    operands: &'static [Operand<Maxwell>],
    lift: fn(&mut MaxwellLift<'_, '_>),
) -> Form<Maxwell> {
    fixed(name, (bits << 48 | 0xf_f000_0000, 0xfe00_000f_f000_0000), operands, lift).attr(attr::TEXTURE)
}

/// cuBLAS has such pairs, but none of the loads is used before it has certainly been completed by other means.
const TLDS_TIMING: Attr = attr::TEXTURE.reads_doubtfully(2, 621);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    one("TEXS", 0xd800, &[FIXED_RZ, ONE, SAMPLED[0], SAMPLED[1], HANDLE, SAMPLE_SHAPE, COMPONENTS], sample).modifiers(SAMPLE_WIDE).rules(KNOWN_SAMPLE).says("Samples a texture; one or two components go to registers in a row.")
        .examples(&[("@P1 TEXS RZ, R25, R211, R120, 0x11e2, 2D, BA;", 0x07e0_d83d_1e2f_f781_d319), ("TEXS.LZ RZ, R5, R2, R3, 0x28, 2D, R;", 0x07e0_d840_028f_f037_0205),
            ("TEXS.LL RZ, R0, R2, R4, 0x8, 2D, RG;", 0x07e0_d870_008f_f047_0200), ("TEXS.LZ RZ, R2, R2, R4, 0x28, 3D, RA;", 0x07e0_d974_028f_f047_0202),
            ("TEXS.NODEP RZ, R8, R190, R170, 0x1f23, CUBE, GA;", 0x07e0_d99b_f23f_faa7_be08)]),
    two("TEXS", 0xd800, &[REST, TWO, SAMPLED[0], SAMPLED[1], HANDLE, SAMPLE_SHAPE, COMPONENTS2], sample).modifiers(SAMPLE_WIDE).rules(KNOWN_SAMPLE).says("Samples a texture; the first two components go to one pair of registers, the rest to the other.")
        .examples(&[("TEXS R4, R6, R4, R5, 0x1a4, 2D, RGBA;", 0x07e0_d830_1a40_4057_0406), ("TEXS.LZ R2, R0, R2, R3, 0x8, 2D, RGB;", 0x07e0_d840_0080_2037_0200),
            ("TEXS.LL R2, R0, R2, R4, 0x8, 2D, RGBA;", 0x07e0_d870_0080_2047_0200), ("TEXS R2, R0, R2, R4, 0x8, 3D, RGBA;", 0x07e0_d950_0080_2047_0200),
            ("TEXS R2, R0, R2, R4, 0x8, CUBE, RGBA;", 0x07e0_d990_0080_2047_0200)]),
    one("TEXS", 0xd000, &[FIXED_RZ, HALVES, SAMPLED[0], SAMPLED[1], HANDLE, SAMPLE_SHAPE, COMPONENTS], sample).attr(attr::TEXTURE.late()).modifiers(SAMPLE_HALF).rules(KNOWN_SAMPLE).says("Samples a texture; one or two components of 16 bits go to one register.")
        .examples(&[("TEXS.F16 RZ, R0, R0, R0, 0x0, ARRAY_2D, R;", 0x07e0_d0e0_000f_f007_0000)]),
    two("TEXS", 0xd000, &[REST_HALVES, HALVES, SAMPLED[0], SAMPLED[1], HANDLE, SAMPLE_SHAPE, COMPONENTS2], sample).attr(attr::TEXTURE.late()).modifiers(SAMPLE_HALF).rules(KNOWN_SAMPLE).says("Samples a texture; components of 16 bits go to both registers.")
        .examples(&[("@P1 TEXS.F16.LL.DC.NODEP R84, R21, R228, R23, 0x184c, 2D, RBA;", 0x07e0_d0ab_84c5_4171_e415)]),
    one("TLDS", 0xda00, &[FIXED_RZ, ONE, LOADED[0], LOADED[1], HANDLE, LOAD_SHAPE, COMPONENTS], load).attr(TLDS_TIMING).modifiers(LOAD_WIDE).rules(KNOWN_LOAD).says("Loads a texel; one or two components go to registers in a row.")
        .examples(&[("TLDS.LZ.MS RZ, R0, R0, R0, 0x0, 2D, R;", 0x07e0_dac0_000f_f007_0000)]),
    two("TLDS", 0xda00, &[REST, TWO, LOADED[0], LOADED[1], HANDLE, LOAD_SHAPE, COMPONENTS2], load).attr(TLDS_TIMING).modifiers(LOAD_WIDE).rules(KNOWN_LOAD).says("Loads a texel; the first two components go to one pair of registers, the rest to the other.")
        .examples(&[("TLDS.LL.AOFFI R0, R0, R0, R0, 0x0, 2D, RGBA;", 0x07e0_db90_0000_0007_0000)]),
    one("TLDS", 0xd200, &[FIXED_RZ, HALVES, LOADED[0], LOADED[1], HANDLE, LOAD_SHAPE, COMPONENTS], load).attr(TLDS_TIMING.late()).modifiers(LOAD_HALF).rules(KNOWN_LOAD).says("Loads a texel; one or two components of 16 bits go to one register.")
        .examples(&[("TLDS.F16.LZ RZ, R0, R0, R0, 0x0, 3D, R;", 0x07e0_d2e0_000f_f007_0000)]),
    two("TLDS", 0xd200, &[REST_HALVES, HALVES, LOADED[0], LOADED[1], HANDLE, LOAD_SHAPE, COMPONENTS2], load).attr(TLDS_TIMING.late()).modifiers(LOAD_HALF).rules(KNOWN_LOAD).says("Loads a texel; components of 16 bits go to both registers.")
        .examples(&[("@!P3 TLDS.F16.LZ.AOFFI.NODEP R248, R128, R194, R47, 0x1d09, 2D, RBA;", 0x07e0_d28b_d09f_82fb_c280)]),
    fixed("TLD4S", (0xdf00_0000_0000_0000, 0xffc0_0000_0000_0000), &[GATHERED_REST, TWO, GATHERED_FROM[0], GATHERED_FROM[1], HANDLE], gather).attr(attr::TEXTURE).modifiers(GATHER_WIDE).says("Gathers one component of the four texels that sampling would blend, in two pairs of registers.")
        .examples(&[("TLD4S.R.AOFFI.DC.NODEP R202, R3, R39, R216, 0xfb1;", 0x07e0_df0e_fb1c_ad87_2703)]),
    fixed("TLD4S", (0xdf80_0000_0000_0000, 0xffc0_0000_0000_0000), &[REST_HALVES, HALVES, GATHERED_FROM[0], GATHERED_FROM[1], HANDLE], gather).attr(attr::TEXTURE.late()).modifiers(GATHER_HALF).says("Gathers one component of the four texels that sampling would blend, 16 bits each, in two registers.")
        .examples(&[("TLD4S.F16.R.NODEP R221, R196, R74, R226, 0x1587;", 0x07e0_df83_587d_de27_4ac4)]),
];

/// The shape that belongs to a mode, whose bits the suffix holds. The text has both, and together they are the mode.
struct ShapeOf(&'static [Mode]);

impl Kind<Maxwell> for ShapeOf {
    fn describe(&self) -> &'static str {
        "shape"
    }

    fn print(&self, _: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        out.text(self.0.get(MODE.get(&insn.word) as usize).map_or("", |w| w.1));
    }

    fn parse(
        &self,
        _: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let (name, suffix) = (text.word(), self.0.get(MODE.get(word) as usize).map_or("", |w| w.0));
        match self.0.iter().position(|w| w.0 == suffix && w.1 == name && !name.is_empty()) {
            Some(n) => MODE.set(word, n as u64),
            None => {
                text.rewind(at);
                return Err(expected("a shape that can be read in this mode", text));
            }
        }
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        self.0.get(MODE.get(&insn.word) as usize).is_some_and(|w| !w.1.is_empty())
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for ShapeOf {}

impl Hints<Maxwell> for ShapeOf {
    fn decided_by(&self, _: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        Some(MODE.mask())
    }
}

fn known<const N: usize>(modes: &[Mode; N], insn: &Insn<Maxwell>) -> Option<Diagnostic> {
    undefined(mode(modes, &insn.word).1.is_empty(), "there is no such mode of reading a texture")
}

/// A read in a mode of these.
fn read<const N: usize>(l: &mut MaxwellLift<'_, '_>, kind: TexKind, modes: &[Mode; N]) {
    let (_, shape, first, second) = mode(modes, &l.insn.word);
    match texels::SHAPES.iter().position(|name| *name == shape) {
        Some(number) => texels::short(l, kind, number as u64, [first, second]),
        None => l.refuse(Diagnostic::error(UNDEFINED, "there is no such mode of reading a texture")),
    }
}

fn sample(l: &mut MaxwellLift<'_, '_>) {
    read(l, TexKind::Sample, &SAMPLE);
}

fn load(l: &mut MaxwellLift<'_, '_>) {
    read(l, TexKind::Fetch, &LOAD);
}

/// Gathers from a texture of two dimensions: tests that others ran on a Switch show it, and the instruction names no shape.
fn gather(l: &mut MaxwellLift<'_, '_>) {
    let word = l.insn.word;
    let kind = TexKind::Gather(GATHER.field.get(&word) as u8);
    texels::short(l, kind, FLAT, [gather_first(&word), gather_second(&word)]);
}
