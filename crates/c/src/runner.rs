//! Runs of programs.

use crate::error::{Error, Status, argument};
use crate::pointer::{
    array, array_mut, destroy, overlap, put, put_handle, range, status, truths, value, value_mut,
};
use crate::program::{Program, Register};
use crate::vertices::{Emitted, Vertex};
use shisa::Result;
use shisa::data::batch::{Attribute, Outputs, Slot};
use shisa::data::engines::{self, Session};
use shisa::ir::{FileId, Reg, Scalar};
use std::ops::Range;

/// The most inputs, and the most outputs, of a run.
pub const MOST_REGISTERS: usize = 32;

/// The uniforms and the memory of runs of a program.
pub struct Runner {
    session: Session,
    /// Uniforms that are passed to the session, in memory that is reused.
    uniforms: Vec<u32>,
    /// For each lane the number of its next vertex, in memory that is reused.
    numbers: Vec<u32>,
}

/// An input register and its values.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Input {
    /// The register.
    pub reg: Register,
    /// The array.
    pub values: *const u32,
    /// Number of its elements.
    pub length: usize,
    /// Index of the first unit of lane 0.
    pub offset: usize,
    /// Elements from one lane to the next.
    pub stride: usize,
    /// Elements from one unit to the next.
    pub step: usize,
}

/// An output register, and where its values go.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Output {
    /// The register.
    pub reg: Register,
    /// Index of the first unit of lane 0.
    pub offset: usize,
    /// Elements from one lane to the next.
    pub stride: usize,
    /// Elements from one unit to the next.
    pub step: usize,
}

impl Runner {
    pub(crate) fn of(program: &Program) -> Runner {
        Runner { session: program.program.session(), uniforms: Vec::new(), numbers: Vec::new() }
    }

    /// Runs lanes whose vertices go to an array, lane by lane. Returns their number.
    fn emit(&mut self, lanes: usize, attributes: &[Attribute<'_>], vertices: &mut [Vertex]) -> Result<usize> {
        let mut outputs = Outputs { slots: &[], data: &mut [] };
        let mut emitted = Emitted::new(lanes, vertices, &mut self.numbers);
        self.session.run_with(lanes, attributes, &mut outputs, &mut [], &mut emitted)?;
        Ok(emitted.finish())
    }

    /// Sets uniforms of a register file whose elements are of one of these kinds. `stored` is a value of the caller as the
    /// program holds it.
    fn set<T: Copy>(
        &mut self,
        reg: Register,
        kinds: &[Scalar],
        values: &[T],
        stored: impl Fn(&engines::Program, T) -> u32,
    ) -> Result<()> {
        let first = reg.reg()?;
        let program = self.session.program();
        let file = program.files().get(usize::from(reg.file));
        if let Some(file) = file.filter(|f| !kinds.contains(&f.scalar)) {
            let text = format!("register file `{}` has elements of {:?}", file.name, file.scalar);
            return Err(argument(text));
        }
        self.uniforms.clear();
        self.uniforms.extend(values.iter().map(|value| stored(program, *value)));
        Ok(self.session.set_uniforms(first, &self.uniforms)?)
    }
}

/// Sets uniforms, as [`Runner::set`] does, from pointers of the caller.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
unsafe fn set<T: Copy>(
    (runner, reg): (*mut Runner, Register),
    kinds: &[Scalar],
    (values, count): (*const T, usize),
    stored: impl Fn(&engines::Program, T) -> u32,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let set = || unsafe {
        let (runner, values) = (value_mut("runner", runner)?, array("values", values, count)?);
        runner.set(reg, kinds, values, stored)
    };
    // SAFETY: the caller promises it.
    unsafe { status(set(), error) }
}

/// Makes a runner.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_runner_create(
    program: *const Program,
    runner: *mut *mut Runner,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let make = || unsafe { Ok(Runner::of(value("program", program)?)) };
    // SAFETY: the caller promises it.
    unsafe { status(put_handle("runner", runner, make), error) }
}

/// Destroys a runner.
///
/// # Safety
/// The runner is null, or was made by this library and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_runner_destroy(runner: *mut Runner) {
    // SAFETY: the caller promises it.
    unsafe { destroy(runner) }
}

/// Sets floats of uniforms from a register on.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_runner_set_floats(
    runner: *mut Runner,
    reg: Register,
    values: *const u32,
    count: usize,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    unsafe { set((runner, reg), &[Scalar::F32], (values, count), engines::Program::stored, error) }
}

/// Sets integers of uniforms from a register on.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_runner_set_integers(
    runner: *mut Runner,
    reg: Register,
    values: *const u32,
    count: usize,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    unsafe {
        set((runner, reg), &[Scalar::I32, Scalar::I16, Scalar::I8], (values, count), |_, value| value, error)
    }
}

/// Sets booleans of uniforms from a register on.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_runner_set_booleans(
    runner: *mut Runner,
    reg: Register,
    values: *const u8,
    count: usize,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    unsafe { set((runner, reg), &[Scalar::I1], (values, count), |_, value| u32::from(value != 0), error) }
}

/// A slot without units.
const NOTHING: Slot = Slot { reg: Reg::new(FileId(0), 0), units: 0, offset: 0, stride: 0, step: 0 };

/// The inputs of a run, none of which is in memory that the run writes.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
unsafe fn attributes<'a>(
    inputs: &'a [Input],
    written: &[Range<usize>],
) -> Result<[Attribute<'a>; MOST_REGISTERS]> {
    if inputs.len() > MOST_REGISTERS {
        return Err(argument(format!("a run has at most {MOST_REGISTERS} inputs and as many outputs")));
    }
    let mut attributes = [Attribute { slot: NOTHING, data: &[] }; MOST_REGISTERS];
    for (to, input) in attributes.iter_mut().zip(inputs) {
        // SAFETY: the caller promises it.
        let data = unsafe { array("values of an input", input.values, input.length)? };
        if written.iter().any(|written| overlap(&range(data), written)) {
            return Err(argument("an input is in the memory of results"));
        }
        let (reg, units) = (input.reg.reg()?, input.reg.units);
        let slot = Slot { reg, units, offset: input.offset, stride: input.stride, step: input.step };
        *to = Attribute { slot, data };
    }
    Ok(attributes)
}

/// Runs lanes.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_runner_run(
    runner: *mut Runner,
    lanes: usize,
    inputs: *const Input,
    input_count: usize,
    outputs: *const Output,
    output_count: usize,
    results: *mut u32,
    length: usize,
    killed: *mut u8,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let run = || unsafe {
        let runner = value_mut("runner", runner)?;
        let inputs = array("inputs", inputs, input_count)?;
        let outputs = array("outputs", outputs, output_count)?;
        if outputs.len() > MOST_REGISTERS {
            let text = format!("a run has at most {MOST_REGISTERS} inputs and as many outputs");
            return Err(argument(text));
        }
        let results = array_mut("results", results, length)?;
        let killed = truths("killed", killed, if killed.is_null() { 0 } else { lanes })?;
        let (written, other) = (range(results), range(killed));
        let attributes = attributes(inputs, &[written.clone(), other.clone()])?;
        if overlap(&written, &other)
            || overlap(&range(inputs), &written)
            || overlap(&range(outputs), &written)
        {
            return Err(argument("results overlap another argument"));
        }
        let mut slots = [NOTHING; MOST_REGISTERS];
        for (to, output) in slots.iter_mut().zip(outputs) {
            let (reg, units) = (output.reg.reg()?, output.reg.units);
            *to = Slot { reg, units, offset: output.offset, stride: output.stride, step: output.step };
        }
        let (attributes, _) = attributes.split_at(inputs.len().min(MOST_REGISTERS));
        let (slots, _) = slots.split_at(outputs.len().min(MOST_REGISTERS));
        Ok(runner.session.run(lanes, attributes, &mut Outputs { slots, data: results }, killed)?)
    };
    // SAFETY: the caller promises it.
    unsafe { status(run(), error) }
}

/// Runs lanes of a geometry program of PICA200.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_runner_emit(
    runner: *mut Runner,
    lanes: usize,
    inputs: *const Input,
    input_count: usize,
    vertices: *mut Vertex,
    capacity: usize,
    count: *mut usize,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let run = || unsafe {
        let runner = value_mut("runner", runner)?;
        let inputs = array("inputs", inputs, input_count)?;
        let vertices = array_mut("vertices", vertices, capacity)?;
        let written = range(vertices);
        if overlap(&range(inputs), &written) {
            return Err(argument("vertices overlap another argument"));
        }
        let attributes = attributes(inputs, &[written])?;
        put("count", count, 0)?;
        let (attributes, _) = attributes.split_at(inputs.len().min(MOST_REGISTERS));
        put("count", count, runner.emit(lanes, attributes, vertices)?)
    };
    // SAFETY: the caller promises it.
    unsafe { status(run(), error) }
}
