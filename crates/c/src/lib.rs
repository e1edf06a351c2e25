//! A C interface for fast execution of shader programs. `include/shisa.h` is its documentation; the functions here have the
//! same names, arguments and meaning.
//!
//! # Unsafe code
//!
//! All unsafe code makes references of pointers of the caller, in `pointer.rs`. A pointer is compared with null, its
//! alignment and size are checked, and results are compared with all other arguments for overlap. What cannot be checked
//! are the promises that every C interface needs: that an array is as long as stated, that a handle was made by this
//! library and is not destroyed, and that nothing else writes the memory during the call.
//!
//! No function panics, so none unwinds into C.

mod cache;
mod error;
mod options;
mod pointer;
mod program;
mod runner;
mod vertices;

pub use cache::{Cache, shisa_cache_create, shisa_cache_destroy, shisa_cache_pica200};
pub use error::{ARGUMENT, Error, INTERNAL, LIMIT, OK, PROGRAM, Status};
pub use options::{BATCH, BEST, EVALUATOR, EXACT, F32, FAST, MACHINE_CODE, Options};
pub use program::{
    Program, Register, shisa_program_code_size, shisa_program_destroy, shisa_program_engine,
    shisa_program_from_pica200, shisa_program_open, shisa_program_refused, shisa_program_register,
    shisa_program_round, shisa_version,
};
pub use runner::{
    Input, MOST_REGISTERS, Output, Runner, shisa_runner_create, shisa_runner_destroy, shisa_runner_emit,
    shisa_runner_run, shisa_runner_set_booleans, shisa_runner_set_floats, shisa_runner_set_integers,
};
pub use vertices::Vertex;
