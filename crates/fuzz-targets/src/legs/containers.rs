//! Damaged files: truncated at every byte, every byte and bit changed; then random changes.

use super::{Leg, Worker, hex, repository};
use crate::{Random, agx_listing, agx_part, binaries, container, examples, shbin};

/// Changes for each byte of a file: one truncation, four values, eight bits.
const CHANGES: u64 = 13;

/// Files up to this size in bytes get every change.
const SMALL: usize = 4096;

/// Random changes to larger files for each commit.
const MUTATIONS: u64 = 20_000;

pub(super) fn legs() -> Vec<Leg> {
    let leg = |name: &str, files: fn() -> Vec<Vec<u8>>, worker| {
        let commit = Damage::new(files()).all;
        let parts = vec!["identify", "dis", "check", "round trip"];
        Leg { name: name.into(), commit, campaign: commit + 100_000_000, least: 0, parts, worker }
    };
    vec![
        leg("agal/containers", examples, |_| Box::new(Damage::new(examples()))),
        leg("swf/containers", swf, |_| Box::new(Damage::new(swf()))),
        leg("pica200/containers", pica200, |_| Box::new(Damage::new(pica200()))),
        leg("maxwell/containers", maxwell, |_| Box::new(Damage::new(maxwell()))),
        leg("agx/containers", crate::agx::files, |_| Box::new(Damage::new(crate::agx::files()))),
    ]
}

fn swf() -> Vec<Vec<u8>> {
    std::fs::read(repository().join("tests/swf/shaders.swf")).into_iter().collect()
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
    /// Number of pieces that cover every change to every small file.
    all: u64,
    bytes: Vec<u8>,
}

impl Damage {
    fn new(files: Vec<Vec<u8>>) -> Self {
        let small: usize = files.iter().map(Vec::len).filter(|n| *n <= SMALL).sum();
        let large = if files.iter().any(|f| f.len() > SMALL) { MUTATIONS } else { 0 };
        Damage { files, all: small as u64 * CHANGES + large, bytes: Vec::new() }
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
        if self.change(number) {
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

    fn test(&mut self, part: usize) -> bool {
        match part {
            3 if self.bytes.starts_with(b"DVLB") => shbin(&self.bytes),
            3 if self.bytes.starts_with(b"{") => agx_part(&self.bytes),
            3 if shisa::agx::container::Container::sniff(&self.bytes).is_some() => agx_listing(&self.bytes),
            3 => crate::maxwell::whole(&self.bytes),
            _ => container(&self.bytes, part),
        }
    }

    fn tested(&self) -> String {
        hex(&self.bytes)
    }
}
