//! Reading the numbers of ActionScript byte code.

/// Bytes, and how far they have been read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Bytes { bytes, at }
    }

    /// The offset of the next byte.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied();
        self.at += usize::from(byte.is_some());
        byte
    }

    pub(crate) fn slice(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let slice = self.bytes.get(self.at..)?.get(..bytes)?;
        self.at += bytes;
        Some(slice)
    }

    /// A number in one to five bytes of seven bits, the lowest first.
    pub(crate) fn number(&mut self) -> Option<u32> {
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

    pub(crate) fn double(&mut self) -> Option<f64> {
        Some(f64::from_le_bytes(self.slice(8)?.try_into().ok()?))
    }

    /// A signed number of three bytes: the distance of a jump.
    pub(crate) fn distance(&mut self) -> Option<i32> {
        let &[a, b, c] = self.slice(3)? else { return None };
        Some(i32::from_le_bytes([0, a, b, c]) >> 8)
    }
}
