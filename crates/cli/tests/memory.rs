//! The memory that verbs take, bounded by what the system gives them. Only Linux limits a process's address space.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The bytes of an input.
const SIZE: usize = 1 << 20;

/// What a verb may take besides the command itself: this many times its input, and 32 MiB. The
/// book states 64 MiB: half of the input with half of the sum is as strict for each of its bytes.
const TIMES: usize = 16;
const FIXED: usize = 32 << 20;

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
fn run(base: usize, arguments: &str) {
    let size = |word: &str| std::fs::metadata(root().join(word)).map_or(0, |file| file.len() as usize);
    let most = base + FIXED + TIMES * arguments.split(' ').map(size).sum::<usize>();
    let script = format!("ulimit -v {} && exec \"$0\" {arguments}", most >> 10);
    let mut command = Command::new("sh");
    command.args(["-c", &script, shisa()]).current_dir(root());
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(matches!(done.status.code(), Some(0..=2)), "{arguments}: {}\n{errors}", done.status);
    // A verb that is not called as it takes it tests nothing.
    assert!(!errors.contains("try '--help'"), "{arguments}: {errors}");
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

/// Verbs that take bytes of any kind.
const LISTINGS: &[&str] = &[
    "identify",
    "dis",
    "dis --format json",
    "check",
    "check --format json",
    "report",
    "extract -o /dev/null",
];

/// Runs the verbs on such bytes as programs of each family.
fn list(name: &str, bytes: &[u8]) {
    if !is_limited() {
        return;
    }
    let (base, file) = (base(), temporary(name, bytes));
    for isa in ["maxwell", "agx", "agal", "pica200"] {
        for verb in LISTINGS {
            run(base, &format!("{verb} --isa {isa} {}", file.display()));
        }
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn listings_of_zeros_take_a_small_multiple_of_their_input() {
    list("zeros.bin", &[0; SIZE]);
}

#[test]
fn listings_of_noise_take_a_small_multiple_of_their_input() {
    list("noise.bin", &noise());
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
    "dis --cfg dot",
    "dis --cfg json",
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
            run(base, &format!("{verb} {file}"));
        }
    }
    for (program, input) in [
        ("fog.frag.agal", "fog"),
        ("flat.v.pica", "flat"),
        ("collatz.agx", "collatz"),
        ("saxpy.maxwell", "saxpy"),
    ] {
        run(base, &format!("run examples/{program} --input examples/{input}.json"));
    }
    for main in ["main", "fragment"] {
        run(base, &format!("link --main tests/link/{main}.json -o /dev/null"));
    }
    run(base, "explain dot-order");
}

/// A program of many instructions that each need the results of others, the last of which are stored: its first lines,
/// a line of three registers, and its last lines.
struct Long {
    name: &'static str,
    first: &'static str,
    line: fn([usize; 3]) -> String,
    last: &'static str,
    count: usize,
    input: &'static str,
}

const LONG: &[Long] = &[
    Long {
        name: "long.maxwell",
        first: "// maxwell\n",
        line: |[a, b, c]| format!("FADD R{a}, R{b}, R{c};\n"),
        last: "MOV R8, RZ;\nMOV R9, RZ;\nSTG.E [R8], R0;\nSTG.E [R8+0x4], R3;\nEXIT;\n",
        count: 100_000,
        input: "{}",
    },
    Long {
        name: "long.agx",
        first: "// agx\n",
        line: |[a, b, c]| format!("fadd r{a}, r{b}, r{c}\n"),
        last: "store r0, du0, r8, i32, x, a\nstop\n",
        count: 100_000,
        input: "{}",
    },
    Long {
        name: "long.v.pica",
        first: ".out result position\n.proc main\n",
        line: |[a, b, c]| format!("\tadd r{a}, r{b}, r{c}\n"),
        last: "\tmov result, r0\n\tend\n.end\n",
        count: 500,
        input: "{}",
    },
    Long {
        name: "long.frag.agal",
        first: "// agal 3 fragment\nmov ft0, fc0\nmov ft1, fc0\nmov ft2, fc0\nmov ft3, fc0\nmov ft4, fc0\nmov ft5, fc0\n\
                mov ft6, fc0\n",
        line: |[a, b, c]| format!("add ft{a}, ft{b}, ft{c}\n"),
        last: "mov oc, ft0\n",
        count: 2_000,
        input: "{}",
    },
];

/// Runs the verbs on programs with this share of the instructions.
fn run_long(share: usize) {
    if !is_limited() {
        return;
    }
    let base = base();
    for long in LONG {
        let count = long.count / share;
        let lines = (0..count).map(|n| (long.line)([n % 7, (n + 3) % 7, (n + 1) % 7]));
        let source: String = [long.first.into()].into_iter().chain(lines).chain([long.last.into()]).collect();
        let text = temporary(&format!("{share}-{}", long.name), source.as_bytes());
        let input = temporary(&format!("{share}-{}.json", long.name), long.input.as_bytes());
        let code = temporary(&format!("{share}-{}.bin", long.name), &[]);
        run(base, &format!("asm {} -o {}", text.display(), code.display()));
        assert!(std::fs::metadata(&code).unwrap().len() >= 4 * count as u64, "{} is assembled", long.name);
        // A source states what its bytes may not: the instruction set, and the stage.
        for verb in VERBS {
            run(base, &format!("{verb} {}", text.display()));
        }
        run(base, &format!("run {} --input {}", text.display(), input.display()));
        [text, input, code].iter().for_each(|file| std::fs::remove_file(file).unwrap());
    }
}

#[test]
fn long_programs_take_a_small_multiple_of_their_input() {
    run_long(4);
}

#[test]
#[ignore = "a campaign takes whole programs"]
fn the_longest_programs_take_a_small_multiple_of_their_input() {
    run_long(1);
}
