//! The loop that the linker writes around code that runs once for each sample.

use crate::code::{END, up_to_trap};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;

/// `ldimm r0l, 0`, then `ldimm r1l, 1`.
const BEGIN: [u8; 8] = [0x62, 0, 0, 0, 0x62, 4, 1, 0];
/// `iadd r1l, 0, r1l, lsl 1`.
const NEXT_SAMPLE: [u8; 8] = [0x0e, 0x04, 0x00, 0x20, 0x84, 0, 0, 0];
/// For each number of samples `while r1l, LAST, 1, ult`: continues while the mask is at most that of the last sample.
const WHILE: [(u16, [u8; 6]); 2] = [(2, [0x52, 0x2c, 0x42, 0x30, 0, 0]), (4, [0x52, 0x2c, 0x42, 0xf0, 0, 0])];
/// The first bytes of `jmp_any`; the distance follows.
const JUMP: [u8; 2] = [0, 0xc0];
/// `pop_exec 1`.
const LOOP_END: [u8; 6] = [0x52, 0x0e, 0, 0, 0, 0];
/// `stop`.
const STOP: [u8; 2] = [END[0], END[1]];

/// The loop around code that runs once for each sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleLoop {
    /// The offset of the code that runs once for each sample. Before it `r1l` is set to the bit of the first sample.
    pub body: usize,
    /// The offset of the jump back to it.
    pub jump: usize,
    /// The number of samples: 2 or 4.
    pub samples: u16,
}

impl SampleLoop {
    /// The loop of a program that is made of parts, if it has one.
    pub fn of(code: &[u8]) -> Option<SampleLoop> {
        let before = up_to_trap(code).strip_suffix(&STOP)?.strip_suffix(&LOOP_END)?;
        let (before, distance) = before.split_last_chunk()?;
        let before = before.strip_suffix(&JUMP)?;
        let back = isize::try_from(i32::from_le_bytes(*distance)).ok()?;
        let body = before.len().checked_add_signed(back)?;
        let (samples, condition) = WHILE.iter().find(|(_, condition)| before.ends_with(condition))?;
        let found =
            code.get(..body)?.ends_with(&BEGIN) && before.strip_suffix(condition)?.ends_with(&NEXT_SAMPLE);
        found.then_some(SampleLoop { body, jump: before.len(), samples: *samples })
    }

    /// The offset of the instruction that sets `r1l` to the bit of the first sample.
    pub(crate) const fn start(&self) -> usize {
        self.body - BEGIN.len() / 2
    }

    /// Appends the code before the body.
    pub(crate) fn begin(code: &mut Vec<u8>) {
        code.extend_from_slice(&BEGIN);
    }

    /// Appends the code after the body, which begins at `body` and runs for each of `samples` samples. With one
    /// sample there is no loop.
    ///
    /// # Errors
    /// `internal-agx-samples` for a number of samples that the hardware does not have.
    pub(crate) fn end(code: &mut Vec<u8>, body: usize, samples: u32) -> Result<(), Diagnostic> {
        if samples == 1 {
            return Ok(());
        }
        let Some((_, condition)) = WHILE.iter().find(|(n, _)| u32::from(*n) == samples) else {
            let text = alloc::format!("no loop has {samples} samples");
            return Err(Diagnostic::error("internal-agx-samples", text));
        };
        code.extend_from_slice(&NEXT_SAMPLE);
        code.extend_from_slice(condition);
        let back = (body as i64 - code.len() as i64) as i32;
        code.extend_from_slice(&JUMP);
        code.extend_from_slice(&back.to_le_bytes());
        code.extend_from_slice(&LOOP_END);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::assemble;

    /// The loop of the given number of samples around one instruction.
    fn written(samples: u32) -> Vec<u8> {
        let mut code = Vec::new();
        SampleLoop::begin(&mut code);
        let body = code.len();
        code.extend(assemble(&["mov r2, 1"]).code);
        SampleLoop::end(&mut code, body, samples).unwrap();
        code.extend(END);
        code
    }

    #[test]
    fn the_loop_is_what_its_text_says() {
        let of = |last: Option<&str>| {
            let mut lines = alloc::vec!["ldimm r0l, 0", "ldimm r1l, 1", "body:", "mov r2, 1"];
            if let Some(condition) = last {
                lines.extend(["iadd r1l, 0, r1l, lsl 1", condition, "jmp_any {body}", "pop_exec 1"]);
            }
            lines.push("stop");
            lines.extend(["trap"; 8]);
            assemble(&lines).code
        };
        assert_eq!(written(1), of(None));
        assert_eq!(written(2), of(Some("while r1l, 3, 1, ult")));
        assert_eq!(written(4), of(Some("while r1l, 15, 1, ult")));
        assert_eq!(SampleLoop::end(&mut Vec::new(), 0, 3).unwrap_err().code, "internal-agx-samples");
    }

    #[test]
    fn loops_are_found_again() {
        for (samples, jump) in [(2, 28), (4, 28)] {
            let code = written(samples);
            let found = SampleLoop::of(&code).unwrap();
            assert_eq!((found.body, found.start(), found.jump), (8, 4, jump));
            assert_eq!(u32::from(found.samples), samples);
            // Any other byte of the loop makes it another program.
            for at in (0..8).chain(14..40) {
                let mut other = code.clone();
                other[at] ^= 1;
                assert_eq!(SampleLoop::of(&other), None, "byte {at}");
            }
        }
        assert_eq!(SampleLoop::of(&written(1)), None);
        assert_eq!(SampleLoop::of(&[]), None);
    }
}
