//! `cargo xtask campaign`: mutated programs through every verb.

use shisa_fuzz_targets::{Mutator, Random, TARGETS};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A program that takes longer than this in one target counts as a hang.
const HANG: Duration = Duration::from_secs(10);
/// Panics that are told; the rest are counted.
const TOLD: usize = 10;

/// Run mutated programs through every verb and count what happens
#[derive(Debug, clap::Args)]
pub(crate) struct Campaign {
    /// How long at most
    #[arg(long)]
    minutes: Option<u64>,
    /// How many programs at most
    #[arg(long, default_value_t = 10_000_000)]
    count: u64,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads; without it one a core
    #[arg(long)]
    jobs: Option<usize>,
    /// A folder with programs to mutate besides those of examples/
    #[arg(long, default_value = "../shared/oracle/agal/bin")]
    corpus: PathBuf,
}

/// What a job is at, for the watch.
#[derive(Default)]
struct Watch {
    /// Number of the program, from 1; 0 between programs.
    program: AtomicU64,
    /// When it began, in milliseconds of the campaign.
    since: AtomicU64,
}

impl Campaign {
    /// Runs it; whether nothing panicked or hung.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let jobs =
            self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get())).max(1);
        let corpus = self.corpus();
        println!("seed {} count {} jobs {jobs} corpus {}", self.seed, self.count, corpus.len());
        let begun = Instant::now();
        let end = self.minutes.map(|m| begun + Duration::from_secs(60 * m));
        let (next, panics, done) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
        let told = Mutex::new(Vec::new());
        let watches: Vec<Watch> = (0..jobs).map(|_| Watch::default()).collect();
        std::panic::set_hook(Box::new(|_| {}));
        let hung = std::thread::scope(|scope| {
            let (next, panics, told, corpus) = (&next, &panics, &told, &corpus);
            let workers: Vec<_> = watches
                .iter()
                .map(|watch| {
                    scope.spawn(move || {
                        let mut mutator = Mutator::new();
                        mutator.add(corpus.iter().cloned());
                        loop {
                            let i = next.fetch_add(1, Ordering::Relaxed);
                            if i >= self.count || end.is_some_and(|e| Instant::now() >= e) {
                                break;
                            }
                            watch.since.store(begun.elapsed().as_millis() as u64, Ordering::Relaxed);
                            watch.program.store(i + 1, Ordering::Relaxed);
                            // Each program has a seed of its own, so that it can be made again alone.
                            let mut random = Random::new(self.seed ^ i.wrapping_mul(0x9e37_79b9));
                            let bytes = mutator.next(&mut random);
                            for (name, target) in TARGETS {
                                if catch_unwind(AssertUnwindSafe(|| target(bytes))).is_err() {
                                    panics.fetch_add(1, Ordering::Relaxed);
                                    let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
                                    if let Ok(mut told) = told.lock() {
                                        told.push(format!("{name} panics, program {i}: {hex}"));
                                        told.truncate(TOLD);
                                    }
                                }
                            }
                            watch.program.store(0, Ordering::Relaxed);
                        }
                    })
                })
                .collect();
            let watcher = scope.spawn(|| watch(&watches, begun, &done));
            for w in workers {
                let _ = w.join();
            }
            done.store(true, Ordering::Relaxed);
            watcher.join().unwrap_or(0)
        });
        let _ = std::panic::take_hook();
        let ran = next.load(Ordering::Relaxed).min(self.count);
        let seconds = begun.elapsed().as_secs_f64();
        println!("programs {ran} through {} targets each", TARGETS.len());
        println!("panics {}", panics.load(Ordering::Relaxed));
        println!("hangs {hung}");
        println!("seconds {seconds:.1} programs/s {:.0}", ran as f64 / seconds);
        told.into_inner()?.iter().for_each(|t| println!("  {t}"));
        Ok(panics.load(Ordering::Relaxed) == 0 && hung == 0)
    }

    fn corpus(&self) -> Vec<Vec<u8>> {
        let entries = std::fs::read_dir(&self.corpus).into_iter().flatten().flatten();
        let mut paths: Vec<_> = entries.map(|e| e.path()).collect();
        // The order decides which program a seed gives.
        paths.sort();
        paths.retain(|p| p.extension().is_some_and(|e| e == "agalb"));
        paths.iter().filter_map(|p| std::fs::read(p).ok()).filter(|b| b.len() < 1 << 14).collect()
    }
}

/// Tells of programs that take too long, until the work is done; how many there were.
fn watch(watches: &[Watch], begun: Instant, done: &AtomicBool) -> u64 {
    let mut told = vec![0; watches.len()];
    let mut hung = 0;
    while !done.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(200));
        let now = begun.elapsed().as_millis() as u64;
        for (w, told) in watches.iter().zip(&mut told) {
            let program = w.program.load(Ordering::Relaxed);
            let slow = now.saturating_sub(w.since.load(Ordering::Relaxed)) > HANG.as_millis() as u64;
            if program != 0 && slow && *told != program {
                println!("program {} takes longer than {HANG:?}", program - 1);
                *told = program;
                hung += 1;
            }
        }
    }
    hung
}
