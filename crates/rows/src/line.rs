//! Fast text output: wide copies into a small buffer, one capacity check per line.

use alloc::vec::Vec;

/// Size of the buffer in bytes; a power of two.
const ROOM: usize = 2048;
/// Size of a [`Name`] in bytes, which is the size of one wide copy.
const WIDE: usize = 32;
/// Bytes after the buffer, so that a wide copy at its end stays inside the array.
pub(crate) const MARGIN: usize = 48;

/// A short text that is copied as a whole, including its padding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    bytes: [u8; WIDE],
    len: u8,
}

impl Name {
    /// From at most 32 bytes of text.
    ///
    /// # Panics
    /// At compile time, if the text is longer.
    pub const fn new(text: &str) -> Name {
        Name::ascii(text.as_bytes())
    }

    /// From at most 32 ASCII characters.
    ///
    /// # Panics
    /// At compile time, if the text is longer.
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

    /// The first `len` characters; all of them if there are not so many.
    #[inline]
    pub const fn first(self, len: usize) -> Name {
        Name { len: if len < self.len as usize { len as u8 } else { self.len }, ..self }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len as usize]).unwrap_or("")
    }
}

/// Writes into space of a [`Line`] that was reserved before, so that no further checks are needed.
#[derive(Debug)]
pub(crate) struct Pen<'b> {
    buf: &'b mut [u8; ROOM + MARGIN],
    at: usize,
}

impl Pen<'_> {
    /// Number of bytes written.
    #[inline(always)]
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// The first `len` bytes. The bytes copied after them are overwritten by the next text.
    #[inline(always)]
    pub(crate) fn text(&mut self, bytes: &[u8; MARGIN], len: usize) {
        // There is always room; the mask shows it to the compiler.
        let at = self.at & (ROOM - 1);
        self.buf[at..at + WIDE].copy_from_slice(&bytes[..WIDE]);
        if len > WIDE {
            self.buf[at + WIDE..at + MARGIN].copy_from_slice(&bytes[WIDE..]);
        }
        self.at += len;
    }
}

/// Number of hexadecimal digits of a number.
#[inline(always)]
const fn hex_digits(v: u64) -> u32 {
    (67 - (v | 1).leading_zeros()) / 4
}

/// The text of a number with this many digits, 1 to 16.
#[inline(always)]
fn hex_text(v: u64, digits: u32) -> [u8; 16] {
    // The first digit is at the top; each digit of a 32-bit half gets its own byte.
    let v = v << (64 - 4 * digits);
    let half = |v: u64| {
        let v = (v | v << 16) & 0x0000_ffff_0000_ffff;
        let v = (v | v << 8) & 0x00ff_00ff_00ff_00ff;
        let v = (v | v << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        // The letters are 39 code points after the positions that would follow `9`.
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
    buf: [u8; ROOM + MARGIN],
    len: usize,
}

impl<'v> Line<'v> {
    /// Appends to `out`.
    #[inline]
    pub fn new(out: &'v mut Vec<u8>) -> Self {
        Line { out, buf: [0; ROOM + MARGIN], len: 0 }
    }

    /// Moves the buffered bytes to the output.
    #[inline]
    pub fn flush(&mut self) {
        self.out.extend_from_slice(&self.buf[..self.len]);
        self.len = 0;
    }

    /// Moves the buffered bytes to the output, and returns those after its first `written` bytes.
    #[inline]
    pub fn flushed(&mut self, written: usize) -> &[u8] {
        self.flush();
        &self.out[written.min(self.out.len())..]
    }

    /// A pen at the end, with room for this many bytes (at most [`ROOM`]).
    #[inline(always)]
    pub(crate) fn pen(&mut self, most: usize) -> Pen<'_> {
        if self.len + most > ROOM {
            self.make_room();
        }
        Pen { buf: &mut self.buf, at: self.len }
    }

    /// Accepts what a pen has written up to this position.
    #[inline(always)]
    pub(crate) fn seek(&mut self, at: usize) {
        self.len = at.min(ROOM);
    }

    /// Number of bytes written so far.
    #[inline]
    pub fn written(&self) -> usize {
        self.out.len() + self.len
    }

    /// The bytes written after the first `written` bytes; `None` if some of them are already flushed.
    pub(crate) fn since(&self, written: usize) -> Option<&[u8]> {
        self.buf.get(written.checked_sub(self.out.len())?..self.len)
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

    /// An ASCII text of at most 32 characters.
    #[inline]
    pub fn ascii<const N: usize>(&mut self, text: &[u8; N]) {
        const { assert!(N <= WIDE, "32 characters at most are written at once") };
        self.room();
        if let Some(to) = self.buf.get_mut(self.len..).and_then(|b| b.first_chunk_mut()) {
            *to = *text;
            self.len += N;
        }
    }

    /// A short text in one wide copy.
    #[inline]
    pub fn name(&mut self, n: &Name) {
        self.room();
        // There is room: the copy is as wide as the longest name.
        if let Some(to) = self.buf.get_mut(self.len..).and_then(|b| b.first_chunk_mut()) {
            *to = n.bytes;
            self.len += usize::from(n.len);
        }
    }

    /// Any text.
    #[inline]
    pub fn text(&mut self, s: &str) {
        let s = s.as_bytes();
        self.room();
        let Some(to) = self.buf.get_mut(self.len..).filter(|_| s.len() <= WIDE) else {
            return self.long(s);
        };
        // The two ends are copied in pieces of a fixed size, which may overlap.
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

    /// A number of blanks.
    #[inline]
    pub fn blanks(&mut self, mut n: usize) {
        const BLANKS: Name = Name::ascii(&[b' '; WIDE]);
        while n > WIDE {
            self.name(&BLANKS);
            n -= WIDE;
        }
        self.name(&BLANKS.first(n));
    }

    /// Inserts text before everything that was written after the first `written` bytes.
    pub fn insert(&mut self, written: usize, write: impl FnOnce(&mut Line<'v>)) {
        self.flush();
        let behind = self.out.split_off(written.min(self.out.len()));
        write(self);
        self.flush();
        self.out.extend_from_slice(&behind);
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::String};

    type Write = &'static dyn Fn(&mut Line<'_>);

    fn written(write: impl FnOnce(&mut Line<'_>)) -> String {
        let mut out = Vec::new();
        write(&mut Line::new(&mut out));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let edges = (0..64).flat_map(|bit| [(1u64 << bit).wrapping_sub(1), 1 << bit, (1 << bit) + 1]);
        let numbers = edges.chain([0xfedc_ba98_7654_3210, 0x0123_4567_89ab_cdef, u64::MAX]).chain(250..270);
        for v in numbers.chain((1..20).map(|n| 10u64.pow(n))) {
            assert_eq!(written(|line| line.dec(v)), format!("{v}"));
            for width in 0..=16 {
                assert_eq!(written(|line| line.hex(v, width)), format!("{v:00$x}", width as usize));
            }
        }
    }

    /// Texts of every length, at every distance from the end of the buffer at which they may not fit.
    #[test]
    fn texts_are_written_wherever_the_buffer_ends() {
        let long: String = ('a'..='z').cycle().take(200).collect();
        let writes: [(&str, Write); 7] = [
            ("xyz", &|line| line.ascii(b"xyz")),
            ("name", &|line| line.name(&Name::new("name"))),
            ("b", &|line| line.byte(b'b')),
            ("\n", &|line| line.end()),
            ("123456", &|line| line.dec(123_456)),
            ("00abcdef0123", &|line| line.hex(0xab_cdef_0123, 12)),
            ("1 + 2", &|line| core::fmt::Write::write_fmt(line, format_args!("{} + {}", 1, 2)).unwrap()),
        ];
        for before in ROOM - 2 * WIDE..=ROOM + 2 {
            let start = "-".repeat(before);
            let begun = |line: &mut Line<'_>| {
                (0..before).for_each(|_| line.byte(b'-'));
                assert_eq!(line.written(), before);
            };
            for (text, write) in &writes {
                let all = written(|line| {
                    begun(line);
                    write(line);
                    assert_eq!(line.written(), before + text.len());
                });
                assert_eq!(all, [&start, *text].concat());
            }
            for length in (0..=40).chain([64, 65, 200]) {
                let text = &long[..length];
                let all = written(|line| {
                    begun(line);
                    line.text(text);
                });
                assert_eq!(all, [&start, text].concat(), "{length} bytes after {before}");
                let all = written(|line| {
                    begun(line);
                    line.blanks(length);
                });
                assert_eq!(all, [start.clone(), " ".repeat(length)].concat());
            }
        }
    }

    #[test]
    fn pens_write_up_to_their_width() {
        let mut bytes = [b'.'; MARGIN];
        for (i, b) in bytes.iter_mut().enumerate() {
            *b = b'a' + i as u8 % 26;
        }
        for before in ROOM - 2 * MARGIN..=ROOM {
            for length in 0..=MARGIN {
                let all = written(|line| {
                    (0..before).for_each(|_| line.byte(b'-'));
                    let mut pen = line.pen(MARGIN);
                    pen.text(&bytes, length);
                    let at = pen.at();
                    line.seek(at);
                });
                let expected =
                    [&*"-".repeat(before), core::str::from_utf8(&bytes[..length]).unwrap()].concat();
                assert_eq!(all, expected);
            }
        }
    }

    #[test]
    fn text_is_inserted_and_read_back() {
        let all = written(|line| {
            line.text("a c");
            line.insert(2, |line| line.text("b "));
            assert_eq!(line.since(5), Some(&[][..]), "all before is flushed");
            line.text("d");
            assert_eq!((line.since(5), line.since(4)), (Some(&b"d"[..]), None));
            line.insert(100, |line| line.text("e"));
        });
        assert_eq!(all, "a b cde");
        assert_eq!(Name::new("mov").as_str(), "mov");
    }
}
