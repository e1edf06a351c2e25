//! Programs.

use crate::error::{Error, Status, argument};
use crate::options::{BEST, Options, number};
use crate::pointer::{array, array_mut, destroy, put, put_handle, status, text, value};
use shisa::data::Which;
use shisa::data::engines;
use shisa::ir::{FileId, Reg, Stage};
use shisa::{File, Result, pica200};
use std::ffi::{CStr, CString, c_char};

/// A compiled program.
pub struct Program {
    pub(crate) program: engines::Program,
    refused: CString,
}

/// A register of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Register {
    /// Its file.
    pub file: u16,
    /// Its first unit there.
    pub first: u16,
    /// Its number of units.
    pub units: u16,
}

impl Register {
    /// The first unit.
    pub(crate) fn reg(self) -> Result<Reg> {
        let file = u8::try_from(self.file);
        let file = file.map_err(|_| argument(format!("there is no register file {}", self.file)))?;
        Ok(Reg::new(FileId(file), self.first))
    }
}

impl Program {
    fn new(program: engines::Program) -> Program {
        let lines: Vec<String> = program.refused().iter().map(ToString::to_string).collect();
        let text = lines.join("\n").replace('\0', "\\0");
        Program { program, refused: CString::new(text).unwrap_or_default() }
    }
}

/// The program of code words and operand descriptors.
pub(crate) fn of_words(code: &[u32], descriptors: &[u32], entry: u32, options: &Options) -> Result<Program> {
    let (code, descriptors) = (code.to_vec(), descriptors.to_vec());
    let program = pica200::Program { stage: Stage::Vertex, code, descriptors, entry };
    Ok(Program::new(pica200::compile(&program, options.engine()?, &options.settings()?)?))
}

/// The choices of the caller; null is the defaults.
///
/// # Safety
/// The pointer is null or leads to options.
pub(crate) unsafe fn chosen<'a>(options: *const Options) -> Result<&'a Options> {
    const DEFAULTS: &Options = &Options { engine: BEST, floats: 0, run_steps: 0, lane_steps: 0 };
    // SAFETY: the caller promises it.
    if options.is_null() { Ok(DEFAULTS) } else { unsafe { value("options", options) } }
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn shisa_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// Makes a program from a file.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_program_open(
    bytes: *const u8,
    length: usize,
    which: *const c_char,
    options: *const Options,
    program: *mut *mut Program,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let open = || unsafe {
        let (bytes, options) = (array("bytes", bytes, length)?, chosen(options)?);
        let which = if which.is_null() { Which::Number(1) } else { text("which", which)?.into() };
        let file = File::open(bytes, &options.settings()?)?;
        Ok(Program::new(file.program(which)?.compile(options.engine()?)?))
    };
    // SAFETY: the caller promises it.
    unsafe { status(put_handle("program", program, open), error) }
}

/// Makes a program from the state of an emulator.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_program_from_pica200(
    code: *const u32,
    words: usize,
    descriptors: *const u32,
    count: usize,
    entry: u32,
    options: *const Options,
    program: *mut *mut Program,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let make = || unsafe {
        let (code, descriptors) = (array("code", code, words)?, array("descriptors", descriptors, count)?);
        of_words(code, descriptors, entry, chosen(options)?)
    };
    // SAFETY: the caller promises it.
    unsafe { status(put_handle("program", program, make), error) }
}

/// Destroys a program.
///
/// # Safety
/// The program is null, or was made by this library and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_program_destroy(program: *mut Program) {
    // SAFETY: the caller promises it.
    unsafe { destroy(program) }
}

/// The engine that runs the program.
///
/// # Safety
/// The program is null, or was made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_program_engine(program: *const Program) -> u32 {
    // SAFETY: the caller promises it.
    unsafe { value("program", program) }.map_or(BEST, |p| number(p.program.engine()))
}

/// Why faster engines do not run the program.
///
/// # Safety
/// The program is null, or was made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_program_refused(program: *const Program) -> *const c_char {
    // SAFETY: the caller promises it.
    unsafe { value("program", program) }.map_or(c"".as_ptr(), |p| p.refused.as_ptr())
}

/// Number of bytes of machine code.
///
/// # Safety
/// The program is null, or was made by this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_program_code_size(program: *const Program) -> usize {
    // SAFETY: the caller promises it.
    unsafe { value("program", program) }.map_or(0, |p| p.program.code_size())
}

/// Finds a register by its name.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_program_register(
    program: *const Program,
    name: *const c_char,
    reg: *mut Register,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let find = || unsafe {
        let (program, name) = (value("program", program)?, text("name", name)?);
        let found = program.program.register(name);
        let (first, units) = found.ok_or_else(|| {
            argument(format!("\"{}\" is no input, uniform or output of the program", name.escape_default()))
        })?;
        put("reg", reg, Register { file: first.file.0.into(), first: first.unit, units })
    };
    // SAFETY: the caller promises it.
    unsafe { status(find(), error) }
}

/// Rounds numbers to those that inputs and float uniforms can have.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_program_round(
    program: *const Program,
    values: *mut u32,
    count: usize,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let round = || unsafe {
        let program = value("program", program)?;
        array_mut("values", values, count)?.iter_mut().for_each(|bits| *bits = program.program.stored(*bits));
        Ok(())
    };
    // SAFETY: the caller promises it.
    unsafe { status(round(), error) }
}
