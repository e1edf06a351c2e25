//! Comparing the results of a run with those that its input expects.

use serde_json::{Map, Value};
use shisa::diag::Diagnostic;
use shisa_run::{Elements, Tolerance as Bound, from_base64};

/// Keys whose values a run fills in.
const RESULTS: &[&str] =
    &["expected", "out", "primitives", "emits", "end", "steps", "expect", "outputs", "drawn"];

/// Results that only the evaluator has: those of another engine lack them.
const OF_EVALUATOR: &[&str] = &["end", "steps"];

/// Differences that are listed; the others are only counted.
const LISTED: usize = 8;

/// Compares the results that an input of [`shisa::Program::run_json`] has with those that the run filled in.
///
/// Numbers are compared as bits, but for NaN, which is equal to NaN. A component `-` is not compared. Two numbers of AGAL
/// may differ by 1e-5 of the larger one, those listed in `sensitive` by 1e-3. `tolerance` at the top of an input states
/// another largest difference.
///
/// Returns `None` if all are equal, or if nothing is expected.
pub(crate) fn differences(input: &str, filled: &Value) -> Option<Diagnostic> {
    let given: Value = serde_json::from_str(input).ok()?;
    let mut compare = Compare { tolerance: Tolerance::of(&given), values: 0, count: 0, listed: Vec::new() };
    compare.inputs(&given, filled, "");
    let Compare { values, count, listed, .. } = compare;
    if count == 0 {
        return None;
    }
    let text = format!("{count} of {values} expected values are not what the program computes");
    let mut found = Diagnostic::error("run-expected", text);
    let more = count - listed.len();
    found.notes = listed;
    Some(if more > 0 { found.note(format!("and {more} others")) } else { found })
}

/// What a run with `--findings` reports.
pub(crate) fn findings(filled: &Value) -> Option<Diagnostic> {
    let found = filled.get("findings")?.as_array()?;
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let notes = |finding: &Value| {
        let notes = finding.get("notes").and_then(Value::as_array);
        let notes = notes.into_iter().flatten().map(|note| text(Some(note)));
        [text(finding.get("code")) + ": " + &text(finding.get("message"))].into_iter().chain(notes).collect()
    };
    let listed: Vec<Vec<String>> = found.iter().map(notes).collect();
    let what: String = match listed.len() {
        1 => "the run has one finding".into(),
        n => format!("the run has {n} findings"),
    };
    let first = Diagnostic::warning("run-findings", what);
    (!found.is_empty()).then(|| listed.iter().fold(first, |d, lines| d.note(lines.join("; "))))
}

/// The largest relative difference of equal numbers.
struct Tolerance<'a> {
    usual: f64,
    sensitive: Vec<&'a str>,
    /// Whether the elements of buffers are binary32.
    floats: bool,
}

impl Tolerance<'_> {
    fn of(given: &Value) -> Tolerance<'_> {
        let agal = if given.get("expected").is_some() { 1e-5 } else { 0.0 };
        let list = given.get("sensitive").and_then(Value::as_array);
        Tolerance {
            usual: given.get("tolerance").and_then(Value::as_f64).unwrap_or(agal),
            sensitive: list.into_iter().flatten().filter_map(Value::as_str).collect(),
            floats: given.get("type").and_then(Value::as_str) == Some("float"),
        }
    }

    fn near(&self, want: f64, got: f64, name: &str) -> bool {
        let bound = if self.sensitive.contains(&name) { 1e-3 } else { self.usual };
        want.is_nan() && got.is_nan()
            || bound > 0.0 && (want == got || (want - got).abs() <= bound * want.abs().max(got.abs()))
    }
}

/// A comparison in progress.
struct Compare<'a> {
    tolerance: Tolerance<'a>,
    values: usize,
    count: usize,
    listed: Vec<String>,
}

impl Compare<'_> {
    /// Looks for results in an input.
    fn inputs(&mut self, given: &Value, filled: &Value, path: &str) {
        match given {
            Value::Object(object) if typed(given).is_some() => self.typed_memory(object, filled, path),
            Value::Object(object) => {
                for (key, given) in object {
                    let at = format!("{path}{key}");
                    // What hardware computes is right where the reference differs.
                    let better = key == "expect" && object.contains_key("expect_hw");
                    let name = if key == "expect_hw" { "expect" } else { key };
                    let missing = filled.get(name).is_none() && OF_EVALUATOR.contains(&name);
                    let filled = filled.get(name).unwrap_or(&Value::Null);
                    match RESULTS.contains(&name) {
                        true if better || missing => {}
                        true => self.results(given, filled, &at),
                        false => self.inputs(given, filled, &format!("{at}.")),
                    }
                }
            }
            Value::Array(list) => {
                for (i, given) in list.iter().enumerate() {
                    self.inputs(given, filled.get(i).unwrap_or(&Value::Null), &format!("{path}{i}."));
                }
            }
            _ => {}
        }
    }

    fn results(&mut self, want: &Value, got: &Value, path: &str) {
        match (want, got) {
            (Value::Object(want), Value::Object(got)) => self.members(want, got, path),
            (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
                for (i, (want, got)) in want.iter().zip(got).enumerate() {
                    self.results(want, got, &format!("{path} {i}"));
                }
            }
            (Value::Array(want), Value::Array(got)) => {
                self.value(false, || format!("{path}: expected {} values, got {}", want.len(), got.len()));
            }
            (Value::String(want), Value::String(got)) => self.text(want, got, path),
            _ => self.value(want == got, || format!("{path}: expected {want}, got {got}")),
        }
    }

    fn members(&mut self, want: &Map<String, Value>, got: &Map<String, Value>, path: &str) {
        for (key, want) in want {
            match got.get(key) {
                Some(got) => self.results(want, got, &format!("{path}.{key}")),
                None => self.value(false, || format!("{path}.{key}: the program has no such output")),
            }
        }
    }

    /// Words in hexadecimal, the contents of memory in base64, or text.
    fn text(&mut self, want: &str, got: &str, path: &str) {
        let words: Vec<&str> = want.split_ascii_whitespace().collect();
        let plain = |w: &&str| *w == "-" || w.len() == 8 && w.bytes().all(|b| b.is_ascii_hexdigit());
        if !words.iter().all(plain) {
            return match (from_base64(want), from_base64(got)) {
                (Some(want), Some(got)) if self.tolerance.floats && want.len() == got.len() => {
                    self.memory(&want, &got, path);
                }
                _ => self
                    .value(want == got, || format!("{path}: expected {}, got {}", short(want), short(got))),
            };
        }
        let mut others = got.split_ascii_whitespace();
        for (i, want) in words.into_iter().enumerate() {
            let got = others.next().unwrap_or("-");
            if want == "-" {
                continue;
            }
            let letter = ["x", "y", "z", "w"].get(i).copied().unwrap_or("?");
            // As `sensitive` lists them: `oc 3.x`.
            let name = format!("{}.{letter}", path.rsplit('.').next().unwrap_or_default());
            let number = |hex| u32::from_str_radix(hex, 16).ok().map(|bits| f64::from(f32::from_bits(bits)));
            let near = match (number(want), number(got)) {
                (Some(w), Some(g)) => self.tolerance.near(w, g, &name),
                _ => false,
            };
            self.value(near || want.eq_ignore_ascii_case(got), || {
                let value = |hex| number(hex).map_or(String::new(), |n| format!(" ({n})"));
                format!("{path}.{letter}: expected {want}{}, got {got}{}", value(want), value(got))
            });
        }
    }

    /// Memory whose numbers have a type and a tolerance of their own.
    fn typed_memory(&mut self, given: &Map<String, Value>, filled: &Value, path: &str) {
        let bytes = |value: Option<&Value>| value.and_then(Value::as_str).and_then(from_base64);
        let elements = given.get("type").and_then(Value::as_str).and_then(Elements::of);
        let (Some(elements), Some(want)) = (elements, bytes(given.get("expected"))) else {
            return self.value(false, || format!("{path}expected: the contents are not base64"));
        };
        let got = bytes(filled.get("expected")).unwrap_or_default();
        if want.len() != got.len() {
            return self.value(false, || {
                format!("{path}expected: {} bytes expected, {} got", want.len(), got.len())
            });
        }
        let part = |tolerance: &Value, key| tolerance.get(key).and_then(Value::as_f64).unwrap_or(0.0);
        let bound = given.get("tolerance").filter(|t| t.is_object());
        let bound = bound.map(|t| Bound { abs: part(t, "abs"), rel: part(t, "rel") });
        self.values += elements.count(want.len());
        for difference in elements.differences(&want, &got, bound) {
            self.values -= 1;
            self.value(false, || format!("{path}expected, {difference}"));
        }
    }

    /// Numbers in memory.
    fn memory(&mut self, want: &[u8], got: &[u8], path: &str) {
        let (want, got) = (want.as_chunks::<4>().0, got.as_chunks::<4>().0);
        for (i, (want, got)) in want.iter().zip(got).enumerate() {
            let [w, g] = [want, got].map(|bytes| f64::from(f32::from_le_bytes(*bytes)));
            let equal = want == got || self.tolerance.near(w, g, "");
            self.value(equal, || format!("{path}, byte {}: expected {w}, got {g}", i * 4));
        }
    }

    fn value(&mut self, equal: bool, difference: impl FnOnce() -> String) {
        self.values += 1;
        if equal {
            return;
        }
        self.count += 1;
        if self.listed.len() < LISTED {
            self.listed.push(difference());
        }
    }
}

/// The type of the numbers that an object expects in memory.
fn typed(given: &Value) -> Option<Elements> {
    given.get("expected").filter(|e| e.is_string())?;
    given.get("type").and_then(Value::as_str).and_then(Elements::of)
}

/// The first part of a text.
fn short(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
