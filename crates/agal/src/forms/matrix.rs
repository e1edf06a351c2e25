//! Vector times matrix: component r of the result is the dot product with row r, which is the register r after the
//! named one.

use super::op;
use crate::Agal;
use crate::Yields::Vector;
use crate::operand::{
    A, AgalLift, D, DEST, MAT33_B, MAT34_B, MAT44_B, Matrix, Operands, VEC3_A, VEC4_A, operands,
};
use shisa_rows::{Form, Spelling};

const M34: Operands = operands![DEST, VEC4_A, MAT34_B];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agal>] = &[
    op("m33", 0x17, operands![DEST, VEC3_A, MAT33_B], Vector, |l| product(l, 3, 3)).says("Multiplies a vector by a matrix of three rows of three.")
        .examples(&[("m33 vt0.xyz, va1, vc4", [0x0207_0000_0000_0017, 0x0000_0000_e400_0001, 0x0000_0001_e400_0004])]),
    op("m44", 0x18, operands![DEST, VEC4_A, MAT44_B], Vector, |l| product(l, 4, 4)).says("Multiplies a vector by a matrix of four rows of four.")
        .examples(&[("m44 op, va0, vc0", [0x030f_0000_0000_0018, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
    op("m34", 0x19, M34, Vector, |l| product(l, 3, 4)).spelled(Spelling::new("m43", M34.list)).says("Multiplies a vector by a matrix of three rows of four.")
        .examples(&[("m34 vt0.xyz, va0, vc0", [0x0207_0000_0000_0019, 0x0000_0000_e400_0000, 0x0000_0001_e400_0000])]),
];

fn product(l: &mut AgalLift<'_, '_>, rows: u8, columns: u8) {
    let a = l.src(A);
    let matrix = Matrix::read(l);
    let mut parts = [a; 4];
    for (r, part) in (0..rows).zip(&mut parts) {
        let row = matrix.row(l, r, columns);
        *part = l.fdot(a, row);
    }
    let vector = l.join(&parts[..usize::from(rows)]);
    l.set(D, vector);
}
