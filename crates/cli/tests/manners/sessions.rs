//! Saved sessions of the debugger.

use crate::command::{Done, shisa};
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
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut input: serde_json::Value = serde_json::from_str(value["input"].as_str().unwrap()).unwrap();
    input["textures"] = serde_json::json!({"fs0": {
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
