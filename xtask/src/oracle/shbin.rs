//! `pica200/dis`: listings of shader binaries assemble to the same bytes.

use super::Tally;
use super::run::files;
use super::tally::same;
use shisa::pica200::picasso::{Options, Source, assemble};
use shisa::{Listing, Settings};
use std::error::Error;
use std::path::Path;

/// Disassembles what picasso wrote, for right programs and for wrong ones.
pub(crate) fn dis(dir: &Path, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    for folder in ["bin", "errors/bin"] {
        for path in files(&dir.join(folder), ".shbin")? {
            let name = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
            tally.row(&format!("{folder}/{name}"), comes_back(&path));
        }
    }
    Ok(())
}

fn comes_back(path: &Path) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let settings = Settings::default();
    let text = shisa::disassemble(&bytes, &Listing::default(), &settings).map_err(|e| e.to_string())?;
    let source = Source { name: "listing", text: &text };
    let done = assemble(&[source], &Options::default(), &settings.limits);
    let found: Vec<String> = done.findings.iter().map(|f| f.diagnostic.to_string()).collect();
    let back = done.bytes.ok_or_else(|| found.join("; "))?;
    let hex = |b: &[u8]| b.iter().map(|b| format!("{b:02x}")).collect::<String>();
    same(&hex(&bytes), &hex(&back))
}
