//! Surfaces: images that are read and written by whole numbers.

use super::atomic::{REDUCTIONS, SHARED_OPERATIONS};
use super::surface_values::{
    CLAMP, COMPONENTS, SHAPE, SIZE, change, exchange, load_formatted, load_raw, store_formatted, store_raw,
};
use super::{always, choice, fixed, flag, late_predicate, row};
use crate::operand::{
    AT, Address, B, BARE_B, C, D, DEST, Dest, HANDLE, Inverted, MaxwellLift, P, STORED, Source, Span, operand,
};
use crate::{Maxwell, attr};
use shisa_diag::Diagnostic;
use shisa_rows::{Field, Form, Modifier, Operand, Rule};

/// The type of a reduction.
const REDUCED: Field = Field::at(20, 3);
/// The type of an atomic operation where the handle is in the instruction, and where it is in a register.
const TYPE: Field = Field::at(51, 3);
const LATE_TYPE: Field = Field::at(36, 3);

const SHAPES: Modifier = Modifier::new(
    SHAPE,
    &[
        ".1D",
        ".1D_BUFFER",
        ".1D_ARRAY",
        ".2D",
        ".2D_ARRAY",
        ".3D",
        ".INVALIDSURFACEDIM6",
        ".INVALIDSURFACEDIM7",
    ],
);
const MASKS: Modifier = Modifier::new(
    COMPONENTS,
    &[
        ".???0", ".R", ".G", ".RG", ".B", ".RB", ".GB", ".RGB", ".A", ".RA", ".GA", ".RGA", ".BA", ".RBA",
        ".GBA", "",
    ],
)
.unwritten(".RGBA");
const SIZES: Modifier =
    Modifier::new(SIZE, &[".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".INVALIDSIZE7"]).unwritten(".32");
const TYPES: &[&str] = &["", ".S32", ".U64", ".F32.FTZ.RN", ".F16x2.FTZ.RN", ".S64", ".SD32", ".SD64"];
const OLDER_TYPES: &[&str] =
    &["", ".S32", ".U64", ".F32.FTZ.RN", ".INVALIDATOMICSIZE4", ".S64", ".SD32", ".SD64"];
const LOAD_CACHE: Modifier = choice(24, 2, &["", ".CG", ".CI", ".CV"]);
const STORE_CACHE: Modifier = choice(24, 2, &["", ".CG", ".CS", ".WT"]);
const FORMATTED: Modifier = always(&[".P"]);
const RAW: Modifier = always(&[".D"]);
const BYTES: Modifier = flag(23, &["", ".BA"]);
const ATOM_BYTES: Modifier = flag(28, &["", ".BA"]);
const REDUCTION: Modifier = choice(24, 3, REDUCTIONS);
const OPERATION: Modifier = choice(29, 4, SHARED_OPERATIONS);
const CAS: Modifier = always(&[".CAS"]);
/// In place of the operation, of which only the first is defined.
const ONLY_CAS: Modifier = choice(
    29,
    4,
    &[
        ".CAS", ".???1", ".???2", ".???3", ".???4", ".???5", ".???6", ".???7", ".???8", ".???9", ".???10",
        ".???11", ".???12", ".???13", ".???14", ".???15",
    ],
);

const LOAD_P: &[Modifier] = &[FORMATTED, SHAPES, LOAD_CACHE, MASKS, CLAMP];
const LOAD_D: &[Modifier] = &[RAW, BYTES, SHAPES, LOAD_CACHE, SIZES, CLAMP];
const STORE_P: &[Modifier] = &[FORMATTED, SHAPES, STORE_CACHE, MASKS, CLAMP];
const STORE_D: &[Modifier] = &[RAW, BYTES, SHAPES, STORE_CACHE, SIZES, CLAMP];
const RED_P: &[Modifier] = &[FORMATTED, SHAPES, REDUCTION, CLAMP];
const ATOM_P: &[Modifier] = &[FORMATTED, SHAPES, OPERATION, CLAMP];
const CAS_P: &[Modifier] = &[FORMATTED, SHAPES, ONLY_CAS, CLAMP];

/// The suffixes of raw rows with a type.
macro_rules! typed {
    ($bytes:expr, $operation:expr, $field:expr, $names:expr) => {
        &[RAW, $bytes, SHAPES, $operation, Modifier::new($field, $names).unwritten(".U32"), CLAMP]
    };
}
const RED_D: &[Modifier] = typed!(BYTES, REDUCTION, REDUCED, TYPES);
const OLDER_RED_D: &[Modifier] = typed!(BYTES, REDUCTION, REDUCED, OLDER_TYPES);
const ATOM_D: &[Modifier] = typed!(ATOM_BYTES, OPERATION, TYPE, TYPES);
const OLDER_ATOM_D: &[Modifier] = typed!(ATOM_BYTES, OPERATION, TYPE, OLDER_TYPES);
const CAS_D: &[Modifier] = typed!(ATOM_BYTES, CAS, TYPE, TYPES);
const OLDER_CAS_D: &[Modifier] = typed!(ATOM_BYTES, CAS, TYPE, OLDER_TYPES);
const ATOM_R: &[Modifier] = typed!(ATOM_BYTES, OPERATION, LATE_TYPE, TYPES);
const OLDER_ATOM_R: &[Modifier] = typed!(ATOM_BYTES, OPERATION, LATE_TYPE, OLDER_TYPES);
const CAS_R: &[Modifier] = typed!(ATOM_BYTES, CAS, LATE_TYPE, TYPES);
const OLDER_CAS_R: &[Modifier] = typed!(ATOM_BYTES, CAS, LATE_TYPE, OLDER_TYPES);

fn coordinates(word: &u128) -> u8 {
    [1, 1, 2, 2, 3, 3, 1, 1][SHAPE.get(word) as usize & 7]
}

fn masked(word: &u128) -> u8 {
    COMPONENTS.get(word).count_ones() as u8
}

fn sized(word: &u128) -> u8 {
    match SIZE.get(word) {
        5 => 2,
        6 => 4,
        _ => 1,
    }
}

/// Registers of a type.
const fn count(ty: u64) -> u8 {
    match ty {
        2 | 5 | 7 => 2,
        _ => 1,
    }
}

fn reduced(word: &u128) -> u8 {
    count(REDUCED.get(word))
}

fn typed(word: &u128) -> u8 {
    count(TYPE.get(word))
}

fn late_typed(word: &u128) -> u8 {
    count(LATE_TYPE.get(word))
}

const fn dest(span: fn(&u128) -> u8) -> Dest {
    Dest { codes: false, span: Span::By(span) }
}

const fn source(span: fn(&u128) -> u8) -> Source {
    Source { span: Span::By(span), ..Source::PLAIN }
}

const PLACE: Operand<Maxwell> = operand(AT, Field::at(8, 8), &Address::BYTES.span(Span::By(coordinates)));
const IMAGE: Operand<Maxwell> = operand(C, Field::at(39, 8), &Source::PLAIN);
const IMAGE_NUMBER: Operand<Maxwell> = operand(C, HANDLE.field, HANDLE.kind);
const RESIDENT: Operand<Maxwell> = operand(P, Field::at(30, 3), &Inverted { optional: true });
const LATE_RESIDENT: Operand<Maxwell> = operand(P, Field::at(51, 3), &Inverted { optional: false });
const LOADED_P: Operand<Maxwell> = operand(D, Field::at(0, 8), &dest(masked));
const LOADED_D: Operand<Maxwell> = operand(D, Field::at(0, 8), &dest(sized));
const STORED_P: Operand<Maxwell> = operand(D, Field::at(0, 8), &source(masked));
const STORED_D: Operand<Maxwell> = operand(D, Field::at(0, 8), &source(sized));
const REDUCED_D: Operand<Maxwell> = operand(D, Field::at(0, 8), &source(reduced));
const OLD: Operand<Maxwell> = operand(D, Field::at(0, 8), &dest(typed));
const LATE_OLD: Operand<Maxwell> = operand(D, Field::at(0, 8), &dest(late_typed));
const VALUE: Operand<Maxwell> = operand(B, Field::at(20, 8), &source(typed));
const LATE_VALUE: Operand<Maxwell> = operand(B, Field::at(20, 8), &source(late_typed));
/// What the surface is compared with and exchanged for, in registers in a row.
const PAIR: Operand<Maxwell> = operand(B, Field::at(20, 8), &source(|word| 2 * typed(word)));
const LATE_PAIR: Operand<Maxwell> = operand(B, Field::at(20, 8), &source(|word| 2 * late_typed(word)));
const PAIR_P: Operand<Maxwell> = operand(B, Field::at(20, 8), &Source { span: Span::Two, ..Source::PLAIN });

const LATE: &[Rule<Maxwell>] = &[Rule { code: "maxwell-chip", check: |i, c| late_predicate(i, c, 0) }];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("SULD", 0xeb00, 0xfff8, &[RESIDENT, LOADED_P, PLACE, IMAGE], load_formatted).attr(attr::TEXTURE).modifiers(LOAD_P).says("Loads components of a surface whose handle is in a register.")
        .examples(&[("SULD.P.2D_ARRAY.CG.A.IGN P3, R2, [R47], R11;", 0x07e0_eb00_0589_0187_2f02)]),
    row("SULD", 0xeb08, 0xfff8, &[RESIDENT, LOADED_P, PLACE, IMAGE_NUMBER], load_formatted).attr(attr::TEXTURE).modifiers(LOAD_P).says("Loads components of a surface.")
        .examples(&[("SULD.P.2D.IGN R0, [R2], 0x48;", 0x07e0_eb08_0486_00f7_0200)]),
    row("SULD", 0xeb10, 0xfff8, &[RESIDENT, LOADED_D, PLACE, IMAGE], load_raw).attr(attr::TEXTURE).modifiers(LOAD_D).says("Loads raw data of a surface whose handle is in a register.")
        .examples(&[("SULD.D.BA.3D.CG.U8.INVALIDSURFACECLAMP3 R133, [R15], R25;", 0x07e0_eb16_0c8a_0187_0f85)]),
    row("SULD", 0xeb18, 0xfff8, &[RESIDENT, LOADED_D, PLACE, IMAGE_NUMBER], load_raw).attr(attr::TEXTURE).modifiers(LOAD_D).says("Loads raw data of a surface.")
        .examples(&[("SULD.D.2D.64.TRAP R0, [R2], 0x48;", 0x07e0_eb1c_0486_0057_0200)]),
    row("SUST", 0xeb20, 0xfff8, &[PLACE, STORED_P, IMAGE], store_formatted).attr(attr::TEXTURE.reads(2, 12)).modifiers(STORE_P).says("Stores components to a surface whose handle is in a register.")
        .examples(&[("SUST.P.1D_BUFFER.CS.BA.IGN [R64], R134, R1;", 0x07e0_eb20_0082_02c7_4086)]),
    row("SUST", 0xeb28, 0xfff8, &[PLACE, STORED_P, IMAGE_NUMBER], store_formatted).attr(attr::TEXTURE.reads(2, 12)).modifiers(STORE_P).says("Stores components to a surface.")
        .examples(&[("SUST.P.2D.IGN [R2], R4, 0x48;", 0x07e0_eb28_0486_00f7_0204)]),
    row("SUST", 0xeb30, 0xfff8, &[PLACE, STORED_D, IMAGE], store_raw).attr(attr::TEXTURE.reads(2, 12)).modifiers(STORE_D).says("Stores raw data to a surface whose handle is in a register.")
        .examples(&[("SUST.D.BA.1D_BUFFER.CG.64.IGN [R173], R133, R101;", 0x07e0_eb30_3282_01d7_ad85)]),
    row("SUST", 0xeb38, 0xfff8, &[PLACE, STORED_D, IMAGE_NUMBER], store_raw).attr(attr::TEXTURE.reads(2, 12)).modifiers(STORE_D).says("Stores raw data to a surface.")
        .examples(&[("SUST.D.2D.128.TRAP [R2], R4, 0x48;", 0x07e0_eb3c_0486_0067_0204)]),
    row("SURED", 0xeb40, 0xfff8, &[PLACE, STORED, IMAGE], reduce_formatted).attr(attr::TEXTURE.reads(2, 4)).modifiers(RED_P).says("Changes a component of a surface whose handle is in a register.")
        .examples(&[("SURED.P.1D.ADD.IGN [R0], R0, R1;", 0x07e0_eb40_0080_0007_0000)]),
    row("SURED", 0xeb48, 0xfff8, &[PLACE, STORED, IMAGE_NUMBER], reduce_formatted).attr(attr::TEXTURE.reads(2, 4)).modifiers(RED_P).says("Changes a component of a surface.")
        .examples(&[("SURED.P.2D.OR.IGN [R2], R4, 0x48;", 0x07e0_eb48_0486_0607_0204)]),
    row("SURED", 0xeb50, 0xfff8, &[PLACE, REDUCED_D, IMAGE], reduce_raw).attr(attr::TEXTURE.reads(2, 4)).modifiers(RED_D).older(OLDER_RED_D).says("Changes raw data of a surface whose handle is in a register.")
        .examples(&[("SURED.D.1D_ARRAY.ADD.F16x2.FTZ.RN.IGN [R32], R0, R140;", 0x07e0_eb50_4604_0047_2000)]),
    row("SURED", 0xeb58, 0xfff8, &[PLACE, REDUCED_D, IMAGE_NUMBER], reduce_raw).attr(attr::TEXTURE.reads(2, 4)).modifiers(RED_D).older(OLDER_RED_D).says("Changes raw data of a surface.")
        .examples(&[("SURED.D.3D.INC.F32.FTZ.RN.TRAP [R187], R26, 0x1081;", 0x07e0_eb5d_081a_0337_bb1a)]),
    row("SUATOM", 0xea60, 0xfff8, &[DEST, PLACE, BARE_B, IMAGE], change_formatted).attr(attr::TEXTURE).modifiers(ATOM_P).says("Changes a component of a surface whose handle is in a register, and gives what was there.")
        .examples(&[("SUATOM.P.1D.MIN.IGN R0, [R0], R4, R2;", 0x07e0_ea60_0100_2047_0000)]),
    row("SUATOM", 0xea68, 0xfff8, &[DEST, PLACE, BARE_B, IMAGE_NUMBER], change_formatted).attr(attr::TEXTURE).modifiers(ATOM_P).says("Changes a component of a surface and gives what was there.")
        .examples(&[("SUATOM.P.2D.EXCH.IGN R0, [R2], R4, 0x48;", 0x07e0_ea68_0487_0047_0200)]),
    row("SUATOM", 0xea70, 0xfff8, &[LATE_OLD, PLACE, LATE_VALUE, IMAGE], change_late).attr(attr::TEXTURE).modifiers(ATOM_R).older(OLDER_ATOM_R).says("Changes raw data of a surface whose handle is in a register, and gives what was there.")
        .examples(&[("SUATOM.D.1D.ADD.SD64.IGN R0, [R0], R4, R2;", 0x07e0_ea70_0170_0047_0000)]),
    fixed("SUATOM", (0xea00_0000_0000_0000, 0xffc0_0000_0000_0000), &[OLD, PLACE, VALUE, IMAGE_NUMBER], change_raw).attr(attr::TEXTURE).modifiers(ATOM_D).older(OLDER_ATOM_D).says("Changes raw data of a surface and gives what was there.")
        .examples(&[("SUATOM.D.1D.INVALIDATOMSOP12.F16x2.FTZ.RN.IGN R1, [R18], R0, 0x44;", 0x07e0_ea20_0441_8007_1201)]),
    row("SUATOM", 0xeac0, 0xfff8, &[DEST, PLACE, PAIR_P, IMAGE], exchange_formatted).attr(attr::TEXTURE).modifiers(CAS_P).says("Exchanges a component of a surface whose handle is in a register if it is equal, and gives what was there.")
        .examples(&[("SUATOM.P.1D.CAS.IGN R0, [R0], R4, R2;", 0x07e0_eac0_0100_0047_0000)]),
    row("SUATOM", 0xeac8, 0xfff8, &[DEST, PLACE, PAIR_P, IMAGE_NUMBER], exchange_formatted).attr(attr::TEXTURE).modifiers(CAS_P).says("Exchanges a component of a surface if it is equal, and gives what was there.")
        .examples(&[("SUATOM.P.2D.???8.IGN R0, [R2], R4, 0x48;", 0x07e0_eac8_0487_0047_0200)]),
    row("SUATOM", 0xead0, 0xfff8, &[RESIDENT, LATE_OLD, PLACE, LATE_PAIR, IMAGE], exchange_late).attr(attr::TEXTURE).modifiers(CAS_R).older(OLDER_CAS_R).rules(LATE).says("Exchanges raw data of a surface whose handle is in a register if it is equal, and gives what was there.")
        .examples(&[("SUATOM.D.1D.CAS.SD64.IGN P3, R0, [R0], R4, R2;", 0x07e0_ead0_0171_0047_0000)]),
    fixed("SUATOM", (0xea80_0000_0000_0000, 0xffc0_0000_0000_0000), &[RESIDENT, OLD, PLACE, PAIR, IMAGE_NUMBER], exchange_raw).attr(attr::TEXTURE).modifiers(CAS_D).older(OLDER_CAS_D).rules(LATE).says("Exchanges raw data of a surface if it is equal, and gives what was there.")
        .examples(&[("SUATOM.D.2D.CAS.IGN R0, [R2], R4, 0x48;", 0x07e0_ea80_0486_0047_0200)]),
    row("SUATOM", 0xeb80, 0xffc0, &[LATE_RESIDENT, LATE_OLD, PLACE, LATE_VALUE, IMAGE], change_late).attr(attr::TEXTURE.late()).modifiers(ATOM_R).says("Changes raw data of a surface whose handle is in a register; the predicate says whether the page is there.")
        .examples(&[("SUATOM.D.1D.ADD.F16x2.FTZ.RN.IGN PT, R0, [R16], R0, R8;", 0x07e0_eb80_0440_0007_1000)]),
];

fn reduce_formatted(l: &mut MaxwellLift<'_, '_>) {
    change(l, REDUCTION.field, None, false);
}

fn reduce_raw(l: &mut MaxwellLift<'_, '_>) {
    change(l, REDUCTION.field, Some(REDUCED), false);
}

fn change_formatted(l: &mut MaxwellLift<'_, '_>) {
    change(l, OPERATION.field, None, true);
}

fn change_raw(l: &mut MaxwellLift<'_, '_>) {
    change(l, OPERATION.field, Some(TYPE), true);
}

fn change_late(l: &mut MaxwellLift<'_, '_>) {
    change(l, OPERATION.field, Some(LATE_TYPE), true);
}

/// Operations other than the first have no name.
fn exchange_formatted(l: &mut MaxwellLift<'_, '_>) {
    match ONLY_CAS.field.get(&l.insn.word) {
        0 => exchange(l, None),
        _ => {
            l.refuse(Diagnostic::error("lift-surface", "only the operation with the number 0 is known here"))
        }
    }
}

fn exchange_raw(l: &mut MaxwellLift<'_, '_>) {
    exchange(l, Some(TYPE));
}

fn exchange_late(l: &mut MaxwellLift<'_, '_>) {
    exchange(l, Some(LATE_TYPE));
}
