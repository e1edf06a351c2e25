//! `cargo xtask campaign`: mutated programs through every verb.

use shisa_fuzz_targets::{Mutator, Random, TARGETS};
use std::cell::RefCell;
use std::error::Error;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A program that takes longer than this hangs: the campaign ends there.
const HANG: Duration = Duration::from_secs(60);
/// How often the watch looks.
const LOOK: Duration = Duration::from_millis(200);
/// How often it tells how far the work is.
const TELL: Duration = Duration::from_secs(60);
/// Panics that are told; the rest are counted.
const TOLD: u64 = 10;

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
struct Job {
    /// Number of the program, from 1; 0 between programs.
    program: AtomicU64,
    /// When it began, in milliseconds of the campaign.
    since: AtomicU64,
}

/// What became of the programs in one target.
#[derive(Default)]
struct Counts {
    accepted: AtomicU64,
    diagnosed: AtomicU64,
    panicked: AtomicU64,
}

/// The work that jobs share.
struct Work<'a> {
    campaign: &'a Campaign,
    corpus: Vec<Vec<u8>>,
    begun: Instant,
    next: AtomicU64,
    counts: Vec<Counts>,
    done: AtomicBool,
}

thread_local! {
    /// What the latest panic of this thread said, and where.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Campaign {
    /// Runs it; whether nothing panicked. A hang ends the process.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
        let jobs: Vec<Job> = (0..self.jobs.unwrap_or_else(cores).max(1)).map(|_| Job::default()).collect();
        let work = Work {
            campaign: self,
            corpus: self.corpus(),
            begun: Instant::now(),
            next: AtomicU64::new(0),
            counts: TARGETS.iter().map(|_| Counts::default()).collect(),
            done: AtomicBool::new(false),
        };
        println!("seed {} jobs {} programs of the corpus {}", self.seed, jobs.len(), work.corpus.len());
        std::panic::set_hook(Box::new(remember));
        std::thread::scope(|scope| {
            let workers: Vec<_> = jobs.iter().map(|job| scope.spawn(|| work.job(job))).collect();
            scope.spawn(|| work.watch(&jobs));
            let failed = workers.into_iter().any(|w| w.join().is_err());
            work.done.store(true, Relaxed);
            if failed { Err("a job ended early") } else { Ok(()) }
        })?;
        let _ = std::panic::take_hook();
        Ok(work.report())
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

fn remember(panic: &PanicHookInfo<'_>) {
    let said = panic.to_string().replace('\n', " ");
    SAID.with(|s| s.replace(said));
}

impl Work<'_> {
    fn mutator(&self) -> Mutator {
        let mut mutator = Mutator::new();
        mutator.add(self.corpus.iter().cloned());
        mutator
    }

    /// The generator of a program's changes: each has its own, so that it can be made again alone.
    fn random(&self, program: u64) -> Random {
        Random::new(self.campaign.seed ^ program.wrapping_mul(0x9e37_79b9))
    }

    fn job(&self, job: &Job) {
        let mut mutator = self.mutator();
        let end = self.campaign.minutes.map(|m| self.begun + Duration::from_secs(60 * m));
        while end.is_none_or(|e| Instant::now() < e) {
            let program = self.next.fetch_add(1, Relaxed);
            if program >= self.campaign.count {
                break;
            }
            job.since.store(self.begun.elapsed().as_millis() as u64, Relaxed);
            job.program.store(program + 1, Relaxed);
            let bytes = mutator.next(&mut self.random(program));
            for ((name, target), counts) in TARGETS.iter().zip(&self.counts) {
                let counter = match catch_unwind(AssertUnwindSafe(|| target(bytes))) {
                    Ok(true) => &counts.accepted,
                    Ok(false) => &counts.diagnosed,
                    Err(_) => {
                        if counts.panicked.load(Relaxed) < TOLD {
                            let said = SAID.with(RefCell::take);
                            println!("{name} panics on program {program}: {said}\n  {}", hex(bytes));
                        }
                        &counts.panicked
                    }
                };
                counter.fetch_add(1, Relaxed);
            }
            job.program.store(0, Relaxed);
        }
    }

    /// Tells how far the work is, and ends everything when a program hangs.
    fn watch(&self, jobs: &[Job]) {
        let mut told = Instant::now();
        while !self.done.load(Relaxed) {
            std::thread::sleep(LOOK);
            let now = self.begun.elapsed().as_millis() as u64;
            for job in jobs {
                let program = job.program.load(Relaxed);
                let slow = now.saturating_sub(job.since.load(Relaxed)) > HANG.as_millis() as u64;
                if let Some(program) = program.checked_sub(1).filter(|_| slow) {
                    let mut mutator = self.mutator();
                    let bytes = mutator.next(&mut self.random(program));
                    println!("program {program} takes longer than {HANG:?}:\n  {}", hex(bytes));
                    std::process::exit(1);
                }
            }
            if told.elapsed() > TELL {
                told = Instant::now();
                eprintln!("{} programs in {} s", self.programs(), now / 1000);
            }
        }
    }

    fn programs(&self) -> u64 {
        self.next.load(Relaxed).min(self.campaign.count)
    }

    /// Prints the counts; whether nothing panicked.
    fn report(&self) -> bool {
        let panicked: u64 = self.counts.iter().map(|c| c.panicked.load(Relaxed)).sum();
        for ((name, _), c) in TARGETS.iter().zip(&self.counts) {
            let [accepted, diagnosed, panicked] =
                [&c.accepted, &c.diagnosed, &c.panicked].map(|n| n.load(Relaxed));
            println!("{name} accepted {accepted} diagnosed {diagnosed} panicked {panicked}");
        }
        let seconds = self.begun.elapsed().as_secs_f64();
        println!("programs {} panics {panicked} hangs 0 seconds {seconds:.1}", self.programs());
        panicked == 0
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
