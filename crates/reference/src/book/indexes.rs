//! Indexes of an instruction set: by opcode bits, by group, by kind of word, and of what is uncertain.

use super::shelf::{Entry, Kind, Part};
use super::text::{code, escaped, prose, relative, row};
use crate::data::{Family, FormData, Hex};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Headings of sections that state where a fact comes from or that sources disagree.
const EVIDENCE: [&str; 3] = ["How it is known", "Sources disagree", "An early description differs"];

/// The titles of the indexes that instruction sets have, and the names of their files.
pub(super) const TITLES: [(&str, &str); 3] =
    [("By opcode bits", "bits"), ("By group", "groups"), ("What is uncertain", "uncertain")];

/// The first page of a part.
pub(super) fn first(part: &Part<'_>, chapters: &str, path: &str) -> String {
    let mut text = match part.family {
        Some(family) => {
            let mut text = format!(
                "# {}\n\n{}. An instruction is a word of {} bits: {}.\n\n| piece of the word | bits |\n|---|---|\n",
                family.name, family.about, family.bits, family.word
            );
            for piece in family.pieces {
                let _ = writeln!(text, "| {} | {}–{} |", piece.name, piece.lo + piece.width - 1, piece.lo);
            }
            text += "\n";
            for (title, chapter) in about(chapters, family.name) {
                let _ = writeln!(text, "- [{title}]({})", relative(path, chapter));
            }
            for (title, file) in TITLES {
                let _ = writeln!(text, "- [{title}]({})", relative(path, &part.index(file)));
            }
            text
        }
        None => format!("# {}\n\nWords that all instruction sets share.\n\n", part.name),
    };
    for kind in &part.kinds {
        let index = relative(path, &format!("{}/index.md", kind.folder));
        let _ = writeln!(text, "- [{}]({index}): {}", kind.name, kind.entries.len());
    }
    text
}

/// The titles and paths of the chapters about an instruction set: the names of their files begin with its name.
fn about<'c>(chapters: &'c str, name: &str) -> impl Iterator<Item = (&'c str, &'c str)> {
    let chapter = |line: &'c str| {
        let (title, path) = line.trim().strip_prefix("- [")?.split_once("](")?;
        Some((title, path.strip_suffix(')')?))
    };
    chapters.lines().filter_map(chapter).filter(move |(_, path)| path.starts_with(name))
}

/// The words of a kind.
pub(super) fn kind(kind: &Kind<'_>, path: &str) -> String {
    let mut text = format!("# {}\n\n", kind.name);
    for entry in &kind.entries {
        let _ = writeln!(text, "- {}: {}", link(entry, path), prose(&entry.word.summary));
    }
    text
}

fn link(entry: &Entry<'_>, path: &str) -> String {
    format!("[{}]({})", escaped(&entry.word.word), relative(path, &entry.path))
}

/// The forms in the order of their opcode bits.
pub(super) fn bits(part: &Part<'_>, family: &Family, path: &str) -> String {
    let (lo, width) = family.opcode;
    let mut text = format!(
        "# By opcode bits\n\nBits {} to {lo} of the word; a point is a bit that the form does not fix.\n\n\
         | bits | instruction | effect |\n|---|---|---|\n",
        lo + width - 1
    );
    let mut rows: Vec<(String, &FormData)> =
        family.forms.iter().map(|form| (pattern(form, lo, width), form)).collect();
    rows.sort_by(|(a, _), (b, _)| a.cmp(b));
    for (pattern, form) in rows {
        let name = part.find(form.name).map(|entry| link(entry, path)).unwrap_or_default();
        text += &row(&[&code(&pattern), &name, &prose(form.summary)]);
    }
    text
}

fn pattern(form: &FormData, lo: u8, width: u8) -> String {
    let (Hex(mask), Hex(bits)) = (form.mask, form.bits);
    let digit = |bit: u8| match (mask >> bit & 1, bits >> bit & 1) {
        (0, _) => '.',
        (_, 0) => '0',
        _ => '1',
    };
    (lo..lo + width).rev().map(digit).collect()
}

/// The instructions of each group.
pub(super) fn groups(part: &Part<'_>, family: &Family, path: &str) -> String {
    let mut groups: BTreeMap<&str, BTreeMap<&str, &FormData>> = BTreeMap::new();
    for form in &family.forms {
        groups.entry(form.group).or_default().entry(form.name).or_insert(form);
    }
    let mut text = "# By group\n".to_owned();
    for (group, forms) in groups {
        let _ = write!(text, "\n## {group}\n\n");
        for entry in forms.keys().filter_map(|name| part.find(name)) {
            let _ = writeln!(text, "- {}: {}", link(entry, path), prose(&entry.word.summary));
        }
    }
    text
}

/// Instructions whose effect is not stated, and words that state their evidence.
pub(super) fn uncertain(part: &Part<'_>, family: &Family, path: &str) -> String {
    let mut text = "# What is uncertain\n".to_owned();
    let mut unstated: Vec<&str> =
        family.forms.iter().filter(|form| !form.unstated.is_empty()).map(|form| form.name).collect();
    unstated.sort_unstable();
    unstated.dedup();
    let links: Vec<String> = unstated.iter().filter_map(|name| Some(link(part.find(name)?, path))).collect();
    if links.is_empty() {
        text += "\nThe effect of every instruction is stated.\n";
    } else {
        let _ = write!(
            text,
            "\n## Effects that are not stated\n\nThe effect of a form of these instructions is not known, or depends on \
             something that is not known: {}.\n",
            links.join(", ")
        );
    }
    for heading in EVIDENCE {
        let mut evidence: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for entry in part.entries() {
            for section in entry.word.sections.iter().filter(|section| section.heading == heading) {
                evidence.entry(section.lines.join(" ")).or_default().push(link(entry, path));
            }
        }
        if !evidence.is_empty() {
            let _ = write!(text, "\n## {heading}\n\n");
        }
        for (lines, links) in evidence {
            let _ = match &links[..] {
                [link] => writeln!(text, "- {link}: {}", prose(&lines)),
                links => writeln!(text, "- {}: {}", prose(&lines), links.join(", ")),
            };
        }
    }
    text
}
