//! The files of a crate import each other in one direction.
//!
//! # What counts
//! A file *imports* another when it names something that the other defines by a path: in a `use` declaration, or
//! anywhere in code by a path that begins with `crate`, `super` or `self`. Re-exports are followed to the file that
//! defines the item, so `crate::Name` of a name that the root re-exports from `a/b.rs` is an import of `a/b.rs`.
//!
//! Imports downwards, from a module's file to files of modules inside of it, are not counted: a module is made of them.
//! Files and items that are compiled for tests only are not counted either.
//!
//! Files from which imports lead back to themselves form a *knot*. A breach is a pair of files of one knot of which
//! one imports the other. To remove a knot, remove the imports that point the wrong way.

use crate::modules;
use crate::ratchet::{Breach, check};
use crate::sources::{File, crates};
use std::collections::{BTreeMap, BTreeSet};

/// What one `use` declaration brings into its file.
struct Import {
    /// Offset of the declaration.
    at: usize,
    path: Vec<String>,
    /// The name by which the file knows it; `None` for all names of a module.
    name: Option<String>,
}

/// The modules of one crate.
struct Tree<'f> {
    files: &'f [File],
    parents: Vec<Option<usize>>,
    children: Vec<BTreeMap<String, usize>>,
    imports: Vec<Vec<Import>>,
    items: Vec<BTreeSet<String>>,
}

/// The parts of code that matter here: names, `::`, and single characters; each with its offset.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut chars = code.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = at + c.len_utf8();
        if c.is_alphanumeric() || c == '_' {
            while let Some((i, _)) = chars.next_if(|(_, c)| c.is_alphanumeric() || *c == '_') {
                end = i + 1;
            }
        } else if c == ':' && chars.next_if(|(_, c)| *c == ':').is_some() {
            end += 1;
        }
        found.push((at, &code[at..end]));
    }
    found
}

/// Reads the tree of a `use` declaration from token `i` on; returns the first token after it.
fn use_tree(
    tokens: &[(usize, &str)],
    mut i: usize,
    at: usize,
    path: &[String],
    out: &mut Vec<Import>,
) -> usize {
    let mut path = path.to_vec();
    loop {
        match tokens.get(i).map_or("", |t| t.1) {
            "::" => i += 1,
            "{" => {
                i += 1;
                while !matches!(tokens.get(i).map_or("}", |t| t.1), "}" | ";") {
                    i = use_tree(tokens, i, at, &path, out);
                    if tokens.get(i).is_some_and(|t| t.1 == ",") {
                        i += 1;
                    }
                }
                return i + 1;
            }
            "*" => {
                out.push(Import { at, path, name: None });
                return i + 1;
            }
            "as" => {
                let name = tokens.get(i + 1).map(|t| t.1.to_string());
                out.push(Import { at, path, name });
                return i + 2;
            }
            "," | "}" | ";" | "" => {
                if path.last().is_some_and(|s| s == "self") && path.len() > 1 {
                    path.pop();
                }
                let name = path.last().cloned();
                out.push(Import { at, path, name });
                return i;
            }
            segment => {
                path.push(segment.to_string());
                i += 1;
            }
        }
    }
}

/// The `use` declarations of a file.
fn imports(tokens: &[(usize, &str)]) -> Vec<Import> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        // `use<'a>` in a type is no declaration.
        if tokens[i].1 == "use" && tokens.get(i + 1).is_some_and(|t| t.1 != "<") {
            i = use_tree(tokens, i + 1, tokens[i].0, &[], &mut out);
        } else {
            i += 1;
        }
    }
    out
}

/// The paths in code that begin at the crate's root, the parent or the module itself.
fn paths(tokens: &[(usize, &str)]) -> Vec<(usize, Vec<String>)> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let starts = matches!(tokens[i].1, "crate" | "super" | "self") && (i == 0 || tokens[i - 1].1 != "::");
        if !starts || tokens.get(i + 1).is_none_or(|t| t.1 != "::") {
            i += 1;
            continue;
        }
        let (at, mut path) = (tokens[i].0, vec![tokens[i].1.to_string()]);
        i += 1;
        while tokens.get(i).is_some_and(|t| t.1 == "::") {
            let Some(next) =
                tokens.get(i + 1).filter(|t| t.1.starts_with(|c: char| c.is_alphabetic() || c == '_'))
            else {
                break;
            };
            path.push(next.1.to_string());
            i += 2;
        }
        out.push((at, path));
    }
    out
}

/// The names that a file defines.
fn items(tokens: &[(usize, &str)]) -> BTreeSet<String> {
    const KEYWORDS: [&str; 9] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod"];
    let named = tokens.windows(2).filter(|w| KEYWORDS.contains(&w[0].1)).map(|w| w[1].1.to_string());
    let macros = tokens.windows(3).filter(|w| w[0].1 == "macro_rules").map(|w| w[2].1.to_string());
    named.chain(macros).collect()
}

impl<'f> Tree<'f> {
    fn new(files: &'f [File]) -> Tree<'f> {
        let parents = modules::parents(files);
        let children = (0..files.len()).map(|i| {
            let named = modules::declared(&files[i]).into_iter();
            named.filter_map(|(_, n)| Some((n.to_string(), modules::child(files, i, n)?))).collect()
        });
        let tokens: Vec<_> = files.iter().map(|f| tokens(&f.lexed.code)).collect();
        Tree {
            files,
            children: children.collect(),
            imports: tokens.iter().map(|t| imports(t)).collect(),
            items: tokens.iter().map(|t| items(t)).collect(),
            parents,
        }
    }

    fn root(&self, mut file: usize) -> usize {
        while let Some(parent) = self.parents[file] {
            file = parent;
        }
        file
    }

    /// The file that defines what a path names in a file; `None` where that is another crate, or not found.
    fn resolve(&self, from: usize, path: &[String], depth: usize) -> Option<usize> {
        if depth == 0 {
            return None;
        }
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.walk(self.root(from), rest, depth),
            "self" => self.walk(from, rest, depth),
            "super" => self.walk(self.parents[from]?, rest, depth),
            name if self.children[from].contains_key(name) => self.walk(from, path, depth),
            name => {
                let import = self.imports[from]
                    .iter()
                    .find(|i| i.name.as_deref() == Some(name) && i.path.len() > 1)?;
                self.through(from, import, rest, depth)
            }
        }
    }

    /// What follows a name that a declaration imported.
    fn through(&self, from: usize, import: &Import, rest: &[String], depth: usize) -> Option<usize> {
        let mut path = import.path.clone();
        path.extend(rest.iter().cloned());
        self.resolve(from, &path, depth - 1)
    }

    /// Follows the rest of a path from a module on.
    fn walk(&self, module: usize, rest: &[String], depth: usize) -> Option<usize> {
        let Some((first, after)) = rest.split_first() else { return Some(module) };
        if first == "super" {
            return self.walk(self.parents[module]?, after, depth);
        }
        if let Some(child) = self.children[module].get(first) {
            return self.walk(*child, after, depth);
        }
        if self.items[module].contains(first) {
            return Some(module);
        }
        let named = self.imports[module].iter().find(|i| i.name.as_ref() == Some(first));
        if let Some(import) = named {
            // A name of another crate is defined nowhere here.
            return self.through(module, import, after, depth);
        }
        for all in self.imports[module].iter().filter(|i| i.name.is_none()) {
            let Some(target) = self.resolve(module, &all.path, depth - 1) else { continue };
            let has = self.items[target].contains(first)
                || self.imports[target].iter().any(|i| i.name.as_ref() == Some(first));
            if target != module && has {
                return self.walk(target, rest, depth - 1);
            }
        }
        Some(module)
    }

    fn below(&self, mut file: usize, above: usize) -> bool {
        while let Some(parent) = self.parents[file] {
            if parent == above {
                return true;
            }
            file = parent;
        }
        false
    }

    /// The imports that count, by file, with the line of the first.
    fn edges(&self) -> Vec<BTreeMap<usize, usize>> {
        let mut edges = vec![BTreeMap::new(); self.files.len()];
        for (i, file) in self.files.iter().enumerate().filter(|f| !f.1.test) {
            let tokens = tokens(&file.lexed.code);
            let uses = self.imports[i].iter().map(|import| (import.at, import.path.clone()));
            for (at, path) in uses.chain(paths(&tokens)) {
                if file.in_tests(at) {
                    continue;
                }
                let Some(target) = self.resolve(i, &path, 16) else { continue };
                if target != i && !self.files[target].test && !self.below(target, i) {
                    edges[i].entry(target).or_insert_with(|| file.line(at));
                }
            }
        }
        edges
    }
}

/// The files that each file reaches by imports.
fn reached(edges: &[BTreeMap<usize, usize>], from: usize) -> BTreeSet<usize> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(edges[at].keys().filter(|to| found.insert(**to)));
    }
    found
}

/// The pairs of files that lie in one knot: who imports, on which line, and what.
fn knots(files: &[File]) -> Vec<Breach> {
    let edges = Tree::new(files).edges();
    let reached: Vec<_> = (0..files.len()).map(|i| reached(&edges, i)).collect();
    let mut breaches = Vec::new();
    for (i, targets) in edges.iter().enumerate() {
        for (to, line) in targets.iter().filter(|(to, _)| reached[**to].contains(&i)) {
            let what = format!("imports {}", files[*to].path);
            breaches.push(Breach { path: files[i].path.clone(), line: *line, what });
        }
    }
    breaches
}

#[test]
fn files_import_in_one_direction() {
    let all = crates();
    let found: Vec<_> = all.iter().map(|krate| (krate.name.as_str(), knots(&krate.files))).collect();
    check("circles", &found);
}

#[test]
fn circles_are_found_through_re_exports() {
    let files: Vec<File> = [
        ("src/a.rs", "use crate::B; pub struct A;"),
        ("src/b.rs", "pub struct B(super::A); #[cfg(test)] mod t { use crate::C; }"),
        ("src/c.rs", "use crate::{self, A}; pub struct C;"),
        ("src/lib.rs", "mod a; mod b; mod c; pub use a::A; pub use b::*; pub use c::C;"),
    ]
    .map(|(path, source)| File::new(path, source))
    .into();
    let found: Vec<String> = knots(&files).into_iter().map(|b| format!("{}: {}", b.path, b.what)).collect();
    assert_eq!(found, ["src/a.rs: imports src/b.rs", "src/b.rs: imports src/a.rs"]);
}
