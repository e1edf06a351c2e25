//! Several input files, and directories of them.

use crate::input::Input;
use crate::report::Report;
use crate::stop::Stop;
use shisa::diag::Limits;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The input files of a verb that reads any number.
#[derive(Debug, clap::Args)]
pub(crate) struct Files {
    /// Files; - is standard input. FILE#N and FILE#NAME are one of a file's programs
    #[arg(required = true, value_name = "FILE")]
    pub(crate) names: Vec<OsString>,
    /// Read the files in directories and their subdirectories; those of no known kind are only warned about
    #[arg(short, long)]
    recursive: bool,
}

impl Files {
    /// Passes every file to `use_one`, in order. One that cannot be read is reported, and the others follow.
    pub(crate) fn each(
        &self,
        limits: &Limits,
        report: &mut Report,
        mut use_one: impl FnMut(&Input, &mut Report) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for name in &self.names {
            // The next path is the last one.
            let mut paths = vec![PathBuf::from(name)];
            let mut found = false;
            while let Some(path) = paths.pop() {
                match self.open(&path, found, limits) {
                    Ok(Open::File(input)) => use_one(&input, report)?,
                    Ok(Open::Directory(inner)) => {
                        paths.extend(inner);
                        found = true;
                    }
                    Ok(Open::Other) => {}
                    Err(stop) => report.passed_over(stop)?,
                }
            }
        }
        Ok(())
    }

    /// Reads a file or a directory, which was `found` in a directory or else named.
    fn open(&self, path: &Path, found: bool, limits: &Limits) -> Result<Open, Stop> {
        if !path.is_dir() {
            // Reading a pipe or a device that happens to be in a directory could wait for ever.
            return match found && !path.is_file() {
                true => Ok(Open::Other),
                false => Ok(Open::File(Input { found, ..Input::programs(path, limits)? })),
            };
        }
        if !self.recursive {
            let name = shisa::diag::escape(&path.to_string_lossy());
            return Err(Stop::File(format!("{name} is a directory: -r reads the files in it")));
        }
        // A link may lead to a directory around it.
        if found && path.is_symlink() {
            return Ok(Open::Other);
        }
        inside(path).map(Open::Directory).map_err(|e| Stop::file("read", path, &e))
    }
}

/// What a path leads to.
enum Open {
    File(Input),
    /// The paths in it, the last one first.
    Directory(Vec<PathBuf>),
    Other,
}

/// The paths in a directory, in reverse order of their names.
fn inside(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut names: Vec<OsString> =
        fs::read_dir(path)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>()?;
    names.sort_by(|a, b| b.cmp(a));
    Ok(names.iter().map(|name| path.join(name)).collect())
}
