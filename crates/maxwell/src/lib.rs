//! NVIDIA Maxwell (SPA 5.x, sm_50 to sm_53) machine code.
//!
//! # Concepts
//!
//! Code comes in bundles of 32 bytes: a control word, then three instruction words. Rows see each word
//! with its 21 control bits above it ([`bundle`]). Registers `R0` to `R254` have 32 bits, `RZ` is zero;
//! `P0` to `P6` are truth values, `PT` is true; four condition codes serve wide arithmetic. Constants
//! come from banks, `c[bank][offset]`.
//!
//! Nearly every instruction has a guard (`@P0`, `@!P3`): lanes where it does not hold do nothing. It is
//! an operand that all rows share, and it stands for the truth value on which all effects depend.
//!
//! A wave of 32 lanes has one divergence stack ([`sequencer`]).
//!
//! Program counters count bytes, control words included. The text is nvdisasm's.
//!
#![doc = include_str!("../doc/design.md")]
#![no_std]
extern crate alloc;

mod accept;
mod attr;
pub mod bundle;
mod chip;
pub mod class;
pub mod code;
pub mod component;
pub mod container;
mod control;
mod decimal;
mod distance;
mod drawing;
pub mod flow;
mod forms;
mod guard;
pub mod hazards;
pub mod launch;
mod lift;
mod linkage;
pub mod lower;
mod mark;
mod operand;
mod options;
pub mod primitives;
pub mod processor;
mod registers;
pub mod role;
pub mod rules;
pub mod sequencer;
mod suite;
pub mod text;
mod words;

#[cfg(test)]
mod tests;

pub use accept::{REFUSALS, decode};
pub use attr::{Attr, Latency};
pub use chip::Chip;
pub use control::{ControlText, Schedule, reuse_flags};
pub use distance::Distance;
pub use drawing::{ATTRIBUTE_BYTES, COMPONENTS, Drawing, MOST_VERTICES, PixelOutput, TARGETS, pixel_outputs};
pub use forms::emitted;
pub use lift::{Program, interface, lift};
pub use linkage::{Attribute, passed};
pub use options::{DamagedState, Options, PlainControl};
pub use registers::special::{
    Bits, Knowledge, SPECIAL_REGISTERS, Scope, SpecialRegister, special_register, special_value,
};
pub use registers::special::{CLOCKS, ClockRegisters};
pub use registers::{
    ATTRIBUTES, CODES, EMITTED, FILES, MOST_SAMPLES, OUTPUTS, PATCH, PIXEL, PREDICATES, PixelRegister,
    REGISTERS, SPECIALS, STATE, Set,
};
pub use sequencer::Sequencer;
pub use shisa_ir::Stage as ShaderStage;
pub use suite::SUITE;
pub use words::Words;

use shisa_ir::{FloatRule, Value};
pub use shisa_rows::Symbols;
use shisa_rows::{Insn, Isa, Lift, Operand, Registers, Table};

/// The instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Maxwell;

/// The environment of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ctx<'a> {
    /// Its address: targets are relative to it.
    pub pc: u32,
    /// The location of the control bits in the text.
    pub control: ControlText,
    /// Whether the text ends without a semicolon.
    pub unended: bool,
    /// Which chip it is for.
    pub chip: Chip,
    /// Names of addresses, if there are any.
    pub symbols: Option<&'a Symbols>,
    /// The stage of a graphics program with its header.
    pub drawing: Option<&'a Drawing>,
}

impl Isa for Maxwell {
    type Word = u128;
    type Ctx<'a> = Ctx<'a>;
    type Attr = Attr;

    fn table() -> &'static Table<Self> {
        forms::rows()
    }

    fn float_rule(insn: &Insn<Self>, _: Ctx) -> FloatRule {
        forms::float_rule(insn)
    }

    /// The condition codes, if a carry is read or a destination also sets them.
    fn implied(insn: &Insn<Self>, found: &mut dyn FnMut(Registers)) {
        if forms::reads_carry(insn) {
            found(operand::codes(false));
        }
        if operand::sets_codes(insn) {
            found(operand::codes(true));
        }
    }

    fn older(ctx: Ctx) -> bool {
        ctx.chip < Chip::Sm52
    }

    fn edition(ctx: Ctx) -> u8 {
        ctx.chip as u8
    }

    fn prefix() -> &'static [Operand<Self>] {
        guard::GUARD
    }

    fn suffix() -> &'static [Operand<Self>] {
        control::CONTROL
    }

    fn guard(lift: &mut Lift<'_, '_, Self>) -> Option<Value> {
        guard::value(lift)
    }
}
