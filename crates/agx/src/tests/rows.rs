//! Rows as a whole, and what is said of instructions.

use super::assemble;
use crate::operand::VOTE_B;
use crate::*;
use alloc::{string::String, vec::Vec};
use shisa_ir::{Lifted, Reg};
use shisa_rows::{Facts, testing};

#[test]
fn lengths_follow_from_row_and_bit() {
    for form in <Agx as shisa_rows::Isa>::table().forms() {
        for (text, word) in form.examples {
            let bytes = word.to_le_bytes();
            let insn = fetch(&bytes).unwrap();
            let n = length(&insn);
            assert!([2, 4, 6, 8, 10, 12].contains(&n));
            assert_eq!(fetch(&bytes[..n]), Some(insn));
            assert_ne!(fetch(&bytes[..n - 1]), Some(insn), "{text} is cut off");
        }
    }
    assert_eq!(fetch(&[]), None);
}

/// Mesa takes the high bits of numbers for changes of the value, and floats for integers.
#[test]
fn votes_on_floats_are_told_as_they_are() {
    let insn = fetch(&0x6000_01a4_4242_0522u64.to_le_bytes()).unwrap();
    let text = |syntax| testing::text(&insn, Ctx { syntax, ..Ctx::default() });
    assert_eq!(text(Syntax::Full), "ballot   r1, r1, r34.neg, quad, fltn");
    assert_eq!(text(Syntax::Mesa), "ballot   r1, r1, r2.abs, quad, ?3");
    let faithful = |insn: &_, syntax| VOTE_B.kind.faithful(&VOTE_B, insn, Ctx { syntax, ..Ctx::default() });
    let plain = fetch(&assemble(&["ballot r1, r1, r2, quad, feq"]).code).unwrap();
    assert_eq!([Syntax::Full, Syntax::Mesa].map(|syntax| faithful(&plain, syntax)), [true, true]);
    assert_eq!([Syntax::Full, Syntax::Mesa].map(|syntax| faithful(&insn, syntax)), [true, false]);
}

/// A 64-bit register or uniform has an address; others are refused with a range of those.
#[test]
fn addresses_have_64_bits() {
    let words = text::Words::new(Ctx::default());
    for (base, accepted) in [("dr127", true), ("du127", true), ("du128", false), ("r5", false), ("u5", false)]
    {
        let done = words.assemble(&alloc::format!("load r4, {base}, r1, i32, x, a"), &mut Vec::new());
        let expected = "an address has 64 bits, dr0 to dr127 or du0 to du127";
        assert_eq!(
            done.map_err(|d| d.message),
            if accepted { Ok(()) } else { Err(expected.into()) },
            "{base}"
        );
    }
}

/// Mesa 26 has offsets into heaps that are numbers.
#[test]
fn offsets_into_heaps_may_be_numbers() {
    let words = text::Words::new(Ctx { revision: Revision::Mesa26, ..Ctx::default() });
    for text in ["load     ts2, du6, r1, a", "load     ts2, du6, 5, a", "load     ts2, du6, 2147483647, a"] {
        let (mut digits, mut again) = (Vec::new(), Vec::new());
        words.assemble(text, &mut digits).unwrap();
        words.disassemble(core::str::from_utf8(&digits).unwrap(), &mut again).unwrap();
        assert_eq!(String::from_utf8(again).unwrap(), text);
    }
}

/// A gradient has two words for each axis; the least level is the half after them.
#[test]
fn the_least_level_is_after_its_gradient() {
    for (line, least) in [
        ("smpf r0_r1_r2_r3, ts0, ss0, r4, r8_r9_r10l, 1d, xyzw, lod_grad_min, a", 20),
        ("smpf r0_r1_r2_r3, ts0, ss0, r4_r5, r8_r9_r10_r11_r12l, 2d, xyzw, lod_grad_min, a", 24),
        ("smpf r0_r1_r2_r3, ts0, ss0, r4_r5_r6, r8_r9_r10_r11_r12_r13_r14l, 3d, xyzw, lod_grad_min, a", 28),
        ("smpf r0_r1_r2_r3, ts0, ss0, r4_r5, r8l_r8h, 2d, xyzw, auto_lod_bias_min, a", 17),
    ] {
        let insn = fetch(&assemble(&[line]).code).unwrap();
        let mut scratch = Lifted::new(FILES);
        let facts = Facts::of(&mut scratch, insn, Ctx::default(), 0, 12).unwrap();
        let halves = facts.reads().filter(|a| a.units == 1).map(|a| a.reg).last();
        assert_eq!(halves, Some(Reg::new(REGISTERS, least)), "{line}");
    }
}

/// Selections have three bits for their comparison: no room for the inverted ones of conditions and votes.
#[test]
fn comparisons_past_a_field_are_refused() {
    let words = text::Words::new(Ctx::default());
    let assembled = |text: &str| words.assemble(text, &mut Vec::new()).map_err(|d| d.code);
    for inverted in ["ine", "ugte", "ulte", "nseq", "sgte", "slte", "fneq", "fnlt", "fngt", "fngte", "fnltn"]
    {
        assert_eq!(
            assembled(&alloc::format!("csel r0, r1, r2, r3, r4, {inverted}")),
            Err("asm-operand"),
            "{inverted}"
        );
        let vote = if inverted.starts_with('f') { "2.0" } else { "2" };
        assert_eq!(assembled(&alloc::format!("if r1, {vote}, 1, {inverted}")), Ok(()), "{inverted}");
    }
    assert_eq!(assembled("csel r0, r1, r2, r3, r4, ugt"), Ok(()));
}

#[test]
fn facts_of_instructions() {
    let program = assemble(&["load r4_r5, du2, r1, i16, xy, a", "while r2, r3, 2, slt", "ldimm r0l, 0"]);
    let mut scratch = Lifted::new(FILES);
    let mut at = 0;
    let mut facts = |check: &dyn Fn(Facts<'_>)| {
        let insn = fetch(&program.code[at..]).unwrap();
        at += length(&insn);
        check(Facts::of(&mut scratch, insn, Ctx::default(), 0, 8).unwrap());
    };
    facts(&|f| {
        let reads: Vec<_> = f.reads().map(|a| (a.reg, a.units)).collect();
        assert_eq!(reads, [(Reg::new(UNIFORMS, 4), 4), (Reg::new(REGISTERS, 2), 2)]);
        let writes: Vec<_> = f.writes().map(|a| (a.reg, a.components.0, a.units)).collect();
        assert_eq!(writes, [(Reg::new(REGISTERS, 8), 3, 2)]);
        assert_eq!(f.memory().map(|m| m.bytes).sum::<u32>(), 4);
    });
    facts(&|f| assert_eq!((f.flow().op, f.flow().extra), (sequencer::WHILE, 2)));
    facts(&|f| assert_eq!((f.flow().op, f.flow().extra), (sequencer::SET, 0)));
}

/// Bits without a meaning, added to a store, may make the word of another instruction: its text is not a store's.
#[test]
fn no_text_makes_an_instruction_of_another_name() {
    let words = text::Words::new(Ctx::default());
    let assembled = |text: &str| words.assemble(text, &mut Vec::new()).map_err(|d| d.code);
    assert_eq!(assembled("store r28h, du0, r73.sx, i32, none, a, unk22, short"), Err("asm-alias-row"));
    assert_eq!(assembled("uniform_store_unk r28h, r73.sx, i32, none, a, unk8, short"), Ok(()));
}
