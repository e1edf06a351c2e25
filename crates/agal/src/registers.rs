//! Register kinds, their numbers in tokens, and how many there are in each version and stage.

use shisa_ir::{File, FileId, FileKind, Scalar, Stage};

/// A name with each number from 0; no kind except constants has more registers.
macro_rules! numbered {
    ($name:literal) => {
        numbered!($name, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25)
    };
    ($name:literal, $($n:literal)*) => { [$(concat!($name, $n)),*] };
}

/// Register kind as tokens encode it (4 bits). No register has a value above 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegType(pub u8);

impl RegType {
    /// Vertex attribute: `va`.
    pub const ATTRIBUTE: RegType = RegType(0);
    /// Constant: `vc`, `fc`.
    pub const CONSTANT: RegType = RegType(1);
    /// Temporary: `vt`, `ft`.
    pub const TEMPORARY: RegType = RegType(2);
    /// Output: `op` (clip-space position), `fo` (colours).
    pub const OUTPUT: RegType = RegType(3);
    /// Varying: `v`.
    pub const VARYING: RegType = RegType(4);
    /// Sampler: `fs`, from version 4 also `vs`.
    pub const SAMPLER: RegType = RegType(5);
    /// Depth output: `fd`.
    pub const DEPTH: RegType = RegType(6);
    /// Instance number: `iid`.
    pub const INSTANCE: RegType = RegType(7);

    /// The register file of this kind: files and kinds have the same numbers.
    pub const fn file(self) -> FileId {
        FileId(self.0)
    }

    /// The name used in text, without the number; `None` for a kind that does not exist.
    pub const fn name(self, stage: Stage) -> Option<&'static str> {
        let vertex = matches!(stage, Stage::Vertex);
        Some(match (self.0, vertex) {
            (0, _) => "va",
            (1, true) => "vc",
            (1, false) => "fc",
            (2, true) => "vt",
            (2, false) => "ft",
            (3, true) => "op",
            (3, false) => "fo",
            (4, _) => "v",
            (5, true) => "vs",
            (5, false) => "fs",
            (6, _) => "fd",
            (7, _) => "iid",
            _ => return None,
        })
    }

    /// The name of a register: the kind's, with its number if there are several. Constants are named as an array, so
    /// they have no names of their own.
    pub const fn register(self, number: u16, stage: Stage) -> Option<&'static str> {
        let vertex = matches!(stage, Stage::Vertex);
        let names: &[&str] = match (self.0, vertex) {
            (0, _) => &numbered!("va"),
            (2, true) => &numbered!("vt"),
            (2, false) => &numbered!("ft"),
            (3, false) => &numbered!("fo"),
            (4, _) => &numbered!("v"),
            (5, true) => &numbered!("vs"),
            (5, false) => &numbered!("fs"),
            (1, _) => return None,
            _ => return self.name(stage),
        };
        if (number as usize) < names.len() { Some(names[number as usize]) } else { None }
    }

    /// The number of registers of the kind in a program of this version (1 to 4) and stage.
    pub const fn count(self, version: u32, stage: Stage) -> u32 {
        if self.0 as usize >= KINDS {
            return 0;
        }
        let counts = COUNTS[self.0 as usize][matches!(stage, Stage::Vertex) as usize];
        counts[match version {
            0 | 1 => 0,
            2 => 1,
            3 => 2,
            _ => 3,
        }] as u32
    }
}

/// The number of kinds.
const KINDS: usize = 8;

/// For each kind, the numbers of registers in versions 1 to 4 of fragment programs, and of vertex programs.
const COUNTS: [[[u8; 4]; 2]; KINDS] = [
    // va
    [[0; 4], [8, 8, 16, 16]],
    // fc, vc
    [[28, 64, 200, 200], [128, 250, 250, 250]],
    // ft, vt
    [[8, 26, 26, 26]; 2],
    // fo, op
    [[1, 4, 4, 4], [1; 4]],
    // v
    [[8, 10, 10, 10]; 2],
    // fs, vs
    [[8, 16, 16, 16], [0, 0, 0, 4]],
    // fd
    [[0, 1, 1, 1], [0; 4]],
    // iid
    [[0; 4], [0, 0, 1, 1]],
];

/// The largest number of tokens in a program of this version.
pub const fn max_tokens(version: u32) -> usize {
    match version {
        0 | 1 => 200,
        2 => 1024,
        _ => 2048,
    }
}

/// The maximum nesting depth of conditions.
pub const MAX_NESTING: usize = 4;

const fn file(name: &'static str, kind: FileKind, registers: u16, units: u8) -> File {
    File {
        name,
        kind,
        unit_bits: 32,
        units_per_register: units,
        units: registers * units as u16,
        scalar: Scalar::F32,
    }
}

/// The register files of a vertex program, sized for the newest version.
pub const VERTEX_FILES: &[File] = &[
    file("va", FileKind::Input, 16, 4),
    file("vc", FileKind::Uniform, 250, 4),
    file("vt", FileKind::Temp, 26, 4),
    file("op", FileKind::Output, 1, 4),
    file("v", FileKind::Output, 10, 4),
    file("vs", FileKind::Uniform, 0, 4),
    file("fd", FileKind::Output, 0, 1),
    file("iid", FileKind::Input, 1, 1),
];

/// The register files of a fragment program, sized for the newest version.
pub const FRAGMENT_FILES: &[File] = &[
    file("va", FileKind::Input, 0, 4),
    file("fc", FileKind::Uniform, 200, 4),
    file("ft", FileKind::Temp, 26, 4),
    file("fo", FileKind::Output, 4, 4),
    file("v", FileKind::Input, 10, 4),
    file("fs", FileKind::Uniform, 0, 4),
    file("fd", FileKind::Output, 1, 1),
    file("iid", FileKind::Input, 0, 1),
];

/// The register files of a stage.
pub const fn files(stage: Stage) -> &'static [File] {
    if matches!(stage, Stage::Vertex) { VERTEX_FILES } else { FRAGMENT_FILES }
}
