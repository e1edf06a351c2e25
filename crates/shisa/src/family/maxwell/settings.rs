//! Settings for Maxwell only.

use shisa_ir::Division;
use shisa_maxwell::lower::TextureKind;
use shisa_maxwell::{Chip, Options, Words};
use std::collections::BTreeMap;

/// Settings for Maxwell only.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The chip. For binary code it applies if the file does not state one, else 5.3 does; in a source it overrides
    /// `.chip`.
    pub chip: Option<Chip>,
    /// Fills in the control bits of all instructions of a source, so that each waits for its operands.
    pub schedule: bool,
    /// Choices that nothing published settles.
    pub options: Options,
    /// The control word of the bundle for single words; each is the first instruction of its bundle.
    pub control: u64,
    /// The address of each single word.
    pub base: u32,
    /// Looks for races, reads of memory that nothing wrote, and divergent barriers while a kernel runs.
    pub findings: bool,
    /// Counts what instructions cost while a kernel runs: divergence, and how their memory accesses are served.
    pub profile: bool,
    /// Threads of a workgroup of a compute program in each dimension, for translation. With `None`, what the file states,
    /// else 32, 1, 1.
    pub workgroup: Option<[u32; 3]>,
    /// Bytes of shared memory of a workgroup, for translation. With `None`, what the file states, else none.
    pub shared: Option<u32>,
    /// Bytes of a thread's local memory from address 0, for translation. With `None`, what the file states, else none.
    pub local: Option<u32>,
    /// Vertices of the input primitive of a geometry program: 1 (points), 2 (lines), 3 (triangles), 4 (lines with adjacent
    /// vertices) or 6 (triangles with them), for translation. Nothing in a file states it. With `None`, the smallest
    /// primitive with the vertices that the program reads.
    pub primitive: Option<u8>,
    /// How patches are divided, for the translation of a tessellation evaluation program. With `None`, what the file states
    /// (a DKSH does), else triangles in equal parts.
    pub division: Option<Division>,
    /// What the host knows of textures, by the number of their handle, for translation.
    pub textures: BTreeMap<u16, TextureKind>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            chip: None,
            schedule: false,
            options: Options::DEFAULT,
            control: Words::CONTROL,
            base: Words::BASE,
            findings: false,
            profile: false,
            workgroup: None,
            shared: None,
            local: None,
            primitive: None,
            division: None,
            textures: BTreeMap::new(),
        }
    }
}
