//! Whether machine code is worth another try: a program whose results are often in doubt is faster without.

/// What a chunk that machine code leaves adds.
const LEFT: u32 = 8;
/// The doubt from which machine code is skipped, and the most that there is: machine code is tried again after it was
/// skipped as often as lies between.
const DOUBTFUL: u32 = 64;
const MOST: u32 = 128;

/// How often machine code has left chunks lately: grows with each that it leaves, shrinks with each that it finishes.
#[derive(Default)]
pub(crate) struct Doubt(u32);

impl Doubt {
    /// Whether to run without machine code now.
    pub(crate) fn skips(&mut self) -> bool {
        let skips = self.0 > DOUBTFUL;
        self.0 -= u32::from(skips);
        skips
    }

    /// Machine code finished so many chunks.
    pub(crate) fn finished(&mut self, chunks: usize) {
        self.0 = self.0.saturating_sub(chunks as u32);
    }

    /// Machine code left a chunk.
    pub(crate) fn left(&mut self) {
        self.0 = (self.0 + LEFT).min(MOST);
    }
}
