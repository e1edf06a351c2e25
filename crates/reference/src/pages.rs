//! The reference as a book of Markdown pages.

use crate::data::{Bits, Family, FormData, Hex, Isa};
use shisa::explain::Explanation;
use std::collections::BTreeMap;

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its path in the book.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The title of the part with what all instruction sets share.
const SHARED: &str = "all";

/// The pages of the book: `SUMMARY.md`, a page for each word, and an index of each kind of words.
pub fn pages(isa: &Isa) -> Vec<Page> {
    let introduction = "# Reference\n\nInstructions, registers, error codes, options and concepts of four families of \
                        shaders, written from the tables that shisa decodes with.\n";
    let mut book = Book { summary: "# Summary\n\n[Reference](index.md)\n".to_owned(), pages: Vec::new() };
    book.page("index.md", introduction.to_owned());
    for family in &isa.families {
        book.part(family.name, &family.words, Some(family));
    }
    book.part(SHARED, &isa.words, None);
    let summary = std::mem::take(&mut book.summary);
    book.page("SUMMARY.md", summary);
    book.pages
}

struct Book {
    summary: String,
    pages: Vec<Page>,
}

impl Book {
    fn page(&mut self, path: &str, text: String) {
        self.pages.push(Page { path: path.to_owned(), text });
    }

    /// The pages of a family, by kind.
    fn part(&mut self, name: &str, words: &[Explanation], family: Option<&Family>) {
        let mut kinds: BTreeMap<&str, Vec<&Explanation>> = BTreeMap::new();
        words.iter().for_each(|word| kinds.entry(word.kind).or_default().push(word));
        line(&mut self.summary, &format!("\n# {name}\n"));
        for (kind, list) in kinds {
            let folder = format!("{name}/{}", file_name(kind));
            let mut index = format!("# {kind}\n\n");
            line(&mut self.summary, &format!("- [{kind}]({folder}/index.md)"));
            let mut names = Names::default();
            for word in list {
                let file = names.distinct(&file_name(&word.word));
                line(&mut self.summary, &format!("  - [{}]({folder}/{file}.md)", escaped(&word.word)));
                line(
                    &mut index,
                    &format!("- [{}]({file}.md): {}", escaped(&word.word), escaped(&word.summary)),
                );
                self.page(&format!("{folder}/{file}.md"), page(word, family));
            }
            self.page(&format!("{folder}/index.md"), index);
        }
    }
}

/// File names of a folder. Some systems do not distinguish upper and lower case.
#[derive(Default)]
struct Names(BTreeMap<String, usize>);

impl Names {
    fn distinct(&mut self, name: &str) -> String {
        let count = self.0.entry(name.to_lowercase()).or_default();
        *count += 1;
        if *count == 1 && name != "index" { name.to_owned() } else { format!("{name}_{count}") }
    }
}

/// The letters, digits and points of a word, with lines between them.
fn file_name(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let name: String = word.chars().map(|c| if plain(c) { c } else { '-' }).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "word".to_owned() } else { name.to_owned() }
}

fn page(word: &Explanation, family: Option<&Family>) -> String {
    let mut text = format!("# {}\n\n*{}*\n\n{}\n", escaped(&word.word), word.kind, escaped(&word.summary));
    for section in &word.sections {
        line(&mut text, &format!("\n## {}\n\n```text\n{}\n```", section.heading, section.lines.join("\n")));
    }
    let forms = family.iter().flat_map(|family| &family.forms).filter(|form| form.name == word.word);
    for form in forms {
        line(&mut text, &format!("\n## Diagram\n\n```text\n{}```", diagram(form)));
    }
    text
}

/// The fields of a form as a drawing: runs of bits from the highest to the lowest, each with its letter, and their names.
fn diagram(form: &FormData) -> String {
    let mut fields: Vec<(&[Bits], String)> = Vec::new();
    fields.extend(
        (1..).zip(&form.modifiers).map(|(n, modifier)| (&modifier.bits[..], format!("modifier {n}"))),
    );
    let operands = form.prefix.iter().chain(&form.operands).chain(&form.suffix);
    fields.extend(operands.map(|operand| (&operand.bits[..], operand.kind.to_owned())));
    let (Hex(mask), Hex(bits)) = (form.mask, form.bits);
    let last = fields.iter().flat_map(|(runs, _)| runs.iter()).map(|(lo, width)| lo + width).max();
    let end = last.unwrap_or_default().max((u128::BITS - mask.leading_zeros()) as u8);
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').collect();
    let symbol = |bit: u8| {
        if bit < 128 && mask >> bit & 1 != 0 {
            return if bits >> bit & 1 != 0 { '1' } else { '0' };
        }
        let has =
            |(runs, _): &(&[Bits], String)| runs.iter().any(|(lo, width)| (*lo..lo + width).contains(&bit));
        fields.iter().position(has).and_then(|at| letters.get(at)).copied().unwrap_or('.')
    };
    let mut text = String::new();
    let pieces: Vec<u8> = (0..end).step_by(32).collect();
    for low in pieces.into_iter().rev() {
        let high = (low + 31).min(end - 1);
        let drawn: String = (low..=high)
            .rev()
            .map(|bit| {
                format!("{}{}", symbol(bit), if bit.is_multiple_of(8) && bit > low { " " } else { "" })
            })
            .collect();
        line(&mut text, &format!("{high:3} {drawn} {low}"));
    }
    for ((_, name), letter) in fields.iter().zip(&letters) {
        line(&mut text, &format!("{letter}: {name}"));
    }
    text
}

/// Text whose characters have no meaning in Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\*_[]<>#|".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
