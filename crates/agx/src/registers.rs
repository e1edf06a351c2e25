//! Register files and the names of special registers.

use shisa_ir::{File, FileId, FileKind, Reg, Scalar};

/// `r0l` to `r127h`.
pub const REGISTERS: FileId = FileId(0);
/// `u0l` to `u255h`.
pub const UNIFORMS: FileId = FileId(1);
/// Special registers by number.
pub const SPECIALS: FileId = FileId(2);

/// The lane's counter of conditions that hold it back.
pub(crate) const NESTING: Reg = Reg::new(REGISTERS, 0);

/// Where a call leaves the place behind it.
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

/// The register files, in the order of their numbers.
pub const FILES: &[File] = &[
    file("r", FileKind::Temp, 16, 256, 2, Scalar::I32),
    file("u", FileKind::Uniform, 16, 512, 2, Scalar::I32),
    file("sr", FileKind::Input, 32, 256, 1, Scalar::I32),
    file("sp", FileKind::Temp, 32, 1, 1, Scalar::I32),
];

/// The same for targets without integers of 16 bits: what [`shisa_ir::narrow`] gives a program.
pub const WORD_FILES: &[File] = &[
    file("r", FileKind::Temp, 16, 256, 2, Scalar::I32),
    file("u", FileKind::Uniform, 32, 256, 1, Scalar::I32),
    file("sr", FileKind::Input, 32, 256, 1, Scalar::I32),
    file("sp", FileKind::Temp, 32, 1, 1, Scalar::I32),
];

/// The stack pointer in bytes. It is no register that programs can name.
pub(crate) const STACK_POINTER: Reg = Reg::new(FileId(3), 0);

/// `thread_in_grid_x`, and behind it those of y and z.
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
