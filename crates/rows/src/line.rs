//! Fast output of text: wide copies into a small buffer, one capacity check a line.

use alloc::vec::Vec;

/// Bytes gathered before they go to the output; a power of two.
const ROOM: usize = 2048;
/// Bytes of a [`Name`], and so of one wide copy.
const WIDE: usize = 32;

/// A short text that is copied whole, padding included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    bytes: [u8; WIDE],
    len: u8,
}

impl Name {
    /// From at most 32 bytes of text.
    ///
    /// # Panics
    /// At compile time, when the text is longer.
    pub const fn new(text: &str) -> Name {
        Name::ascii(text.as_bytes())
    }

    /// From at most 32 ASCII characters.
    ///
    /// # Panics
    /// At compile time, when the text is longer.
    pub const fn ascii(text: &[u8]) -> Name {
        let mut bytes = [0; WIDE];
        assert!(text.len() <= WIDE, "a name has at most 32 bytes");
        let mut i = 0;
        while i < text.len() {
            bytes[i] = text[i];
            i += 1;
        }
        Name { bytes, len: text.len() as u8 }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len as usize]).unwrap_or("")
    }
}

/// A text of at most 15 characters, which is copied whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// The text, its first byte lowest, and uppermost how long it is.
    bytes: u128,
}

impl Short {
    /// Characters at most.
    pub const MOST: usize = 15;

    /// From at most 15 bytes of text.
    ///
    /// # Panics
    /// At compile time, when the text is longer.
    pub const fn new(text: &str) -> Short {
        Short::ascii(text.as_bytes())
    }

    /// From a text, unless it is longer than 15 bytes.
    pub const fn of(text: &str) -> Option<Short> {
        Short::from_ascii(text.as_bytes())
    }

    /// From at most 15 ASCII characters.
    ///
    /// # Panics
    /// At compile time, when the text is longer.
    pub const fn ascii(text: &[u8]) -> Short {
        match Short::from_ascii(text) {
            Some(short) => short,
            None => panic!("a short text has at most 15 bytes"),
        }
    }

    const fn from_ascii(text: &[u8]) -> Option<Short> {
        if text.len() > Short::MOST {
            return None;
        }
        let mut bytes = [0; 16];
        let mut i = 0;
        while i < text.len() {
            bytes[i] = text[i];
            i += 1;
        }
        bytes[Short::MOST] = text.len() as u8;
        Some(Short { bytes: u128::from_le_bytes(bytes) })
    }

    /// How many bytes it has.
    #[inline(always)]
    pub const fn len(&self) -> usize {
        (self.bytes >> 120) as usize
    }

    /// Whether it is empty.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Writes into the room of a [`Line`] that was found before, so that nothing need be asked on the way.
#[derive(Debug)]
pub(crate) struct Pen<'b> {
    buf: &'b mut [u8; ROOM + WIDE],
    at: usize,
}

impl Pen<'_> {
    /// How much is written.
    #[inline(always)]
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// Copies 16 bytes. What is not part of the text is written over by what follows.
    #[inline(always)]
    fn put(&mut self, bytes: [u8; 16]) {
        // There is room; this tells the compiler.
        let at = self.at & (ROOM - 1);
        self.buf[at..at + 16].copy_from_slice(&bytes);
    }

    /// One character.
    #[inline(always)]
    pub(crate) fn byte(&mut self, b: u8) {
        self.buf[self.at & (ROOM - 1)] = b;
        self.at += 1;
    }

    /// A short text.
    #[inline(always)]
    pub(crate) fn short(&mut self, text: &Short) {
        self.put(text.bytes.to_le_bytes());
        self.at += text.len();
    }

    /// A name.
    #[inline(always)]
    pub(crate) fn name(&mut self, name: &Name) {
        let at = self.at & (ROOM - 1);
        self.buf[at..at + WIDE].copy_from_slice(&name.bytes);
        self.at += usize::from(name.len);
    }

    /// A comma and a blank, or as many of them as are wanted.
    #[inline(always)]
    pub(crate) fn comma(&mut self, wanted: usize) {
        let at = self.at & (ROOM - 1);
        self.buf[at..at + 2].copy_from_slice(b", ");
        self.at += wanted;
    }

    /// What was written from an earlier place on, if it fits a name.
    pub(crate) fn since(&self, start: usize) -> Option<Name> {
        let text = self.buf.get(start..self.at).filter(|text| text.len() <= WIDE)?;
        Some(Name::ascii(text))
    }

    /// A number of at most 64 bits in hexadecimal behind `0x`, with a minus if it is negative.
    #[inline(always)]
    pub(crate) fn signed(&mut self, v: i64) {
        let mut bytes = [0; 16];
        let negative = usize::from(v < 0);
        bytes[..4].copy_from_slice(if v < 0 { b"-0x\0" } else { b"0x\0\0" });
        self.put(bytes);
        self.at += 2 + negative;
        let v = v.unsigned_abs();
        let digits = hex_digits(v);
        self.put(hex_text(v, digits));
        self.at += digits as usize;
    }
}

/// How many hexadecimal digits a number has.
#[inline(always)]
const fn hex_digits(v: u64) -> u32 {
    (67 - (v | 1).leading_zeros()) / 4
}

/// The digits of a number that has so many, 1 to 16.
#[inline(always)]
fn hex_text(v: u64, digits: u32) -> [u8; 16] {
    // The first digit uppermost; a byte for each digit of a half.
    let v = v << (64 - 4 * digits);
    let half = |v: u64| {
        let v = (v | v << 16) & 0x0000_ffff_0000_ffff;
        let v = (v | v << 8) & 0x00ff_00ff_00ff_00ff;
        let v = (v | v << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        // Letters lie 39 above where they would follow the 9.
        let letters = (v + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101;
        (v + 0x3030_3030_3030_3030 + letters * 39).to_be_bytes()
    };
    let mut text = [0; 16];
    text[..8].copy_from_slice(&half(v >> 32));
    if digits > 8 {
        text[8..].copy_from_slice(&half(v & 0xffff_ffff));
    }
    text
}

/// Small numbers in decimal.
static NUMBERS: [Name; 256] = {
    let mut names = [Name::new(""); 256];
    let mut v = 0;
    while v < 256 {
        let digits = [b'0' + (v / 100) as u8, b'0' + (v / 10 % 10) as u8, b'0' + (v % 10) as u8];
        let skip = (v < 100) as usize + (v < 10) as usize;
        names[v] = Name::ascii(digits.split_at(skip).1);
        v += 1;
    }
    names
};

/// Copies the first and the last `N` bytes of a text of `N` to `2 * N` bytes.
#[inline]
fn ends<const N: usize>(from: &[u8], to: &mut [u8]) {
    let start = from.len() - N.min(from.len());
    if let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) {
        to[..N].copy_from_slice(first);
        to[start..start + N].copy_from_slice(last);
    }
}

/// Writes text to a byte vector.
#[derive(Debug)]
pub struct Line<'v> {
    out: &'v mut Vec<u8>,
    buf: [u8; ROOM + WIDE],
    len: usize,
}

impl<'v> Line<'v> {
    /// Bytes that it gathers at most.
    pub(crate) const ROOM: usize = ROOM;

    /// Appends to `out`.
    #[inline]
    pub fn new(out: &'v mut Vec<u8>) -> Self {
        Line { out, buf: [0; ROOM + WIDE], len: 0 }
    }

    /// Hands what was gathered to the output.
    #[inline]
    pub fn flush(&mut self) {
        self.out.extend_from_slice(&self.buf[..self.len]);
        self.len = 0;
    }

    /// A pen at the end, with room for so many bytes (at most [`Line::ROOM`]).
    #[inline(always)]
    pub(crate) fn pen(&mut self, most: usize) -> Pen<'_> {
        if self.len + most > ROOM {
            self.make_room();
        }
        Pen { buf: &mut self.buf, at: self.len }
    }

    /// Takes what a pen has written up to here.
    #[inline(always)]
    pub(crate) fn seek(&mut self, at: usize) {
        self.len = at.min(ROOM);
    }

    /// Bytes written so far.
    pub fn written(&self) -> usize {
        self.out.len() + self.len
    }

    #[inline]
    fn room(&mut self) {
        if self.len > ROOM - WIDE {
            self.make_room();
        }
    }

    #[cold]
    fn make_room(&mut self) {
        self.flush();
    }

    /// One ASCII character.
    #[inline]
    pub fn byte(&mut self, b: u8) {
        self.room();
        if let Some(to) = self.buf.get_mut(self.len) {
            *to = b;
            self.len += 1;
        }
    }

    /// A short text in one wide copy.
    #[inline]
    pub fn name(&mut self, n: &Name) {
        self.room();
        // There is room: what is copied is as wide as the name is at most.
        if let Some(to) = self.buf.get_mut(self.len..).and_then(|b| b.first_chunk_mut()) {
            *to = n.bytes;
            self.len += usize::from(n.len);
        }
    }

    /// A text of at most 15 characters in one wide copy.
    #[inline]
    pub fn short(&mut self, text: &Short) {
        let mut pen = self.pen(WIDE);
        pen.short(text);
        let at = pen.at();
        self.seek(at);
    }

    /// Any text.
    #[inline]
    pub fn text(&mut self, s: &str) {
        let s = s.as_bytes();
        self.room();
        let Some(to) = self.buf.get_mut(self.len..).filter(|_| s.len() <= WIDE) else {
            return self.long(s);
        };
        // Both ends are copied in pieces of one size, which may overlap.
        match s.len() {
            0 => return,
            1 => to[0] = s[0],
            2..=3 => ends::<2>(s, to),
            4..=7 => ends::<4>(s, to),
            8..=15 => ends::<8>(s, to),
            _ => ends::<16>(s, to),
        }
        self.len += s.len();
    }

    #[cold]
    fn long(&mut self, s: &[u8]) {
        for part in s.chunks(WIDE) {
            self.room();
            if let Some(to) = self.buf.get_mut(self.len..self.len + part.len()) {
                to.copy_from_slice(part);
                self.len += part.len();
            }
        }
    }

    /// So many blanks.
    #[inline]
    pub fn blanks(&mut self, mut n: usize) {
        const BLANKS: Name = Name::ascii(&[b' '; WIDE]);
        while n > WIDE {
            self.name(&BLANKS);
            n -= WIDE;
        }
        let mut pen = self.pen(WIDE);
        pen.name(&Name { len: n as u8, ..BLANKS });
        let at = pen.at();
        self.seek(at);
    }

    /// A number in decimal.
    #[inline]
    pub fn dec(&mut self, v: u64) {
        match NUMBERS.get(v as usize) {
            Some(number) if v < NUMBERS.len() as u64 => self.name(number),
            _ => self.large(v),
        }
    }

    #[cold]
    fn large(&mut self, v: u64) {
        let (mut digits, mut at, mut v) = ([0u8; 20], 20, v);
        while v > 0 {
            at -= 1;
            digits[at] = b'0' + (v % 10) as u8;
            v /= 10;
        }
        for &d in &digits[at..] {
            self.byte(d);
        }
    }

    /// A number in lower-case hexadecimal with at least `width` digits, without a prefix.
    #[inline]
    pub fn hex(&mut self, v: u64, width: u32) {
        let digits = hex_digits(v).max(width).min(16);
        let text = hex_text(v, digits);
        self.room();
        if let Some(to) = self.buf.get_mut(self.len..).and_then(|b| b.first_chunk_mut()) {
            *to = text;
            self.len += digits as usize;
        }
    }

    /// Ends the line.
    #[inline]
    pub fn end(&mut self) {
        self.byte(b'\n');
    }
}

impl Drop for Line<'_> {
    fn drop(&mut self) {
        self.flush();
    }
}

impl core::fmt::Write for Line<'_> {
    fn write_str(&mut self, s: &str) -> core::fmt::Result {
        self.text(s);
        Ok(())
    }
}
