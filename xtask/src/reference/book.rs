//! The sources of the book, and the book that mdBook builds of them.

use shisa_reference::{Page, STYLES};
use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

/// The folder of the chapters.
pub(super) const CHAPTERS: &str = "docs/book/src";

/// The description of the book for mdBook. A page is one result of a search.
const BOOK: &str = r#"[book]
title = "shisa: shaders as machine code"
language = "en"
src = "src"

[build]
build-dir = "html"

[output.html]
additional-css = ["reference.css"]
no-section-label = true

[output.html.fold]
enable = true

[output.html.print]
enable = false

[output.html.search]
heading-split-level = 0
"#;

/// Writes the sources into a folder.
pub(super) fn write(folder: &Path, pages: &[Page]) -> io::Result<()> {
    super::write(&folder.join("book.toml"), BOOK.as_bytes())?;
    super::write(&folder.join("reference.css"), STYLES.as_bytes())?;
    let source = folder.join("src");
    for entry in fs::read_dir(CHAPTERS)? {
        let entry = entry?;
        fs::create_dir_all(&source)?;
        fs::copy(entry.path(), source.join(entry.file_name()))?;
    }
    pages.iter().try_for_each(|page| super::write(&source.join(&page.path), page.text.as_bytes()))
}

/// Builds the book where mdBook is installed. It is a command and no dependency: its licence (MPL-2.0) is not among those of
/// `deny.toml`, and it has more crates of its own than this chore.
pub(super) fn build(folder: &Path) -> Result<(), Box<dyn Error>> {
    match Command::new("mdbook").arg("build").arg(folder).status() {
        Ok(status) if status.success() => {
            println!("book {}", folder.join("html").display());
            Ok(())
        }
        Ok(status) => Err(format!("mdbook build: {status}").into()),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            println!("the book is not built: mdbook is not installed (cargo install mdbook)");
            Ok(())
        }
        Err(e) => Err(e.into()),
    }
}
