//! Atomic operations on memory.

use super::atomic_values::{
    FIRST, Kind as InMemory, SECOND, change, compare_and_exchange, compare_and_store, field,
};
use super::memory_values::present;
use super::{UNDEFINED, always, choice, flag, row, undefined};
use crate::attr::{self, Attr};
use crate::operand::{
    AT, Address, B, D, Dest, Inverted, MaxwellLift, P, RZ, Source, Span, expected, operand, parse_register,
    print_register,
};
use crate::role::{Memory, MemoryAccess};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::{Space, Value};
use shisa_rows::{
    Begins, Details, Field, Form, Hints, Insn, Kind, Line, Modifier, Operand, Registers, Rule, Scan,
};

/// What is done to memory, as far as all rows agree.
pub(super) const REDUCTIONS: &[&str] = &[".ADD", ".MIN", ".MAX", ".INC", ".DEC", ".AND", ".OR", ".XOR"];
const OPERATIONS: &[&str] = &[
    ".ADD",
    ".MIN",
    ".MAX",
    ".INC",
    ".DEC",
    ".AND",
    ".OR",
    ".XOR",
    ".EXCH",
    ".INVALIDATOMOP9",
    ".SAFEADD",
    ".INVALIDATOMOP11",
    ".INVALIDATOMOP12",
    ".INVALIDATOMOP13",
    ".INVALIDATOMOP14",
    ".INVALIDATOMOP15",
];
/// The same in shared memory and on surfaces.
pub(super) const SHARED_OPERATIONS: &[&str] = &[
    ".ADD",
    ".MIN",
    ".MAX",
    ".INC",
    ".DEC",
    ".AND",
    ".OR",
    ".XOR",
    ".EXCH",
    ".INVALIDATOMSOP9",
    ".INVALIDATOMSOP10",
    ".INVALIDATOMSOP11",
    ".INVALIDATOMSOP12",
    ".INVALIDATOMSOP13",
    ".INVALIDATOMSOP14",
    ".INVALIDATOMSOP15",
];
const TYPES: &[&str] = &[
    "",
    ".S32",
    ".U64",
    ".F32.FTZ.RN",
    ".F16x2.FTZ.RN",
    ".S64",
    ".INVALIDATOMICSIZE6",
    ".INVALIDATOMICSIZE7",
];
const OLDER_TYPES: &[&str] =
    &["", ".S32", ".U64", ".F32.FTZ.RN", ".U128", ".S64", ".INVALIDATOMICSIZE6", ".INVALIDATOMICSIZE7"];

const TYPE: Field = Field::at(49, 3);
const RED_TYPE: Field = Field::at(20, 3);
const SHARED_TYPE: Field = Field::at(28, 2);

/// Suffixes of a row: wide address, operation, type.
macro_rules! suffixes {
    ($operation:expr, $type:expr, $names:expr) => {
        &[flag(48, &["", ".E"]), $operation, Modifier::new($type, $names).unwritten(".U32")]
    };
}
/// Changing global memory.
const REDUCTION: Attr = attr::MEMORY.accesses(MemoryAccess { memory: Memory::Global, stores: true });
/// The same for a result.
const ATOMIC: Attr = REDUCTION.stall(2);
/// Changing memory of the workgroup for a result.
const SHARED_ATOMIC: Attr = attr::SHARED.accesses(MemoryAccess { memory: Memory::Shared, stores: true });

/// The number of the operation, where no predicate is written and in shared memory.
const OPERATION: Field = Field::at(52, 4);
const TESTED_OPERATION: Field = Field::at(44, 4);
const RED_OPERATION: Field = Field::at(23, 3);

const ATOM: &[Modifier] = suffixes!(choice(52, 4, OPERATIONS), TYPE, TYPES);
const OLDER_ATOM: &[Modifier] = suffixes!(choice(52, 4, OPERATIONS), TYPE, OLDER_TYPES);
const TESTED: &[Modifier] = suffixes!(choice(44, 4, OPERATIONS), TYPE, TYPES);
const RED: &[Modifier] = suffixes!(choice(23, 3, REDUCTIONS), RED_TYPE, TYPES);
const OLDER_RED: &[Modifier] = suffixes!(choice(23, 3, REDUCTIONS), RED_TYPE, OLDER_TYPES);
const CAS: &[Modifier] = &[flag(48, &["", ".E"]), always(&[".CAS"]), flag(49, &["", ".64"])];
const SHARED: &[Modifier] = &[
    choice(52, 4, SHARED_OPERATIONS),
    Modifier::new(SHARED_TYPE, &["", ".S32", ".U64", ".S64"]).unwritten(".U32"),
];
const CAST: &[Modifier] = &[always(&[".CAST"]), flag(53, &["", ".SPIN"]), flag(52, &["", ".64"])];
const SHARED_CAS: &[Modifier] = &[always(&[".CAS"]), flag(52, &["", ".64"])];

/// How many registers a value of a type has.
pub(super) const fn count(ty: u64) -> u8 {
    match ty {
        2 | 5 => 2,
        _ => 1,
    }
}

const fn dest(span: fn(&u128) -> u8) -> Dest {
    Dest { codes: false, span: Span::By(span) }
}

const fn source(span: fn(&u128) -> u8) -> Source {
    Source { span: Span::By(span), ..Source::PLAIN }
}

fn atom_count(word: &u128) -> u8 {
    count(TYPE.get(word))
}

fn shared_count(word: &u128) -> u8 {
    if SHARED_TYPE.get(word) >= 2 { 2 } else { 1 }
}

fn cas_count(word: &u128) -> u8 {
    1 + Field::at(49, 1).get(word) as u8
}

fn shared_cas_count(word: &u128) -> u8 {
    1 + Field::at(52, 1).get(word) as u8
}

const WIDE: Address = Address::BYTES.span(Span::By(|word| 1 + Field::at(48, 1).get(word) as u8));
const ADDRESS: Operand<Maxwell> = operand(AT, Field::at(8, 8).then(28, 20), &WIDE);
const BARE: Operand<Maxwell> = operand(AT, Field::at(8, 8), &WIDE);
const SHARED_ADDRESS: Operand<Maxwell> = operand(AT, Field::at(8, 8).then(30, 22), &Address::WORDS);
const OLD: Operand<Maxwell> = operand(D, Field::at(0, 8), &dest(atom_count));
const VALUE: Operand<Maxwell> = operand(B, Field::at(20, 8), &source(atom_count));
const REDUCED: Operand<Maxwell> = operand(D, Field::at(0, 8), &source(|word| count(RED_TYPE.get(word))));
const SHARED_OLD: Operand<Maxwell> = operand(D, Field::at(0, 8), &dest(shared_count));
const SHARED_VALUE: Operand<Maxwell> = operand(B, Field::at(20, 8), &source(shared_count));
const CAS_OLD: Operand<Maxwell> = operand(D, Field::at(0, 8), &dest(cas_count));
const CAS_PAIR: Operand<Maxwell> = operand(B, Field::at(20, 8).then(50, 2), &Pair { count: cas_count });
const SHARED_CAS_OLD: Operand<Maxwell> = operand(D, Field::at(0, 8), &dest(shared_cas_count));
const SHARED_CAS_PAIR: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(28, 2), &Pair { count: shared_cas_count });
/// Whether the page is missing, as for loads.
const MISSING: Operand<Maxwell> = operand(P, Field::at(41, 3), &Inverted { optional: false });

const FORM: Rule<Maxwell> = Rule { code: UNDEFINED, check: pair_exists };
const BASE: Rule<Maxwell> = Rule { code: UNDEFINED, check: base_is_a_register };

const ATOM_TIMING: Attr = ATOMIC.reads(2, 3_776);
const ATOMS_TIMING: Attr = SHARED_ATOMIC.reads(4, 18_368);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("ATOM", 0xed00, 0xff00, &[OLD, ADDRESS, VALUE], atom).attr(ATOM_TIMING).modifiers(ATOM).older(OLDER_ATOM).says("Changes global memory and gives what was there.")
        .examples(&[("ATOM.E.ADD.F32.FTZ.RN R144, [R0+0x39006], R24;", 0x07e0_ed07_3900_6187_0090)]),
    row("ATOM", 0xee60, 0xfff0, &[MISSING, OLD, BARE, VALUE], tested_atom).attr(ATOM_TIMING.late()).modifiers(TESTED).rules(&[BASE]).says("Changes global memory and gives what was there; the predicate says whether the page is missing.")
        .examples(&[("ATOM.E.EXCH.F16x2.FTZ.RN P4, R48, [R0], R168;", 0x07e0_ee69_8600_0a87_0030)]),
    row("ATOM", 0xee70, 0xfff0, &[MISSING, CAS_OLD, BARE, CAS_PAIR], atom_cas).attr(ATOM_TIMING.late()).modifiers(CAS).rules(&[FORM, BASE]).says("Exchanges global memory if it is equal; the predicate says whether the page is missing.")
        .examples(&[("ATOM.CAS PT, R0, [R0], R0, R1;", 0x07e0_ee70_0000_0007_0000)]),
    row("ATOM", 0xeef0, 0xfff0, &[CAS_OLD, ADDRESS, CAS_PAIR], atom_cas).attr(ATOM_TIMING).modifiers(CAS).rules(&[FORM]).says("Exchanges global memory if it is equal, and gives what was there.")
        .examples(&[("ATOM.E.CAS.64 R4, [R2+0x8], R6, R8;", 0x07e0_eef3_0000_8067_0204)]),
    row("ATOMS", 0xec00, 0xff00, &[SHARED_OLD, SHARED_ADDRESS, SHARED_VALUE], atoms).attr(ATOMS_TIMING).modifiers(SHARED).says("Changes memory of the workgroup and gives what was there.")
        .examples(&[("@P0 ATOMS.ADD.S32 RZ, [0x8], R6;", 0x07e0_ec00_0000_9060_ffff)]),
    row("ATOMS", 0xee00, 0xffc0, &[SHARED_CAS_OLD, SHARED_ADDRESS, SHARED_CAS_PAIR], atoms_cast).attr(ATOMS_TIMING).modifiers(CAST).rules(&[SHARED_FORM]).says("Exchanges memory of the workgroup if it is equal, and gives 1 if it did, else 0.")
        .examples(&[("ATOMS.CAST.SPIN.64 R0, [R1+0x508040], RZ, R8;", 0x07e0_ee35_0804_2087_0100)]),
    row("ATOMS", 0xee40, 0xffe0, &[SHARED_CAS_OLD, SHARED_ADDRESS, SHARED_CAS_PAIR], atoms_cas).attr(ATOMS_TIMING).modifiers(SHARED_CAS).rules(&[SHARED_FORM]).says("Exchanges memory of the workgroup if it is equal, and gives what was there.")
        .examples(&[("ATOMS.CAS.64 R4, [0x8], R4, R6;", 0x07e0_ee50_0000_8047_ff04)]),
    row("RED", 0xebf8, 0xfff8, &[ADDRESS, REDUCED], red).attr(REDUCTION.reads(2, 15_598)).modifiers(RED).older(OLDER_RED).says("Changes global memory.")
        .examples(&[("RED.E.ADD.F32.FTZ.RN [R16+0x7ded9], R96;", 0x07e0_ebf9_7ded_9037_1060)]),
];

fn changed(l: &mut MaxwellLift<'_, '_>, operation: Field) {
    let kind = InMemory::global(field(l, TYPE), l.ctx.chip);
    let operation = field(l, operation);
    if let Some(old) = change(l, Space::Global, (kind, operation), B) {
        l.set(D, old);
    }
}

fn atom(l: &mut MaxwellLift<'_, '_>) {
    changed(l, OPERATION);
}

fn tested_atom(l: &mut MaxwellLift<'_, '_>) {
    changed(l, TESTED_OPERATION);
    present(l);
}

fn red(l: &mut MaxwellLift<'_, '_>) {
    let kind = InMemory::global(field(l, RED_TYPE), l.ctx.chip);
    let operation = field(l, RED_OPERATION);
    change(l, Space::Global, (kind, operation), D);
}

fn atoms(l: &mut MaxwellLift<'_, '_>) {
    let kind = InMemory::shared(field(l, SHARED_TYPE));
    let operation = field(l, OPERATION);
    if let Some(old) = change(l, Space::Shared, (kind, operation), B) {
        l.set(D, old);
    }
}

fn atom_cas(l: &mut MaxwellLift<'_, '_>) {
    let count = cas_count(&l.insn.word);
    compare_and_exchange(l, Space::Global, count);
}

fn atoms_cas(l: &mut MaxwellLift<'_, '_>) {
    let count = shared_cas_count(&l.insn.word);
    compare_and_exchange(l, Space::Shared, count);
}

fn atoms_cast(l: &mut MaxwellLift<'_, '_>) {
    let count = shared_cas_count(&l.insn.word);
    compare_and_store(l, Space::Shared, count);
}

const SHARED_FORM: Rule<Maxwell> = Rule { code: UNDEFINED, check: shared_pair_exists };

/// What memory is compared with and exchanged for, in registers in a row: number, then which of both is `RZ`
/// instead.
#[derive(Debug)]
struct Pair {
    /// Registers that each has.
    count: fn(&u128) -> u8,
}

/// Both are in registers.
const BOTH: u64 = 0;

impl Kind<Maxwell> for Pair {
    fn describe(&self) -> &'static str {
        "value to compare with and value to store"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        let (n, form) = (bits & 255, bits >> 8);
        let next = n + u64::from((self.count)(&insn.word));
        // A register past the last one, and `RZ` where a register must be, have no name.
        let nameless = |out: &mut Line<'_>| out.text("???255");
        match (form, n) {
            (SECOND, _) => print_register(RZ, out),
            (BOTH, RZ) => nameless(out),
            _ => print_register(n, out),
        }
        out.text(", ");
        match (form, n) {
            (FIRST, _) => print_register(RZ, out),
            (SECOND, RZ) => nameless(out),
            (SECOND, _) => print_register(n, out),
            _ if next >= RZ => nameless(out),
            _ => print_register(next, out),
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let start = text.pos();
        let first = name(text)?;
        let comma = text.blanks().eat(b',');
        if !comma {
            return Err(expected("`,` and the value to store", text));
        }
        text.blanks();
        let second = name(text)?;
        let next = first.map(|n| n + u64::from((self.count)(word))).filter(|n| *n < RZ);
        let bits = match (first, second) {
            (None, None) => RZ,
            (Some(RZ), None) => RZ | SECOND << 8,
            (Some(n), Some(RZ)) => n | FIRST << 8,
            (Some(RZ), Some(n)) => n | SECOND << 8,
            (Some(n), second) if second == next => n,
            _ => {
                return Err(Diagnostic::error(
                    "asm-operand",
                    "both values are in registers in a row, or one is RZ",
                )
                .at_text(text.since(start), ""));
            }
        };
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        op.field.get(&insn.word) >> 8 <= SECOND
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for Pair {
    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        let (bits, each) = (op.field.get(&insn.word), self.count);
        let span = if bits >> 8 == BOTH { 2 * each(&insn.word) } else { each(&insn.word) };
        Span::Count(span).read(bits & 255, &insn.word)
    }
}

impl Hints<Maxwell> for Pair {
    /// Which bits state how many registers each has is not known.
    fn decided_by(&self, _: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        None
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"R?")
    }
}

/// Reads a register; `None` for one without a name.
fn name(text: &mut Scan<'_>) -> Result<Option<u64>, Diagnostic> {
    if text.eat_str("???255") { Ok(None) } else { parse_register(text).map(Some) }
}

fn no_pair(field: Field, insn: &Insn<Maxwell>) -> Option<Diagnostic> {
    undefined(
        field.get(&insn.word) > SECOND,
        "no register is said to hold the values to compare with and to store",
    )
}

fn pair_exists(insn: &Insn<Maxwell>, _: Ctx) -> Option<Diagnostic> {
    no_pair(Field::at(50, 2), insn)
}

fn shared_pair_exists(insn: &Insn<Maxwell>, _: Ctx) -> Option<Diagnostic> {
    no_pair(SHARED_TYPE, insn)
}

fn base_is_a_register(insn: &Insn<Maxwell>, _: Ctx) -> Option<Diagnostic> {
    undefined(Field::at(8, 8).get(&insn.word) == RZ, "with a predicate the address is in a register, not RZ")
}
