//! `maxwell/glsl`: the machine code of graphics and compute shaders made by uam, as nvdisasm prints it as a raw file.

use crate::{Data, Error, Tally};
use shisa::maxwell::{Ctx, bundle, decode};
use shisa::rows::{Line, print};

#[derive(Debug)]
/// A shader as uam made it.
pub struct Shader {
    /// Its name.
    pub name: String,
    /// Its words with their control bits.
    pub code: Vec<u128>,
    /// The text of each.
    texts: Vec<String>,
}

/// All shaders.
///
/// # Errors
/// The data is missing or not in its format.
pub fn shaders(data: &Data) -> Result<Vec<Shader>, Error> {
    let mut all = Vec::new();
    for value in data.values("maxwell/glsl/shaders.jsonl")? {
        let list = |key: &str| -> Vec<String> {
            value[key]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|v| v.as_str().map(str::to_owned))
                .collect()
        };
        let hex = |key: &str| -> Result<Vec<u64>, _> {
            list(key).iter().map(|w| u64::from_str_radix(w, 16)).collect::<Result<Vec<_>, _>>()
        };
        let (control, words) = (hex("control")?, hex("words")?);
        let code = control.iter().zip(words.chunks(3)).flat_map(|(control, words)| {
            let word = |i: usize| words.get(i).copied().unwrap_or_default();
            bundle::fuse([*control, word(0), word(1), word(2)])
        });
        let name = value["name"].as_str().unwrap_or_default().to_owned();
        all.push(Shader { name, code: code.take(words.len()).collect(), texts: list("text") });
    }
    Ok(all)
}

/// Judges every shader.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for Shader { name, code, texts } in shaders(data)? {
        let same = code.len() == texts.len();
        let outcome = code.into_iter().zip(&texts).enumerate().try_for_each(|(i, (word, expected))| {
            let ctx = Ctx { pc: bundle::address(i as u32), ..Ctx::default() };
            let mut got = Vec::new();
            match (decode(word, ctx), expected.strip_prefix('!')) {
                (Err(_), Some(_)) => return Ok(()),
                (Err(d), None) => return Err(format!("{expected}: {d}")),
                (Ok(_), Some(why)) => return Err(format!("nvdisasm refuses {word:#x}: {why}")),
                (Ok(insn), None) => print(&insn, ctx, &mut Line::new(&mut got)),
            }
            let got = String::from_utf8_lossy(&got);
            if got == *expected { Ok(()) } else { Err(format!("expected {expected}, got {got}")) }
        });
        let outcome = if same { outcome } else { Err("every word has a text".into()) };
        tally.row(&name, outcome);
    }
    Ok(())
}
