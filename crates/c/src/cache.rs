//! Programs that are compiled once.

use crate::error::{Error, Status};
use crate::options::Options;
use crate::pointer::{Owned, array, destroy, put, put_handle, status, value_mut};
use crate::program::{Program, chosen, of_words};
use crate::runner::Runner;
use shisa::data::engines;

/// Programs of emulators, each with a runner.
pub struct Cache {
    programs: engines::Cache<Cached>,
    options: Options,
}

struct Cached {
    program: Owned<Program>,
    runner: Owned<Runner>,
}

/// Makes an empty cache.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_cache_create(
    capacity: usize,
    options: *const Options,
    cache: *mut *mut Cache,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let make = || unsafe {
        let options = *chosen(options)?;
        options.engine()?;
        options.settings()?;
        let capacity = if capacity == 0 { engines::Cache::<Cached>::CAPACITY } else { capacity };
        Ok(Cache { programs: engines::Cache::new(capacity), options })
    };
    // SAFETY: the caller promises it.
    unsafe { status(put_handle("cache", cache, make), error) }
}

/// Destroys a cache.
///
/// # Safety
/// The cache is null, or was made by this library and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_cache_destroy(cache: *mut Cache) {
    // SAFETY: the caller promises it.
    unsafe { destroy(cache) }
}

/// Finds or makes a program and its runner.
///
/// # Safety
/// Pointers are null or lead to what `shisa.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn shisa_cache_pica200(
    cache: *mut Cache,
    code: *const u32,
    words: usize,
    descriptors: *const u32,
    count: usize,
    entry: u32,
    program: *mut *const Program,
    runner: *mut *mut Runner,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller promises it.
    let find = || unsafe {
        let Cache { programs, options } = value_mut("cache", cache)?;
        let (code, descriptors) = (array("code", code, words)?, array("descriptors", descriptors, count)?);
        let make = || {
            let program = of_words(code, descriptors, entry, options)?;
            let runner = Runner::of(&program);
            Ok::<_, shisa::Error>(Cached { program: Owned::new(program), runner: Owned::new(runner) })
        };
        let cached = programs.get(&[code, descriptors, &[entry]], make)?;
        if !program.is_null() {
            put("program", program, cached.program.pointer().cast_const())?;
        }
        put("runner", runner, cached.runner.pointer())
    };
    // SAFETY: the caller promises it.
    unsafe { status(find(), error) }
}
