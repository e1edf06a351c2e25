//! `cargo xtask dap`: the Debug Adapter and the language server before the clients of the protocols' authors, and the extension of
//! the editor, and Neovim.

use crate::node::{npm, ready};
use std::error::Error;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Debug examples with the client of the Debug Adapter Protocol's authors, talk to the language server through the connection of
/// its protocol's authors, test the grammars of the editor, and use the server in Neovim with the book's configuration
///
/// Needs Node.js and npm, which fetches the packages that `editors/vscode/package-lock.json` names, and Neovim; tests that need what
/// is not there are skipped. SHISA is the path of the command to test; without it the command is built.
#[derive(Debug, clap::Args)]
pub(crate) struct Dap {}

impl Dap {
    /// Tests; returns whether all tests passed or could not run.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
        let given = env::var_os("SHISA");
        if given.is_none()
            && !passes(Command::new(env!("CARGO")).args(["build", "-p", "shisa-cli"]).current_dir(&root))?
        {
            return Ok(false);
        }
        let built = || root.join("target/debug/shisa").with_extension(env::consts::EXE_EXTENSION).into();
        let command = given.unwrap_or_else(built);
        let folder = root.join("editors/vscode");
        if ready(&folder)? && !(npm(&folder, &["run", "check"])? && npm(&folder, &["test"])?) {
            return Ok(false);
        }
        neovim(&root, &command)
    }
}

/// Tests the language server in Neovim; returns whether the tests passed or could not run.
fn neovim(root: &Path, command: &OsString) -> Result<bool, Box<dyn Error>> {
    if Command::new("nvim").arg("--version").output().is_err() {
        println!("skipped: there is no Neovim (nvim)");
        return Ok(true);
    }
    // The configuration starts the command by its name.
    let folder = root.join("target/neovim");
    fs::create_dir_all(&folder)?;
    fs::copy(command, folder.join("shisa").with_extension(env::consts::EXE_EXTENSION))?;
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([folder].into_iter().chain(env::split_paths(&path)))?;
    passes(
        Command::new("nvim")
            .args(["--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", "editors/neovim/test.lua"])
            .env("PATH", path)
            .current_dir(root),
    )
}

/// Whether a program ends well.
fn passes(command: &mut Command) -> Result<bool, Box<dyn Error>> {
    Ok(command.status()?.success())
}
