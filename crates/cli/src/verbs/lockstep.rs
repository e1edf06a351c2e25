//! `shisa lockstep`

use crate::engine::{Engine, Precision};
use crate::options::{Format, Global};
use crate::report::Report;
use crate::stop::{Status, Stop};
use crate::subject::{Ready, Subject};
use clap::ValueEnum;
use shisa::data::debug::{Captured, RECORDING_BYTES, captured};
use shisa::diag::Diagnostic;
use shisa_lockstep::{Native, lockstep};
use std::io::{self, Write};

/// Run a program on several engines, and find the first instruction whose value differs
///
/// The other engines are compared with the first one, bit for bit. If an output differs, the instruction is searched, and the
/// program is reduced to what the difference needs. The status is 1 if an engine differs.
#[derive(Debug, clap::Args)]
pub(crate) struct Lockstep {
    #[command(flatten)]
    subject: Subject,
    /// The engines: eval, batch and jit
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = engine, default_value = "eval,batch,jit")]
    engines: Vec<Engine>,
    /// How close the results of other engines than the evaluator are to those of the evaluator
    #[arg(long, value_enum, default_value_t)]
    precision: Precision,
    /// Also compare the values of all instructions, where no output differs
    #[arg(long)]
    values: bool,
}

/// An engine by its name.
fn engine(name: &str) -> Result<Engine, String> {
    if matches!(name, "wgsl" | "spirv") {
        let text = "translations run on a graphics device, which this command does not use; \
                    `cargo xtask execute` compares them with the evaluator";
        return Err(text.into());
    }
    Engine::from_str(name, false).map_err(|_| "the engines are eval, batch and jit".into())
}

impl Lockstep {
    /// Compares the engines and writes what differs.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if self.engines.len() < 2 {
            return Err(Stop::Failed("a comparison needs two engines, such as --engines eval,batch".into()));
        }
        self.subject.ready(
            global,
            |_| {},
            |ready, report| match captured(|trace| (ready.run)(trace)) {
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
        let native = |engine: &Engine| Native { kind: engine.of_library(), precision };
        let natives: Vec<Native> = self.engines.iter().map(native).collect();
        let engines: Vec<&dyn shisa_lockstep::Engine> = natives.iter().map(|native| native as _).collect();
        let Some(reference) = engines.first().map(|engine| engine.name()) else { return Ok(()) };
        let mut out = io::stdout().lock();
        let count = runs.len();
        if count == 0 {
            let nothing = Diagnostic::error("debug-empty", "nothing runs with this input");
            report.all(&[nothing], ready.input);
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
                    Format::Text => writeln!(out, "{}", one.text(reference, &session))?,
                    Format::Json => {
                        let mut line = one.json(reference, &session);
                        line["run"] = number.into();
                        serde_json::to_writer(&mut out, &line)?;
                        writeln!(out)?;
                    }
                }
            }
            let differing: Vec<&str> =
                compared.iter().filter(|one| one.differs()).map(|one| &*one.engine).collect();
            if !differing.is_empty() {
                out.flush()?;
                let text = format!("{} differs from {reference}", differing.join(" and "));
                report.all(&[Diagnostic::error("lockstep-differs", text)], ready.input);
                // What runs after it has other inputs.
                return Ok(());
            }
        }
        Ok(())
    }
}
