//! The leg of the address sanitizer: programs of any bytes, compiled and run by the fast engines, in a build that reports
//! every access outside of the memory that was allocated.
//!
//! Machine code has no such checks of its own: its stores are compared with the bounds of the results by the targets.

use super::pieces::{self, Build};
use shisa_fuzz_targets::legs::{self, Leg, Outcome};
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The leg's name.
pub(super) const NAME: &str = "sanitizer";
/// Pieces of each leg: a million of all.
pub(super) const PIECES: u64 = 200_000;
/// The legs whose names begin with this compile programs and run them.
const LEGS: &str = "compiled/";
/// Pieces that a process tests.
const SLICE: u64 = 2_000;

/// Runs `count` pieces of each leg whose name contains one of these words, or of all, for at most the stated minutes each;
/// returns whether nothing was found.
pub(super) fn run(
    words: &[String],
    (count, minutes): (u64, Option<u64>),
    seed: u64,
    jobs: usize,
) -> Result<bool, Box<dyn Error>> {
    // The flag is one of unstable ones, which this variable allows.
    let variables = [
        ("RUSTC_BOOTSTRAP", "1"),
        ("RUSTFLAGS", "-Zsanitizer=address"),
        // Leaks are no accesses, and finding them needs rights that containers lack.
        ("ASAN_OPTIONS", "detect_leaks=0"),
    ];
    let build = Build {
        // With a target, scripts and macros that run during the build are built without the flag.
        target: Some("x86_64-unknown-linux-gnu"),
        folder: NAME,
        variables: variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
        runner: Vec::new(),
    };
    build.make()?;
    let is_named = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let mut held = true;
    for leg in legs::all().into_iter().filter(|leg| leg.name.starts_with(LEGS) && is_named(&leg.name)) {
        let end = minutes.map(|m| Instant::now() + Duration::from_secs(60 * m));
        held &= one(&build, &leg, (count, end), seed, jobs);
    }
    Ok(held)
}

/// Runs a leg: each job takes the next slice of the pieces until they or the time end.
fn one(build: &Build, leg: &Leg, (count, end): (u64, Option<Instant>), seed: u64, jobs: usize) -> bool {
    let (next, begun) = (AtomicU64::new(0), Instant::now());
    let slices = || {
        let mut outcomes = vec![Outcome::default(); leg.parts.len()];
        while end.is_none_or(|end| Instant::now() < end) {
            let first = next.fetch_add(SLICE, Relaxed);
            if first >= count {
                break;
            }
            match build.run(leg, (first, count.min(first + SLICE)), seed) {
                Ok((_, of_slice)) => outcomes.iter_mut().zip(of_slice).for_each(|(all, one)| *all += one),
                Err(e) => {
                    println!("{NAME} {} from piece {first} on failed:\n{e}", leg.name);
                    return None;
                }
            }
        }
        Some(outcomes)
    };
    let done = std::thread::scope(|scope| {
        let jobs: Vec<_> = (0..jobs).map(|_| scope.spawn(slices)).collect();
        jobs.into_iter().map(|job| job.join().ok().flatten()).collect::<Option<Vec<_>>>()
    });
    let Some(done) = done else { return false };
    let mut outcomes = vec![Outcome::default(); leg.parts.len()];
    for of_job in done {
        outcomes.iter_mut().zip(of_job).for_each(|(all, one)| *all += one);
    }
    let held = pieces::report(NAME, leg, &outcomes);
    println!("{NAME} {} seconds {:.1}", leg.name, begun.elapsed().as_secs_f64());
    held
}
