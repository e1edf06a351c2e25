//! glslang as a judge of GLSL: it takes many files at once, because it takes ten times longer to start than to read one.

use super::beginning;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program.
pub(super) const PROGRAM: &str = "glslangValidator";
/// Files of one process.
const FILES: usize = 200;

/// Its verdict on each file, in their order. The ending of a file's name states the stage.
///
/// For each file it prints the path, and below it the errors found. The process runs in `folder`.
pub(super) fn judge(files: &[PathBuf], folder: &Path) -> Vec<Result<(), String>> {
    files.chunks(FILES).flat_map(|part| judge_together(part, folder)).collect()
}

fn judge_together(files: &[PathBuf], folder: &Path) -> Vec<Result<(), String>> {
    let Ok(said) = Command::new(PROGRAM).current_dir(folder).args(files).output() else {
        return vec![Ok(()); files.len()];
    };
    let text = String::from_utf8_lossy(&said.stdout);
    let mut sections: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut current = "";
    for line in text.lines() {
        if files.iter().any(|file| file.to_str() == Some(line)) {
            current = line;
            sections.entry(line).or_default();
        } else if !line.is_empty() {
            sections.entry(current).or_default().push(line);
        }
    }
    let verdict = |file: &PathBuf| match file.to_str().and_then(|path| sections.get(path)) {
        Some(errors) if errors.iter().all(|line| !line.contains("ERROR")) => Ok(()),
        Some(errors) => Err(beginning(&errors.join("\n"))),
        None => Err(format!("{PROGRAM} ended with {} before this file", said.status)),
    };
    files.iter().map(verdict).collect()
}
