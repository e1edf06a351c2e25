//! Chooses one of the changes that are compiled into a crate. This file is a crate of its own in the changed copy.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock};

/// The environment has not been read.
const UNREAD: u32 = u32::MAX;
/// No change is chosen, and reached ones are recorded.
const RECORDS: u32 = u32::MAX - 1;
/// The number of changes whose first record is remembered; later ones are recorded each time.
const MOST: usize = 1 << 18;

/// The number of the chosen change, or one of the constants above.
static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);
/// Whether a change has been recorded.
static REACHED: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];
/// The file of the record.
static RECORD: OnceLock<Option<Mutex<File>>> = OnceLock::new();

/// The number of the chosen change; no number of a change if none is chosen. The caller offers those from `first` to
/// `last`, which are recorded as reached if the environment names a file for the record.
#[inline(always)]
pub fn chosen(first: u32, last: u32) -> u32 {
    let chosen = CHOSEN.load(Relaxed);
    if chosen < RECORDS { chosen } else { look(first, last) }
}

#[cold]
fn look(first: u32, last: u32) -> u32 {
    if CHOSEN.load(Relaxed) == UNREAD {
        let number = std::env::var("MUTANT_CHOSEN").ok().and_then(|n| n.parse().ok());
        let records = std::env::var_os("MUTANT_RECORD").is_some();
        CHOSEN.store(number.unwrap_or(if records { RECORDS } else { 0 }), Relaxed);
    }
    let chosen = CHOSEN.load(Relaxed);
    let was = |reached: &AtomicBool| reached.load(Relaxed) || reached.swap(true, Relaxed);
    let again = || REACHED.get(first as usize).is_some_and(was);
    if chosen == RECORDS && !again() {
        let open = |path| OpenOptions::new().create(true).append(true).open(path).ok().map(Mutex::new);
        let record = RECORD.get_or_init(|| std::env::var_os("MUTANT_RECORD").and_then(open));
        if let Some(Ok(mut record)) = record.as_ref().map(|record| record.lock()) {
            let _ = writeln!(record, "{first} {last}");
        }
    }
    chosen
}

#[test]
fn without_a_variable_no_change_is_chosen() {
    assert_eq!(chosen(1, 3), 0);
    assert_eq!(chosen(4, 4), 0);
}
