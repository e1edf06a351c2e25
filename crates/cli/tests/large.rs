//! Files that are larger than the limit `file`, of which only parts are taken.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::{Command, Output};

/// More than the limit `file` of 64 MiB.
const LARGE: u64 = 72 << 20;

/// A file that is removed at the end of the test.
struct Temporary(PathBuf);

impl Temporary {
    /// A file of zeros, of which few occupy space, with other bytes at some offsets.
    fn sparse(name: &str, parts: &[(u64, &[u8])]) -> Temporary {
        let path = std::env::temp_dir().join(format!("shisa-{}-{name}", std::process::id()));
        let mut file = File::create(&path).unwrap();
        file.set_len(LARGE).unwrap();
        for (at, bytes) in parts {
            file.seek(SeekFrom::Start(*at)).unwrap();
            file.write_all(bytes).unwrap();
        }
        Temporary(path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn shisa(arguments: &[&str], file: &Temporary) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shisa")).args(arguments).arg(&file.0).output().unwrap()
}

/// The text that a successful command writes.
fn text(arguments: &[&str], file: &Temporary) -> String {
    let done = shisa(arguments, file);
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

const FATBIN: &[u8] = include_bytes!("../../../tests/identify/kernels.fatbin");
const CUBIN: &[u8] = include_bytes!("../../../tests/identify/kernels.cubin");

#[test]
fn libraries_with_cuda_code_may_be_large() {
    let library = Temporary::sparse("library.dll", &[(0, b"MZ"), (LARGE - (1 << 20), FATBIN)]);
    let found = text(&["identify", "--format", "json"], &library);
    assert!(found.contains("\"container\":\"cuda-host\"") && found.contains("\"name\":"), "{found}");
    // The limit is on the code.
    let done = shisa(&["check", "--limit", "file=64"], &library);
    let error = String::from_utf8(done.stderr).unwrap();
    assert!(error.contains("limit-exceeded") && error.contains("file=64"), "{error}");
    let done = shisa(&["dis", "--limit", "memory=1000000"], &library);
    let error = String::from_utf8(done.stderr).unwrap();
    assert!(!done.status.success() && error.contains("--limit file=BYTES"), "{error}");
}

#[test]
fn large_cubins_are_read_and_checked() {
    let cubin = Temporary::sparse("large.cubin", &[(0, CUBIN)]);
    let small = Temporary::sparse("small.cubin", &[(0, CUBIN)]);
    OpenOptions::new().write(true).open(&small.0).unwrap().set_len(CUBIN.len() as u64).unwrap();
    assert_eq!(
        text(&["dis", "--syntax", "nvdisasm"], &cubin),
        text(&["dis", "--syntax", "nvdisasm"], &small)
    );
}

#[test]
fn other_large_files_are_refused_by_the_limit() {
    let zeros = Temporary::sparse("zeros", &[]);
    let done = shisa(&["dis"], &zeros);
    let error = String::from_utf8(done.stderr).unwrap();
    assert!(!done.status.success() && error.contains("limit-exceeded") && error.contains("file="), "{error}");
}
