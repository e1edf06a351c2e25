//! `pica200/run`: programs with inputs and what an emulator's interpreter made of them.
//!
//! Each set is a row in the `f32` model, and one more in the `f24` model where some of its results do not
//! depend on rounding.

use crate::data::stem;
use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::pica200::Options;
use shisa::{File, RunOptions, Settings};

/// Judges every file.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for path in data.list("pica200/run", ".json")? {
        let name = stem(&path);
        let text = data.text(&path)?;
        let file: Value = serde_json::from_str(&text)?;
        let sets = file.get("sets").and_then(Value::as_array).cloned().unwrap_or_default();
        let program = file.get("program").and_then(Value::as_str).unwrap_or_default();
        let bytes = data.read(&format!("pica200/{program}"));
        let filled = |options: Options| -> Result<Value, String> {
            let mut settings = Settings::new();
            settings.pica200.options = options;
            let bytes = bytes.as_ref().map_err(|e| e.to_string())?;
            let filled =
                File::open(bytes, &settings).and_then(|file| file.run_json(&text, RunOptions::new()));
            filled.map_err(|e| e.to_string())
        };
        let emulated = filled(Options::emulators());
        let exact = filled(Options::default());
        for (n, want) in sets.iter().enumerate() {
            let set = want.get("set").and_then(Value::as_str).unwrap_or_default();
            tally.row(&format!("{name} {set} f32"), compare(want, &emulated, n, |_| true));
            let all = want.get("f24_exact").and_then(Value::as_bool) == Some(true);
            let listed = want.get("f24_exact_vertices").and_then(Value::as_array);
            let listed: Vec<usize> =
                listed.into_iter().flatten().filter_map(|v| Some(v.as_u64()? as usize)).collect();
            if all || !listed.is_empty() {
                let judged = |run: usize| all || listed.contains(&run);
                tally.row(&format!("{name} {set} f24"), compare(want, &exact, n, judged));
            }
        }
    }
    Ok(())
}

/// Compares the runs of set `n` that are judged.
fn compare(
    want: &Value,
    filled: &Result<Value, String>,
    n: usize,
    judged: impl Fn(usize) -> bool,
) -> Result<(), String> {
    let got = filled.as_ref().map_err(Clone::clone)?;
    let got = got.get("sets").and_then(|s| s.get(n)).ok_or("no such set")?;
    for kind in ["vertices", "invocations"] {
        let Some(runs) = want.get(kind).and_then(Value::as_array) else { continue };
        for (i, run) in runs.iter().enumerate().filter(|(i, _)| judged(*i)) {
            let run = run.as_object().ok_or("a run is an object")?;
            let computed = got.get(kind).and_then(|k| k.get(i)).ok_or("a run is missing")?;
            for (field, want) in run.iter().filter(|(field, _)| *field != "in") {
                let got = computed.get(field).unwrap_or(&Value::Null);
                if !same(want, got) {
                    return Err(format!("{kind} {i} {field}: expected {want}, got {got}"));
                }
            }
        }
    }
    Ok(())
}

/// Whether two results agree: registers word by word, NaN as a class, zeros of both signs as one.
fn same(want: &Value, got: &Value) -> bool {
    match (want, got) {
        (Value::String(a), Value::String(b)) => {
            let words = |s: &str| -> Vec<u32> { s.split(' ').map(canonical).collect() };
            words(a) == words(b)
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, a)| b.get(k).is_some_and(|b| same(a, b)))
        }
        _ => want == got,
    }
}

fn canonical(word: &str) -> u32 {
    let bits = u32::from_str_radix(word, 16).unwrap_or(1);
    match f32::from_bits(bits) {
        x if x.is_nan() => f32::NAN.to_bits(),
        0.0 => 0,
        _ => bits,
    }
}
