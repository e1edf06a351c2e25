//! Timing of work.

use std::time::{Duration, Instant};

/// Rounds of a measurement; a figure is their median.
const ROUNDS: usize = 31;
/// The shortest duration of one round of one piece of work.
pub(super) const ROUND: Duration = Duration::from_millis(8);
/// Seconds that one call of each piece of work takes: medians over rounds in which the pieces alternate, so that
/// other load on the computer affects all of them.
pub(super) fn seconds<const N: usize>(work: [&mut dyn FnMut(); N]) -> [f64; N] {
    seconds_between(work, || {})
}

/// As [`seconds`], with `between` run after each call and not counted: results are dropped there.
pub(super) fn seconds_between<const N: usize>(
    mut work: [&mut dyn FnMut(); N],
    between: impl FnMut(),
) -> [f64; N] {
    let list = medians(&mut work, between);
    std::array::from_fn(|i| list[i])
}

/// As [`seconds`], for any number of pieces.
pub(super) fn all_seconds(work: &mut [&mut dyn FnMut()]) -> Vec<f64> {
    medians(work, || {})
}

fn medians(work: &mut [&mut dyn FnMut()], mut between: impl FnMut()) -> Vec<f64> {
    let mut time = |work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        let time = begun.elapsed();
        between();
        time
    };
    let mut calls = |work: &mut dyn FnMut()| {
        let (mut calls, mut total) = (0, Duration::ZERO);
        while total < ROUND {
            total += time(work);
            calls += 1;
        }
        calls
    };
    let calls: Vec<u32> = work.iter_mut().map(|work| calls(*work)).collect();
    let mut times: Vec<Vec<f64>> = work.iter().map(|_| Vec::with_capacity(ROUNDS)).collect();
    for _ in 0..ROUNDS {
        for ((work, calls), times) in work.iter_mut().zip(&calls).zip(&mut times) {
            let total: Duration = (0..*calls).map(|_| time(*work)).sum();
            times.push(total.as_secs_f64() / f64::from(*calls));
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    };
    times.into_iter().map(median).collect()
}
