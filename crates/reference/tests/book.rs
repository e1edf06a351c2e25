//! The book is complete: `SUMMARY.md` has every page, every link leads to a page and a heading, and no section is empty.

use crate::ISA;
use shisa_reference::{Family, FormData, OperandData, Page, pages};
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
    let mut book = pages(&ISA, &chapters).unwrap();
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

/// The pages of instructions, with their instruction sets and their forms.
fn instructions() -> impl Iterator<Item = (&'static Family, Vec<&'static FormData>, &'static Page)> {
    let drawn = |page: &&Page| page.text.contains("<table class=\"bits\">");
    BOOK.iter().filter(drawn).map(|page| {
        let family = ISA.families.iter().find(|f| page.path.starts_with(&format!("reference/{}/", f.name)));
        let family = family.unwrap();
        let name = page.text.lines().next().unwrap().trim_start_matches("# ").replace('\\', "");
        (family, family.forms.iter().filter(|form| form.name == name).collect(), page)
    })
}

/// What a diagram shows of each bit, from the highest down: a digit, `f` for a field, or `.` for one without a meaning.
fn drawn(page: &Page) -> String {
    let cells = page.text.split("<td class=\"").skip(1).map(|cell| {
        let (class, rest) = cell.split_once("\" colspan=\"").unwrap();
        let (count, rest) = rest.split_once("\">").unwrap();
        let sign = match class {
            "fixed" => return rest.split_once('<').unwrap().0.to_owned(),
            "field" => "f",
            _ => ".",
        };
        sign.repeat(count.parse().unwrap())
    });
    cells.collect()
}

fn word_bits(runs: &[(u8, u8)]) -> Vec<u8> {
    runs.iter().flat_map(|(lo, width)| *lo..lo + width).collect()
}

/// The bits of a word that are an operand's: those of its parts, if it has several.
fn operand_bits(operand: &OperandData) -> Vec<u8> {
    let bits = word_bits(&operand.bits);
    match &operand.parts[..] {
        [] | [_] => bits,
        parts => parts.iter().flat_map(|p| &bits[p.lo.into()..(p.lo + p.width).into()]).copied().collect(),
    }
}

#[test]
fn diagrams_show_every_bit_of_every_form() {
    let mut names = BTreeSet::new();
    for (family, of, page) in instructions() {
        let mut want = String::new();
        for form in &of {
            let operands = form.operands.iter().chain(&form.prefix).chain(&form.suffix);
            let modifiers = form.modifiers.iter().flat_map(|modifier| word_bits(&modifier.bits));
            let fields: BTreeSet<u8> = modifiers.chain(operands.flat_map(operand_bits)).collect();
            let end = form.length.map_or(family.bits, |length| 8 * u32::from(length.long));
            let drawn = |bit: &u32| {
                family.pieces.iter().any(|p| (p.lo.into()..u32::from(p.lo + p.width)).contains(bit))
            };
            want.extend((0..end).rev().filter(drawn).map(|bit| {
                let set = |word: u128| bit < 128 && word >> bit & 1 != 0;
                match () {
                    () if set(form.mask.0) => {
                        if set(form.bits.0) {
                            '1'
                        } else {
                            '0'
                        }
                    }
                    () if fields.contains(&(bit as u8)) => 'f',
                    () if form.filler.is_some_and(|filler| set(filler.0)) => '1',
                    () => '.',
                }
            }));
        }
        assert_eq!(drawn(page), want, "{}", page.path);
        names.extend(of.iter().map(|form| (family.name, form.name)));
    }
    let all = ISA.families.iter().flat_map(|family| family.forms.iter().map(|form| (family.name, form.name)));
    assert_eq!(names, all.collect());
}

/// Sentences and tables of pages are those of the forms that they are about.
#[test]
fn pages_state_what_is_so_of_their_forms() {
    for (_, forms, page) in instructions() {
        let count = |text: &str| page.text.matches(text).count();
        let of = |test: fn(&FormData) -> bool| forms.iter().filter(|form| test(form)).count();
        assert_eq!(count("| form | written | effect |"), usize::from(forms.len() > 1), "{}", page.path);
        let unstated = of(|form| !form.unstated.is_empty());
        assert_eq!(count("\nThe effect is not stated: "), unstated, "{}", page.path);
        let none = of(|form| form.pseudocode.is_none() && form.unstated.is_empty());
        assert_eq!(count(" Effect\n\nNone.\n"), none, "{}", page.path);
        let one = of(|form| form.length.is_some_and(|length| length.short == length.long));
        let two = of(|form| form.length.is_some_and(|length| length.short != length.long));
        let [sentence, other] = [" bytes.\n", " bytes, or "].map(|end| {
            let told =
                |line: &&str| line.starts_with("The instruction has ") && format!("{line}\n").contains(end);
            page.text.lines().filter(told).count()
        });
        assert_eq!((sentence, other), (one, two), "{}", page.path);
    }
}

/// The bits that a form does not fix are points, and every instruction is in the index of its group; instructions whose
/// effect is not stated are listed, and no others.
#[test]
fn indexes_have_every_form() {
    for family in &ISA.families {
        let index = |name: &str| {
            let path = format!("reference/{}/{name}.md", family.name);
            &BOOK.iter().find(|page| page.path == path).unwrap().text
        };
        let (lo, width) = family.opcode;
        let (bits, groups, uncertain) = (index("bits"), index("groups"), index("uncertain"));
        let unstated = uncertain.split("\n## ").find(|part| part.starts_with("Effects that are not stated"));
        for form in &family.forms {
            let name = format!("{} {}", family.name, form.name);
            let digit = |bit: u8| match form.mask.0 >> bit & 1 {
                0 => ".",
                _ => {
                    if form.bits.0 >> bit & 1 == 0 {
                        "0"
                    } else {
                        "1"
                    }
                }
            };
            let pattern: String = (lo..lo + width).rev().map(digit).collect();
            let link = format!("[{}](", form.name.replace('_', "\\_"));
            let line = |line: &str| line.contains(&format!("`{pattern}`")) && line.contains(&link);
            assert!(bits.lines().any(line), "{name}: {pattern}");
            let group = groups.split("\n## ").find(|part| part.starts_with(&format!("{}\n", form.group)));
            assert!(group.is_some_and(|group| group.contains(&link)), "{name}: {}", form.group);
            let stated = !family.forms.iter().any(|f| f.name == form.name && !f.unstated.is_empty());
            assert_eq!(unstated.is_none_or(|part| !part.contains(&link)), stated, "{name}");
        }
    }
}

/// A table names each field by a letter of its own, or by two where a form has more fields than the alphabet has letters.
#[test]
fn letters_of_a_table_are_distinct() {
    let mut longest = 0;
    for (_, _, page) in instructions() {
        for table in page.text.split("| letter | field |").skip(1) {
            let rows = table.lines().skip(2).take_while(|line| line.starts_with("| **"));
            let letters: Vec<&str> = rows.filter_map(|row| row.split("**").nth(1)).collect();
            assert_eq!(letters.iter().collect::<BTreeSet<_>>().len(), letters.len(), "{}", page.path);
            assert!(letters.iter().all(|l| l.chars().all(|c| c.is_ascii_lowercase())), "{}", page.path);
            longest = longest.max(letters.len());
        }
    }
    assert!(longest > 10, "the longest table has {longest} fields");
}
