//! Rows as a whole, and what is said of instructions.

use super::assemble;
use crate::*;
use alloc::{string::String, vec::Vec};
use shisa_diag::Limits;
use shisa_ir::{Lifted, Reg};
use shisa_rows::{Facts, testing};

#[test]
fn rows_are_sound() {
    // The same with a tile, and with what choices settle.
    let chosen = testing::Suite {
        ctx: |_| Ctx { imageblock: Some(Imageblock::default()), options: settled(), ..Ctx::default() },
        ..SUITE
    };
    for suite in [SUITE, chosen] {
        let report = suite.run();
        assert_eq!(report.faults, Vec::<String>::new());
        for lifted in &report.lifted {
            shisa_eval::Program::new(lifted, &Limits::default())
                .unwrap_or_else(|d| panic!("{d}: {lifted:?}"));
        }
    }
}

/// The last value of every choice.
fn settled() -> Options {
    let mut options = Options::DEFAULT;
    for choice in Options::CHOICES {
        assert!(choice.values.last().is_some_and(|(value, _)| options.set(choice.key, value)));
    }
    options
}

#[test]
fn lengths_follow_from_row_and_bit() {
    for form in <Agx as shisa_rows::Isa>::table().forms() {
        for (text, word) in form.examples {
            let bytes = word.to_le_bytes();
            let insn = fetch(&bytes).unwrap();
            let n = length(&insn);
            assert!([2, 4, 6, 8, 10, 12].contains(&n));
            assert_eq!(fetch(&bytes[..n]), Some(insn));
            assert_eq!(fetch(&bytes[..n - 1]), None, "{text} is cut off");
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
