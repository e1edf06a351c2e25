//! Values of constants in the source.

use super::assembler::Assembler;
use super::float24::{Fit, cut, nearest};
use super::number;
use super::register::Bank;
use super::source_text::Piece;
use alloc::format;
use shisa_diag::Diagnostic;

/// The kind of a boolean constant in the table.
pub(super) const BOOLEAN: u16 = 0;
/// The kind of an integer vector.
pub(super) const INTEGER: u16 = 1;
/// The kind of a float vector.
pub(super) const FLOAT: u16 = 2;

impl<'s> Assembler<'_, 's> {
    /// The kind of a vector constant, and its words.
    pub(super) fn values(
        &mut self,
        bank: Bank,
        texts: [Piece<'s>; 4],
    ) -> Result<(u16, [u32; 4]), Diagnostic> {
        if bank == Bank::Float {
            return Ok((FLOAT, self.floats(texts)?));
        }
        let mut bytes = [0; 4];
        for (byte, text) in bytes.iter_mut().zip(texts) {
            *byte = self.byte(text)?;
        }
        Ok((INTEGER, [u32::from_le_bytes(bytes), 0, 0, 0]))
    }

    fn byte(&mut self, text: Piece<'s>) -> Result<u8, Diagnostic> {
        let value = number::atoi(text.text);
        let exact = number::integer(text.text, false).filter(|r| r.bytes == text.text.len());
        match exact {
            None => {
                let d = text.error("pica-number", "this is not a decimal integer");
                self.quirk(d.note(format!("picasso takes {value}")))?;
            }
            Some(read) if !(-128..256).contains(&read.value) => {
                let d = text.error("pica-constant-range", "a component has eight bits");
                self.quirk(d.note(format!("picasso takes {}", value & 0xff)))?;
            }
            Some(_) => {}
        }
        Ok(value as u8)
    }

    /// The words of a float constant.
    pub(super) fn floats(&mut self, texts: [Piece<'s>; 4]) -> Result<[u32; 4], Diagnostic> {
        let mut data = [0; 4];
        for (word, text) in data.iter_mut().zip(texts) {
            *word = self.float(text)?;
        }
        Ok(data)
    }

    /// A component of a float constant, as float24.
    fn float(&mut self, text: Piece<'s>) -> Result<u32, Diagnostic> {
        let read = number::float(text.text);
        let value = read.map_or(0.0, |r| r.value);
        if read.is_none_or(|r| r.bytes != text.text.len()) {
            let d = text.error("pica-number", "this is not a number");
            self.quirk(d.note(format!("picasso takes {value}")))?;
        }
        let compatible = self.options.picasso_compatible;
        if !compatible && value.is_nan() {
            return Ok(nearest(value).0);
        }
        let (bits, fit) = if self.options.nearest && !compatible { nearest(value) } else { cut(value) };
        let about = |text: &str| Diagnostic::warning("pica-constant-range", text);
        match fit {
            Fit::Fine => {}
            Fit::Infinite => {
                let d = about("past the largest float24, 1.8446e19: it becomes infinity");
                self.report(d.at_text(text.span(), ""));
            }
            Fit::Zero => {
                let d = about("below the smallest float24, 2.1684e-19: it becomes 0");
                self.report(d.at_text(text.span(), ""));
            }
            Fit::Wrong => {
                let range = "float24 reaches from 2.1684e-19 to 1.8446e19";
                let d = text.error("pica-constant-range", range);
                self.quirk(d.note(format!("picasso writes {bits:#08x}, which is another number")))?;
            }
        }
        Ok(bits)
    }
}
