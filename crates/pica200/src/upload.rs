//! Uniforms, and how the application uploads them.

use crate::container::{Dvle, float24};
use crate::{BOOLEANS, CONSTANTS, INTEGERS, Options};
use alloc::vec::Vec;
use shisa_ir::scalar::{Numbers, float24 as format};
use shisa_ir::{FileId, Reg};

/// Constants `c`.
pub const FLOATS: usize = 96;

/// The contents of a program's uniform registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniforms {
    /// `c0` to `c95`, as binary32.
    pub floats: [[u32; 4]; FLOATS],
    /// `i0` to `i3`: one less than the number of iterations, start, step, and an unused byte.
    pub integers: [[u8; 4]; 4],
    /// `b0` to `b15`.
    pub booleans: u16,
}

impl Default for Uniforms {
    fn default() -> Self {
        Uniforms { floats: [[0; 4]; FLOATS], integers: [[0; 4]; 4], booleans: 0 }
    }
}

impl Uniforms {
    /// The units of each uniform file, from its first register on.
    pub fn registers(&self) -> [(Reg, Vec<u32>); 3] {
        let integers = self.integers.iter().flatten().map(|byte| u32::from(*byte)).collect();
        let booleans = (0..16).map(|n| u32::from(self.booleans >> n & 1)).collect();
        [
            (Reg::new(CONSTANTS, 0), self.floats.as_flattened().to_vec()),
            (Reg::new(INTEGERS, 0), integers),
            (Reg::new(BOOLEANS, 0), booleans),
        ]
    }

    /// Writes a program's constants to the registers, as loaders do.
    pub fn load(&mut self, program: &Dvle, options: &Options) {
        for (bank, n, data) in constants(program, options) {
            let n = usize::from(n);
            match bank {
                BOOLEANS => self.booleans = self.booleans & !(1 << n) | (data[0] as u16) << n,
                INTEGERS => self.integers[n] = data.map(|byte| byte as u8),
                _ => self.floats[n] = data,
            }
        }
    }
}

/// The uniform registers that a program's constants set, in order: the file, the number, and the value that the
/// hardware then holds. Only the first word of a boolean is used. Constants of registers that do not exist are left
/// out.
pub fn constants(program: &Dvle, options: &Options) -> impl Iterator<Item = (FileId, u16, [u32; 4])> {
    program.constants.iter().filter_map(|c| {
        let (file, room, data) = match c.kind {
            0 => (BOOLEANS, 16, [c.data[0] & 1, 0, 0, 0]),
            1 => (INTEGERS, 4, c.data[0].to_le_bytes().map(u32::from)),
            2 => (CONSTANTS, FLOATS, c.data.map(|bits| stored(float24(bits).to_bits(), options))),
            _ => return None,
        };
        (usize::from(c.register) < room).then_some((file, c.register, data))
    })
}

/// A binary32 as the hardware stores it.
pub fn stored(bits: u32, options: &Options) -> u32 {
    match options.float {
        Numbers::F24 => format::decode(format::encode(bits, options.upload)),
        Numbers::F32 => bits,
    }
}

/// The port that floats are uploaded through: a configuration word, then data words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FloatPort {
    index: u8,
    binary32: bool,
    words: Vec<u32>,
}

impl FloatPort {
    /// `FLOATUNIFORM_CONFIG`: the first register in bits 0–6, bit 31 for binary32. Words of a register that
    /// is not complete are dropped.
    pub fn configure(&mut self, word: u32) {
        *self = FloatPort { index: word as u8 & 0x7f, binary32: word >> 31 != 0, words: Vec::new() };
    }

    /// A data word: three hold the four float24 of a register, or four its binary32. The next register follows.
    /// Registers from 96 do not exist; writes to them are ignored.
    ///
    /// In float24 the first word has w and the high half of z, the second the low half of z and the high 16 bits of
    /// y, the third the low byte of y and x. In binary32 w comes first.
    pub fn write(&mut self, word: u32, uniforms: &mut Uniforms, options: &Options) {
        self.words.push(word);
        let value = match (self.binary32, self.words.as_slice()) {
            (true, &[w, z, y, x]) => [x, y, z, w],
            (false, &[a, b, c]) => {
                let parts = [c & 0xff_ffff, (b & 0xffff) << 8 | c >> 24, (a & 0xff) << 16 | b >> 16, a >> 8];
                parts.map(|bits| float24(bits).to_bits())
            }
            _ => return,
        };
        self.words.clear();
        if let Some(slot) = uniforms.floats.get_mut(usize::from(self.index)) {
            *slot = value.map(|bits| stored(bits, options));
        }
        self.index = self.index.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Constant;
    use shisa_ir::scalar::Rounding;

    const ONE: u32 = 0x3f_0000;

    #[test]
    fn float24_words_hold_a_register() {
        let (mut port, mut uniforms) = (FloatPort::default(), Uniforms::default());
        let options = Options::default();
        port.configure(94);
        // x = 1, y = -2, z = 0.5, w = 3.
        let (x, y, z, w) = (ONE, 0xc0_0000, 0x3e_0000, 0x40_8000);
        let words = [w << 8 | z >> 16, z << 16 | y >> 8, y << 24 | x];
        words.iter().chain(&words).chain(&words).for_each(|&word| port.write(word, &mut uniforms, &options));
        let want = [1.0f32, -2.0, 0.5, 3.0].map(f32::to_bits);
        assert_eq!(uniforms.floats[94..], [want; 2], "the third register does not exist");
        assert_eq!(uniforms.floats[93], [0; 4]);
    }

    #[test]
    fn binary32_words_round_as_chosen() {
        let thin = 1.0f32 + f32::EPSILON * 100.0;
        for (upload, want) in [(Rounding::Truncate, 1.0f32), (Rounding::Nearest, 1.0 + 1.0 / 65536.0)] {
            let options = Options { upload, ..Options::default() };
            let (mut port, mut uniforms) = (FloatPort::default(), Uniforms::default());
            port.configure(0x8000_0003);
            for word in [4.0f32, -0.0, 2.0, thin] {
                port.write(word.to_bits(), &mut uniforms, &options);
            }
            assert_eq!(uniforms.floats[3], [want, 2.0, 0.0, 4.0].map(f32::to_bits));
        }
        let (mut port, mut uniforms) = (FloatPort::default(), Uniforms::default());
        port.configure(0x8000_0000);
        (0..4).for_each(|_| port.write(thin.to_bits(), &mut uniforms, &Options::emulators()));
        assert_eq!(uniforms.floats[0], [thin.to_bits(); 4], "emulators keep binary32");
    }

    #[test]
    fn constants_are_laid_over_what_was_there() {
        let constant = |kind, register, data| Constant { kind, register, data };
        let mut uniforms = Uniforms { booleans: 0b101, ..Uniforms::default() };
        let program = Dvle {
            constants: alloc::vec![
                constant(0, 0, [0; 4]),
                constant(0, 3, [1, 0, 0, 0]),
                constant(1, 2, [0x0403_0201, 0, 0, 0]),
                constant(2, 95, [ONE, 0, 0, ONE]),
                constant(2, 96, [ONE; 4]),
                constant(1, 4, [ONE; 4]),
            ],
            ..Dvle::default()
        };
        uniforms.load(&program, &Options::default());
        assert_eq!((uniforms.booleans, uniforms.integers[2]), (0b1100, [1, 2, 3, 4]));
        assert_eq!(uniforms.floats[95], [1.0f32, 0.0, 0.0, 1.0].map(f32::to_bits));
    }
}
