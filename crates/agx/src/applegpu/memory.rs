//! Memory of the device, of a threadgroup and of the stack, and stores to uniforms and states.

use super::alu::lsl;
use super::kind::{Written, binary, get, made, named, number, registers, signed, whole};
use crate::Agx;
use crate::operand::{COPIED, COPY_SIZES};
use shisa_rows::{Field, Insn, Line, Operand, Spelling, Word};

pub(super) const FORMATS: &[&str] = &[
    "i8",
    "i16",
    "i32",
    "f16",
    "u8norm",
    "s8norm",
    "u16norm",
    "s16norm",
    "rgb10a2",
    "",
    "srgba8",
    "",
    "rg11b10f",
    "rgb9e5",
    "rg11b10f.rtz",
    "rgb9e5.rtz",
];
const ATOMICS: &[&str] =
    &["add", "sub", "xchg", "cmpxchg", "umin", "imin", "umax", "imax", "and", "or", "xor"];

pub(super) const fn format(field: Field) -> Operand<Agx> {
    made(field, &Written::Made(|field, word, out| named(FORMATS, field.get(&word), out)))
}

fn letters(mask: u64, out: &mut Line<'_>) {
    (0..4).filter(|i| mask >> i & 1 != 0).for_each(|i| out.byte(b"xyzw"[i]));
}

/// The components that are accessed, in bits 52 to 55.
const MASK: Operand<Agx> = whole(&Written::If(moved, |_, word, out| letters(word.get(52, 4), out)));
/// The same for accesses with the mask in bits 36 to 39.
pub(super) const LOCAL_MASK: Operand<Agx> =
    whole(&Written::If(|word| word.get(36, 4) != 0, |_, word, out| letters(word.get(36, 4), out)));

fn moved(word: u128) -> bool {
    word.get(52, 4) != 0
}

/// As many registers as the mask has components.
const REGISTERS: Operand<Agx> = whole(&Written::If(moved, |_, word, out| {
    let count = u64::from(word.get(52, 4).count_ones());
    registers(b'r', get(word, &[(10, 6), (40, 2)]), word.get(49, 1) != 0, count, out);
}));
pub(super) const LOCAL_REGISTERS: Operand<Agx> = whole(&Written::If(
    |word| word.get(36, 4) != 0,
    |_, word, out| {
        local(word, u64::from(word.get(36, 4).count_ones()), out);
    },
));

fn local(word: u128, count: u64, out: &mut Line<'_>) {
    registers(b'r', get(word, &[(9, 6), (60, 2)]), word.get(8, 1) != 0, count, out);
}

const BASE: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let letter = if word.get(27, 1) != 0 { b'u' } else { b'r' };
    registers(letter, get(word, &[(16, 4), (36, 4)]), true, 2, out);
}));
const INDEX: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let value = get(word, &[(20, 4), (32, 4), (56, 8)]);
    match word.get(24, 1) {
        0 => registers(b'r', value, true, 1, out),
        _ => signed(value, out),
    }
}));
const SIGN: Operand<Agx> = made(
    Field::at(25, 1),
    &Written::Made(|field, word, out| named(&["signed", "unsigned"], field.get(&word), out)),
);
const SHIFT: Operand<Agx> = made(Field::at(42, 2), &Written::If(|word| word.get(42, 2) != 0, lsl));
const GROUP: Operand<Agx> = number(30, 1);
const DEVICE_FORMAT: Operand<Agx> = format(Field::at(7, 3).then(48, 1));

/// Whether normally constant bits of an access differ.
fn unusual(insn: &Insn<Agx>, fixed: u128, bits: u128) -> bool {
    insn.word & fixed != bits
}

pub(crate) const DEVICE_LOAD: Spelling<Agx> =
    Spelling::new("device_load", &[GROUP, DEVICE_FORMAT, MASK, REGISTERS, BASE, INDEX, SIGN, SHIFT])
        .unless(|insn| unusual(insn, 0xc_7000_3400_0000, 0x4000_0400_0000), &DEVICE_LOAD_TODO);
const DEVICE_LOAD_TODO: Spelling<Agx> = Spelling::new(
    "device_load.TODO",
    &[
        GROUP,
        DEVICE_FORMAT,
        MASK,
        REGISTERS,
        BASE,
        INDEX,
        SIGN,
        SHIFT,
        number(26, 1),
        number(28, 2),
        number(44, 3),
        number(50, 2),
    ],
);
pub(crate) const DEVICE_STORE: Spelling<Agx> = Spelling::new(
    "device_store",
    &[GROUP, DEVICE_FORMAT, MASK, REGISTERS, BASE, INDEX, SIGN, SHIFT, number(44, 1)],
)
.unless(|insn| unusual(insn, 0xc_6000_3400_0000, 0x4000_0400_0000), &DEVICE_STORE_TODO);
const DEVICE_STORE_TODO: Spelling<Agx> = Spelling::new(
    "device_store.TODO",
    &[
        GROUP,
        DEVICE_FORMAT,
        MASK,
        REGISTERS,
        BASE,
        INDEX,
        SIGN,
        SHIFT,
        number(44, 1),
        number(26, 1),
        number(28, 2),
        number(45, 2),
        number(50, 2),
    ],
);
pub(crate) const UNIFORM_STORE: Spelling<Agx> = Spelling::new(
    "uniform_store",
    &[number(25, 2), format(Field::at(7, 2)), MASK, number(44, 3), REGISTERS, INDEX, SHIFT],
)
// applegpu knows only the first formats.
.unless(|insn| insn.word.get(9, 1) != 0, &DEVICE_STORE_TODO);

const STACK_FORMAT: Operand<Agx> = format(Field::at(8, 2).then(50, 2));
pub(crate) const STACK_LOAD: Spelling<Agx> = Spelling::new(
    "stack_load",
    &[REGISTERS, STACK_FORMAT, number(26, 1), number(36, 3), MASK, number(44, 3), INDEX, number(30, 1)],
);
pub(crate) const STACK_STORE: Spelling<Agx> = Spelling::new(
    "stack_store",
    &[STACK_FORMAT, number(26, 1), number(36, 3), MASK, number(44, 3), REGISTERS, INDEX, number(30, 1)],
);

/// The operand of an atomic operation: a pair for a compare-exchange.
fn operand(first: u64, op: u64, out: &mut Line<'_>) {
    registers(b'r', first, true, if op == 3 { 2 } else { 1 }, out);
}

pub(crate) const ATOMIC: Spelling<Agx> = Spelling::new(
    "atomic",
    &[
        made(Field::at(6, 4), &Written::Made(|field, word, out| named(ATOMICS, field.get(&word), out))),
        GROUP,
        whole(&Written::Made(|_, word, out| match word.get(47, 1) {
            0 => out.text("None"),
            _ => registers(b'r', get(word, &[(10, 6), (40, 2)]), true, 1, out),
        })),
        BASE,
        INDEX,
        SIGN,
        whole(&Written::Made(|_, word, out| operand(word.get(48, 8), word.get(6, 4), out))),
        number(26, 1),
        number(28, 2),
        number(31, 1),
        number(42, 3),
        number(45, 2),
    ],
);

const LOCAL_BASE: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let value = get(word, &[(16, 6), (58, 2)]);
    match word.get(22, 2) {
        0 => registers(b'r', value, false, 1, out),
        2 => out.byte(b'0'),
        kind => registers(b'u', value | (kind >> 1) << 8, false, 1, out),
    }
}));
const LOCAL_INDEX: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let value = get(word, &[(28, 6), (48, 10)]);
    match word.get(34, 1) {
        0 => registers(b'r', value & 0xff, false, 1, out),
        _ => signed(value, out),
    }
}));
pub(super) const LOCAL_FORMAT: Operand<Agx> = format(Field::at(24, 4));

pub(crate) const THREADGROUP: &[Operand<Agx>] =
    &[LOCAL_FORMAT, LOCAL_MASK, LOCAL_REGISTERS, LOCAL_BASE, LOCAL_INDEX];
pub(crate) const THREADGROUP_ATOMIC: Spelling<Agx> = Spelling::new(
    "threadgroup_atomic",
    &[
        made(Field::at(24, 4), &Written::Made(|field, word, out| named(ATOMICS, field.get(&word), out))),
        whole(&Written::Made(|_, word, out| match word.get(38, 1) {
            0 => out.text("None"),
            _ => local(word, 1, out),
        })),
        LOCAL_BASE,
        LOCAL_INDEX,
        whole(&Written::Made(|_, word, out| operand(word.get(64, 8), word.get(24, 4), out))),
        number(6, 2),
        number(35, 3),
        number(40, 8),
        number(72, 8),
    ],
);

/// The uniforms with the base address and the register with the offset of a state.
const STATE_BASE: Operand<Agx> =
    whole(&Written::Made(|_, word, out| registers(b'u', word.get(58, 6) * 2, true, 2, out)));
const STATE_OFFSET: Operand<Agx> =
    whole(&Written::Made(|_, word, out| registers(b'r', word.get(27, 7) * 2, true, 1, out)));

/// A state by its number, which begins at bit 8.
macro_rules! state {
    ($name:literal, $width:literal) => {
        whole(&Written::Made(|_, word, out| {
            out.text($name);
            out.dec(word.get(8, $width));
        }))
    };
}

pub(crate) const TEX_STATE_STORE: Spelling<Agx> =
    Spelling::new("tex_state_store", &[state!("ts", 7), STATE_BASE, STATE_OFFSET]);
pub(crate) const SAMPLER_STATE_STORE: Spelling<Agx> =
    Spelling::new("sampler_state_store", &[state!("ss", 5), STATE_BASE, STATE_OFFSET]);

/// The barriers of memory: three numbers.
pub(crate) const MEMORY_BARRIER: Spelling<Agx> =
    Spelling::new("memory_barrier", &[number(10, 2), number(8, 2), number(12, 4)]);

const MAP_TARGET: Operand<Agx> = made(
    Field::at(36, 1),
    &Written::Made(|field, word, out| named(&["target0", "target1"], field.get(&word), out)),
);
const MAP_REGISTER: Operand<Agx> =
    whole(&Written::Made(|_, word, out| registers(b'r', get(word, &[(11, 5), (40, 2)]) * 2, true, 1, out)));
const MAP_VALUE: Operand<Agx> =
    whole(&Written::Made(|_, word, out| signed(get(word, &[(20, 4), (32, 4), (56, 8)]), out)));

const MAPPING: &[Operand<Agx>] = &[
    MAP_TARGET,
    MAP_REGISTER,
    MAP_VALUE,
    binary(8, 2),
    binary(30, 1),
    binary(37, 3),
    binary(42, 5),
    binary(48, 8),
];
pub(crate) const MAP: Spelling<Agx> = Spelling::new("map", MAPPING);
pub(crate) const UNMAP: Spelling<Agx> = Spelling::new("unmap", MAPPING);
/// The first address of a copy.
const COPY_ADDRESS: Operand<Agx> = whole(&Written::Made(|_, word, out| {
    let letter = if word.get(8, 1) != 0 { b'u' } else { b'r' };
    registers(letter, word.get(9, 6), true, 2, out);
}));
pub(crate) const COPY: &[Operand<Agx>] = &[COPIED, COPY_ADDRESS, COPY_SIZES];

/// Mappings of another kind, by number.
const MAP_NUMBER: Spelling<Agx> = Spelling::new(
    "TODO.map",
    &[
        number(16, 4),
        MAP_TARGET,
        MAP_REGISTER,
        MAP_VALUE,
        binary(8, 2),
        binary(30, 1),
        binary(37, 3),
        binary(42, 5),
        binary(48, 8),
    ],
);
pub(crate) const UNK75: Spelling<Agx> = Spelling::new(
    "TODO.unk75_alt",
    &[number(16, 4), number(24, 2), number(27, 3), number(31, 1), MAP_REGISTER, MAP_VALUE, binary(8, 2)],
)
.unless(|insn| !unusual(insn, 0xbb00_0000, 0x0100_0000), &MAP_NUMBER);
