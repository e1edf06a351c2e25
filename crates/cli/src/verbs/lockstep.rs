//! `shisa lockstep`

use crate::graphics::{self, Graphics};
use crate::material::Ready;
use crate::one_lane::of_lane;
use crate::options::{Format, Global};
use crate::output;
use crate::report::Report;
use crate::stop::{Status, Stop};
use crate::subject::Subject;
use serde_json::Value;
use shisa::data::debug::{Captured, RECORDING_BYTES, Session, captured};
use shisa::diag::Diagnostic;
use shisa_lockstep::{Difference, Native, Slot, Verdict, lockstep};
use shisa_verbs::{Engine, Precision};
use std::ffi::OsString;
use std::io::{self, Write};

/// Run a program on several engines, and find the first instruction whose value differs
///
/// The other engines are compared with the first one, bit for bit; translations, which run on a graphics device, within the
/// bounds of their language. If an output differs, the instruction is searched, and the program is reduced to what the
/// difference needs. The status is 1 if an engine differs.
#[derive(Debug, clap::Args)]
pub(crate) struct Lockstep {
    /// The inputs as JSON; - is standard input. Bytes may be in files: "@data.bin", "@data.npy"
    #[arg(long, value_name = "IN.json")]
    input: OsString,
    /// The engines: eval, batch, jit, and on a graphics device wgsl and spirv
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = engine, default_value = "eval,batch,jit")]
    engines: Vec<Compared>,
    /// How close the results of other engines than the evaluator are to those of the evaluator
    #[arg(long, value_enum, default_value_t)]
    precision: Precision,
    /// Also compare the values of all instructions, where no output differs
    #[arg(long)]
    values: bool,
    /// Also write the input with only the lane that differs, if it differs alone; - is standard output
    #[arg(long, value_name = "OUT.json")]
    reduced: Option<OsString>,
    // Last: what follows its options would be under their heading.
    #[command(flatten)]
    subject: Subject,
}

/// An engine of the command's `--engines`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Native(Engine),
    Wgsl,
    Spirv,
}

/// An engine by its name.
fn engine(name: &str) -> Result<Compared, String> {
    match name {
        "wgsl" => Ok(Compared::Wgsl),
        "spirv" => Ok(Compared::Spirv),
        _ => match <Engine as clap::ValueEnum>::from_str(name, false) {
            Ok(engine) => Ok(Compared::Native(engine)),
            Err(_) => Err("the engines are eval, batch, jit, wgsl and spirv".into()),
        },
    }
}

impl Lockstep {
    /// Compares the engines and writes what differs.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if self.engines.len() < 2 {
            return Err(Stop::Failed("a comparison needs two engines, such as --engines eval,batch".into()));
        }
        self.subject.ready(
            &self.input,
            global,
            |_| {},
            |ready, report| match captured(|trace| (ready.run)(ready.text, trace)) {
                Ok(runs) => self.compare(runs, &ready, global.format, report),
                Err(e) => {
                    ready.failed(&e, report);
                    Ok(())
                }
            },
        )
    }

    fn compare(
        &self,
        runs: Vec<Captured>,
        ready: &Ready<'_>,
        format: Format,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let precision = self.precision.of_library();
        let translates = self.engines.iter().any(|engine| matches!(engine, Compared::Wgsl | Compared::Spirv));
        let graphics = if translates { Some(graphics::open()?) } else { None };
        let make = |engine: &Compared| -> Option<Box<dyn shisa_lockstep::Engine + '_>> {
            match engine {
                Compared::Native(engine) => Some(Box::new(Native { kind: engine.of_library(), precision })),
                Compared::Wgsl => graphics.as_ref().map(Graphics::wgsl),
                Compared::Spirv => graphics.as_ref().map(Graphics::spirv),
            }
        };
        let all: Vec<_> = self.engines.iter().filter_map(make).collect();
        let engines: Vec<&dyn shisa_lockstep::Engine> = all.iter().map(Box::as_ref).collect();
        let Some((reference, others)) = engines.split_first() else { return Ok(()) };
        let reference_name = reference.name();
        let mut out = io::stdout().lock();
        let count = runs.len();
        if count == 0 {
            report.all(&[Diagnostic::error("debug-empty", "nothing runs with this input")], ready.input);
        }
        for (number, run) in (1..).zip(runs) {
            let stage = run.stage();
            let session = run.session(RECORDING_BYTES);
            let compared = match lockstep(&session, &engines, self.values, &ready.settings.limits) {
                Ok(compared) => compared,
                Err(d) => {
                    report.all(&[d], ready.input);
                    return Ok(());
                }
            };
            if format == Format::Text && count > 1 {
                let stage = stage.map_or(String::new(), |stage| format!(", the {stage} program"));
                writeln!(out, "run {number} of {count}{stage}")?;
            }
            for one in &compared {
                match format {
                    Format::Text => writeln!(out, "{}", one.text(reference_name, &session))?,
                    Format::Json => {
                        let mut line = one.json(reference_name, &session);
                        line["run"] = number.into();
                        serde_json::to_writer(&mut out, &line)?;
                        writeln!(out)?;
                    }
                }
            }
            out.flush()?;
            let mut names = Vec::new();
            for (one, other) in compared.iter().zip(others) {
                let Verdict::Differs(difference) = &one.verdict else { continue };
                if let Some(path) = self.reduced.as_ref().filter(|_| names.is_empty()) {
                    let run = Differing { number, session: &session, pair: [*reference, *other], difference };
                    output::json(path, &run.input(ready)?)?;
                }
                names.push(&*one.engine);
            }
            if !names.is_empty() {
                let text = format!("{} differs from {reference_name}", names.join(" and "));
                report.all(&[Diagnostic::error("lockstep-differs", text)], ready.input);
                // What runs after it has other inputs.
                return Ok(());
            }
        }
        Ok(())
    }
}

/// A run in which two engines differ.
struct Differing<'d> {
    /// Its number among the runs of the input, from 1.
    number: usize,
    session: &'d Session,
    pair: [&'d dyn shisa_lockstep::Engine; 2],
    difference: &'d Difference,
}

impl Differing<'_> {
    /// The input with only the lane that differs; all of it, if the instruction does not differ then.
    fn input(&self, ready: &Ready<'_>) -> Result<Value, Stop> {
        let whole: Value = serde_json::from_str(ready.text)?;
        let recorded = self.session.recorded();
        let portions = (0..recorded.portions()).filter_map(|number| recorded.portion(number));
        let lanes =
            portions.flat_map(|(portion, _)| portion.lanes).flatten().max().map_or(0, |last| last + 1);
        let located = self.difference.located.as_ref().map(|located| located.lane);
        let of_output = self.difference.output.as_ref().and_then(|output| match output.slot {
            Slot::Register { lane, .. } | Slot::Discarded { lane } => Some(lane),
            Slot::Memory { .. } => None,
        });
        let Some(lane) = located.or(of_output) else { return Ok(whole) };
        let reduced = of_lane(&whole, lanes, lane);
        Ok(if self.differs(&reduced.to_string(), ready) { reduced } else { whole })
    }

    /// Whether the same instruction differs with another input.
    fn differs(&self, text: &str, ready: &Ready<'_>) -> bool {
        let runs = captured(|trace| (ready.run)(text, trace)).ok();
        let run = runs.and_then(|runs| Captured::choose(runs, self.number).ok());
        let compared = run.and_then(|run| {
            lockstep(&run.session(RECORDING_BYTES), &self.pair, false, &ready.settings.limits).ok()
        });
        let instruction = |difference: &Difference| difference.located.as_ref().map(|located| located.at);
        compared.into_iter().flatten().any(|one| match &one.verdict {
            Verdict::Differs(difference) => instruction(difference) == instruction(self.difference),
            _ => false,
        })
    }
}
