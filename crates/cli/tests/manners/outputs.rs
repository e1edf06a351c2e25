//! Output files appear whole, together or not at all; outputs that cannot be written fail.

use crate::command::{folder, names, run, shisa};
use std::fs::{self, File};
use std::io::{Read, Seek};

#[test]
fn a_replaced_file_is_never_half_written() {
    let dir = folder("replaced");
    let out = dir.join("program");
    fs::write(&out, "old contents").unwrap();
    let mut old = File::open(&out).unwrap();
    let done = run(&format!("asm examples/fog.frag.agal -o {}", out.display()));
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    // Whoever has the old file open goes on reading the old file.
    let mut text = String::new();
    old.rewind().unwrap();
    old.read_to_string(&mut text).unwrap();
    assert_eq!(text, "old contents");
    assert_eq!(fs::read(&out).unwrap(), run("asm examples/fog.frag.agal").out);
    assert_eq!(names(&dir), ["program"]);
}

#[test]
fn a_source_with_errors_leaves_the_output_as_it_was() {
    let dir = folder("unchanged");
    let out = dir.join("program");
    fs::write(&out, "old contents").unwrap();
    assert_eq!(run(&format!("asm tests/asm/faults.agal -o {}", out.display())).status, 1);
    assert_eq!(fs::read_to_string(&out).unwrap(), "old contents");
}

/// Commands that write two files, `A` and `B`.
const TWO: &[&str] = &[
    "translate examples/fog.frag.agal --to wgsl -o A --reflect B",
    "translate examples/fog.frag.agal --to spirv -o A --source-map B",
    "asm examples/flat.v.pica -o A --header B",
    "asm examples/flat.v.pica -o A --descriptors B",
    "asm examples/flat.v.pica -o A --listing B",
];

#[test]
fn of_several_files_all_are_written_or_none() {
    for command in TWO {
        let dir = folder("several");
        let path = |name: &str| dir.join(name).display().to_string();
        let with =
            |a: &str, b: &str| run(&command.replace(" A", &format!(" {a}")).replace(" B", &format!(" {b}")));
        // No such directory, and a directory where the file would be.
        for second in [path("missing/b"), path(".")] {
            fs::write(dir.join("a"), "old contents").unwrap();
            let done = with(&path("a"), &second);
            assert_eq!(done.status, 2, "{command}: {done:?}");
            assert!(done.err.contains("cannot write"), "{}", done.err);
            assert_eq!(fs::read_to_string(dir.join("a")).unwrap(), "old contents", "{command}");
            fs::remove_file(dir.join("a")).unwrap();
            assert_eq!(with(&path("a"), &second).status, 2);
            assert_eq!(names(&dir), [""; 0], "{command}");
        }
        assert_eq!(with(&path("a"), &path("b")).status, 0, "{command}");
        assert_eq!(names(&dir), ["a", "b"]);
    }
}

#[test]
fn every_program_is_extracted_or_none() {
    let dir = folder("extracted");
    let command = format!("extract tests/swf/shaders.swf --all {}", dir.display());
    let all = run(&command);
    let list = names(&dir);
    assert!(all.status == 0 && list.len() > 2, "{all:?}");
    for name in &list {
        fs::write(dir.join(name), "old contents").unwrap();
    }
    let last = dir.join(list.last().unwrap());
    fs::remove_file(&last).unwrap();
    fs::create_dir(&last).unwrap();
    let done = run(&command);
    assert_eq!((done.status, done.text()), (2, ""), "{done:?}");
    for name in &list[..list.len() - 1] {
        assert_eq!(fs::read_to_string(dir.join(name)).unwrap(), "old contents");
    }
    assert_eq!(names(&dir), list);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let dir = folder("links");
    let (file, link) = (dir.join("file"), dir.join("link"));
    fs::write(&file, "").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", &link).unwrap();
    let command = format!("asm examples/fog.frag.agal -o {}", link.display());
    assert_eq!(run(&command).status, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink() && fs::read(&file).unwrap().len() > 7);
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
    assert_eq!(run(&command).status, 2, "the file is read-only");
    assert_eq!(names(&dir), ["file", "link"]);
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_that_is_full_fails() {
    let commands = [
        "--help",
        "help",
        "help run",
        "dis --help",
        "--version",
        "explain mask",
        "explain mask --json",
        "tour",
        "man",
        "completions bash",
        "identify README.md",
        "identify examples/fog.frag.agal --json",
        "asm examples/fog.frag.agal",
        "dis examples/fog.frag.agal",
        "dis examples/fog.frag.agal --json",
        "dis examples/fog.frag.agal --cfg dot",
        "report examples/collatz.agx",
        "report examples/collatz.agx --json",
        "run examples/fog.frag.agal --input examples/fog.json",
        "translate examples/fog.frag.agal --to wgsl",
        "extract examples/fog.frag.agal",
        "dis --isa maxwell --words tests/dis/maxwell-words.hex",
    ];
    for command in commands {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let out = shisa(command).stdout(full).output().unwrap();
        let err = String::from_utf8(out.stderr).unwrap();
        assert!(out.status.code() == Some(2) && err.contains("No space left"), "{command}: {err}");
    }
    let done = run("asm examples/fog.frag.agal -o /dev/full");
    assert!(done.status == 2 && done.err.contains("/dev/full"), "{done:?}");
    assert_eq!(run("asm examples/fog.frag.agal -o /dev/null").status, 0);
}

#[test]
fn a_closed_output_is_quiet_and_the_files_are_written() {
    let dir = folder("closed");
    let out = dir.join("r.json");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let args = format!("translate examples/fog.frag.agal --to wgsl --reflect {}", out.display());
    let done = shisa(&args).stdout(writer).output().unwrap();
    assert_eq!((done.status.code(), done.stderr.len()), (Some(0), 0));
    assert!(fs::read(&out).unwrap().starts_with(b"{"));
}

#[test]
#[cfg(target_os = "linux")]
fn an_error_output_that_cannot_be_written_changes_nothing() {
    let commands = [
        ("check tests/check/broken.agal", 1),
        ("check tests/check/broken.agal --json", 1),
        ("check tests/agal/doubtful.frag.agal", 0),
        ("identify no-such-file examples/fog.frag.agal", 2),
        ("asm no-such-file", 2),
        ("identify", 2),
        ("identify --json --limit x=1", 2),
        ("", 2),
        ("dis examples/fog.frag.agal --syntax mesa", 2),
    ];
    for (command, status) in commands {
        let usual = run(command);
        assert_eq!(usual.status, status, "{command}: {usual:?}");
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        for stderr in [full.into(), std::process::Stdio::from(closed)] {
            let done = shisa(command).stderr(stderr).output().unwrap();
            assert_eq!((done.status.code(), done.stdout), (Some(status), usual.out.clone()), "{command}");
        }
    }
}

#[test]
fn frames_are_files_of_their_own_or_one() {
    let dir = folder("frames");
    let preview = "preview examples/fog.frag.agal --size 4 --frames 11 --time fc1.z";
    let done = run(&format!("{preview} -o {}", dir.join("frame-%.png").display()));
    assert_eq!((done.status, names(&dir).len()), (0, 11));
    assert!(dir.join("frame-00.png").exists() && dir.join("frame-10.png").exists());
    let one = run(&format!("{preview} -o -")).out;
    assert!(one.starts_with(b"\x89PNG") && one.windows(4).any(|chunk| chunk == b"acTL"));
}
