//! The text of a source file with all of its changes, each of which is chosen at run time.

use super::sites::{Form, Site};
use std::collections::BTreeSet;
use std::ops::Range;

/// A range of a changed text.
#[derive(Debug)]
pub(super) struct Region {
    pub range: Range<usize>,
    /// The changes that are written there.
    pub mutants: Vec<usize>,
    /// Whether it is the text of one change, and not that of a site or function.
    pub alone: bool,
}

/// A changed text.
#[derive(Debug, Default)]
pub(super) struct Changed {
    pub text: String,
    pub regions: Vec<Region>,
}

/// The numbers by which changes are chosen, from 1. A dropped change has one, too, so that no other text changes when a
/// change is dropped.
#[derive(Debug)]
pub(super) struct Numbers {
    next: u32,
    /// The number of each change in the list; 0 for those that are not compiled.
    pub of: Vec<u32>,
}

impl Numbers {
    /// No number is given to any change of a list.
    pub(super) fn new(count: usize) -> Numbers {
        Numbers { next: 1, of: vec![0; count] }
    }
}

/// Writes the changes of a file that are not dropped.
pub(super) fn changed(source: &str, sites: &[Site], dropped: &[bool], numbers: &mut Numbers) -> Changed {
    let mut writer = Writer { source, sites: sites.iter(), dropped, numbers, out: Changed::default() };
    writer.copy(0..source.len());
    writer.out
}

struct Writer<'a> {
    source: &'a str,
    /// The sites that follow.
    sites: std::slice::Iter<'a, Site>,
    dropped: &'a [bool],
    numbers: &'a mut Numbers,
    out: Changed,
}

impl Writer<'_> {
    /// Writes a part of the source with its sites.
    fn copy(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while let Some(site) = self.sites.as_slice().first().filter(|site| site.range.end <= range.end) {
            self.sites.next();
            self.out.text.push_str(&self.source[at..site.range.start]);
            self.site(site);
            at = site.range.end;
        }
        self.out.text.push_str(&self.source[at..range.end]);
    }

    fn site(&mut self, site: &Site) {
        let (begins, regions) = (self.out.text.len(), self.out.regions.len());
        let first = self.numbers.next;
        let mut alternatives = Vec::new();
        for alternative in &site.alternatives {
            if !self.dropped[alternative.0] {
                self.numbers.of[alternative.0] = self.numbers.next;
                alternatives.push(alternative);
            }
            self.numbers.next += 1;
        }
        let chosen = format!("::mutant_switch::chosen({first}, {})", self.numbers.next - 1);
        match site.form {
            Form::Function => self.copy(site.range.clone()),
            _ if alternatives.is_empty() => self.copy(site.range.clone()),
            Form::Arm => self.out.text.push_str(&format!(" if {chosen} != {first}")),
            Form::Return => {
                self.out.text.push_str(&format!("match {chosen} {{ "));
                self.alternatives(&alternatives, "return ");
                self.out.text.push_str("_ => {} } ");
            }
            Form::Expression => {
                self.out.text.push_str(&format!("(match {chosen} {{ "));
                self.alternatives(&alternatives, "");
                self.out.text.push_str("_ => ");
                self.copy(site.range.clone());
                self.out.text.push_str(" })");
            }
        }
        let mutants: Vec<usize> = match site.form {
            Form::Function => {
                let inner: BTreeSet<usize> = self.out.regions[regions..]
                    .iter()
                    .flat_map(|region| region.mutants.iter().copied())
                    .collect();
                inner.into_iter().collect()
            }
            _ => alternatives.iter().map(|(i, _)| *i).collect(),
        };
        if !mutants.is_empty() {
            let range = begins..self.out.text.len();
            self.out.regions.push(Region { range, mutants, alone: site.form == Form::Arm });
        }
    }

    /// Writes arms of changes.
    fn alternatives(&mut self, alternatives: &[&(usize, String)], verb: &str) {
        for (i, text) in alternatives {
            let begins = self.out.text.len();
            self.out.text.push_str(&format!("{} => {verb}{text}, ", self.numbers.of[*i]));
            let range = begins..self.out.text.len();
            self.out.regions.push(Region { range, mutants: vec![*i], alone: true });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::list::{Genre, Mutant};
    use super::super::sites::sites;
    use super::*;

    /// The changed text, and which changes are chosen by which numbers. A change is a genre, the text where it begins, and
    /// the replacement.
    fn written(source: &str, changes: &[(Genre, &str, &str)], dropped: &[usize]) -> (String, Vec<u32>) {
        let mutants: Vec<Mutant> = changes
            .iter()
            .map(|(genre, begins, replacement)| {
                let at = source.find(begins).unwrap();
                let before = source[..at].rsplit('\n').next().unwrap();
                Mutant {
                    name: String::new(),
                    file: String::new(),
                    function: String::new(),
                    genre: *genre,
                    at: (source[..at].matches('\n').count() + 1, before.chars().count() + 1),
                    replacement: (*replacement).into(),
                    line: String::new(),
                }
            })
            .collect();
        let sites = sites(source, mutants.iter().enumerate()).unwrap();
        let mut numbers = Numbers::new(mutants.len());
        let dropped: Vec<bool> = (0..mutants.len()).map(|i| dropped.contains(&i)).collect();
        let changed = changed(source, &sites, &dropped, &mut numbers);
        let text = changed.text.replace("::mutant_switch::chosen", "chosen");
        syn::parse_file(&text).unwrap();
        (text, numbers.of)
    }

    #[test]
    fn operators_are_chosen_and_their_operands_only_in_the_unchanged_text() {
        let changes =
            [(Genre::Binary, "== c", "!="), (Genre::Binary, "+ \"ü\"", "-"), (Genre::Binary, "+ \"ü\"", "*")];
        let source = "fn f() -> bool { \"ö\" + \"ü\" == c }";
        let expected = "fn f() -> bool { (match chosen(1, 1) { 1 => (\"ö\" + \"ü\") != (c), \
                        _ => (match chosen(2, 3) { 2 => (\"ö\") - (\"ü\"), 3 => (\"ö\") * (\"ü\"), \
                        _ => \"ö\" + \"ü\" }) == c }) }";
        assert_eq!(written(source, &changes, &[]), (expected.to_owned(), vec![1, 2, 3]));
        let expected =
            "fn f() -> bool { (match chosen(2, 3) { 3 => (\"ö\") * (\"ü\"), _ => \"ö\" + \"ü\" }) == c }";
        assert_eq!(written(source, &changes, &[0, 1]), (expected.to_owned(), vec![0, 0, 3]));
        assert_eq!(written(source, &changes, &[0, 1, 2]), (source.to_owned(), vec![0, 0, 0]));
    }

    #[test]
    fn statements_are_chosen() {
        let changes = [(Genre::Binary, "+=", "-="), (Genre::Unary, "!a", "")];
        let expected = "fn f() {\n    (match chosen(1, 1) { 1 => (s[i]) -= (!a), \
                        _ => s[i] += (match chosen(2, 2) { 2 => (a), _ => !a }) });\n}";
        assert_eq!(written("fn f() {\n    s[i] += !a;\n}", &changes, &[]).0, expected);
    }

    #[test]
    fn functions_return_what_is_chosen_before_their_first_statement() {
        let changes = [
            (Genre::Returned, "-a", "0"),
            (Genre::Returned, "-a", "1"),
            (Genre::Unary, "-a", ""),
            (Genre::Returned, "(1)", "true"),
        ];
        let expected = "fn f() { match chosen(1, 2) { 1 => return 0, 2 => return 1, _ => {} } \
                        (match chosen(3, 3) { 3 => (a), _ => -a }) } \
                        impl A { fn g() { match chosen(4, 4) { 4 => return true, _ => {} } (1) } }";
        assert_eq!(written("fn f() { -a } impl A { fn g() { (1) } }", &changes, &[]).0, expected);
    }

    #[test]
    fn arms_are_left_out_and_their_guards_are_chosen() {
        let changes =
            [(Genre::Arm, "1 | 2", ""), (Genre::Guard, "n > 3", "true"), (Genre::Binary, "> 3", "<")];
        let source = "fn f() { match a { 1 | 2 => x, n if n > 3 => y, _ => z } }";
        let expected = "fn f() { match a { 1 | 2 if chosen(1, 1) != 1 => x, \
                        n if (match chosen(2, 2) { 2 => true, \
                        _ => (match chosen(3, 3) { 3 => (n) < (3), _ => n > 3 }) }) => y, _ => z } }";
        assert_eq!(written(source, &changes, &[]).0, expected);
    }

    #[test]
    fn fields_come_from_the_base() {
        let changes = [(Genre::Field, "a:", ""), (Genre::Field, "b,", "")];
        let expected = "fn f() { (match chosen(1, 2) { 1 => S {  b, ..s }, 2 => S { a: 1,  ..s }, \
                        _ => S { a: 1, b, ..s } }) }";
        assert_eq!(written("fn f() { S { a: 1, b, ..s } }", &changes, &[]).0, expected);
    }

    #[test]
    fn nothing_is_chosen_where_nothing_runs_or_a_condition_binds() {
        for (source, genre, begins) in [
            ("const A: u32 = 1 + 2;", Genre::Binary, "+"),
            ("static A: u32 = 1 + 2;", Genre::Binary, "+"),
            ("const fn f() -> u32 { 1 + 2 }", Genre::Binary, "+"),
            ("const fn f() -> u32 { 1 + 2 }", Genre::Returned, "1"),
            ("enum A { B = 1 + 2 }", Genre::Binary, "+"),
            ("fn f() { [0; 1 + 2]; }", Genre::Binary, "+"),
            ("fn f() { let a: [u8; 1 + 2] = g(); }", Genre::Binary, "+"),
            ("fn f() { match a { -1 => b, _ => c } }", Genre::Unary, "-1"),
            ("fn f() { if let A = b && c && d {} }", Genre::Binary, "&& c"),
            ("fn f() { if let A = b && c && d {} }", Genre::Binary, "&& d"),
        ] {
            let same = (source.to_owned(), vec![0]);
            assert_eq!(written(source, &[(genre, begins, "/")], &[]), same, "{source}");
        }
    }
}
