//! The last pass over printed text: matches lines to instructions, writes comments, and tidies names.
//!
//! naga prints the statements of a function in order, and each named expression on a line of its own. So
//! the names given while building ([`Mark`]s), taken in order, tell which line came from which
//! instruction. Lines that only load what a marked line needs count as part of it.

use crate::{Mapping, Source};
use std::borrow::Cow;

/// A statement to be found again: the name it declares or stores to, `if` or `return`.
#[derive(Clone, Debug)]
pub(super) struct Mark<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) origin: u32,
}

/// How to rewrite a text.
pub(super) struct Pass<'a> {
    /// Name of the program's function.
    pub(super) function: &'a str,
    pub(super) marks: &'a [Mark<'a>],
    /// Instructions to write as comments; empty for none.
    pub(super) comments: &'a [Source<'a>],
    /// Names to put before those of results of calls (`_e7`), by their numbers, rising.
    pub(super) results: &'a [(usize, Cow<'a, str>)],
    /// Identifiers to replace, with what by.
    pub(super) renames: &'a [(String, String)],
    /// Sampler declarations: the variable as printed, with register and space.
    pub(super) samplers: &'a [(String, u32, u32)],
}

/// How many marks ahead of the expected one a line may match, when a statement was not printed.
const AHEAD: usize = 4;

impl Pass<'_> {
    /// The rewritten text and its source map.
    pub(super) fn run(&self, text: &str) -> (String, Vec<Mapping>) {
        let mut out = String::with_capacity(text.len() + text.len() / 4);
        let mut map: Vec<Mapping> = Vec::with_capacity(self.marks.len());
        let (mut line_number, mut next, mut inside, mut done) = (1u32, 0, false, false);
        // Where the lines begin that the next match takes along: byte, line.
        let mut pending = None;
        let mut last = None;
        for line in text.split_inclusive('\n') {
            if !inside {
                inside = !done && self.begins(line);
                if let Some(line) = self.declaration(line) {
                    self.tidy(&line, &mut out);
                    line_number += u32::from(!line.is_empty());
                }
                continue;
            }
            if line.starts_with('}') {
                (inside, done) = (false, true);
            }
            let body = line.trim_start();
            let declared = declared(body);
            let ahead = self.marks.get(next..).unwrap_or_default().iter().take(AHEAD);
            let found = ahead.zip(next..).find(|(m, _)| m.matches(body, declared));
            if found.is_none() && declared.is_none() {
                pending = None;
            } else if pending.is_none() {
                pending = Some((out.len(), line_number));
            }
            if let Some((mark, at)) = found {
                next = at + 1;
                let (byte, mut start) = pending.take().unwrap_or((out.len(), line_number));
                if last != Some(mark.origin)
                    && let Some(comment) = self.comment(mark.origin, line)
                {
                    out.insert_str(byte, &comment);
                    line_number += 1;
                    start += 1;
                }
                last = Some(mark.origin);
                match map.last_mut() {
                    Some(m) if m.instruction == mark.origin && m.end == start => m.end = line_number + 1,
                    _ => map.push(Mapping { start, end: line_number + 1, instruction: mark.origin }),
                }
            }
            self.tidy(line, &mut out);
            line_number += 1;
        }
        (out, map)
    }

    /// Whether the program's function begins on this line.
    fn begins(&self, line: &str) -> bool {
        // Most lines end otherwise: spare them the search.
        line.trim_end().ends_with(['{', '(', ')'])
            && line.match_indices(self.function).any(|(i, name)| {
                let rest = &line[i + name.len()..];
                line[..i].ends_with(' ') && (rest.starts_with('(') || rest.starts_with("_("))
            })
    }

    /// A line outside the function: samplers become plain ones.
    fn declaration<'t>(&self, line: &'t str) -> Option<Cow<'t, str>> {
        if self.samplers.is_empty() || !line.contains("Sampler") {
            return Some(line.into());
        }
        let heap = ["SamplerState nagaSamplerHeap", "SamplerComparisonState nagaComparison"];
        if heap.iter().any(|h| line.starts_with(h)) || line.contains("SamplerIndexArray :") {
            return None;
        }
        let Some(rest) = line.strip_prefix("static const SamplerState ") else { return Some(line.into()) };
        let name = rest.split(' ').next().unwrap_or(rest);
        let (_, register, space) = self.samplers.iter().find(|s| name.trim_end_matches('_') == s.0)?;
        Some(format!("SamplerState {name} : register(s{register}, space{space});\n").into())
    }

    /// The comment above an instruction's lines, indented as `line`.
    fn comment(&self, origin: u32, line: &str) -> Option<String> {
        let text = self.comments.get(origin as usize).map(|s| s.text).filter(|t| !t.is_empty())?;
        let indent = &line[..line.len() - line.trim_start().len()];
        // A backslash at the end of a line would continue the comment in the C family.
        let text = shisa_diag::escape(text).replace('\\', "/");
        Some(format!("{indent}// {text}\n"))
    }

    /// The name to put before that of a result.
    fn result(&self, name: &str) -> Option<&str> {
        let number = name.strip_prefix("_e")?.parse().ok()?;
        let at = self.results.binary_search_by_key(&number, |r: &(usize, _)| r.0).ok()?;
        self.results.get(at).map(|r| &*r.1)
    }

    /// Writes a line with names as they were given: naga sets `_` behind names that end in a digit.
    fn tidy(&self, line: &str, out: &mut String) {
        let bytes = line.as_bytes();
        let mut written = 0;
        let mut i = 0;
        while let Some(at) = line[i..].find('_').map(|n| n + i) {
            let start = at - bytes[..at].iter().rev().take_while(|&&b| part_of_name(b)).count();
            let end = at + bytes[at..].iter().take_while(|&&b| part_of_name(b)).count();
            i = end;
            let name = &line[start..end];
            if let Some(result) = self.result(name) {
                out.push_str(&line[written..start]);
                out.push_str(result);
                written = start;
                continue;
            }
            let tidied = match self.renames.iter().find(|r| r.0 == name) {
                Some((_, to)) => to.as_str(),
                None => match name.strip_suffix('_') {
                    Some(register) if is_register(register) => register,
                    _ => continue,
                },
            };
            out.push_str(&line[written..start]);
            out.push_str(tidied);
            written = end;
        }
        out.push_str(&line[written..]);
    }
}

impl Mark<'_> {
    fn matches(&self, body: &str, declared: Option<&str>) -> bool {
        if matches!(&*self.name, "if" | "return" | "emit_vertex") {
            let rest = body.strip_prefix(&*self.name);
            return rest.is_some_and(|r| !r.bytes().next().is_some_and(part_of_name));
        }
        let Some(rest) = declared.and_then(|d| d.strip_prefix(&*self.name)) else { return false };
        rest.strip_prefix('_').map_or(rest.is_empty(), |n| n.bytes().all(|b| b.is_ascii_digit()))
    }
}

const fn part_of_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// A name as the printer writes it.
pub(super) fn printed(name: &str) -> Cow<'_, str> {
    if name.ends_with(|c: char| c.is_ascii_digit()) { format!("{name}_").into() } else { name.into() }
}

/// Whether it is the name of a register: one or two letters and a number. No language has such keywords.
fn is_register(name: &str) -> bool {
    let number = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = name.len() - number.len();
    (1..=2).contains(&letters) && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

/// The name that a line declares or stores to.
fn declared(body: &str) -> Option<&str> {
    let (left, right) = body.split_at(body.find('=')?);
    let left = left.strip_suffix(' ').filter(|_| right.starts_with("= "))?;
    let name = left.rsplit(' ').next()?;
    Some(name.split('.').next().unwrap_or(name))
}
