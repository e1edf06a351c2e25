//! The encoding of text.

/// The UTF-8 form of the byte-order mark, U+FEFF.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Text in UTF-8 without the byte-order mark that some editors write before it.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// The name of the encoding, if bytes seem to be text in another encoding of Unicode than UTF-8: by their byte-order
/// mark, or because every other byte of the first ones is zero and the rest are ASCII.
pub fn other_unicode(bytes: &[u8]) -> Option<&'static str> {
    const FIRST_PAIRS: usize = 32;
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => return Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Some("UTF-16"),
        _ => {}
    }
    let (pairs, _) = bytes.as_chunks::<2>();
    let pairs = pairs.get(..FIRST_PAIRS).unwrap_or(pairs);
    let ascii = |c: u8| c.is_ascii_graphic() || c.is_ascii_whitespace();
    let little = pairs.iter().all(|&[low, high]| ascii(low) && high == 0);
    let big = pairs.iter().all(|&[high, low]| ascii(low) && high == 0);
    (pairs.len() > 1 && (little || big)).then_some("UTF-16")
}
