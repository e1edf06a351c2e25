//! Sets of Maxwell.

pub(crate) mod cuda;
pub mod faults;
pub(crate) mod findings;
pub mod glsl;
pub(crate) mod glsl_run;
pub mod kernels;
pub mod memory;
pub(crate) mod ptx;
pub(crate) mod sched;
pub(crate) mod words;

/// The texts of a listing's instructions, up to their `;` or `}`, without the text before and after them.
fn instructions(listing: &str) -> Vec<&str> {
    listing.lines().filter_map(instruction).collect()
}

/// The instruction of a line of a listing.
fn instruction(line: &str) -> Option<&str> {
    let (_, rest) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    let text = rest.split("/*").next().unwrap_or_default().trim();
    (!text.is_empty()).then_some(text)
}
