//! `agx/links`: programs that Mesa's linker joined.

use crate::tally::same;
use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::Settings;
use shisa::agx::PartFile;

/// Joins parts and compares code and metadata.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for (number, line) in (1..).zip(data.text("agx/links.jsonl")?.lines()) {
        tally.row(&format!("links.jsonl:{number}"), link(line));
    }
    Ok(())
}

fn link(line: &str) -> Result<(), String> {
    let case: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let settings = Settings::default();
    let part = |name: &str| match &case[name] {
        Value::Null => Ok(None),
        file => PartFile::read(file.to_string().as_bytes(), &settings)
            .map(Some)
            .map_err(|e| format!("{name}: {e}")),
    };
    let main = part("main")?.ok_or("there is no main part")?;
    let samples = case["linked"]["meta"]["nr_samples_shaded"].as_u64().and_then(|n| n.try_into().ok());
    let samples = samples.ok_or("there is no number of samples")?;
    let linked =
        shisa::agx::link(part("prolog")?.as_ref(), &main, part("epilog")?.as_ref(), samples, &settings);
    let (linked, _) = linked.map_err(|e| e.to_string())?;
    let mut got = linked.to_json();
    // The number that a program was filed under belongs to the collection.
    got["meta"]["id"] = case["linked"]["meta"]["id"].clone();
    same(&case["linked"], &got)
}
