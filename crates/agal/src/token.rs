//! Tokens: 24 bytes of opcode, destination and two sources, fused into `[u64; 3]`.
//!
//! Bits 0–31 are the opcode, 32–63 the destination, 64–127 the first source, 128–191 the second source
//! or the sampler.

use crate::RegType;
use shisa_ir::{Dim, Filter, Mask, Sampler, Swizzle, Wrap};
use shisa_rows::Field;

/// A fused token.
pub type Token = [u64; 3];

/// Bytes of a token.
pub const TOKEN_BYTES: usize = 24;

/// The destination.
pub const DEST_FIELD: Field = Field::at(32, 32);
/// The first source.
pub const SOURCE1_FIELD: Field = Field::at(64, 64);
/// The second source or the sampler.
pub const SOURCE2_FIELD: Field = Field::at(128, 64);

/// Fuses the bytes of a token.
pub fn fuse(bytes: &[u8; TOKEN_BYTES]) -> Token {
    let mut words = [0; 3];
    for (w, chunk) in words.iter_mut().zip(bytes.as_chunks().0) {
        *w = u64::from_le_bytes(*chunk);
    }
    words
}

/// The bytes of a token.
pub fn split(token: &Token) -> [u8; TOKEN_BYTES] {
    let mut bytes = [0; TOKEN_BYTES];
    for (chunk, w) in bytes.chunks_exact_mut(8).zip(token) {
        chunk.copy_from_slice(&w.to_le_bytes());
    }
    bytes
}

/// The opcode of a token.
pub const fn opcode(token: &Token) -> u32 {
    token[0] as u32
}

/// A destination: register number 0–15, write mask 16–19, register kind 24–27; the other bits must be zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dest(pub u32);

impl Dest {
    /// The destination of a token.
    pub const fn of(token: &Token) -> Dest {
        Dest((token[0] >> 32) as u32)
    }

    /// Register number.
    pub const fn number(self) -> u16 {
        self.0 as u16
    }

    /// Components written.
    pub const fn mask(self) -> Mask {
        Mask((self.0 >> 16) as u8 & 15)
    }

    /// Register kind.
    pub const fn kind(self) -> RegType {
        RegType((self.0 >> 24) as u8 & 15)
    }

    /// Bits that must be zero.
    pub const fn reserved(self) -> u32 {
        self.0 & 0xf0f0_0000
    }
}

/// A source: register number 0–15, indirect offset 16–23, swizzle 24–31, register kind 32–35, index register kind
/// 40–43, index component 48–49, indirect 63; the other bits must be zero.
///
/// An indirect source reads the register `kind[index + offset]`; the register number is then that of the index
/// register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source(pub u64);

impl Source {
    /// Register number; in an indirect source the number of the index register.
    pub const fn number(self) -> u16 {
        self.0 as u16
    }

    /// Added to the index of an indirect source.
    pub const fn offset(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// The component that each component comes from.
    pub const fn swizzle(self) -> Swizzle {
        Swizzle((self.0 >> 24) as u8)
    }

    /// Register kind.
    pub const fn kind(self) -> RegType {
        RegType((self.0 >> 32) as u8 & 15)
    }

    /// Kind of the index register.
    pub const fn index_kind(self) -> RegType {
        RegType((self.0 >> 40) as u8 & 15)
    }

    /// Component of the index register.
    pub const fn index_component(self) -> u8 {
        (self.0 >> 48) as u8 & 3
    }

    /// The bits that must be zero in a direct source: offset, index register and index component.
    pub const fn index_bits(self) -> u64 {
        self.0 & 0x0003_0f00_00ff_0000
    }

    /// Whether it has no bits but those of number, swizzle and kind: a direct source without reserved bits.
    pub const fn is_plain(self) -> bool {
        self.0 & !0x0000_000f_ff00_ffff == 0
    }

    /// Whether the register is indexed.
    pub const fn indirect(self) -> bool {
        self.0 >> 63 != 0
    }

    /// Bits that must be zero.
    pub const fn reserved(self) -> u64 {
        self.0 & 0x7ffc_f0f0_0000_0000
    }
}

/// A sampler: register number 0–15, level-of-detail bias 16–23 (signed eighths), register kind 32–35,
/// format 40–43, dimension 44–47, special flags 48–51, wrap 52–55, mip 56–59, filter 60–63.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamplerBits(pub u64);

impl SamplerBits {
    /// Lowest bit of the format.
    pub const FORMAT_SHIFT: u32 = 40;
    /// Lowest bit of the dimension.
    pub const DIMENSION_SHIFT: u32 = 44;
    /// Lowest bit of the special flags.
    pub const SPECIAL_SHIFT: u32 = 48;
    /// Lowest bit of the wrap mode.
    pub const WRAP_SHIFT: u32 = 52;
    /// Lowest bit of the mip mode.
    pub const MIP_SHIFT: u32 = 56;
    /// Lowest bit of the filter.
    pub const FILTER_SHIFT: u32 = 60;

    /// The four bits of a group that begins at bit `shift`.
    pub const fn group(self, shift: u32) -> u8 {
        (self.0 >> shift) as u8 & 15
    }

    /// Sampler number.
    pub const fn number(self) -> u16 {
        self.0 as u16
    }

    /// Level-of-detail bias in eighths of a level.
    pub const fn bias(self) -> i8 {
        (self.0 >> 16) as i8
    }

    /// Register kind; must be [`RegType::SAMPLER`].
    pub const fn kind(self) -> RegType {
        RegType((self.0 >> 32) as u8 & 15)
    }

    /// 0 rgba, 1 dxt1 (compressed), 2 dxt5 (compressed with alpha), 3 video.
    pub const fn format(self) -> u8 {
        self.group(Self::FORMAT_SHIFT)
    }

    /// 0 2d, 1 cube, 2 3d, 3 rectangle.
    pub const fn dimension(self) -> u8 {
        self.group(Self::DIMENSION_SHIFT)
    }

    /// Bit 0 centroid, bit 1 single, bit 2 ignoresampler (depth in the assemblers of 2011 to 2014).
    pub const fn special(self) -> u8 {
        self.group(Self::SPECIAL_SHIFT)
    }

    /// 0 clamp, 1 repeat, 2 clamp u and repeat v, 3 repeat u and clamp v.
    pub const fn wrap(self) -> u8 {
        self.group(Self::WRAP_SHIFT)
    }

    /// 0 none, 1 nearest, 2 linear.
    pub const fn mip(self) -> u8 {
        self.group(Self::MIP_SHIFT)
    }

    /// 0 nearest, 1 linear, 2 to 5 anisotropic 2x to 16x.
    pub const fn filter(self) -> u8 {
        self.group(Self::FILTER_SHIFT)
    }

    /// Bits that must be zero.
    pub const fn reserved(self) -> u64 {
        self.0 & 0x0000_00f0_ff00_0000
    }

    /// The shape of the texture; `None` for an undefined value. A rectangle counts as 2d.
    pub const fn dim(self) -> Option<Dim> {
        match self.dimension() {
            0 | 3 => Some(Dim::D2),
            1 => Some(Dim::Cube),
            2 => Some(Dim::D3),
            _ => None,
        }
    }

    /// The sampler state; `None` if the token leaves it to the environment (ignoresampler). Undefined values count as
    /// 0.
    pub fn state(self) -> Option<Sampler> {
        if self.special() & 4 != 0 {
            return None;
        }
        let (u, v) = match self.wrap() {
            1 => (Wrap::Repeat, Wrap::Repeat),
            2 => (Wrap::Clamp, Wrap::Repeat),
            3 => (Wrap::Repeat, Wrap::Clamp),
            _ => (Wrap::Clamp, Wrap::Clamp),
        };
        let (filter, anisotropy) = match self.filter() {
            1 => (Filter::Linear, 1),
            n @ 2..=5 => (Filter::Linear, 1 << (n - 1)),
            _ => (Filter::Nearest, 1),
        };
        let mip = match self.mip() {
            1 => Some(Filter::Nearest),
            2 => Some(Filter::Linear),
            _ => None,
        };
        Some(Sampler { filter, mip, wrap: [u, v, u], anisotropy, bias_eighths: self.bias() })
    }
}
