use shisa_ir::FileId;
use shisa_maxwell::*;
use shisa_rows::{Insn, Names, Scan, testing};

pub(crate) const PLAIN: u128 = 0x7e0 << 64;

pub(crate) fn words(texts: &[&str]) -> Vec<Result<u128, &'static str>> {
    let names = Names::<Maxwell>::new();
    let read = |text: &&str| {
        let mut scan = Scan::new(text, 0);
        shisa_rows::parse(&names, &mut scan, Ctx::default()).map(|i| i.word).map_err(|d| d.code)
    };
    texts.iter().map(read).collect()
}

pub(crate) fn refused(word: u128) -> Option<&'static str> {
    decode(word, Ctx::default()).err().map(|d| d.code)
}

fn text(word: u128) -> String {
    testing::text(&Insn::<Maxwell>::decode(word).unwrap(), Ctx::default())
}

/// What an instruction reads and writes: (file, first, count, whether it is written).
pub(crate) fn registers(source: &str) -> Vec<(FileId, u16, u8, bool)> {
    let word = words(&[source])[0].unwrap_or_else(|code| panic!("{source}: {code}"));
    let insn = Insn::<Maxwell>::decode(word).unwrap();
    let operands = insn.form().operands.iter();
    let named = operands.filter_map(|op| op.kind.registers(op, &insn));
    named.map(|r| (r.first.file, r.first.unit, r.units, r.written)).collect()
}

#[test]
fn types_that_do_not_exist_are_refused() {
    assert_eq!(refused(PLAIN | 0x5a90_0000_0007_0000), None);
    assert_eq!(refused(PLAIN | 0x5a98_0000_0007_0000), Some("maxwell-undefined"));
}

#[test]
fn texts_of_parts_tell_all() {
    for lane in [0x0, 0x10_0000_0000, 0x30_0000_0000, 0x50_0000_0000, 0x70_0000_0000] {
        let insn = Insn::<Maxwell>::decode(PLAIN | 0x2004_0000_0007_0000 | lane).unwrap();
        assert!(shisa_rows::faithful(&insn, Ctx::default()), "{}", text(insn.word));
    }
}

/// Products of bytes and halves have a fixed latency, those of whole registers do not.
#[test]
fn wide_video_products_take_barriers_and_no_reuse() {
    let (narrow, wide) = (0x5f04_0000_0007_0000, 0x5f04_0060_0007_0000);
    let (barrier, reuse, reuse3) = (0x700 << 64, 1 << 81, 1 << 84);
    assert_eq!([narrow, wide].map(|w| refused(w | barrier)), [Some("maxwell-barrier"), None]);
    assert_eq!([narrow, wide].map(|w| refused(w | reuse3 | PLAIN)), [Some("maxwell-reuse"), None]);
    assert_eq!(text(narrow | reuse | PLAIN), "VMAD.U8.U8 R0, R0.reuse, R0, R0;");
    assert_eq!(text(wide | reuse | PLAIN), "VMAD.U32.U8 R0, R0, R0, R0;");
    let reused = words(&["VMAD.U32.U8 R0, R0.reuse, R0, R0"]);
    assert_eq!(reused, [Err("asm-operand")]);
}

#[test]
fn parts_have_the_size_that_the_mnemonic_says() {
    let texts =
        ["VADD.U8.U16 R0, R1.B3, R2.H1, R3", "VADD.U8.U16 R0, R1.H1, R2, R3", "VADD R0, R1.B1, R2, R3"];
    assert_eq!(words(&texts), [Ok(PLAIN | 0x207c_01b0_5027_0100), Err("asm-operand"), Err("asm-operand")]);
}

#[test]
fn a_guard_is_not_lost_where_none_is_taken() {
    assert_eq!(
        words(&["GETCRSPTR R1", "@P0 GETCRSPTR R1"]),
        [Ok(PLAIN | 0xe2c0_0000_0000_0001), Err("asm-operand")]
    );
    // Its bits mean nothing.
    assert_eq!(text(PLAIN | 0xe2c0_0000_0003_0001), "GETCRSPTR R1;");
}

#[test]
fn a_source_that_is_the_destination_is_written_out() {
    let texts = ["IMAD32I R3, R1, 0x10, -R3", "IMAD32I R3, R1, 0x10, R4"];
    assert_eq!(words(&texts), [Ok(PLAIN | 0x12c0_0000_0107_0103), Err("asm-operand")]);
}

#[test]
fn predicates_and_codes_are_named_as_far_as_masks_say() {
    let all = |written| (PREDICATES, 0, 7, written);
    let cases = [
        ("R2P PR, R1, 0x0", [None, Some((REGISTERS, 1, 1, false))]),
        ("R2P PR, R1, 0x14", [Some((PREDICATES, 2, 3, true)), Some((REGISTERS, 1, 1, false))]),
        ("R2P PR, R1", [Some(all(true)), Some((REGISTERS, 1, 1, false))]),
        ("P2R R1, PR, RZ, 0x7f", [Some((REGISTERS, 1, 1, true)), Some(all(false))]),
        ("CSET.EQ.AND R1, CC, PT", [Some((REGISTERS, 1, 1, true)), Some((CODES, 0, 4, false))]),
        ("VOTE.ANY P1, P2", [Some((PREDICATES, 1, 1, true)), Some((PREDICATES, 2, 1, false))]),
    ];
    for (source, expected) in cases {
        let expected: Vec<_> = expected.into_iter().flatten().collect();
        assert_eq!(registers(source), expected, "{source}");
    }
}

#[test]
fn special_registers_have_the_names_of_the_chip() {
    let insn = Insn::<Maxwell>::decode(PLAIN | 0xf0c8_0000_00f7_0000).unwrap();
    let texts = [Chip::Sm50, Chip::Sm52].map(|chip| testing::text(&insn, Ctx { chip, ..Ctx::default() }));
    assert_eq!(texts, ["SR15", "SR_ORDERING_TICKET"].map(|name| format!("S2R R0, {name};")));
}
