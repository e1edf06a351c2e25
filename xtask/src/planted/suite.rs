//! Tests in the copy of the workspace that is changed.

use std::error::Error;
use std::process::{Command, Stdio};

/// The copy of the workspace.
pub(super) const COPY: &str = "target/planted/source";
/// Where the copy is built. Cargo takes a crate of the copy for that of the workspace, so both share no folder.
const BUILD: &str = "target/planted/build";
/// Seconds that the tests of a crate may run; those that a fault keeps from ending have noticed it.
const LIMIT: &str = "600";

/// `cargo test` of a crate in the copy.
pub(super) struct Tests<'a> {
    /// The crate, without `shisa-`.
    pub group: &'a str,
    /// Further arguments, such as the one test that is wanted.
    pub options: &'a [&'a str],
    /// Whether the output of the tests is shown.
    pub shown: bool,
}

impl Tests<'_> {
    /// Whether they compile.
    pub(super) fn compile(&self) -> Result<bool, Box<dyn Error>> {
        // Builds take as long as they take; the first one compiles everything.
        self.cargo("0", &["--no-run"])
    }

    /// Whether they succeed within the limit.
    pub(super) fn succeed(&self) -> Result<bool, Box<dyn Error>> {
        self.cargo(LIMIT, &[])
    }

    fn cargo(&self, limit: &str, options: &[&str]) -> Result<bool, Box<dyn Error>> {
        let package = match self.group {
            "shisa" => "shisa".to_owned(),
            group => format!("shisa-{group}"),
        };
        let mut command = Command::new("timeout");
        command.args([limit, "cargo", "test", "--quiet", "--package", &package]);
        command.args(self.options).args(options);
        command.current_dir(COPY).env("CARGO_TARGET_DIR", std::path::absolute(BUILD)?);
        if !self.shown {
            command.stdout(Stdio::null()).stderr(Stdio::null());
        }
        Ok(command.status()?.success())
    }
}
