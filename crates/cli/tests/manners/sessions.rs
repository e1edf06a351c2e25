//! Saved sessions of the debugger.

use crate::command::{Done, fed, shisa};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// A folder for a test, which is removed after it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("shisa-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let file = self.file(name);
        fs::write(&file, contents).unwrap();
        file
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A test that has failed is not to fail for another reason.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(args: &str) -> Done {
    shisa(args).output().unwrap().into()
}

#[test]
fn a_session_opens_without_its_files() {
    let folder = Folder::new("sessions");
    let (script, show) =
        (folder.file("save.script"), folder.write("show.script", "where\nbreakpoints\nprint ft0.y\n"));
    let session = folder.file("fog.session");
    let source = fs::read(format!("{}/examples/fog.frag.agal", crate::command::ROOT)).unwrap();
    let input = fs::read(format!("{}/examples/fog.json", crate::command::ROOT)).unwrap();
    // The name of the file states the stage, and an option the choice.
    let program =
        folder.write("fog.frag.agal", String::from_utf8(source).unwrap().replace("// agal 2 fragment\n", ""));
    let json = folder.write("fog.json", input);
    let commands = "lane 2\nbreak 8 if ft0.y > 0.5\non nan\ndisable 2\nuntil 8\n";
    fs::write(&script, format!("{commands}save {session}\n")).unwrap();
    let options = "--version 2 --set ifg=gt";
    let saved = run(&format!("debug {program} --input {json} {options} --script {script}"));
    assert_eq!((saved.status, saved.err.as_str()), (0, ""));
    assert!(saved.text().ends_with(&format!("the session is in {session}\n")), "{}", saved.text());
    fs::remove_file(&program).unwrap();
    fs::remove_file(&json).unwrap();
    let opened = run(&format!("debug --session {session} --script {show}"));
    assert_eq!((opened.status, opened.err.as_str()), (0, ""));
    let text = opened.text();
    assert!(text.starts_with("step 8 of 12, wave 0, lane 2"), "{text}");
    assert!(text.contains("1  0x0008  mul ft2, ft2, ft0.y if ft0.y > 0.5\n2  nan (disabled)"), "{text}");
    assert!(text.ends_with("ft0.y = 0.75\n"), "{text}");
    // What is saved again is the same.
    let again = folder.file("again.session");
    fs::write(&script, format!("save {again}\n")).unwrap();
    assert_eq!(run(&format!("debug --session {session} --script {script}")).status, 0);
    assert_eq!(fs::read_to_string(&again).unwrap(), fs::read_to_string(&session).unwrap());
    assert!(fs::read_to_string(&session).unwrap().contains("\"set.ifg\": \"gt\""));
}

#[test]
fn a_session_of_somebody_else_reads_no_files() {
    let folder = Folder::new("foreign");
    let session = folder.file("s.session");
    let script = folder.write("save.script", format!("save {session}\n"));
    let fog = "debug examples/fog.frag.agal --input examples/fog.json";
    assert_eq!(run(&format!("{fog} --script {script}")).status, 0);
    let text = fs::read_to_string(&session).unwrap();
    let secret = folder.write("secret.bin", "secret");
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let mut input: Value = serde_json::from_str(value["input"].as_str().unwrap()).unwrap();
    input["textures"] = json!({"fs0": {
        "format": "rgba8", "dim": "2d", "width": 1, "height": 1, "data": [[format!("@{secret}")]],
    }});
    value["input"] = input.to_string().into();
    fs::write(&session, value.to_string()).unwrap();
    let refused = run(&format!("debug --session {session} --script {script}"));
    assert!(refused.status == 1 && !refused.err.contains("c2VjcmV0"), "{}", refused.err);
}

#[test]
fn limits_are_those_of_the_one_who_opens() {
    let folder = Folder::new("limits");
    let session = folder.file("s.session");
    let script = folder.write("save.script", format!("save {session}\n"));
    let fog = "debug examples/fog.frag.agal --input examples/fog.json --limit instructions=100";
    assert_eq!(run(&format!("{fog} --script {script}")).status, 0);
    assert!(!fs::read_to_string(&session).unwrap().contains("instructions"));
    let size = fs::metadata(&session).unwrap().len();
    let open = |limit: u64| run(&format!("debug --session {session} --script {script} --limit file={limit}"));
    assert_eq!(open(size).status, 0);
    let refused = open(size - 1);
    assert!(refused.status == 2 && refused.err.contains("--limit file=BYTES"), "{}", refused.err);
}

#[test]
fn a_session_that_cannot_be_written_is_an_error() {
    let folder = Folder::new("unwritten");
    let missing = folder.file("no/such/folder");
    let script = folder.write("save.script", format!("save\nsave -\nsave {missing}\n"));
    let done = run(&format!("debug examples/fog.frag.agal --input examples/fog.json --script {script}"));
    assert_eq!(done.status, 1);
    assert_eq!(done.err.matches("save needs the name of a file").count(), 2, "{}", done.err);
    assert!(done.err.contains("cannot write"), "{}", done.err);
}

/// A fragment program of Maxwell that samples a texture and discards pixels.
const MAXWELL: &str = "// maxwell
.chip sm_53
.sph SphType PS
.sph Version 3
.sph ShaderType PIXEL
.sph ImapGenericVector[1] perspective.xyzw
.sph OmapTarget[0] xyzw
.sph KillsPixels 1
.code \"main\"
IPA.PASS R0, a[0x90], RZ ; {3f:-:-:-:f}
IPA.PASS R1, a[0x94], RZ ; {3f:-:-:-:f}
FSETP.LT.AND P0, PT, R0, c[0x3][0x0], PT ; {3f:-:-:-:f}
@P0 KIL ; {3f:-:-:-:f}
TEX.NODEP.T R0, R0, 0x8, 2D, 0xf ; {3f:-:-:-:f}
EXIT ; {3f:-:-:-:f}
";

/// A fragment program of AGX that samples a texture and discards columns.
const AGX: &str = "// agx
ldimm r0l, 0
iter r4_r5, cf1, cf0
mov r1, thread_in_grid_x
and r2l, r1, 1
fmul r4, r4, u0
smpf r8_r9_r10_r11, ts0, ss0, r4_r5, 0, 2d, xyzw, auto_lod, a
wait a
pixwait 1, 0
sample_mask 255, r2l
pixwait 12, 0
st_tile r8_r9_r10_r11, 0, 255, 4, u8norm, xyzw
stop
";

/// Saves the session of a picture, deletes its files, opens it, and compares all registers of all lanes at all steps. `@` in
/// the command is the folder of its files.
fn repeats(folder: &Folder, command: &str) {
    let (session, again) = (folder.file("s.session"), folder.file("again.session"));
    let steps = "registers\nstacks\ntick\n".repeat(30);
    let lanes: String = (0..3).map(|lane| format!("lane {lane}\nstart\n{steps}")).collect();
    let moves = format!("breakpoints\nwaves\n{lanes}");
    let first = folder.write("first.script", format!("lane 1\non kill\ngoto 2\nsave {session}\n{moves}"));
    let second = folder.write("second.script", format!("{moves}goto 2\nlane 1\nsave {again}\n"));
    let command = command.replace('@', &folder.file(""));
    let shown = run(&format!("{command} --script {first}"));
    assert_eq!(shown.status, 0, "{command}: {}", shown.err);
    let (_, shown) = shown.text().split_once(&format!("the session is in {session}\n")).unwrap();
    assert!(shown.contains("1  kill") && shown.contains("at the end of the run"), "{command}: {shown}");
    for word in command.split_whitespace() {
        let name = word.rsplit('=').next().unwrap();
        if name.starts_with(&folder.file("")) {
            fs::remove_file(name).unwrap();
        }
    }
    let opened = run(&format!("debug --session {session} --script {second}"));
    assert_eq!((opened.status, opened.err.as_str()), (0, ""), "{command}");
    let (position, opened) = opened.text().split_once("\n> ").unwrap();
    assert!(position.starts_with("step 2 of ") && position.contains(", lane 1"), "{command}: {position}");
    let opened = format!("> {opened}");
    assert!(opened.starts_with(shown), "{command}:\n{shown}\n{opened}");
    assert_eq!(fs::read_to_string(again).unwrap(), fs::read_to_string(session).unwrap(), "{command}");
}

#[test]
fn sessions_of_pictures_repeat_their_runs() {
    let folder = Folder::new("pictures");
    let pica200 = shisa("asm examples/flat.v.pica").output().unwrap().stdout;
    for command in [
        "preview @lit.frag.agal --size 5x5 --pixel 4,4 --texture fs0=@small.png --constant fc0.y=0.75",
        "preview @fog.frag.agal --size 5x5 --pixel 1,2 --input @fog.json --set ifg=gt",
        "preview @sample.maxwell --size 4x3 --pixel 2,2 --texture tex8=@small.png --constant c[0x3][0x0]=0.5",
        "preview @sample.agx --size 6x5 --pixel 1,1 --texture ts0=@small.png --constant u0=0.5",
        "render @lit.vert.agal @lit.frag.agal --mesh @cube.obj --size 9x9 --pixel 4,4 --triangle 3",
        "render @lit.vert.agal --mesh @cube.obj --size 9x9 --pixel 4,4",
        "render @mesh.vert.maxwell @sample.maxwell --mesh @cube.obj --size 9x9 --pixel 4,4 --input @empty.json",
        "render @mesh.vert.maxwell --mesh @cube.obj --size 9x9 --pixel 4,4",
        "render @flat.shbin --mesh @cube.obj --size 9x9 --pixel 4,4",
    ] {
        for name in ["fog.frag.agal", "fog.json", "lit.vert.agal", "lit.frag.agal", "cube.obj"] {
            folder.write(name, fs::read(format!("{}/examples/{name}", crate::command::ROOT)).unwrap());
        }
        for name in ["preview/small.png", "render/mesh.vert.maxwell"] {
            let bytes = fs::read(format!("{}/tests/{name}", crate::command::ROOT)).unwrap();
            folder.write(name.split('/').next_back().unwrap(), bytes);
        }
        folder.write("sample.maxwell", MAXWELL);
        folder.write("sample.agx", AGX);
        folder.write("flat.shbin", &pica200);
        folder.write("empty.json", "{\"version\": 1}");
        repeats(&folder, command);
    }
}

/// The answers to requests of the Debug Adapter Protocol, and the events.
fn adapter(requests: &[(&str, Value)]) -> Vec<Value> {
    let mut bytes = String::new();
    for (number, (command, arguments)) in (1..).zip(requests) {
        let request = json!({"seq": number, "type": "request", "command": command, "arguments": arguments});
        let request = request.to_string();
        bytes += &format!("Content-Length: {}\r\n\r\n{request}", request.len());
    }
    let done = fed("dap", bytes.as_bytes());
    assert_eq!((done.status, done.err.as_str()), (0, ""));
    let messages = done.text().split("Content-Length: ").filter_map(|part| part.split_once("\r\n\r\n"));
    messages.map(|(_, message)| serde_json::from_str(message).unwrap()).collect()
}

#[test]
fn editors_open_sessions() {
    let texel = "0.79960793 0.5996079 0.0 1.0";
    for (session, expression, value) in [("fog", "v1.x", "5.0"), ("picture", "ft0", texel)] {
        let path = format!("tests/debug/{session}.session");
        let all = adapter(&[
            ("initialize", json!({"linesStartAt1": true})),
            ("launch", json!({"session": path, "stopOnEntry": true})),
            ("configurationDone", json!({})),
            ("stackTrace", json!({"threadId": 1})),
            ("evaluate", json!({"expression": "breakpoints", "context": "repl"})),
            ("evaluate", json!({"expression": expression, "context": "watch"})),
            ("disconnect", json!({})),
        ]);
        let answer = |command: &str| all.iter().filter(|m| m["command"] == command).collect::<Vec<_>>();
        assert_eq!(answer("launch")[0]["success"], true, "{all:?}");
        let stopped = all.iter().find(|m| m["event"] == "stopped").unwrap();
        assert_eq!(stopped["body"]["reason"], "entry");
        assert_eq!(answer("stackTrace")[0]["body"]["stackFrames"][0]["line"], 8, "{all:?}");
        let results: Vec<&Value> = answer("evaluate").iter().map(|m| &m["body"]["result"]).collect();
        assert!(results[0].as_str().unwrap().starts_with("1  0x000"), "{results:?}");
        assert_eq!(results[1], value);
    }
}

#[test]
fn editors_are_told_why_a_session_does_not_open() {
    let refused = |arguments: Value| {
        let all = adapter(&[("initialize", json!({})), ("launch", arguments), ("disconnect", json!({}))]);
        all.iter().find(|m| m["command"] == "launch").unwrap()["message"].as_str().unwrap().to_owned()
    };
    let fog = "tests/debug/fog.session";
    for (arguments, message) in [
        (json!({"session": 1}), "the launch argument \"session\" is no path"),
        (json!({"session": "-"}), "the launch argument \"session\" is no path"),
        (json!({"session": fog, "run": 2}), "the launch argument \"run\" is not allowed with \"session\""),
        (json!({"session": "tests/debug/none.session"}), "cannot read tests/debug/none.session"),
        (json!({"session": "examples/fog.json"}), "a saved session has \"format\""),
        (
            json!({"session": "tests/debug/late.session"}),
            "the session is at step 99, and its run has 12 steps",
        ),
        (
            json!({"session": "tests/debug/option.session"}),
            "option \"isa\" of the saved session is \"nothing\"",
        ),
        (
            json!({"session": "tests/debug/inputs.session"}),
            "the saved session has inputs v0; the program reads v0, v1",
        ),
        (json!({"program": "examples/fog.frag.agal"}), "the launch arguments have no \"input\", a path"),
        (json!({"program": "README.md", "input": "examples/fog.json"}), "not a program of a known kind"),
    ] {
        let found = refused(arguments);
        assert!(found.contains(message), "{found}");
    }
}
