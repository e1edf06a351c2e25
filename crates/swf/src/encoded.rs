//! Programs as text: base64 and hexadecimal digits.

/// The bytes of text that is base64 or hexadecimal digits and begins with the first byte of a program.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    if text.starts_with("oA") {
        return base64(text);
    }
    text.get(..2).filter(|first| first.eq_ignore_ascii_case("a0"))?;
    let digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(|pair| (pair.len() == 2).then(|| byte(pair)).flatten()).collect()
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for c in text.bytes().filter(|b| !b.is_ascii_whitespace()) {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}
