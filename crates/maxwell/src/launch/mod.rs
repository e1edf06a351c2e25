//! What a compute program finds when it starts: its code, constants, memory and special registers.
//!
//! A [`Kernel`] is a program as a loader puts it into memory, such as a function of a cubin. A [`Launch`] states how many threads
//! run it, with which parameters. Together they determine bank 0 of the constants ([`Launch::bank`]) and the special
//! registers of every lane ([`crate::special_value`]).
//!
//! # CUDA
//! Compilers' code for sm_50 to sm_53 relies on this bank 0, and drivers provide it:
//!
//! | location | contents |
//! |---|---|
//! | `c[0x0][0x0]`, `c[0x0][0x4]` | first address of the windows of shared and of local memory |
//! | `c[0x0][0x8]`–`[0x10]` | the block's size in x, y, z |
//! | `c[0x0][0x14]`–`[0x1c]` | the grid's size in x, y, z |
//! | `c[0x0][0x20]` | the first stack pointer, an address of local memory; the stack grows downwards |
//! | `c[0x0][0xfc]` | bytes of dynamic shared memory |
//! | `c[0x0][0x140]` and up | the parameters |
//!
//! # deko3d
//! The code of uam, the compiler of the Switch library deko3d, relies on this one:
//!
//! | location | contents |
//! |---|---|
//! | `c[0x0][0x0]`–`[0x8]` | the group's size in x, y, z |
//! | `c[0x0][0xc]`–`[0x14]` | groups in x, y, z |
//! | `c[0x0][0xa0]` and up | handles of 32 textures, then of 8 images |
//! | `c[0x0][0x140]` and up | for each storage buffer 16 bytes: its address (64 bits) and its size (32 bits) |
//!
//! All graphics stages share one bank 0: from 0x10 on for each of the five stages 0x1a0 bytes, first the handles of 32
//! textures and 8 images, then 16 storage buffers as above; from 0x830 on the positions of samples.
//!
//! Bank 1 holds the compiler's constants, bank n + 2 the uniform buffer of binding n.
//!
//! # Generic addresses
//! A window is 16 MiB of generic addresses: the lower 24 bits of an address in it are an address of shared or of the
//! lane's local memory. Code joins them with an OR, so a window begins at a multiple of 16 MiB. Code without optimisation
//! compares the stack pointer with `SR_LMEMHIOFF`, the lowest address of the stack, and traps below it.

mod kernel;
mod place;
#[cfg(test)]
mod tests;

pub use kernel::Kernel;
pub use place::Place;

use crate::ShaderStage;
use alloc::vec::Vec;

/// Size of a window of generic addresses in bytes.
pub const WINDOW: u64 = 1 << 24;
/// Where generic addresses of shared memory begin, unless the launch states it.
pub const SHARED_WINDOW: u64 = 0x100_0000;
/// Where generic addresses of local memory begin, unless the launch states it.
pub const LOCAL_WINDOW: u64 = 0x200_0000;
/// The first stack pointer: the highest address of local memory that is a multiple of 16, the largest access.
pub const STACK_TOP: u32 = WINDOW as u32 - 16;
/// Bytes of a thread's stack unless the launch states them or the cubin needs more.
pub const STACK: u32 = 4096;
/// Where the parameters, or the storage buffers of deko3d, begin in bank 0.
pub const PARAMETERS: usize = 0x140;
/// Where the handles of textures begin in bank 0 of deko3d, in words of 4 bytes. Instructions name a handle by such a
/// number.
pub const TEXTURES: u16 = 0x28;
/// The same for images.
pub const IMAGES: u16 = 0x48;
/// The largest numbers of textures and of images.
pub const MOST_TEXTURES: [u16; 2] = [IMAGES - TEXTURES, 8];
/// The largest size of a bank of constants in bytes.
pub const BANK: usize = 1 << 16;

/// Whose convention bank 0 follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Driver {
    /// CUDA's.
    #[default]
    Cuda,
    /// That of deko3d, for compute programs of uam.
    Deko3d,
    /// That of deko3d, for graphics programs of uam: all stages share one bank.
    Deko3dStage(ShaderStage),
}

/// Bytes before the handles of the first stage in the bank that all graphics stages share.
const SHARED_HEAD: u16 = 0x10;
/// Handles of textures and images of a stage, in words of 4 bytes.
const HANDLES: u16 = MOST_TEXTURES[0] + MOST_TEXTURES[1];
/// Storage buffers of a stage.
pub const MOST_BUFFERS: u16 = 16;
/// Bytes of a stage in the bank that all graphics stages share: its handles, and 16 bytes for each storage buffer.
const STAGE_BYTES: u16 = 4 * HANDLES + 16 * MOST_BUFFERS;
/// The stages in the order of the bank.
const STAGES: [ShaderStage; 5] = [
    ShaderStage::Vertex,
    ShaderStage::TessellationControl,
    ShaderStage::TessellationEvaluation,
    ShaderStage::Geometry,
    ShaderStage::Fragment,
];
/// Where the positions of samples begin in the bank that all graphics stages share: 8 words for each pixel of 2 by 4.
const SAMPLES: u16 = SHARED_HEAD + STAGES.len() as u16 * STAGE_BYTES;
/// How many words they are.
const SAMPLE_WORDS: u16 = 64;
/// The position of a sample at the centre: the offset from the centre, which IPA takes, is 0, and in the gaps above the
/// offset's halves the position is 8/16 in both directions.
const CENTRE: u32 = 8 << 12 | 8 << 28;

impl Driver {
    /// Where the handles of textures begin in bank 0, in words of 4 bytes; those of images follow.
    pub fn textures(self) -> u16 {
        match self {
            Driver::Cuda | Driver::Deko3d => TEXTURES,
            Driver::Deko3dStage(stage) => {
                let number = STAGES.iter().position(|s| *s == stage).unwrap_or(0) as u16;
                (SHARED_HEAD + number * STAGE_BYTES) / 4
            }
        }
    }

    /// Where the parameters of CUDA, or the storage buffers of deko3d, begin in bank 0, in bytes.
    pub fn parameters(self) -> usize {
        match self {
            Driver::Cuda | Driver::Deko3d => PARAMETERS,
            Driver::Deko3dStage(_) => 4 * usize::from(self.textures() + HANDLES),
        }
    }
}

/// How a kernel is launched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// Whose convention bank 0 follows.
    pub driver: Driver,
    /// Blocks of the grid in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Bytes of shared memory that the code itself declares.
    pub shared: u32,
    /// Bytes of shared memory after those.
    pub dynamic_shared: u32,
    /// Bytes of a thread's local memory from address 0.
    pub local: u32,
    /// Bytes of a thread's stack, which is local memory below [`STACK_TOP`].
    pub stack: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// The parameters, or the storage buffers of deko3d.
    pub parameters: Vec<u8>,
}

impl Launch {
    /// Bytes of a thread's local memory at its upper end: the stack and what is above the first stack pointer.
    pub fn upper_local(&self) -> u32 {
        (WINDOW as u32).saturating_sub(self.stack_bottom())
    }

    /// The lowest address of the stack, a multiple of 16.
    pub fn stack_bottom(&self) -> u32 {
        STACK_TOP.saturating_sub(self.stack) & !15
    }

    /// All bytes of a block's shared memory.
    pub fn all_shared(&self) -> u32 {
        self.shared.saturating_add(self.dynamic_shared)
    }

    /// Threads of a block.
    pub fn threads(&self) -> u64 {
        self.block.iter().fold(1, |n, d| n.saturating_mul(u64::from(*d)))
    }

    /// Bank 0 of the constants. `own` are the bytes that the cubin has for it.
    pub fn bank(&self, own: &[u8]) -> Vec<u8> {
        let [bx, by, bz] = self.block;
        let [gx, gy, gz] = self.grid;
        let windows = [SHARED_WINDOW as u32, LOCAL_WINDOW as u32];
        let sizes = [bx, by, bz, gx, gy, gz];
        let samples = usize::from(SAMPLES + 4 * SAMPLE_WORDS);
        let mut bank = own.to_vec();
        let parameters = self.driver.parameters();
        let end = parameters.saturating_add(self.parameters.len());
        let end = if matches!(self.driver, Driver::Deko3dStage(_)) { end.max(samples) } else { end };
        bank.resize(bank.len().max(end), 0);
        let mut put = |at: usize, bytes: &[u8]| {
            bank.iter_mut().skip(at).zip(bytes).for_each(|(b, new)| *b = *new);
        };
        let mut put_words = |at: usize, words: &[u32]| {
            words.iter().enumerate().for_each(|(i, word)| put(at + 4 * i, &word.to_le_bytes()));
        };
        match self.driver {
            Driver::Cuda => {
                put_words(0, &windows);
                put_words(8, &sizes);
                put_words(0x20, &[STACK_TOP]);
                put_words(0xfc, &[self.dynamic_shared]);
            }
            Driver::Deko3d => put_words(0, &sizes),
            Driver::Deko3dStage(_) => put_words(SAMPLES.into(), &[CENTRE; SAMPLE_WORDS as usize]),
        }
        if self.driver != Driver::Cuda {
            let from = self.driver.textures();
            (from..from + HANDLES).for_each(|n| put_words(4 * usize::from(n), &[handle(n)]));
        }
        put(parameters, &self.parameters);
        bank
    }
}

/// The handle at a number of bank 0 of deko3d: the same number for the texture (bits 19:0) and its sampler (31:20).
pub const fn handle(number: u16) -> u32 {
    number as u32 | (number as u32) << 20
}
