//! Forms that applegpu's tables have and Mesa's lack: Apple's compiler emits some of them, others were only seen. Their
//! lengths and operands are known, their effect is not. Rows of instructions with bits of unknown meaning come after
//! those without.

use super::{LONG_LOCAL, LONG6, SHORT_STACK, SHORT4, SHORT6, SHORT8, long_row, row};
use crate::Agx;
use crate::applegpu;
use crate::facts::{Barrier, Facts, Memory, Nesting, Pixel, Role, Scope, Varying};
use crate::operand::*;
use shisa_rows::{Field, Form, Operand, Spelling, unstated};

/// A row of one length after all others.
macro_rules! last {
    ($name:literal, $facts:expr, $bytes:literal, $encoding:expr, $operands:expr) => {
        row($name, $facts, $bytes, $encoding, $operands, unstated).otherwise()
    };
}

/// A row of two lengths after all others.
macro_rules! long {
    ($name:literal, $facts:expr, $length:expr, $encoding:expr, $operands:expr) => {
        long_row($name, $facts, $length, $encoding, $operands, unstated).otherwise()
    };
}

const SOME: Facts = Facts::UNMEASURED;
const EXCHANGE: Facts = Facts { role: Role::Exchange(Scope::Wave), ..SOME };
const DEVICE: Facts = Facts::memory(Memory::Device);
const SHARED: Facts = Facts::memory(Memory::Shared);
const STACK: Facts = Facts::memory(Memory::Stack);

/// Bits of accesses to device memory.
const OF_DEVICE: Operand<Agx> = unknown(Field::at(26, 1).then(28, 2).then(31, 1).then(46, 1).then(50, 2));
const OF_STACK: Operand<Agx> = unknown(Field::at(16, 4).then(26, 4).then(31, 1).then(36, 4).then(44, 3));
const OF_SHARED: Operand<Agx> = unknown(Field::at(7, 1).then(35, 1).then(40, 8).then(62, 2));
const OF_SAMPLE: Operand<Agx> = unknown(Field::at(45, 2));
const OF_MAPPING: [Operand<Agx>; 2] = [
    unknown(Field::at(8, 2).then(26, 1).then(30, 1).then(37, 3)),
    more_unknown(Field::at(42, 5).then(48, 8)),
];
const SAMPLE: &[Operand<Agx>] = &[
    SAMPLED, SMP_HEAP, TEXTURE, SAMPLER, COORD, LOD, COMPARED, SHADOW, QUERY_LOD, READ_WRITE, MULTI_DIE,
    SPARSE, SMP_KILL, SMP_DIM, SMP_MASK, LOD_TYPE, GATHER, SMP_GROUP, OF_SAMPLE, SHORT8,
];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    last!("simd_matrix_fmadd32", EXCHANGE, 8, (0x8000_0000_0c00_807f, 0x8000_0000_0c00_006f), &[PAIR, PAIR_A, PAIR_B, PAIR_C]).says("Multiplies matrices of 8 by 8 floats of 32 bits, two elements in each lane, and adds a third.").spelled(Spelling::new("simd_matrix_fmadd32", applegpu::MATRICES))
        .examples(&[("simd_matrix_fmadd32 r4_r5, r0_r1, r2_r3, r4_r5", 0x8002_4824_4e40_116f)]),
    last!("simd_matrix_fmadd16", EXCHANGE, 8, (0x8000_0000_0c00_807f, 0x8000_0000_0800_006f), &[PAIR, PAIR_A, PAIR_B, PAIR_C]).says("Multiplies matrices of 8 by 8 floats of 16 bits, two elements in each lane, and adds a third.").spelled(Spelling::new("simd_matrix_fmadd16", applegpu::MATRICES))
        .examples(&[("simd_matrix_fmadd16 r4l_r4h, r0l_r0h, r2l_r2h, r4l_r4h", 0x8000_4804_4840_106f)]),
    last!("simd_shuf_op", EXCHANGE, 6, (0x807f, 0x6f), &[DEST_44, ALU_A, ALU_B, number(Field::at(26, 2).then(38, 2).then(47, 1))]).says("Exchanges values between lanes.").spelled(applegpu::SHUF_OP)
        .examples(&[("simd_shuf_op r1, r2, r3, 2", 0x0024_6a44_056f)]),
    last!("simd_op", EXCHANGE, 6, (0x807f, 0x806f), &[DEST_44, ALU_A, number(Field::at(26, 16).then(47, 1))]).says("Combines values of lanes.").spelled(applegpu::SIMD_OP)
        .examples(&[("simd_op  r1, r2, 1", 0x0000_0644_856f)]),
    last!("convert", SOME, 6, (0xcc0_03c0_807f, 0x803e), &[DEST_44, CONVERTED, number(Field::at(16, 6)), ROUND]).says("Converts between integers and floats.").spelled(applegpu::CONVERT)
        .examples(&[("convert  r1, r2, 3, rte", 0x0024_4403_853e)]),
    last!("iunop", SOME, 6, (0x3f_f000_807f, 0x3e), &[DEST_44, ALU_A, number(Field::at(26, 2).then(38, 2))]).says("Computes a function of an integer.").spelled(applegpu::IUNOP)
        .examples(&[("iunop    r1, r2, 4", 0x0040_0244_053e)]),
    long!("funop", SOME, (4, 6, 15), (0x3fc_0000_003f, 0xa), &[DEST_44, FLOAT_A, number(Field::at(28, 6)), SATURATE, SHORT4]).says("Computes a function of a float.").spelled(applegpu::saturating("funop", applegpu::FUNOP))
        .examples(&[("funop    r1, r2, 15", 0xf244_050a)]),
    long!("ld_tile", Facts::pixel(Pixel::Load), (8, 10, 15), (0x8_0000_007f, 0x49), &[LOCAL_LOADED, TILE_COORD, TILE_SAMPLES, TILE_OFFSET, LOCAL_FORMAT, LOCAL_MASK, unknown(Field::at(23, 1).then(48, 7)), SHORT8]).says("Loads from the pixel in the tile.").spelled(applegpu::LD_TILE)
        .examples(&[("ld_tile  r0, 0, 255, 0, i32, x, unk0", 0x0300_fc10_0200_0149)]),
    last!("st_var", Facts::varying(Varying::Store), 4, (0x8040_037f, 0x11), &[VARYING, UVS, LAST, unknown(Field::at(28, 3))]).says("Stores an output of the vertex.").spelled(applegpu::ST_VAR)
        .examples(&[("st_var   r1, 0, unk0", 0x80_0411)]),
    last!("no_var_unk", Facts::varying(Varying::Absent), 4, (0x8040_03ff, 0x51), &[VARYING, UVS, unknown(Field::at(28, 3))]).says("States that the vertex has no outputs.").spelled(applegpu::NO_VAR)
        .examples(&[("no_var_unk r0, 0, unk0", 0x80_0051)]),
    last!("zs_emit", Facts::pixel(Pixel::Emit), 4, (0x80ff, 0x41), &[TARGET_SAMPLES, DEPTH_STENCIL, unknown(Field::at(22, 2).then(28, 1).then(31, 1))]).says("Outputs depth and stencil of samples, and tests them.").spelled(applegpu::ZS_EMIT)
        .examples(&[("zs_emit  255, r0, unk1", 0x2340_7f41)]),
    last!("async_load", SHARED, 8, (0x7f, 0x25), &[COPIED, COPY_TO, COPY_SIZES, OF_COPY[0], OF_COPY[1]]).says("Copies from device memory to the workgroup's memory while the program runs on.").spelled(Spelling::new("async_load", applegpu::COPY))
        .examples(&[("async_load copy_1d, dr0, r2_r3_r4, unk0, unk0", 0x2_0025)]),
    last!("async_store", SHARED, 8, (0x7f, 0x65), &[COPIED, COPY_TO, COPY_SIZES, OF_COPY[0], OF_COPY[1]]).says("Copies from the workgroup's memory to device memory while the program runs on.").spelled(Spelling::new("async_store", applegpu::COPY))
        .examples(&[("async_store copy_2d, du2, u4_u5_u6_u7_u8, unk0, unk0", 0x8000_0204_0965)]),
    long!("load", DEVICE, (6, 8, 47), (0x7f, 0x5), &[LOADED, LOAD_BASE, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, COHERENCY, GROUP, OF_DEVICE, LONG6]).says("Loads consecutive elements.").spelled(applegpu::DEVICE_LOAD)
        .examples(&[("load     r1, du0, r2, i32, x, a, unk16", 0x0012_c000_0a40_0905)]),
    long!("uniform_store_unk", Facts::memory(Memory::UniformElements), (6, 8, 47), (0xc_00f0_3c0f_007f, 0x3800_0045), &[STORED, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, GROUP, unknown(Field::at(31, 1).then(44, 3)), LONG6]).says("Writes uniforms as elements of memory.").spelled(applegpu::UNIFORM_STORE)
        .examples(&[("uniform_store_unk r1, 2, i16, x, a, unk0", 0x0012_8000_3920_08c5)]),
    long!("store", DEVICE, (6, 8, 47), (0x7f, 0x45), &[STORED, LOAD_BASE, INDEX, LOAD_SHIFT, FORMAT, LOAD_MASK, COHERENCY, GROUP, OF_DEVICE, LONG6]).says("Stores consecutive elements.").spelled(applegpu::DEVICE_STORE)
        .examples(&[("store    r1, du0, r2, i32, x, a, unk16", 0x0012_c000_0a40_0945)]),
    last!("atomic", DEVICE, 8, (0x3f, 0x15), &[ATOMIC_DEST, ATOMIC_SOURCE, LOAD_BASE, INDEX, ATOMIC_OP, COHERENCY, GROUP, unknown(Field::at(26, 1).then(28, 2).then(31, 1).then(42, 2).then(46, 1))]).says("Changes an element of 32 bits atomically, and returns the old one.").spelled(applegpu::ATOMIC)
        .examples(&[("atomic   r1, r2, du0, r3, add, a, unk0", 0x0004_8000_0a60_0815)]),
    long!("stack_get_ptr", Facts::memory(Memory::StackPointer), (6, 8, 47), (0x3_0000_000f_00ff, 0x2_0000_0001_0035), &[POINTER, unknown(Field::at(8, 3).then(20, 20).then(42, 5).then(50, 14)), SHORT_STACK]).says("Reads the stack pointer.").spelled(applegpu::STACK_LOAD)
        .examples(&[("stack_get_ptr r1, unk0", 0x2_8000_0001_0835)]),
    long!("stack_load", STACK, (6, 8, 47), (0xff, 0x35), &[LOADED, INDEX, LOAD_SHIFT, STACK_FORMAT, LOAD_MASK, GROUP, OF_STACK, LONG6]).says("Loads elements from the thread's stack.").spelled(applegpu::STACK_LOAD)
        .examples(&[("stack_load r1, 2, i32, x, a, unk0", 0x0012_8000_0120_0a35)]),
    long!("stack_adjust", Facts::memory(Memory::StackPointer), (6, 8, 47), (0xf_00ff, 0x1_00b5), &[INDEX, unknown(Field::at(8, 8).then(26, 6).then(36, 11).then(48, 8)), SHORT_STACK]).says("Reserves so many 32-bit words of the stack.").spelled(applegpu::STACK_STORE)
        .examples(&[("stack_adjust r1.sx, unk0", 0x21_00b5)]),
    long!("stack_store", STACK, (6, 8, 47), (0xff, 0xb5), &[STORED, INDEX, LOAD_SHIFT, STACK_FORMAT, LOAD_MASK, GROUP, OF_STACK, LONG6]).says("Stores elements to the thread's stack.").spelled(applegpu::STACK_STORE)
        .examples(&[("stack_store r1, 2, i32, x, a, unk0", 0x0012_8000_0120_0ab5)]),
    long!("lload", SHARED, (6, 8, 15), (0x7f, 0x79), &[LOCAL_LOADED, LOCAL_BASE, LOCAL_INDEX, LOCAL_FORMAT, LOCAL_MASK, OF_SHARED, LONG_LOCAL]).says("Loads elements from the workgroup's memory.").spelled(Spelling::new("threadgroup_load", applegpu::THREADGROUP))
        .examples(&[("lload    r1, 1, i32, x, unk0", 0x14_1280_8579)]),
    long!("lstore", SHARED, (6, 8, 15), (0x7f, 0x39), &[LOCAL_STORED, LOCAL_BASE, LOCAL_INDEX, LOCAL_FORMAT, LOCAL_MASK, OF_SHARED, LONG_LOCAL]).says("Stores elements to the workgroup's memory.").spelled(Spelling::new("threadgroup_store", applegpu::THREADGROUP))
        .examples(&[("lstore   r1, 1, i32, x, unk0", 0x14_1280_8539)]),
    long!("latomic", SHARED, (6, 10, 15), (0x3f, 0x19), &[LOCAL_ATOMIC_DEST, LOCAL_ATOMIC_SOURCE, LOCAL_BASE, LOCAL_INDEX, LOCAL_ATOMIC_OP, unknown(Field::at(6, 2).then(35, 3).then(40, 8).then(62, 2).then(72, 8)), LONG_LOCAL]).says("Changes an element of the workgroup's memory atomically, and returns the old one.").spelled(applegpu::THREADGROUP_ATOMIC)
        .examples(&[("latomic  _, r1, 1, add, unk0", 0x02_0000_0004_1080_8019)]),
    long!("smpf", Facts::memory(Memory::Texture), (8, 12, 15), (0xff, 0x31), SAMPLE).says("Samples a texture at coordinates that are floats.").spelled(applegpu::TEXTURE_SAMPLE)
        .examples(&[("smpf     r0_r1_r2_r3, ts0, ss1, r0_r1, u8l, 2d, xyzw, auto_lod_bias, a, unk0", 0x11f_0200_1000_0131)]),
    long!("smpi", Facts::memory(Memory::Texture), (8, 12, 15), (0xff, 0x71), SAMPLE).says("Reads a texture at coordinates that are integers.").spelled(applegpu::TEXTURE_LOAD)
        .examples(&[("smpi     r4_r5_r6_r7, ts0, ss0, r0_r1, 0, r2l, 2d, xyzw, auto_lod, a, unk0", 0x804_0000_000f_0200_0000_9171)]),
    long!("imgw", Facts::memory(Memory::Image), (6, 8, 15), (0xff, 0xf1), &[PIXEL, IMAGE_HEAP, IMAGE, IMAGE_COORD, IMAGE_LOD, IMAGE_DIM, IMAGE_RTZ, COHERENCY, unknown(Field::at(23, 1).then(30, 1).then(43, 1).then(46, 1).then(54, 1)), SHORT6]).says("Writes a pixel of an image.").spelled(applegpu::IMAGE_WRITE)
        .examples(&[("imgw     r12_r13_r14_r15, du0, r1, r16_r17_r18l, 0, 2d_array, unk1", 0x03c2_80a0_31f1)]),
    long!("imgwblk", Facts::pixel(Pixel::Block), (6, 10, 15), (0x3ff0_0000_0000_0000_00ff, 0xb1), &[BLOCK, IMAGE_HEAP, IMAGE, BLOCK_COORD, IMAGE_LOD, BLOCK_EXPLICIT, IMAGE_DIM, BLOCK_FORMAT, IMAGE_RTZ, unknown(Field::at(30, 1).then(43, 4).then(54, 1).then(67, 1).then(78, 2)), SHORT6]).says("Writes a block of the tile to an image.").spelled(applegpu::IMAGE_WRITE_BLOCK)
        .examples(&[("imgwblk  r0l, ts0, r0, 0, 2d, i16, unk0", 0x0200_8000_01b1)]),
    last!("memory_barrier_unk", Facts::barrier(Barrier::Other), 2, (0xff, 0xf5), &BARRIER).says("Orders accesses; its numbers select which.").spelled(applegpu::MEMORY_BARRIER)
        .examples(&[("memory_barrier_unk 1, 0, 9", 0x94f5)]),
    last!("pop_exec2", Facts::nesting(Nesting::Pop), 6, (0xff_e67f, 0x80_0652), &[NEST, CACHE, unknown(Field::at(24, 24))]).says("Ends levels of nesting; how it differs from pop_exec is not known.").spelled(applegpu::POP_EXEC2)
        .examples(&[("pop_exec2 1, unk0", 0x80_0e52)]),
    last!("sr_thing", SOME, 4, (0x807f, 0x8072), &[DEST_28, SPECIAL, unknown(Field::at(22, 4).then(30, 2))]).says("Reads a special register; how it differs from mov is not known.").spelled(applegpu::SR_THING)
        .examples(&[("sr_thing r1, threadgroup_in_grid_x, unk0", 0x8572)]),
    last!("unmap", Facts::DRIVER, 8, (0x8000_bb0f_04ff, 0x8000_0100_0075), &[UNMAPPED, MAP_TARGET, MAP_VALUE, OF_MAPPING[0], OF_MAPPING[1]]).says("Unmaps memory of a stack.").spelled(applegpu::UNMAP)
        .examples(&[("unmap    r1, 0, 0, unk0, unk0", 0x8000_0100_0875)]),
    last!("map", Facts::DRIVER, 8, (0x8000_bb0f_04ff, 0x8000_0101_0075), &[MAPPED, MAP_TARGET, MAP_VALUE, OF_MAPPING[0], OF_MAPPING[1]]).says("Maps memory for a stack.").spelled(applegpu::MAP)
        .examples(&[("map      r1, 0, 0, unk0, unk0", 0x8000_0101_0875)]),
    last!("unk75", Facts::DRIVER, 8, (0x8000_0000_04ff, 0x8000_0000_0075), &[MAPPED, MAP_TARGET, MAP_VALUE, unknown(Field::at(8, 2).then(16, 4).then(24, 8).then(37, 3)), OF_MAPPING[1]]).says("Does something with memory of a stack.").spelled(applegpu::UNK75)
        .examples(&[("unk75    r1, 0, 0, unk0, unk0", 0x8000_0000_0875)]),
    last!("after_sampling1", SOME, 2, (0xffff, 0x101c), &[]).says("Seen after accesses to textures; its effect is not known.").spelled(Spelling::new("TODO.after_sampling1", &[]))
        .examples(&[("after_sampling1", 0x101c)]),
    last!("after_sampling2", SOME, 2, (0xffff, 0x62cc), &[]).says("Seen after accesses to textures; its effect is not known.").spelled(Spelling::new("TODO.after_sampling2", &[]))
        .examples(&[("after_sampling2", 0x62cc)]),
    last!("unk30c0", SOME, 6, (0xffff, 0xc030), &[IMM32]).says("Seen among jumps; its effect is not known.").spelled(Spelling::new("TODO.unk30C0", &[IMM32]))
        .examples(&[("unk30c0  5", 0x5_c030)]),
    last!("unk40c0", SOME, 6, (0xffff_ffff_ffff, 0xc040), &[]).says("Seen among jumps; its effect is not known.").spelled(Spelling::new("TODO.unk40C0", &[]))
        .examples(&[("unk40c0", 0xc040)]),
    last!("unkc0000000", SOME, 4, (0xffff_ffff, 0xc0), &[]).says("Its effect is not known.").spelled(Spelling::new("TODO.unkC0000000", &[]))
        .examples(&[("unkc0000000", 0xc0)]),
    last!("unke800", SOME, 2, (0xffff, 0xe8), &[]).says("Its effect is not known.").spelled(Spelling::new("TODO.unkE800", &[]))
        .examples(&[("unke800", 0xe8)]),
    last!("unk0c00", SOME, 2, (0xffff, 0x0c), &[]).says("Its effect is not known.").spelled(Spelling::new("TODO.unk0C00", &[]))
        .examples(&[("unk0c00", 0x0c)]),
];

/// Bits of copies.
const OF_COPY: [Operand<Agx>; 2] = [
    unknown(Field::at(7, 1).then(15, 1).then(20, 5).then(26, 10)),
    more_unknown(Field::at(40, 7).then(48, 16)),
];
