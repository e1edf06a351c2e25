//! Register files and the names of special registers.

use shisa_ir::{File, FileId, FileKind, Reg, Scalar};

/// `r0l` to `r127h`.
pub const REGISTERS: FileId = FileId(0);
/// `u0l` to `u255h`.
pub const UNIFORMS: FileId = FileId(1);
/// Special registers by number.
pub const SPECIALS: FileId = FileId(2);
/// Interpolated values: [`Coefficient::unit`] is the register unit of each.
pub const COEFFICIENTS: FileId = FileId(4);
/// Outputs of a vertex, by number.
pub const VARYINGS: FileId = FileId(5);
/// Depths that a fragment emits, by sample.
pub const DEPTHS: FileId = FileId(6);
/// Stencil values that a fragment emits, by sample.
pub const STENCILS: FileId = FileId(7);
/// The pixel in the tile, half by half: [`TILE_HALVES`] for each sample.
pub const TILE: FileId = FileId(8);
/// Masks of the samples that were killed, and of those that were tested.
pub const SAMPLES: FileId = FileId(9);

/// The largest number of samples of a pixel.
pub const MOST_SAMPLES: u16 = 4;
/// Halves of the tile for one sample.
pub const TILE_HALVES: u16 = 256;

/// A number of a coefficient register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Coefficient {
    /// The value at the centre of the pixel.
    Centre {
        /// Whether it was corrected for perspective.
        perspective: bool,
    },
    /// The value at the centroid: a point that the triangle covers.
    Centroid {
        /// As above.
        perspective: bool,
    },
    /// The value at a sample.
    Sample {
        /// Its number.
        sample: u16,
        /// As above.
        perspective: bool,
    },
    /// The change from a pixel to the next one on the right.
    Dx,
    /// The change from a pixel to the next one below.
    Dy,
    /// The value at the upper left corner of the tile of 32 by 32 pixels.
    Corner,
}

impl Coefficient {
    /// All, in the order of their units.
    pub fn all() -> impl Iterator<Item = Coefficient> {
        use Coefficient::*;
        let both = [false, true];
        let places = both.into_iter().map(|perspective| Centre { perspective });
        let places = places.chain(both.into_iter().map(|perspective| Centroid { perspective }));
        let samples = (0..MOST_SAMPLES)
            .flat_map(move |sample| both.into_iter().map(move |perspective| Sample { sample, perspective }));
        places.chain(samples).chain([Dx, Dy, Corner])
    }

    /// The unit of [`COEFFICIENTS`] for register 0; the units of the 256 registers are consecutive.
    pub const fn unit(self) -> u16 {
        let block = match self {
            Coefficient::Centre { perspective } => perspective as u16,
            Coefficient::Centroid { perspective } => 2 + perspective as u16,
            Coefficient::Sample { sample, perspective } => 4 + 2 * sample + perspective as u16,
            Coefficient::Dx => 4 + 2 * MOST_SAMPLES,
            Coefficient::Dy => 5 + 2 * MOST_SAMPLES,
            Coefficient::Corner => 6 + 2 * MOST_SAMPLES,
        };
        block * 256
    }
}

/// Which samples were killed.
pub const KILLED: Reg = Reg::new(SAMPLES, 0);
/// Which samples were tested.
pub const TESTED: Reg = Reg::new(SAMPLES, 1);

/// The lane's counter of conditions that mask it off.
pub(crate) const NESTING: Reg = Reg::new(REGISTERS, 0);

/// The register that receives the return offset of a call.
pub(crate) const LINK: Reg = Reg::new(REGISTERS, 2);

/// `thread_index_in_simdgroup`.
pub(crate) const LANE: Reg = Reg::new(SPECIALS, 52);

const fn file(
    name: &'static str,
    kind: FileKind,
    unit_bits: u8,
    units: u16,
    per: u8,
    scalar: Scalar,
) -> File {
    File { name, kind, unit_bits, units_per_register: per, units, scalar }
}

/// The files of programs that draw.
const DRAWING: [File; 6] = [
    file("cf", FileKind::Input, 32, Coefficient::Corner.unit() + 256, 1, Scalar::F32),
    file("v", FileKind::Output, 32, 256, 4, Scalar::F32),
    file("z", FileKind::Output, 32, MOST_SAMPLES, 1, Scalar::F32),
    file("s", FileKind::Output, 32, MOST_SAMPLES, 1, Scalar::I32),
    file("tile", FileKind::Temp, 16, MOST_SAMPLES * TILE_HALVES, 2, Scalar::I32),
    file("samples", FileKind::Temp, 32, 2, 1, Scalar::I32),
];

/// The register files, in the order of their numbers.
pub const FILES: &[File] = &[
    file("r", FileKind::Temp, 16, 256, 2, Scalar::I32),
    file("u", FileKind::Uniform, 16, 512, 2, Scalar::I32),
    file("sr", FileKind::Input, 32, 256, 1, Scalar::I32),
    file("sp", FileKind::Temp, 32, 1, 1, Scalar::I32),
    DRAWING[0],
    DRAWING[1],
    DRAWING[2],
    DRAWING[3],
    DRAWING[4],
    DRAWING[5],
    file("iteration", FileKind::Temp, 32, 1, 1, Scalar::I32),
];

/// The files of translated programs: after the others, the uniforms that the program itself writes.
pub(crate) const STAGED_FILES: &[File] = &with_uniforms(FILES[1]);
/// The same for targets without 16-bit integers, after [`shisa_ir::narrow`].
pub const WORD_FILES: &[File] = &with_uniforms(file("u", FileKind::Uniform, 32, 256, 1, Scalar::I32));

const fn with_uniforms(uniforms: File) -> [File; 19] {
    let f = FILES;
    let more = [
        file("pushed", FileKind::Temp, 16, 512, 2, Scalar::I32),
        file("colour", FileKind::Output, 32, 32, 4, Scalar::F32),
        file("words", FileKind::Output, 32, 32, 4, Scalar::I32),
        file("id", FileKind::Input, 32, 8, 1, Scalar::I32),
        file("attribute", FileKind::Input, 32, 120, 4, Scalar::F32),
        file("depth", FileKind::Input, 32, 1, 1, Scalar::F32),
        file("state", FileKind::Temp, 32, 1024, 2, Scalar::I32),
        file("bound", FileKind::Input, 32, 1024, 2, Scalar::I32),
    ];
    let [pushed, colour, words, id, attribute, depth, state, bound] = more;
    [
        f[0], uniforms, f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], pushed, colour, words, id,
        attribute, depth, state, bound,
    ]
}

/// Uniforms that a translated program itself writes.
pub(crate) const PUSHED: FileId = FileId(11);
/// Colour outputs of a pixel, four components each.
pub(crate) const COLOURS: FileId = FileId(12);
/// The same where they are integers.
pub(crate) const COLOUR_WORDS: FileId = FileId(13);
/// The number of the vertex.
pub(crate) const VERTEX: Reg = Reg::new(FileId(14), 0);
/// The number of the instance.
pub(crate) const INSTANCE: Reg = Reg::new(FileId(14), 1);
/// The number of the lane's own sample.
pub(crate) const OWN_SAMPLE: Reg = Reg::new(FileId(14), 2);
/// The bit of that sample while the loop over samples runs for it; none if the loop does not reach it.
pub(crate) const BIT_OF_SAMPLE: Reg = Reg::new(FileId(14), 3);
/// Data of other samples, which no lane can see: four components of any kind. A read that survives folding is
/// refused.
pub(crate) const OTHER_SAMPLE: Reg = Reg::new(FileId(14), 4);
/// Attributes of a vertex, four components each.
pub(crate) const ATTRIBUTES: FileId = FileId(15);
/// Depth of the primitive at the pixel.
pub(crate) const PIXEL_DEPTH: Reg = Reg::new(FileId(16), 0);
/// Addresses of the descriptors of states that the program loads: those of textures, then those of samplers.
pub(crate) const STATES: FileId = FileId(17);
/// The same for states that the host has bound; their contents are unknown.
pub(crate) const BOUND: FileId = FileId(18);

/// The number of the current pixel of a tile, for an instruction that writes all pixels. After the last it is 0
/// again.
pub(crate) const BLOCK_PIXEL: Reg = Reg::new(FileId(10), 0);

/// The stack pointer in bytes. Programs cannot name it as a register.
pub(crate) const STACK_POINTER: Reg = Reg::new(FileId(3), 0);

/// `input_sample_mask`.
pub(crate) const INPUT_SAMPLES: Reg = Reg::new(SPECIALS, 124);

/// `backfacing`; in translations whether the triangle is front-facing, as in other languages.
pub(crate) const BACKFACING: Reg = Reg::new(SPECIALS, 62);

/// `threadgroup_in_grid_x`, and after it those of y and z.
pub(crate) const THREADGROUP: Reg = Reg::new(SPECIALS, 0);
/// `thread_in_threadgroup_x`, and after it those of y and z.
pub(crate) const THREAD_IN_THREADGROUP: Reg = Reg::new(SPECIALS, 48);
/// `thread_index_in_threadgroup`.
pub(crate) const THREAD_INDEX: Reg = Reg::new(SPECIALS, 51);
/// `thread_in_grid_x`, and after it those of y and z.
pub(crate) const THREAD_IN_GRID: Reg = Reg::new(SPECIALS, 80);

/// Names of special registers by number; the others are `srN`.
#[rustfmt::skip]
pub const SPECIAL_NAMES: &[(u8, &str)] = &[
    (0, "threadgroup_in_grid_x"), (1, "threadgroup_in_grid_y"), (2, "threadgroup_in_grid_z"),
    (4, "threads_per_threadgroup_x"), (5, "threads_per_threadgroup_y"),
    (6, "threads_per_threadgroup_z"), (8, "dispatch_threads_per_threadgroup_x"),
    (9, "dispatch_threads_per_threadgroup_y"), (10, "dispatch_threads_per_threadgroup_z"),
    (12, "threadgroup_width"), (13, "threadgroup_height"), (14, "samples_log2"), (20, "core_index"),
    (21, "vm_slot"), (48, "thread_in_threadgroup_x"), (49, "thread_in_threadgroup_y"),
    (50, "thread_in_threadgroup_z"), (51, "thread_index_in_threadgroup"),
    (52, "thread_index_in_simdgroup"), (53, "simdgroup_index_in_threadgroup"),
    (56, "active_thread_index_in_quadgroup"), (57, "total_active_threads_in_quadgroup"),
    (58, "active_thread_index_in_simdgroup"), (59, "total_active_threads_in_simdgroup"),
    (60, "internal_coverage_mask"), (62, "backfacing"), (63, "is_active_thread"),
    (80, "thread_in_grid_x"), (81, "thread_in_grid_y"), (82, "thread_in_grid_z"),
    (124, "input_sample_mask"), (144, "helper_op"), (146, "helper_arg_l"), (147, "helper_arg_h"),
];
