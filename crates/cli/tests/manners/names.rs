//! File names that are not UTF-8.

use crate::command::{Done, ROOT, file, folder, run, shisa};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

fn with(verb: &str, name: &OsStr, rest: &str) -> Done {
    shisa(verb).arg(name).args(rest.split_whitespace()).output().unwrap().into()
}

#[test]
fn names_need_not_be_utf8() {
    let dir = folder("names");
    let name = dir.join(OsStr::from_bytes(b"fog\xff.frag.agal"));
    fs::write(&name, file("examples/fog.frag.agal")).unwrap();
    let name = name.as_os_str();
    for (verb, rest) in [
        ("identify", ""),
        ("check", ""),
        ("asm", ""),
        ("dis", ""),
        ("extract", ""),
        ("translate", "--to wgsl"),
        ("run", "--input examples/fog.json"),
        ("check -r", ""),
    ] {
        let done = with(verb, name, rest);
        assert_eq!((done.status, done.err.as_str()), (0, ""), "{verb}");
    }
    let mut which = name.to_owned();
    which.push("#1");
    assert_eq!(with("dis", &which, ""), with("dis", name, ""));
    which.push("2");
    assert_eq!(with("dis", &which, "").status, 1);
    let input = dir.join(OsStr::from_bytes(b"\xfe.json"));
    fs::copy(Path::new(ROOT).join("examples/fog.json"), &input).unwrap();
    let done = with("run examples/fog.frag.agal --input", input.as_os_str(), "");
    assert_eq!(done.status, 0, "{done:?}");
}

#[test]
fn names_of_outputs_need_not_be_utf8() {
    let dir = folder("output-names");
    let name = |bytes: &[u8]| -> OsString { dir.join(OsStr::from_bytes(bytes)).into() };
    assert_eq!(with("asm examples/fog.frag.agal -o", &name(b"\xff.bin"), "").status, 0);
    assert_eq!(fs::read(name(b"\xff.bin")).unwrap(), run("asm examples/fog.frag.agal").out);
    let pair = "translate examples/lit.vert.agal --pair examples/lit.frag.agal --to wgsl -o";
    assert_eq!(with(pair, &name(b"\xff.wgsl"), "").status, 0);
    assert!(fs::exists(name(b"\xff.vert.wgsl")).unwrap() && fs::exists(name(b"\xff.frag.wgsl")).unwrap());
    let missing = with("asm", &name(b"missing\xff"), "");
    assert!(missing.status == 2 && missing.err.contains("missing\u{fffd}"), "{missing:?}");
}
