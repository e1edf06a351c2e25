//! Loads and stores.

use super::memory_values::{
    GENERIC_SIZE, INDEXING, SIZE, load_constant, load_generic, load_global, load_local, load_shared,
    store_generic, store_global, store_local, store_shared,
};
use super::{UNDEFINED, choice, flag, row, undefined};
use crate::attr::Attr;
use crate::operand::{AT, Address, Bank, D, Dest, Inverted, P, Predicate, Source, Span, operand, unless_pt};
use crate::role::{Memory, MemoryAccess};
use crate::{Ctx, Maxwell, attr};
use shisa_diag::Diagnostic;
use shisa_rows::{Field, Form, Insn, Modifier, Operand, Rule};

const LOADED: &[&str] = &[".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".U.128"];
const STORED: &[&str] = &[".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".INVALIDSIZE7"];
/// How much is loaded or stored. Other assemblers write `.32` for the usual size.
const fn size(field: Field, names: &'static [&'static str]) -> Modifier {
    Modifier::new(field, names).unwritten(".32")
}

const LOAD_CACHE: &[&str] = &["", ".CG", ".CI", ".CV"];
const STORE_CACHE: &[&str] = &["", ".CG", ".CS", ".WT"];

const GLOBAL_LOAD: &[Modifier] = &[flag(45, &["", ".E"]), choice(46, 2, LOAD_CACHE), size(SIZE, LOADED)];
const GLOBAL_STORE: &[Modifier] = &[flag(45, &["", ".E"]), choice(46, 2, STORE_CACHE), size(SIZE, STORED)];
const GENERIC_LOAD: &[Modifier] =
    &[flag(52, &["", ".E"]), choice(56, 2, LOAD_CACHE), size(GENERIC_SIZE, LOADED)];
const GENERIC_STORE: &[Modifier] =
    &[flag(52, &["", ".E"]), choice(56, 2, STORE_CACHE), size(GENERIC_SIZE, STORED)];
const LOCAL_LOAD: &[Modifier] = &[choice(44, 2, &["", ".LU", ".CI", ".CV"]), size(SIZE, STORED)];
const LOCAL_STORE: &[Modifier] = &[choice(44, 2, STORE_CACHE), size(SIZE, STORED)];
const SHARED_STORE: &[Modifier] = &[size(SIZE, STORED)];
/// Bit 44 says that all lanes load from one address; then 32 bits are named.
const SHARED_LOAD: &[Modifier] = &[size(
    SIZE.then(44, 1),
    &[
        ".U8",
        ".S8",
        ".U16",
        ".S16",
        "",
        ".64",
        ".128",
        ".INVALIDSIZE7", //
        ".U.U8",
        ".U.S8",
        ".U.U16",
        ".U.S16",
        ".U.32",
        ".U.64",
        ".U.128",
        ".U.INVALIDSIZE7",
    ],
)];
const CONSTANT_LOAD: &[Modifier] = &[
    size(SIZE, &[".U8", ".S8", ".U16", ".S16", "", ".64", ".INVALIDSIZE6", ".INVALIDSIZE7"]),
    choice(44, 2, &["", ".IL", ".IS", ".ISL"]),
];

/// How many registers an access of a size has.
const fn count(size: u64) -> u8 {
    match size {
        5 => 2,
        6 | 7 => 4,
        _ => 1,
    }
}

/// Bytes of an access; none if its size is not defined.
fn bytes(word: &u128) -> u64 {
    match SIZE.get(word) {
        0 | 1 => 1,
        2 | 3 => 2,
        4 => 4,
        5 => 8,
        6 => 16,
        _ => 0,
    }
}

const fn loads(attr: Attr, memory: Memory) -> Attr {
    attr.accesses(MemoryAccess { memory, stores: false })
}

const fn stores(attr: Attr, memory: Memory) -> Attr {
    attr.accesses(MemoryAccess { memory, stores: true })
}

const LOCAL: Memory = Memory::Local { bytes };
const CONSTANTS: Memory = Memory::Constant { word: |word| SIZE.get(word) == 4 && INDEXING.get(word) == 0 };

const WIDTH: Span = Span::By(|word| count(SIZE.get(word)));
const GENERIC_WIDTH: Span = Span::By(|word| count(GENERIC_SIZE.get(word)));
/// One register or two for an address, as a bit says.
const fn wide(bit: fn(&u128) -> u8) -> Address {
    Address::BYTES.span(Span::By(bit))
}

const LOAD: Operand<Maxwell> = operand(D, Field::at(0, 8), &Dest { codes: false, span: WIDTH });
const STORE: Operand<Maxwell> = operand(D, Field::at(0, 8), &Source { span: WIDTH, ..Source::PLAIN });
const GENERIC: Operand<Maxwell> =
    operand(AT, Field::at(8, 8).then(20, 32), &wide(|word| 1 + Field::at(52, 1).get(word) as u8));
const GENERIC_D: Operand<Maxwell> = operand(D, Field::at(0, 8), &Dest { codes: false, span: GENERIC_WIDTH });
const GENERIC_S: Operand<Maxwell> =
    operand(D, Field::at(0, 8), &Source { span: GENERIC_WIDTH, ..Source::PLAIN });
/// What the sum that made the address says: its carry-out, which compilers take from `LEA`. With a carry the address
/// is outside of all windows. It has no effect here: the environment finds the window of an address.
const CARRIED: Operand<Maxwell> = operand(P, Field::at(58, 3), &unless_pt(&Predicate { written: false }));
const GLOBAL: Operand<Maxwell> =
    operand(AT, Field::at(8, 8).then(20, 24), &wide(|word| 1 + Field::at(45, 1).get(word) as u8));
/// Where there is a predicate too, the offset has 20 bits.
const GLOBAL_SHORT: Operand<Maxwell> =
    operand(AT, Field::at(8, 8).then(20, 20), &wide(|word| 1 + Field::at(45, 1).get(word) as u8));
/// Whether the page is missing, as for sparse textures, where tests that others ran on a Switch find it false.
const MISSING: Operand<Maxwell> = operand(P, Field::at(41, 3), &Inverted { optional: false });
const ADDRESS: Operand<Maxwell> = operand(AT, Field::at(8, 8).then(20, 24), &Address::BYTES);
const CONSTANT: Operand<Maxwell> =
    operand(AT, Field::at(8, 8).then(20, 16).then(36, 5), &Bank { indexed: true, zero: false });

/// A word of nothing but its highest bit, which would be `@P0 LD.U8 R0, [R0], P0`: nvdisasm calls it illegal.
const EMPTY: Rule<Maxwell> = Rule { code: UNDEFINED, check: is_empty };

fn is_empty(insn: &Insn<Maxwell>, _: Ctx) -> Option<Diagnostic> {
    undefined(insn.word as u64 == 1 << 63, "a word with all fields zero is no instruction")
}

/// Compilers left 15 cycles or more in each of 10,178 pairs of ten packages; nvJPEG has a few closer ones.
const GENERIC_LOAD_TIMING: Attr = loads(attr::MEMORY, Memory::Generic).reads_doubtfully(12, 14_955);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("LD", 0x8000, 0xe000, &[GENERIC_D, GENERIC, CARRIED], load_generic).attr(GENERIC_LOAD_TIMING).modifiers(GENERIC_LOAD).rules(&[EMPTY]).says("Loads from global, local or shared memory, whichever the address lies in.")
        .examples(&[("LD.E R4, [R4], P0;", 0x07e0_8090_0000_0007_0404), ("@P4 LD.E.CG.U.128 R219, [R211+-0x17314401];", 0x07e0_9dfe_8ceb_bff4_d3db)]),
    row("ST", 0xa000, 0xe000, &[GENERIC, GENERIC_S, CARRIED], store_generic).attr(stores(attr::MEMORY, Memory::Generic).reads(4, 3_575)).modifiers(GENERIC_STORE).says("Stores to global, local or shared memory, whichever the address lies in.")
        .examples(&[("ST.E.U16 [R4], R2, P0;", 0x07e0_a050_0000_0007_0402)]),
    row("LDG", 0xeec8, 0xfff8, &[MISSING, LOAD, GLOBAL_SHORT], load_global).attr(loads(attr::MEMORY.late(), Memory::Global).reads(2, 548_033)).modifiers(GLOBAL_LOAD).says("Loads from global memory; the predicate says whether the page is missing.")
        .examples(&[("LDG.E.CG.U8 PT, R150, [R6+-0x1f2f8];", 0x07e0_eec8_60e0_d087_0696)]),
    row("LDG", 0xeed0, 0xfff8, &[LOAD, GLOBAL], load_global).attr(loads(attr::MEMORY, Memory::Global).reads(2, 548_033)).modifiers(GLOBAL_LOAD).says("Loads from global memory.")
        .examples(&[("LDG.E R3, [R0];", 0x07e0_eed4_2000_0007_0003), ("@P5 LDG.E.128 R131, [R164+0x2c14a8];", 0x07e0_eed6_22c1_4a85_a483)]),
    row("STG", 0xeed8, 0xfff8, &[GLOBAL, STORE], store_global).attr(stores(attr::MEMORY, Memory::Global).reads(2, 167_736)).modifiers(GLOBAL_STORE).says("Stores to global memory.")
        .examples(&[("STG.E [R0], R2;", 0x07e0_eedc_2000_0007_0002)]),
    row("LDL", 0xef40, 0xfff8, &[LOAD, ADDRESS], load_local).attr(loads(attr::MEMORY, LOCAL).reads(2, 5_638)).modifiers(LOCAL_LOAD).says("Loads from the lane's own memory.")
        .examples(&[("LDL.LU R34, [R17+0x10c08];", 0x07e0_ef44_1010_c087_1122)]),
    row("LDS", 0xef48, 0xfff8, &[LOAD, ADDRESS], load_shared).attr(loads(attr::SHARED, Memory::Shared).reads(4, 150_630)).modifiers(SHARED_LOAD).says("Loads from the memory of the workgroup.")
        .examples(&[("LDS.U.32 R6, [0x8];", 0x07e0_ef4c_1000_0087_ff06), ("LDS.64 R0, [R99+0xd101];", 0x07e0_ef4d_000d_1017_6300)]),
    row("STL", 0xef50, 0xfff8, &[ADDRESS, STORE], store_local).attr(stores(attr::MEMORY, LOCAL).reads(2, 16_079)).modifiers(LOCAL_STORE).says("Stores to the lane's own memory.")
        .examples(&[("STL.U16 [R0+0x20], R6;", 0x07e0_ef52_0000_0207_0006)]),
    row("STS", 0xef58, 0xfff8, &[ADDRESS, STORE], store_shared).attr(stores(attr::SHARED, Memory::Shared).reads(4, 353_762)).modifiers(SHARED_STORE).says("Stores to the memory of the workgroup.")
        .examples(&[("@!P0 STS.64 [RZ], R6;", 0x07e0_ef5d_0000_0008_ff06)]),
    row("LDC", 0xef90, 0xfff8, &[LOAD, CONSTANT], load_constant).attr(loads(attr::CONSTANT, CONSTANTS).reads(4, 405)).modifiers(CONSTANT_LOAD).says("Loads from a constant bank at a computed offset.")
        .examples(&[("LDC.64 R6, c[0x0][R6+0x140];", 0x07e0_ef95_0000_1407_0606), ("LDC.IS R0, c[0x16][R0];", 0x07e0_ef94_2160_0007_0000)]),
];
