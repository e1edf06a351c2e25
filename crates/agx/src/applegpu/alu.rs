//! Arithmetic, comparisons and control flow.

use super::kind::{Written, binary, get, made, named, registers, whole};
use super::suffix;
use crate::Agx;
use crate::operand::*;
use shisa_rows::{Field, Insn, Line, Modifier, Operand, Spelling, Word};

const SAT: &[Modifier] = &[suffix(Field::at(6, 1), &["", ".sat"])];

/// A row whose result may saturate.
pub(crate) const fn saturating(name: &'static str, operands: &'static [Operand<Agx>]) -> Spelling<Agx> {
    Spelling::new(name, operands).modifiers(SAT)
}

const ZERO: Operand<Agx> = whole(&Written::Text("0"));

/// Special registers by number, with their names.
const SPECIAL_NAMES: &[(u8, &str)] = &[
    (0, "threadgroup_position_in_grid.x"),
    (1, "threadgroup_position_in_grid.y"),
    (2, "threadgroup_position_in_grid.z"),
    (4, "threads_per_threadgroup.x"),
    (5, "threads_per_threadgroup.y"),
    (6, "threads_per_threadgroup.z"),
    (8, "dispatch_threads_per_threadgroup.x"),
    (9, "dispatch_threads_per_threadgroup.y"),
    (10, "dispatch_threads_per_threadgroup.z"),
    (20, "core_index"),
    (21, "vm_slot"),
    (48, "thread_position_in_threadgroup.x"),
    (49, "thread_position_in_threadgroup.y"),
    (50, "thread_position_in_threadgroup.z"),
    (51, "thread_index_in_threadgroup"),
    (52, "thread_index_in_simdgroup"),
    (53, "simdgroup_index_in_threadgroup"),
    (56, "active_thread_index_in_quadgroup"),
    (58, "active_thread_index_in_simdgroup"),
    (60, "internal_coverage_mask"),
    (62, "backfacing"),
    (63, "is_active_thread"),
    (80, "thread_position_in_grid.x"),
    (81, "thread_position_in_grid.y"),
    (82, "thread_position_in_grid.z"),
    (124, "input_sample_mask"),
    (144, "opfifo_cmd"),
    (146, "opfifo_data_l"),
    (147, "opfifo_data_h"),
];

fn special(field: &Field, word: u128, out: &mut Line<'_>) {
    let n = field.get(&word);
    out.text("sr");
    out.dec(n);
    if let Some((_, name)) = SPECIAL_NAMES.iter().find(|(known, _)| u64::from(*known) == n) {
        out.text(" (");
        out.text(name);
        out.byte(b')');
    }
}

pub(crate) const MOV_IMM16: Spelling<Agx> = Spelling::new("mov_imm", &[DEST_IMM16, IMM16]);
pub(crate) const MOV_IMM32: Spelling<Agx> = Spelling::new("mov_imm", &[DEST_IMM32, IMM32, binary(62, 1)]);
pub(crate) const GET_SR: Spelling<Agx> =
    Spelling::new("get_sr", &[DEST_28, made(SPECIAL.field, &Written::Made(special))]);

const LSL: Operand<Agx> = made(SHIFT.field, &Written::If(|word| SHIFT.field.get(&word) != 0, lsl));

pub(super) fn lsl(field: &Field, word: u128, out: &mut Line<'_>) {
    out.text("lsl ");
    out.dec(field.get(&word));
}

pub(crate) const SUM: &[Operand<Agx>] = &[DEST_SUM, ADD_A, ADD_B, LSL];
pub(crate) const PRODUCT: &[Operand<Agx>] = &[DEST_PRODUCT, MUL_A, MUL_B, ZERO];
pub(crate) const MULTIPLY_ADD: &[Operand<Agx>] = &[DEST_PRODUCT, MUL_A, MUL_B, MUL_C, LSL];

const MASK: Operand<Agx> = made(BITS.field, &Written::If(|word| BITS.field.get(&word) != 0, mask));

fn mask(field: &Field, word: u128, out: &mut Line<'_>) {
    out.text("mask 0x");
    let mask = (1u64 << field.get(&word)) - 1;
    // All digits below the first are F.
    let digits = (u64::BITS - mask.leading_zeros()).div_ceil(4);
    (0..digits).rev().for_each(|i| out.byte(b"0123456789ABCDEF"[(mask >> (4 * i) & 15) as usize]));
}

pub(crate) const SHIFTED_LEFT: Spelling<Agx> = Spelling::new("bfi", &[DEST_60, ZERO, BITS_B, BITS_C]);
pub(crate) const SHIFTED_RIGHT: Spelling<Agx> = Spelling::new("bfeil", &[DEST_60, ZERO, BITS_B, BITS_C]);
pub(crate) const FIELD: &[Operand<Agx>] = &[DEST_60, BITS_A, BITS_B, BITS_C, MASK];
pub(crate) const ARITHMETIC: &[Operand<Agx>] = &[DEST_60, BITS_A, BITS_B];

/// The truth table of a bit operation, by the four bits that encode it.
const TABLE: Operand<Agx> = made(
    Field::at(26, 2).then(38, 2),
    &Written::Made(|field, word, out| {
        let bits = field.get(&word);
        (0..4).for_each(|i| out.byte(b'0' + (bits >> i & 1) as u8));
    }),
);

pub(crate) const IUNOP: Spelling<Agx> =
    Spelling::new("iunop", &[DEST_44, ALU_A, binary(38, 2), binary(26, 2)]);
pub(crate) const FUNOP: &[Operand<Agx>] = &[DEST_44, FLOAT_A, binary(28, 6)];
pub(crate) const SR_THING: Spelling<Agx> =
    Spelling::new("TODO.sr_thing", &[DEST_28, made(SPECIAL.field, &Written::Made(special))]);
pub(crate) const POP_EXEC2: Spelling<Agx> = Spelling::new("TODO.pop_exec2", &[COUNTER, NEST]);
pub(crate) const BITOP: Spelling<Agx> = Spelling::new("bitop", &[TABLE, DEST_44, ALU_A, ALU_B])
    .unless(|insn| matches!(TABLE.field.get(&insn.word), 0b0011 | 0b1100), &BITOP_MOVED);
const BITOP_MOVED: Spelling<Agx> = Spelling::new("bitop_mov_a", &[TABLE, DEST_44, ALU_A, ALU_B]);
/// The destination of a product of matrices.
const PAIRED: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let first = get(word, &[(9, 6), (60, 2)]);
    registers(b'r', first, word.get(8, 1) != 0, 2, out);
    out.text(if word.get(7, 1) != 0 { ".cache" } else { "" });
}));
pub(crate) const MATRICES: &[Operand<Agx>] = &[PAIRED, PAIR_A, PAIR_B, PAIR_C];

pub(crate) const BITOP_MOV_A: Spelling<Agx> = Spelling::new("bitop_mov_a", &[TABLE, DEST_44, ALU_A, ZERO]);

/// The kind of a conversion: its number is part of the opcode.
const MODE: Operand<Agx> = made(
    Field::at(16, 6),
    &Written::Made(|field, word, out| {
        let names = [
            "u8_to_f", "s8_to_f", "", "", "f_to_u16", "f_to_s16", "u16_to_f", "s16_to_f", "f_to_u32",
            "f_to_s32", "u32_to_f", "s32_to_f",
        ];
        named(&names, field.get(&word), out);
    }),
);
const ROUNDED: Operand<Agx> =
    made(ROUND.field, &Written::Made(|field, word, out| named(&["rtz", "rte"], field.get(&word), out)));
pub(crate) const CONVERT: Spelling<Agx> = Spelling::new("convert", &[MODE, DEST_44, CONVERTED, ROUNDED]);

const INTEGER: &[&str] =
    &["ueq", "ult", "ugt", "", "seq", "slt", "sgt", "", "nueq", "ugte", "ulte", "", "nseq", "sgte", "slte"];
const FLOAT: &[&str] = &[
    "eq", "lt", "gt", "ltn", "", "gte", "lte", "gtn", "neq", "nlt", "ngt", "nltn", "", "ngte", "nlte", "ngtn",
];

const fn integers(field: Field) -> Operand<Agx> {
    made(field, &Written::Made(|field, word, out| named(INTEGER, field.get(&word), out)))
}

const fn floats(field: Field) -> Operand<Agx> {
    made(field, &Written::Made(|field, word, out| named(FLOAT, field.get(&word), out)))
}

pub(crate) const ICMPSEL: Spelling<Agx> =
    Spelling::new("icmpsel", &[integers(CSEL_COND[0].field), DEST_76, CSEL_A, CSEL_B, CSEL_X, CSEL_Y]);
pub(crate) const FCMPSEL: Spelling<Agx> =
    Spelling::new("fcmpsel", &[floats(CSEL_COND[1].field), DEST_76, FCSEL_A, FCSEL_B, CSEL_X, CSEL_Y]);

/// The nesting counter and its cache hint.
const COUNTER: Operand<Agx> = made(
    CACHE.field,
    &Written::Made(|field, word, out| out.text(if field.get(&word) != 0 { "r0l.cache" } else { "r0l" })),
);

pub(crate) const POP_EXEC: Spelling<Agx> = Spelling::new("pop_exec", &[COUNTER, NEST]);
pub(crate) const UPDATE_EXEC: Spelling<Agx> = Spelling::new("update_exec", &[COUNTER]);
pub(crate) const ON_INTEGERS: &[Operand<Agx>] = &[COUNTER, integers(COND4_I.field), ALU_A, ALU_B, NEST];
pub(crate) const ON_FLOATS: &[Operand<Agx>] = &[COUNTER, floats(COND4_F.field), FLOAT_A, FLOAT_B, NEST];

/// An always-true condition is named after its effect on the counter.
pub(crate) const IF_FCMP: Spelling<Agx> = Spelling::new("if_fcmp", ON_FLOATS).unless(holds, &PUSH_EXEC);
const PUSH_EXEC: Spelling<Agx> = Spelling::new("push_exec", &[COUNTER, NEST]);

/// Whether 0.0 is compared with 0.0 for equality.
fn holds(insn: &Insn<Agx>) -> bool {
    [COND4_F.field, FLOAT_A.field, FLOAT_B.field].iter().all(|f| f.get(&insn.word) == 0)
}

const QUAD_BALLOT: &[Modifier] = &[suffix(VOTE_QUAD.field, &["quad_ballot", "ballot"])];
pub(crate) const BALLOT: Spelling<Agx> =
    Spelling::new("icmp_ballot", &[DEST_44, whole(&Written::Text("nueq, 1, 0"))]);
pub(crate) const ICMP_BALLOT: Spelling<Agx> =
    Spelling::new("icmp_", &[DEST_44, integers(VOTE_I.field), ALU_A, ALU_B]).modifiers(QUAD_BALLOT);
pub(crate) const FCMP_BALLOT: Spelling<Agx> =
    Spelling::new("fcmp_", &[DEST_44, floats(VOTE_F.field), FLOAT_A, FLOAT_B]).modifiers(QUAD_BALLOT);

const SHUFFLES: &[Modifier] = &[
    suffix(SHUFFLE_QUAD.field, &["quad_shuffle", "simd_shuffle"]),
    suffix(ROTATE.field, &["", "_rotate"]),
    suffix(SHUFFLED.field, &["", "_xor", "_up", "_down"]),
];

/// The selected lane: in a shuffle among all lanes only the lower half of the register is written.
const LANE: Operand<Agx> =
    made(ALU_B.field, &Written::Made(|_, word, out| lane(word, SHUFFLE_QUAD.field.get(&word) == 0, out)));
/// The same in a shuffle without a name, which writes whole registers.
const ANY_LANE: Operand<Agx> = made(ALU_B.field, &Written::Made(|_, word, out| lane(word, true, out)));

fn lane(word: u128, words: bool, out: &mut Line<'_>) {
    let (low, kind) = (get(word, &[(28, 6), (40, 2)]), word.get(34, 4));
    match kind {
        0 => out.dec(low),
        4..8 => registers(b'u', low | (kind & 1) << 8, kind & 2 != 0, 1, out),
        _ => {
            registers(b'r', low, words && kind >= 8, 1, out);
            out.text(["", "", ".cache", ".discard"][(kind & 3) as usize]);
        }
    }
}

pub(crate) const SHUFFLE: Spelling<Agx> = Spelling::new("", &[DEST_44, ALU_A, LANE])
    .modifiers(SHUFFLES)
    .unless(|insn| ROTATE.field.get(&insn.word) != 0 && SHUFFLED.field.get(&insn.word) != 2, &SHUF_OP);
pub(crate) const SHUF_OP: Spelling<Agx> =
    Spelling::new("simd_shuf_op", &[binary(47, 1), binary(38, 2), binary(26, 2), DEST_44, ALU_A, ANY_LANE]);

/// The operation of a reduction: its bits 28, 38 to 40 and 47.
const REDUCED: Field = Field::at(28, 1).then(38, 3).then(47, 1);
const REDUCTIONS: &[&str] = &[
    "and", "fadd", "or", "fmul", "xor", "min.f", "", "max.f", "", "", "", "", "", "", "", "", "iadd", "", "",
    "", "min.s", "", "max.s", "", "", "", "", "", "min.u", "", "max.u", "",
];

pub(crate) const QUAD: Spelling<Agx> =
    reduction(&[suffix(Field::at(30, 1), &["quad_", "quad_prefix_"]), suffix(REDUCED, REDUCTIONS)]);
pub(crate) const SIMD: Spelling<Agx> =
    reduction(&[suffix(Field::at(30, 1), &["simd_", "simd_prefix_"]), suffix(REDUCED, REDUCTIONS)]);

const fn reduction(modifiers: &'static [Modifier]) -> Spelling<Agx> {
    Spelling::new("", &[DEST_44, ALU_A]).modifiers(modifiers).unless(unnamed, &SIMD_OP)
}

pub(crate) const SIMD_OP: Spelling<Agx> =
    Spelling::new("simd_op", &[binary(47, 1), binary(26, 16), DEST_44, ALU_A]);

/// Whether a reduction has no name.
fn unnamed(insn: &Insn<Agx>) -> bool {
    let (op, word) = (REDUCED.get(&insn.word), insn.word);
    let (simd, prefix) = (word.get(29, 1) != 0, word.get(30, 1) != 0);
    // Only sums and products have prefixes among four lanes; minimum and maximum of floats have none at all.
    match (simd, prefix) {
        (_, false) => REDUCTIONS[op as usize].is_empty(),
        (false, true) => !matches!(op, 1 | 3 | 16),
        (true, true) => matches!(op, 5 | 7) || REDUCTIONS[op as usize].is_empty(),
    }
}
