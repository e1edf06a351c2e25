//! Comparisons as text and as JSON.

use crate::bounds::Bounds;
use crate::difference::{Compared, Located, Output, Slot, Verdict};
use crate::observed::What;
use serde_json::{Value, json};
use shisa_debug::Session;
use shisa_ir::scalar::word;
use shisa_ir::{At, Reg, Scalar};
use std::fmt::Write as _;

impl Compared {
    /// Whether a value differs.
    pub fn differs(&self) -> bool {
        matches!(self.verdict, Verdict::Differs(_))
    }

    /// The comparison as text, without a line end, with the names and the listing of a session. `reference` is the name of
    /// the first engine.
    pub fn text(&self, reference: &str, session: &Session) -> String {
        let engine = &self.engine;
        let equals = match self.bounds {
            Bounds::Bits => "equals",
            Bounds::Languages => "is as close as its language demands to",
        };
        match &self.verdict {
            Verdict::Outputs { lanes: 0, buffers } => {
                format!("{engine} {equals} {reference}: the contents of {}", counted(*buffers, "buffer"))
            }
            Verdict::Outputs { lanes, .. } => {
                format!("{engine} {equals} {reference}: all outputs of {}", counted(*lanes, "lane"))
            }
            Verdict::Values { lanes, steps, unchecked } => {
                let rest = match unchecked {
                    0 => String::new(),
                    count => format!("; {count} not compared, which only the evaluator takes"),
                };
                let (steps, lanes) = (counted(*steps, "instruction"), counted(*lanes, "lane"));
                format!("{engine} {equals} {reference}: all values of {steps} of {lanes}{rest}")
            }
            Verdict::Refused(reason) => format!("{engine} does not run the program: {}", reason.message),
            Verdict::Differs(difference) => {
                let names = Engines { reference, engine, session };
                let mut text = format!("{engine} differs from {reference}");
                if let Some(output) = &difference.output {
                    text += &names.output(output);
                }
                text += &match &difference.located {
                    Some(located) => names.located(located),
                    None => "\nno instruction differs outside of memory, textures and exchange of lanes"
                        .to_owned(),
                };
                text
            }
        }
    }

    /// The comparison as JSON.
    pub fn json(&self, reference: &str, session: &Session) -> Value {
        let engine = &self.engine;
        let names = Engines { reference, engine, session };
        let (verdict, more) = match &self.verdict {
            Verdict::Outputs { lanes, buffers } => ("equal", json!({"lanes": lanes, "buffers": buffers})),
            Verdict::Values { lanes, steps, unchecked } => {
                ("equal", json!({"lanes": lanes, "instructions": steps, "unchecked": unchecked}))
            }
            Verdict::Refused(reason) => ("refused", json!({"code": reason.code, "message": reason.message})),
            Verdict::Differs(difference) => {
                let output = difference.output.as_ref().map(|output| names.output_json(output));
                let located = difference.located.as_ref().map(|located| names.located_json(located));
                ("differs", json!({"output": output, "located": located}))
            }
        };
        let bounds = match self.bounds {
            Bounds::Bits => "bits",
            Bounds::Languages => "languages",
        };
        let mut all = json!({
            "version": 1, "engine": engine, "reference": reference, "bounds": bounds, "verdict": verdict,
        });
        if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
            all.extend(more);
        }
        all
    }
}

/// The names of two engines, and the session.
struct Engines<'n> {
    reference: &'n str,
    engine: &'n str,
    session: &'n Session,
}

impl Engines<'_> {
    /// A value of both engines, each in a line.
    fn values(&self, [a, b]: [String; 2]) -> String {
        let width = self.reference.len().max(self.engine.len());
        format!("\n  {:width$}  {a}\n  {:width$}  {b}", self.reference, self.engine)
    }

    /// What a register holds.
    fn scalar(&self, reg: Reg) -> Scalar {
        match self.session.names().scalar(reg) {
            Some(scalar) => scalar,
            // A register without a file of its own is shown as bits.
            None => Scalar::I32,
        }
    }

    fn output(&self, output: &Output) -> String {
        let (text, scalar) = match output.slot {
            Slot::Register { lane, reg } => {
                (format!("{} of lane {lane}", self.session.names().of(reg)), self.scalar(reg))
            }
            Slot::Discarded { lane } => {
                let values =
                    output.values.map(|killed| if killed == 1 { "discarded" } else { "not discarded" });
                return format!(": lane {lane}{}", self.values(values.map(str::to_owned)));
            }
            Slot::Memory { buffer, offset } => (format!("buffer {buffer} at byte {offset:#x}"), Scalar::I32),
        };
        format!(": {text}{}", self.values(output.values.map(|bits| shown(bits.into(), scalar))))
    }

    fn output_json(&self, output: &Output) -> Value {
        let (mut data, scalar) = match output.slot {
            Slot::Register { lane, reg } => {
                (json!({"lane": lane, "register": self.session.names().of(reg)}), self.scalar(reg))
            }
            Slot::Discarded { lane } => (json!({"lane": lane, "discarded": true}), Scalar::I1),
            Slot::Memory { buffer, offset } => (json!({"buffer": buffer, "offset": offset}), Scalar::I32),
        };
        data["values"] = output.values.iter().map(|bits| value_json((*bits).into(), scalar)).collect();
        data
    }

    fn line(&self, at: At) -> String {
        let line = self.session.line(at).and_then(|number| self.session.lines().get(number));
        line.map_or_else(|| at.to_string(), |line| format!("{:#06x}  {}", line.counter, line.text))
    }

    fn what(&self, what: What) -> String {
        match what {
            What::Register(reg) => self.session.names().of(reg),
            What::Condition => "the condition".to_owned(),
            What::Target => "the target".to_owned(),
            What::Operand => "an operand".to_owned(),
        }
    }

    fn located(&self, located: &Located) -> String {
        let Located { lane, time, at, what, scalar, values, reduced } = located;
        let mut text =
            format!("\nfirst different instruction: step {time}, lane {lane}\n=> {}", self.line(*at));
        let values = values.map(|bits| shown(bits, *scalar));
        text += &format!("\n{}{}", self.what(*what), self.values(values));
        let of = counted(reduced.of, "instruction");
        text += &format!("\nreduced from {of} to {}", reduced.steps.len());
        // Writing to a string cannot fail.
        for (_, at) in &reduced.steps {
            let _ = write!(text, "\n   {}", self.line(*at));
        }
        if !reduced.registers.is_empty() {
            text.push_str("\nwith these registers, all others 0");
        }
        for (reg, bits) in &reduced.registers {
            let value = shown((*bits).into(), self.scalar(*reg));
            let _ = write!(text, "\n  {} = {value}", self.session.names().of(*reg));
        }
        text
    }

    fn located_json(&self, located: &Located) -> Value {
        let Located { lane, time, at, what, scalar, values, reduced } = located;
        let step = |(time, at): &(u64, At)| {
            let line = self.session.line(*at).and_then(|number| self.session.lines().get(number));
            json!({"step": time, "at": line.map(|line| line.counter), "text": line.map(|line| &*line.text)})
        };
        let register = |(reg, bits): &(Reg, u32)| {
            (self.session.names().of(*reg), value_json((*bits).into(), self.scalar(*reg)))
        };
        let registers: serde_json::Map<String, Value> = reduced.registers.iter().map(register).collect();
        json!({
            "lane": lane, "instruction": step(&(*time, *at)), "value": self.what(*what),
            "values": values.map(|bits| value_json(bits, *scalar)),
            "reduced": {
                "of": reduced.of, "instructions": reduced.steps.iter().map(step).collect::<Vec<_>>(),
                "registers": registers, "ir": reduced.text,
            },
        })
    }
}

/// A number of things.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The bits of a value as a number.
fn number(bits: u64, scalar: Scalar) -> Option<f64> {
    match scalar {
        Scalar::F16 => Some(f64::from(f32::from_bits(word::from_half(bits as u32)))),
        Scalar::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        Scalar::F64 => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// The bits of a value in hexadecimal, and floats as numbers, too.
fn shown(bits: u64, scalar: Scalar) -> String {
    let digits = usize::from(scalar.bits().div_ceil(4));
    let hex = format!("0x{bits:0digits$x}");
    match (number(bits, scalar), scalar) {
        (Some(number), Scalar::F64) => format!("{hex} ({number:?})"),
        // The shortest text that is the same number in the own format.
        (Some(number), _) => format!("{hex} ({:?})", number as f32),
        // A register of integers may hold a float.
        (None, Scalar::I32) => format!("{hex} ({bits} or {:?})", f32::from_bits(bits as u32)),
        (None, Scalar::I1) => hex,
        (None, _) => format!("{hex} ({bits})"),
    }
}

fn value_json(bits: u64, scalar: Scalar) -> Value {
    let digits = usize::from(scalar.bits().div_ceil(4));
    json!({"bits": format!("{bits:0digits$x}"), "type": scalar.name(), "number": number(bits, scalar)})
}

#[cfg(test)]
mod tests {
    use super::{shown, value_json};
    use serde_json::json;
    use shisa_ir::Scalar;

    #[test]
    fn values_are_shown_by_their_types() {
        for (bits, scalar, text, number) in [
            (1, Scalar::I1, "0x1", json!(null)),
            (7, Scalar::I8, "0x07 (7)", json!(null)),
            (300, Scalar::I16, "0x012c (300)", json!(null)),
            (0x3f80_0000, Scalar::I32, "0x3f800000 (1065353216 or 1.0)", json!(null)),
            (9, Scalar::I64, "0x0000000000000009 (9)", json!(null)),
            (0x3e00, Scalar::F16, "0x3e00 (1.5)", json!(1.5)),
            (0x3dcc_cccd, Scalar::F32, "0x3dcccccd (0.1)", json!(f64::from(0.1f32))),
            (0x3fb9_9999_9999_999a, Scalar::F64, "0x3fb999999999999a (0.1)", json!(0.1)),
        ] {
            assert_eq!(shown(bits, scalar), text);
            let data = value_json(bits, scalar);
            assert_eq!((&data["type"], &data["number"]), (&json!(scalar.name()), &number));
            assert!(text.starts_with(&format!("0x{}", data["bits"].as_str().unwrap())), "{data}");
        }
    }
}
