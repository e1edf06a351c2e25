//! Control flow.

mod meaning;

use super::{PIXELS, choice, fixed, flag, row};
use crate::Maxwell;
use crate::attr::{self, Attr};
use crate::class::Class;
use crate::mark::{Mark, Origin, Turn};
use crate::operand::{
    AT, B, Bank, Condition, Indirect, MaxwellLift, Number, R, TARGET, operand, unless_usual,
};
use crate::role::Role;
use crate::sequencer::{RAM, SAM, Stop};
use meaning::{breakpoint, go, kill, stop};
use shisa_rows::{Field, Form, Modifier, Operand};

/// Whether the target comes from a constant.
const FROM_CONSTANT: u64 = 1 << 5;

/// Control flow, which raises no barriers.
const FLOW: Attr = attr::FIXED.with_reuse3(true).on(Class::Flow);
/// Goes to a target relative to the next instruction, with the stall cycles of a branch.
const BRANCH: Attr = FLOW.turns(Turn::Branch(Origin::Next)).stall(13);
/// Goes to an absolute address.
const JUMP: Attr = FLOW.turns(Turn::Branch(Origin::Zero)).stall(13);
const CALL: Attr = FLOW.turns(Turn::Call(Origin::Next)).stall(13);
/// Calls an absolute address.
const FAR_CALL: Attr = FLOW.turns(Turn::Call(Origin::Zero)).stall(13);
/// Operations on the helper lanes of a quad.
const QUAD: Attr = attr::FIXED.with_reuse3(true).on(Class::System).stall(13);

/// Makes a mark of a kind.
const fn push(mark: Mark) -> Attr {
    FLOW.turns(Turn::Push(mark))
}

/// Leaves to a mark of a kind.
const fn pop(mark: Mark, stall: u32) -> Attr {
    FLOW.turns(Turn::Pop(mark)).stall(stall)
}

const TEST: Operand<Maxwell> = operand(R, Field::at(0, 5), &Condition);
const CONSTANT: Operand<Maxwell> =
    operand(AT, Field::at(20, 16).then(36, 5), &Bank { indexed: false, zero: false });
const INDEXED: Operand<Maxwell> =
    operand(AT, Field::at(8, 8).then(20, 16).then(36, 5), &Bank { indexed: true, zero: true });
const RELATIVE: Operand<Maxwell> = operand(AT, Field::at(8, 8).then(20, 24), &Indirect { relative: true });
const FAR_RELATIVE: Operand<Maxwell> =
    operand(AT, Field::at(8, 8).then(20, 32), &Indirect { relative: false });
const ABSOLUTE: Operand<Maxwell> = operand(AT, Field::at(20, 32), &Number::PLAIN);
const CODE: Operand<Maxwell> = operand(B, Field::at(20, 20), &unless_usual(0));
const MASK: Operand<Maxwell> = operand(B, Field::at(20, 16), &Number::PLAIN);

/// All lanes agree; few threads are left, as far as is known.
const UNIFORMITY: &[Modifier] = &[flag(7, &["", ".U"]), flag(6, &["", ".LMT"])];
const LIMIT: &[Modifier] = &[flag(6, &["", ".LMT"])];
const COUNT: &[Modifier] = &[flag(6, &[".NOINC", ""]).unwritten(".INC")];

/// Why the program stops.
const BREAKPOINT: Modifier =
    choice(6, 3, &[".DRAIN_ILLEGAL", ".CAL", ".PAUSE", ".TRAP", ".INT", ".DRAIN", ".???6", ".???7"]);

/// A row whose target the instruction or a constant holds.
const fn to(
    name: &'static str,
    bits: u16,
    constant: bool,
    operands: &'static [Operand<Maxwell>],
) -> Form<Maxwell> {
    let from = if constant { FROM_CONSTANT } else { 0 };
    fixed(name, ((bits as u64) << 48 | from, 0xfff0_0000_0000_0000 | FROM_CONSTANT), operands, go)
}

/// The same without a guard.
const fn mark(
    name: &'static str,
    bits: u16,
    constant: bool,
    operands: &'static [Operand<Maxwell>],
) -> Form<Maxwell> {
    to(name, bits, constant, operands).bare()
}

/// A row with nothing but a condition.
const fn leave(name: &'static str, bits: u16, lift: fn(&mut MaxwellLift<'_, '_>)) -> Form<Maxwell> {
    row(name, bits, 0xfff0, &[TEST], lift)
}

/// A row with neither guard nor condition.
const fn alone(
    name: &'static str,
    bits: u16,
    operands: &'static [Operand<Maxwell>],
    lift: fn(&mut MaxwellLift<'_, '_>),
) -> Form<Maxwell> {
    row(name, bits, 0xfff0, operands, lift).bare()
}

const BRA_TIMING: Attr = BRANCH.stall(5).reads_codes(13, 4_513);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    to("BRA", 0xe240, false, &[TEST, TARGET]).attr(BRA_TIMING).modifiers(UNIFORMITY).says("Goes to the target.")
        .examples(&[("BRA 0x8;", 0x07e0_e240_0fff_ff87_000f), ("@!P0 BRA 0x110;", 0x07e0_e240_0000_1008_000f), ("BRA CC.LT, 0x10;", 0x07e0_e240_0000_0007_0001)]),
    to("BRA", 0xe240, true, &[TEST, CONSTANT]).attr(BRA_TIMING).modifiers(UNIFORMITY).says("Goes to the target that a constant holds.")
        .examples(&[("@!PT BRA.U.LMT CC.LT, c[0x13][0x534c];", 0x07e0_e240_0135_34cf_00e1), ("BRA c[0x13][0x534c];", 0x07e0_e240_0135_34c7_002f)]),
    to("BRX", 0xe250, false, &[TEST, RELATIVE]).attr(BRANCH).modifiers(LIMIT).says("Goes to the target that a register holds.")
        .examples(&[("BRX R9 -0xa50;", 0x07e0_e250_0fff_5b07_090f)]),
    to("BRX", 0xe250, true, &[TEST, INDEXED]).attr(BRANCH).modifiers(LIMIT).says("Goes to the target that a table of constants holds.")
        .examples(&[("BRX c[0x0][RZ];", 0x07e0_e250_0000_0007_ff2f), ("BRX c[0x1a][R37+0x173c];", 0x07e0_e250_01a1_73c7_252f)]),
    to("JMP", 0xe210, false, &[TEST, ABSOLUTE]).attr(JUMP).modifiers(UNIFORMITY).says("Goes to an absolute address.")
        .examples(&[("JMP.U CC.GT, 0xf59efe75;", 0x07e0_e21f_59ef_e757_0084)]),
    to("JMP", 0xe210, true, &[TEST, CONSTANT]).attr(JUMP).modifiers(UNIFORMITY).says("Goes to the absolute address that a constant holds.")
        .examples(&[("JMP.LMT CC.GE, c[0x2][0x4601];", 0x07e0_e210_0024_6017_0066)]),
    to("JMX", 0xe200, false, &[TEST, FAR_RELATIVE]).attr(JUMP.reads(7, 756)).modifiers(LIMIT).says("Goes to the absolute address that a register holds.")
        .examples(&[("JMX CC.LO, R128 -0x1ffeffe6;", 0x07e0_e20e_0010_01a7_8011)]),
    to("JMX", 0xe200, true, &[TEST, INDEXED]).attr(JUMP.reads(7, 756)).modifiers(LIMIT).says("Goes to the absolute address that a table of constants holds.")
        .examples(&[("JMX.LMT CC.NEU, c[0x1a][R37+0x173c];", 0x07e0_e200_01a1_73c7_256d)]),
    mark("CAL", 0xe260, false, &[TARGET]).attr(CALL).modifiers(COUNT).says("Calls.")
        .examples(&[("CAL 0x300;", 0x07e0_e260_0000_2f00_0040)]),
    mark("CAL", 0xe260, true, &[CONSTANT]).attr(CALL).modifiers(COUNT).says("Calls the target that a constant holds.")
        .examples(&[("CAL.NOINC c[0x1f][-0x34c7];", 0x07e0_e260_01fc_b390_0020)]),
    mark("JCAL", 0xe220, false, &[ABSOLUTE]).attr(FAR_CALL).modifiers(COUNT).says("Calls an absolute address.")
        .examples(&[("JCAL 0x10;", 0x07e0_e220_0000_0100_0040)]),
    mark("JCAL", 0xe220, true, &[CONSTANT]).attr(FAR_CALL).modifiers(COUNT).says("Calls the absolute address that a constant holds.")
        .examples(&[("JCAL c[0x1b][-0x6376];", 0x07e0_e220_01b9_c8a0_0060)]),
    mark("PRET", 0xe270, false, &[TARGET]).attr(push(Mark::Return)).modifiers(COUNT).says("Marks where lanes that RET reconverge.")
        .examples(&[("PRET.NOINC 0xb10;", 0x07e0_e270_0000_b000_0000)]),
    mark("PRET", 0xe270, true, &[CONSTANT]).attr(push(Mark::Return)).modifiers(COUNT).says("Marks where lanes that RET reconverge, at the target that a constant holds.")
        .examples(&[("PRET c[0xe][0x203c];", 0x07e0_e270_00e2_03c0_0060)]),
    mark("PLONGJMP", 0xe280, false, &[TARGET]).attr(push(Mark::LongJump)).says("Marks where lanes that LONGJMP reconverge.")
        .examples(&[("PLONGJMP 0x110;", 0x07e0_e280_0000_1000_0000)]),
    mark("PLONGJMP", 0xe280, true, &[CONSTANT]).attr(push(Mark::LongJump)).says("Marks where lanes that LONGJMP reconverge, at the target that a constant holds.")
        .examples(&[("PLONGJMP c[0x1a][0x173c];", 0x07e0_e280_01a1_73c0_0020)]),
    mark("SSY", 0xe290, false, &[TARGET]).attr(push(Mark::Sync)).says("Marks where lanes that SYNC reconverge.")
        .examples(&[("SSY 0x228;", 0x07e0_e290_0000_2180_0000)]),
    mark("SSY", 0xe290, true, &[CONSTANT]).attr(push(Mark::Sync)).says("Marks where lanes that SYNC reconverge, at the target that a constant holds.")
        .examples(&[("SSY c[0x1a][0x173c];", 0x07e0_e290_01a1_73c0_0020)]),
    mark("PBK", 0xe2a0, false, &[TARGET]).attr(push(Mark::Break)).says("Marks where lanes that BRK reconverge.")
        .examples(&[("PBK 0x98;", 0x07e0_e2a0_0000_0880_0000)]),
    mark("PBK", 0xe2a0, true, &[CONSTANT]).attr(push(Mark::Break)).says("Marks where lanes that BRK reconverge, at the target that a constant holds.")
        .examples(&[("PBK c[0x1a][0x173c];", 0x07e0_e2a0_01a1_73c0_0020)]),
    mark("PCNT", 0xe2b0, false, &[TARGET]).attr(push(Mark::Continue)).says("Marks where lanes that CONT reconverge.")
        .examples(&[("PCNT 0x0;", 0x07e0_e2b0_0fff_ff00_0000)]),
    mark("PCNT", 0xe2b0, true, &[CONSTANT]).attr(push(Mark::Continue)).says("Marks where lanes that CONT reconverge, at the target that a constant holds.")
        .examples(&[("PCNT c[0x1a][0x173c];", 0x07e0_e2b0_01a1_73c0_0020)]),
    alone("PEXIT", 0xe230, &[TARGET], go).attr(push(Mark::Exit)).says("Marks where lanes that EXIT continue.")
        .examples(&[("PEXIT 0x110;", 0x07e0_e230_0000_1000_0000)]),
    leave("EXIT", 0xe300, go).attr(pop(Mark::Exit, 6)).modifiers(&[flag(5, &["", ".KEEPREFCOUNT"])]).says("Ends the lane.")
        .examples(&[("EXIT;", 0x07e0_e300_0000_0007_000f), ("@!PT EXIT.KEEPREFCOUNT CC.RGT;", 0x07e0_e300_0000_000f_003f)]),
    leave("LONGJMP", 0xe310, go).attr(pop(Mark::LongJump, 13)).says("Leaves to the mark of the long jump.")
        .examples(&[("LONGJMP CC.CSM_TA;", 0x07e0_e310_0000_0007_0018), ("LONGJMP;", 0x07e0_e310_0000_0007_000f)]),
    leave("RET", 0xe320, go).attr(pop(Mark::Return, 13)).says("Returns.")
        .examples(&[("RET;", 0x07e0_e320_0000_0007_000f)]),
    leave("KIL", 0xe330, kill).attr(FLOW.stall(13).role(Role::Kill).stages(PIXELS)).says("Discards the pixel.")
        .examples(&[("@P0 KIL;", 0x07e0_e330_0000_0000_000f)]),
    leave("BRK", 0xe340, go).attr(pop(Mark::Break, 5).reads_codes(13, 4_649)).says("Leaves to the mark of the loop.")
        .examples(&[("@P0 BRK;", 0x07e0_e340_0000_0000_000f)]),
    leave("CONT", 0xe350, go).attr(pop(Mark::Continue, 13)).says("Leaves to the mark of the loop's next iteration.")
        .examples(&[("CONT;", 0x07e0_e350_0000_0007_000f)]),
    row("SYNC", 0xf0f8, 0xfff8, &[TEST], go).attr(pop(Mark::Sync, 5)).says("Waits for the lanes that the mark was set for.")
        .examples(&[("SYNC;", 0x07e0_f0f8_0000_0007_000f)]),
    alone("RTT", 0xe360, &[], |l| stop(l, Stop::TrapReturn)).attr(FLOW).modifiers(&[choice(0, 2, &["", ".TERMINATE", ".FALLTHROUGH", ".PREEMPTED"])]).says("Returns from the trap handler.")
        .examples(&[("RTT.TERMINATE;", 0x07e0_e360_0000_0000_0001)]),
    alone("SAM", 0xe370, &[], |l| l.control(SAM, None, 0, 0)).attr(QUAD).says("Activates the helper lanes of a quad.")
        .examples(&[("SAM;", 0x07e0_e370_0000_0000_0000)]),
    alone("RAM", 0xe380, &[], |l| l.control(RAM, None, 0, 0)).attr(QUAD).says("Restores the active lanes from before SAM.")
        .examples(&[("RAM;", 0x07e0_e380_0000_0000_0000)]),
    alone("IDE", 0xe390, &[MASK], |_| ()).attr(attr::SYSTEM).modifiers(&[flag(5, &[".EN", ""])]).says("Enables or disables exceptions.")
        .examples(&[("IDE.EN 0x8683;", 0x07e0_e390_0008_6830_0000)]),
    alone("BPT", 0xe3a0, &[CODE], breakpoint).attr(FLOW).modifiers(&[BREAKPOINT]).says("Stops for a debugger or the trap handler.")
        .examples(&[("BPT.PAUSE 0xfd7c1;", 0x07e0_e3a0_00fd_7c10_0080), ("BPT.DRAIN;", 0x07e0_e3a0_0000_0000_0140)]),
];
