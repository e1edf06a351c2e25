//! Comparing the contents of memory.

use serde_json::Value;
use shisa_run::from_base64;

/// How the elements of a buffer are compared.
struct Element {
    /// Size in bytes.
    size: usize,
    /// Reads a float.
    float: Option<fn(&[u8]) -> f64>,
}

impl Element {
    fn of(name: &str) -> Option<Element> {
        let number = |size| Some(Element { size, float: None });
        match name {
            "u8" | "i8" => number(1),
            "u16" | "i16" => number(2),
            "u32" | "i32" => number(4),
            "u64" | "i64" => number(8),
            "f16" => Some(Element { size: 2, float: Some(half) }),
            "f32" => Some(Element {
                size: 4,
                float: Some(|b| b.try_into().map_or(0.0, |b| f64::from(f32::from_le_bytes(b)))),
            }),
            "f64" => Some(Element { size: 8, float: Some(|b| b.try_into().map_or(0.0, f64::from_le_bytes)) }),
            _ => None,
        }
    }
}

/// Compares contents in base64, element by element of the buffer's type: bit for bit, but any NaN is any other, and
/// floats may differ by the buffer's tolerance.
pub(crate) fn matches(buffer: &Value, want: &Value, got: &Value) -> Result<(), String> {
    let bytes = |value: &Value| value.as_str().and_then(from_base64).ok_or("contents are not base64");
    let (want, got) = (bytes(want)?, bytes(got)?);
    if want.len() != got.len() {
        return Err(format!("{} bytes expected, {} got", want.len(), got.len()));
    }
    let name = buffer.get("type").and_then(Value::as_str).unwrap_or("?");
    let element = Element::of(name).ok_or_else(|| format!("unknown type {name}"))?;
    let bound = |key| buffer.get("tolerance").and_then(|t| t.get(key)?.as_f64());
    for (i, (want, got)) in want.chunks(element.size).zip(got.chunks(element.size)).enumerate() {
        let near = element.float.is_some_and(|float| {
            let (w, g) = (float(want), float(got));
            let within = |abs: f64, rel: f64| w == g || (g - w).abs() <= abs + rel * w.abs();
            w.is_nan() && g.is_nan()
                || bound("abs").is_some_and(|abs| within(abs, bound("rel").unwrap_or(0.0)))
        });
        if want != got && !near {
            return Err(format!("{name} {i}: expected {}, got {}", text(want, &element), text(got, &element)));
        }
    }
    Ok(())
}

fn text(bytes: &[u8], element: &Element) -> String {
    let hex: String = bytes.iter().rev().map(|b| format!("{b:02x}")).collect();
    element.float.map_or(hex.clone(), |float| format!("{hex} ({})", float(bytes)))
}

fn half(bytes: &[u8]) -> f64 {
    let bits = bytes.try_into().map_or(0, u16::from_le_bytes);
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
    use super::matches;
    use serde_json::{Value, json};
    use shisa_run::to_base64;

    fn contents(bytes: &[u8]) -> Value {
        to_base64(bytes).into()
    }

    #[test]
    fn elements_differ_within_the_tolerance_only() {
        let [one, near, nan, other_nan] = [1.0f32, 1.000_001, f32::NAN, -f32::NAN].map(|f| contents(&f.to_le_bytes()));
        let exact = json!({"type": "f32"});
        let loose = json!({"type": "f32", "tolerance": {"rel": 1e-5, "abs": 0.0}});
        let words = json!({"type": "u32"});
        assert!(matches(&exact, &one, &one).is_ok() && matches(&exact, &nan, &other_nan).is_ok());
        assert!(matches(&exact, &one, &near).is_err() && matches(&loose, &one, &near).is_ok());
        assert!(matches(&words, &nan, &other_nan).is_err() && matches(&loose, &one, &nan).is_err());
        assert!(matches(&words, &one, &contents(&[0; 8])).is_err());
        let halves = [0x3c00u16, 0x3c01].map(|h| contents(&h.to_le_bytes()));
        assert!(matches(&json!({"type": "f16"}), &halves[0], &halves[1]).is_err());
        assert!(matches(&json!({"type": "f16", "tolerance": {"rel": 1e-2, "abs": 0}}), &halves[0], &halves[1]).is_ok());
    }
}
