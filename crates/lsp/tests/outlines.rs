//! Outlines of sources that change.

use shisa::rows::editing::{Editing, Outline};
use shisa::{Language, Settings};
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

/// The edits of each text.
const EDITS: usize = 150;

/// Texts that are typed: they begin and end comments, quotes, blocks, parts with their own labels, and lines.
const TYPED: [&str; 40] = [
    "",
    "\n",
    "\r\n",
    "\r",
    "\u{c}",
    "\u{feff}",
    "\u{e9}",
    "\u{1f600}",
    "/*",
    "*/",
    "/* ",
    " */",
    "*",
    "/",
    "//",
    ";",
    "\"",
    "{",
    "}",
    "(",
    ")",
    ":",
    "::",
    ".",
    "@",
    "@P0 ",
    "#if 1\n",
    "#endif\n",
    "macro A(b) {\n",
    "alias v0, uv\n",
    ".code \"a\"\n",
    ".data \"b\"\n",
    ".proc main\n",
    ".end\n",
    ".fvec a[4], b\n",
    "label: ",
    "mov ",
    "R1, ",
    "ife v0.x, fc0.x\neif\n",
    "\n\n\n",
];

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }
}

/// The languages, each with a source.
fn languages() -> [(Language, &'static str); 5] {
    [
        (Language::Agal, "examples/fog.frag.agal"),
        (Language::AgalMacros, "tests/agal/macro/colour-transform.agalm"),
        (Language::Picasso, "examples/flat.v.pica"),
        (Language::Maxwell, "examples/saxpy.maxwell"),
        (Language::Agx, "examples/collatz.agx"),
    ]
}

fn editing(language: Language, text: &str) -> Box<dyn Editing> {
    language.editing(text, &Settings::new()).expect("all instruction sets are built")
}

/// A character boundary of a text, in a range.
fn boundary(text: &str, range: RangeInclusive<usize>, random: &mut Random) -> usize {
    let at = range.start() + random.below(range.end() - range.start() + 1);
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).expect("0 is one")
}

/// After each of many edits, the outline that was changed equals one that is read anew.
#[test]
fn changed_outlines_equal_new_ones() {
    let mut random = Random(1);
    let (mut read, mut lines) = (0, 0);
    for (language, path) in languages() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        let example = fs::read_to_string(path).expect("an example");
        for begin in [&example, "", "\u{feff}/*\n*/ mov\n\n/*", "a\r\nb\r\n\u{c}\r\n"] {
            let editing = editing(language, begin);
            let (mut text, mut outline) = (begin.to_owned(), editing.outline(begin));
            for _ in 0..EDITS {
                let former = text.clone();
                for _ in 0..1 + random.below(3) {
                    let start = boundary(&text, 0..=text.len(), &mut random);
                    let most = if random.below(8) == 0 { text.len() } else { text.len().min(start + 12) };
                    let end = boundary(&text, start..=most, &mut random);
                    text.replace_range(start..end, TYPED[random.below(TYPED.len())]);
                }
                read += editing.update(&mut outline, &former, &text);
                lines += text.split('\n').count();
                let new = editing.outline(&text);
                assert_eq!(outline, new, "{language:?}: {former:?} to {text:?}");
                assert_eq!((outline.blocks(), outline.extents()), (new.blocks(), new.extents()));
            }
        }
    }
    assert!(read < lines, "{read} of {lines} lines");
}

/// Names that are defined and removed are found, whatever was read.
#[test]
fn names_follow_changes() {
    let editing = editing(Language::Maxwell, "");
    let (mut text, mut outline) = (String::new(), Outline::default());
    let mut change = |new: &str| {
        let count = editing.update(&mut outline, &text, new);
        text = new.to_owned();
        let uses = |number: usize| outline.uses(&text, number).len();
        let names = outline.symbols.iter().map(|symbol| symbol.name.clone()).zip(0..);
        (count, names.map(|(name, number)| (name, uses(number))).collect::<Vec<_>>())
    };
    let list = |names: &[(&str, usize)]| -> Vec<(String, usize)> {
        names.iter().map(|(name, uses)| ((*name).to_owned(), *uses)).collect()
    };
    assert_eq!(change("a:\nBRA a ;\nBRA b ;\n"), (4, list(&[("a", 1)])));
    assert_eq!(change("a:\nb:\nBRA a ;\nBRA b ;\n").1, list(&[("a", 1), ("b", 1)]));
    assert_eq!(change("a:\n.code \"m\"\nb:\nBRA a ;\nBRA b ;\n").1, list(&[("a", 0), ("m", 0), ("b", 1)]));
    assert_eq!(change("a:\n/*\n.code \"m\"\nb:\nBRA a ;\nBRA b ;\n").1, list(&[("a", 0)]));
    assert_eq!(change("a:\n/*\n.code \"m\"\n*/b:\nBRA a ;\nBRA b ;\n").1, list(&[("a", 1), ("b", 1)]));
}

/// The lines that are read again do not depend on the length of the source.
#[test]
fn changes_read_the_lines_that_they_change() {
    for language in Language::ALL.iter().copied() {
        let editing = editing(language, "");
        let text = "mov r0, r1\n".repeat(1000);
        let mut outline = Outline::default();
        assert_eq!(editing.update(&mut outline, "", &text), 1001, "{language:?}");
        for at in [0, 11 * 500, 11 * 500 + 4, text.len()] {
            let mut changed = text.clone();
            changed.insert_str(at, "x\n");
            assert!(editing.update(&mut outline, &text, &changed) <= 3, "{language:?} at {at}");
            assert!(editing.update(&mut outline, &changed, &text) <= 3, "{language:?} at {at}");
        }
    }
}
