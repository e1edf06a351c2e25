//! `cargo xtask reference`: the reference of all instruction sets as data and as a book.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

/// Write the reference: isa.json with its schema, and a book of Markdown pages
///
/// The pages are those of `shisa explain`, with a diagram of each form's bits. mdBook makes a site of them:
/// `mdbook build FOLDER/book`.
#[derive(Debug, clap::Args)]
pub(crate) struct Reference {
    /// The folder for the files
    #[arg(short, long, default_value = "target/reference")]
    output: PathBuf,
}

/// The description of the book for mdBook.
const BOOK: &str = "[book]\ntitle = \"Shader instruction sets\"\n\n[output.html]\nfold = { enable = true }\n";

impl Reference {
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let isa = shisa_reference::isa()?;
        let source = self.output.join("book/src");
        fs::create_dir_all(&source)?;
        fs::write(self.output.join("isa.json"), serde_json::to_vec(&isa)?)?;
        fs::copy("docs/schema/isa.schema.json", self.output.join("isa.schema.json"))?;
        fs::write(self.output.join("book/book.toml"), BOOK)?;
        let pages = shisa_reference::pages(&isa);
        for page in &pages {
            let path = source.join(&page.path);
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            fs::write(path, &page.text)?;
        }
        for family in &isa.families {
            println!("{} forms {} words {}", family.name, family.forms.len(), family.words.len());
        }
        println!("pages {} in {}", pages.len(), self.output.display());
        Ok(())
    }
}
