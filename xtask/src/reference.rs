//! `cargo xtask reference`: the reference of all instruction sets as data, as a book and as help for the page.

mod book;
mod fragments;

use shisa_reference::{help, isa, pages};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Write the reference: isa.json with its schema, a book, and help for programs that show it
///
/// `book/src` has the chapters of docs/book and a page for each word of `shisa explain`, with diagrams of bits, examples
/// and related instructions. Where the command mdbook is installed, `book/html` is the built book, with search.
/// `help/reference.json` lists all words, `help/chapters.json` the chapters, and `help` has the pages as fragments of HTML.
#[derive(Debug, clap::Args)]
pub(crate) struct Reference {
    /// The folder for the files
    #[arg(short, long, default_value = "target/reference")]
    output: PathBuf,
    /// Write the sources of the book, but do not build it
    #[arg(long)]
    sources: bool,
}

impl Reference {
    /// Writes what the page shows as help, without a book.
    pub(crate) fn for_page(root: &Path) -> Result<(), Box<dyn Error>> {
        Reference { output: root.join("target/reference"), sources: true }.run()
    }

    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let isa = isa()?;
        let chapters = fs::read_to_string(Path::new(book::CHAPTERS).join("SUMMARY.md"))?;
        let pages = pages(&isa, &chapters)?;
        write(&self.output.join("isa.json"), &serde_json::to_vec(&isa)?)?;
        fs::copy("docs/schema/isa.schema.json", self.output.join("isa.schema.json"))?;
        book::write(&self.output.join("book"), &pages)?;
        let folder = self.output.join("help");
        write(&folder.join("reference.json"), &serde_json::to_vec(&help(&isa)?)?)?;
        fragments::write(&folder, &pages)?;
        fragments::write_chapters(&folder, &chapters)?;
        for family in &isa.families {
            println!("{} forms {} words {}", family.name, family.forms.len(), family.words.len());
        }
        println!("pages {} in {}", pages.len(), self.output.display());
        match self.sources {
            true => Ok(()),
            false => book::build(&self.output.join("book")),
        }
    }
}

/// Writes a file and the folders that contain it.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}
