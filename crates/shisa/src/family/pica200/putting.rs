//! Puts shader binaries back into files, and links objects.

use super::file::Pica200File;
use crate::{Result, Settings, error};
use shisa_diag::Diagnostic;
use shisa_pica200::container::{Dvle, Object, Shbin, Wrapper, link_objects, replace};
use std::borrow::Cow;

/// Puts a shader binary into a file in place of the one that contains a program, by the program's number from 1. Returns
/// the file, and warnings; their labels count in the file.
///
/// # Errors
/// `shbin-absent` if the file is not one that contains shader binaries; `no-program`; `shbin-programs` if both binaries
/// do not have programs of the same stages; `shbin-room`; the errors of [`Shbin::read`].
pub fn put_into(
    binary: &[u8],
    file: &[u8],
    number: usize,
    settings: &Settings,
) -> Result<(Vec<u8>, Vec<Diagnostic>)> {
    let limits = &settings.limits;
    let new = Shbin::read(binary, limits)?;
    let Some(wrapper) = Wrapper::sniff(file) else {
        let kinds = Wrapper::ALL.map(Wrapper::name).join(", ");
        let text = format!("the file is none that contains shader binaries: {kinds}");
        return Err(Diagnostic::error("shbin-absent", text).into());
    };
    let whole = Pica200File::read(Cow::Borrowed(file), settings)?;
    let index = number.checked_sub(1).ok_or_else(|| error::no_program(number, whole.programs.len()))?;
    let (_, old, _) = whole.program(index)?;
    let kinds = |file: &Shbin| file.programs.iter().map(|p: &Dvle| p.kind).collect::<Vec<_>>();
    if kinds(&new) != kinds(old) {
        let [new, old] = [&new, old.as_ref()].map(stages);
        let text = format!("the new shader binary has {new}, the old one {old}");
        let d = Diagnostic::error("shbin-programs", text);
        return Err(d.help("assemble all programs of the old one").into());
    }
    Ok(replace(wrapper, file, whole.binary(index)?, binary, limits)?)
}

/// The stages of the programs of a binary.
fn stages(file: &Shbin) -> String {
    let name = |p: &Dvle| p.stage().map_or("unknown", |s| s.name());
    let names: Vec<&str> = file.programs.iter().map(name).collect();
    let s = if names.len() == 1 { "" } else { "s" };
    format!("{} program{s} ({})", names.len(), names.join(", "))
}

/// Links objects (DVOJ) to one shader binary, a program for each. Returns its bytes, and warnings.
///
/// # Errors
/// The faults of the first object that cannot be read, with its number; `shbin-link`.
pub fn link_files(objects: &[&[u8]], settings: &Settings) -> Result<(Vec<u8>, Vec<Diagnostic>)> {
    let limits = &settings.limits;
    let mut read = Vec::with_capacity(objects.len());
    for (n, bytes) in objects.iter().enumerate() {
        let named = |d: Diagnostic| d.note(format!("in object {}", n + 1));
        let object = Object::read(bytes, limits);
        read.push(object.map_err(|found| found.into_iter().map(named).collect::<Vec<_>>())?);
    }
    let (linked, warnings) = link_objects(&read)?;
    Ok((linked.write(limits)?, warnings))
}
