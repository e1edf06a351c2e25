//! `cargo xtask dap`: the Debug Adapter and the language server before the clients of the protocols' authors, and the extension of
//! the editor.

use crate::node::{npm, ready};
use std::error::Error;
use std::path::Path;
use std::process::Command;

/// Debug examples with the client of the Debug Adapter Protocol's authors, talk to the language server through the connection of
/// its protocol's authors, and test the grammars of the editor
///
/// Needs Node.js and npm, which fetches the packages that `editors/vscode/package-lock.json` names; without them nothing is
/// tested. SHISA is the path of the command to test; without it the command is built.
#[derive(Debug, clap::Args)]
pub(crate) struct Dap {}

impl Dap {
    /// Tests; returns whether all tests passed or could not run.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = root.join("editors/vscode");
        if !ready(&folder)? {
            return Ok(true);
        }
        if std::env::var_os("SHISA").is_none()
            && !passes(Command::new(env!("CARGO")).args(["build", "-p", "shisa-cli"]).current_dir(&root))?
        {
            return Ok(false);
        }
        Ok(npm(&folder, &["run", "check"])? && npm(&folder, &["test"])?)
    }
}

/// Whether a program ends well.
fn passes(command: &mut Command) -> Result<bool, Box<dyn Error>> {
    Ok(command.status()?.success())
}
