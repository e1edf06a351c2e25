//! Compresses to a block of LZ4, as small as the format allows in reasonable time.
//!
//! A fatbin in a host program has no space to grow, and NVIDIA's tools compress well, so code of the same length can
//! be written back only if it is compressed at least as well. Matches come from chains of equal hashes; the cheapest
//! sequence through them is computed from the end of a window to its start.

use alloc::{vec, vec::Vec};

/// The shortest match.
const MIN: usize = 4;
/// The largest distance of a match.
const FAR: usize = 0xffff;
/// Bytes at the end that are literals.
const TAIL: usize = 5;
/// Number of bytes at the end in which no match begins.
const QUIET: usize = 12;
/// Number of bytes that are parsed at once; matches end with them.
const WINDOW: usize = 1 << 18;
/// Number of candidates that are examined for one match, in small inputs.
const TRIES: usize = 128;
/// Number of candidates that are examined in total.
const WORK: usize = 1 << 28;
/// A match of this length is used without searching for a longer one inside of it.
const LONG: usize = 512;
/// All lengths up to this are compared with each other.
const WEIGHED: usize = 32;
/// Bits of a hash.
const BITS: u32 = 16;

/// A match: its length, 0 if there is none, and its distance.
#[derive(Clone, Copy, Default)]
struct Match {
    len: u32,
    back: u16,
}

/// The block that decompresses to `bytes`.
pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 2);
    let tries = (WORK / bytes.len().max(1)).clamp(4, TRIES);
    let mut finder = Finder { bytes, tries, heads: vec![0; 1 << BITS], chain: vec![0; FAR + 1] };
    // Literals from here on are not written yet.
    let mut literals = 0;
    let end = bytes.len().saturating_sub(QUIET);
    let mut start = 0;
    while start < end {
        let stop = end.min(start + WINDOW);
        let matches = finder.matches(start, stop);
        let mut at = start;
        for step in cheapest(&matches) {
            if step.back > 0 {
                sequence(&mut out, bytes.get(literals..at).unwrap_or_default(), Some(step));
                literals = at + step.len as usize;
            }
            at += step.len as usize;
        }
        start = stop;
    }
    sequence(&mut out, bytes.get(literals..).unwrap_or_default(), None);
    out
}

/// Finds earlier occurrences of bytes.
struct Finder<'a> {
    bytes: &'a [u8],
    /// Candidates that are looked at for one match.
    tries: usize,
    /// The last position of each hash, plus 1.
    heads: Vec<u32>,
    /// The position before with the same hash, plus 1, by the low 16 bits of a position.
    chain: Vec<u32>,
}

impl Finder<'_> {
    /// The longest match at each position of a window.
    fn matches(&mut self, start: usize, stop: usize) -> Vec<Match> {
        let mut found = Vec::with_capacity(stop - start);
        // No match reaches into the literals at the end, or past the window.
        let limit = self.bytes.len().saturating_sub(TAIL).min(stop);
        while start + found.len() < stop {
            let at = start + found.len();
            let best = self.best(at, limit);
            found.push(best);
            self.insert(at);
            // A match inside of a long match continues it.
            for inside in 1..(best.len as usize).saturating_sub(LONG) {
                found.push(Match { len: best.len - inside as u32, ..best });
                self.insert(at + inside);
            }
        }
        found
    }

    fn hash(&self, at: usize) -> Option<usize> {
        let word = self.bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b))?;
        Some((word.wrapping_mul(0x9e37_79b1) >> (32 - BITS)) as usize)
    }

    fn insert(&mut self, at: usize) {
        let Some(hash) = self.hash(at) else { return };
        if let (Some(head), Some(link)) = (self.heads.get_mut(hash), self.chain.get_mut(at & FAR)) {
            *link = core::mem::replace(head, at as u32 + 1);
        }
    }

    fn best(&self, at: usize, limit: usize) -> Match {
        let mut best = Match::default();
        let here = self.bytes.get(at..limit).unwrap_or_default();
        let Some(mut next) = self.hash(at).and_then(|h| self.heads.get(h)).copied() else { return best };
        for _ in 0..self.tries {
            let Some(from) = (next as usize).checked_sub(1).filter(|f| *f < at && at - f <= FAR) else {
                break;
            };
            let there = self.bytes.get(from..).unwrap_or_default();
            // A longer match continues where the best one ends.
            let end = best.len as usize;
            let len = if here.get(end) == there.get(end) { same(here, there) } else { 0 };
            if len >= MIN && len > best.len as usize {
                best = Match { len: len as u32, back: (at - from) as u16 };
                if len >= LONG {
                    break;
                }
            }
            let older = self.chain.get(from & FAR).copied().unwrap_or(0);
            // An overwritten link points forward.
            if older >= next {
                break;
            }
            next = older;
        }
        best
    }
}

/// How many bytes are the same at the start.
fn same(a: &[u8], b: &[u8]) -> usize {
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let whole = words.take_while(|(a, b)| a == b).count() * 8;
    let rest = a.iter().skip(whole).zip(b.iter().skip(whole));
    whole + rest.take_while(|(a, b)| a == b).count()
}

/// The steps through a window that take the fewest bytes: matches, and literals one by one.
fn cheapest(matches: &[Match]) -> Vec<Match> {
    let literal = Match { len: 1, back: 0 };
    let mut costs = vec![0u32; matches.len() + 1];
    let mut steps = vec![literal; matches.len()];
    for (at, found) in matches.iter().enumerate().rev() {
        let cost = |len: usize| costs.get(at + len).copied().unwrap_or(u32::MAX);
        let mut best = (cost(1).saturating_add(1), literal);
        let all = found.len as usize;
        for len in (MIN..=all.min(WEIGHED)).chain((all > WEIGHED).then_some(all)) {
            // Token and distance, and the bytes of a length that does not fit the token.
            let bytes = 3 + if len >= MIN + 15 { 1 + (len - MIN - 15) / 255 } else { 0 };
            let total = cost(len).saturating_add(bytes as u32);
            if total < best.0 {
                best = (total, Match { len: len as u32, ..*found });
            }
        }
        if let (Some(cost), Some(step)) = (costs.get_mut(at), steps.get_mut(at)) {
            (*cost, *step) = best;
        }
    }
    let mut path = Vec::new();
    let mut at = 0;
    while let Some(step) = steps.get(at) {
        path.push(*step);
        at += step.len as usize;
    }
    path
}

/// Writes literals and the match after them; the last sequence has none.
fn sequence(out: &mut Vec<u8>, literals: &[u8], found: Option<Match>) {
    let more = found.map_or(0, |m| m.len as usize - MIN);
    out.push((literals.len().min(15) << 4 | more.min(15)) as u8);
    length(out, literals.len());
    out.extend_from_slice(literals);
    if let Some(found) = found {
        out.extend(found.back.to_le_bytes());
        length(out, more);
    }
}

/// Writes the part of a length that does not fit the four bits of the token.
fn length(out: &mut Vec<u8>, len: usize) {
    if let Some(rest) = len.checked_sub(15) {
        out.resize(out.len() + rest / 255, 255);
        out.push((rest % 255) as u8);
    }
}
