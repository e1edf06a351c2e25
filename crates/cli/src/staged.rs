//! A file that is written under another name first, so that its own name always leads to whole contents.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The new contents of a file. Files beside it that are left over are removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Staged {
    target: PathBuf,
    /// The new contents.
    new: Option<PathBuf>,
    /// The old contents, once the new ones are published; `None` if there were none.
    old: Option<PathBuf>,
}

/// Whether an output is written as it is: standard output, a device, a pipe, and what cannot be replaced.
pub(crate) fn direct(name: &OsStr) -> bool {
    let link_to_nothing = || fs::symlink_metadata(name).is_ok();
    name == "-" || fs::metadata(name).map_or_else(|_| link_to_nothing(), |m| !m.is_file())
}

impl Staged {
    /// Writes the contents beside the file.
    pub(crate) fn new(name: &OsStr, bytes: &[u8]) -> io::Result<Staged> {
        let exists = fs::metadata(name).ok();
        if exists.as_ref().is_some_and(|m| m.permissions().readonly()) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        // A link stays one: what it leads to is replaced.
        let target = match exists {
            Some(_) => fs::canonicalize(name)?,
            None => PathBuf::from(name),
        };
        let (path, mut file) = beside(&target, |path| File::create_new(path))?;
        let staged = Staged { target, new: Some(path), old: None };
        file.write_all(bytes)?;
        if let Some(metadata) = exists {
            file.set_permissions(metadata.permissions())?;
        }
        Ok(staged)
    }

    /// The file.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Replaces the file. With `keep`, [`Staged::undo`] can restore it.
    pub(crate) fn publish(&mut self, keep: bool) -> io::Result<()> {
        let Some(new) = &self.new else { return Ok(()) };
        if keep && self.target.exists() {
            let link = |path: &Path| fs::hard_link(&self.target, path);
            let copy = |path: &Path| io::copy(&mut File::open(&self.target)?, &mut File::create_new(path)?);
            let linked = beside(&self.target, link).map(|(path, ())| path);
            self.old = Some(linked.or_else(|_| beside(&self.target, copy).map(|(path, _)| path))?);
        }
        fs::rename(new, &self.target)?;
        self.new = None;
        Ok(())
    }

    /// Restores a file that was replaced. What fails here cannot be mended.
    pub(crate) fn undo(&mut self) {
        let _ = match self.old.take() {
            Some(old) => fs::rename(old, &self.target),
            None => fs::remove_file(&self.target),
        };
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for path in [self.new.take(), self.old.take()].into_iter().flatten() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Makes a file with a new name in the directory of `target`.
fn beside<T>(target: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = target.with_file_name(format!(".shisa-{}-{number}.tmp", std::process::id()));
        match make(&path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            done => return Ok((path, done?)),
        }
    }
}
