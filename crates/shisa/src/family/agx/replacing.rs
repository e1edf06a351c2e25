//! Replaces the code of a program of a file.

use super::file::AgxFile;
use super::parts::no_room;
use crate::{Result, error};
use shisa_agx::END;
use shisa_agx::container::Container;
use std::ops::Range;

/// The instruction that pads code.
const TRAP: [u8; 2] = [END[2], END[3]];

/// The file with new code for a program.
///
/// # Errors
/// `agx-room` if the file has no room for the code; `not-built` for the text of a dump.
pub(super) fn replace(file: &AgxFile<'_>, index: usize, code: &[u8]) -> Result<Vec<u8>> {
    let (range, _) = file.program(index)?;
    match file {
        AgxFile::Code(..) => Ok(code.to_vec()),
        AgxFile::Image(image) if image.container == Container::MetalArchive => {
            in_archive(&image.bytes, range, code)
        }
        AgxFile::Image(_) => Err(error::not_built("replacing a program in the text of a dump")),
        AgxFile::Part(part) => Ok(part.with_main(code)?.to_json().to_string().into_bytes()),
        AgxFile::Linked(linked) => Ok(linked.with_code(code).to_json().to_string().into_bytes()),
    }
}

/// An archive with other code in place of a program's. Other parts of the file follow, so that the rest of the old code
/// becomes `trap`, which pads code.
fn in_archive(archive: &[u8], old: Range<usize>, code: &[u8]) -> Result<Vec<u8>> {
    let padding = old.len().checked_sub(code.len()).filter(|rest| rest.is_multiple_of(TRAP.len()));
    let Some(padding) = padding else { return Err(no_room(old.len(), code.len()).into()) };
    let mut file = archive.to_vec();
    let new = code.iter().chain(TRAP.iter().cycle().take(padding));
    file.splice(old, new.copied());
    Ok(file)
}
