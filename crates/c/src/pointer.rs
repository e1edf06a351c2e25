//! Pointers of the caller, checked and turned into references. All unsafe blocks of the crate's functions call these.

use crate::error::{Error, OK, Status, argument};
use shisa::Result;
use std::ffi::{CStr, c_char};
use std::ops::Range;

/// Checks that an array can exist: it is not null, aligned, and not larger than memory can be.
fn check<T>(what: &str, first: *const T, length: usize) -> Result<()> {
    if first.is_null() {
        return Err(argument(format!("{what}: the pointer is null")));
    }
    if !first.is_aligned() {
        return Err(argument(format!("{what}: the address is not a multiple of {}", align_of::<T>())));
    }
    let bytes = length.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
    if bytes.and_then(|bytes| first.addr().checked_add(bytes)).is_none() {
        return Err(argument(format!("{what}: {length} elements are more than memory can have")));
    }
    Ok(())
}

/// The bytes of memory that an array takes.
pub(crate) fn range<T>(array: &[T]) -> Range<usize> {
    let range = array.as_ptr_range();
    range.start.addr()..range.end.addr()
}

/// Whether two ranges of memory have a byte in common.
pub(crate) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// An array of the caller; without elements it may be null.
///
/// # Safety
/// It has this many elements, whose bits are values, and nothing writes them during `'a`.
pub(crate) unsafe fn array<'a, T: Copy>(what: &str, first: *const T, length: usize) -> Result<&'a [T]> {
    if length == 0 {
        return Ok(&[]);
    }
    check(what, first, length)?;
    // SAFETY: the pointer is not null and aligned, and the size fits an `isize` (`check`); the caller promises the rest.
    Ok(unsafe { std::slice::from_raw_parts(first, length) })
}

/// An array of the caller that is written; without elements it may be null.
///
/// # Safety
/// It has this many elements, whose bits are values, and nothing else reads or writes them during `'a`.
pub(crate) unsafe fn array_mut<'a, T: Copy>(what: &str, first: *mut T, length: usize) -> Result<&'a mut [T]> {
    if length == 0 {
        return Ok(&mut []);
    }
    check(what, first, length)?;
    // SAFETY: as in `array`; the caller promises that nothing else uses the memory.
    Ok(unsafe { std::slice::from_raw_parts_mut(first, length) })
}

/// An array of truth values of the caller, which are false; without elements it may be null.
///
/// # Safety
/// There is memory for this many elements, and nothing else reads or writes it during `'a`.
pub(crate) unsafe fn truths<'a>(what: &str, first: *mut u8, length: usize) -> Result<&'a mut [bool]> {
    if length == 0 {
        return Ok(&mut []);
    }
    check(what, first, length)?;
    // SAFETY: as in `array_mut`. A zero byte is `false`, so that the elements have values.
    Ok(unsafe {
        first.write_bytes(0, length);
        std::slice::from_raw_parts_mut(first.cast(), length)
    })
}

/// A value of the caller.
///
/// # Safety
/// The pointer is null, or leads to a value that nothing writes during `'a`.
pub(crate) unsafe fn value<'a, T>(what: &str, pointer: *const T) -> Result<&'a T> {
    check(what, pointer, 1)?;
    // SAFETY: the pointer is not null and aligned; the caller promises the rest.
    Ok(unsafe { &*pointer })
}

/// A value of the caller that is changed.
///
/// # Safety
/// The pointer is null, or leads to a value that nothing else uses during `'a`.
pub(crate) unsafe fn value_mut<'a, T>(what: &str, pointer: *mut T) -> Result<&'a mut T> {
    check(what, pointer, 1)?;
    // SAFETY: the pointer is not null and aligned; the caller promises the rest.
    Ok(unsafe { &mut *pointer })
}

/// A text of the caller.
///
/// # Safety
/// The pointer is null, or leads to a text that ends with a zero byte and that nothing writes during `'a`.
pub(crate) unsafe fn text<'a>(what: &str, pointer: *const c_char) -> Result<&'a str> {
    check(what, pointer, 1)?;
    // SAFETY: the pointer is not null; the caller promises the rest.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| argument(format!("{what}: the text is not UTF-8")))
}

/// Writes a result of a function.
///
/// # Safety
/// The pointer is null, or leads to memory for a value that nothing else uses during the call.
pub(crate) unsafe fn put<T>(what: &str, to: *mut T, result: T) -> Result<()> {
    check(what, to, 1)?;
    // SAFETY: the pointer is not null and aligned; the caller promises the rest.
    unsafe { to.write(result) };
    Ok(())
}

/// Makes a handle.
///
/// # Safety
/// As for [`put`].
pub(crate) unsafe fn put_handle<T>(
    what: &str,
    to: *mut *mut T,
    make: impl FnOnce() -> Result<T>,
) -> Result<()> {
    check(what, to, 1)?;
    let handle = Box::into_raw(Box::new(make()?));
    // SAFETY: the pointer is not null and aligned; the caller promises the rest.
    unsafe { to.write(handle) };
    Ok(())
}

/// Destroys a handle.
///
/// # Safety
/// The pointer is null, or was made by [`put_handle`] and is not used afterwards.
pub(crate) unsafe fn destroy<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: `put_handle` made the handle from a box, and the caller promises that this is its only end.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// A handle that the library itself owns, and that the caller may use meanwhile.
pub(crate) struct Owned<T>(*mut T);

impl<T> Owned<T> {
    pub(crate) fn new(value: T) -> Owned<T> {
        Owned(Box::into_raw(Box::new(value)))
    }

    pub(crate) fn pointer(&self) -> *mut T {
        self.0
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: `new` made the pointer from a box, and this is its only end: `shisa.h` forbids others.
        unsafe { destroy(self.0) }
    }
}

/// The status of a result; `error`, if it is not null, describes a failure.
///
/// # Safety
/// As for [`put`].
pub(crate) unsafe fn status(result: Result<()>, error: *mut Error) -> Status {
    let Err(failure) = result else { return OK };
    let described = Error::of(&failure);
    if check("error", error, 1).is_ok() {
        // SAFETY: the pointer is not null and aligned; the caller promises the rest.
        unsafe { error.write(described) };
    }
    described.status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_have_no_byte_in_common() {
        for (a, b, together) in
            [(0..4, 4..8, false), (0..5, 4..8, true), (1..2, 0..8, true), (0..0, 0..4, false)]
        {
            assert_eq!((overlap(&a, &b), overlap(&b, &a)), (together, together), "{a:?} {b:?}");
        }
    }
}
