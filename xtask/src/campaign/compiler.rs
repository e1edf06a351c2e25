//! What the compiler reports of itself.

use std::error::Error;
use std::process::Command;

/// The answer of the compiler to `--print WHAT`, such as `host-tuple` or `sysroot`.
pub(super) fn print(what: &str) -> Result<String, Box<dyn Error>> {
    let answer = Command::new("rustc").args(["--print", what]).output()?.stdout;
    Ok(String::from_utf8(answer)?.trim().to_owned())
}
