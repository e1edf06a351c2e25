//! Identifies code by how programs end.

use crate::code::{END, instructions};
use shisa_diag::Confidence;

/// The confidence that bytes are code. `None` without the `stop` and traps with which programs end.
pub fn sniff(bytes: &[u8]) -> Option<Confidence> {
    let end = bytes.windows(END.len()).step_by(2).position(|w| w == END)? * 2;
    // Constants may be before the code, so the instructions need not reach its end.
    let mut offsets = instructions(bytes).map(|(at, _)| at).skip_while(|at| *at < end);
    Some(if offsets.next() == Some(end) { Confidence::Likely } else { Confidence::Possible })
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
