//! The public API of the libraries, listed from the sources and compared with the lists in `docs/api`.
//!
//! `unreachable_pub` is linted, so every item that is `pub` can be reached. A list has, for each file of a crate, its
//! public items, their public fields, the variants of public enums and the functions of public traits.
//! `BLESS=1 cargo test -p shisa-source-tests` writes the lists.

use crate::sources::{Crate, File, crates, root};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// The libraries that are published.
const CRATES: [&str; 22] = [
    "agal",
    "agx",
    "c",
    "debug",
    "diag",
    "engines",
    "eval",
    "exec",
    "ir",
    "lockstep",
    "lsp",
    "maxwell",
    "pica200",
    "pictures",
    "reference",
    "rows",
    "run",
    "shisa",
    "swf",
    "terminal",
    "translate",
    "verbs",
];

#[test]
fn the_public_api_is_the_one_listed() {
    let mut changes = String::new();
    let libraries: Vec<Crate> = crates().into_iter().filter(|c| CRATES.contains(&c.name.as_str())).collect();
    assert_eq!(libraries.len(), CRATES.len());
    for library in &libraries {
        let (krate, list) = (&library.name, list(library));
        let file = root().join("docs/api").join(format!("{krate}.txt"));
        if std::env::var_os("BLESS").is_some() {
            fs::write(&file, list).expect("the list is writable");
            continue;
        }
        let listed = fs::read_to_string(&file).expect("every library has a list");
        if listed == list {
            continue;
        }
        writeln!(changes, "{krate}:").expect("text takes what is written");
        let only = |a: &str, b: &str, sign: char| -> String {
            let lines = a.lines().filter(|line| !b.lines().any(|l| l == *line));
            lines.map(|line| format!("  {sign} {line}\n")).collect()
        };
        changes += &only(&listed, &list, '-');
        changes += &only(&list, &listed, '+');
    }
    assert!(
        changes.is_empty(),
        "the public API changed:\n{changes}`BLESS=1 cargo test -p shisa-source-tests` writes the lists of docs/api"
    );
}

/// The public items of a crate, file by file.
fn list(krate: &Crate) -> String {
    let path = |file: &File| file.path.strip_prefix("src/").map(PathBuf::from);
    let mut files: Vec<_> =
        krate.files.iter().filter(|f| !f.test).filter_map(|f| Some((path(f)?, f))).collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    let line = |(path, file): &(PathBuf, &File)| {
        let items = items(&file.source).into_iter();
        items.map(|item| format!("{}: {item}\n", path.display())).collect::<String>()
    };
    files.iter().map(line).collect()
}

/// The public items of a source that rustfmt has formatted.
fn items(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    // The item in whose braces the line is, and the indentation of that item.
    let mut owner: Option<(String, usize)> = None;
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let (text, indent) = (line.trim_start(), line.len() - line.trim_start().len());
        // Tests are the last item of a file.
        if line == "mod tests {" {
            break;
        }
        if owner.as_ref().is_some_and(|(_, at)| indent <= *at && text == "}") {
            owner = None;
        }
        let member = match &owner {
            Some((kind, at)) if indent == at + 4 => match kind.as_str() {
                "enum" => text.starts_with(|c: char| c.is_ascii_uppercase()),
                _ => text.starts_with("fn ") || text.starts_with("const ") || text.starts_with("type "),
            },
            _ => false,
        };
        if !text.starts_with("pub ") && !member {
            continue;
        }
        // A signature ends at its brace or semicolon; longer ones continue on the next line.
        let mut item = text.to_string();
        while !ends(&item) {
            let Some(more) = lines.next() else { break };
            item = format!("{item} {}", more.trim());
        }
        for kind in ["enum", "trait"] {
            if item.starts_with(&format!("pub {kind} ")) && item.ends_with('{') {
                owner = Some((kind.into(), indent));
            }
        }
        found.push(signature(&item).to_string());
    }
    found
}

/// Whether the text is a whole signature, field or variant.
fn ends(item: &str) -> bool {
    item.ends_with(['{', ';', ',', '}']) && item.matches('(').count() == item.matches(')').count()
}

/// The item without its body or value.
fn signature(item: &str) -> &str {
    let value = if item.starts_with("pub const ") || item.starts_with("pub static ") {
        item.find(" = ")
    } else {
        None
    };
    let body = if item.starts_with("pub use ") { None } else { item.find(" {") };
    let end = [value, body].into_iter().flatten().min().unwrap_or(item.len());
    item[..end].trim_end_matches([';', ',', '{']).trim_end()
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn public_items_are_listed() {
        let source = "\
pub use a::{B, C};
use d::E;
pub const N: usize = 4;
pub(crate) fn hidden() {}
/// A point.
pub struct Point {
    /// Across.
    pub x: f32,
    y: f32,
}
pub enum Kind {
    Small,
    Large {
        size: u32,
    },
}
pub trait Draw {
    fn draw(&self);
}
impl Point {
    pub fn long(
        a: u32,
    ) -> u32 {
        a
    }
}
#[cfg(test)]
mod tests {
    pub fn no() {}
}
";
        let expected = [
            "pub use a::{B, C}",
            "pub const N: usize",
            "pub struct Point",
            "pub x: f32",
            "pub enum Kind",
            "Small",
            "Large",
            "pub trait Draw",
            "fn draw(&self)",
            "pub fn long( a: u32, ) -> u32",
        ];
        assert_eq!(items(source), expected);
    }
}
