//! `cargo xtask web`: the module for JavaScript, its npm package, and the page.

mod expected;
mod module;
mod package;
mod serve;

use crate::node::{npm, ready};
use crate::reference::Reference;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Build the module for JavaScript as the npm package `shisa`, and the page that uses it
///
/// Needs the target wasm32-unknown-unknown, Node.js and npm, which fetches what the lock files name: the optimiser of
/// WebAssembly and the compiler of TypeScript.
#[derive(Debug, clap::Args)]
pub(crate) struct Web {
    /// The folder for the package and the expected results
    #[arg(short, long, default_value = "target/web")]
    output: PathBuf,
    /// Do not optimise the module, which takes longer than all else
    #[arg(long)]
    quick: bool,
    /// Do not build the page
    #[arg(long)]
    no_page: bool,
    /// Also run the tests of the package with Node.js, on results of the native library
    #[arg(long)]
    test: bool,
    /// Test all programs of the corpus rather than a share of them, and 10,000 changed files
    #[arg(long, requires = "test")]
    long: bool,
    /// Also serve the page on this port of this computer
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8080", conflicts_with = "no_page")]
    serve: Option<u16>,
}

/// One program of how many has its results compared, unless the test is long.
const SHARE: usize = 16;

impl Web {
    /// Builds and tests; returns whether the tests passed.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
        let output = root.join(&self.output);
        let package = output.join("npm");
        let sources = root.join("crates/wasm/npm");
        if !ready(&sources)? {
            return Ok(true);
        }
        let built = module::built(&root)?;
        module::bound(&root, &built, &package)?;
        if !self.quick {
            module::optimised(&sources, &package)?;
        }
        module::ordered(&root, &package)?;
        package::completed(&root, &sources, &package)?;
        if !self.quick {
            package::checked(&package)?;
        }
        if self.test {
            let share = if self.long { 1 } else { SHARE };
            expected::write(&root, &output.join("expected"), share)?;
            let mut tests = Command::new("npm");
            tests.args(["test"]).current_dir(&sources).env("SHISA_WEB", &output);
            if self.long {
                tests.env("SHISA_LONG", "1");
            }
            if !tests.status()?.success() {
                return Ok(false);
            }
        }
        let page = root.join("web");
        if !self.no_page && page.join("package.json").exists() {
            Reference::for_page(&root)?;
            if !ready(&page)? || !npm(&page, &["run", "build"])? || !npm(&page, &["run", "sizes"])? {
                return Ok(false);
            }
            package::sizes(&page.join("dist"))?;
            if let Some(port) = self.serve {
                serve::serve(&page.join("dist"), port)?;
            }
        }
        Ok(true)
    }
}

/// The files in a folder and in its subfolders, in the order of their paths.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let (mut folders, mut list) = (vec![folder.to_owned()], Vec::new());
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner)? {
            let path = entry?.path();
            let to = if path.is_dir() { &mut folders } else { &mut list };
            to.push(path);
        }
    }
    list.sort();
    Ok(list)
}

/// Runs a program that must end well.
fn passes(command: &mut Command) -> Result<(), Box<dyn Error>> {
    match command.status()?.success() {
        true => Ok(()),
        false => Err(format!("{command:?} failed").into()),
    }
}
