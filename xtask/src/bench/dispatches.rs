//! Speed of dispatches on the evaluator.

use super::timing::ROUND;
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
pub(super) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
