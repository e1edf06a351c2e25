//! The leg of ignored tests: those that take all programs of the corpora where the tests of a commit take some.

use std::error::Error;
use std::process::Command;

/// The leg's name.
pub(super) const NAME: &str = "ignored";

/// Runs the tests of the workspace that `cargo test` leaves out; returns whether all passed.
pub(super) fn run() -> Result<bool, Box<dyn Error>> {
    let arguments = ["test", "--workspace", "--lib", "--bins", "--tests", "--", "--ignored"];
    Ok(Command::new("cargo").args(arguments).status()?.success())
}
