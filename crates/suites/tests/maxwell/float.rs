use shisa_maxwell::{Chip, Ctx, Maxwell, REGISTERS, Words};
use shisa_rows::{Insn, Names, Scan};

/// The general registers that an instruction names: first and how many; written ones are negative.
fn registers(text: &str) -> Vec<(u16, i32)> {
    let insn: Insn<Maxwell> =
        shisa_rows::parse(&Names::new(), &mut Scan::new(text, 0), Ctx::default()).unwrap();
    let named = insn.form().operands.iter().filter_map(|op| op.kind.registers(op, &insn));
    let general = named.filter(|r| r.first.file == REGISTERS);
    general
        .map(|r| (r.first.unit, if r.written { -i32::from(r.units) } else { i32::from(r.units) }))
        .collect()
}

#[test]
fn sizes_of_conversions_say_how_many_registers() {
    assert_eq!(registers("F2F.F64.F32 R2, R8;"), [(2, -2), (8, 1)]);
    assert_eq!(registers("F2F.F32.F64 R2, -|R8|;"), [(2, -1), (8, 2)]);
    assert_eq!(registers("F2F.F64.F64.TRUNC R2, R8;"), [(2, -2), (8, 2)]);
    assert_eq!(registers("F2F.F16.F32 R2, R9;"), [(2, -1), (9, 1)]);
    assert_eq!(registers("F2F.F32.F16 R2.CC, R9.H1;"), [(2, -1), (9, 1)]);
    assert_eq!(registers("F2I.S64.F32 R2, R9;"), [(2, -2), (9, 1)]);
    assert_eq!(registers("F2I.S32.F64 R3, R8;"), [(3, -1), (8, 2)]);
    assert_eq!(registers("I2F.F64.S8 R2, R9.B3;"), [(2, -2), (9, 1)]);
    assert_eq!(registers("I2F.F32.U64 R3, R8;"), [(3, -1), (8, 2)]);
    assert_eq!(registers("I2I.S32.U8 R3, R9.B1;"), [(3, -1), (9, 1)]);
}

#[test]
fn doubles_are_pairs_but_what_comparisons_write_is_not() {
    assert_eq!(registers("DFMA R2, R4, -R6, R8;"), [(2, -2), (4, 2), (6, 2), (8, 2)]);
    assert_eq!(registers("DFMA R2, R4, R6, c[0x0][0x8];"), [(2, -2), (4, 2), (6, 2)]);
    assert_eq!(registers("DADD R2, |R4|, 1.5;"), [(2, -2), (4, 2)]);
    assert_eq!(registers("DSET.BF.LT.AND R3, R4, R6, PT;"), [(3, -1), (4, 2), (6, 2)]);
    assert_eq!(registers("DSETP.LT.AND P0, PT, R4, RZ, PT;"), [(4, 2)]);
    assert_eq!(registers("MUFU.RCP64H R3, R5;"), [(3, -1), (5, 1)]);
}

#[test]
fn a_destination_that_is_added_to_is_read() {
    assert_eq!(registers("FFMA32I R1, R2, 0.1000000014901161193848, R1;"), [(1, -1), (2, 1), (1, 1)]);
    assert_eq!(registers("HFMA2_32I R1, R2, 1, 2, -R1;"), [(1, -1), (2, 1), (1, 1)]);
    let words = Words::new(Ctx::default(), Words::CONTROL, Words::BASE);
    assert!(words.assemble("FFMA32I R1, R2, 1, R3;", &mut Vec::new()).is_err());
}

#[test]
fn a_half_that_is_kept_is_read() {
    let names = Names::<Maxwell>::new();
    for (text, read) in
        [("HADD2.MRG_H1 R1, R2, R3;", true), ("HADD2.F32 R1, R2, R3;", false), ("HADD2 R1, R2, R3;", false)]
    {
        let insn = shisa_rows::parse(&names, &mut Scan::new(text, 0), Ctx::default()).unwrap();
        let dest = &insn.form().operands[0];
        let named = dest.kind.registers(dest, &insn).unwrap();
        assert_eq!((named.read, named.written), (read, true), "{text}");
    }
}

fn text(chip: Chip, word: &str) -> Result<String, &'static str> {
    let words = Words::new(Ctx { chip, ..Ctx::default() }, Words::CONTROL, Words::BASE);
    let mut out = Vec::new();
    words.disassemble(word, &mut out).map_err(|d| d.code)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn chips_differ() {
    for chip in [Chip::Sm52, Chip::Sm53] {
        assert_eq!(text(chip, "5080000000870100"), Ok("MUFU.SQRT R0, R1;".into()));
        assert_eq!(text(chip, "5d10000000470201"), Ok("HADD2 R1, R2, R4;".into()));
    }
    assert_eq!(text(Chip::Sm50, "5080000000870100"), Ok("MUFU.INVALIDMUFUOPCODE8 R0, R1;".into()));
    assert_eq!(text(Chip::Sm50, "5d10000000470201"), Err("maxwell-chip"));
}

#[test]
fn equal_sizes_round_to_whole_numbers_only() {
    let words = Words::new(Ctx::default(), Words::CONTROL, Words::BASE);
    let fault = words.assemble("F2F.F32.F32.RM R1, R6;", &mut Vec::new()).unwrap_err();
    assert_eq!(fault.code, "maxwell-rounding");
    assert_eq!(text(Chip::Sm53, "5ca8008000670b01"), Ok("F2F.F64.F32.RM R1, R6;".into()));
    assert_eq!(text(Chip::Sm53, "5ca8048000670a01"), Ok("F2F.F32.F32.FLOOR R1, R6;".into()));
}

/// A register's half, a float and both halves of a number; constants set off only where they are halves.
#[test]
fn the_size_of_the_source_decides_its_text() {
    for (word, expected) in [
        ("4ca8020000670601", "F2F.F32.F16 R1, c[0x0] [0x18].H1;"),
        ("4ca8020000670a01", "F2F.F32.F32 R1, c[0x0][0x18];"),
        ("38aa220000670601", "F2F.F32.F16 R1, 3.5762786865234375e-07.NEG.ABS.H1;"),
        ("39a8000000670e01", "F2F.F32.F64 R1, -5.2150168558762532416e-310;"),
        ("5cba260000670601", "I2F.F32.U16 R1, -|R6.INVALIDSIZE3|;"),
        ("5cb8060000670e01", "I2F.F32.U64 R1, R6.B3;"),
    ] {
        assert_eq!(text(Chip::Sm53, word).as_deref(), Ok(expected));
    }
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let words = Words::new(Ctx::default(), Words::CONTROL, Words::BASE);
    let code = |text: &str| {
        let mut out = Vec::new();
        match words.assemble(text, &mut out) {
            Ok(()) => String::from_utf8(out).unwrap(),
            Err(d) => d.code.into(),
        }
    };
    assert_eq!(code("FADD R1, R2, 0.1;"), "asm-range");
    assert_eq!(code("FADD R1, R2, 1e39;"), "asm-range");
    assert_eq!(code("HADD2_32I R1, R2, 1, 70000;"), "asm-range");
    assert_eq!(code("FADD R1, R2, one;"), "asm-operand");
    assert_eq!(code("FCMP.LT R1, R2, 1.NEG, R3;"), "asm-operand");
    assert_eq!(code("FADD32I R1, R2, 0.1;"), "0803dcccccd70201");
}

/// Infinities, and the NaN that programs mean: all bits set only where there is room for them.
#[test]
fn names_of_numbers() {
    let words = Words::new(Ctx::default(), Words::CONTROL, Words::BASE);
    for (text, word) in [
        ("FADD R1, R2, -INF ;", "3958007f80070201"),
        ("FADD R1, R2, +QNAN ;", "3858007fc0070201"),
        ("FADD32I R1, R2, +QNAN ;", "0807fffffff70201"),
        ("DADD R2, R4, -QNAN ;", "3970007ff8070402"),
        ("DADD R2, R4, +SNAN ;", "3870007ff4070402"),
        ("HADD2 R1, R2, +QNAN , -INF ;", "7a00007e3f070201"),
    ] {
        let mut out = Vec::new();
        words.assemble(text, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), word, "{text}");
    }
}
