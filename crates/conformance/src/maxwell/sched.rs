//! `maxwell/sched`: bundles with any control words, as nvdisasm prints them with and without `-novliw`, byte for
//! byte.

use crate::{Data, Error, Tally};
use shisa::diag::Limits;
use shisa::maxwell::{Chip, text};

/// Judges every file: both listings, or that it is refused.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for value in data.values("maxwell/sched/bundles.jsonl")? {
        let chip = value["arch"].as_str().and_then(|a| Chip::of(a.strip_prefix("SM")?.parse().ok()?));
        let chip = chip.ok_or("a row names its chip")?;
        let words =
            value["words"].as_array().ok_or("a row has words")?.iter().map(|w| w.as_str().unwrap_or(""));
        let name = words.clone().collect::<Vec<_>>().join(" ");
        let bytes =
            words.map(|w| u64::from_str_radix(w, 16).map(u64::to_le_bytes)).collect::<Result<Vec<_>, _>>()?;
        let code = bytes.concat();
        let outcome = [("vliw", false), ("novliw", true)].into_iter().try_for_each(|(key, novliw)| {
            let options = text::NvdisasmOptions { hex: true, novliw, ..Default::default() };
            let expected = value[key].as_str().unwrap_or_default();
            match (text::nvdisasm(&code, chip, &options, &Limits::default()), expected.is_empty()) {
                (Err(_), true) => Ok(()),
                (Err(found), false) => Err(format!("{key}: expected\n{expected}got {found:?}")),
                (Ok(got), true) => Err(format!("{key}: nvdisasm refuses it, got\n{got}")),
                (Ok(got), false) => match got.trim_end() == expected.trim_end() {
                    true => Ok(()),
                    false => Err(format!("{key}: expected\n{expected}got\n{got}")),
                },
            }
        });
        tally.row(&format!("{chip} {name}"), outcome);
    }
    Ok(())
}
