//! Standard input, byte-order marks, directories, and files that cannot be read.

use crate::command::{ROOT, fed, file, folder, run};
use std::fs;
use std::path::Path;

const MARK: &[u8] = b"\xef\xbb\xbf";

#[test]
fn standard_input_is_the_default() {
    let program = run("asm examples/fog.frag.agal").out;
    for args in [
        "dis",
        "asm --isa agal",
        "extract",
        "translate --to wgsl",
        "run --input examples/fog.json",
        "dis --cfg json",
    ] {
        let input = if args.starts_with("asm") { file("examples/fog.frag.agal") } else { program.clone() };
        let (verb, rest) = args.split_once(' ').unwrap_or((args, ""));
        let done = fed(args, &input);
        assert_eq!(done.status, 0, "{args}: {done:?}");
        assert_eq!(done, fed(&format!("{verb} - {rest}"), &input), "{args}");
    }
    let twice = fed("run --input -", &program);
    assert!(twice.status == 2 && twice.err.contains("standard input"), "{twice:?}");
}

/// Sources of all families, and another file with each that may have a mark.
const SOURCES: &[&str] = &[
    "examples/lit.vert.agal",
    "examples/fog.frag.agal",
    "examples/collatz.agx",
    "examples/saxpy.maxwell",
    "examples/flat.v.pica",
    "tests/agal/macro/if.agalm",
    "tests/agal/macro/instructions.agalm",
];

#[test]
fn byte_order_marks_are_not_text() {
    let dir = folder("marks");
    for source in SOURCES {
        let path = dir.join(Path::new(source).file_name().unwrap());
        fs::write(&path, [MARK, &file(source)].concat()).unwrap();
        let path = path.display();
        for verb in ["asm", "dis"] {
            let (marked, plain) = (run(&format!("{verb} {path}")), run(&format!("{verb} {source}")));
            assert_eq!((marked.status, &marked.out), (plain.status, &plain.out), "{source}: {marked:?}");
        }
        assert_eq!(run(&format!("check {path}")).status, run(&format!("check {source}")).status, "{source}");
        let kind = |path: &str| {
            let text = run(&format!("identify {path} --json")).out;
            let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
            (json["container"].clone(), json["confidence"].clone())
        };
        assert_eq!(kind(&path.to_string()), kind(source), "{source}");
    }
}

#[test]
fn byte_order_marks_are_not_json() {
    let dir = folder("json-marks");
    let marked = |name: &str| {
        let path = dir.join(Path::new(name).file_name().unwrap());
        fs::write(&path, [MARK, &file(name)].concat()).unwrap();
        path.display().to_string()
    };
    for (command, name) in [
        ("run examples/fog.frag.agal --input FILE", "examples/fog.json"),
        ("run examples/collatz.agx --input FILE", "examples/collatz.json"),
        ("run examples/flat.v.pica --input FILE", "examples/flat.json"),
        ("link --prolog tests/link/prolog.json --main FILE -o -", "tests/link/main.json"),
        ("dis FILE", "tests/link/main.json"),
        ("check FILE", "tests/link/main.json"),
        ("dis --isa maxwell --words FILE", "tests/dis/maxwell-words.hex"),
    ] {
        let (with, without) =
            (run(&command.replace("FILE", &marked(name))), run(&command.replace("FILE", name)));
        assert_eq!((with.status, with.text()), (without.status, without.text()), "{command}: {with:?}");
    }
}

#[test]
fn another_encoding_is_named() {
    let dir = folder("encodings");
    let wide = |name: &str, mark: &[u8], swap: bool| {
        let path = dir.join(Path::new(name).file_name().unwrap());
        let text = String::from_utf8(file(name)).unwrap();
        let units = text.encode_utf16().map(|u| if swap { u.to_be_bytes() } else { u.to_le_bytes() });
        fs::write(&path, [mark, &units.flatten().collect::<Vec<u8>>()].concat()).unwrap();
        path.display().to_string()
    };
    let names = SOURCES.iter().flat_map(|s| ["asm FILE", "check FILE", "dis FILE"].map(|c| (c, *s)));
    let json = [
        ("run examples/fog.frag.agal --input FILE", "examples/fog.json"),
        ("link --main FILE -o -", "tests/link/main.json"),
        ("check FILE", "tests/link/main.json"),
        ("check --isa agal FILE", "examples/lit.vert.agal"),
        ("dis --isa agal FILE", "examples/lit.vert.agal"),
    ];
    for (command, name) in names.chain(json) {
        for (mark, swap) in [(&b"\xff\xfe"[..], false), (b"\xfe\xff", true), (b"", false), (b"", true)] {
            let done = run(&command.replace("FILE", &wide(name, mark, swap)));
            assert!(done.status > 0 && done.err.contains("UTF-16"), "{command} {name} {mark:x?}: {done:?}");
            assert!(done.err.matches("error").count() == 1, "{command} {name}: {}", done.err);
        }
    }
}

#[test]
fn files_that_cannot_be_read_do_not_keep_others_from_it() {
    for verb in ["identify", "check", "report"] {
        let list = "examples/collatz.agx no-such-file tests examples/saxpy.maxwell tests/check/broken.agal";
        let done = run(&format!("{verb} {list}"));
        assert_eq!(done.status, 2, "{verb}: {done:?}");
        assert!(done.err.contains("error[io]: cannot read no-such-file"), "{verb}: {}", done.err);
        assert!(done.err.contains("error[io]: tests is a directory: -r"), "{verb}: {}", done.err);
        let all = format!("{}{}", done.text(), done.err);
        assert!(all.contains("broken.agal"), "{verb}: {all}");
    }
}

#[test]
fn directories_are_read_with_r() {
    let dir = folder("directories");
    for (name, from) in [
        ("b/c/fog.frag.agal", "examples/fog.frag.agal"),
        ("b/a.agx", "examples/collatz.agx"),
        ("notes.md", "README.md"),
        ("a.maxwell", "examples/saxpy.maxwell"),
    ] {
        fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
        fs::copy(Path::new(ROOT).join(from), dir.join(name)).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", dir.join("b/loop")).unwrap();
    let shown = dir.display();
    let done = run(&format!("identify -r {shown} --json"));
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let files: Vec<String> = done
        .text()
        .lines()
        .map(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["file"].as_str().unwrap().to_owned())
        .collect();
    let expected = ["a.maxwell", "b/a.agx", "b/c/fog.frag.agal", "notes.md"];
    assert_eq!(files, expected.map(|name| format!("{shown}/{name}")));
    let checked = run(&format!("check --recursive {shown}"));
    assert_eq!(checked.status, 0, "{checked:?}");
    assert!(
        checked.err.contains("warning[not-recognised]") && checked.err.contains("notes.md"),
        "{checked:?}"
    );
    fs::copy(Path::new(ROOT).join("tests/check/broken.agal"), dir.join("b/broken.agal")).unwrap();
    assert_eq!(run(&format!("check -r {shown}")).status, 1);
}

/// Sources are known without the line that states their language, by their names or by their contents.
#[test]
fn our_own_text_is_identified() {
    let dir = folder("text");
    for (source, kind) in [
        ("examples/lit.vert.agal", "agal-text"),
        ("examples/fog.frag.agal", "agal-text"),
        ("examples/collatz.agx", "agx-text"),
        ("examples/saxpy.maxwell", "maxwell-text"),
        ("examples/flat.v.pica", "pica200-text"),
        ("tests/agal/macro/add.agalm", "agal-text"),
    ] {
        let listing = run(&format!("dis {source}")).out;
        let extension = source.rsplit('.').next().unwrap();
        for text in [file(source), listing] {
            let headless = String::from_utf8(text.clone()).unwrap();
            let (_, headless) = headless.split_once('\n').unwrap();
            let named = dir.join(format!("x.{extension}"));
            fs::write(&named, headless).unwrap();
            let named = named.display();
            let commands = [("identify -", &text[..]), ("identify -", headless.as_bytes())];
            let by_content = commands.iter().filter(|_| extension != "agalm");
            for done in by_content.map(|(c, t)| fed(c, t)).chain([run(&format!("identify {named}"))]) {
                assert!(done.status == 0 && done.text().contains(kind), "{source}: {done:?}");
            }
        }
    }
}
