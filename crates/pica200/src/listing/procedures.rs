//! Finds procedures, and assigns words to programs.

use crate::attributes::Role;
use crate::container::Shbin;
use crate::operand::{COUNT, TO};
use crate::word;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{format, string::String, vec::Vec};
use core::ops::Range;

/// The procedures of a file: ranges of words that do not overlap, by start.
#[derive(Debug, Default)]
pub(super) struct Procedures {
    /// End and name by start.
    all: BTreeMap<usize, (usize, String)>,
}

/// The words that a call runs; `None` for a word that is not a call.
fn called(word: u32) -> Option<Range<usize>> {
    let insn = word::decode(word, &[]).filter(|insn| insn.form().attr.role == Role::Call)?;
    let at = insn.field(TO) as usize;
    Some(at..at + insn.field(COUNT) as usize)
}

impl Procedures {
    /// Programs first, then called ranges; a range that overlaps an earlier one is not a procedure.
    pub(super) fn of(file: &Shbin) -> Procedures {
        let mut found = Procedures::default();
        let mut used = BTreeSet::new();
        let names = label_names(file);
        for dvle in &file.programs {
            let (start, end) = (dvle.entry as usize, dvle.end as usize);
            found.add(start..end, file.code.len(), "main", &names, &mut used);
        }
        let mut calls: Vec<Range<usize>> = file.code.iter().filter_map(|w| called(*w)).collect();
        calls.sort_by_key(|r| (r.start, r.end));
        calls.dedup();
        for call in calls {
            let name = format!("proc{}", call.start);
            found.add(call, file.code.len(), &name, &names, &mut used);
        }
        found
    }

    fn add(
        &mut self,
        words: Range<usize>,
        len: usize,
        name: &str,
        names: &BTreeMap<usize, &str>,
        used: &mut BTreeSet<String>,
    ) {
        let before = self.all.range(..words.end).next_back();
        if words.is_empty() || words.end > len || before.is_some_and(|(_, (end, _))| *end > words.start) {
            return;
        }
        let name = names.get(&words.start).copied().unwrap_or(name);
        let mut chosen = String::from(name);
        if used.contains(&chosen) {
            chosen = format!("{name}_{}", words.start);
        }
        while used.contains(&chosen) {
            chosen.push('_');
        }
        used.insert(chosen.clone());
        self.all.insert(words.start, (words.end, chosen));
    }

    /// The name of the procedure with exactly these words.
    pub(super) fn named(&self, words: Range<usize>) -> Option<&str> {
        self.all.get(&words.start).filter(|(end, _)| *end == words.end).map(|(_, name)| name.as_str())
    }

    /// The procedure that begins at a word: its end, and its name.
    pub(super) fn at(&self, word: usize) -> Option<(usize, &str)> {
        self.all.get(&word).map(|(end, name)| (*end, name.as_str()))
    }

    /// The start of the first procedure after a word.
    pub(super) fn next(&self, word: usize) -> Option<usize> {
        self.all.range(word + 1..).next().map(|(start, _)| *start)
    }

    /// For each program the words of its section of the listing; together these are all words. A program whose words
    /// do not follow those of the program before it has none, and the first has all.
    pub(super) fn sections(&self, file: &Shbin) -> Vec<Range<usize>> {
        let len = file.code.len();
        let entries: Vec<usize> = file.programs.iter().map(|d| d.entry as usize).collect();
        let rising = entries.windows(2).all(|w| w[0] < w[1]);
        let own = entries.iter().all(|e| self.all.contains_key(e));
        if !rising || !own {
            let first = core::iter::once(0..len);
            return first.chain(core::iter::repeat_n(len..len, entries.len().saturating_sub(1))).collect();
        }
        let mut sections = Vec::with_capacity(entries.len());
        let mut start = 0;
        for (i, _) in entries.iter().enumerate() {
            let end = match entries.get(i + 1) {
                Some(next) => self.boundary(file, start, entries[i], *next),
                None => len,
            };
            sections.push(start..end);
            start = end;
        }
        sections
    }

    /// The start of the words of the program at `next`: procedures before it that the previous program does not call
    /// belong to it.
    fn boundary(&self, file: &Shbin, start: usize, entry: usize, next: usize) -> usize {
        let mine = self.reached(file, entry);
        let mut boundary = next;
        for (&at, _) in self.all.range(start.max(entry + 1)..next).rev() {
            let adjacent = self.all.get(&at).is_some_and(|(end, _)| *end == boundary);
            if !adjacent || mine.contains(&at) {
                break;
            }
            boundary = at;
        }
        boundary
    }

    /// The starts of the procedures that a procedure calls, directly or indirectly.
    fn reached(&self, file: &Shbin, entry: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut open = alloc::vec![entry];
        while let Some(start) = open.pop() {
            if !reached.insert(start) {
                continue;
            }
            let end = self.all.get(&start).map_or(start, |(end, _)| *end);
            let words = file.code.get(start..end).unwrap_or_default();
            open.extend(words.iter().filter_map(|w| called(*w)).map(|r| r.start));
        }
        reached
    }
}

/// Names of words that tables of labels give and that can be names of procedures.
fn label_names(file: &Shbin) -> BTreeMap<usize, &str> {
    let labels = file.programs.iter().flat_map(|d| d.labels.iter().map(move |l| (d, l)));
    let named = labels.filter_map(|(d, l)| {
        let name = d.name(l.name).filter(|n| super::names::usable(n))?;
        Some((l.at as usize, name))
    });
    // The first name of a word wins.
    named.fold(BTreeMap::new(), |mut all, (at, name)| {
        all.entry(at).or_insert(name);
        all
    })
}
