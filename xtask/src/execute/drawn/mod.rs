//! Linked AGX programs on made-up inputs: fragment programs draw in a real fragment stage, vertex programs run as
//! kernels and in a real vertex stage, and those that run as compute run on memory.

mod compute;
mod pixels;
mod trial;
mod vertices;
mod world;

use super::Counts;
use super::agx::Done;
use crate::opened::lowered;
use serde_json::Value;
use shisa::Settings;
use shisa::diag::Diagnostic;
use shisa::ir::{Binding, Stage};
use shisa_conformance::numbers::{SENSITIVE, within};
use shisa_translate::execute::{Device, Register};
use shisa_translate::{Form, Options, Target};
use trial::Trial;
use world::Filling;

/// Samples of a pixel besides one. Devices usually support this number, too.
const SAMPLES: u16 = 4;

/// A linked program.
pub(super) struct Case {
    bytes: Vec<u8>,
    code: Vec<u8>,
    /// Bytes of a thread's stack.
    stack: usize,
}

impl Case {
    /// The program of a line of `agx/links`.
    pub(super) fn read(line: &Value) -> Result<Case, String> {
        let linked = line.get("linked").ok_or("no program")?;
        let code = linked.get("code").and_then(Value::as_str).and_then(shisa::rows::source::hex_bytes);
        let stack = linked.pointer("/meta/scratch_size").and_then(Value::as_u64).unwrap_or(0);
        Ok(Case { bytes: linked.to_string().into(), code: code.ok_or("no code")?, stack: stack as usize })
    }

    /// Runs the translation with each filling of memory and uniforms on which the evaluator reaches the program's
    /// end.
    pub(super) fn judge(&self, device: &Device, target: Target) -> Result<Done, String> {
        let mut counts = match self.run(device, target, 1)? {
            Done::Ran(counts) => counts,
            refused => return Ok(refused),
        };
        // Some programs read data of other samples.
        if let Done::Ran(more) = self.run(device, target, SAMPLES)? {
            counts += more;
        }
        Ok(Done::Ran(counts))
    }

    /// As [`Case::judge`], for pixels with the given number of samples; only fragment programs have more than one.
    fn run(&self, device: &Device, target: Target, samples: u16) -> Result<Done, String> {
        let mut settings = settings();
        settings.agx.samples = Some(samples);
        let lowered = match lowered(&self.bytes, &settings) {
            Ok(lowered) => lowered,
            Err(e) => return Ok(Done::Refused(reasons(&e.diagnostics))),
        };
        let stencil = lowered.interface.outputs.iter().any(|o| o.binding == Binding::Stencil);
        if samples > 1 && (lowered.interface.stage != Stage::Fragment || stencil) {
            return Ok(Done::Refused(String::new()));
        }
        // A vertex stage outputs to pixels only what is inside of them; a kernel reports all outputs.
        let form = if lowered.interface.stage == Stage::Vertex { Form::Compute } else { Form::Stage };
        let options = Options { form, exact: true, ..Options::default() };
        let output = match lowered.translate(target, &options) {
            Ok(output) => output,
            Err(e) => return Ok(Done::Refused(reasons(&e.diagnostics))),
        };
        let (mut counts, mut ran, mut why) = (Counts::default(), 0, String::new());
        for filling in Filling::ALL {
            let trial = Trial::new(self, &lowered, &output, device, (samples, filling));
            let done = match lowered.interface.stage {
                Stage::Fragment => pixels::judge(&trial),
                Stage::Vertex => vertices::judge(&trial, target),
                _ => compute::judge(&trial),
            };
            match done {
                Ok(one) => {
                    counts += one;
                    ran += 1;
                }
                Err(Fault::Evaluator(e)) => why = e,
                Err(Fault::Device(e)) => return Err(format!("{filling:?}, {samples} samples: {e}")),
            }
        }
        if ran > 0 { Ok(Done::Ran(counts)) } else { Err(format!("the evaluator: {why}")) }
    }
}

/// The reason why nothing was compared, or the difference.
pub(super) enum Fault {
    Evaluator(String),
    Device(String),
}

impl From<shisa::Error> for Fault {
    fn from(e: shisa::Error) -> Fault {
        Fault::Evaluator(reasons(&e.diagnostics))
    }
}

impl From<String> for Fault {
    fn from(e: String) -> Fault {
        Fault::Device(e)
    }
}

fn reasons(diagnostics: &[Diagnostic]) -> String {
    diagnostics.first().map_or(String::new(), |d| format!("{}: {}", d.code, d.message))
}

fn settings() -> Settings {
    let limits = shisa::diag::Limits { lane_steps: 1 << 16, ..Default::default() };
    Settings::new().limits(limits)
}

/// Bytes as 32-bit words.
fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|b| b.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b))).collect()
}

/// 32-bit words as the registers of a uniform array.
fn registers(bytes: &[u8]) -> Vec<Register> {
    let words = words(bytes);
    words.chunks(4).map(|v| std::array::from_fn(|i| v.get(i).copied().unwrap_or(0))).collect()
}

/// Compares a word with the evaluator's, also for nearby inputs: floats within [`SENSITIVE`], or within twice the
/// spread of the nearby results.
pub(super) fn compare(
    place: impl Fn() -> String,
    want: u32,
    near: &[u32],
    got: u32,
    counts: &mut Counts,
) -> Result<(), Fault> {
    let [w, g] = [want, got].map(f32::from_bits);
    let spread = near.iter().map(|n| f64::from((f32::from_bits(*n) - w).abs())).fold(0.0, f64::max);
    let apart = f64::from((w - g).abs());
    let float = w.abs() >= f32::MIN_POSITIVE || w == 0.0 && near.iter().any(|n| *n != want);
    // Languages leave non-finite values open.
    let open = !w.is_finite() || !spread.is_finite();
    let float = float || w.is_nan() && g.is_nan();
    if want != got && !(float && (open || within(w, g, SENSITIVE) || apart <= 2.0 * spread)) {
        let text = format!(
            "{}: the evaluator yields {want:#x} ({w} ± {spread}), the device {got:#x} ({g})",
            place()
        );
        return Err(Fault::Device(text));
    }
    counts.components += 1;
    counts.equal += usize::from(want == got);
    Ok(())
}
