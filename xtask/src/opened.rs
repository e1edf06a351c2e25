//! Programs of files, for tools that work on one program at a time.

use shisa::{File, Lowered, Program, Settings};

/// The first program of a file.
pub(crate) fn first<'b>(bytes: &'b [u8], settings: &Settings) -> shisa::Result<Program<'b>> {
    File::open(bytes, settings)?.program(1)
}

/// The input of translators for the first program of a file.
pub(crate) fn lowered(bytes: &[u8], settings: &Settings) -> shisa::Result<Lowered> {
    first(bytes, settings)?.lower()
}
