//! AGX: decoding, text, and every engine.

use super::dispatches::{Fast, TRACED, median, speed_of};
use super::timing::seconds;
use super::{Figure, Inputs, plain};
use shisa::agx::{self, ComputeCode};
use shisa::data::NoTrace;
use shisa::eval::{NoObserver, Trace};
use shisa::rows::{Insn, Line, Printer};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

pub(super) const NAMES: [&str; 9] = [
    "agx/decode",
    "agx/decode-print",
    "agx/run",
    "agx/run-batch",
    "agx/run-code",
    "agx/run-traced",
    "agx/lift-plan",
    "agx/lift-compile",
    "agx/lift-code",
];

impl Inputs {
    pub(super) fn agx(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        if self.linked.is_empty() || self.runs.is_empty() {
            return Err("there is no AGX code".into());
        }
        let ctx = agx::Ctx { syntax: agx::Syntax::Mesa, ..agx::Ctx::default() };
        let each = |f: &mut dyn FnMut(&Insn<agx::Agx>)| {
            let mut at = 0;
            while let Some(insn) = self.linked.get(at..).and_then(agx::fetch) {
                at += agx::length(&insn);
                f(&insn);
            }
        };
        let mut count = 0usize;
        each(&mut |_| count += 1);
        let (mut printer, mut out) = (Printer::new(), Vec::new());
        let [decode, print] = seconds([
            &mut || {
                let mut count = 0usize;
                each(&mut |_| count += 1);
                black_box(count);
            },
            &mut || {
                out.clear();
                let mut line = Line::new(&mut out);
                each(&mut |insn| {
                    printer.print(insn, ctx, &mut line);
                    line.end();
                });
                drop(line);
                black_box(&out);
            },
        ]);
        // A run is a whole dispatch: memory is allocated and filled, then the preamble and all groups run. Lifting
        // and planning are done once for each program.
        let [mut untraced, mut traced, mut plans] = [const { Vec::new() }; 3];
        let mut all_fast = Fast::all(&self.settings);
        for run in &self.runs {
            let begun = Instant::now();
            let code = ComputeCode::new(&run.program, &self.settings)?;
            let plan = code.plan(&self.settings)?;
            plans.push(begun.elapsed().as_secs_f64() * 1e6);
            let mut waves = plan.waves();
            let mut evaluate = || Ok(plan.run(&mut waves, run, &mut NoObserver, &self.settings)?.executed);
            let (executed, speed) = (evaluate()?, speed_of(&mut evaluate)?);
            untraced.push(speed);
            let mut before = speed;
            for fast in &mut all_fast {
                let begun = Instant::now();
                let code = ComputeCode::new(&run.program, &self.settings)?;
                let plan = code.plan(&self.settings)?;
                let mut compiled = plan.compile(&fast.settings)?;
                let compile = begun.elapsed().as_secs_f64() * 1e6;
                if compiled.run(run, &mut NoTrace, &fast.settings)?.is_some() {
                    let own = speed_of(|| compiled.run(run, &mut NoTrace, &fast.settings).map(|_| executed))?;
                    fast.add(compile, [speed, before], own);
                    before = own;
                }
            }
            let mut trace = Trace::new(TRACED);
            traced.push(speed_of(|| Ok(plan.run(&mut waves, run, &mut trace, &self.settings)?.executed))?);
        }
        let [untraced, traced, plan] = [untraced, traced, plans].map(median);
        let [batch, code] = all_fast;
        let speed = |seconds: f64| {
            let ratio = format!("{:.2} of agx/decode", decode / seconds);
            (count as f64 / seconds / 1e6, "M-instructions/s", ratio)
        };
        let note = format!("dispatches of planned programs, median of {}", self.runs.len());
        let kept = format!("with a trace of the latest {TRACED} steps");
        Ok(vec![
            speed(decode),
            speed(print),
            (untraced, "M-lane-instructions/s", note),
            batch.speed(),
            code.speed(),
            (traced, "M-lane-instructions/s", kept),
            plain(plan, "µs/program"),
            plain(median(batch.compile), "µs/program"),
            plain(median(code.compile), "µs/program"),
        ])
    }
}
