//! Links that carry a program to the page that opens it.

use crate::data::Example;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::{Compression, write::DeflateEncoder};
use serde::Serialize;
use std::io::Write as _;

/// The version of the format of links.
const VERSION: u32 = 1;

/// What a link carries.
#[derive(Serialize)]
struct Carried<'a> {
    v: u32,
    isa: &'a str,
    text: &'a str,
}

/// The fragment of a URL with which the page opens the program of an example: `#p=` and the JSON object, compressed with
/// deflate and written in base64 for URLs. `docs/book/src/links.md` documents the format.
///
/// # Errors
/// JSON or compression that fails, which is a defect of their libraries.
pub fn fragment(isa: &str, example: &Example) -> std::io::Result<String> {
    let json = serde_json::to_vec(&Carried { v: VERSION, isa, text: &example.program })?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&json)?;
    Ok(format!("#p={}", URL_SAFE_NO_PAD.encode(encoder.finish()?)))
}
