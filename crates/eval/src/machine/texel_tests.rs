//! Texels that are written as bits.

use crate::texture::{Format, Size, Texture};
use crate::{NoObserver, Program, TextureSet, testing::*};
use shisa_diag::Limits;
use shisa_ir::{ControlOp, Dim, Lod, Sampler, Swizzle, TexKind, TexOp, TextureRef, Type, WAVE};

/// A program in which lane n writes bits of this size to texel n, from words that are 0x01020304, 0x11121314 and so on,
/// each plus n.
fn bits(size: u8) -> Code {
    let mut code = Code::new();
    code.op(|b| {
        let id = b.read(ID, Swizzle::IDENTITY, Type::I32);
        let words: Vec<_> = (0..i32::from(size.div_ceil(4)).max(1))
            .map(|i| {
                let base = b.i32(0x0102_0304 + i * 0x1010_1010);
                b.iadd(base, id)
            })
            .collect();
        let value = b.join(&words);
        let kind = TexKind::Bits { value, bytes: size };
        b.texture_store(TexOp {
            kind,
            texture: TextureRef::Unit(3),
            ..TexOp::sample(3, Dim::D1, id, Lod::Zero)
        });
    });
    code.plain(ControlOp::Exit);
    code
}

#[test]
fn texels_of_each_size_take_their_bits() {
    let limits = Limits::default();
    for (size, format) in [
        (1, Format::R8Ui),
        (2, Format::R16Ui),
        (4, Format::R32Ui),
        (8, Format::Rg32Ui),
        (16, Format::Rgba32Ui),
    ] {
        let empty = vec![0; usize::from(size) * WAVE];
        let texture = Texture::shaped(format, Dim::D1, Size::flat(WAVE, 1), &[[empty]], &limits).unwrap();
        let mut set = TextureSet::new();
        set.bind(3, texture, Sampler::default(), &limits).unwrap();
        let code = bits(size);
        let program = code.program();
        let mut m = machine(&program);
        (0..WAVE).for_each(|lane| m.set_input(ID, lane, lane as u32).unwrap());
        m.run(&mut set, &mut NoObserver, &limits).unwrap();
        for lane in 0..WAVE {
            let words = [0, 1, 2, 3].map(|i| 0x0102_0304 + i * 0x1010_1010 + lane as u32);
            let count = usize::from(size).div_ceil(4);
            let wanted = [0, 1, 2, 3].map(|i| match (size, i) {
                (1, 0) => words[0] & 0xff,
                (2, 0) => words[0] & 0xffff,
                _ if i < count => words[i],
                // The components that a format lacks.
                (_, 3) => 1,
                _ => 0,
            });
            let texel = set.get(3).and_then(|t| t.texel(0, 0, [lane, 0])).unwrap();
            assert_eq!(texel.map(f32::to_bits), wanted, "{size} bytes, lane {lane}");
        }
    }
    for size in [0, 3, 5, 12] {
        let code = bits(size);
        let refused = Program::new(&code.0, &limits).unwrap_err();
        assert_eq!(refused.code, "eval-malformed", "{size} bytes");
    }
}
