//! Control of caches.

use super::{UNDEFINED, always, choice, fixed, flag, row, undefined};
use crate::operand::{AT, Address, MaxwellLift, Number, Source, Span, operand};
use crate::{Ctx, Maxwell, attr};
use shisa_diag::Diagnostic;
use shisa_rows::{Field, Form, Insn, Modifier, Operand, Rule};

const OPERATION: Field = Field::at(0, 4);
const TEXTURE_OPERATION: Field = Field::at(0, 2);

const OPERATIONS: Modifier = Modifier::new(
    OPERATION,
    &[
        ".???0",
        ".PF1",
        ".PF1.5",
        ".PF2",
        ".WB",
        ".IV",
        ".???6",
        ".RS",
        ".???8",
        ".RSLB",
        ".INVALIDCCTLOP10",
        ".INVALIDCCTLOP11",
        ".INVALIDCCTLOP12",
        ".INVALIDCCTLOP13",
        ".INVALIDCCTLOP14",
        ".INVALIDCCTLOP15",
    ],
);
const WIDE: Modifier = flag(52, &["", ".E"]);
const CACHE: Modifier = choice(
    4,
    3,
    &["", ".U", ".C", ".I", ".CRS", ".INVALIDCACHETYPE5", ".INVALIDCACHETYPE6", ".INVALIDCACHETYPE7"],
);
const LOCAL_CACHE: Modifier = choice(4, 2, &["", ".???1", ".INVALIDLCACHETYPE2", ".INVALIDLCACHETYPE3"]);
const TEXTURE: &[Modifier] =
    &[Modifier::new(TEXTURE_OPERATION, &[".???0", ".IVTH", ".INVALIDCCTLTOP2", ".INVALIDCCTLTOP3"])];

/// Operations without an address, which have rows of their own.
const IVALL: u64 = 6;
const WBALL: u64 = 8;
/// `RZ` and an offset of zero.
const NOWHERE: u64 = 0xff00;
const ADDRESS_BITS: u64 = 0xf_ffff_ffc0_ff00;
const LOCAL_BITS: u64 = 0x0fff_ffc0_ff00;

const ADDRESS: Operand<Maxwell> = operand(
    AT,
    Field::at(8, 8).then(22, 30),
    &Address::WORDS.span(Span::By(|word| 1 + Field::at(52, 1).get(word) as u8)),
);
const LOCAL_ADDRESS: Operand<Maxwell> = operand(AT, Field::at(8, 8).then(22, 22), &Address::WORDS);
const HANDLE: Operand<Maxwell> = operand(AT, Field::at(36, 13), &Number::PLAIN);
const HANDLE_REGISTER: Operand<Maxwell> = operand(AT, Field::at(39, 8), &Source::PLAIN);

const CCTL: Rule<Maxwell> = Rule { code: UNDEFINED, check: all_of_it };
const CCTLL: Rule<Maxwell> = Rule { code: UNDEFINED, check: all_of_local };
const CCTLT: Rule<Maxwell> = Rule { code: UNDEFINED, check: all_of_textures };

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    fixed("CCTL", (0xef60_0000_0000_0000, 0xffe0_0000_0000_000f), &[ADDRESS], nothing).attr(attr::MEMORY).modifiers(&[WIDE, CACHE, always(&[".QRY1"])]).close().says("Requests a line of a cache.")
        .examples(&[("CCTL.E.U.QRY1[R209+0x433a7698];", 0x07e0_ef74_33a7_6987_d110)]),
    fixed("CCTL", (0xef60_0000_0000_0000 | IVALL | NOWHERE, 0xffe0_0000_0000_000f | ADDRESS_BITS), &[], nothing).attr(attr::MEMORY).modifiers(&[WIDE, CACHE, always(&[".IVALL"])]).says("Empties a cache.")
        .examples(&[("CCTL.E.CRS.IVALL;", 0x07e0_ef70_0000_0007_ff46)]),
    row("CCTL", 0xef60, 0xffe0, &[ADDRESS], nothing).yields_to("CCTL").attr(attr::MEMORY).modifiers(&[WIDE, CACHE, OPERATIONS]).rules(&[CCTL]).says("Does something to a line of a cache.")
        .examples(&[("CCTL.E.PF2 [R2+0x10];", 0x07e0_ef70_0000_0107_0203)]),
    fixed("CCTLL", (0xef80_0000_0000_0000 | IVALL | NOWHERE, 0xfff8_0000_0000_003f | LOCAL_BITS), &[], nothing).attr(attr::MEMORY).modifiers(&[always(&[".IVALL"])]).says("Empties the cache of the lanes' own memory.")
        .examples(&[("CCTLL.IVALL;", 0x07e0_ef80_0000_0007_ff06)]),
    fixed("CCTLL", (0xef80_0000_0000_0000 | WBALL | NOWHERE, 0xfff8_0000_0000_000f | LOCAL_BITS), &[], nothing).attr(attr::MEMORY).modifiers(&[choice(4, 2, &[".???0", ".CRS", ".???2", ".???3"]), always(&[".WBALL"])]).says("Writes back the cache of the lanes' own memory.")
        .examples(&[("CCTLL.CRS.WBALL;", 0x07e0_ef80_0000_0007_ff18)]),
    row("CCTLL", 0xef80, 0xfff8, &[LOCAL_ADDRESS], nothing).yields_to("CCTLL").attr(attr::MEMORY).modifiers(&[LOCAL_CACHE, OPERATIONS]).rules(&[CCTLL]).says("Does something to a line of the cache of the lanes' own memory.")
        .examples(&[("CCTLL.PF2 [R2+0x10];", 0x07e0_ef80_0000_0107_0203)]),
    fixed("CCTLT", (0xebf0_0000_0000_0000, 0xfff9_fff0_0000_0003), &[], nothing).attr(attr::TEXTURE).modifiers(&[always(&[".IVALL"])]).says("Empties the texture cache.")
        .examples(&[("CCTLT.IVALL;", 0x07e0_ebf0_0000_0007_0000)]),
    row("CCTLT", 0xebf0, 0xfff8, &[HANDLE], nothing).yields_to("CCTLT").attr(attr::TEXTURE).modifiers(TEXTURE).rules(&[CCTLT]).says("Drops a texture's header from the texture cache.")
        .examples(&[("CCTLT.IVTH 0x1fc8;", 0x07e0_ebf1_fc80_0007_0001)]),
    row("CCTLT", 0xebe8, 0xfff8, &[HANDLE_REGISTER], nothing).attr(attr::TEXTURE).modifiers(TEXTURE).rules(&[CCTLT]).says("Drops the header of the texture whose handle is in a register from the texture cache.")
        .examples(&[("CCTLT.IVTH R2;", 0x07e0_ebe8_0100_0007_0001)]),
];

/// Caches have no effect on values: memory is coherent here. `.QRY1` has no destination; its name says that it queries
/// the cache, and where the answer goes is not described anywhere.
fn nothing(_: &mut MaxwellLift<'_, '_>) {}

fn refused(found: bool) -> Option<Diagnostic> {
    undefined(found, "this operation takes no address or does not exist here")
}

fn all_of_it(insn: &Insn<Maxwell>, _: Ctx) -> Option<Diagnostic> {
    refused([IVALL, WBALL].contains(&OPERATION.get(&insn.word)))
}

fn all_of_local(insn: &Insn<Maxwell>, _: Ctx) -> Option<Diagnostic> {
    refused([0, IVALL, WBALL].contains(&OPERATION.get(&insn.word)))
}

fn all_of_textures(insn: &Insn<Maxwell>, _: Ctx) -> Option<Diagnostic> {
    refused(TEXTURE_OPERATION.get(&insn.word) == 0)
}
