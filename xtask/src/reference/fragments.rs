//! The pages of the reference as fragments of HTML, which a program shows as help.

use pulldown_cmark::{Event, Options, Parser, Tag, html};
use shisa_reference::Page;
use std::io;
use std::path::Path;

/// Writes the page of each word into a folder, at its path in the book.
pub(super) fn write(folder: &Path, pages: &[Page]) -> io::Result<()> {
    for page in pages.iter().filter(|page| page.path.contains('/')) {
        super::write(&folder.join(&page.path).with_extension("html"), fragment(page).as_bytes())?;
    }
    Ok(())
}

/// A page as HTML. Links between pages lead to fragments, and links of examples have only a fragment of a URL.
fn fragment(page: &Page) -> String {
    let up = "../".repeat(page.path.matches('/').count() + 1);
    let events = Parser::new_ext(&page.text, Options::ENABLE_TABLES).map(|event| match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let target = match dest_url.strip_prefix(&up) {
                Some(program) if program.starts_with('#') => program.to_owned(),
                _ => dest_url.replace(".md", ".html"),
            };
            Event::Start(Tag::Link { link_type, dest_url: target.into(), title, id })
        }
        other => other,
    });
    let mut text = String::new();
    html::push_html(&mut text, events);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_fragments_and_to_the_page_that_shows_them() {
        let text = "# add\n\n| a | b |\n|---|---|\n| [x](../y/x.md#form-2) | [open](../../#1.abc) |\n";
        let page = Page { path: "agal/add.md".into(), text: text.into() };
        let fragment = fragment(&page);
        assert!(fragment.contains("<a href=\"../y/x.html#form-2\">x</a>"), "{fragment}");
        assert!(fragment.contains("<a href=\"#1.abc\">open</a>"), "{fragment}");
        assert!(fragment.contains("<table>"), "{fragment}");
    }
}
