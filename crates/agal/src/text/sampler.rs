//! Sampler options: `<2d,linear,miplinear,repeat,-1.5>`.

use super::error::error;
use super::names::{self, SamplerOption};
use crate::SamplerBits;
use alloc::format;
use core::ops::Range;
use shisa_diag::Diagnostic;
use shisa_rows::Scan;

/// Reads the options and returns their bits. All faults except the first are stored in the cursor.
pub(super) fn parse_options(text: &mut Scan<'_>) -> Result<u64, Diagnostic> {
    let open = text.pos();
    let Some(len) = text.rest().find('>') else {
        text.finish();
        return Err(error("asm-bracket", "\"<\" without \">\"", text.since(open)));
    };
    let end = open + len;
    text.eat(b'<');
    let mut options = Options::default();
    loop {
        text.take(|b| matches!(b, b' ' | b'\t' | b','));
        let start = text.pos();
        if start >= end {
            break;
        }
        let word = text.take(|b| !matches!(b, b' ' | b'\t' | b',' | b'>'));
        if let Err(d) = options.add(word, start..text.pos(), text) {
            text.report(d);
        }
    }
    text.eat(b'>');
    Ok(options.bits)
}

/// The options so far.
#[derive(Default)]
struct Options<'a> {
    bits: u64,
    /// For each group of four bits, from the format up, its text and offset.
    said: [Option<(&'a str, usize)>; 6],
    bias: Option<(&'a str, usize)>,
}

impl<'a> Options<'a> {
    fn add(&mut self, word: &'a str, at: Range<usize>, text: &mut Scan<'_>) -> Result<(), Diagnostic> {
        if let Some(option) = names::sampler_option(word) {
            return self.set(word, option, at);
        }
        match word.bytes().next() {
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => self.set_bias(word, at, text),
            _ => Err(unknown(word, at)),
        }
    }

    fn set(&mut self, word: &'a str, option: SamplerOption, at: Range<usize>) -> Result<(), Diagnostic> {
        let value = u64::from(option.value) << option.shift;
        if option.shift == SamplerBits::SPECIAL_SHIFT {
            self.bits |= value;
            return Ok(());
        }
        let group = (option.shift - SamplerBits::FORMAT_SHIFT) as usize / 4;
        let Some(said) = self.said.get_mut(group) else { return Ok(()) };
        if let Some((first, start)) = *said
            && self.bits >> option.shift & 15 != u64::from(option.value)
        {
            return Err(exclude(first, word, start..at.end));
        }
        *said = Some((word, at.start));
        self.bits |= value;
        Ok(())
    }

    fn set_bias(&mut self, word: &'a str, at: Range<usize>, text: &mut Scan<'_>) -> Result<(), Diagnostic> {
        let plain = word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.'));
        let Some(bias) = word.parse::<f64>().ok().filter(|_| plain) else { return Err(unknown(word, at)) };
        let eighths = bias * 8.0;
        if !(-128.0..128.0).contains(&eighths) {
            return Err(error("asm-bias", format!("bias {word} outside -16 to 15.875"), at));
        }
        // Truncated, as in Adobe's tool.
        let whole = eighths as i8;
        if f64::from(whole) != eighths {
            let taken = f64::from(whole) / 8.0;
            let d = Diagnostic::warning("asm-bias-rounded", format!("bias {word} is rounded to {taken}"));
            text.report(d.at_text(at.clone(), "").note("a bias is a number of eighths"));
        }
        if let Some((first, start)) = self.bias
            && first != word
        {
            return Err(exclude(first, word, start..at.end));
        }
        self.bias = Some((word, at.start));
        self.bits |= u64::from(whole as u8) << 16;
        Ok(())
    }
}

fn exclude(first: &str, second: &str, range: Range<usize>) -> Diagnostic {
    error("asm-sampler-option", format!("{first} and {second} exclude each other"), range)
}

fn unknown(word: &str, at: Range<usize>) -> Diagnostic {
    let d = error("asm-sampler-option", format!("unknown sampler option \"{word}\""), at);
    match shisa_rows::nearest(word, names::OPTIONS.iter().map(|o| o.0)) {
        Some(name) => d.did_you_mean(name),
        None => d,
    }
}
