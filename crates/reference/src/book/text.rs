//! Text of Markdown pages.

use std::collections::BTreeMap;

/// File names of a folder. Some systems do not distinguish upper and lower case.
#[derive(Default)]
pub(super) struct Names(BTreeMap<String, usize>);

impl Names {
    pub(super) fn distinct(&mut self, name: &str) -> String {
        let count = self.0.entry(name.to_lowercase()).or_default();
        *count += 1;
        if *count == 1 && name != "index" { name.to_owned() } else { format!("{name}_{count}") }
    }
}

/// The letters, digits and points of a word, with lines between them.
pub(super) fn file_name(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let name: String = word.chars().map(|c| if plain(c) { c } else { '-' }).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "word".to_owned() } else { name.to_owned() }
}

/// Text whose characters have no meaning in Markdown, except for code between backticks.
pub(super) fn prose(text: &str) -> String {
    if !text.matches('`').count().is_multiple_of(2) {
        return escaped(text);
    }
    let mut pieces = text.split('`');
    let mut prose = pieces.next().map(escaped).unwrap_or_default();
    while let Some(code) = pieces.next() {
        prose += &format!("`{code}`");
        prose += &pieces.next().map(escaped).unwrap_or_default();
    }
    prose
}

/// Text whose characters have no meaning in Markdown.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\*_[]<>#`~&".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Code within a line.
pub(super) fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// A row of a table. A bar ends a cell, also in code.
pub(super) fn row(cells: &[&str]) -> String {
    let cells: String = cells.iter().map(|cell| format!(" {} |", cell.replace('|', "\\|"))).collect();
    format!("|{cells}\n")
}

/// Text of an HTML element or of an attribute in double quotes.
pub(super) fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Lines as a list if they are sentences, else as they are.
pub(super) fn lines(list: &[String]) -> String {
    let sentences = list.iter().all(|line| line.ends_with('.') && !line.starts_with(' '));
    if sentences {
        return list.iter().map(|line| format!("- {}\n", prose(line))).collect();
    }
    format!("```text\n{}\n```\n", list.join("\n"))
}

/// A relative link from one page of the book to another.
pub(super) fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let folders = from.len() - 1;
    let shared = from.iter().take(folders).zip(&to).take_while(|(a, b)| a == b).count();
    let up = "../".repeat(folders - shared);
    let down: Vec<&str> = to.into_iter().skip(shared).collect();
    format!("{up}{}", down.join("/"))
}
