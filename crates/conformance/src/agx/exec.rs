//! `agx/exec`: compute programs with memory before and after.

use crate::{Data, Error, Tally};
use serde_json::Value;
use shisa::Settings;
use shisa::agx::{ComputeRun, run_compute};

/// Judges every line; all programs of a line must give what it expects.
pub(crate) fn judge(data: &Data, tally: &mut Tally) -> Result<(), Error> {
    for line in data.text("agx/exec.jsonl")?.lines() {
        let case: Value = serde_json::from_str(line)?;
        let name = case.get("name").and_then(Value::as_str).unwrap_or("?");
        tally.row(name, one(&case, line));
    }
    Ok(())
}

fn one(case: &Value, line: &str) -> Result<(), String> {
    let kind = case.get("type").and_then(Value::as_str).ok_or("no type")?;
    let tolerance = case.get("tolerance").and_then(Value::as_f64).ok_or("no tolerance")?;
    let runs = ComputeRun::from_json(line).map_err(|e| e.to_string())?;
    if runs.is_empty() {
        return Err("no programs".into());
    }
    let buffers = case.get("buffers").and_then(Value::as_array).ok_or("no buffers")?;
    for run in &runs {
        let output = run_compute(run, &Settings::default()).map_err(|e| e.to_string())?;
        for (i, (buffer, got)) in buffers.iter().zip(&output.buffers).enumerate() {
            // Where hardware rounds differently from the reference it is right.
            let Some(want) = buffer.get("expect_hw").or(buffer.get("expect")) else { continue };
            let text = want.as_str().ok_or("an expectation is no text")?;
            let want = shisa::agx::from_base64(text).ok_or("an expectation is not base64")?;
            compare(kind, tolerance, &want, got).map_err(|e| format!("buffer {i}, {e}"))?;
        }
    }
    Ok(())
}

/// Reads the bytes of an element as a float, if it is one.
type Float = fn(&[u8]) -> Option<f64>;

/// Compares element by element; floats within the tolerance, which is relative.
pub fn compare(kind: &str, tolerance: f64, want: &[u8], got: &[u8]) -> Result<(), String> {
    if want.len() != got.len() {
        return Err(format!("{} bytes expected, {} got", want.len(), got.len()));
    }
    let (size, float): (usize, Float) = match kind {
        "float" => (4, |b| Some(f64::from(f32::from_le_bytes(b.try_into().ok()?)))),
        "half" => (2, |b| Some(half(u16::from_le_bytes(b.try_into().ok()?)))),
        "double" => (8, |b| Some(f64::from_le_bytes(b.try_into().ok()?))),
        _ => (1, |_| None),
    };
    for (i, (want, got)) in want.chunks(size).zip(got.chunks(size)).enumerate() {
        let near = match (float(want), float(got)) {
            (Some(a), Some(b)) => {
                a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= tolerance * a.abs().max(b.abs())
            }
            _ => false,
        };
        if want != got && !near {
            return Err(format!("{kind} at byte {}: expected {want:02x?}, got {got:02x?}", i * size));
        }
    }
    Ok(())
}

fn half(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => mantissa * 2f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1.0 + mantissa / 1024.0) * 2f64.powi(e - 15),
    };
    if bits >> 15 != 0 { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn floats_may_differ_within_the_tolerance() {
        let [one, near, far] = [1.0f32, 1.00001, 1.001].map(f32::to_le_bytes);
        assert!(compare("float", 1e-4, &one, &near).is_ok());
        for (kind, tolerance, got) in [("float", 1e-4, far), ("float", 0.0, near), ("uint", 1e-4, near)] {
            assert!(compare(kind, tolerance, &one, &got).is_err());
        }
        // 1.0 and the half after it.
        assert!(compare("half", 1e-2, &[0, 0x3c], &[1, 0x3c]).is_ok());
        assert!(compare("half", 1e-4, &[0, 0x3c], &[1, 0x3c]).is_err());
        assert!(compare("float", 1.0, &one, &one[..2]).is_err());
    }
}
