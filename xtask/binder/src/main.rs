//! Binds the WebAssembly module to JavaScript, and orders its functions; `cargo xtask web` runs it.

mod likeness;
mod order;

use std::env::args;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "shisa-binder bind MODULE FOLDER, or shisa-binder order MODULE";

fn main() -> ExitCode {
    let arguments: Vec<String> = args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["bind", module, folder] => bind(Path::new(module), Path::new(folder)),
        ["order", module] => order(Path::new(module)),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the module and its JavaScript to a folder.
fn bind(module: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("shisa").typescript(true).omit_default_module_path(false);
    bindgen.remove_name_section(true).remove_producers_section(true).reset_state_function(true);
    Ok(bindgen.web(true)?.generate(folder)?)
}

/// Orders the functions of a module so that it compresses well.
fn order(module: &Path) -> Result<(), Box<dyn Error>> {
    let written = order::ordered(&fs::read(module)?)?;
    Ok(fs::write(module, written)?)
}
