//! Running the command.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The root of the repository, where commands run.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The command with arguments.
pub(crate) fn shisa(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shisa"));
    command.args(args.split_whitespace()).current_dir(ROOT).stdin(Stdio::null());
    command
}

/// What a command wrote, and its exit status.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) status: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

impl From<Output> for Done {
    fn from(o: Output) -> Done {
        let err = String::from_utf8(o.stderr).unwrap();
        Done { status: o.status.code().unwrap(), out: o.stdout, err }
    }
}

impl Done {
    /// The output as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }
}

/// Runs the command with nothing as input.
pub(crate) fn run(args: &str) -> Done {
    shisa(args).output().unwrap().into()
}

/// Runs the command with an input.
pub(crate) fn fed(args: &str, input: &[u8]) -> Done {
    let mut child =
        shisa(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that reads nothing may close its input early.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap().into()
}

/// An empty directory for a test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("manners-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A file of the repository.
pub(crate) fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(ROOT).join(name)).unwrap()
}

/// The names in a directory, in order.
pub(crate) fn names(path: &Path) -> Vec<String> {
    let name = |e: std::io::Result<fs::DirEntry>| e.unwrap().file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = fs::read_dir(path).unwrap().map(name).collect();
    names.sort();
    names
}
