//! AGX compute programs on memory: the contents of the buffers afterwards.

use super::Counts;
use crate::opened::first;
use serde_json::Value;
use shisa::Settings;
use shisa::agx::ComputeRun;
use shisa_conformance::agx::exec::compare;
use shisa_conformance::numbers::USUAL;
use shisa_translate::execute::{Device, Resources};
use shisa_translate::{Options, Target};
use std::cell::RefCell;
use std::ops::Range;

/// One of the programs of a case, with its inputs and the evaluator's results.
pub(super) struct Case {
    part: String,
    run: ComputeRun,
    expected: Vec<Vec<u8>>,
    kind: String,
    tolerance: f64,
}

/// The outcome of a case: compared, or refused with this code before anything ran.
pub(super) enum Done {
    Ran(Counts),
    Refused(String),
}

impl Case {
    /// The programs of a line of `agx/exec`.
    pub(super) fn read(line: &str) -> Result<Vec<Case>, String> {
        let case: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let kind = case.get("type").and_then(Value::as_str).ok_or("no type")?;
        let tolerance = case.get("tolerance").and_then(Value::as_f64).ok_or("no tolerance")?;
        let parts = case.get("programs").and_then(Value::as_array).ok_or("no programs")?;
        let runs = ComputeRun::from_json(line).map_err(|e| e.to_string())?;
        let one = |(part, run): (&Value, ComputeRun)| {
            let output = shisa::agx::run_compute(&run, &Settings::default()).map_err(|e| e.to_string())?;
            let (part, expected, kind) = (part.to_string(), output.buffers, kind.to_owned());
            Ok(Case { part, run, expected, kind, tolerance })
        };
        parts.iter().zip(runs).map(one).collect()
    }

    /// Runs the translation and compares.
    pub(super) fn judge(&self, device: &Device, target: Target) -> Result<Done, String> {
        let mut settings = Settings::default();
        settings.agx.workgroup = Some(self.run.workgroup);
        settings.agx.imageblock = self.run.program.imageblock;
        let options = Options { exact: true, ..Options::default() };
        let bytes = self.part.as_bytes();
        let output = match first(bytes, &settings).and_then(|program| program.translate(target, &options)) {
            Ok(output) => output,
            Err(e) => {
                let reason = e.diagnostics.first().map(|d| format!("{}: {}", d.code, d.message));
                return Ok(Done::Refused(reason.unwrap_or_default()));
            }
        };
        let window = Window::new(&self.run)?;
        let words = RefCell::new(window.words(&self.run));
        let words_of = |bytes: &[u8]| -> Vec<u32> {
            let word = |b: &[u8]| b.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
            bytes.chunks(4).map(word).collect()
        };
        let vectors = words_of(&self.run.uniforms);
        let vectors =
            vectors.chunks(4).map(|v| std::array::from_fn(|i| v.get(i).copied().unwrap_or(0))).collect();
        let uniforms = [vectors];
        let resources = Resources { uniforms: &uniforms, memory: Some(&words), ..Resources::default() };
        let groups = [0, 1, 2].map(|i| self.run.grid[i].div_ceil(self.run.workgroup[i].max(1)));
        device.compute(&output, resources, groups)?;
        let bytes: Vec<u8> = words.borrow().iter().flat_map(|w| w.to_le_bytes()).collect();
        let mut counts = Counts::default();
        for (i, (want, place)) in self.expected.iter().zip(&window.places).enumerate() {
            let got = bytes.get(place.clone()).ok_or("a buffer is not within the memory")?;
            self.close(i, want, got)?;
            let (want, got) = (words_of(want), words_of(got));
            counts.components += want.len();
            counts.equal += want.iter().zip(&got).filter(|(a, b)| a == b).count();
        }
        Ok(Done::Ran(counts))
    }
}

impl Case {
    /// Whether a buffer has the expected contents: floats within the bound for devices that round products before
    /// sums, or within a few times the effect of inputs changed by a rounding error.
    fn close(&self, i: usize, want: &[u8], got: &[u8]) -> Result<(), String> {
        let tolerance = self.tolerance.max(USUAL);
        let Err(e) = compare(&self.kind, tolerance, want, got) else { return Ok(()) };
        let e = format!("buffer {i}, {e}");
        if self.kind != "float" {
            return Err(e);
        }
        let mut nudged = self.run.clone();
        for word in nudged.buffers.iter_mut().flat_map(|b| b.1.chunks_exact_mut(4)) {
            let float = f32::from_le_bytes([word[0], word[1], word[2], word[3]]);
            word.copy_from_slice(&(float * (1.0 + NUDGE)).to_le_bytes());
        }
        let other = shisa::agx::run_compute(&nudged, &Settings::default()).map_err(|e| e.to_string())?;
        let other = other.buffers.get(i).map_or(&[][..], |b| b);
        let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let all = want.chunks_exact(4).zip(got.chunks_exact(4)).zip(other.chunks_exact(4));
        let far = |((want, got), other): ((&[u8], &[u8]), &[u8])| {
            let apart = (float(want) - float(got)).abs();
            let bound =
                (tolerance as f32 * float(want).abs()).max(TIMES * (float(want) - float(other)).abs());
            want != got && (apart > bound || apart.is_nan())
        };
        if all.into_iter().any(far) { Err(e) } else { Ok(()) }
    }
}

/// The relative change of the inputs, and how many times its effect on a result is allowed.
const NUDGE: f32 = 1.0 / (1 << 22) as f32;
const TIMES: f32 = 4.0;

/// The range of 4 GiB that contains all buffers, from its first byte to the end of the last buffer.
struct Window {
    places: Vec<Range<usize>>,
}

/// The largest size of a window in bytes.
const MOST: u64 = 1 << 26;

impl Window {
    fn new(run: &ComputeRun) -> Result<Window, String> {
        let stretch = run.buffers.first().map_or(0, |b| b.0 >> 32);
        let place = |(address, bytes): &(u64, Vec<u8>)| {
            let end = address + bytes.len() as u64;
            let within = address >> 32 == stretch && (address & 0xffff_ffff) + (bytes.len() as u64) < MOST;
            let low = |address: u64| (address & 0xffff_ffff) as usize;
            if within { Ok(low(*address)..low(end)) } else { Err("the buffers are too far apart") }
        };
        Ok(Window { places: run.buffers.iter().map(place).collect::<Result<_, _>>()? })
    }

    /// The contents of all buffers.
    fn words(&self, run: &ComputeRun) -> Vec<u32> {
        let end = self.places.iter().map(|p| p.end).max().unwrap_or(0);
        let mut bytes = vec![0; end.next_multiple_of(4)];
        for (place, (_, data)) in self.places.iter().zip(&run.buffers) {
            bytes[place.clone()].copy_from_slice(data);
        }
        bytes.chunks(4).map(|b| b.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b))).collect()
    }
}
