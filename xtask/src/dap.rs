//! `cargo xtask dap`: the Debug Adapter and the language server before the clients of the protocols' authors, and the extension of
//! the editor.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

/// Debug examples with the client of the Debug Adapter Protocol's authors, talk to the language server through the connection of
/// its protocol's authors, and test the grammars of the editor
///
/// Needs Node.js and npm, which fetches the packages that `editors/vscode/package-lock.json` names; without them nothing is
/// tested. SHISA is the path of the command to test; without it the command is built.
#[derive(Debug, clap::Args)]
pub(crate) struct Dap {}

/// The programs of Node.js that the tests need, in the order of their use.
const NEEDED: [&str; 2] = ["node", "npm"];

impl Dap {
    /// Tests; returns whether all tests passed or could not run.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        for name in NEEDED {
            let found = Command::new(name).arg("--version").stdout(Stdio::null()).status();
            if !found.is_ok_and(|status| status.success()) {
                println!("skipped: there is no {name}");
                return Ok(true);
            }
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = root.join("editors/vscode");
        if std::env::var_os("SHISA").is_none()
            && !passes(Command::new(env!("CARGO")).args(["build", "-p", "shisa-cli"]).current_dir(&root))?
        {
            return Ok(false);
        }
        let npm = |arguments: &[&str]| passes(Command::new("npm").args(arguments).current_dir(&folder));
        if !npm(&["ci", "--no-audit", "--no-fund"])? {
            println!("skipped: npm cannot fetch the packages");
            return Ok(true);
        }
        Ok(npm(&["run", "check"])? && npm(&["test"])?)
    }
}

/// Whether a program ends well.
fn passes(command: &mut Command) -> Result<bool, Box<dyn Error>> {
    Ok(command.status()?.success())
}
