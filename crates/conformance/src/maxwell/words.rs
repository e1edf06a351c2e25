//! `maxwell/words`: single words as nvdisasm prints or refuses them. The text must also assemble to a word
//! that has the same text.

use crate::{Data, Error, Tally};
use shisa::maxwell::{Chip, Ctx, Words};

/// Judges every row of every table.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for chip in [Chip::Sm50, Chip::Sm53] {
        let path = format!("maxwell/words/sm{}.tsv", chip.number());
        let ctx = Ctx { chip, ..Ctx::default() };
        // Most rows have the same control word.
        let mut words = (Words::CONTROL, Words::new(ctx, Words::CONTROL, Words::BASE));
        for line in data.text(&path)?.lines().filter(|l| !l.starts_with('#')) {
            let mut cells = line.split('\t');
            let (Some(word), Some(control), Some(text)) = (cells.next(), cells.next(), cells.next()) else {
                return Err(format!("{path}: a row has three cells").into());
            };
            let control = u64::from_str_radix(control, 16)?;
            if control != words.0 {
                words = (control, Words::new(ctx, control, Words::BASE));
            }
            tally.row(&format!("{chip} {word}"), row(&words.1, word, text));
        }
    }
    Ok(())
}

fn row(words: &Words, word: &str, expected: &str) -> Result<(), String> {
    let mut got = Vec::new();
    let refused = words.disassemble(word, &mut got).err();
    let got = String::from_utf8_lossy(&got).into_owned();
    match (expected.strip_prefix('!'), refused) {
        (Some(_), Some(_)) => return Ok(()),
        (Some(why), None) => return Err(format!("nvdisasm refuses it ({why}), got {got}")),
        (None, Some(d)) => return Err(format!("expected {expected}, got {d}")),
        (None, None) if got != expected => return Err(format!("expected {expected}, got {got}")),
        (None, None) => {}
    }
    let (mut back, mut again) = (Vec::new(), Vec::new());
    words.assemble(expected, &mut back).map_err(|d| format!("{expected}: {d}"))?;
    let back = String::from_utf8_lossy(&back).into_owned();
    words.disassemble(&back, &mut again).map_err(|d| format!("{expected} assembles to {back}: {d}"))?;
    match again == expected.as_bytes() {
        true => Ok(()),
        false => Err(format!("{expected} assembles to {back}, {}", String::from_utf8_lossy(&again))),
    }
}
