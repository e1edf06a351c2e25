//! The last pass over printed text: tidies names, maps lines to instructions, writes comments.
//!
//! naga prints the statements of a function in order, and each named expression on a line of its own. So the names
//! given while building ([`Mark`]s), taken in order, determine which line came from which instruction. Lines that
//! only load operands of a marked line count as part of it.

use crate::build::{EMIT_VERTEX, END_STRIP, Mark};
use crate::syntax::{Name, decimal, is_register, part_of_name};
use crate::{Mapping, Source};
use std::borrow::Cow;

/// How to rewrite a text.
pub(super) struct Pass<'a> {
    /// Name of the program's function.
    pub(super) function: &'a str,
    pub(super) marks: &'a [Mark<'a>],
    /// Instructions to write as comments; empty for none.
    pub(super) comments: &'a [Source<'a>],
    /// Names to put before those of call results, by expression number, ascending.
    pub(super) results: &'a [(usize, Name<'a>)],
    /// Identifiers to replace, each with its replacement.
    pub(super) renames: &'a [(String, String)],
    /// Sampler declarations: the variable as printed, with register and space.
    pub(super) samplers: &'a [(String, u32, u32)],
}

/// How many marks past the expected one a line may match, if a statement was not printed.
const AHEAD: usize = 4;

impl Pass<'_> {
    /// The rewritten text and its source map.
    pub(super) fn run(&self, text: &str) -> (String, Vec<Mapping>) {
        let plain: Cow<'_, str> =
            if self.samplers.is_empty() { text.into() } else { self.plain_samplers(text).into() };
        let text = self.rename(&plain);
        let mut map = self.map(&text);
        if self.comments.is_empty() { (text, map) } else { (self.comment(&text, &mut map), map) }
    }

    /// Replaces naga's sampler heap in HLSL by plain samplers.
    fn plain_samplers(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        Lines(text).for_each(|line| self.plain_sampler(line, &mut out));
        out
    }

    /// Appends a line, or the declaration of a plain sampler in place of one from the heap.
    fn plain_sampler(&self, line: &str, out: &mut String) {
        let heap = ["SamplerState nagaSamplerHeap", "SamplerComparisonState nagaComparison"];
        let indices = line.starts_with("StructuredBuffer") && line.contains("SamplerIndexArray :");
        if indices || heap.iter().any(|h| line.starts_with(h)) {
            return;
        }
        let kinds = ["SamplerState", "SamplerComparisonState"];
        let declared = line.strip_prefix("static const ").and_then(|rest| rest.split_once(' '));
        let Some((kind, rest)) = declared.filter(|(kind, _)| kinds.contains(kind)) else {
            return out.push_str(line);
        };
        let name = rest.split(' ').next().unwrap_or(rest);
        if let Some((_, register, space)) = self.samplers.iter().find(|s| name.trim_end_matches('_') == s.0) {
            out.extend([kind, " ", name, " : register(s"]);
            decimal(out, *register);
            out.push_str(", space");
            decimal(out, *space);
            out.push_str(");\n");
        }
    }

    /// The prefix for the name of a result.
    fn result(&self, name: &str) -> Option<Name<'_>> {
        let number = name.strip_prefix("_e")?.parse().ok()?;
        let at = self.results.binary_search_by_key(&number, |r: &(usize, _)| r.0).ok()?;
        self.results.get(at).map(|r| r.1)
    }

    /// The text with the replacements of [`Pass::renames`] and [`Pass::results`], and with the original names of
    /// registers: naga appends `_` to names that end in a digit. All these names contain `_`.
    fn rename(&self, text: &str) -> String {
        let bytes = text.as_bytes();
        let mut out = String::with_capacity(text.len());
        // Text before `copied` is in `out`; text before `from` is searched.
        let (mut copied, mut from) = (0, 0);
        while let Some(n) = find(b'_', &bytes[from..]) {
            let at = from + n;
            let after = bytes[at..].iter().take_while(|&&b| part_of_name(b)).count();
            let (searched, end) = (&bytes[from..at], at + after);
            if after == 1 && is_register(searched) {
                out.push_str(&text[copied..at]);
                (copied, from) = (end, end);
                continue;
            }
            // If nothing is renamed, only the names of results change.
            if self.renames.is_empty() && !bytes[at..].starts_with(b"_e") {
                from = end;
                continue;
            }
            let before = searched.iter().rev().take_while(|&&b| part_of_name(b)).count();
            let start = at - before;
            from = end;
            let name = &text[start..end];
            if let Some((_, to)) = self.renames.iter().find(|r| r.0 == name) {
                out.push_str(&text[copied..start]);
                out.push_str(to);
                copied = end;
            } else if let Some(result) = self.result(name) {
                out.push_str(&text[copied..start]);
                result.write(&mut out);
                copied = start;
            }
        }
        out.push_str(&text[copied..]);
        out
    }

    /// Maps lines to instructions.
    fn map(&self, text: &str) -> Vec<Mapping> {
        let mut map: Vec<Mapping> = Vec::with_capacity(self.marks.len());
        let mut lines = Lines(text).zip(1u32..);
        if !lines.by_ref().any(|(line, _)| self.begins(line)) {
            return map;
        }
        let mut marks = self.marks;
        // The first of the lines that belong to the next match.
        let mut pending = None;
        for (line, number) in lines.take_while(|(line, _)| !line.starts_with('}')) {
            let body = line.trim_ascii_start();
            let declared = declared(body);
            let Some(at) = marks.iter().take(AHEAD).position(|m| matches(m, body, declared)) else {
                pending = declared.and(pending.or(Some(number)));
                continue;
            };
            let start = pending.take().unwrap_or(number);
            let instruction = marks[at].origin;
            marks = &marks[at + 1..];
            match map.last_mut() {
                Some(m) if m.instruction == instruction && m.end == start => m.end = number + 1,
                _ => map.push(Mapping { start, end: number + 1, instruction }),
            }
        }
        map
    }

    /// Whether the program's function begins on this line.
    fn begins(&self, line: &str) -> bool {
        // Most lines end otherwise, and need no search.
        matches!(line.trim_ascii_end().as_bytes(), [.., b'{' | b'(' | b')'])
            && find(b'(', line.as_bytes())
                .and_then(|at| line[..at].rsplit_once(' '))
                .is_some_and(|(_, name)| name.strip_suffix('_').unwrap_or(name) == self.function)
    }

    /// The text with each instruction above its lines, and the map shifted accordingly.
    fn comment(&self, text: &str, map: &mut [Mapping]) -> String {
        let mut out = String::with_capacity(text.len() + text.len() / 4);
        let mut ahead = map.iter_mut().peekable();
        let (mut added, mut last) = (0, None);
        for (line, number) in Lines(text).zip(1u32..) {
            if let Some(m) = ahead.next_if(|m| m.start == number) {
                if last.replace(m.instruction) != Some(m.instruction)
                    && let Some(source) =
                        self.comments.get(m.instruction as usize).filter(|s| !s.text.is_empty())
                {
                    out.push_str(&line[..line.len() - line.trim_ascii_start().len()]);
                    out.push_str("// ");
                    // A backslash at the end of a line would continue the comment in the C family.
                    out.push_str(&shisa_diag::escape(source.text).replace('\\', "/"));
                    out.push('\n');
                    added += 1;
                }
                (m.start, m.end) = (m.start + added, m.end + added);
            }
            out.push_str(line);
        }
        out
    }
}

/// The first offset of an ASCII character, eight bytes at a time. The standard searches set up a state first, which
/// takes longer than the searches here.
fn find(wanted: u8, text: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let (words, rest) = text.as_chunks();
    for (i, word) in words.iter().enumerate() {
        // A byte that is equal is zero here; subtracting one sets its top bit.
        let differ = u64::from_le_bytes(*word) ^ (ONES * u64::from(wanted));
        let equal = differ.wrapping_sub(ONES) & !differ & (ONES << 7);
        if equal != 0 {
            return Some(8 * i + equal.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|&b| b == wanted).map(|at| 8 * words.len() + at)
}

/// The lines of a text with their line ends.
struct Lines<'t>(&'t str);

impl<'t> Iterator for Lines<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let end = find(b'\n', self.0.as_bytes()).map_or(self.0.len(), |at| at + 1);
        let (line, rest) = self.0.split_at(end);
        self.0 = rest;
        (!line.is_empty()).then_some(line)
    }
}

/// Whether a line is the statement that a mark describes.
fn matches(mark: &Mark, body: &str, declared: Option<&str>) -> bool {
    let Some(declared) = declared else {
        let rest =
            KEYWORDS.iter().find_map(|k| body.strip_prefix(k).filter(|_| mark.name.strip(k).is_some()));
        return rest.is_some_and(|r| !r.bytes().next().is_some_and(part_of_name));
    };
    let number = |n: &str| n.bytes().all(|b| b.is_ascii_digit());
    match (mark.name.strip(declared), mark.call) {
        (None, _) => false,
        (Some(rest), Some(call)) => rest.strip_prefix("_e").is_some_and(|n| n.parse() == Ok(call)),
        (Some(rest), None) => rest.strip_prefix('_').map_or(rest.is_empty(), number),
    }
}
/// The beginnings of statements that declare nothing and store nothing.
const KEYWORDS: [&str; 4] = ["if", "return", EMIT_VERTEX, END_STRIP];

/// A name as naga prints it: borrowed if it is unchanged.
pub(super) fn printed(name: &str) -> Cow<'_, str> {
    if name.ends_with(|c: char| c.is_ascii_digit()) { format!("{name}_").into() } else { name.into() }
}

/// The name that a line declares or stores to.
fn declared(body: &str) -> Option<&str> {
    let equals = find(b'=', body.as_bytes())?;
    let left = body[..equals].strip_suffix(' ').filter(|_| body[equals..].starts_with("= "))?;
    let start = left.bytes().rposition(|b| b == b' ').map_or(0, |at| at + 1);
    let end = left[start..].bytes().position(|b| b == b'.').map_or(left.len(), |at| start + at);
    Some(&left[start..end])
}
