//! The compact form of a trace: a line of JSON for each step, with what differs from the line before.

use crate::sink::TraceSink;
use crate::step::{TraceStep, TraceTexel, TraceWrite};
use serde::Serialize;
use shisa_diag::{Diagnostic, Limit, Limits};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes each step as a line when the step is complete, so that memory does not grow with the trace.
///
/// | key | value |
/// |---|---|
/// | `set`, `stage`, `wave`, `lanes` | as in [`TraceStep`], the lanes as ranges; left out where they are those of the line before |
/// | `at` | the number of the instruction |
/// | `now` | the register components whose value changed; left out if there are none |
/// | `texels` | the texels that were stored |
///
/// An element of `now` is `REGISTER=VALUE …` with a value for each of the lanes: eight hexadecimal digits, or `-` if it
/// did not change; `VALUE*N` is N values.
pub struct TraceLines<'w> {
    out: &'w mut dyn Write,
    /// The size limit of the text.
    limits: Limits,
    written: usize,
    /// Of the last line.
    last: Option<Last>,
    fault: Option<Fault>,
}

/// What the next line leaves out if it is the same.
struct Last {
    set: Option<usize>,
    stage: Option<&'static str>,
    wave: usize,
    lanes: Vec<u32>,
}

/// Why lines are missing.
#[derive(Debug)]
enum Fault {
    Io(io::Error),
    Limit(Diagnostic),
}

#[derive(Serialize)]
struct Line {
    #[serde(skip_serializing_if = "Option::is_none")]
    set: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wave: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lanes: Option<String>,
    at: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    now: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texels: Vec<TraceTexel>,
}

impl<'w> TraceLines<'w> {
    /// Writes to `out`, at most the bytes of [`Limits::text_out`].
    pub fn new(out: &'w mut dyn Write, limits: &Limits) -> Self {
        TraceLines { out, limits: limits.clone(), written: 0, last: None, fault: None }
    }

    /// Whether all steps were written.
    ///
    /// # Errors
    /// The error of the output; `Ok` has the `limit-exceeded` of a trace that is too long.
    pub fn finish(self) -> io::Result<Result<(), Diagnostic>> {
        match self.fault {
            None => Ok(Ok(())),
            Some(Fault::Limit(d)) => Ok(Err(d)),
            Some(Fault::Io(e)) => Err(e),
        }
    }

    fn line(&mut self, step: TraceStep) -> Result<(), Fault> {
        let last = self.last.as_ref();
        let line = Line {
            set: step.set.filter(|_| last.is_none_or(|l| l.set != step.set)),
            stage: step.stage.filter(|_| last.is_none_or(|l| l.stage != step.stage)),
            wave: (last.is_none_or(|l| l.wave != step.wave)).then_some(step.wave),
            lanes: (last.is_none_or(|l| l.lanes != step.lanes)).then(|| ranges(&step.lanes)),
            at: step.instruction,
            now: step.writes.iter().filter(|w| w.old != w.values).map(changed).collect(),
            texels: step.texels,
        };
        let mut text = serde_json::to_vec(&line).map_err(|e| Fault::Io(e.into()))?;
        text.push(b'\n');
        self.written = self.written.saturating_add(text.len());
        self.limits.check(Limit::TextOut, "bytes of the trace", self.written).map_err(Fault::Limit)?;
        self.last = Some(Last { set: step.set, stage: step.stage, wave: step.wave, lanes: step.lanes });
        self.out.write_all(&text).map_err(Fault::Io)
    }
}

impl TraceSink for TraceLines<'_> {
    fn step(&mut self, step: TraceStep) {
        if self.fault.is_none() {
            self.fault = self.line(step).err();
        }
    }
}

/// Lanes as `0-7 9`.
fn ranges(lanes: &[u32]) -> String {
    let runs = lanes.chunk_by(|a, b| a.checked_add(1) == Some(*b));
    let text = |run: &[u32]| match run {
        [first, .., last] => format!("{first}-{last}"),
        [one] => one.to_string(),
        [] => String::new(),
    };
    runs.map(text).collect::<Vec<_>>().join(" ")
}

/// The register and its values, in which equal ones in a row are counted.
fn changed(write: &TraceWrite) -> String {
    let values: Vec<_> = write.old.iter().zip(&write.values).map(|(a, b)| (a != b).then_some(*b)).collect();
    let mut text = format!("{}=", write.register);
    for (n, run) in values.chunk_by(|a, b| a == b).enumerate() {
        if n > 0 {
            text.push(' ');
        }
        // Writing to a string cannot fail.
        let _ = match run.first().copied().flatten() {
            Some(bits) => write!(text, "{bits:08x}"),
            None => write!(text, "-"),
        };
        if run.len() > 1 {
            let _ = write!(text, "*{}", run.len());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(register: &str, old: &[u32], values: &[u32]) -> TraceWrite {
        TraceWrite { register: register.into(), old: old.into(), values: values.into() }
    }

    fn step(instruction: usize, lanes: &[u32], writes: Vec<TraceWrite>) -> TraceStep {
        TraceStep { instruction, lanes: lanes.into(), writes, ..TraceStep::default() }
    }

    fn steps() -> Vec<TraceStep> {
        vec![
            step(
                4,
                &[0, 1, 2, 5],
                vec![write("r0.x", &[0; 4], &[1, 1, 0, 2]), write("r1.x", &[7; 4], &[7; 4])],
            ),
            step(5, &[0, 1, 2, 5], vec![write("r0.x", &[1, 1, 0, 2], &[3; 4])]),
            step(6, &[5], Vec::new()),
            TraceStep { set: Some(1), wave: 2, ..step(6, &[5], Vec::new()) },
            TraceStep { set: Some(1), stage: Some("vertex"), wave: 2, ..step(7, &[5], Vec::new()) },
            TraceStep { set: Some(1), stage: Some("vertex"), wave: 2, ..step(8, &[5], Vec::new()) },
            TraceStep { set: Some(1), stage: Some("fragment"), wave: 2, ..step(8, &[5], Vec::new()) },
        ]
    }

    fn lines(text_out: usize) -> (String, Result<(), Diagnostic>) {
        let mut out = Vec::new();
        let limits = Limits { text_out, ..Limits::default() };
        let mut lines = TraceLines::new(&mut out, &limits);
        steps().into_iter().for_each(|step| lines.step(step));
        let end = lines.finish().expect("memory takes all bytes");
        (String::from_utf8(out).expect("JSON"), end)
    }

    #[test]
    fn a_line_has_what_changed() {
        let expected = r#"{"wave":0,"lanes":"0-2 5","at":4,"now":["r0.x=00000001*2 - 00000002"]}
{"at":5,"now":["r0.x=00000003*4"]}
{"lanes":"5","at":6}
{"set":1,"wave":2,"at":6}
{"stage":"vertex","at":7}
{"at":8}
{"stage":"fragment","at":8}
"#;
        assert_eq!(lines(expected.len()), (expected.into(), Ok(())));
        let (text, end) = lines(expected.len() - 1);
        assert!(expected.starts_with(&text) && text.lines().count() == 6, "whole lines only");
        assert_eq!(end.map_err(|d| d.code), Err("limit-exceeded"));
    }

    #[test]
    fn an_output_that_fails_is_reported() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut closed = Closed;
        let mut lines = TraceLines::new(&mut closed, &Limits::default());
        steps().into_iter().for_each(|step| lines.step(step));
        assert_eq!(lines.finish().map_err(|e| e.kind()), Err(io::ErrorKind::BrokenPipe));
    }
}
