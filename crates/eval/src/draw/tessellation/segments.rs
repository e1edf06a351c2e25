//! The division of an edge.

use super::LARGEST_LEVEL;
use super::grid::ONE;
use shisa_ir::Spacing;

/// How an edge is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segments {
    /// How many segments there are.
    pub(super) count: usize,
    /// The length of the edge in segments that are not shorter.
    level: f64,
}

impl Segments {
    /// The segments of a level, which is clamped and rounded. What is not a number counts as the smallest level.
    pub(super) fn of(level: f32, spacing: Spacing) -> Segments {
        let largest = f32::from(LARGEST_LEVEL);
        let clamped = |least: f32, most: f32| level.max(least).min(most);
        let (level, count) = match spacing {
            Spacing::Equal => {
                let rounded = clamped(1.0, largest).ceil();
                (rounded, rounded)
            }
            Spacing::FractionalOdd => {
                let level = clamped(1.0, largest - 1.0);
                (level, 2.0 * ((level - 1.0) / 2.0).ceil() + 1.0)
            }
            Spacing::FractionalEven => {
                let level = clamped(2.0, largest);
                (level, 2.0 * (level / 2.0).ceil())
            }
        };
        Segments { count: count as usize, level: level.into() }
    }

    /// The segments of an inner level: one that is 1 counts as slightly more, since the interior is divided, too.
    pub(super) fn inner(level: f32, spacing: Spacing) -> Segments {
        let segments = Segments::of(level, spacing);
        match segments.count {
            1 => Segments::of(1.0 + f32::EPSILON, spacing),
            _ => segments,
        }
    }

    /// The ends of the segments, from 0 to [`ONE`]: the edge is symmetric.
    pub(super) fn ends(self) -> Vec<u32> {
        let shorter = (self.level - self.count as f64 + 2.0) / 2.0;
        let first_half = |end: usize| match end {
            0 => 0.0,
            _ => (shorter + (end - 1) as f64) / self.level,
        };
        let fixed = |end: usize| (first_half(end) * f64::from(ONE)).round() as u32;
        let end = |end: usize| match self.count - end {
            mirrored if mirrored < end => ONE - fixed(mirrored),
            mirrored if mirrored == end => ONE / 2,
            _ => fixed(end),
        };
        (0..=self.count).map(end).collect()
    }
}
