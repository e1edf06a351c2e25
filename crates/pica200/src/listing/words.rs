//! Single words.

use super::shape::Shapes;
use crate::container::Shbin;
use crate::{Options, Pica200, word};
use alloc::{string::String, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_rows::{Line, Names, Scan};

/// The text of each word of a file, with numbers in place of names.
pub fn texts(file: &Shbin) -> Vec<String> {
    let descriptors: Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
    let shapes = Shapes::default();
    let text = |code: &u32| {
        let mut out = Vec::new();
        shapes.print(*code, of_pool(*code, &descriptors), &mut Line::new(&mut out));
        String::from_utf8(out).unwrap_or_default()
    };
    file.code.iter().map(text).collect()
}

/// The descriptor of a word; 0 if it has none.
fn of_pool(code: u32, pool: &[u32]) -> u32 {
    word::descriptor(code).and_then(|n| pool.get(n)).copied().unwrap_or(0)
}

/// A descriptor that writes all components and changes no source: used to read a word without one.
const PLAIN: u32 = 0x0d86_c36f;

/// Translates words outside of programs: `WORD` or `WORD:DESCRIPTOR`, both in hexadecimal, to text and
/// back.
#[derive(Debug, Default)]
pub struct Words {
    names: Names<Pica200>,
    shapes: Shapes,
}

impl Words {
    /// Appends the text of a word.
    ///
    /// # Errors
    /// `asm-word` if the digits are not a word.
    pub fn disassemble(&self, digits: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let fault = || {
            Diagnostic::error(
                "asm-word",
                "WORD or WORD:DESCRIPTOR is expected, eight hexadecimal digits each",
            )
            .at_text(0..digits.len(), "")
        };
        let (code, descriptor) = digits.split_once(':').map_or((digits, None), |(c, d)| (c, Some(d)));
        let (code, given) = (hex(code).ok_or_else(fault)?, descriptor.is_some());
        let descriptor = descriptor.map_or(Some(PLAIN), hex).ok_or_else(fault)?;
        let line = &mut Line::new(out);
        let known = self.shapes.print(code, descriptor, line);
        // Bits of the descriptor that the text does not determine follow it. It is unknown whether a word without a
        // row names a descriptor.
        let has = word::descriptor(code).is_some() || word::decode(code, &[]).is_none();
        if given && has && descriptor & !known != 0 {
            line.byte(b':');
            line.hex(descriptor.into(), 8);
        }
        Ok(())
    }

    /// Writes the text of a word and its descriptor.
    #[inline]
    pub fn print(&self, code: u32, descriptor: u32, line: &mut Line<'_>) {
        self.shapes.print(code, descriptor, line);
    }

    /// Appends the digits of a word's text, and those of the descriptor if it has one.
    ///
    /// # Errors
    /// The first fault of the text.
    pub fn assemble(&self, text: &str, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let code = text.split(';').next().unwrap_or_default().trim_ascii_end();
        let mut scan = Scan::new(code, 0);
        // A number determines none of the descriptor, a text everything that the row reads.
        let (mut fused, known) = if scan.blanks().eat_str(".word") {
            (u64::from(number(&mut scan, "0x")?), 0)
        } else {
            let insn = shisa_rows::parse(&self.names, &mut scan, &Options::DEFAULT)?;
            (insn.word, insn.form().known())
        };
        let at = scan.pos();
        let given = scan.eat(b':');
        if given {
            let descriptor = number(&mut scan, "")?;
            let whole = fused & 0xffff_ffff | u64::from(descriptor) << 32;
            if (whole ^ fused) & known != 0 {
                let d = Diagnostic::error("asm-word", "this descriptor says something else");
                return Err(d.at_text(scan.since(at), ""));
            }
            fused = whole;
        }
        let at = scan.blanks().pos();
        if at < code.len() {
            let d = Diagnostic::error("asm-operand-count", "nothing more is expected here");
            return Err(d.at_text(at..code.len(), ""));
        }
        let line = &mut Line::new(out);
        let (code, descriptor) = word::split(fused);
        line.hex(code.into(), 8);
        if given || word::descriptor(code).is_some() {
            line.byte(b':');
            line.hex(descriptor.into(), 8);
        }
        Ok(())
    }
}

/// A number of 32 bits in hexadecimal.
fn number(scan: &mut Scan<'_>, prefix: &str) -> Result<u32, Diagnostic> {
    let at = scan.blanks().pos();
    let word = scan.take(|b| b.is_ascii_alphanumeric());
    word.strip_prefix(prefix).and_then(hex).ok_or_else(|| {
        Diagnostic::error("asm-word", "a number of 32 bits in hexadecimal is expected")
            .at_text(scan.since(at), "")
    })
}

/// One to eight hexadecimal digits.
fn hex(digits: &str) -> Option<u32> {
    let plain = (1..=8).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit());
    plain.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}
