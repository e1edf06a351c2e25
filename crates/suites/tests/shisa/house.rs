//! The shape of this crate and of the command: what a single instruction set needs is in its folder; verbs know no
//! instruction set.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A source of a crate, and its path in the crate's `src`.
struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    fn of_family(&self) -> bool {
        self.path.starts_with("family") && self.path.parent() != Some(Path::new("family"))
    }
}

fn sources(root: &Path, folder: &Path, list: &mut Vec<Source>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let path = folder.join(entry.unwrap().file_name());
        if root.join(&path).is_dir() {
            sources(root, &path, list);
        } else {
            list.push(Source { text: fs::read_to_string(root.join(&path)).unwrap(), path });
        }
    }
}

fn crate_sources(name: &str) -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
    let mut list = Vec::new();
    sources(&root, Path::new(""), &mut list);
    assert!(list.len() > 10, "{}", root.display());
    list
}

/// Attributes that leave items out of a build.
fn conditions(source: &Source) -> usize {
    let lines = source.text.lines().map(str::trim_start);
    lines.filter(|l| l.contains("#[cfg(") && !l.contains("#[cfg(test)]")).count()
}

#[test]
fn features_are_decided_in_few_lines() {
    let all = crate_sources("shisa");
    let shared: usize = all.iter().filter(|s| !s.of_family()).map(conditions).sum();
    assert!((1..=15).contains(&shared), "{shared} conditions outside of families");
    for family in ["agal", "pica200", "maxwell", "agx"] {
        let folder = Path::new("family").join(family);
        let own: usize = all.iter().filter(|s| s.path.starts_with(&folder)).map(conditions).sum();
        assert!(own <= 5, "{own} conditions in {family}");
    }
}

#[test]
fn what_families_share_is_small() {
    let all = crate_sources("shisa");
    let without_tests = |s: &Source| s.text.split("#[cfg(test)]").next().unwrap().lines().count();
    let lines: usize = all.iter().filter(|s| !s.of_family()).map(without_tests).sum();
    assert!((1_000..=3_000).contains(&lines), "{lines} lines outside of families");
}

/// Names that `pub use` and `pub mod` export, without those of a glob.
fn names(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for start in text.match_indices("\npub ").map(|(at, _)| &text[at + 5..]) {
        if let Some(name) = start.strip_prefix("mod ") {
            found.insert(name.split(';').next().unwrap().to_owned());
        } else if let Some(path) = start.strip_prefix("use ") {
            let path = path.split(';').next().unwrap();
            let list = path.split_once('{').map_or(path, |(_, list)| list.trim_end_matches(['}', '\n']));
            for name in list.split(',').map(str::trim).filter(|n| !n.is_empty()) {
                let name = name.rsplit(" as ").next().unwrap().rsplit("::").next().unwrap();
                found.insert(name.to_owned());
            }
        }
    }
    found
}

#[test]
fn the_root_has_few_names() {
    let all = crate_sources("shisa");
    let text = |path: &str| &all.iter().find(|s| s.path == Path::new(path)).unwrap().text;
    let mut root = names(text("lib.rs"));
    assert!(root.remove("*"), "{root:?}");
    root.extend(names(text("family/mod.rs")));
    // The families macro declares these.
    root.extend(["Isa", "Settings"].map(str::to_owned));
    assert!(root.contains("File") && root.contains("agx") && root.contains("translation"), "{root:?}");
    assert!(root.len() <= 25, "{}: {root:?}", root.len());
}

/// The command takes from the module of an instruction set only what this crate declares there, not what the family's
/// own crate has.
#[test]
fn the_command_uses_no_family_crate() {
    let all = crate_sources("shisa");
    let mut uses = 0;
    for source in crate_sources("cli") {
        for family in ["agal", "pica200", "maxwell", "agx"] {
            assert!(!source.text.contains(&format!("shisa_{family}")), "{}", source.path.display());
            let module = Path::new("family").join(family).join("mod.rs");
            let own = names(&all.iter().find(|s| s.path == module).unwrap().text);
            let path = format!("shisa::{family}::");
            for (at, _) in source.text.match_indices(&path) {
                let rest = &source.text[at + path.len()..];
                let list = match rest.strip_prefix('{') {
                    Some(list) => list.split('}').next().unwrap(),
                    None => rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap(),
                };
                for name in list.split(',').map(str::trim).filter(|n| !n.is_empty()) {
                    let first = name.split("::").next().unwrap();
                    assert!(own.contains(first), "{}: {path}{name}", source.path.display());
                    uses += 1;
                }
            }
        }
    }
    assert!(uses > 10, "{uses} names are used");
}

/// A verb queries the opened file, and never tests which instruction set it is.
#[test]
fn verbs_match_on_no_instruction_set() {
    for source in crate_sources("shisa").iter().filter(|s| !s.path.starts_with("family")) {
        let code = source.text.split("#[cfg(test)]").next().unwrap();
        for name in ["Isa::Agal", "Isa::Pica200", "Isa::Maxwell", "Isa::Agx"] {
            assert!(!code.contains(name), "{}: {name}", source.path.display());
        }
        for family in ["shisa_agal", "shisa_pica200", "shisa_maxwell", "shisa_agx"] {
            assert!(!code.contains(family), "{}: {family}", source.path.display());
        }
    }
}

/// The build of an emulator: one instruction set, and the languages that need no naga.
#[test]
fn an_emulator_needs_few_crates() {
    for family in ["agal", "pica200", "maxwell", "agx"] {
        let mut tree = Command::new(env!("CARGO"));
        tree.args(["tree", "--offline", "--package", "shisa", "--no-default-features", "--features"]);
        tree.arg(format!("{family},spirv,wgsl")).args(["--edges", "normal", "--prefix", "none"]);
        let out = tree.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        let names: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        let others: Vec<&&str> = names.iter().filter(|name| !name.starts_with("shisa")).collect();
        assert!(
            names.contains("shisa") && names.contains("spirv"),
            "{}",
            String::from_utf8_lossy(&out.stderr)
        );
        assert!(others.len() <= 16, "{family} needs {}: {others:?}", others.len());
        assert!(!names.contains("naga"));
    }
}
