//! Speed of dispatches on the evaluator and the batch engine.

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

/// Settings for the batch engine.
pub(super) fn fast(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.engine = Engine::Batch;
    settings
}

/// Figures of the batch engine, of the programs that it takes.
#[derive(Default)]
pub(super) struct Batch {
    /// Microseconds to lift and compile.
    pub(super) compile: Vec<f64>,
    speeds: Vec<f64>,
    /// Speeds as ratios to that of the evaluator.
    ratios: Vec<f64>,
}

impl Batch {
    /// Adds a program: microseconds to compile it, the speed of the evaluator, and its own speed, in instructions of the
    /// evaluator.
    pub(super) fn add(&mut self, compile: f64, evaluator: f64, own: f64) {
        self.compile.push(compile);
        self.speeds.push(own);
        self.ratios.push(own / evaluator);
    }

    /// The median speed.
    pub(super) fn speed(&self) -> Figure {
        let [least, middle, most] = [0.1, 0.5, 0.9].map(|share| at(&self.ratios, share));
        let note = format!(
            "of the evaluator's instructions, median of {}; {middle:.2} times its speed (tenths: {least:.2}, {most:.2})",
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
