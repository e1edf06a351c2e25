//! The validator of SPIR-V.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Passes words to a tool of SPIR-V: whether it accepts them, and what it prints; `None` if it is not installed.
pub fn piped(command: &mut Command, words: &[u32]) -> Option<(bool, String)> {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        println!("skipped: {:?} is not installed", command.get_program());
        return None;
    };
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let out = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    Some((out.status.success(), text))
}

/// The verdict of `spirv-val` for an environment such as `vulkan1.1`, or `None` if it is not installed.
pub fn judged(words: &[u32], environment: &str) -> Option<Result<(), String>> {
    let (accepted, text) = piped(Command::new("spirv-val").args(["--target-env", environment, "-"]), words)?;
    Some(if accepted { Ok(()) } else { Err(text) })
}
