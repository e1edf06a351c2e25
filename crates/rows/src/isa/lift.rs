//! Lifting: runs the definition of an instruction's row.

use crate::{Insn, Isa, Slot};
use core::ops::{Deref, DerefMut};
use shisa_diag::Diagnostic;
use shisa_ir::{Builder, Control, ControlOp, File, FileId, Lifted, Reg, Step, Type, Value};

/// What a row's `lift` works with: the decoded instruction, its context, and the builder of operations (whose methods
/// it has).
pub struct Lift<'a, 'c, I: Isa> {
    /// The instruction.
    pub insn: Insn<I>,
    /// The context.
    pub ctx: I::Ctx<'c>,
    /// Its program counter.
    pub pc: u32,
    files: &'static [File],
    build: Builder<'a>,
    control: Control,
    whole_wave: bool,
    refused: Option<Diagnostic>,
}

impl<'a, I: Isa> Deref for Lift<'a, '_, I> {
    type Target = Builder<'a>;
    fn deref(&self) -> &Builder<'a> {
        &self.build
    }
}

impl<'a, I: Isa> DerefMut for Lift<'a, '_, I> {
    fn deref_mut(&mut self) -> &mut Builder<'a> {
        &mut self.build
    }
}

impl<I: Isa> Lift<'_, '_, I> {
    /// The value of a source operand.
    pub fn src(&mut self, slot: Slot) -> Value {
        match self.insn.form().operand(slot) {
            Some(op) => op.kind.read(op, self),
            None => self.missing(slot),
        }
    }

    /// Stores a result in a destination operand.
    pub fn set(&mut self, slot: Slot, value: Value) {
        match self.insn.form().operand(slot) {
            Some(op) => op.kind.write(op, self, value),
            None => {
                self.missing(slot);
            }
        }
    }

    fn missing(&mut self, slot: Slot) -> Value {
        let text = alloc::format!("{} has no operand in slot {}", self.insn.form().name, slot.0);
        self.refuse(Diagnostic::error("lift-operand", text));
        self.constant(Type::I32, 0)
    }

    /// Sets the control operation of the instruction.
    pub fn control(&mut self, op: ControlOp, cond: Option<Value>, target: u32, extra: u32) {
        self.control = Control { op, cond, target, place: None, extra };
    }

    /// Sets a control operation whose target is a computed value, an `i32`.
    pub fn control_at(&mut self, op: ControlOp, cond: Option<Value>, target: Value) {
        self.control = Control { op, cond, place: Some(target), ..Control::default() };
    }

    /// States that the instruction also runs in inactive lanes.
    pub fn whole_wave(&mut self) {
        self.whole_wave = true;
    }

    /// States that this instruction, with these operands, cannot be lifted. Only the first reason is recorded.
    pub fn refuse(&mut self, reason: Diagnostic) {
        self.refused.get_or_insert(reason);
    }

    /// The value of an operand that has no value: the lift is refused.
    pub fn no_value(&mut self) -> Value {
        self.refuse(Diagnostic::error("lift-operand", "this operand is not a value"));
        self.constant(Type::I32, 0)
    }

    /// A register, if its units are within the file; otherwise the lift is refused.
    #[inline]
    pub fn reg(&mut self, file: FileId, unit: u32, units: u32) -> Reg {
        let size = self.files.get(usize::from(file.0)).map_or(0, |f| u32::from(f.units));
        if unit.saturating_add(units) > size {
            return self.beyond(file);
        }
        Reg::new(file, unit as u16)
    }

    /// Refuses a register that does not exist.
    #[cold]
    fn beyond(&mut self, file: FileId) -> Reg {
        let name = self.files.get(usize::from(file.0)).map_or("?", |f| f.name);
        let text = alloc::format!("{} reaches past the last register of {name}", self.insn.form().name);
        self.refuse(Diagnostic::error("lift-register", text));
        Reg::new(file, 0)
    }
}

/// The error code of an instruction whose row has no lift yet.
pub const UNSTATED: shisa_diag::Code = "lift-unstated";

/// The lift of rows that are decoded, assembled and checked, but whose meaning is not defined yet: it refuses.
pub fn unstated<I: Isa>(lift: &mut Lift<'_, '_, I>) {
    let text = alloc::format!("the meaning of {} is not defined yet", lift.insn.form().name);
    lift.refuse(Diagnostic::error(UNSTATED, text));
}

/// Lifts one instruction and appends it to `program`.
///
/// # Errors
/// The error with which the row refuses these operands.
pub fn lift<I: Isa>(
    program: &mut Lifted,
    insn: Insn<I>,
    ctx: I::Ctx<'_>,
    pc: u32,
    next: u32,
) -> Result<(), Diagnostic> {
    let (files, origin) = (program.files, program.steps.len() as u32);
    let start = program.nodes.list.len() as u32;
    let textures = program.nodes.textures.len();
    let mut build = Builder::new(&mut program.nodes, origin);
    build.rule = I::float_rule(&insn, ctx);
    let control = Control::default();
    let mut l = Lift { insn, ctx, pc, files, build, control, whole_wave: false, refused: None };
    let guard = I::guard(&mut l);
    (insn.form().lift)(&mut l);
    if let (Some(guard), true) = (guard, l.control.op != ControlOp::Next) {
        l.control.cond = Some(l.control.cond.map_or(guard, |cond| l.build.and(guard, cond)));
    }
    let Lift { control, whole_wave, .. } = l;
    if let Some(reason) = l.refused {
        program.nodes.list.truncate(start as usize);
        program.nodes.textures.truncate(textures);
        return Err(reason);
    }
    let end = program.nodes.list.len() as u32;
    program.steps.push(Step { pc, next, nodes: start..end, guard, whole_wave, control });
    Ok(())
}
