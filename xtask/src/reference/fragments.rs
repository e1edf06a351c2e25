//! The pages of the reference and the chapters of the book as fragments of HTML, which a program shows as help.

use super::book::CHAPTERS;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};
use serde_json::json;
use shisa_reference::Page;
use std::path::Path;
use std::{fs, io};

/// Writes the page of each word into a folder, at its path in the book.
pub(super) fn write(folder: &Path, pages: &[Page]) -> io::Result<()> {
    pages.iter().filter(|page| page.path.contains('/')).try_for_each(|page| written(folder, page))
}

/// Writes the chapters that a list for mdBook has, and `chapters.json`: their titles, paths and depths.
pub(super) fn write_chapters(folder: &Path, list: &str) -> io::Result<()> {
    let mut chapters = Vec::new();
    for (depth, title, path) in list.lines().filter_map(chapter) {
        let text = fs::read_to_string(Path::new(CHAPTERS).join(path))?;
        written(folder, &Page { path: path.to_owned(), text })?;
        chapters.push(json!({ "title": title, "page": path.trim_end_matches(".md"), "depth": depth }));
    }
    super::write(&folder.join("chapters.json"), json!(chapters).to_string().as_bytes())
}

/// The chapter of a line: the number of chapters that contain it, its title and its path.
fn chapter(line: &str) -> Option<(usize, &str, &str)> {
    let (indent, rest) = line.split_once("- [")?;
    let (title, path) = rest.strip_suffix(')')?.split_once("](")?;
    Some((indent.len() / 2, title, path))
}

fn written(folder: &Path, page: &Page) -> io::Result<()> {
    super::write(&folder.join(&page.path).with_extension("html"), fragment(page).as_bytes())
}

/// A page as HTML. Links between pages lead to fragments, and links of examples have only a fragment of a URL. Of images only
/// their texts remain.
fn fragment(page: &Page) -> String {
    let up = "../".repeat(page.path.matches('/').count() + 1);
    let events = Parser::new_ext(&page.text, Options::ENABLE_TABLES);
    let events =
        events.filter(|event| !matches!(event, Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image)));
    let events = events.map(|event| match event {
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

    #[test]
    fn chapters_have_depths_titles_and_texts_without_images() {
        assert_eq!(chapter("# Summary"), None);
        assert_eq!(chapter("- [AGAL](agal.md)"), Some((0, "AGAL", "agal.md")));
        assert_eq!(chapter("  - [How it runs](runs.md)"), Some((1, "How it runs", "runs.md")));
        let page = Page { path: "page.md".into(), text: "![a picture](a.png) [c](c.md)".into() };
        assert_eq!(fragment(&page), "<p>a picture <a href=\"c.html\">c</a></p>\n");
    }
}
