//! The tree of a crate's modules: which file is which module, and which are compiled for tests only.

use crate::sources::File;

/// The index of each file's parent; `None` for the root and for files that no file declares.
pub(crate) fn parents(files: &[File]) -> Vec<Option<usize>> {
    let mut parents = vec![None; files.len()];
    for (i, file) in files.iter().enumerate() {
        for (_, name) in declared(file) {
            if let Some(child) = child(files, i, name) {
                parents[child] = Some(i);
            }
        }
    }
    parents
}

/// The modules that a file declares with `mod NAME;`: the offset of the name, and the name.
pub(crate) fn declared(file: &File) -> Vec<(usize, &str)> {
    let code = &file.lexed.code;
    let mut found = Vec::new();
    for (at, _) in code.match_indices("mod ") {
        if at > 0 && !code.as_bytes()[at - 1].is_ascii_whitespace() {
            continue;
        }
        let rest = &code[at + 4..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end > 0 && rest[end..].trim_start().starts_with(';') {
            found.push((at + 4, &rest[..end]));
        }
    }
    found
}

/// The file of a module that a file declares.
pub(crate) fn child(files: &[File], parent: usize, name: &str) -> Option<usize> {
    let path = &files[parent].path;
    let (dir, file) = path.rsplit_once('/').unwrap_or(("", path));
    let dir = match file {
        "lib.rs" | "main.rs" | "mod.rs" => dir.to_string(),
        _ => path.trim_end_matches(".rs").to_string(),
    };
    let wanted = [format!("{dir}/{name}.rs"), format!("{dir}/{name}/mod.rs")];
    files.iter().position(|f| wanted.contains(&f.path))
}

/// Marks the files of modules that are declared under `#[cfg(test)]`, and all below them.
pub(crate) fn mark_tests(files: &mut [File]) {
    let mut tests: Vec<usize> = Vec::new();
    for (i, file) in files.iter().enumerate() {
        let declared = declared(file).into_iter().filter(|(at, _)| file.in_tests(*at));
        tests.extend(declared.filter_map(|(_, name)| child(files, i, name)));
    }
    let parents = parents(files);
    for (i, file) in files.iter_mut().enumerate() {
        let mut up = Some(i);
        while let Some(at) = up {
            file.test |= tests.contains(&at);
            up = parents[at];
        }
    }
}
