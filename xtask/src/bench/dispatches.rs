//! Speed of dispatches on the evaluator, the batch engine, and as machine code.

use super::Figure;
use super::timing::ROUND;
use shisa::Settings;
use shisa::data::engines::Engine;
use std::hint::black_box;
use std::time::Instant;

/// Steps in a trace.
pub(super) const TRACED: usize = 1000;

/// Millions of lane-instructions a second, for consecutive dispatches; `run` returns the number that one executed.
pub(super) fn speed_of(mut run: impl FnMut() -> Result<u64, shisa::Error>) -> Result<f64, shisa::Error> {
    let (begun, mut executed) = (Instant::now(), 0);
    while begun.elapsed() < ROUND {
        executed += black_box(run()?);
    }
    Ok(executed as f64 / begun.elapsed().as_secs_f64() / 1e6)
}

/// The median; 0 without figures.
pub(super) fn median(figures: Vec<f64>) -> f64 {
    at(&figures, 0.5)
}

/// Figures of a fast engine, of the programs that it takes.
pub(super) struct Fast {
    pub(super) settings: Settings,
    /// Microseconds to lift and compile.
    pub(super) compile: Vec<f64>,
    speeds: Vec<f64>,
    /// Speeds as ratios to those of the evaluator, and of the fast engine before this one.
    ratios: [Vec<f64>; 2],
}

impl Fast {
    /// The batch engine, and machine code.
    pub(super) fn all(settings: &Settings) -> [Fast; 2] {
        [Engine::Batch, Engine::MachineCode].map(|engine| {
            let mut settings = settings.clone();
            settings.engine = engine;
            Fast { settings, compile: Vec::new(), speeds: Vec::new(), ratios: Default::default() }
        })
    }

    /// Adds a program: microseconds to compile it, the speeds of the evaluator and of the engine before, and its own, in
    /// instructions of the evaluator.
    pub(super) fn add(&mut self, compile: f64, others: [f64; 2], own: f64) {
        self.compile.push(compile);
        self.speeds.push(own);
        self.ratios.iter_mut().zip(others).for_each(|(ratios, other)| ratios.push(own / other));
    }

    /// The median speed.
    pub(super) fn speed(&self) -> Figure {
        let ratio = |ratios: &[f64]| {
            let [least, middle, most] = [0.1, 0.5, 0.9].map(|share| at(ratios, share));
            format!("{middle:.2} (tenths: {least:.2}, {most:.2})")
        };
        let [evaluator, before] = self.ratios.each_ref().map(|ratios| ratio(ratios));
        let note = format!(
            "of the evaluator's instructions, median of {}; {evaluator} times its speed, {before} that of the engine before",
            self.speeds.len()
        );
        (median(self.speeds.clone()), "M-lane-instructions/s", note)
    }
}

/// The figure below which this share of all lies.
pub(super) fn at(figures: &[f64], share: f64) -> f64 {
    let mut figures = figures.to_vec();
    figures.sort_by(f64::total_cmp);
    figures.get((figures.len() as f64 * share) as usize).copied().unwrap_or_default()
}
