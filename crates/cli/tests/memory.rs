//! The memory that verbs take, bounded by what the system gives them. Only Linux limits a process's address space.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The bytes of an input, and what they are.
const SIZE: usize = 4 << 20;

/// What a verb may take besides the command itself: this many times its input, and 64 MiB.
const TIMES: usize = 16;
/// The same for verbs that build a tree of a program.
const TREE_TIMES: usize = 104;
const FIXED: usize = 64 << 20;

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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shisa() -> &'static str {
    env!("CARGO_BIN_EXE_shisa")
}

/// The address space of the command while it waits for its input: its own code and those of libraries.
fn base() -> usize {
    let mut command = Command::new(shisa());
    command.args(["identify", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let size = || {
        std::thread::sleep(Duration::from_millis(50));
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
        line.trim().trim_end_matches("kB").trim().parse::<usize>().unwrap() << 10
    };
    let (mut last, mut now) = (0, size());
    while now != last {
        (last, now) = (now, size());
    }
    drop(child.stdin.take());
    child.wait().unwrap();
    now
}

/// Runs a verb with a limit on its address space. Words that name files below the root are its input.
fn run(base: usize, times: usize, arguments: &str) {
    let size = |word: &str| std::fs::metadata(root().join(word)).map_or(0, |file| file.len() as usize);
    let most = base + FIXED + times * arguments.split(' ').map(size).sum::<usize>();
    let script = format!("ulimit -v {} && exec \"$0\" {arguments}", most >> 10);
    let mut command = Command::new("sh");
    command.args(["-c", &script, shisa()]).current_dir(root());
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(matches!(done.status.code(), Some(0..=2)), "{arguments}: {}\n{errors}", done.status);
}

/// Whether the system limits address space; if not, the test says so.
fn is_limited() -> bool {
    let limited = cfg!(target_os = "linux");
    if !limited {
        println!("skipped: only Linux limits the address space of a process");
    }
    limited
}

/// A file with this content, for one test. Its name has no blank.
fn temporary(name: &str, bytes: &[u8]) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, bytes).unwrap();
    file
}

#[test]
fn listings_take_a_small_multiple_of_their_input() {
    if !is_limited() {
        return;
    }
    let base = base();
    for bytes in [vec![0; SIZE], noise()] {
        let file = temporary("memory.bin", &bytes);
        for isa in ["maxwell", "agx", "agal", "pica200"] {
            for verb in ["identify", "dis", "dis --format json"] {
                run(base, TIMES, &format!("{verb} --isa {isa} {}", file.display()));
            }
        }
        std::fs::remove_file(&file).unwrap();
    }
}

/// The files of a folder below the root.
fn files(folder: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(folder)).unwrap();
    let names = entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().to_str().unwrap()));
    names.filter(|name| is_wanted(name)).collect()
}

/// Verbs that need nothing but a file.
const VERBS: &[&str] = &[
    "identify",
    "dis",
    "dis --format json",
    "dis --cfg",
    "dis --live",
    "check",
    "check --format json",
    "report",
    "extract",
    "translate --to wgsl",
    "translate --to glsl",
    "translate --to hlsl",
    "translate --to msl",
    "translate --to spirv -o /dev/null",
    "asm -o /dev/null",
];

#[test]
fn every_verb_takes_little_memory_for_small_files() {
    if !is_limited() {
        return;
    }
    let base = base();
    let examples = files("examples", |name| !name.ends_with(".json"));
    let containers = files("tests/identify", |name| !name.contains(".test"));
    for file in examples.iter().chain(&containers) {
        for verb in VERBS {
            run(base, TIMES, &format!("{verb} {file}"));
        }
    }
    for (program, input) in [
        ("fog.frag.agal", "fog"),
        ("flat.v.pica", "flat"),
        ("collatz.agx", "collatz"),
        ("saxpy.maxwell", "saxpy"),
    ] {
        run(base, TIMES, &format!("run examples/{program} --input examples/{input}.json"));
    }
    for main in ["main", "fragment"] {
        run(base, TIMES, &format!("link --main tests/link/{main}.json -o /dev/null"));
    }
    run(base, TIMES, "explain dot-order");
}

#[test]
fn long_programs_take_a_multiple_of_their_input() {
    if !is_limited() {
        return;
    }
    let base = base();
    let lines = |line: &dyn Fn(usize) -> String, last: &str| {
        (0..20_000).map(line).chain([last.into()]).collect::<String>().into_bytes()
    };
    let maxwell = lines(&|n| format!("FADD R{}, R{}, R{};\n", n % 7, n % 11, n % 13), "EXIT;\n");
    let agx = lines(&|n| format!("fadd r{}, r{}, r{}\n", n % 7, n % 11, n % 13), "stop\n");
    for (name, source) in [("long.maxwell", maxwell), ("long.agx", agx)] {
        let (text, code) = (temporary(name, &source), temporary(&format!("{name}.bin"), &[]));
        let isa = name.trim_start_matches("long.");
        run(base, TIMES, &format!("asm {} -o {}", text.display(), code.display()));
        assert!(std::fs::metadata(&code).unwrap().len() > 100_000, "{name} is assembled");
        for verb in ["dis", "dis --cfg", "check", "report"] {
            run(base, TIMES, &format!("{verb} --isa {isa} {}", code.display()));
        }
        run(base, TREE_TIMES, &format!("translate --to wgsl --isa {isa} {}", code.display()));
        [text, code].iter().for_each(|file| std::fs::remove_file(file).unwrap());
    }
}
