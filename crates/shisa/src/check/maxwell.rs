//! Maxwell's programs, in any container, raw, or as a listing.

use crate::text::{maxwell::image, no_program};
use crate::{Isa, Result, Settings};
use shisa_diag::{Diagnostic, Place};
use shisa_maxwell::container::NvnControl;
use shisa_maxwell::text::{AsmOptions, InsnLine, assemble};
use shisa_maxwell::{Chip, rules};

/// As [`crate::check()`], but bytes of no known container are raw code, and `chip` is taken where the file does
/// not tell it; of one program, numbered from 1, or of all. With `nvn`, what a control file tells, it is the code
/// file of NVN that belongs to that.
///
/// # Errors
/// What is wrong with the container as a whole, `no-program`, or a limit that is exceeded.
pub fn check_maxwell(
    bytes: &[u8],
    program: Option<usize>,
    chip: Option<Chip>,
    nvn: Option<NvnControl>,
    settings: &Settings,
) -> Result<Vec<Diagnostic>> {
    let mut image = image(bytes, Some(Isa::Maxwell), nvn, &settings.limits)?;
    if let Some(number) = program {
        let count = image.programs.len();
        let index = number.checked_sub(1).filter(|i| *i < count).ok_or_else(|| no_program(number, count))?;
        image.programs.swap(0, index);
        image.programs.truncate(1);
    }
    Ok(rules::check(&image, chip, &settings.limits))
}

/// Checks a listing of Maxwell code: labels point into the text where they can.
///
/// # Errors
/// As [`check_maxwell`], and every fault of the text.
pub fn check_maxwell_listing(
    source: &str,
    program: Option<usize>,
    chip: Option<Chip>,
    nvn: Option<NvnControl>,
    settings: &Settings,
) -> Result<Vec<Diagnostic>> {
    // The rules tell of what the chip refuses.
    let done =
        assemble(source, &AsmOptions { chip, unchecked: true, ..AsmOptions::default() }, &settings.limits);
    let Some(bytes) = &done.bytes else { return Err(done.diagnostics.into()) };
    let mut found = done.diagnostics;
    found.extend(check_maxwell(bytes, program, Some(done.layout.chip), nvn, settings)?);
    for label in found.iter_mut().flat_map(|d| &mut d.labels).filter(|l| l.place == Place::Bytes) {
        if let Some(span) = written(&done.lines, label.span.start) {
            (label.place, label.span) = (Place::Text, span);
        }
    }
    Ok(found)
}

/// Where the instruction at a place of the file is written.
fn written(lines: &[InsnLine], offset: usize) -> Option<shisa_diag::Span> {
    lines.iter().find(|l| l.offset == offset).map(|l| l.span)
}
