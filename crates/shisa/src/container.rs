//! Listings of files that hold several programs.

use crate::identify::agal::part;
use crate::text::no_program;
use crate::{Listing, Result, Settings};
use serde_json::{Value, json};
use shisa_agal::AsmOptions;
use shisa_diag::{Limit, escape};
use shisa_swf::{Content, Extraction, Found};

/// The finds that the listing asks for, each with its number from 1.
fn asked<'e>(extraction: &'e Extraction, listing: &Listing) -> Result<Vec<(usize, &'e Found)>> {
    let numbered = (1..).zip(&extraction.found);
    let Some(number) = listing.program else { return Ok(numbered.collect()) };
    let one: Vec<_> = numbered.filter(|(n, _)| *n == number).collect();
    if one.is_empty() { Err(no_program(number, extraction.found.len()).into()) } else { Ok(one) }
}

/// All programs of a SWF, each below a comment that tells where it is; only its text when it is the one
/// asked for.
pub(crate) fn disassemble(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<String> {
    let extraction = shisa_swf::extract(bytes, &settings.limits)?;
    let asked = asked(&extraction, listing)?;
    let mut text = String::new();
    if listing.program.is_none() {
        let count = extraction.found.len();
        text = format!("// SWF {}, {} bytes, AGAL programs: {count}\n", extraction.version, extraction.size);
        extraction
            .diagnostics
            .iter()
            .for_each(|d| text.push_str(&format!("// {}\n", escape(&d.to_string()))));
    }
    for (number, found) in asked {
        if listing.program.is_none() {
            text.push_str(&heading(number, found));
        }
        match &found.content {
            Content::Program(bytes) => text.push_str(&crate::disassemble(bytes, &alone(listing), settings)?),
            Content::Source(source) => text.push_str(&harmless(source)),
        }
        settings.limits.check(Limit::TextOut, "bytes of text", text.len())?;
    }
    Ok(text)
}

/// The bytes of a program of a SWF; source is assembled.
pub(crate) fn program(bytes: &[u8], number: usize, settings: &Settings) -> Result<Vec<u8>> {
    let extraction = shisa_swf::extract(bytes, &settings.limits)?;
    let listing = Listing { program: Some(number), ..Listing::default() };
    match asked(&extraction, &listing)?.first() {
        Some((_, Found { content: Content::Program(bytes), .. })) => Ok(bytes.clone()),
        Some((_, Found { content: Content::Source(text), stage, version, .. })) => {
            let options = AsmOptions { version: Some(*version), stage: *stage, ..AsmOptions::default() };
            Ok(crate::assemble(text, &options, settings)?.bytes)
        }
        None => Err(no_program(number, extraction.found.len()).into()),
    }
}

/// What [`disassemble`] tells, as JSON.
pub(crate) fn json(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Value> {
    let extraction = shisa_swf::extract(bytes, &settings.limits)?;
    let mut programs = Vec::new();
    for (number, found) in asked(&extraction, listing)? {
        let part = part(found);
        let (inside, source) = match &found.content {
            Content::Program(bytes) => (Some(crate::listing_json(bytes, &alone(listing), settings)?), None),
            Content::Source(text) => (None, Some(text)),
        };
        programs.push(json!({
            "number": number, "name": part.name, "container": part.container, "chip": part.chip,
            "stage": part.stage, "offset": part.offset, "size": part.size,
            "confidence": part.confidence.name(), "listing": inside, "source": source,
        }));
    }
    Ok(json!({ "version": 1, "container": "swf", "programs": programs }))
}

/// The listing of a find by itself.
fn alone(listing: &Listing) -> Listing {
    Listing { program: None, ..*listing }
}

fn heading(number: usize, found: &Found) -> String {
    let part = part(found);
    let kind = if part.container == "agal" { "program" } else { "source" };
    let chip = part.chip.unwrap_or_default();
    let stage = part.stage.map_or(String::new(), |s| format!("{s} "));
    let (place, size, sure) = (part.name, part.size, part.confidence.name());
    format!(
        "\n// {number}: {place}\n// AGAL {chip} {stage}{kind}, {sure}, at {:#x}, {size} bytes\n",
        part.offset
    )
}

/// Source as it is found, with line ends of one kind, and other control characters as escapes.
fn harmless(source: &str) -> String {
    let mut text = String::with_capacity(source.len() + 1);
    for line in source.replace("\r\n", "\n").trim_end_matches(['\n', '\r']).split(['\n', '\r']) {
        let parts: Vec<String> = line.split('\t').map(escape).collect();
        text.push_str(&parts.join("\t"));
        text.push('\n');
    }
    text
}
