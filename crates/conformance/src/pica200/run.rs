//! `pica200/run`: programs with inputs and what an emulator's interpreter made of them.
//!
//! Each set is a row in the `f32` model, and one more in the `f24` model where some of its results do not
//! depend on rounding. Zeros are compared by their signs in the `f32` model; float24 has no -0, so in the `f24` model a
//! -0 of the emulator is +0. Rows of which no compared result is a zero, and rows of the `f24` model, do not distinguish
//! the signs of zeros; [`Tally::notes`] names them.

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
            let row = format!("{name} {set} f32");
            tally.row(&row, compare(want, &emulated, n, |_| true, Zeros::Signed));
            if !has_zero(want) {
                tally.note(format!("{row}: no result is a zero, so its sign is not compared"));
            }
            let all = want.get("f24_exact").and_then(Value::as_bool) == Some(true);
            let listed = want.get("f24_exact_vertices").and_then(Value::as_array);
            let listed: Vec<usize> =
                listed.into_iter().flatten().filter_map(|v| Some(v.as_u64()? as usize)).collect();
            if all || !listed.is_empty() {
                let judged = |run: usize| all || listed.contains(&run);
                let row = format!("{name} {set} f24");
                tally.row(&row, compare(want, &exact, n, judged, Zeros::Unsigned));
                tally.note(format!("{row}: the signs of the emulator's zeros are ignored"));
            }
        }
    }
    Ok(())
}

/// The zeros of the numbers that the emulator states.
#[derive(Clone, Copy, PartialEq)]
enum Zeros {
    /// Zeros have signs.
    Signed,
    /// Every zero is expected as +0.
    Unsigned,
}

/// The results of the runs of a set, without their inputs.
fn results(set: &Value) -> impl Iterator<Item = &Value> {
    let runs = ["vertices", "invocations"].into_iter().filter_map(|kind| set.get(kind)?.as_array()).flatten();
    runs.filter_map(Value::as_object).flatten().filter(|(field, _)| *field != "in").map(|(_, value)| value)
}

/// Whether a result of the set is a zero of a register.
fn has_zero(set: &Value) -> bool {
    fn zero(value: &Value) -> bool {
        match value {
            Value::String(words) => words.split(' ').any(|w| matches!(w, "00000000" | "80000000")),
            Value::Array(list) => list.iter().any(zero),
            Value::Object(list) => list.values().any(zero),
            _ => false,
        }
    }
    results(set).any(zero)
}

/// Compares the runs of set `n` that are judged.
fn compare(
    want: &Value,
    filled: &Result<Value, String>,
    n: usize,
    judged: impl Fn(usize) -> bool,
    zeros: Zeros,
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
                if !same(want, got, zeros) {
                    return Err(format!("{kind} {i} {field}: expected {want}, got {got}"));
                }
            }
        }
    }
    Ok(())
}

/// Whether two results agree: registers word by word, NaN as a class.
fn same(want: &Value, got: &Value, zeros: Zeros) -> bool {
    match (want, got) {
        (Value::String(a), Value::String(b)) => {
            let words = |s: &str, zeros| -> Vec<u32> { s.split(' ').map(|w| canonical(w, zeros)).collect() };
            words(a, zeros) == words(b, Zeros::Signed)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, zeros))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, a)| b.get(k).is_some_and(|b| same(a, b, zeros)))
        }
        _ => want == got,
    }
}

fn canonical(word: &str, zeros: Zeros) -> u32 {
    let bits = u32::from_str_radix(word, 16).unwrap_or(1);
    match f32::from_bits(bits) {
        x if x.is_nan() => f32::NAN.to_bits(),
        0.0 if zeros == Zeros::Unsigned => 0,
        _ => bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn zeros_are_compared_by_their_signs() {
        let (minus, plus) = (json!("80000000 7fc00000"), json!("00000000 ffc00001"));
        assert!(same(&minus, &minus, Zeros::Signed) && !same(&minus, &plus, Zeros::Signed));
        assert!(same(&minus, &plus, Zeros::Unsigned), "float24 has +0 only");
        assert!(!same(&plus, &minus, Zeros::Unsigned), "float24 has no -0");
    }

    #[test]
    fn rows_without_zeros_are_known() {
        let set =
            |word: &str| json!({"vertices": [{"in": {"v0": "00000000"}, "out": {"o0": word}, "steps": 0}]});
        assert!(has_zero(&set("3f800000 80000000")) && !has_zero(&set("3f800000")));
    }
}
