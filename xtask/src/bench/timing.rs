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
    mut between: impl FnMut(),
) -> [f64; N] {
    let mut time = |work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        let time = begun.elapsed();
        between();
        time
    };
    let calls: [u32; N] = std::array::from_fn(|i| {
        let (mut calls, mut total) = (0, Duration::ZERO);
        while total < ROUND {
            total += time(work[i]);
            calls += 1;
        }
        calls
    });
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        for i in 0..N {
            let total: Duration = (0..calls[i]).map(|_| time(work[i])).sum();
            times[i].push(total.as_secs_f64() / f64::from(calls[i]));
        }
    }
    times.map(|mut t| {
        t.sort_by(f64::total_cmp);
        t[ROUNDS / 2]
    })
}
