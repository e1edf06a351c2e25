//! A copy of the workspace whose files may differ.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Makes the copy equal to the tracked files, except that the files of `changed` have these texts. Files that are equal
/// keep their times, so that cargo builds only what has changed.
pub(crate) fn copy(copy: &Path, changed: &BTreeMap<PathBuf, String>) -> Result<(), Box<dyn Error>> {
    let names = String::from_utf8(Command::new("git").args(["ls-files", "-z"]).output()?.stdout)?;
    let mut files: BTreeSet<&Path> =
        names.split_terminator('\0').map(Path::new).filter(|f| f.is_file()).collect();
    files.extend(changed.keys().map(PathBuf::as_path));
    for file in &files {
        let bytes = match changed.get(*file) {
            Some(text) => text.clone().into_bytes(),
            None => fs::read(file)?,
        };
        let to = copy.join(file);
        if fs::read(&to).ok().as_ref() != Some(&bytes) {
            fs::create_dir_all(to.parent().unwrap_or(&to))?;
            fs::write(&to, bytes)?;
        }
    }
    let mut folders = vec![PathBuf::from(copy)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.strip_prefix(copy).is_ok_and(|file| files.contains(file)) {
                fs::remove_file(path)?;
            }
        }
    }
    Ok(())
}
