//! Sets of Maxwell.

pub(crate) mod glsl;
pub(super) mod ptx;
pub(super) mod sched;
pub(super) mod words;

use std::error::Error;
use std::io::Read;
use std::path::Path;

/// The contents of a file packed by zstd.
pub(crate) fn unpacked(path: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
    let packed = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut bytes = Vec::new();
    ruzstd::decoding::StreamingDecoder::new(packed.as_slice())?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The lines of a file of text packed by zstd.
fn lines(path: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let text = String::from_utf8(unpacked(path)?)?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// The values of a file of JSON lines packed by zstd.
fn values(path: &Path) -> Result<Vec<serde_json::Value>, Box<dyn Error>> {
    Ok(lines(path)?.iter().map(|l| serde_json::from_str(l)).collect::<Result<_, _>>()?)
}

/// The texts of a listing's instructions, up to their `;` or `}`, without what stands before and behind them.
fn instructions(listing: &str) -> Vec<&str> {
    listing.lines().filter_map(instruction).collect()
}

/// The instruction of a line of a listing.
fn instruction(line: &str) -> Option<&str> {
    let (_, rest) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let text = rest.split("/*").next().unwrap_or_default().trim();
    (!text.is_empty()).then_some(text)
}
