//! Single words.

use crate::accept::accept;
use crate::{Ctx, Maxwell, decode};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_rows::{Line, Names, Scan, parse, print};

/// Translates instruction words outside of programs, 16 hexadecimal digits each, to nvdisasm's text and back.
#[derive(Debug)]
pub struct Words {
    names: Names<Maxwell>,
    ctx: Ctx<'static>,
    control: u64,
}

impl Words {
    /// The control word of a bundle whose three instructions wait for nothing.
    pub const CONTROL: u64 = 0x001f_8000_fc00_07e0;
    /// The address of the first instruction of a program.
    pub const BASE: u32 = 8;

    /// For words of a chip that are first in a bundle with this control word, at this address. The context's
    /// address is not used.
    pub fn new(ctx: Ctx<'static>, control: u64, base: u32) -> Words {
        Words { names: Names::new(), ctx: Ctx { pc: base, ..ctx }, control: control & 0x1f_ffff }
    }

    /// Appends the text of a word.
    ///
    /// # Errors
    /// `asm-word` if the digits are not a word, and the errors of [`decode`].
    pub fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let word = u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 16).ok_or_else(|| {
            Diagnostic::error("asm-word", "16 hexadecimal digits are expected").at_text(0..digits.len(), "")
        })?;
        self.print(word, &mut Line::new(out))
    }

    /// Writes the text of a word.
    ///
    /// # Errors
    /// The errors of [`decode`].
    #[inline]
    pub fn print(&self, word: u64, line: &mut Line<'_>) -> Result<(), Diagnostic> {
        let insn = decode(u128::from(word) | u128::from(self.control) << 64, self.ctx)?;
        print(&insn, self.ctx, line);
        Ok(())
    }

    /// Appends the digits of a word's text.
    ///
    /// # Errors
    /// The first fault of the text.
    pub fn assemble(&self, text: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let mut scan = Scan::new(text.trim_ascii(), 0);
        let insn = parse(&self.names, &mut scan, self.ctx)?;
        let at = scan.blanks().pos();
        if !scan.is_empty() {
            return Err(
                Diagnostic::error("asm-operand", "the instruction ends here").at_text(at..text.len(), "")
            );
        }
        accept(&insn, self.ctx)?;
        Line::new(out).hex(insn.word as u64, 16);
        Ok(())
    }
}
