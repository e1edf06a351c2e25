//! The constant pool of ActionScript byte code, up to its strings.

use crate::{Content, Found, Place, Search};
use shisa_agal::{SourceGuess, identify_source};
use shisa_diag::Diagnostic;

/// Searches byte code for AGAL text; `offset` is its offset in the file.
pub(crate) fn search(
    search: &mut Search<'_>,
    abc: &[u8],
    offset: usize,
    name: &str,
    path: &[u32],
) -> Result<(), Diagnostic> {
    let mut pool = Pool { bytes: abc, at: 0 };
    let result = pool.skip_to_strings().and_then(|count| {
        for index in 1..count {
            let string = pool.string()?;
            let Ok(text) = std::str::from_utf8(string) else { continue };
            if let Some(guess) = identify_source(text) {
                let place = Place::String { abc: name.into(), index };
                let content = Content::Source(text.into());
                let SourceGuess { stage, version, confidence } = guess;
                let offset = offset + pool.at - string.len();
                let found = Found { tags: path.to_vec(), place, offset, content, stage, version, confidence };
                if let Err(full) = search.take(found) {
                    return Some(Err(full));
                }
            }
        }
        Some(Ok(()))
    });
    result.unwrap_or_else(|| {
        let tag = path.last().copied().unwrap_or(0);
        let text = format!("the pool of constants in tag {tag} is cut off");
        let place = offset + pool.at..offset + abc.len();
        search.sink.push(Diagnostic::error("swf-abc", text).at_bytes(place, "once decompressed"));
        Ok(())
    })
}

struct Pool<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Pool<'a> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    fn skip(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let slice = self.bytes.get(self.at..)?.get(..bytes)?;
        self.at += bytes;
        Some(slice)
    }

    /// Reads a number in one to five bytes of seven bits, the lowest first.
    fn number(&mut self) -> Option<u32> {
        let mut value = 0;
        for i in 0..5 {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f).checked_shl(7 * i).unwrap_or(0);
            if byte & 0x80 == 0 {
                break;
            }
        }
        Some(value)
    }

    /// Skips to the strings; returns their count plus one.
    fn skip_to_strings(&mut self) -> Option<u32> {
        // Minor and major version.
        self.skip(4)?;
        // Signed and unsigned numbers.
        for _ in 0..2 {
            for _ in 1..self.number()? {
                self.number()?;
            }
        }
        let doubles = usize::try_from(self.number()?.saturating_sub(1)).ok()?;
        self.skip(doubles.checked_mul(8)?)?;
        self.number()
    }

    fn string(&mut self) -> Option<&'a [u8]> {
        let size = usize::try_from(self.number()?).ok()?;
        self.skip(size)
    }
}
