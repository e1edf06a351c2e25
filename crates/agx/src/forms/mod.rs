//! The rows, grouped by family. Earlier rows win.

mod barrier;
mod bitfield;
mod bits;
pub(crate) mod block;
mod compare;
mod control;
mod convert;
pub(crate) mod elements;
mod float;
mod fragment;
mod functions;
mod half;
mod imageblock;
mod jumps;
mod lanes;
mod local;
mod logic;
mod memory;
mod moves;
mod numbers;
mod packing;
mod reduce;
mod samples;
mod select;
mod sums;
mod system;
#[cfg(test)]
mod tests;
mod texture;
mod unstated;

use crate::Agx;
use crate::facts::{Attr, Facts, Length};
use crate::operand::{AgxLift, LENGTH, Long};
use shisa_rows::{Field, Form, Operand, Table, concat, table};

/// A row of one length: its name, its facts for engines, its bytes, mask and fixed bits, operands and meaning.
const fn row(
    name: &'static str,
    facts: Facts,
    bytes: u8,
    encoding: (u128, u128),
    operands: &'static [Operand<Agx>],
    lift: fn(&mut AgxLift<'_, '_>),
) -> Form<Agx> {
    long_row(name, facts, (bytes, bytes, 0), encoding, operands, lift)
}

/// A row of two lengths; its last operand is the bit that distinguishes them.
const fn long_row(
    name: &'static str,
    facts: Facts,
    (short, long, bit): (u8, u8, u8),
    (mask, bits): (u128, u128),
    operands: &'static [Operand<Agx>],
    lift: fn(&mut AgxLift<'_, '_>),
) -> Form<Agx> {
    facts.assert_slots(operands);
    // Bits past the instruction are zero.
    let beyond = !((1u128 << (8 * long)) - 1);
    let attr = Attr { length: Length { short, long, bit }, facts, ignored: 0 };
    Form::new(name, bits, mask | beyond, operands, attr, lift)
}

/// The same row with bits that the hardware ignores ([`Attr::ignored`]).
const fn ignoring(ignored: u128, form: Form<Agx>) -> Form<Agx> {
    Form { attr: Attr { ignored, ..form.attr }, ..form }
}

const fn length(bit: u8, long: &'static Long) -> Operand<Agx> {
    Operand { slot: LENGTH, field: Field::at(bit, 1), kind: long }
}

/// 4 bytes, or 6 if needed.
const SHORT4: Operand<Agx> = length(15, &Long { short: 4, usual: false });
/// 6 bytes, or 8 if needed.
const SHORT6: Operand<Agx> = length(15, &Long { short: 6, usual: false });
/// 8 bytes, or 10 if needed.
const SHORT8: Operand<Agx> = length(15, &Long { short: 8, usual: false });
/// 8 bytes as in assemblers, though 6 may suffice.
const LONG6: Operand<Agx> = length(47, &Long { short: 6, usual: true });
/// 6 bytes, or 8 if needed.
const SHORT_STACK: Operand<Agx> = length(47, &Long { short: 6, usual: false });
/// 8 or 10 bytes as in assemblers, though 6 may suffice.
const LONG_LOCAL: Operand<Agx> = length(15, &Long { short: 6, usual: true });
/// 8 bytes as in assemblers, though 4 may suffice.
const LONG4: Operand<Agx> = length(15, &Long { short: 4, usual: true });

const ALL: &[&[Form<Agx>]] = &[
    moves::ROWS,
    sums::ROWS,
    convert::ROWS,
    bitfield::ROWS,
    float::ROWS,
    half::ROWS,
    logic::ROWS,
    bits::ROWS,
    functions::ROWS,
    jumps::ROWS,
    control::ROWS,
    select::ROWS,
    lanes::ROWS,
    memory::ROWS,
    local::ROWS,
    barrier::ROWS,
    texture::ROWS,
    reduce::ROWS,
    fragment::ROWS,
    system::ROWS,
    unstated::ROWS,
];

/// All rows.
pub(crate) fn rows() -> &'static Table<Agx> {
    table!(Agx, ALL, 0, 7)
}

const COUNT: usize = shisa_rows::count(ALL);

/// The lengths of all rows, in a compact array.
pub(crate) static LENGTHS: [Length; COUNT] = {
    let forms: [Form<Agx>; COUNT] = concat(ALL);
    let (mut lengths, mut i) = ([forms[0].attr.length; COUNT], 0);
    while i < COUNT {
        lengths[i] = forms[i].attr.length;
        i += 1;
    }
    lengths
};

/// The fixed bits of all rows, and their values, among the lowest seven, the opcode.
pub(crate) static OPENINGS: [(u128, u128); COUNT] = {
    let forms: [Form<Agx>; COUNT] = concat(ALL);
    let (mut openings, mut i) = ([(0, 0); COUNT], 0);
    while i < COUNT {
        openings[i] = (forms[i].mask & 0x7f, forms[i].bits & 0x7f);
        i += 1;
    }
    openings
};
