//! What a register holds after an instruction: numbers, copies of registers, one of two, or anything.

use super::contents::{Content, contents};
use crate::{Ctx, Maxwell, REGISTERS};
use shisa_ir::Reg;
use shisa_rows::{Names, Scan};

const fn r(n: u16) -> Reg {
    Reg::new(REGISTERS, n)
}

/// The content of R0 after a line, where R5 holds 5 and R6 holds 0.
fn content(line: &str) -> Content {
    let ctx = Ctx { pc: 8, ..Ctx::default() };
    let insn = shisa_rows::parse(&Names::<Maxwell>::new(), &mut Scan::new(line, 0), ctx);
    let insn = insn.unwrap_or_else(|d| panic!("{line}: {d}"));
    let known = |reg: Reg| [(r(5), 5), (r(6), 0)].iter().find(|(of, _)| *of == reg).map(|(_, n)| *n);
    let written = contents(&insn, ctx, known);
    let found = written.iter().find(|(reg, _)| *reg == r(0));
    found.unwrap_or_else(|| panic!("{line}: R0 is not among {written:?}")).1
}

#[test]
fn contents_of_registers() {
    use Content::{Either, Number, Register, Unknown};
    for (line, want) in [
        ("MOV32I R0, 0x12", Number(0x12)),
        ("MOV R0, R1", Register(r(1))),
        ("MOV R0, R5", Number(5)),
        ("MOV R0, RZ", Number(0)),
        ("MOV R0, c[0x0][0x4]", Unknown),
        // Numbers are computed.
        ("IADD R0, R5, 0x3", Number(8)),
        ("IADD R0, -R5, 0x3", Number(0xffff_fffe)),
        ("SHL R0, R5, 0x4", Number(0x50)),
        ("LOP.AND R0, R5, 0x6", Number(4)),
        // A register and a number that changes nothing.
        ("IADD R0, R1, RZ", Register(r(1))),
        ("IADD R0, RZ, R1", Register(r(1))),
        ("IADD R0, R1, R6", Register(r(1))),
        ("IADD R0, R1, 0x1", Unknown),
        ("IADD R0, R1, R2", Unknown),
        ("IADD R0, -R1, RZ", Unknown),
        ("SHL R0, R1, 0x0", Register(r(1))),
        ("SHL R0, R1, 0x1", Unknown),
        ("LOP.OR R0, R1, RZ", Register(r(1))),
        ("LOP.OR R0, RZ, R1", Register(r(1))),
        ("LOP.XOR R0, R1, RZ", Register(r(1))),
        ("LOP.AND R0, R1, RZ", Number(0)),
        ("LOP.AND R0, RZ, R1", Number(0)),
        ("IMUL R0, R1, RZ", Number(0)),
        ("IMUL R0, R1, R2", Unknown),
        // The same register twice.
        ("LOP.XOR R0, R1, R1", Number(0)),
        ("LOP.XOR R0, R1, R2", Unknown),
        ("LOP.AND R0, R1, R1", Register(r(1))),
        ("LOP.OR R0, R1, R1", Register(r(1))),
        ("LOP.OR R0, R1, R2", Unknown),
        ("IADD R0, R1, R1", Unknown),
        // A choice.
        ("SEL R0, R1, R2, P0", Either(r(1), r(2))),
        ("SEL R0, R1, R1, P0", Register(r(1))),
        ("SEL R0, R5, R5, P0", Number(5)),
        ("SEL R0, R1, R5, P0", Unknown),
        ("SEL R0, R1, R2, PT", Register(r(1))),
        ("SEL R0, R1, R2, !PT", Register(r(2))),
    ] {
        assert_eq!(content(line), want, "{line}");
    }
}

/// An instruction that writes several registers has a content for each.
#[test]
fn registers_that_are_not_one_component_have_no_content() {
    let ctx = Ctx { pc: 8, ..Ctx::default() };
    let line = "LDL.64 R2, [R4]";
    let insn = shisa_rows::parse(&Names::<Maxwell>::new(), &mut Scan::new(line, 0), ctx);
    let written = contents(&insn.unwrap_or_else(|d| panic!("{d}")), ctx, |_| None);
    assert!(written.iter().all(|(_, content)| *content == Content::Unknown), "{written:?}");
}
