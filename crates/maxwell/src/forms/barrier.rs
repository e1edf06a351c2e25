//! Barriers: of the workgroup, of memory, and of results of variable latency.

mod meaning;

pub(super) use meaning::result;

use super::{always, choice, fixed, row};
use crate::attr::{self, Attr};
use crate::class::Class;
use crate::operand::{
    AT, B, MaxwellLift, NUMBER, Predicate, R, Span, TABLE, expected, operand, parse_register, parse_signed,
    print_register, print_signed,
};
use crate::role::{Drain, Role, WorkgroupBarrier};
use crate::{Ctx, Maxwell};
use meaning::{arrive, reduce, wait_for_all};
use shisa_diag::Diagnostic;
use shisa_ir::{Arrival, Value};
use shisa_rows::{
    Begins, Details, Field, Form, Hints, Insn, Kind, Line, Modifier, OneOf, Operand, Registers, Scan,
};

const BARRIER: Operand<Maxwell> = operand(AT, Field::at(8, 8).then(44, 1), &Either { optional: false });
const THREADS: Operand<Maxwell> = operand(B, Field::at(20, 12).then(43, 1), &Either { optional: false });
/// All threads of the workgroup, where it is not written.
const SOME_THREADS: Operand<Maxwell> = operand(B, Field::at(20, 12).then(43, 1), &Either { optional: true });
const VOTE: Operand<Maxwell> = operand(R, Field::at(39, 4), &Predicate { written: false });
const SCOREBOARD: Operand<Maxwell> = operand(
    AT,
    Field::at(26, 3),
    &OneOf::new("scoreboard", &["SB0", "SB1", "SB2", "SB3", "SB4", "SB5", "???6", "???7"]),
);
const PENDING: Operand<Maxwell> = operand(B, Field::at(20, 6), &crate::operand::Number::PLAIN);
const SET: Operand<Maxwell> = operand(TABLE, Field::at(0, 6), &Scoreboards);

const MEMBAR: &[Modifier] =
    &[choice(8, 2, &[".CTA", ".GL", ".SYS", ".VC"]), choice(0, 2, &["", ".IVALLD", ".IVALLT", ".IVALLTD"])];
const REDUCTION: Modifier = choice(35, 2, &[".POPC", ".AND", ".OR", ".INVALIDBARMODE3"]);
const REDUCE: &[Modifier] = &[always(&[".RED"]), REDUCTION];

/// What is done at a barrier.
const MODE: u64 = 7 << 32;
/// `PT` where there is no predicate.
const NO_VOTE: u64 = 7 << 39;
const VOTES: u64 = 15 << 39;
/// `RZ` where there is no number of threads.
const NO_THREADS: u64 = 0xff << 20;
/// Waiting for scoreboards, which raises none.
const SCOREBOARDS: Attr = attr::FIXED.with_reuse3(true).on(Class::System).stall(3);
const DRAINS: Attr = SCOREBOARDS.role(Role::Drain(|word| Drain { all: set(word), ..Drain::default() }));
const DRAINS_PART: Attr = SCOREBOARDS.role(Role::Drain(|word| {
    let scoreboard = SCOREBOARD.field.get(word) as u32;
    Drain { all: set(word), most: Some((scoreboard, PENDING.field.get(word) as u8)), ..Drain::default() }
}));
const BARRIERS: Attr = attr::SYSTEM.stall(15);
/// Waits at one barrier, whose number an operand holds.
const ONE_BARRIER: Attr = one_barrier(true);
/// Arrives at one barrier without waiting there.
const ARRIVES: Attr = one_barrier(false);
const ALL_BARRIERS: Attr = BARRIERS.role(Role::Barrier(WorkgroupBarrier { number: |_| None, waits: true }));

const fn one_barrier(waits: bool) -> Attr {
    let number = |word: &u128| Either::number(&BARRIER, word);
    BARRIERS.role(Role::Barrier(WorkgroupBarrier { number, waits })).reads(4, 4_420)
}

/// The set of scoreboards that an instruction names.
fn set(word: &u128) -> u32 {
    SET.field.get(word) as u32
}

const BAR: u64 = 0xf0a8_0000_0000_0000;
const OPCODE: u64 = 0xfff8_0000_0000_0000;
/// Whether a scoreboard is waited for by its count.
const COUNTED: u64 = 1 << 29;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    fixed("BAR", (BAR | NO_VOTE, OPCODE | MODE | VOTES), &[BARRIER, SOME_THREADS], |l| arrive(l, Arrival::Wait)).attr(ONE_BARRIER).modifiers(&[always(&[".SYNC"])]).says("Waits at a barrier until all threads have arrived.")
        .examples(&[("BAR.SYNC 0x0;", 0x07e0_f0a8_1b80_0007_0000), ("BAR.SYNC 0x0, R3;", 0x07e0_f0a8_1380_0037_0000)]),
    fixed("BAR", (BAR | NO_VOTE | 1 << 32, OPCODE | MODE | VOTES), &[BARRIER, THREADS], |l| arrive(l, Arrival::Pass)).attr(ARRIVES).modifiers(&[always(&[".ARV"])]).says("Arrives at a barrier without waiting there.")
        .examples(&[("BAR.ARV 0xf2, R55;", 0x07e0_f0a8_1381_0377_f200), ("BAR.ARV 0x1, 0x40;", 0x07e0_f0a8_1b81_0407_0100)]),
    fixed("BAR", (BAR | 2 << 32, OPCODE | MODE), &[BARRIER, SOME_THREADS, VOTE], reduce).attr(ONE_BARRIER).modifiers(REDUCE).says("Waits at a barrier and combines the predicates of the threads, for `B2R`.")
        .examples(&[("BAR.RED.OR 0x0, P0;", 0x07e0_f0a8_1812_0007_0000)]),
    fixed("BAR", (BAR | 3 << 32, OPCODE | MODE), &[BARRIER, THREADS, VOTE], |l| arrive(l, Arrival::Before)).attr(ONE_BARRIER).modifiers(&[always(&[".SCAN"])]).says("Waits at a barrier and counts the threads before this one whose predicate is true.")
        .examples(&[("BAR.SCAN 0xd7, R115, PT;", 0x07e0_f0a8_1383_0737_d700), ("BAR.SCAN 0x1, R3, P0;", 0x07e0_f0a8_1003_0037_0100)]),
    fixed("BAR", (BAR | NO_VOTE | 4 << 32 | NO_THREADS, OPCODE | MODE | VOTES | NO_THREADS), &[], wait_for_all).attr(ALL_BARRIERS).bare().modifiers(&[always(&[".SYNCALL"])]).says("Waits at all barriers.")
        .examples(&[("BAR.SYNCALL;", 0x07e0_f0a8_0384_0ff0_0000)]),
    fixed("DEPBAR", (0xf0f0_0000_0000_0000, OPCODE | COUNTED), &[SET], |_| ()).attr(DRAINS).says("Waits until nothing that raises these scoreboards is in progress.")
        .examples(&[("DEPBAR {2};", 0x07e0_f0f0_0000_0007_0004), ("DEPBAR;", 0x07e0_f0f0_0000_0007_0000)]),
    fixed("DEPBAR", (0xf0f0_0000_0000_0000 | COUNTED, OPCODE | COUNTED), &[SCOREBOARD, PENDING, SET], |_| ()).attr(DRAINS_PART).modifiers(&[always(&[".LE"])]).says("Waits until at most so many instructions that raise a scoreboard are in progress, and none of the others named.")
        .examples(&[("DEPBAR.LE SB5, 0x7;", 0x07e0_f0f0_0000_3477_0000), ("DEPBAR.LE SB4, 0x3c, {5,3,2,0};", 0x07e0_f0f0_0000_33c7_002d)]),
    row("MEMBAR", 0xef98, 0xfff8, &[], |_| ()).attr(attr::MEMORY.stall(5)).modifiers(MEMBAR).says("Waits until earlier accesses to memory are visible.")
        .examples(&[("MEMBAR.GL;", 0x07e0_ef98_0000_0007_0100), ("MEMBAR.SYS.IVALLD;", 0x07e0_ef98_0000_0007_0201)]),
];

/// A number, or the register that holds it: the last bit says which.
#[derive(Debug)]
struct Either {
    /// Whether the number 0 is not written.
    optional: bool,
}

impl Either {
    /// Whether it is a number, and the bits.
    fn split(op: &Operand<Maxwell>, word: &u128) -> (bool, u64) {
        let (bits, width) = (op.field.get(word), op.field.width() - 1);
        (bits >> width != 0, bits & ((1 << width) - 1))
    }

    /// The number; `None` where a register holds it.
    fn number(op: &Operand<Maxwell>, word: &u128) -> Option<u64> {
        let (number, bits) = Self::split(op, word);
        number.then_some(bits)
    }
}

impl Kind<Maxwell> for Either {
    fn describe(&self) -> &'static str {
        "number or register"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        match Self::split(op, &insn.word) {
            (true, n) => print_signed(n as i64, out),
            (false, n) => print_register(n & 255, out),
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let (at, width) = (text.pos(), op.field.width() - 1);
        if text.peek() == Some(b'R') {
            op.field.set(word, parse_register(text)?);
            return Ok(());
        }
        let n = parse_signed(text)?;
        if n < 0 || n >> width != 0 {
            return Err(Diagnostic::error("asm-range", "the number is too large").at_text(text.since(at), ""));
        }
        op.field.set(word, n as u64 | 1 << width);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        let (number, n) = Self::split(op, &insn.word);
        number || n <= 255
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for Either {
    fn optional(&self) -> bool {
        self.optional
    }

    fn absent(&self, op: &Operand<Maxwell>, word: &mut u128) {
        op.field.set(word, 1 << (op.field.width() - 1));
    }

    fn shown(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        !self.optional || Self::split(op, &insn.word) != (true, 0)
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        match Self::split(op, &insn.word) {
            (true, _) => None,
            (false, n) => Span::One.read(n & 255, &insn.word),
        }
    }
}

impl Hints<Maxwell> for Either {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        NUMBER.or(b'R', true)
    }
}

/// A set of scoreboards, the last one first; an empty one is not written.
#[derive(Debug)]
struct Scoreboards;

impl Kind<Maxwell> for Scoreboards {
    fn describe(&self) -> &'static str {
        "set of scoreboards"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let mut left = op.field.get(&insn.word);
        out.byte(b'{');
        while left != 0 {
            let last = u64::from(left.ilog2());
            left &= !(1 << last);
            out.dec(last);
            if left != 0 {
                out.byte(b',');
            }
        }
        out.byte(b'}');
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let mut set = 0;
        let mut more = text.eat(b'{');
        if !more {
            return Err(expected("scoreboards such as {5,0}", text));
        }
        while more {
            text.blanks();
            match text.dec() {
                Some(n) if n < u64::from(op.field.width()) => set |= 1 << n,
                _ => return Err(expected("the number of a scoreboard, 0 to 5", text)),
            }
            more = text.blanks().eat(b',');
        }
        if !text.eat(b'}') {
            return Err(expected("`}`", text));
        }
        op.field.set(word, set);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for Scoreboards {
    fn optional(&self) -> bool {
        true
    }
}

impl Hints<Maxwell> for Scoreboards {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"{")
    }
}
