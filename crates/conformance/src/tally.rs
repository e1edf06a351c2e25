//! What passed and what did not.

/// Failures that are printed; the rest are counted.
const TOLD: usize = 10;

/// Counts the rows of a set.
#[derive(Debug, Default)]
pub struct Tally {
    passed: usize,
    total: usize,
    failures: Vec<String>,
    notes: Vec<String>,
}

impl Tally {
    /// Counts a row: passed, or failed with what was expected and what came.
    pub fn row(&mut self, name: &str, outcome: Result<(), String>) {
        self.total += 1;
        match outcome {
            Ok(()) => self.passed += 1,
            Err(_) if self.failures.len() >= TOLD => {}
            Err(e) => self.failures.push(format!("{name}: {e}")),
        }
    }

    /// Adds a note about what a row does not judge.
    pub fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    /// What rows do not judge.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Rows that passed.
    pub fn passed(&self) -> usize {
        self.passed
    }

    /// Rows.
    pub fn total(&self) -> usize {
        self.total
    }

    /// The first failures.
    pub fn failures(&self) -> &[String] {
        &self.failures
    }
}

/// Passed when both are the same.
#[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(expected: &T, got: &T) -> Result<(), String> {
    match expected == got {
        true => Ok(()),
        false => Err(format!("expected {expected:?}, got {got:?}")),
    }
}
