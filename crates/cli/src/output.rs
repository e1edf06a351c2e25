//! Writing files and standard output.

use crate::stop::Stop;
use serde_json::Value;
use std::io::Write;

/// Writes a file; `-` is standard output.
pub(crate) fn write(name: &str, bytes: &[u8]) -> Result<(), Stop> {
    match name {
        "-" => {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush()).map_err(Stop::from)
        }
        _ => std::fs::write(name, bytes).map_err(|e| Stop::file("write", name, &e)),
    }
}

/// Writes JSON, indented, with a line end after it.
pub(crate) fn json(name: &str, value: &Value) -> Result<(), Stop> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    write(name, &text)
}
