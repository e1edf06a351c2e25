//! The book is complete: `SUMMARY.md` has every page, every link leads to a page and a heading, and no section is empty.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_reference::{Page, isa, pages};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The folder of the chapters.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src")
}

/// The chapters of docs/book and the pages of the reference.
static BOOK: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let folder = folder();
    let chapters = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let mut book = pages(&isa().unwrap(), &chapters).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name != "SUMMARY.md" && name.ends_with(".md") {
            book.push(Page { path: name, text: fs::read_to_string(path).unwrap() });
        }
    }
    book
});

/// The lines of a page outside of blocks of code.
fn lines(page: &Page) -> impl Iterator<Item = &str> {
    let mut inside = false;
    page.text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// The targets of links to pages, and those of examples.
fn links(page: &Page) -> Vec<&str> {
    let after = lines(page).flat_map(|line| line.split("](").skip(1));
    after
        .filter_map(|rest| rest.split_once(')'))
        .map(|(link, _)| link)
        .filter(|l| !l.contains("://"))
        .collect()
}

/// The name of a heading, as mdBook makes it.
fn anchor(heading: &str) -> String {
    let plain = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    plain.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// A path relative to the folder of a page.
fn resolved(page: &Page, link: &str) -> Option<String> {
    let mut path: Vec<&str> = page.path.split('/').collect();
    path.pop();
    for piece in link.split('/') {
        match piece {
            ".." => drop(path.pop()?),
            piece => path.push(piece),
        }
    }
    Some(path.join("/"))
}

#[test]
fn names_of_files_are_distinct_without_case() {
    let book = &*BOOK;
    let lower: BTreeSet<String> = book.iter().map(|page| page.path.to_lowercase()).collect();
    assert_eq!(lower.len(), book.len());
}

#[test]
fn every_link_leads_to_a_page_and_a_heading() {
    let book = &*BOOK;
    let headings = |page: &Page| -> BTreeSet<String> {
        lines(page)
            .filter(|line| line.starts_with('#'))
            .map(|line| anchor(line.trim_matches(['#', ' '])))
            .collect()
    };
    let known: BTreeMap<&str, BTreeSet<String>> =
        book.iter().map(|page| (page.path.as_str(), headings(page))).collect();
    let (mut pages, mut programs) = (0, 0);
    for page in book {
        for link in links(page) {
            // The folder of the page that opens examples contains the book.
            let up = "../".repeat(page.path.matches('/').count() + 1);
            if link.strip_prefix(&up).is_some_and(|program| program.starts_with("#1.")) {
                programs += 1;
                continue;
            }
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let path = if path.is_empty() { page.path.clone() } else { resolved(page, path).unwrap() };
            if path.ends_with(".png") {
                assert!(folder().join(&path).exists(), "{} shows {path}", page.path);
                continue;
            }
            let found = known.get(path.as_str());
            let found = found.unwrap_or_else(|| panic!("{} links to {path}", page.path));
            assert!(heading.is_empty() || found.contains(heading), "{} links to {link}", page.path);
            pages += 1;
        }
    }
    assert!(pages > 5000 && programs > 500, "{pages} {programs}");
}

#[test]
fn the_summary_has_every_page_once() {
    let book = &*BOOK;
    let summary = book.iter().find(|page| page.path == "SUMMARY.md").unwrap();
    let mut listed = links(summary);
    let mut all: Vec<&str> =
        book.iter().map(|page| page.path.as_str()).filter(|p| *p != "SUMMARY.md").collect();
    listed.sort_unstable();
    all.sort_unstable();
    assert_eq!(listed, all);
}

#[test]
fn no_section_is_empty() {
    for page in &*BOOK {
        let mut heading: Option<usize> = None;
        for line in page.text.lines().chain(["# end"]).filter(|line| !line.trim().is_empty()) {
            let level = line.chars().take_while(|c| *c == '#').count();
            let is_heading = level > 0 && line[level..].starts_with(' ');
            match (is_heading, heading) {
                // A heading may be followed by one of a lower rank.
                (true, Some(before)) => assert!(level > before, "{}: a section before `{line}`", page.path),
                (true, None) => {}
                (false, _) => {
                    heading = None;
                    continue;
                }
            }
            heading = Some(level);
        }
    }
}

#[test]
fn related_instructions_follow_from_what_they_compute() {
    let related = |path: &str| {
        let page = BOOK.iter().find(|page| page.path == path).unwrap();
        page.text.split_once("## Related").unwrap().1
    };
    let line = |path: &str, title: &str| {
        let title = format!("- {title}: ");
        related(path).lines().find_map(|line| line.strip_prefix(&title)).unwrap()
    };
    let add = "reference/maxwell/Maxwell-instruction/FADD.md";
    assert!(line(add, "The same operations on wider numbers").contains("[DADD](DADD.md)"));
    assert!(line(add, "The same operations in other instruction sets").contains("agx [fadd]"));
    let less = "reference/agal/AGAL-opcode/slt.md";
    assert!(line(less, "The opposite").contains("[sge](sge.md)"));
    let load = "reference/maxwell/Maxwell-instruction/LDS.md";
    assert!(line(load, "The opposite").contains("[STS](STS.md)"));
}

#[test]
fn the_first_page_of_an_instruction_set_has_its_chapters() {
    let page = BOOK.iter().find(|page| page.path == "reference/maxwell/index.md").unwrap();
    for chapter in ["maxwell.md", "maxwell-scheduling.md"] {
        assert!(page.text.contains(&format!("(../../{chapter})")), "{chapter}");
    }
}
