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
#[cfg(feature = "web")]
pub(super) fn ordered(package: &Path) -> Result<(), Box<dyn Error>> {
    let module = package.join(MODULE);
    let written = super::order::ordered(&fs::read(&module)?)?;
    Ok(fs::write(module, written)?)
}

/// Refuses, in a build without the feature.
#[cfg(not(feature = "web"))]
pub(super) fn ordered(_: &Path) -> Result<(), Box<dyn Error>> {
    Err("this build of xtask has no feature `web`, which `cargo xtask` selects".into())
}
