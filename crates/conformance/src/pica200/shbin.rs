//! `pica200/dis`: listings of shader binaries assemble to the same bytes.

use crate::data::stem;
use crate::tally::same;
use crate::{Data, Error, Tally};
use shisa::pica200::picasso::{Options, Source, assemble};
use shisa::{File, Listing, Settings};

/// Disassembles what picasso wrote, for right programs and for wrong ones.
pub(crate) fn dis(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for folder in ["bin", "errors/bin"] {
        for path in data.list(&format!("pica200/{folder}"), ".shbin")? {
            tally.row(&format!("{folder}/{}", stem(&path)), comes_back(data, &path));
        }
    }
    Ok(())
}

fn comes_back(data: &Data, path: &str) -> Result<(), String> {
    let bytes = data.read(path).map_err(|e| e.to_string())?;
    let settings = Settings::default();
    let text = File::open(&bytes, &settings).and_then(|file| file.listing(&Listing::new()));
    let text = text.map_err(|e| e.to_string())?;
    let source = Source { name: "listing", text: &text };
    let done = assemble(&[source], &Options::default(), &settings.limits);
    let found: Vec<String> = done.findings.iter().map(|f| f.diagnostic.to_string()).collect();
    let back = done.bytes.ok_or_else(|| found.join("; "))?;
    let hex = |b: &[u8]| b.iter().map(|b| format!("{b:02x}")).collect::<String>();
    same(&hex(&bytes), &hex(&back))
}
