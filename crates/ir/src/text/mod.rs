//! The text form of functions: for tests, for people who debug a pass, for programs written in IR.
//!
//! ```text
//! texture 0: unit 2 2d %4 implicit sampler linear mip none wrap clamp repeat mirror anisotropy 1 bias -3
//! b0:
//!   %0: f32x4 = read va:4 xyzw
//!   %1: f32x4 = const 0x3f800000 ; 1.0
//!   %2: f32x4 = fadd.rz.sat %0 %1 @1
//!   %3: i1x4 = flt %2 %1
//!   %4: f32x2 = swizzle %2 xyyy
//!   %5: f32x4 = texture 0 @2
//!   %6: i1 = swizzle %3 xxxx
//!   branch %6 b1(%2) b2
//! b1(%7: f32x4 @3):
//!   %8 = write op:0 xyzw %7
//!   jump b2
//! b2:
//!   %9 = write op:4 xyzw %5 @2
//!   exit
//! ```
//!
//! A line makes one value: number, type (left out where there is none), operation, operands; `@n` gives
//! the number of the instruction that this and the following lines come from. Numbers are the places of
//! operations in the arena: they may come in any order, but without gaps. A last section, `unused:`,
//! holds operations that lie in no block. A semicolon begins a comment. A register is its file's name
//! and its first unit. A rule follows its operation: `.rz`, `.rp`, `.rm` for rounding to zero, up and
//! down; `.ftz` flush, `.sat` saturate, `.fmz` zero products, `.number` and `.second` for NaN, `.model`.

mod lexer;
mod names;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use parse::parse_func;
pub use print::print_func;
