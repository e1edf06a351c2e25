//! The module: compiled, bound to JavaScript, optimised.

use super::passes;
use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file of the module in the package.
pub(super) const MODULE: &str = "shisa_bg.wasm";
/// The profile of `Cargo.toml` for the module.
const PROFILE: &str = "web";
const TARGET: &str = "wasm32-unknown-unknown";

/// Compiles the module; returns its path.
pub(super) fn built(root: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--profile", PROFILE, "--target", TARGET, "-p", "shisa-wasm"]);
    passes(cargo.current_dir(root))?;
    Ok(root.join("target").join(TARGET).join(PROFILE).join("shisa_wasm.wasm"))
}

/// Runs the binder, which is a workspace of its own.
fn binder(root: &Path, arguments: &[&OsStr]) -> Result<(), Box<dyn Error>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--locked", "--manifest-path", "xtask/binder/Cargo.toml"]);
    cargo.args(["--target-dir", "target/binder", "--"]).args(arguments);
    passes(cargo.current_dir(root))
}

/// Writes the module and its JavaScript to the folder of the package, which is made new.
pub(super) fn bound(root: &Path, module: &Path, package: &Path) -> Result<(), Box<dyn Error>> {
    if package.exists() {
        fs::remove_dir_all(package)?;
    }
    binder(root, &["bind".as_ref(), module.as_os_str(), package.as_os_str()])
}

/// The passes of the optimiser, in this order. Level z also inlines functions that have one call, and splits data at zeros: it
/// makes the module smaller by a twentieth, but what a server sends larger by a sixth, because gzip no longer finds copies of
/// generic functions. It also takes three times as long: it repeats its passes on what it inlined.
const PASSES: [&str; 30] = [
    "duplicate-function-elimination",
    "remove-unused-module-elements",
    "dce",
    "remove-unused-names",
    "remove-unused-brs",
    "optimize-instructions",
    "precompute-propagate",
    "simplify-locals-nostructure",
    "vacuum",
    "reorder-locals",
    "remove-unused-brs",
    "coalesce-locals",
    "simplify-locals",
    "vacuum",
    "reorder-locals",
    "coalesce-locals",
    "reorder-locals",
    "vacuum",
    "merge-blocks",
    "remove-unused-brs",
    "remove-unused-names",
    "merge-blocks",
    "optimize-instructions",
    "rse",
    "vacuum",
    "code-folding",
    "dae-optimizing",
    "duplicate-function-elimination",
    "merge-similar-functions",
    "remove-unused-module-elements",
];

/// Makes the module smaller, which takes a minute.
pub(super) fn optimised(sources: &Path, package: &Path) -> Result<(), Box<dyn Error>> {
    let module = package.join(MODULE);
    let small = package.join("small.wasm");
    let mut optimiser = Command::new("node");
    optimiser.arg(sources.join("node_modules/binaryen/bin/wasm-opt"));
    optimiser.args(["--optimize-level=2", "--shrink-level=2"]);
    optimiser.args(PASSES.map(|pass| format!("--{pass}")));
    passes(optimiser.arg(&module).arg("-o").arg(&small))?;
    Ok(fs::rename(small, module)?)
}

/// Orders the functions of the module so that it compresses well.
pub(super) fn ordered(root: &Path, package: &Path) -> Result<(), Box<dyn Error>> {
    binder(root, &["order".as_ref(), package.join(MODULE).as_os_str()])
}
