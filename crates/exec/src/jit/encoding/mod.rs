//! Instructions of the processor as bytes.
//!
//! iced-x86 names and represents instructions, decodes them for the check of finished code, and is the judge of this module
//! in its tests. Its own encoder finds out anew for each instruction which operands a code has, and makes tables of all
//! codes of the processor when it is used for the first time; that took most of the time in which machine code is made.
//! The codes that machine code uses have their forms here instead, as rows of a constant table.

mod forms;
#[cfg(test)]
mod tests;

use forms::{Form, Map, Part, Space};
use iced_x86::{Instruction, OpKind, Register, RoundingControl};

/// Numbers of the bits of a register that are not in the byte of operands.
const BIT_3: u8 = 3;
const BIT_4: u8 = 4;
/// The byte of operands says that a byte with base and index follows, and that byte's number for "no index".
const INDEXED: u8 = 4;
/// The base that needs a distance: without one, its number means another kind of address.
const NEEDS_DISTANCE: u8 = 5;
/// The most bytes of an instruction.
const LONGEST: usize = 15;
/// Room for it, and for an immediate that is longer than its own.
const ROOM: usize = 32;

/// The operands of an instruction, by where they go.
#[derive(Default)]
struct Operands {
    /// Registers in the byte of operands, in the prefix, and in the opcode.
    reg: u8,
    vvvv: u8,
    rm: Option<u8>,
    opcode: u8,
    immediate: u32,
    /// Number of bytes of the immediate.
    length: usize,
}

/// The bytes of an instruction so far.
#[derive(Default)]
struct Bytes {
    bytes: [u8; ROOM],
    length: usize,
}

impl Bytes {
    fn push(&mut self, byte: u8) {
        self.extend([byte]);
    }

    fn extend<const N: usize>(&mut self, bytes: [u8; N]) {
        if let Some(to) = self.bytes.get_mut(self.length..self.length + N) {
            to.copy_from_slice(&bytes);
        }
        self.length += N;
    }
}

/// Writes an instruction. Jumps lead to the next instruction.
///
/// # Errors
/// The instruction's code has no form, or an operand is of another kind than the form has.
pub(super) fn encode(i: &Instruction, code: &mut Vec<u8>) -> Result<(), &'static str> {
    let to = &mut Bytes::default();
    let form = forms::form(i.code()).ok_or("a code of the processor has no form")?;
    let o = operands(i, form)?;
    let memory = Memory::of(i);
    let (index, base) = match o.rm {
        // Bit 4 of a register is where an index has its bit 3.
        Some(register) => (bit(register, BIT_4), bit(register, BIT_3)),
        None => (bit(memory.index.unwrap_or(0), BIT_3), bit(memory.base | o.opcode, BIT_3)),
    };
    match form.space {
        Space::Legacy => legacy(form, &o, (index, base), to),
        Space::Vex => vex(form, &o, (index, base), to),
        Space::Evex => evex(i, form, &o, (index, base), to),
    }
    to.push(form.opcode | o.opcode & 7);
    if form.has_operands {
        let reg = form.digit.unwrap_or(o.reg);
        match o.rm {
            Some(register) => to.push(0xc0 | (reg & 7) << 3 | register & 7),
            None => memory.encode(reg, form.unit(i.is_broadcast()), to),
        }
    }
    to.extend(o.immediate.to_le_bytes());
    // A shorter immediate has its lowest bytes.
    let length = to.length - (4 - o.length);
    if length > LONGEST {
        return Err("an instruction of the processor is too long");
    }
    // A copy of a fixed number of bytes needs no call.
    let end = code.len() + length;
    code.extend_from_slice(&to.bytes);
    code.truncate(end);
    Ok(())
}

fn bit(number: u8, at: u8) -> u8 {
    number >> at & 1
}

fn operands(i: &Instruction, form: &Form) -> Result<Operands, &'static str> {
    let mut o = Operands::default();
    for (n, part) in (0..).zip(form.parts) {
        let kind = i.op_kind(n);
        let register = || match kind {
            OpKind::Register => Ok(i.op_register(n).number() as u8),
            _ => Err("an operand of the processor is no register"),
        };
        match part {
            Part::Reg => o.reg = register()?,
            Part::Vvvv => o.vvvv = register()?,
            Part::Opcode => o.opcode = register()?,
            Part::Rm if kind == OpKind::Memory => {}
            Part::Rm => o.rm = Some(register()?),
            Part::Is4 => (o.immediate, o.length) = (u32::from(register()?) << 4, 1),
            Part::Immediate(length) => {
                (o.immediate, o.length) = (i.immediate(n) as u32, usize::from(*length));
            }
            Part::Distance => o.length = 4,
        }
    }
    Ok(o)
}

fn legacy(form: &Form, o: &Operands, (index, base): (u8, u8), to: &mut Bytes) {
    if let Some(prefix) = form.prefix.byte() {
        to.push(prefix);
    }
    let rex = u8::from(form.wide) << 3 | bit(o.reg, BIT_3) << 2 | index << 1 | base;
    if rex != 0 {
        to.push(0x40 | rex);
    }
    match form.map {
        Map::Short => {}
        Map::M0F => to.push(0x0f),
        Map::M38 => to.extend([0x0f, 0x38]),
        Map::M3A => to.extend([0x0f, 0x3a]),
    }
}

fn vex(form: &Form, o: &Operands, (index, base): (u8, u8), to: &mut Bytes) {
    let last = (!o.vvvv & 15) << 3 | form.length << 2 | form.prefix as u8;
    let reg = (1 ^ bit(o.reg, BIT_3)) << 7;
    if index == 0 && base == 0 && !form.wide && form.map as u8 == 1 {
        return to.extend([0xc5, reg | last]);
    }
    to.extend([
        0xc4,
        reg | (1 ^ index) << 6 | (1 ^ base) << 5 | form.map as u8,
        u8::from(form.wide) << 7 | last,
    ]);
}

fn evex(i: &Instruction, form: &Form, o: &Operands, (index, base): (u8, u8), to: &mut Bytes) {
    let mask = match i.op_mask() {
        Register::None => 0,
        k => k.number() as u8,
    };
    let (rounds, length) = match i.rounding_control() {
        RoundingControl::None => (i.is_broadcast(), form.length),
        // Counted from 1: nearest, down, up, toward zero.
        rounding => (true, rounding as u8 - 1),
    };
    to.extend([
        0x62,
        (1 ^ bit(o.reg, BIT_3)) << 7
            | (1 ^ index) << 6
            | (1 ^ base) << 5
            | (1 ^ bit(o.reg, BIT_4)) << 4
            | form.map as u8,
        u8::from(form.wide) << 7 | (!o.vvvv & 15) << 3 | 4 | form.prefix as u8,
        u8::from(i.zeroing_masking()) << 7
            | length << 5
            | u8::from(rounds) << 4
            | (1 ^ bit(o.vvvv, BIT_4)) << 3
            | mask,
    ]);
}

/// An operand in memory.
struct Memory {
    base: u8,
    index: Option<u8>,
    /// Twice the index this often.
    shift: u8,
    distance: i32,
}

impl Memory {
    fn of(i: &Instruction) -> Memory {
        let number = |r: Register| if r == Register::None { 0 } else { r.number() as u8 };
        let index = Some(i.memory_index()).filter(|r| *r != Register::None).map(number);
        Memory {
            base: number(i.memory_base()),
            index,
            shift: i.memory_index_scale().trailing_zeros() as u8,
            distance: i.memory_displacement64() as i32,
        }
    }

    /// The byte of operands and what follows it. A distance has one byte if it is a multiple of two to the power `unit`.
    fn encode(&self, reg: u8, unit: u32, to: &mut Bytes) {
        let units = self.distance >> unit;
        let short = i8::try_from(units).ok().filter(|_| units << unit == self.distance);
        let kind = match short {
            Some(0) if self.base & 7 != NEEDS_DISTANCE => 0,
            Some(_) => 1,
            None => 2,
        };
        let indexed = self.index.is_some() || self.base & 7 == INDEXED;
        to.push(kind << 6 | (reg & 7) << 3 | if indexed { INDEXED } else { self.base & 7 });
        if indexed {
            to.push(self.shift << 6 | (self.index.unwrap_or(INDEXED) & 7) << 3 | self.base & 7);
        }
        match (kind, short) {
            (0, _) => {}
            (_, Some(byte)) => to.push(byte as u8),
            (_, None) => to.extend(self.distance.to_le_bytes()),
        }
    }
}
