//! What a test takes: the processor's time and memory of its thread.

use std::time::Duration;

/// What a test took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cost {
    /// The time that the thread ran, without what it waited for other processes.
    pub(super) time: Duration,
    /// The most bytes that it held at a time; 0 if memory is not measured.
    pub(super) memory: u64,
}

/// Whether memory is measured.
pub(super) const COUNTS_MEMORY: bool = cfg!(feature = "memory");

impl Cost {
    /// A result, and what it took.
    pub(super) fn of<T>(f: impl FnOnce() -> T) -> (T, Cost) {
        let before = now();
        let (done, memory) = held(f);
        (done, Cost { time: now().saturating_sub(before), memory })
    }
}

#[cfg(unix)]
fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time since the first call.
#[cfg(not(unix))]
fn now() -> Duration {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(feature = "memory")]
fn held<T>(f: impl FnOnce() -> T) -> (T, u64) {
    let mut done = None;
    let info = allocation_counter::measure(|| done = Some(f()));
    (done.expect("measured code runs"), info.bytes_max)
}

#[cfg(not(feature = "memory"))]
fn held<T>(f: impl FnOnce() -> T) -> (T, u64) {
    (f(), 0)
}
