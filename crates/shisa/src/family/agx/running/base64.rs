//! Base64.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().zip([16, 8, 0]).fold(0u32, |w, (&b, shift)| w | u32::from(b) << shift);
        for i in 0..4 {
            let six = (word >> (18 - 6 * i) & 63) as usize;
            out.push(if i <= chunk.len() { char::from(ALPHABET[six]) } else { '=' });
        }
    }
    out
}

/// Decodes a text; `None` if it is not base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim().trim_end_matches('=').as_bytes();
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.chunks(4) {
        let mut word = 0u32;
        for (&c, shift) in chunk.iter().zip([18, 12, 6, 0]) {
            let six = match c {
                b'A'..=b'Z' => c - b'A',
                b'a'..=b'z' => c - b'a' + 26,
                b'0'..=b'9' => c - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            word |= u32::from(six) << shift;
        }
        let [_, bytes @ ..] = word.to_be_bytes();
        // Four characters are three bytes; in a shorter chunk, the last character completes a byte.
        out.extend(bytes.get(..chunk.len().checked_sub(1).filter(|n| *n > 0)?)?);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("\u{fb}~", "w7t+")] {
            assert_eq!(encode(bytes.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
        assert_eq!([decode("Z"), decode("Zm9v!"), decode("Zm-v")], [None, None, None]);
    }
}
