//! The reference as a book of Markdown pages.

mod diagram;
mod indexes;
mod instruction;
mod related;
pub(crate) mod shelf;
mod text;
mod word;

use crate::data::{Family, Isa};
use indexes::TITLES;
use shelf::{Part, ROOT, is_instruction, parts};
use std::fmt::Write as _;
use std::io;
use text::{escaped, relative};

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its path in the book.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The styles of the diagrams, for light and dark themes.
pub const STYLES: &str = include_str!("reference.css");

/// The pages of the reference below the folder `reference` of a book, and `SUMMARY.md`, which has the pages of other
/// chapters before those of the reference. `chapters` is the list of these chapters, as mdBook reads it.
///
/// # Errors
/// An example whose link cannot be written, which is a defect of the reference.
pub fn pages(isa: &Isa, chapters: &str) -> io::Result<Vec<Page>> {
    let parts = parts(isa);
    let mut book = Book { isa, summary: format!("{}\n", chapters.trim_end()), pages: Vec::new() };
    let path = format!("{ROOT}/index.md");
    let mut introduction =
        "# Reference\n\nInstructions, registers, error codes, options and concepts of four families \
                            of shaders, written from the tables that shisa decodes with.\n\n"
            .to_owned();
    for part in &parts {
        let about = part.family.map_or("all instruction sets", |family| family.about);
        let _ =
            writeln!(introduction, "- [{}]({}): {about}", part.name, relative(&path, &part.index("index")));
    }
    let _ = write!(book.summary, "\n# Reference\n\n- [Reference]({path})\n");
    book.page(path, introduction);
    for part in &parts {
        book.part(&parts, part, chapters)?;
    }
    let summary = std::mem::take(&mut book.summary);
    book.page("SUMMARY.md".to_owned(), summary);
    Ok(book.pages)
}

struct Book<'i> {
    isa: &'i Isa,
    summary: String,
    pages: Vec<Page>,
}

impl Book<'_> {
    fn page(&mut self, path: String, text: String) {
        self.pages.push(Page { path, text });
    }

    /// A page with its line of the summary, at a depth below the reference.
    fn listed(&mut self, depth: usize, title: &str, path: String, text: String) {
        let _ = writeln!(self.summary, "{}- [{}]({path})", "  ".repeat(depth), escaped(title));
        self.page(path, text);
    }

    /// The pages of a part: its indexes, and the words of each kind.
    fn part(&mut self, parts: &[Part<'_>], part: &Part<'_>, chapters: &str) -> io::Result<()> {
        let path = part.index("index");
        let text = indexes::first(part, chapters, &path);
        self.listed(1, part.name, path, text);
        if let Some(family) = part.family {
            self.indexes(part, family);
        }
        for kind in &part.kinds {
            let path = format!("{}/index.md", kind.folder);
            let text = indexes::kind(kind, &path);
            self.listed(2, kind.name, path, text);
            for entry in &kind.entries {
                let text = match entry.family {
                    Some(family) if is_instruction(entry.word, Some(family)) => {
                        instruction::page(self.isa, parts, part, family, entry)?
                    }
                    _ => word::page(part, entry),
                };
                self.listed(3, &entry.word.word, entry.path.clone(), text);
            }
        }
        Ok(())
    }

    fn indexes(&mut self, part: &Part<'_>, family: &Family) {
        let indexes = [indexes::bits, indexes::groups, indexes::uncertain];
        for ((title, file), index) in TITLES.into_iter().zip(indexes) {
            let path = part.index(file);
            let text = index(part, family, &path);
            self.listed(2, title, path, text);
        }
    }
}
