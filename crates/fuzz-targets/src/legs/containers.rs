//! Damaged files: truncated at every byte, every byte and bit changed; then random changes.

use super::{Leg, Outcome, Part, Worker, repository};
use crate::targets::{container, extracted};
use crate::{Random, agx_listing, agx_part, binaries, dis_roundtrip, examples, shbin};

/// Changes for each byte of a file: one truncation, four values, eight bits.
const CHANGES: u64 = 13;

/// Files up to this size in bytes get every change.
const SMALL: usize = 4096;

/// Random changes to larger files after every change to the small ones.
const MUTATIONS: u64 = 20_000;

/// The largest number of pieces for a commit; a campaign has them all.
const COMMIT: u64 = 10_000;

/// Consecutive pieces are far from each other, so that the first ones are a representative sample of the changes. This
/// prime divides no number of pieces.
const DISTANCE: u64 = 1_000_003;

/// A family's files, and their round trip.
#[derive(Clone, Copy)]
struct Files {
    files: fn() -> Vec<Vec<u8>>,
    /// Whether a file is read and yields itself.
    round_trip: fn(&[u8]) -> bool,
}

/// Files through text or through their writer. The shares, in percent, that `identify`, `dis`, `check`, `extract` and
/// the round trip must accept and refuse.
pub(super) fn legs() -> Vec<Leg> {
    let leg = |name: &str, files, round_trip, shares: [(u64, u64); 5]| {
        let family = Files { files, round_trip };
        let all = Damage::new(family).all;
        let names = ["identify", "dis", "check", "extract", "round trip"];
        let parts = names
            .into_iter()
            .zip(shares)
            .map(|(name, (accepted, refused))| Part::verb(name, accepted, refused));
        Leg {
            name: name.into(),
            commit: all.min(COMMIT),
            campaign: all + 100_000_000,
            parts: parts.collect(),
            worker: Box::new(move |_: &[Vec<u8>]| -> Box<dyn Worker> { Box::new(Damage::new(family)) }),
        }
    };
    vec![
        leg("agal/containers", examples, dis_roundtrip, [(50, 0), (50, 0), (2, 20), (50, 0), (50, 0)]),
        leg("swf/containers", swf, extracted, [(50, 1), (50, 1), (20, 1), (50, 1), (50, 1)]),
        leg("pica200/containers", pica200, pica200_again, [(50, 1), (50, 1), (20, 20), (50, 1), (50, 1)]),
        leg(
            "maxwell/containers",
            maxwell,
            crate::maxwell::whole,
            [(50, 1), (50, 1), (20, 10), (50, 1), (50, 1)],
        ),
        leg("agx/containers", crate::agx::files, agx_again, [(25, 1), (15, 1), (10, 10), (15, 1), (15, 1)]),
    ]
}

/// A shader binary through its listing; other files through their shader binaries.
fn pica200_again(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"DVLB") { shbin(bytes) } else { extracted(bytes) }
}

/// A part through its JSON, other files through their listing.
fn agx_again(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"{") { agx_part(bytes) } else { agx_listing(bytes) }
}

fn swf() -> Vec<Vec<u8>> {
    crate::inputs::MOVIES.map(<[u8]>::to_vec).into()
}

/// A shader binary with every table, and files that contain shader binaries.
fn pica200() -> Vec<Vec<u8>> {
    let wrapped = std::fs::read(repository().join("tests/identify/shaders.csdr"));
    let homebrew = binaries().first().map(|binary| homebrew(binary));
    binaries().pop().into_iter().chain(wrapped).chain(homebrew).collect()
}

/// Homebrew of the 3DS (3DSX) whose constant data is a shader binary.
fn homebrew(binary: &[u8]) -> Vec<u8> {
    let sizes = [0, 0, 0, binary.len() as u32, 0, 0].map(u32::to_le_bytes);
    [b"3DSX\x20\0\x08\0", sizes.as_flattened(), &[0; 24], binary].concat()
}

fn maxwell() -> Vec<Vec<u8>> {
    crate::maxwell::FILES.iter().map(|file| file.to_vec()).collect()
}

struct Damage {
    files: Vec<Vec<u8>>,
    round_trip: fn(&[u8]) -> bool,
    /// Number of pieces that cover every change to every small file.
    all: u64,
    bytes: Vec<u8>,
}

impl Damage {
    fn new(family: Files) -> Self {
        let files = (family.files)();
        let small: usize = files.iter().map(Vec::len).filter(|n| *n <= SMALL).sum();
        let large = if files.iter().any(|f| f.len() > SMALL) { MUTATIONS } else { 0 };
        let all = small as u64 * CHANGES + large;
        Damage { files, round_trip: family.round_trip, all, bytes: Vec::new() }
    }

    /// Applies the change of this number; returns false if small files have fewer changes.
    fn change(&mut self, mut number: u64) -> bool {
        for file in self.files.iter().filter(|f| f.len() <= SMALL) {
            let count = file.len() as u64 * CHANGES;
            if number >= count {
                number -= count;
                continue;
            }
            let at = (number / CHANGES) as usize;
            self.bytes.clone_from(file);
            match (self.bytes.get_mut(at), number % CHANGES) {
                (_, 0) => self.bytes.truncate(at),
                (Some(b), 1) => *b = 0,
                (Some(b), 2) => *b = 0xff,
                (Some(b), 3) => *b = b.wrapping_add(1),
                (Some(b), 4) => *b = b.wrapping_sub(1),
                (Some(b), bit) => *b ^= 1 << (bit - 5),
                (None, _) => {}
            }
            return true;
        }
        false
    }
}

impl Worker for Damage {
    fn make(&mut self, number: u64, random: &mut Random) {
        let spread = if number < self.all { number * DISTANCE % self.all } else { number };
        if self.change(spread) {
            return;
        }
        let Some(file) = random.pick(&self.files) else { return };
        self.bytes.clone_from(file);
        for _ in 0..=random.below(8) {
            // Half of the changes are in headers and tables.
            let range = if random.bits() & 1 == 0 { self.bytes.len().min(64) } else { self.bytes.len() };
            let at = random.below(range);
            let value = random.pick(&[0, 1, 0x7f, 0x80, 0xff]).copied().unwrap_or(0);
            let value = if random.bits() & 1 == 0 { value } else { random.bits() as u8 };
            if let Some(b) = self.bytes.get_mut(at) {
                *b = value;
            }
        }
    }

    fn test(&mut self, part: usize) -> Outcome {
        let done = match part {
            3 => extracted(&self.bytes),
            4 => (self.round_trip)(&self.bytes),
            _ => container(&self.bytes, part),
        };
        done.into()
    }

    fn input(&self) -> &[u8] {
        &self.bytes
    }
}
