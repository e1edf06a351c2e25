//! What the reference states, compared with files in `tests/expected`: one instruction of each family with its page and
//! its data, indexes, and digests of all pages and all data. `BLESS=1` writes the files.
//!
//! A digest cannot show that a page is right: the files beside it are read by people. It shows that a page has changed.

use crate::ISA;
use shisa_reference::pages;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The instruction of each family that is shown whole: with modifiers, operands of several parts, and memory or texels.
const SHOWN: [(&str, &str); 4] =
    [("agal", "tex"), ("pica200", "mad"), ("maxwell", "LDG"), ("agx", "st_tile")];

/// The FNV-1a digest of a text.
fn digest(text: &str, digest: u64) -> u64 {
    text.bytes().fold(digest, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// All files, by name.
fn files() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut digests = String::new();
    for family in &ISA.families {
        let all = serde_json::to_string(&family).unwrap();
        let found = digest(&all, 0xcbf2_9ce4_8422_2325);
        writeln!(digests, "{} data: {} bytes, digest {found:016x}", family.name, all.len()).unwrap();
        let (_, shown) = SHOWN.iter().find(|(name, _)| *name == family.name).unwrap();
        let forms: Vec<_> = family.forms.iter().filter(|form| form.name == *shown).collect();
        assert!(!forms.is_empty(), "{} has no {shown}", family.name);
        let data = serde_json::to_string_pretty(&forms).unwrap() + "\n";
        files.insert(format!("{}-{shown}.json", family.name), data);
    }
    let pages = pages(&ISA, "").unwrap();
    let mut parts: BTreeMap<&str, (usize, usize, u64)> = BTreeMap::new();
    for page in &pages {
        let part = page.path.split('/').nth(1).filter(|part| !part.contains('.')).unwrap_or("book");
        let (count, bytes, sum) = parts.entry(part).or_insert((0, 0, 0xcbf2_9ce4_8422_2325));
        (*count, *bytes, *sum) =
            (*count + 1, *bytes + page.text.len(), digest(&page.text, digest(&page.path, *sum)));
        // The pages of these words, and the indexes of one family.
        let file = page.path.rsplit('/').next().unwrap().to_lowercase();
        let is_shown =
            SHOWN.iter().any(|(family, name)| part == *family && file == format!("{name}.md").to_lowercase());
        if is_shown || part == "pica200" && page.path.matches('/').count() == 2 {
            files.insert(page.path.replace('/', "-"), page.text.clone());
        }
    }
    for (part, (count, bytes, sum)) in parts {
        writeln!(digests, "{part} pages: {count}, {bytes} bytes, digest {sum:016x}").unwrap();
    }
    files.insert("digests.txt".to_owned(), digests);
    files
}

#[test]
fn the_reference_states_what_it_stated_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expected");
    let files = files();
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in &files {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    let stored: Vec<_> =
        fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(stored.len(), files.len(), "the folder has other files: {stored:?}");
    for (name, text) in &files {
        let expected = fs::read_to_string(folder.join(name)).unwrap();
        let line = expected.lines().zip(text.lines()).position(|(expected, text)| expected != text);
        let line = line.unwrap_or_else(|| expected.lines().count().min(text.lines().count()));
        let of = |text: &str| text.lines().nth(line).unwrap_or("nothing").to_owned();
        let (was, is) = (of(&expected), of(text));
        assert!(
            expected == *text,
            "{name}:{}: was `{was}`, is `{is}`; BLESS=1 writes what is right",
            line + 1
        );
    }
}
