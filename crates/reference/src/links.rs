//! Links that carry a program to the page that opens it.

use crate::data::{Example, Family};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::{Compression, write::DeflateEncoder};
use serde::Serialize;
use std::io::{Error, Write as _};

/// What a link states about the file that it carries.
#[derive(Serialize)]
struct Head<'a> {
    name: &'a str,
    isa: &'a str,
    /// The number of the program, from 0.
    program: u32,
}

/// The fragment of a URL with which the page opens the program of an example: `#1.` and, compressed with deflate and
/// written in base64 for URLs, the length of a head, the head and the program. `docs/book/src/links.md` documents the
/// format.
///
/// # Errors
/// JSON or compression that fails, which is a defect of their libraries.
pub fn fragment(family: &Family, example: &Example) -> Result<String, Error> {
    let name = format!("example.{}", family.extension);
    let head = serde_json::to_vec(&Head { name: &name, isa: family.name, program: 0 })?;
    let length = u16::try_from(head.len()).map_err(Error::other)?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&length.to_le_bytes())?;
    encoder.write_all(&head)?;
    encoder.write_all(example.program.as_bytes())?;
    Ok(format!("#1.{}", URL_SAFE_NO_PAD.encode(encoder.finish()?)))
}
