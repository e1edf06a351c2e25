//! What depends on a terminal.

use crate::command::shisa;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

/// Runs the command with both outputs on a terminal of a kind. Returns what arrived there, and the status.
fn on_terminal(args: &str, term: &str) -> (String, i32) {
    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&main).unwrap();
    unlockpt(&main).unwrap();
    let name = ptsname(&main, Vec::new()).unwrap();
    let name = std::ffi::OsStr::from_bytes(name.as_bytes());
    let open = || Stdio::from(File::options().read(true).write(true).open(name).unwrap());
    let mut command = shisa(args);
    // Libraries for terminals take servers that build and test for terminals with colours.
    command.stdout(open()).stderr(open()).env("TERM", term).env("CI", "true").env_remove("NO_COLOR");
    command.env_remove("TERM_PROGRAM").env_remove("KITTY_WINDOW_ID");
    let mut child = command.spawn().unwrap();
    // The terminal is closed when nobody has its other end.
    drop(command);
    let (mut all, mut main) = (Vec::new(), File::from(main));
    let mut chunk = [0; 4096];
    while let Ok(read @ 1..) = main.read(&mut chunk) {
        all.extend_from_slice(&chunk[..read]);
    }
    (String::from_utf8_lossy(&all).into_owned(), child.wait().unwrap().code().unwrap())
}

#[test]
fn bytes_are_not_for_a_terminal_unless_forced() {
    for command in [
        "asm examples/fog.frag.agal",
        "asm examples/flat.v.pica",
        "asm examples/collatz.agx",
        "asm examples/saxpy.maxwell",
        "extract examples/fog.frag.agal",
        "extract tests/identify/library.so --cubin",
        "translate examples/fog.frag.agal --to spirv",
        "preview examples/fog.frag.agal -o -",
        "render examples/lit.vert.agal --mesh examples/cube.obj -o -",
        "link --prolog tests/link/prolog.json --main tests/link/main.json --raw -o -",
    ] {
        let (text, status) = on_terminal(command, "xterm");
        assert!(status == 2 && text.contains("--force"), "{command}: {text}");
        let (text, status) = on_terminal(&format!("{command} --force"), "xterm");
        assert!(status == 0 && !text.contains("--force"), "{command}: {text}");
    }
    for text in ["dis examples/fog.frag.agal", "translate examples/fog.frag.agal --to wgsl"] {
        assert_eq!(on_terminal(text, "xterm").1, 0, "{text}");
    }
}

#[test]
fn a_dumb_terminal_has_no_colours() {
    for command in ["check tests/check/broken.agal", "identify --nonsense", "--help", "identify no-such-file"]
    {
        assert!(on_terminal(command, "xterm").0.contains('\u{1b}'), "{command}");
        assert!(!on_terminal(command, "dumb").0.contains('\u{1b}'), "{command}");
        assert!(on_terminal(&format!("{command} --color always"), "dumb").0.contains('\u{1b}'), "{command}");
        assert!(!on_terminal(&format!("{command} --color=never"), "xterm").0.contains('\u{1b}'), "{command}");
    }
}

#[test]
fn pictures_are_shown_where_the_terminal_can() {
    for command in [
        "preview examples/fog.frag.agal --size 8",
        "render examples/lit.vert.agal --mesh examples/cube.obj --size 8",
    ] {
        for (term, start) in [("xterm-kitty", "\u{1b}_Gf=100,a=T,"), ("foot", "\u{1b}Pq")] {
            let (text, status) = on_terminal(command, term);
            assert!(
                status == 0 && text.contains(start) && text.contains("8x8"),
                "{command} {term}: {text:?}"
            );
        }
        let (text, status) = on_terminal(command, "xterm");
        assert!(status == 2 && text.contains("-o OUT.png"), "{command}: {text}");
    }
}
