//! `cargo campaign`: long random tests in numbered pieces, which a seed makes reproducible.

mod compiler;
mod cost;
mod counts;
mod coverage;
mod device;
mod guided;
mod ignored;
mod levels;
mod mutants;
mod pieces;
mod sanitizer;

use cost::Cost;
use counts::Counts;
use shisa_fuzz_targets::legs::{self, Leg, Part, Worker};
use std::cell::RefCell;
use std::error::Error;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A part that takes longer than this is a hang, and ends the campaign.
const HANG: Duration = Duration::from_secs(60);
/// How often the watchdog checks the jobs.
const LOOK: Duration = Duration::from_millis(20);
/// How often it reports progress.
const PROGRESS: Duration = Duration::from_secs(60);
/// Number of panics that are reported; the rest are counted.
const REPORTED: u64 = 10;
/// The default leg.
const USUAL: &str = "agal/verbs";

/// Run mutated programs through every verb and count what happens
///
/// Other legs test words, damaged files, changed sources, long programs and the engines; `cargo campaign --list` names
/// them all. Each part of a leg must accept and refuse the shares of its inputs that it states. A verb takes at most two
/// seconds of the processor's time, and at most 16 times its input and 64 MiB of memory; memory is measured if the
/// feature `memory` is on, as it is in `cargo campaign`. The leg `mutants` changes the sources of crates and counts the
/// changes that their tests do not notice. The leg `guided` lets libFuzzer search inputs that reach new code, which it
/// keeps for the next campaign; words after it name fuzz targets. The leg `levels` compares the engines under emulators with
/// the vector units of other hosts; words after it name them: SSE2, NEON, simd128. The leg `sanitizer` compiles and runs
/// programs in a build with the address sanitizer; words after it name legs. The leg `ignored` runs the tests that `cargo test` ignores
/// because they take minutes.
#[derive(Debug, clap::Args)]
pub(crate) struct Campaign {
    /// Legs whose names contain one of these
    legs: Vec<String>,
    /// Run every leg as long as for a commit
    #[arg(long)]
    ci: bool,
    /// List the legs with the numbers of pieces for commits and campaigns
    #[arg(long)]
    list: bool,
    /// The longest time that each leg runs
    #[arg(long)]
    minutes: Option<u64>,
    /// The largest number of pieces of each leg, instead of a campaign's
    #[arg(long)]
    count: Option<u64>,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of threads; by default one a core
    #[arg(long)]
    jobs: Option<usize>,
    /// Run only the piece of this number
    #[arg(long)]
    piece: Option<u64>,
    /// A folder for the slowest and the fattest input of each verb, and for inputs that panic
    #[arg(long)]
    save: Option<PathBuf>,
    /// Folders with programs to mutate besides those of examples/
    #[arg(long, default_values = ["../shared/oracle/agal/bin", "../shared/oracle/pica200/bin"])]
    corpus: Vec<PathBuf>,
    /// Print which lines of the crates each leg reaches; builds the campaign again, with LLVM's counters
    #[arg(long)]
    coverage: bool,
    #[command(flatten)]
    mutants: mutants::Options,
}

/// The progress of a job, for the watchdog.
#[derive(Default)]
struct Job {
    /// Number of the piece, from 1; 0 between pieces.
    piece: AtomicU64,
    /// The part that tests it.
    part: AtomicUsize,
    /// The part's start, in milliseconds since the start of the leg.
    since: AtomicU64,
}

/// The work that jobs share.
struct Work<'a> {
    leg: &'a Leg,
    corpus: &'a [Vec<u8>],
    seed: u64,
    /// The numbers of the pieces: the first, and that after the last.
    pieces: (u64, u64),
    save: Option<&'a Path>,
    begun: Instant,
    end: Option<Instant>,
    next: AtomicU64,
    counts: Vec<Counts>,
    done: AtomicBool,
}

thread_local! {
    /// The message and location of the latest panic of this thread.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Campaign {
    /// Runs the campaign; returns whether nothing panicked. A hang ends the process.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        if self.legs.iter().any(|l| l == mutants::NAME) {
            return mutants::run(&self.mutants, self.seed);
        }
        if self.legs.iter().any(|l| l == ignored::NAME) {
            return ignored::run();
        }
        match self.legs.split_first().map(|(leg, words)| (leg.as_str(), words)) {
            Some((guided::NAME, targets)) => {
                return guided::run(targets, 60 * self.minutes.unwrap_or(1), self.seed);
            }
            Some((levels::NAME, hosts)) => {
                return levels::run(hosts, self.count.unwrap_or(levels::PIECES), self.seed);
            }
            Some((sanitizer::NAME, words)) => {
                let bounds = (self.count.unwrap_or(sanitizer::PIECES), self.minutes);
                return sanitizer::run(words, bounds, self.seed, self.jobs());
            }
            _ => {}
        }
        let mut legs = legs::all();
        match device::leg() {
            Ok(leg) => legs.push(leg),
            Err(why) => println!("no leg on a graphics device: {why}"),
        }
        if self.list {
            legs.iter().for_each(list);
            println!("{} commit 0 campaign: every function of a crate", mutants::NAME);
            println!("{} commit 0 campaign: a minute for each fuzz target", guided::NAME);
            println!(
                "{} commit 0 campaign: {} pieces of each leg on each host",
                levels::NAME,
                levels::PIECES
            );
            println!("{} commit 0 campaign: {} pieces of each leg", sanitizer::NAME, sanitizer::PIECES);
            println!("{} commit 0 campaign: the tests that take all programs of the corpora", ignored::NAME);
            return Ok(true);
        }
        let names: Vec<String> = legs.iter().map(|leg| leg.name.clone()).collect();
        // A word that is the whole name of a leg selects no other.
        let selects =
            |word: &String, name: &String| name == word || !names.contains(word) && name.contains(word);
        let named = |l: &Leg| self.legs.iter().any(|word| selects(word, &l.name));
        legs.retain(|l| if self.legs.is_empty() { self.ci || l.name == USUAL } else { named(l) });
        if legs.is_empty() {
            return Err("no leg has such a name: see --list".into());
        }
        if self.coverage {
            let names: Vec<String> = legs.into_iter().map(|leg| leg.name).collect();
            return coverage::run(&names, &self.repeated());
        }
        let jobs = self.jobs();
        let (corpus, begun) = (self.corpus(), Instant::now());
        println!("seed {} jobs {jobs} programs of the corpus {}", self.seed, corpus.len());
        if !cost::COUNTS_MEMORY {
            println!("memory is not measured: `cargo campaign` does");
        }
        if let Some(folder) = &self.save {
            std::fs::create_dir_all(folder)?;
        }
        std::panic::set_hook(Box::new(remember));
        let mut held = true;
        for leg in &legs {
            let usual = if self.ci { leg.commit } else { leg.campaign };
            let now = Instant::now();
            let work = Work {
                leg,
                corpus: &corpus,
                seed: self.seed,
                pieces: self.piece.map_or((0, self.count.unwrap_or(usual)), |piece| (piece, piece + 1)),
                save: self.save.as_deref(),
                begun: now,
                end: self.minutes.map(|m| now + Duration::from_secs(60 * m)),
                next: AtomicU64::new(self.piece.unwrap_or(0)),
                counts: leg.parts.iter().map(|part| Counts::new(*part)).collect(),
                done: AtomicBool::new(false),
            };
            held &= work.run(jobs)?;
        }
        let _ = std::panic::take_hook();
        println!("legs {} seconds {:.1}", legs.len(), begun.elapsed().as_secs_f64());
        Ok(held)
    }

    /// The number of threads.
    fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
        self.jobs.unwrap_or_else(cores).max(1)
    }

    /// The arguments that limit a leg, for a process that runs it alone.
    fn repeated(&self) -> Vec<String> {
        let mut arguments = vec![format!("--seed={}", self.seed)];
        arguments.extend(self.ci.then(|| "--ci".to_owned()));
        arguments.extend(self.count.map(|n| format!("--count={n}")));
        arguments.extend(self.minutes.map(|n| format!("--minutes={n}")));
        arguments.extend(self.jobs.map(|n| format!("--jobs={n}")));
        arguments.extend(self.corpus.iter().map(|folder| format!("--corpus={}", folder.display())));
        arguments
    }

    fn corpus(&self) -> Vec<Vec<u8>> {
        let entries = self.corpus.iter().flat_map(std::fs::read_dir).flatten().flatten();
        let mut paths: Vec<_> = entries.map(|e| e.path()).collect();
        // The order determines which program a seed selects.
        paths.sort();
        paths.retain(|p| p.extension().is_some_and(|e| e == "agalb" || e == "shbin"));
        paths.iter().filter_map(|p| std::fs::read(p).ok()).filter(|b| b.len() < 1 << 14).collect()
    }
}

fn list(leg: &Leg) {
    println!("{} commit {} campaign {}", leg.name, leg.commit, leg.campaign);
    for Part { name, shares, memory } in &leg.parts {
        let memory =
            memory.map(|m| format!(" memory {} times its input and {} MiB", m.times, m.besides >> 20));
        let memory = memory.unwrap_or_default();
        println!("  {name} accepts {} % refuses {} %{memory}", shares.accepted, shares.refused);
    }
}

fn remember(panic: &PanicHookInfo<'_>) {
    let said = panic.to_string().replace('\n', " ");
    SAID.with(|s| s.replace(said));
}

impl Work<'_> {
    /// Runs the leg; returns whether nothing panicked.
    fn run(&self, jobs: usize) -> Result<bool, Box<dyn Error>> {
        let jobs: Vec<Job> = (0..jobs).map(|_| Job::default()).collect();
        std::thread::scope(|scope| {
            let workers: Vec<_> = jobs.iter().map(|job| scope.spawn(|| self.job(job))).collect();
            scope.spawn(|| self.watch(&jobs));
            let failed = workers.into_iter().any(|w| w.join().is_err());
            self.done.store(true, Relaxed);
            if failed { Err("a job ended early") } else { Ok(()) }
        })?;
        Ok(self.report())
    }

    fn job(&self, job: &Job) {
        let mut worker = (self.leg.worker)(self.corpus);
        while self.end.is_none_or(|e| Instant::now() < e) {
            let piece = self.next.fetch_add(1, Relaxed);
            if piece >= self.pieces.1 {
                break;
            }
            self.starts(job, piece, 0);
            worker.make(piece, &mut legs::random(self.seed, piece));
            for part in 0..self.counts.len() {
                self.starts(job, piece, part);
                self.test(&mut *worker, piece, part);
            }
            job.piece.store(0, Relaxed);
        }
    }

    /// States the progress of a job to the watchdog.
    fn starts(&self, job: &Job, piece: u64, part: usize) {
        job.part.store(part, Relaxed);
        job.since.store(self.begun.elapsed().as_millis() as u64, Relaxed);
        job.piece.store(piece + 1, Relaxed);
    }

    fn test(&self, worker: &mut dyn Worker, piece: u64, part: usize) {
        let counts = &self.counts[part];
        let (outcome, cost) = Cost::of(|| catch_unwind(AssertUnwindSafe(|| worker.test(part))));
        let Ok(outcome) = outcome else {
            if counts.panics() < REPORTED {
                let said = SAID.with(RefCell::take);
                println!("{} panics on piece {piece}: {said}\n  {}", self.part(part), shown(worker));
                self.save(worker, piece, part, "panics");
            }
            return counts.panic();
        };
        for what in counts.count(piece, outcome, cost, worker.input().len()) {
            println!("{} piece {piece} {what}", self.part(part));
            self.save(worker, piece, part, "costs");
        }
    }

    /// Writes an input to the folder for them.
    fn save(&self, worker: &dyn Worker, piece: u64, part: usize, what: &str) {
        let Some(folder) = self.save.filter(|_| !worker.input().is_empty()) else { return };
        let name = format!("{}-{piece}-{what}.bin", self.part(part).replace(['/', ' '], "-"));
        if let Err(e) = std::fs::write(folder.join(name), worker.input()) {
            println!("{}: {e}", folder.display());
        }
    }

    /// The name of a part.
    fn part(&self, part: usize) -> String {
        format!("{} {}", self.leg.name, self.leg.parts.get(part).map_or("", |part| part.name))
    }

    /// Reports progress, and ends the process if a piece hangs.
    fn watch(&self, jobs: &[Job]) {
        let mut reported = Instant::now();
        while !self.done.load(Relaxed) {
            std::thread::sleep(LOOK);
            let now = self.begun.elapsed().as_millis() as u64;
            for job in jobs {
                let piece = job.piece.load(Relaxed);
                let slow = now.saturating_sub(job.since.load(Relaxed)) > HANG.as_millis() as u64;
                if let Some(piece) = piece.checked_sub(1).filter(|_| slow) {
                    let mut worker = (self.leg.worker)(self.corpus);
                    worker.make(piece, &mut legs::random(self.seed, piece));
                    let part = job.part.load(Relaxed);
                    println!("{} piece {piece} takes longer than {HANG:?}:", self.part(part));
                    println!("  {}", shown(&*worker));
                    self.save(&*worker, piece, part, "hangs");
                    std::process::exit(1);
                }
            }
            if reported.elapsed() > PROGRESS {
                reported = Instant::now();
                eprintln!("{} {} pieces in {} s", self.leg.name, self.pieces(), now / 1000);
            }
        }
    }

    fn pieces(&self) -> u64 {
        self.next.load(Relaxed).min(self.pieces.1) - self.pieces.0
    }

    /// Prints the counts; returns whether nothing panicked, and each part has the shares and the costs that it must.
    fn report(&self) -> bool {
        // One piece has no shares.
        let alone = self.pieces.1 - self.pieces.0 == 1;
        let mut held = true;
        for (part, counts) in self.counts.iter().enumerate() {
            println!("{} {counts}", self.part(part));
            if self.save.is_some() {
                let mut worker = (self.leg.worker)(self.corpus);
                for (what, piece) in counts.dearest() {
                    worker.make(piece, &mut legs::random(self.seed, piece));
                    self.save(&*worker, piece, part, what);
                }
            }
            for fault in counts.faults(alone) {
                println!("{} {fault}", self.part(part));
                held = false;
            }
        }
        let panicked: u64 = self.counts.iter().map(Counts::panics).sum();
        let seconds = self.begun.elapsed().as_secs_f64();
        let (name, pieces) = (&self.leg.name, self.pieces());
        println!("{name} pieces {pieces} panics {panicked} hangs 0 seconds {seconds:.1}");
        held && panicked == 0
    }
}

/// The start of what a worker tested.
fn shown(worker: &dyn Worker) -> String {
    const MOST: usize = 2_000;
    let tested = worker.tested();
    match tested.char_indices().nth(MOST) {
        Some((at, _)) => {
            format!("{}… ({} bytes; --piece and --save write them)", &tested[..at], worker.input().len())
        }
        None => tested,
    }
}
