//! Tests in the copy of the workspace that is changed.

use std::error::Error;
use std::path::Path;
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

    /// Runs the tests in the package of the crate, and those that `shisa-unit-tests` and `shisa-suites` have of it.
    fn cargo(&self, limit: &str, options: &[&str]) -> Result<bool, Box<dyn Error>> {
        let package = match self.group {
            "shisa" => "shisa".to_owned(),
            group => format!("shisa-{group}"),
        };
        let own = run(limit, &[&["--package", &package], self.options, options].concat(), self.shown)?;
        if !own || !self.options.is_empty() {
            return Ok(own);
        }
        for tests in ["shisa-unit-tests", "shisa-suites"] {
            for name in [self.group.to_owned(), format!("public-{}", self.group)] {
                let arguments = ["--package", tests, "--test", &name];
                if is_named(tests, &name)? && !run(limit, &[&arguments, options].concat(), self.shown)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Whether a package of tests has an executable of this name.
fn is_named(tests: &str, name: &str) -> Result<bool, Box<dyn Error>> {
    let folder = Path::new(COPY).join("crates").join(tests.trim_start_matches("shisa-"));
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml"))?;
    let file = folder.join("tests").join(name);
    let is_named = manifest.contains(&format!("[[test]]\nname = \"{name}\"\n"));
    Ok(is_named || file.exists() || file.with_extension("rs").exists())
}

/// Whether `cargo test` succeeds in the copy with these arguments.
fn run(limit: &str, arguments: &[&str], shown: bool) -> Result<bool, Box<dyn Error>> {
    let mut command = Command::new("timeout");
    command.args([limit, "cargo", "test", "--quiet"]).args(arguments);
    command.current_dir(COPY).env("CARGO_TARGET_DIR", std::path::absolute(BUILD)?);
    if !shown {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    Ok(command.status()?.success())
}
