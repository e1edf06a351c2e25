//! Reads the part of a source that has changed.

use super::lines::Lines;
use super::lookup::Lookup;
use super::outline::Outline;
use super::token::after;
use alloc::vec::Vec;
use core::ops::Range;
use shisa_diag::Span;

/// A part of the source that is read again, by the offsets of lines.
#[derive(Clone, Copy, Debug)]
struct Part {
    start: usize,
    /// Its former end.
    former: usize,
    /// Its present end.
    end: usize,
}

impl Part {
    /// The present offset of what is after the part.
    fn moved(self, offset: usize) -> usize {
        offset - self.former + self.end
    }

    /// The items of a list in the order of the source that began in the part.
    fn items<T>(self, list: &[T], start: impl Fn(&T) -> usize) -> Range<usize> {
        list.partition_point(|item| start(item) < self.start)
            ..list.partition_point(|item| start(item) < self.former)
    }

    /// Replaces the items that began in the part by new ones, and moves those after it.
    fn replace<T>(
        self,
        list: &mut Vec<T>,
        new: Vec<T>,
        start: impl Fn(&T) -> usize,
        shift: impl Fn(&mut T),
    ) -> Range<usize> {
        let old = self.items(list, start);
        list.iter_mut().skip(old.end).for_each(shift);
        list.splice(old.clone(), new);
        old
    }
}

/// Reads the lines in which a source differs from its former version, of which `outline` is the outline. Returns the number
/// of lines that were read.
///
/// Lines that have not changed are read only after a change of what is a comment.
pub(super) fn update(outline: &mut Outline, former: &str, source: &str, lookup: &dyn Lookup) -> usize {
    let (same, same_end) = common(former.as_bytes(), source.as_bytes());
    let before = source.as_bytes().get(..same).into_iter().flatten();
    let start = before.rev().position(|b| *b == b'\n').map_or(0, |length| same - length);
    let mut in_comment = outline.begins_in_comment(start);
    let (mut lines, mut at, mut count) = (Lines::new(source, lookup), start, 0);
    let (former_end, end) = loop {
        let rest = after(source, at);
        let length = rest.find('\n').unwrap_or(rest.len());
        in_comment = lines.read(Span::new(at, at + length), in_comment);
        count += 1;
        at += length + 1;
        let Some(rest) = source.len().checked_sub(at) else { break (former.len() + 1, at) };
        // Lines after the last difference, and their beginnings, were the same.
        if rest < same_end && outline.begins_in_comment(former.len() - rest) == in_comment {
            break (former.len() - rest, at);
        }
    };
    outline.replace(Part { start, former: former_end, end }, lines.outline);
    count
}

/// The numbers of bytes at the beginning and at the end that two texts have in common. They do not overlap.
fn common(a: &[u8], b: &[u8]) -> (usize, usize) {
    /// The bytes that are compared at once.
    const STEP: usize = 64;
    let chunks = a.chunks_exact(STEP).zip(b.chunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    let pairs = a.iter().zip(b).skip(chunks);
    let start = chunks + pairs.take_while(|(a, b)| a == b).count();
    let (a, b) = (a.split_at(start).1, b.split_at(start).1);
    let chunks = a.rchunks_exact(STEP).zip(b.rchunks_exact(STEP)).take_while(|(a, b)| a == b).count() * STEP;
    let pairs = a.iter().rev().zip(b.iter().rev()).skip(chunks);
    (start, chunks + pairs.take_while(|(a, b)| a == b).count())
}

impl Outline {
    /// Whether the line at an offset begins within a comment.
    fn begins_in_comment(&self, line: usize) -> bool {
        self.commented.binary_search(&line).is_ok()
    }

    /// Puts lines that were read into a part of the source.
    fn replace(&mut self, part: Part, new: Outline) {
        let Outline { tokens, mut statements, symbols, folds, scopes, commented, .. } = new;
        let shift = |span: &mut Span| *span = Span::new(part.moved(span.start), part.moved(span.end));
        let count = tokens.len();
        let old = part.replace(&mut self.tokens, tokens, |t| t.span.start, |t| shift(&mut t.span));
        statements.iter_mut().for_each(|s| s.renumber(|token| token + old.start));
        part.replace(
            &mut self.statements,
            statements,
            |s| s.span.start,
            |s| {
                shift(&mut s.span);
                s.renumber(|token| token - old.len() + count);
            },
        );
        let count = symbols.len();
        let old = part.replace(&mut self.symbols, symbols, |s| s.span.start, |s| shift(&mut s.span));
        self.rename(old, count);
        part.replace(&mut self.folds, folds, |f| f.span.start, |f| shift(&mut f.span));
        let offset = |at: &mut usize| *at = part.moved(*at);
        part.replace(&mut self.scopes, scopes, |at| *at, offset);
        part.replace(&mut self.commented, commented, |at| *at, offset);
    }

    /// Orders the names again after the `old` symbols were replaced by a number of others.
    fn rename(&mut self, old: Range<usize>, count: usize) {
        if old.is_empty() && count == 0 {
            return;
        }
        self.names.retain(|number| !old.contains(number));
        for number in self.names.iter_mut().filter(|number| **number >= old.end) {
            *number = *number - old.len() + count;
        }
        let symbols = &self.symbols;
        let denoted = |number: &usize| symbols.get(*number).is_some_and(|symbol| symbol.is_denoted());
        self.names.extend((old.start..old.start + count).filter(denoted));
        let key = |number: &usize| (symbols.get(*number).map(|symbol| symbol.name.as_str()), *number);
        self.names.sort_by(|a, b| key(a).cmp(&key(b)));
    }
}

#[cfg(test)]
mod tests {
    use super::common;

    #[test]
    fn common_parts_do_not_overlap() {
        for (a, b, expected) in [
            ("", "", (0, 0)),
            ("a", "", (0, 0)),
            ("aa", "aaa", (2, 0)),
            ("abc", "axc", (1, 1)),
            ("abc", "abc", (3, 0)),
            ("xabc", "abc", (0, 3)),
        ] {
            assert_eq!(common(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
            let [long, other] = [a, b].map(|text| "z".repeat(200) + text + &"z".repeat(200));
            let (start, end) = common(long.as_bytes(), other.as_bytes());
            assert!(start >= 200 && start + end <= long.len().min(other.len()));
            assert_eq!(long[..start], other[..start]);
            assert_eq!(long[long.len() - end..], other[other.len() - end..]);
        }
    }
}
