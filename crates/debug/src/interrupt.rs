//! Ends moves from another thread.

use shisa_diag::Diagnostic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A count of requests to end what a session computes. Clones share the count.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Requests an end: moves fail with `debug-interrupted` until [`Interrupt::answered`].
    pub fn request(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes one request back.
    pub fn answered(&self) {
        // Nothing to take back leaves the count at zero.
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1)).ok();
    }

    /// Fails if an end is requested.
    ///
    /// # Errors
    /// `debug-interrupted`.
    pub(crate) fn check(&self) -> Result<(), Diagnostic> {
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            _ => Err(Diagnostic::error("debug-interrupted", "the move is interrupted")
                .note("the position is the one before the move")),
        }
    }
}
