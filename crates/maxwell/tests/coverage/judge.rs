//! Judging SPIR-V.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// The verdict of `spirv-val`, or `None` if it is not installed.
pub(super) fn judged(words: &[u32]) -> Option<Result<(), String>> {
    let mut command = Command::new("spirv-val");
    command.args(["--target-env", "vulkan1.1", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).spawn().ok()?;
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    child.stdin.take()?.write_all(&bytes).ok()?;
    let out = child.wait_with_output().ok()?;
    let text = String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned();
    Some(if out.status.success() { Ok(()) } else { Err(text) })
}
