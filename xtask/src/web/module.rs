//! The module: compiled, bound to JavaScript, optimised.

use super::passes;
use std::error::Error;
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

/// Writes the module and its JavaScript to the folder of the package, which is made new.
#[cfg(feature = "web")]
pub(super) fn bound(module: &Path, package: &Path) -> Result<(), Box<dyn Error>> {
    if package.exists() {
        fs::remove_dir_all(package)?;
    }
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.input_path(module).out_name("shisa").typescript(true).omit_default_module_path(false);
    bindgen.remove_name_section(true).remove_producers_section(true).reset_state_function(true);
    bindgen.web(true)?.generate(package)?;
    Ok(())
}

/// Refuses, in a build without the feature.
#[cfg(not(feature = "web"))]
pub(super) fn bound(_: &Path, _: &Path) -> Result<(), Box<dyn Error>> {
    Err("this build of xtask has no feature `web`, which `cargo xtask` selects".into())
}

/// Makes the module smaller: level 1 takes a minute and saves a fifteenth; level z was not done after ten minutes.
pub(super) fn optimised(sources: &Path, package: &Path) -> Result<(), Box<dyn Error>> {
    let module = package.join(MODULE);
    let small = package.join("small.wasm");
    let mut optimiser = Command::new("node");
    optimiser.arg(sources.join("node_modules/binaryen/bin/wasm-opt")).arg("-O1");
    passes(optimiser.arg(&module).arg("-o").arg(&small))?;
    Ok(fs::rename(small, module)?)
}
