//! Single instructions.

use crate::{Agx, Ctx, Syntax, fetch, length};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_rows::{Line, Names, Scan, faithful, parse, print, source, spell};

/// Translates instructions outside of programs, their bytes as hexadecimal digits, to text and back.
#[derive(Debug)]
pub struct Words {
    names: Names<Agx>,
    ctx: Ctx<'static>,
}

impl Words {
    /// For text in a context.
    pub fn new(ctx: Ctx<'static>) -> Words {
        Words { names: Names::new(), ctx }
    }

    /// Appends the text of one instruction. In the default syntax, a word with bits that its text does not determine
    /// is written as `.bytes`, with the text as a comment.
    ///
    /// # Errors
    /// `asm-word` if the digits are not one instruction's bytes.
    pub fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let bytes = source::hex_bytes(digits).ok_or_else(|| {
            let d = Diagnostic::error("asm-word", "pairs of hexadecimal digits are expected");
            d.at_text(0..digits.len(), "")
        })?;
        let insn = fetch(&bytes).filter(|insn| length(insn) == bytes.len()).ok_or_else(|| {
            let d = Diagnostic::error("asm-word", "these bytes are not one instruction");
            d.at_text(0..digits.len(), "")
        })?;
        let mut line = Line::new(out);
        match self.ctx.syntax {
            Syntax::Applegpu => spell(&insn, self.ctx, &mut line),
            Syntax::Mesa => print(&insn, self.ctx, &mut line),
            Syntax::Full => {
                if !faithful(&insn, self.ctx) {
                    line.text(".bytes ");
                    bytes.iter().for_each(|b| line.hex(u64::from(*b), 2));
                    line.text(" // ");
                }
                print(&insn, self.ctx, &mut line);
            }
        }
        Ok(())
    }

    /// Appends the bytes of a text as digits: of an instruction, or of a `.bytes` directive.
    ///
    /// # Errors
    /// The first fault of the text.
    pub fn assemble(&self, text: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let text = text.trim_ascii();
        let text = text.split_once("//").map_or(text, |(text, _)| text.trim_ascii_end());
        let mut line = Line::new(out);
        if let Some(("bytes", digits)) = source::directive(text) {
            let wrong = || {
                let d = Diagnostic::error("asm-directive", ".bytes wants pairs of hexadecimal digits");
                d.at_text(0..text.len(), "")
            };
            let bytes = source::hex_bytes(digits.trim_ascii()).ok_or_else(wrong)?;
            bytes.iter().for_each(|b| line.hex(u64::from(*b), 2));
            return Ok(());
        }
        let mut scan = Scan::new(text, 0);
        let insn = parse(&self.names, &mut scan, self.ctx)?;
        let at = scan.blanks().pos();
        if !scan.is_empty() {
            let d = Diagnostic::error("asm-operand", "the instruction ends here");
            return Err(d.at_text(at..text.len(), ""));
        }
        insn.word.to_le_bytes()[..length(&insn)].iter().for_each(|b| line.hex(u64::from(*b), 2));
        Ok(())
    }
}
