//! The memory that verbs take, bounded by what the system gives them.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Command, Stdio};

/// The bytes of an input, and what they are.
const SIZE: usize = 4 << 20;

/// What a verb may take: 16 times its input, and 64 MiB.
const MOST: usize = 16 * SIZE + (64 << 20);

/// Bytes that no compiler wrote, and that decode as instructions of all lengths.
fn noise() -> Vec<u8> {
    let mut state = 1u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    core::iter::repeat_with(next).take(SIZE / 8).flat_map(u64::to_le_bytes).collect()
}

/// Runs a verb on a file, with an address space of `MOST` bytes.
fn run(arguments: &str, file: &Path) {
    let script = format!("ulimit -v {} && exec \"$0\" {arguments} \"$1\"", MOST / 1024);
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_shisa")]).arg(file);
    let done = command.stdout(Stdio::null()).stderr(Stdio::piped()).output().expect("sh");
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(matches!(done.status.code(), Some(0 | 1)), "{arguments}: {}\n{errors}", done.status);
}

#[test]
fn listings_take_a_small_multiple_of_their_input() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory.bin");
    for bytes in [vec![0; SIZE], noise()] {
        std::fs::write(&file, bytes).expect("a file for the test");
        for isa in ["maxwell", "agx", "agal", "pica200"] {
            for verb in ["identify", "dis", "dis --format json"] {
                run(&format!("{verb} --isa {isa}"), &file);
            }
        }
    }
    std::fs::remove_file(&file).expect("the test's file");
}
