//! A listing of a finished assembly: each source line with its words.

use super::{Assembly, Source, WordLine};
use alloc::{format, string::String};
use shisa_diag::{Diagnostic, Limit, Limits, escape};

/// The sources line by line, each after the number and the bits of its words. Further words of a line are on lines of
/// their own.
///
/// # Errors
/// `limit-exceeded` when the text would be too long.
pub fn listing(sources: &[Source<'_>], assembly: &Assembly, limits: &Limits) -> Result<String, Diagnostic> {
    let code = assembly.shbin.as_ref().map_or(&[][..], |s| s.code.as_slice());
    let mut words = (0..).zip(&assembly.words).zip(code).peekable();
    let mut out = String::new();
    for (number, source) in (0u32..).zip(sources) {
        out.push_str(&format!("; {}\n", escape(source.name)));
        for (line, text) in (1..).zip(source.text.lines()) {
            let here = |w: &((u32, &WordLine), &u32)| (w.0.1.source, w.0.1.line) == (number, line);
            let mut text = text.trim_end();
            let mut first = true;
            while let Some(((n, _), bits)) = words.next_if(here) {
                out.push_str(&format!("{n:4}  {bits:08x}  {}\n", escape_tabs(text)));
                (text, first) = ("", false);
            }
            if first {
                out.push_str(&format!("{:16}{}\n", "", escape_tabs(text)));
            }
            limits.check(Limit::TextOut, "bytes of text", out.len())?;
        }
    }
    Ok(out.lines().map(str::trim_end).fold(String::with_capacity(out.len()), |all, l| all + l + "\n"))
}

/// Escaped text in which tabs stay.
fn escape_tabs(text: &str) -> String {
    let parts: alloc::vec::Vec<String> = text.split('\t').map(escape).collect();
    parts.join("\t")
}
