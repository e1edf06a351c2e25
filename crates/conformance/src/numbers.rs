//! Comparing computed numbers with expected ones.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Largest relative difference of a component.
pub const USUAL: f64 = 1e-5;
/// Largest relative difference of a component that small changes of rounding move.
pub const SENSITIVE: f64 = 1e-3;

/// The expectations of an `agal/run` file.
#[derive(Debug)]
pub struct Expected<'a> {
    outputs: &'a Map<String, Value>,
    sensitive: BTreeSet<&'a str>,
}

impl<'a> Expected<'a> {
    /// Of a file.
    pub fn of(file: &'a Value) -> Option<Expected<'a>> {
        let sensitive = file.get("sensitive").and_then(Value::as_array);
        Some(Expected {
            outputs: file.get("expected")?.as_object()?,
            sensitive: sensitive.into_iter().flatten().filter_map(Value::as_str).collect(),
        })
    }

    /// Compares with what a run filled in, every listed component of every output.
    pub fn compare(&self, got: &Map<String, Value>) -> Result<(), String> {
        for (name, lanes) in self.outputs {
            let lanes = lanes.as_array().ok_or("expectations are lists")?;
            let computed = got.get(name).and_then(Value::as_array).ok_or(format!("no output {name}"))?;
            if lanes.len() != computed.len() {
                return Err(format!("{name}: {} lanes expected, {} got", lanes.len(), computed.len()));
            }
            for (lane, (want, have)) in lanes.iter().zip(computed).enumerate() {
                let text = |v: &'a Value| v.as_str().unwrap_or_default();
                self.lane(name, lane, text(want), have.as_str().unwrap_or_default())?;
            }
        }
        Ok(())
    }

    fn lane(&self, name: &str, lane: usize, want: &str, have: &str) -> Result<(), String> {
        if want == "killed" || have == "killed" {
            return match want == have {
                true => Ok(()),
                false => Err(format!("{name} lane {lane}: expected {want}, got {have}")),
            };
        }
        let have: Vec<&str> = have.split_ascii_whitespace().collect();
        for (i, want) in want.split_ascii_whitespace().enumerate().filter(|(_, w)| *w != "-") {
            let letter = ["x", "y", "z", "w"].get(i).ok_or("more than four components")?;
            let component = format!("{name} {lane}.{letter}");
            let bound = if self.sensitive.contains(component.as_str()) { SENSITIVE } else { USUAL };
            let have = have.get(i).copied().unwrap_or("-");
            let close = matches!((number(want), number(have)), (Some(w), Some(h)) if within(w, h, bound));
            if !close {
                return Err(format!("{component}: expected {want}, got {have}"));
            }
        }
        Ok(())
    }
}

/// Whether two finite numbers differ by at most `bound` of the larger magnitude. Zeros of both signs are
/// the same.
pub fn within(a: f32, b: f32, bound: f64) -> bool {
    let (a, b) = (f64::from(a), f64::from(b));
    a == b || (a - b).abs() <= bound * a.abs().max(b.abs())
}

fn number(hex: &str) -> Option<f32> {
    u32::from_str_radix(hex, 16).ok().map(f32::from_bits)
}
