//! The source files of the workspace.

use crate::lexer::{Lexed, lex, test_items};
use crate::modules;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The crates that hold an instruction set each.
pub(crate) const FAMILIES: [&str; 4] = ["agal", "pica200", "maxwell", "agx"];

/// One source file.
pub(crate) struct File {
    /// Its path in its crate, `src/…`, with forward slashes.
    pub(crate) path: String,
    pub(crate) source: String,
    pub(crate) lexed: Lexed,
    /// Whether the file is compiled for tests only.
    pub(crate) test: bool,
    test_items: Vec<Range<usize>>,
}

impl File {
    pub(crate) fn new(path: &str, source: &str) -> File {
        let lexed = lex(source);
        let test_items = test_items(&lexed.code);
        File { path: path.into(), source: source.into(), lexed, test: false, test_items }
    }

    fn read(root: &Path, path: &Path) -> File {
        let source = fs::read_to_string(path).expect("a source file is readable");
        let path = path.strip_prefix(root).expect("a path in the crate");
        File::new(&path.to_string_lossy().replace('\\', "/"), &source)
    }

    /// The line of an offset, from 1.
    pub(crate) fn line(&self, at: usize) -> usize {
        1 + self.source[..at].matches('\n').count()
    }

    /// Whether an offset lies in code that is compiled for tests only.
    pub(crate) fn in_tests(&self, at: usize) -> bool {
        self.test || self.test_items.iter().any(|r| r.contains(&at))
    }

    /// Whether the file lies in the folder `src/NAME/`, is `src/NAME.rs`, or lies below another folder of this name.
    pub(crate) fn below(&self, name: &str) -> bool {
        self.path.split('/').any(|part| part.strip_suffix(".rs").unwrap_or(part) == name)
    }
}

/// One crate.
pub(crate) struct Crate {
    /// The name of its folder.
    pub(crate) name: String,
    /// The files below `src` and `tests`.
    pub(crate) files: Vec<File>,
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace's root")
}

/// The Rust files below a folder, sorted.
fn rust_files(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    let mut entries: Vec<PathBuf> = entries.map(|e| e.expect("a folder is readable").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The crates below `crates/`, and the chores, sorted by name. This crate is left out: it has to name what it forbids.
pub(crate) fn crates() -> Vec<Crate> {
    let root = root();
    let mut dirs: Vec<PathBuf> =
        fs::read_dir(root.join("crates")).expect("crates").map(|e| e.expect("a folder").path()).collect();
    dirs.extend(["xtask", "xtask/binder"].map(|dir| root.join(dir)));
    dirs.retain(|d| d.join("Cargo.toml").is_file() && !d.ends_with("source-tests"));
    dirs.sort();
    let crates: Vec<Crate> = dirs
        .iter()
        .map(|dir| {
            let mut paths = Vec::new();
            rust_files(&dir.join("src"), &mut paths);
            rust_files(&dir.join("tests"), &mut paths);
            let mut files: Vec<File> = paths.iter().map(|p| File::read(dir, p)).collect();
            for file in &mut files {
                file.test |= file.path.starts_with("tests/");
            }
            modules::mark_tests(&mut files);
            Crate { name: dir.file_name().expect("a name").to_string_lossy().into_owned(), files }
        })
        .collect();
    assert!(crates.len() >= 12, "only {} crates were found", crates.len());
    crates
}

/// The documents of the workspace: the README, the book, schemas, and what is beside sources; each with its text.
pub(crate) fn documents() -> Vec<(String, String)> {
    let root = root();
    let (mut found, mut open) = (Vec::new(), vec![root.clone()]);
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("a folder is readable") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            if path.is_dir() && !name.starts_with('.') && !["target", "node_modules"].contains(&&*name) {
                open.push(path);
            } else if name.ends_with(".md") || name.ends_with(".schema.json") {
                let name = path.strip_prefix(&root).expect("a path in the workspace");
                let text = fs::read_to_string(&path).expect("a document is readable");
                found.push((name.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    found.sort();
    found
}

/// The families' crates.
pub(crate) fn families() -> Vec<Crate> {
    let found: Vec<Crate> = crates().into_iter().filter(|c| FAMILIES.contains(&c.name.as_str())).collect();
    assert_eq!(found.len(), FAMILIES.len());
    found
}

/// The library of all families.
pub(crate) fn library() -> Crate {
    crates().into_iter().find(|c| c.name == "shisa").expect("the library")
}

/// The files of the library that serve one family, without its part of the reference, which is sorted by words.
pub(crate) fn of_family<'c>(library: &'c Crate, family: &str) -> impl Iterator<Item = &'c File> {
    let folder = format!("src/family/{family}/");
    let files: Vec<&File> =
        library.files.iter().filter(|f| f.path.starts_with(&folder) && !f.below("explain")).collect();
    assert!(files.len() > 3, "{folder} has {} files", files.len());
    files.into_iter()
}
