//! Whether bytes are code.

use crate::{fetch, length};
use shisa_diag::Confidence;

/// `stop`, and the eight `trap` that compilers put behind it.
const END: [u8; 18] = [0x88, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0, 8, 0];

/// How sure it is that bytes are code: nothing else tells it but how programs end. `None` without such an end.
pub fn sniff(bytes: &[u8]) -> Option<Confidence> {
    let end = bytes.windows(END.len()).step_by(2).position(|w| w == END)? * 2;
    let mut at = 0;
    while at < end {
        match bytes.get(at..).and_then(fetch) {
            Some(insn) => at += length(&insn),
            // Constants may lie before the code.
            None => return Some(Confidence::Possible),
        }
    }
    Some(if at == end { Confidence::Likely } else { Confidence::Possible })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn programs_end_alike() {
        let program = |start: &[u8]| [start, &END].concat();
        assert_eq!(sniff(&program(&[])), Some(Confidence::Likely));
        assert_eq!(sniff(&program(&[0x7e, 0x01, 0x40, 0xf2, 0x81, 0x00])), Some(Confidence::Likely));
        assert_eq!(sniff(&program(&[0xff, 0xff])), Some(Confidence::Possible));
        assert_eq!(sniff(&program(&[0xff])), None);
        assert_eq!(sniff(&END[..17]), None);
        assert_eq!(sniff(&Vec::new()), None);
    }
}
