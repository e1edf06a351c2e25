//! Memory, textures, surfaces, graphics and flow.

use super::rows::{PLAIN, refused, registers, words};
use shisa_maxwell::*;
use shisa_rows::{Insn, faithful, testing};

const OLD: Ctx<'static> = Ctx {
    pc: 8,
    control: shisa_maxwell::ControlText::Nowhere,
    unended: false,
    chip: Chip::Sm50,
    symbols: None,
    drawing: None,
};

fn text(word: u128, ctx: Ctx) -> Result<String, &'static str> {
    decode(PLAIN | word, ctx).map(|insn| testing::text(&insn, ctx)).map_err(|d| d.code)
}

/// Registers from the first on, how many, and whether they are written.
type Named = (u16, u8, bool);

#[test]
fn operands_name_as_many_registers_as_sizes_shapes_and_masks_say() {
    let cases: [(&str, &[Named]); 22] = [
        ("LDG.E.128 R4, [R8+0x10]", &[(4, 4, true), (8, 2, false)]),
        ("LDS.64 R0, [R1]", &[(0, 2, true), (1, 1, false)]),
        ("STL.U8 [RZ], R6", &[(6, 1, false)]),
        ("ST.E.64 [R2], R6", &[(2, 2, false), (6, 2, false)]),
        ("LDC.64 R6, c[0x0][R5+0x140]", &[(6, 2, true), (5, 1, false)]),
        ("ATOM.E.CAS.64 R4, [R2], R6, R8", &[(4, 2, true), (2, 2, false), (6, 4, false)]),
        ("ATOM.CAS R4, [R2], R6, RZ", &[(4, 1, true), (2, 1, false), (6, 1, false)]),
        ("ATOMS.ADD.U64 R4, [R2], R6", &[(4, 2, true), (2, 1, false), (6, 2, false)]),
        ("RED.E.ADD.S64 [R2], R4", &[(2, 2, false), (4, 2, false)]),
        ("TEX.LL.AOFFI R0, R4, R8, 0x28, ARRAY_2D, 0xf", &[(0, 4, true), (4, 3, false), (8, 2, false)]),
        ("TEX.B.LZ R0, R4, R8, 0x0, CUBE, 0x3", &[(0, 2, true), (4, 3, false), (8, 1, false)]),
        ("TLD4.R.PTP.DC R0, R4, R8, 0x28, 2D, 0xf", &[(0, 4, true), (4, 2, false), (8, 3, false)]),
        ("TXD.AOFFI R0, R4, R8, 0x28, 2D, 0x1", &[(0, 1, true), (4, 3, false), (8, 4, false)]),
        ("TXQ.B R0, R4, TEX_HEADER_DIMENSION, 0x0, 0x3", &[(0, 2, true), (4, 2, false)]),
        ("TEXS R4, R6, R8, R10, 0x28, 2D, RGB", &[(4, 1, true), (6, 2, true), (8, 1, false), (10, 1, false)]),
        (
            "TEXS.F16.LL R4, R6, R8, R10, 0x28, CUBE, RGBA",
            &[(4, 1, true), (6, 1, true), (8, 2, false), (10, 2, false)],
        ),
        ("TLDS.LZ RZ, R4, R1, R2, 0x28, ARRAY_2D, RG", &[(4, 2, true), (1, 1, false), (2, 2, false)]),
        ("TLD4S.R.DC R0, R2, R4, R6, 0x28", &[(0, 2, true), (2, 2, true), (4, 2, false), (6, 1, false)]),
        ("SULD.P.2D.RGB.IGN R0, [R4], R9", &[(0, 3, true), (4, 2, false), (9, 1, false)]),
        ("SUST.D.3D.64.TRAP [R4], R8, 0x48", &[(4, 3, false), (8, 2, false)]),
        ("ALD.96 R0, a[0x80], R6", &[(0, 3, true), (6, 1, false)]),
        ("BAR.SYNC R3, R4", &[(3, 1, false), (4, 1, false)]),
    ];
    for (source, expected) in cases {
        let expected: Vec<_> = expected.iter().map(|&(first, n, w)| (REGISTERS, first, n, w)).collect();
        assert_eq!(registers(source), expected, "{source}");
    }
}

#[test]
fn predicates_and_codes_are_named() {
    let cases = [
        ("LD.E R4, [RZ], P3", (PREDICATES, 3, 1, false)),
        ("TEX P2, RZ, RZ, 0x28, 1D, 0x1", (PREDICATES, 2, 1, true)),
        ("SULD.P.1D.R.IGN P3, RZ, [RZ], 0x1", (PREDICATES, 3, 1, true)),
        ("BRA CC.LT, 0x10", (CODES, 0, 4, false)),
    ];
    for (source, expected) in cases {
        assert!(registers(source).contains(&expected), "{source}: {:?}", registers(source));
    }
    // They look at the coverage of a pixel.
    assert_eq!(registers("EXIT CC.CSM_MX"), []);
}

#[test]
fn older_chips_name_and_refuse_differently() {
    let (sum, reduction) = (0xed08_0000_0007_0000, 0xeb50_0000_0047_0000);
    assert_eq!(text(sum, Ctx::default()).as_deref(), Ok("ATOM.ADD.F16x2.FTZ.RN R0, [R0], R0;"));
    assert_eq!(text(sum, OLD).as_deref(), Ok("ATOM.ADD.U128 R0, [R0], R0;"));
    assert_eq!(text(reduction, OLD).as_deref(), Ok("SURED.D.1D.ADD.INVALIDATOMICSIZE4.IGN [R0], R0, R0;"));
    // A predicate to be written: refused, or not looked at.
    for word in [0xc000_0000_0007_0000, 0xeec8_0000_0007_0000, 0xea80_0000_4007_0000] {
        assert_eq!(text(word, OLD), Err("maxwell-chip"), "{word:x}");
    }
    let insn = decode(PLAIN | 0xeb00_0000_c017_0000, OLD).unwrap();
    assert_eq!(testing::text(&insn, OLD), "SULD.P.1D.R.IGN R0, [R0], R0;");
    assert!(!faithful(&insn, OLD) && faithful(&insn, Ctx::default()));
    assert_eq!(text(0xc438_0000_0007_0000, OLD), Err("maxwell-chip"), "TEX.LC");
}

#[test]
fn values_without_a_meaning_are_refused() {
    let undefined = [
        0xdf48_0000_0007_0000, // TXQ asks for number 0
        0xd9e0_0000_0007_0000, // TEXS in mode 15
        0xda60_0000_0007_0000, // TLDS in mode 3
        0xef60_0000_0047_0006, // CCTL.IVALL at an address
        0xef80_0000_0007_0000, // CCTLL.QRY1
        0xebe8_0000_0007_0000, // CCTLT.IVALL of a handle
        0xee70_0000_0007_ff00, // ATOM.CAS at RZ with a predicate
        0xeefc_0000_0007_0000, // ATOM.CAS of neither value
        0x8000_0000_0000_0000, // LD with all fields zero
    ];
    for word in undefined {
        assert_eq!(refused(PLAIN | word), Some("maxwell-undefined"), "{word:x}");
    }
    // Where no row is.
    let none = [0xf0a8_0000_0007_0000, 0xefd8_0000_0017_0000, 0xe000_0000_0007_0000, 0xdef8_0100_0007_0000];
    for word in none {
        assert_eq!(refused(PLAIN | word), Some("maxwell-opcode"), "{word:x}");
    }
}

#[test]
fn the_phase_of_a_texture_read_stands_in_the_flags_of_the_operand_cache() {
    let (t, p) = (1 << 81, 1 << 82);
    let read = 0xc038_0567_fff7_0404;
    assert_eq!(text(read | t, Ctx::default()).as_deref(), Ok("TEX.T R4, R4, 0x56, ARRAY_CUBE, 0xf;"));
    assert_eq!(words(&["TEX.P R4, R4, 0x56, ARRAY_CUBE, 0xf"]), [Ok(PLAIN | read | p)]);
}

#[test]
fn values_to_compare_and_exchange_stand_in_a_row() {
    let cas = 0xeef0_0000_0007_0000;
    let texts = [
        "ATOM.CAS R0, [R0], R253, R254",
        "ATOM.CAS R0, [R0], R254, ???255",
        "ATOM.CAS R0, [R0], ???255, ???255",
        "ATOM.CAS R0, [R0], RZ, R253",
        "ATOM.CAS R0, [R0], R253, RZ",
        "ATOM.CAS.64 R0, [R0], R252, R254",
        "ATOM.CAS R0, [R0], R1, R3",
    ];
    let expected = [
        Ok(cas | 253 << 20),
        Ok(cas | 254 << 20),
        Ok(cas | 255 << 20),
        Ok(cas | 253 << 20 | 2 << 50),
        Ok(cas | 253 << 20 | 1 << 50),
        Ok(cas | 252 << 20 | 1 << 49),
        Err("asm-operand"),
    ];
    assert_eq!(words(&texts), expected.map(|w| w.map(|w| w | PLAIN)));
}

#[test]
fn shapes_and_suffixes_that_do_not_go_together_are_refused() {
    let texts = ["TEXS.LL RZ, R0, R2, R4, 0x8, 3D, R", "TEXS.LL RZ, R0, R2, R4, 0x8, CUBE, R"];
    assert_eq!(words(&texts), [Err("asm-operand"), Ok(PLAIN | 0xd9a0_008f_f047_0200)]);
}

#[test]
fn addresses_fit_their_fields() {
    let texts = [
        "LDS R0, [R1+0x7fffff]",
        "LDS R0, [0xffffff]",
        "LDS R0, [R1+0x800000]",
        "LDS R0, [-0x4]",
        "ATOMS.ADD R0, [R1+0x2], R0",
    ];
    let bits = 0xef4c_0000_0007_0000;
    let expected = [
        Ok(bits | 0x7f_ffff << 20 | 0x100),
        Ok(bits | 0xff_ffff << 20 | 0xff00),
        Err("asm-range"),
        Err("asm-range"),
        Err("asm-range"),
    ];
    assert_eq!(words(&texts), expected.map(|w| w.map(|w| w | PLAIN)));
}

/// Guards of marks mean nothing, so that the text does not say everything.
#[test]
fn marks_take_no_guard() {
    assert_eq!(words(&["@P0 SSY 0x10"]), [Err("asm-operand")]);
    let insn = Insn::<Maxwell>::decode(PLAIN | 0xe290_0000_0003_0000).unwrap();
    assert_eq!(testing::text(&insn, Ctx { pc: 8, ..Ctx::default() }), "SSY 0x10;");
    assert!(!faithful(&insn, Ctx::default()));
}
