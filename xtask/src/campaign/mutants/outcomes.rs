//! What the tests of a crate find of its changes.

use super::processes::{End, Test, measure, run};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Changes that are tested at the same time.
const JOBS: usize = 2;
/// A test is late after this many times its own time, and after the time below besides.
const TIMES: u32 = 5;
const BESIDES: Duration = Duration::from_secs(5);
/// The time of the tests that run first, in one process; each later process may take twice as long.
const FIRST: Duration = Duration::from_millis(50);
/// How often progress is reported.
const PROGRESS: Duration = Duration::from_secs(60);

/// What the tests find of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// No test reaches it.
    Unreached,
    /// A test fails.
    Caught,
    /// A test takes too long, which catches it, too.
    Late,
    Survived,
}

impl Outcome {
    /// Whether no test notices the change.
    pub(super) fn survives(self) -> bool {
        matches!(self, Outcome::Survived | Outcome::Unreached)
    }
}

/// Does something for each of a number of items, in several threads; each has a folder for the files of its tests.
fn for_each<T: Send>(
    count: usize,
    folder: &Path,
    act: impl Fn(usize, &Path) -> Result<T, Box<dyn Error>> + Sync,
) -> Result<Vec<T>, Box<dyn Error>> {
    let (next, results, failed) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()), Mutex::new(None));
    let (begun, reported) = (Instant::now(), Mutex::new(Instant::now()));
    let work = |job: usize| -> Result<(), Box<dyn Error>> {
        let temporary = std::path::absolute(folder.join(format!("job{job}")))?;
        fs::create_dir_all(&temporary)?;
        loop {
            let i = next.fetch_add(1, Relaxed);
            if i >= count {
                return Ok(());
            }
            let result = act(i, &temporary)?;
            results.lock().map_err(|_| "a job ended early")?.insert(i, result);
            let mut reported = reported.lock().map_err(|_| "a job ended early")?;
            if reported.elapsed() > PROGRESS {
                *reported = Instant::now();
                eprintln!("  {i} of {count} in {} s", begun.elapsed().as_secs());
            }
        }
    };
    std::thread::scope(|scope| {
        for job in 0..JOBS {
            let (work, failed) = (&work, &failed);
            scope.spawn(move || {
                if let (Err(e), Ok(mut failed)) = (work(job), failed.lock()) {
                    *failed = Some(e.to_string());
                }
            });
        }
    });
    match failed.into_inner()? {
        Some(failed) => Err(failed.into()),
        None => Ok(results.into_inner().map_err(|_| "a job ended early")?.into_values().collect()),
    }
}

/// Measures tests, and leaves out those that fail without a change; the quickest are the first.
pub(super) fn measured(tests: Vec<Test>, folder: &Path) -> Result<Vec<Test>, Box<dyn Error>> {
    let tests: Vec<Mutex<Option<Test>>> = tests.into_iter().map(|test| Mutex::new(Some(test))).collect();
    let measured = for_each(tests.len(), folder, |i, temporary| {
        let test = tests[i].lock().map_err(|_| "a job ended early")?.take();
        let mut test = test.ok_or("a test is measured twice")?;
        let passes = measure(&mut test, temporary)?;
        if !passes {
            println!("  not run, because it fails alone without a change: {}", test.name);
        }
        Ok(passes.then_some(test))
    })?;
    let mut tests: Vec<Test> = measured.into_iter().flatten().collect();
    tests.sort_by_key(|test| test.time);
    Ok(tests)
}

/// Tests the changes of these numbers, each by the quickest of the tests that take this long together; by default by
/// all.
pub(super) fn outcomes(
    numbers: &[u32],
    tests: &[&Test],
    most: Option<Duration>,
    folder: &Path,
) -> Result<Vec<Outcome>, Box<dyn Error>> {
    for_each(numbers.len(), folder, |i, temporary| outcome(numbers[i], tests, most, temporary))
}

/// Tests those of the changes that survive some tests by others too; `before` are the outcomes of the former tests.
pub(super) fn outcomes_by_both(
    numbers: &[u32],
    before: Vec<Outcome>,
    others: &[&Test],
    most: Option<Duration>,
    folder: &Path,
) -> Result<Vec<Outcome>, Box<dyn Error>> {
    let survivors: Vec<u32> =
        numbers.iter().zip(&before).filter(|(_, o)| o.survives()).map(|(number, _)| *number).collect();
    let mut now = outcomes(&survivors, others, most, folder)?.into_iter();
    let both = before.into_iter().map(|before| match before {
        Outcome::Caught | Outcome::Late => before,
        Outcome::Unreached => now.next().unwrap_or(before),
        Outcome::Survived => now.next().filter(|now| *now != Outcome::Unreached).unwrap_or(before),
    });
    Ok(both.collect())
}

fn outcome(
    number: u32,
    tests: &[&Test],
    most: Option<Duration>,
    temporary: &Path,
) -> Result<Outcome, Box<dyn Error>> {
    let mut reaching: Vec<&Test> = tests.iter().copied().filter(|test| test.reaches(number)).collect();
    if let Some(most) = most {
        reaching.truncate(quickest(&reaching, most));
    }
    if reaching.is_empty() {
        return Ok(Outcome::Unreached);
    }
    let number = number.to_string();
    for group in groups(&reaching) {
        let longest = group.iter().map(|test| test.time).max().unwrap_or_default();
        match run(&group, temporary, longest * TIMES + BESIDES, ("MUTANT_CHOSEN", number.as_ref()))? {
            End::Passed => {}
            End::Failed => return Ok(Outcome::Caught),
            End::Late => return Ok(Outcome::Late),
        }
    }
    Ok(Outcome::Survived)
}

/// The number of tests, the quickest ones first, that together take at most this long; at least one.
fn quickest(tests: &[&Test], most: Duration) -> usize {
    let mut time = Duration::ZERO;
    let fits = |test: &&&Test| {
        time += test.time;
        time <= most
    };
    tests.iter().take_while(fits).count().max(1)
}

/// The tests of each process: those of one executable, the quickest first.
fn groups<'t>(tests: &[&'t Test]) -> Vec<Vec<&'t Test>> {
    let mut groups = Vec::new();
    let (mut rest, mut limit) = (tests.to_vec(), FIRST);
    while let Some(first) = rest.first() {
        let executable = &first.executable;
        let (mut group, mut time, mut later) = (Vec::new(), Duration::ZERO, Vec::new());
        for test in &rest {
            if test.executable == *executable && (group.is_empty() || time + test.time <= limit) {
                time += test.time;
                group.push(*test);
            } else {
                later.push(*test);
            }
        }
        groups.push(group);
        rest = later;
        limit *= 2;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn each_process_runs_tests_of_one_executable_for_twice_the_time_of_the_one_before() {
        let test = |executable: &str, millis: u64| Test {
            executable: PathBuf::from(executable),
            folder: PathBuf::new(),
            name: millis.to_string(),
            time: Duration::from_millis(millis),
            reached: Vec::new(),
        };
        let tests = [("a", 10), ("b", 11), ("a", 20), ("a", 30), ("b", 40), ("a", 300), ("a", 301)];
        let tests = tests.map(|(executable, millis)| test(executable, millis));
        let groups = groups(&tests.iter().collect::<Vec<_>>());
        let names = |group: &Vec<&Test>| group.iter().map(|t| t.name.clone()).collect::<Vec<_>>().join(" ");
        let names: Vec<String> = groups.iter().map(names).collect();
        assert_eq!(names, ["10 20", "11 40", "30", "300", "301"]);
    }

    #[test]
    fn the_quickest_tests_run_within_a_time() {
        let test = |seconds: u64| Test {
            executable: PathBuf::new(),
            folder: PathBuf::new(),
            name: String::new(),
            time: Duration::from_secs(seconds),
            reached: Vec::new(),
        };
        let tests = [1, 2, 3, 4].map(test);
        let tests: Vec<&Test> = tests.iter().collect();
        let counts = [0, 1, 3, 6, 9, 10, 11].map(|most| quickest(&tests, Duration::from_secs(most)));
        assert_eq!(counts, [1, 1, 2, 3, 3, 4, 4]);
    }

    /// The executable does not exist, so that each change for which it runs counts as caught.
    #[test]
    fn other_tests_only_run_for_changes_that_survive() {
        let test = |reached| Test {
            executable: PathBuf::from("/nowhere/no-executable"),
            folder: std::env::temp_dir(),
            name: "a".into(),
            time: Duration::ZERO,
            reached,
        };
        let folder = std::env::temp_dir().join("shisa-mutants-both");
        let before = || vec![Outcome::Caught, Outcome::Survived, Outcome::Unreached, Outcome::Late];
        let after =
            |reached| outcomes_by_both(&[1, 2, 3, 4], before(), &[&test(reached)], None, &folder).unwrap();
        assert_eq!(after(vec![]), before());
        assert_eq!(after(vec![(1, 1), (4, 4)]), before());
        let found = after(vec![(1, 4)]);
        assert_eq!(found, [Outcome::Caught, Outcome::Caught, Outcome::Caught, Outcome::Late]);
        let found = after(vec![(3, 3)]);
        assert_eq!(found, [Outcome::Caught, Outcome::Survived, Outcome::Caught, Outcome::Late]);
    }

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let folder = std::env::temp_dir().join("shisa-mutants-order");
        assert_eq!(for_each(50, &folder, |i, _| Ok(i * i)).unwrap()[49], 49 * 49);
        assert!(for_each(50, &folder, |i, _| if i == 30 { Err("odd".into()) } else { Ok(()) }).is_err());
    }
}
