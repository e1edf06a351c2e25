//! Replaces programs of a file by assembled code.

use super::family::Maxwell;
use crate::{Result, Settings, error};
use shisa_diag::Diagnostic;
use shisa_maxwell::container::{Edit, Image, NvnControl};
use shisa_maxwell::text::Layout;
use std::collections::BTreeMap;

/// Assembles Maxwell code to replace a program of a file, by its number from 1. Returns the file with the code, and
/// warnings; labels with byte offsets count in the file.
///
/// # Errors
/// Every fault in the text; `no-program`; what the file's container refuses.
pub fn assemble_into(
    source: &str,
    file: &[u8],
    number: usize,
    settings: &Settings,
) -> Result<(Vec<u8>, Vec<Diagnostic>)> {
    let limits = &settings.limits;
    let (bytes, done) = Maxwell::assembled(source, settings.unchecked, settings)?;
    let image = Image::read(file, limits)?;
    let count = image.programs.len();
    let index = number.checked_sub(1).filter(|i| *i < count);
    let index = index.ok_or_else(|| error::no_program(number, count))?;
    let edits = edits(&done.layout, &bytes, index)?;
    let written = image.write(&edits, limits)?;
    let mut found = done.diagnostics;
    found.extend(image.lost(&edits));
    Ok((written, found))
}

/// Assembles Maxwell code to replace the program of an NVN code file. Returns both files and warnings.
///
/// # Errors
/// The errors of [`assemble_into`]; `nvn-magic`, `nvn-cut`, `nvn-range` and `nvn-stage` if the files are not such a
/// pair.
pub fn assemble_into_pair(
    source: &str,
    code: &[u8],
    control: &[u8],
    settings: &Settings,
) -> Result<([Vec<u8>; 2], Vec<Diagnostic>)> {
    let limits = &settings.limits;
    let (bytes, done) = Maxwell::assembled(source, settings.unchecked, settings)?;
    let image = Image::read_pair(code, NvnControl::read(control, limits)?, limits)?;
    let edits = edits(&done.layout, &bytes, 0)?;
    let (code, control) = image.write_pair(control, &edits, limits)?;
    let mut found = done.diagnostics;
    found.extend(image.lost(&edits));
    Ok(([code, control], found))
}

/// The single program that was assembled, as an edit of a program of a file.
fn edits<'b>(layout: &'b Layout, bytes: &'b [u8], index: usize) -> Result<BTreeMap<usize, Edit<'b>>> {
    let [section] = layout.sections.as_slice() else {
        let text = format!("the source has {} programs where one is replaced", layout.sections.len());
        return Err(Diagnostic::error("maxwell-replace", text).into());
    };
    let code = shisa_diag::bytes::part(bytes, section.range.clone())?;
    let header = section.header.and_then(|at| shisa_maxwell::container::sph::Sph::at(bytes, at));
    let targets = Some(&section.targets).filter(|targets| !targets.is_empty());
    Ok(BTreeMap::from([(index, Edit { code, header, targets })]))
}
