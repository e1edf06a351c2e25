//! The contents of memory as text.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Padding is written, and need not be read.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Encodes bytes as base64.
pub fn to_base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Decodes base64, with or without padding; `None` if the text is none.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text.trim()).ok()
}

/// Decodes hexadecimal, two digits a byte; `None` if the text is none.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|p| Some((digit(*p.first()?)? << 4 | digit(*p.get(1)?)?) as u8)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("\u{fb}~", "w7t+")] {
            assert_eq!(to_base64(bytes.as_bytes()), text);
            for text in [text, text.trim_end_matches('='), &format!(" {text}\n")] {
                assert_eq!(from_base64(text).as_deref(), Some(bytes.as_bytes()), "{text:?}");
            }
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_base64(&to_base64(&all)), Some(all));
        assert_eq!(["Z", "Zm9v!", "Zm-v"].map(from_base64), [None, None, None]);
    }

    #[test]
    fn hexadecimal() {
        assert_eq!(from_hex("00fFa5"), Some(vec![0, 255, 0xa5]));
        assert_eq!(["0", "0g", "é"].map(from_hex), [None, None, None]);
    }
}
