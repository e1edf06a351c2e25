//! Single tokens: 48 hexadecimal digits to text and back, for streams of tokens.

use super::{directive, disassemble, statement};
use crate::{Agal, Ctx, Options, Token};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_ir::Stage;
use shisa_rows::{Line, Printer, Scan};

/// Translates tokens outside of programs. Rules are not checked.
#[derive(Debug)]
pub struct Words {
    options: Options,
    version: u32,
    stage: Stage,
    printer: Printer<Agal>,
}

impl Words {
    /// For tokens of programs of this version and stage.
    pub fn new(version: u32, stage: Stage) -> Self {
        Words { options: Options::default(), version, stage, printer: Printer::new() }
    }

    fn ctx(&self) -> Ctx<'_> {
        Ctx { version: self.version, stage: self.stage, options: &self.options }
    }

    /// Appends the text of a token, given as 48 hexadecimal digits in the order of its bytes.
    ///
    /// # Errors
    /// `asm-directive` if there are not 48 digits.
    pub fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let token = directive::hex_token(digits).ok_or_else(|| {
            Diagnostic::error("asm-directive", "48 hexadecimal digits are expected")
                .at_text(0..digits.len(), "")
        })?;
        disassemble::print_token(&token, self.ctx(), &mut Line::new(out));
        Ok(())
    }

    /// Writes the text of a token.
    pub fn print(&mut self, token: &Token, line: &mut Line<'_>) {
        let ctx = Ctx { version: self.version, stage: self.stage, options: &self.options };
        disassemble::print_next(token, ctx, &mut self.printer, line);
    }

    /// Appends the 48 digits of the token for a text, as [`Words::disassemble`] or a source has it.
    ///
    /// # Errors
    /// The first fault of the text.
    pub fn assemble(&self, text: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let code = text.split("//").next().unwrap_or_default();
        let start = code.len() - code.trim_ascii_start().len();
        let code = code.trim_ascii();
        let token = if code.starts_with('.') || code.contains('{') {
            directive::token(code, start, self.ctx())?
        } else {
            let mut faults = Vec::new();
            let mut scan = Scan::new(code, start);
            let read = statement::read(&mut scan, self.ctx(), &mut faults);
            match read.token {
                Some(token) => token,
                None => {
                    return Err(faults
                        .into_iter()
                        .find(|d| d.severity == shisa_diag::Severity::Error)
                        .unwrap_or_else(|| Diagnostic::error("asm-no-opcode", "no instruction")));
                }
            }
        };
        super::print::hex(&token, &mut Line::new(out));
        Ok(())
    }
}
