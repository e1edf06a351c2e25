//! One program of a file.

use crate::{Result, Settings};
use std::borrow::Cow;

/// The bytes of one program of a file, numbered from 1; without a number the first. Of a SWF, source is
/// assembled. Of a shader binary without a number all programs stay, and with one the others leave it. Other
/// files are a single program, and come back as they are.
///
/// # Errors
/// `no-program` for a number that no program has; what is wrong with a container as a whole, or with the
/// source.
pub fn program<'b>(bytes: &'b [u8], number: Option<usize>, settings: &Settings) -> Result<Cow<'b, [u8]>> {
    #[cfg(feature = "swf")]
    if settings.isa.is_none() && shisa_swf::sniff(bytes) {
        return crate::container::program(bytes, number.unwrap_or(1), settings).map(Cow::Owned);
    }
    #[cfg(feature = "pica200")]
    if crate::text::pica200::sniff(bytes) {
        return crate::text::pica200::binary(bytes, number, settings);
    }
    let _ = settings;
    only(number)?;
    Ok(Cow::Borrowed(bytes))
}

/// A file that is a program has no other.
pub(crate) fn only(number: Option<usize>) -> Result<()> {
    match number {
        None | Some(1) => Ok(()),
        Some(number) => Err(crate::text::no_program(number, 1).into()),
    }
}
