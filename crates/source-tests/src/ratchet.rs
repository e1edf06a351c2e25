//! Numbers of breaches that may only fall.

use crate::sources::root;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

/// One breach: its file, its line, and what is there.
pub(crate) struct Breach {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) what: String,
}

/// Rules share the files of counts, and tests run side by side.
static FILES: Mutex<()> = Mutex::new(());

fn file(krate: &str) -> PathBuf {
    root().join("crates/source-tests/counts").join(format!("{krate}.txt"))
}

/// The numbers of a crate by rule. A rule that the file does not name has none.
fn counts(krate: &str) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(file(krate)).unwrap_or_default();
    let line = |line: &str| {
        let (rule, count) = line.rsplit_once(' ').expect("RULE COUNT");
        (rule.to_string(), count.parse().expect("a count"))
    };
    text.lines().map(line).collect()
}

fn write(krate: &str, counts: &BTreeMap<String, usize>) {
    let mut text = String::new();
    for (rule, count) in counts.iter().filter(|c| *c.1 > 0) {
        writeln!(text, "{rule} {count}").expect("text takes what is written");
    }
    if text.is_empty() {
        let _ = fs::remove_file(file(krate));
    } else {
        fs::write(file(krate), text).expect("the counts are writable");
    }
}

/// What is left of a rule in one crate, by file where there is much.
fn listed(breaches: &[Breach]) -> String {
    let mut text = String::new();
    if breaches.len() <= 60 {
        for b in breaches {
            writeln!(text, "  {}:{}: {}", b.path, b.line, b.what).expect("text takes what is written");
        }
        return text;
    }
    let mut files = BTreeMap::<&str, usize>::new();
    for b in breaches {
        *files.entry(&b.path).or_default() += 1;
    }
    for (path, n) in files {
        writeln!(text, "  {n:5} {path}").expect("text takes what is written");
    }
    text
}

/// Compares the breaches of a rule with the counts that are checked in.
///
/// # Panics
/// Where a crate has more breaches than its file states, or fewer.
pub(crate) fn check(rule: &str, crates: &[(&str, Vec<Breach>)]) {
    let _files = FILES.lock().unwrap_or_else(|e| e.into_inner());
    let bless = std::env::var_os("BLESS").is_some();
    let mut failures = String::new();
    for (krate, breaches) in crates {
        for b in breaches {
            println!("{rule}: {krate}/{}:{}: {}", b.path, b.line, b.what);
        }
        let mut all = counts(krate);
        let (allowed, n) = (all.get(rule).copied().unwrap_or(0), breaches.len());
        if n > allowed {
            let list = listed(breaches);
            write!(failures, "{krate} has {n} breaches of `{rule}`; {allowed} are allowed:\n{list}")
                .expect("text takes what is written");
        } else if n < allowed && bless {
            all.insert(rule.into(), n);
            write(krate, &all);
        } else if n < allowed {
            writeln!(
                failures,
                "{krate} has {n} breaches of `{rule}`, fewer than the {allowed} of counts/{krate}.txt: lower it with \
                 `BLESS=1 cargo test -p shisa-source-tests`"
            )
            .expect("text takes what is written");
        }
    }
    assert!(failures.is_empty(), "{failures}`-- --nocapture` lists every breach with its line");
}
