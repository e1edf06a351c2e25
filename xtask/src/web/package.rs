//! The npm package: the files beside the module, and sizes.

use super::files;
use super::module::MODULE;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Files of the package that are written by hand.
const WRITTEN: [&str; 6] = ["package.json", "README.md", "index.js", "index.d.ts", "node.js", "glue.js"];
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// The most bytes of the module compressed by gzip: those that it has, rounded up. The bound is to fall until the page with
/// the module has at most `GOAL` of `web/scripts/sizes.js`. It rose by 50,000 for fields, links and meshes.
const MOST: usize = 2_236_000;

/// Refuses a module that is larger than the last one.
pub(super) fn checked(package: &Path) -> Result<(), Box<dyn Error>> {
    let bytes = compressed(&fs::read(package.join(MODULE))?)?;
    match bytes <= MOST {
        true => Ok(()),
        false => {
            Err(format!("the module has {bytes} bytes compressed by gzip; at most {MOST} are allowed").into())
        }
    }
}

/// The size of bytes that a server sends compressed.
fn compressed(bytes: &[u8]) -> io::Result<usize> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    Ok(gzip.finish()?.len())
}

/// Adds the files that are written by hand, and prints sizes.
pub(super) fn completed(root: &Path, sources: &Path, package: &Path) -> Result<(), Box<dyn Error>> {
    for name in WRITTEN {
        fs::copy(sources.join(name), package.join(name))?;
    }
    for name in LICENCES {
        fs::copy(root.join(name), package.join(name))?;
    }
    sizes(package)
}

/// Prints the sizes of the files in a folder and in its subfolders, raw and compressed.
pub(super) fn sizes(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut total = [0, 0];
    for path in files(folder)? {
        let bytes = fs::read(&path)?;
        let sizes = [bytes.len(), compressed(&bytes)?];
        total = [total[0] + sizes[0], total[1] + sizes[1]];
        println!("{:>9} {:>9}  {}", sizes[0], sizes[1], path.strip_prefix(folder)?.display());
    }
    println!("{:>9} {:>9}  bytes in all, raw and compressed by gzip", total[0], total[1]);
    Ok(())
}
