//! The text form of functions and lifted programs, for tests, for debugging passes, and for programs written in IR.
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
//! A line defines one value: number, type (omitted if there is no value), operation, operands; `@n` sets the number of
//! the source instruction for this line and the following lines. The numbers are the indices of the operations in the
//! arena: they may come in any order, but without gaps. A last section, `unused:`, lists operations that no block
//! contains. A semicolon begins a comment. A register is written as its file's name and its first unit. A rule follows
//! its operation: `.rz`, `.rp`, `.rm` for rounding to zero, up and down; `.ftz` flush, `.sat` saturate, `.fmz` zero
//! products, `.number` and `.second` for NaN, `.model`.
//!
//! A lifted program has steps instead of blocks: the program counters of the instruction and of the next one, the
//! guard, the operations, and the control operation with its condition, the value that holds a computed target, the
//! target, and the second operand:
//!
//! ```text
//! step 0x10 next 0x18 guard %0:
//!   %0: i1 = read p:0 xxxx
//!   %1: f32 = read t:0 xxxx
//!   %2 = write t:1 x %1
//!   next
//! step 0x18 next 0x20 whole_wave:
//!   %3: i1 = read p:1 xxxx @1
//!   push 2 if %3 to 0x40 extra 0x1
//! implied 0x0 next 0x0:
//!   again to 0x10
//! ```

mod lexer;
mod names;
mod operation;
mod parse;
mod print;
mod steps;
#[cfg(test)]
mod tests;
mod texture;
mod words;

pub use parse::{parse_func, parse_lifted};
pub use print::print_func;
pub use steps::print_lifted;
