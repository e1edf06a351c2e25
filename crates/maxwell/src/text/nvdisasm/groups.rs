//! Instructions that issue together, as nvdisasm groups them.

use crate::bundle::{self, BUNDLE_BYTES};
use crate::control::Schedule;
use alloc::vec::Vec;
use shisa_diag::Diagnostic;

/// The role of an instruction in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// By itself.
    Alone,
    /// As the first of two that issue together.
    First,
    /// As the second of two.
    Second,
    /// Not written: the third and later ones of a group.
    Swallowed,
}

/// Groups instructions that issue together. Hardware pairs two instructions; nvdisasm makes a group of all
/// consecutive marked instructions and the one after them, prints its first two, and mishandles some groups that
/// reach into the next bundle. Compilers write none of these.
pub(super) fn places(code: &[u8]) -> Result<Vec<Place>, Diagnostic> {
    // No stall, and no other warp in between.
    let marks: Vec<bool> = words(code).map(|word| Schedule((word >> 64) as u32).0 & 31 == 16).collect();
    let marked = |i: usize| marks.get(i).is_some_and(|marked| *marked);
    let lost = |i: usize, why: &str| {
        let at = bundle::address(i as u32) as usize;
        Err(Diagnostic::error("maxwell-unaligned", why).at_bytes(at..at + 8, "marked to issue with the next"))
    };
    for last in (2..marks.len()).step_by(3).filter(|i| marked(*i)) {
        let (second, first) = (marked(last - 1), marked(last - 2));
        match last + 1 == marks.len() {
            true if !(first && second && last > 2) => {
                return lost(last, "there is no instruction after the last to issue with it");
            }
            false if second => {
                return lost(last, "nvdisasm gets lost where two marked instructions end a bundle");
            }
            _ => {}
        }
    }
    let mut places = Vec::with_capacity(marks.len());
    while places.len() < marks.len() {
        let start = places.len();
        if !marked(start) {
            places.push(Place::Alone);
            continue;
        }
        let end = (start..marks.len()).find(|i| !marked(*i)).unwrap_or(marks.len() - 1);
        places.extend([Place::First, Place::Second]);
        places.extend((start + 2..=end).map(|_| Place::Swallowed));
    }
    Ok(places)
}

/// The words of code.
pub(super) fn words(code: &[u8]) -> impl Iterator<Item = u128> {
    code.chunks_exact(BUNDLE_BYTES).map(bundle::words).flat_map(bundle::fuse)
}
