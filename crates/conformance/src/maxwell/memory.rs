//! Comparing the contents of memory after a run.

use serde_json::Value;
use shisa_run::{Elements, Tolerance, from_base64};

/// Compares each entry of the list `key` after a run with what is expected, or with what it had before.
///
/// # Errors
/// The first difference that is larger than the entry's tolerance.
pub fn unchanged_or_expected(given: &Value, filled: &Value, key: &str) -> Result<(), String> {
    let list = |of: &Value| of.get(key).and_then(Value::as_array).cloned().ok_or(format!("no {key}"));
    let (given, filled) = (list(given)?, list(filled)?);
    for (i, (given, got)) in given.iter().zip(&filled).enumerate() {
        let before = given.get("data").ok_or("an entry has no data")?;
        let got = got.get("expected").unwrap_or(before);
        let want = given.get("expected").unwrap_or(before);
        matches(given, want, got).map_err(|e| format!("{key} {i}, {e}"))?;
    }
    Ok(())
}

/// Compares contents in base64, number by number of the entry's type.
fn matches(entry: &Value, want: &Value, got: &Value) -> Result<(), String> {
    let bytes = |value: &Value| value.as_str().and_then(from_base64).ok_or("contents are not base64");
    let (want, got) = (bytes(want)?, bytes(got)?);
    if want.len() != got.len() {
        return Err(format!("{} bytes expected, {} got", want.len(), got.len()));
    }
    let name = entry.get("type").and_then(Value::as_str).unwrap_or("?");
    let elements = Elements::of(name).ok_or_else(|| format!("unknown type {name}"))?;
    let part = |tolerance: &Value, key| tolerance.get(key).and_then(Value::as_f64).unwrap_or(0.0);
    let tolerance = entry.get("tolerance").filter(|t| t.is_object());
    let tolerance = tolerance.map(|t| Tolerance { abs: part(t, "abs"), rel: part(t, "rel") });
    let mut differences = elements.differences(&want, &got, tolerance);
    differences.next().map_or(Ok(()), |d| Err(d.to_string()))
}
