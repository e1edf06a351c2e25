//! Rows as a whole.

use shisa_diag::Limits;
use shisa_maxwell::{ControlText, Ctx, Maxwell, SUITE};
use shisa_rows::{Insn, Names, Scan, testing};

#[test]
fn rows_are_sound() {
    let report = SUITE.run();
    assert_eq!(report.faults, Vec::<String>::new());
    for lifted in &report.lifted {
        shisa_eval::Program::new(lifted, &Limits::default()).unwrap_or_else(|d| panic!("{d}: {lifted:?}"));
    }
}

#[test]
fn control_bits_come_back() {
    let names = Names::<Maxwell>::new();
    let ctx = Ctx { pc: 8, control: ControlText::After, ..Ctx::default() };
    for bits in 0..1u128 << 17 {
        let insn = Insn::<Maxwell>::decode(0x5c58_0000_0007_0302 | bits << 64).unwrap();
        let text = testing::text(&insn, ctx);
        let back = shisa_rows::parse(&names, &mut Scan::new(&text, 0), ctx).unwrap();
        assert_eq!(back.word, insn.word, "{text}");
    }
    let insn = Insn::<Maxwell>::decode(0x5c58_0000_0007_0302 | 0x0f42 << 64).unwrap();
    assert_eq!(testing::text(&insn, ctx), "FADD R2, R3, R0 ; {01:7:2:Y:2}".replace(":7:", ":-:"));
}
