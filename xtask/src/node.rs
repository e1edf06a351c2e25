//! Node.js and its packages.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

/// The programs of Node.js that chores need, in the order of their use.
const NEEDED: [&str; 2] = ["node", "npm"];

/// Fetches the packages that the lock file of a folder names. `false` without Node.js or the packages, which is printed.
pub(crate) fn ready(folder: &Path) -> Result<bool, Box<dyn Error>> {
    for name in NEEDED {
        let found = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            println!("skipped: there is no {name}");
            return Ok(false);
        }
    }
    let fetched = npm(folder, &["ci", "--no-audit", "--no-fund"])?;
    if !fetched {
        println!("skipped: npm cannot fetch the packages");
    }
    Ok(fetched)
}

/// Runs npm in a folder; whether it ends well.
pub(crate) fn npm(folder: &Path, arguments: &[&str]) -> Result<bool, Box<dyn Error>> {
    Ok(Command::new("npm").args(arguments).current_dir(folder).status()?.success())
}
