//! Typed sources of arithmetic.

use super::source::{FACTOR, FLOAT, HALF, PLAIN, Source, TERM};
use super::{A, B, C, operand};
use crate::Agx;
use shisa_rows::{Field, Operand, Slot};

const fn source(slot: Slot, lo: u8, ext: u8, kind: &'static Source) -> Operand<Agx> {
    operand(slot, Field::at(lo, kind.width()).then(ext, 2), kind)
}

/// Integer sources of logic and of comparisons.
pub(crate) const ALU_A: Operand<Agx> = source(A, 16, 42, &PLAIN);
/// See [`ALU_A`].
pub(crate) const ALU_B: Operand<Agx> = source(B, 28, 40, &PLAIN);
/// The source of a conversion.
pub(crate) const CONVERTED: Operand<Agx> = source(A, 28, 40, &PLAIN);
/// Sources of shifts and bit fields.
pub(crate) const BITS_A: Operand<Agx> = source(A, 16, 58, &PLAIN);
/// See [`BITS_A`].
pub(crate) const BITS_B: Operand<Agx> = source(B, 28, 56, &PLAIN);
/// See [`BITS_A`].
pub(crate) const BITS_C: Operand<Agx> = source(C, 40, 54, &PLAIN);
/// Integer sources of selections.
pub(crate) const CSEL_A: Operand<Agx> = source(A, 16, 74, &PLAIN);
/// See [`CSEL_A`].
pub(crate) const CSEL_B: Operand<Agx> = source(B, 28, 72, &PLAIN);
/// Sources of sums.
pub(crate) const ADD_A: Operand<Agx> = source(A, 16, 42, &TERM);
/// See [`ADD_A`].
pub(crate) const ADD_B: Operand<Agx> = source(B, 28, 40, &TERM);
/// Factors.
pub(crate) const MUL_A: Operand<Agx> = source(A, 16, 58, &FACTOR);
/// See [`MUL_A`].
pub(crate) const MUL_B: Operand<Agx> = source(B, 28, 56, &FACTOR);
/// The addend of a product.
pub(crate) const MUL_C: Operand<Agx> = source(C, 40, 54, &TERM);
/// Float sources of two-source rows and comparisons.
pub(crate) const FLOAT_A: Operand<Agx> = source(A, 16, 42, &FLOAT);
/// See [`FLOAT_A`].
pub(crate) const FLOAT_B: Operand<Agx> = source(B, 28, 40, &FLOAT);
/// Float sources of fused products and sums.
pub(crate) const FMA_A: Operand<Agx> = source(A, 16, 58, &FLOAT);
/// See [`FMA_A`].
pub(crate) const FMA_B: Operand<Agx> = source(B, 28, 56, &FLOAT);
/// See [`FMA_A`].
pub(crate) const FMA_C: Operand<Agx> = source(C, 40, 54, &FLOAT);
/// Float sources of selections.
pub(crate) const FCSEL_A: Operand<Agx> = source(A, 16, 74, &FLOAT);
/// See [`FCSEL_A`].
pub(crate) const FCSEL_B: Operand<Agx> = source(B, 28, 72, &FLOAT);
/// Half sources of two-source rows.
pub(crate) const HALF_A: Operand<Agx> = source(A, 16, 42, &HALF);
/// See [`HALF_A`].
pub(crate) const HALF_B: Operand<Agx> = source(B, 28, 40, &HALF);
/// Half sources of fused products and sums.
pub(crate) const HMA_A: Operand<Agx> = source(A, 16, 58, &HALF);
/// See [`HMA_A`].
pub(crate) const HMA_B: Operand<Agx> = source(B, 28, 56, &HALF);
/// See [`HMA_A`].
pub(crate) const HMA_C: Operand<Agx> = source(C, 40, 54, &HALF);
