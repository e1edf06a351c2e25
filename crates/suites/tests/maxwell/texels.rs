//! What texture instructions write, against texels that the tests compute.

use crate::assembled::lifted;
use shisa_diag::Limits;
use shisa_eval::texture::{Format, Size, Texture, TextureSet};
use shisa_eval::{Machine, NoObserver, Program};
use shisa_ir::{Dim, Filter, Reg, Sampler, Shape};
use shisa_maxwell::*;

/// The unit of the texture that tests use, and its handle.
const UNIT: u16 = 0x28;
const HANDLE: u32 = 0x1230_0045;

/// A texel's position: level, slice (layer, face, depth or sample), row, column.
type Place = [u32; 4];

/// The component `c` of a texel.
fn value([level, slice, y, x]: Place, c: u32) -> f32 {
    (level * 10_000 + slice * 1_000 + y * 100 + x * 10 + c) as f32
}

/// The four components of a texel.
fn texel(place: Place) -> [f32; 4] {
    [0, 1, 2, 3].map(|c| value(place, c))
}

/// A texture of a shape whose texels are those of [`texel`].
fn texture(shape: Shape, size: Size, levels: u32) -> Texture {
    let faces = if shape.dim == Dim::Cube { 6 } else { 1 };
    let level = |l: u32| {
        let depth = (size.depth >> l).max(1);
        let slice = |s: usize| {
            let rows = 0..(size.height as u32 >> l).max(1);
            let row = |y| (0..(size.width as u32 >> l).max(1)).map(move |x| [l, s as u32, y, x]);
            let texels = rows.flat_map(row).flat_map(texel);
            texels.flat_map(f32::to_le_bytes).collect::<Vec<u8>>()
        };
        (0..depth * size.layers * size.samples * faces).map(slice).collect::<Vec<_>>()
    };
    let all: Vec<_> = (0..levels).map(level).collect();
    Texture::shaped(Format::Rgba32F, shape, size, &all, &Limits::default()).unwrap()
}

/// Registers R16 to R23 after an instruction: registers from R0 on hold these values, R16 to R23 hold 77, and P1 holds.
fn run(line: &str, registers: &[u32], texture: &Texture, sampler: Sampler) -> [u32; 8] {
    let lifted = lifted(line).unwrap_or_else(|d| panic!("{line}: {d}"));
    let program = Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 8, 1);
    for (n, bits) in (0..).zip(registers) {
        machine.set_input(Reg::new(REGISTERS, n), 0, *bits).unwrap();
    }
    for n in 16..24 {
        machine.set_input(Reg::new(REGISTERS, n), 0, 77).unwrap();
    }
    machine.set_input(Reg::new(PREDICATES, 1), 0, 1).unwrap();
    let mut set = TextureSet::new();
    set.bind(UNIT, texture.clone(), sampler, &Limits::default()).unwrap();
    set.alias(HANDLE.into(), UNIT);
    machine.run(&mut set, &mut NoObserver, &Limits::default()).unwrap();
    [16, 17, 18, 19, 20, 21, 22, 23].map(|n| machine.register(Reg::new(REGISTERS, n), 0).unwrap())
}

/// As [`run`] with the nearest filter, as floats.
fn nearest(line: &str, registers: &[u32], texture: &Texture) -> [f32; 8] {
    let sampler = Sampler { mip: Some(Filter::Nearest), ..Sampler::default() };
    run(line, registers, texture, sampler).map(f32::from_bits)
}

/// What a register holds that the program does not name.
const OLD: f32 = 0.0;

fn flat(width: usize, height: usize) -> Size {
    Size::flat(width, height)
}

fn d2(levels: u32) -> Texture {
    texture(Dim::D2.into(), flat(8, 8), levels)
}

fn array() -> Texture {
    texture(Shape::from(Dim::D2).layered(), Size { layers: 3, ..flat(8, 8) }, 1)
}

fn volume() -> Texture {
    texture(Dim::D3.into(), Size { depth: 4, ..flat(4, 4) }, 1)
}

fn samples() -> Texture {
    let shape = Shape { multisampled: true, ..Shape::from(Dim::D2) };
    texture(shape, Size { samples: 4, ..flat(4, 4) }, 1)
}

/// The coordinate of a texel's centre.
fn centre(i: u32, size: u32) -> u32 {
    ((i as f32 + 0.5) / size as f32).to_bits()
}

#[test]
fn short_loads_take_their_registers_in_order() {
    let d1 = texture(Dim::D1.into(), flat(8, 1), 3);
    let cases: [(&str, &[u32], &Texture, Place); 9] = [
        ("TLDS.LZ R18, R16, R2, 0x28, 1D, RGBA", &[0, 0, 5], &d1, [0, 0, 0, 5]),
        ("TLDS.LL R18, R16, R2, R6, 0x28, 1D, RGBA", &[0, 0, 1, 0, 0, 0, 2], &d1, [2, 0, 0, 1]),
        ("TLDS.LZ R18, R16, R2, R6, 0x28, 2D, RGBA", &[0, 0, 3, 0, 0, 0, 7], &d2(2), [0, 0, 7, 3]),
        ("TLDS.LL R18, R16, R2, R6, 0x28, 2D, RGBA", &[0, 0, 3, 2, 0, 0, 1], &d2(2), [1, 0, 2, 3]),
        // The offset is (-3, 2); bits above the two fields do not count.
        (
            "TLDS.LZ.AOFFI R18, R16, R2, R6, 0x28, 2D, RGBA",
            &[0, 0, 5, 4, 0, 0, 0xffff_ff2d],
            &d2(1),
            [0, 0, 6, 2],
        ),
        (
            "TLDS.LL.AOFFI R18, R16, R2, R6, 0x28, 2D, RGBA",
            &[0, 0, 1, 1, 0, 0, 1, 0xf1],
            &d2(2),
            [1, 0, 0, 2],
        ),
        ("TLDS.LZ.MS R18, R16, R2, R6, 0x28, 2D, RGBA", &[0, 0, 3, 2, 0, 0, 1], &samples(), [0, 1, 2, 3]),
        ("TLDS.LZ R18, R16, R2, R6, 0x28, 3D, RGBA", &[0, 0, 3, 2, 0, 0, 1], &volume(), [0, 1, 2, 3]),
        // The layer has 16 bits.
        (
            "TLDS.LZ R18, R16, R2, R6, 0x28, ARRAY_2D, RGBA",
            &[0, 0, 0xabc_0002, 0, 0, 0, 4, 5],
            &array(),
            [0, 2, 5, 4],
        ),
    ];
    for (line, registers, texture, place) in cases {
        assert_eq!(nearest(line, registers, texture)[..4], texel(place), "{line}");
    }
}

#[test]
fn short_samples_take_their_registers_in_order() {
    let d1 = texture(Dim::D1.into(), flat(8, 1), 1);
    let [x, y] = [centre(3, 8), centre(6, 8)];
    let [u, v, w] = [centre(3, 4), centre(2, 4), centre(1, 4)];
    let cube = texture(Dim::Cube.into(), flat(4, 4), 2);
    // The direction at the centre of the texel (1, 0) of the face -z: s = -x, t = -y, both over the length of z.
    let [cx, cy, cz] = [0.25f32, 0.75, -1.0].map(f32::to_bits);
    let one = 1f32.to_bits();
    let cases: [(&str, &[u32], &Texture, Place); 10] = [
        ("TEXS.LZ R18, R16, R2, 0x28, 1D, RGBA", &[0, 0, x], &d1, [0, 0, 0, 3]),
        ("TEXS R18, R16, R2, R6, 0x28, 2D, RGBA", &[0, 0, x, 0, 0, 0, y], &d2(1), [0, 0, 6, 3]),
        ("TEXS.LZ R18, R16, R2, R6, 0x28, 2D, RGBA", &[0, 0, x, 0, 0, 0, y], &d2(1), [0, 0, 6, 3]),
        ("TEXS.LL R18, R16, R2, R6, 0x28, 2D, RGBA", &[0, 0, u, v, 0, 0, one], &d2(2), [1, 0, 2, 3]),
        ("TEXS R18, R16, R2, R6, 0x28, ARRAY_2D, RGBA", &[0, 0, 2, x, 0, 0, y], &array(), [0, 2, 6, 3]),
        ("TEXS.LZ R18, R16, R2, R6, 0x28, ARRAY_2D, RGBA", &[0, 0, 1, x, 0, 0, y], &array(), [0, 1, 6, 3]),
        ("TEXS R18, R16, R2, R6, 0x28, 3D, RGBA", &[0, 0, u, v, 0, 0, w], &volume(), [0, 1, 2, 3]),
        ("TEXS.LZ R18, R16, R2, R6, 0x28, 3D, RGBA", &[0, 0, u, v, 0, 0, w], &volume(), [0, 1, 2, 3]),
        ("TEXS R18, R16, R2, R6, 0x28, CUBE, RGBA", &[0, 0, cx, cy, 0, 0, cz], &cube, [0, 5, 0, 1]),
        ("TEXS.LL R18, R16, R2, R6, 0x28, CUBE, RGBA", &[0, 0, cx, cy, 0, 0, cz, one], &cube, [1, 5, 0, 0]),
    ];
    for (line, registers, texture, place) in cases {
        assert_eq!(nearest(line, registers, texture)[..4], texel(place), "{line}");
    }
}

/// A texel is 630 there: the reference value is less or equal, or it is not.
#[test]
fn comparisons_take_their_reference_last() {
    let [x, y, lod] = [centre(3, 8), centre(6, 8), 0f32.to_bits()];
    let layered = array();
    for (reference, held) in [(630f32, 1f32), (631.0, 0.0)] {
        let r = reference.to_bits();
        let cases: [(&str, &[u32], &Texture); 7] = [
            ("TEXS.DC RZ, R16, R2, R6, 0x28, 2D, R", &[0, 0, x, y, 0, 0, r], &d2(1)),
            ("TEXS.LZ.DC RZ, R16, R2, R6, 0x28, 2D, R", &[0, 0, x, y, 0, 0, r], &d2(1)),
            ("TEXS.LL.DC RZ, R16, R2, R6, 0x28, 2D, R", &[0, 0, x, y, 0, 0, lod, r], &d2(1)),
            ("TEX.DC R16, R2, R6, 0x28, 2D, 0x1", &[0, 0, x, y, 0, 0, r], &d2(1)),
            (
                "TEX.LL.AOFFI.DC R16, R2, R6, 0x28, 2D, 0x1",
                &[0, 0, centre(4, 8), y, 0, 0, lod, 0xf, r],
                &d2(1),
            ),
            ("TEX.B.LB.DC R16, R2, R6, 0x0, 2D, 0x1", &[0, 0, x, y, 0, 0, HANDLE, lod, r], &d2(1)),
            ("TEX.LZ.DC R16, R2, R6, 0x28, 2D, 0x1", &[0, 0, x, y, 0, 0, r], &d2(1)),
        ];
        for (line, registers, texture) in cases {
            assert_eq!(nearest(line, registers, texture)[0], held, "{line} {reference}");
        }
        let deep = (2000.0 + reference).to_bits();
        let registers = [0, 0, 2, x, 0, 0, y, deep];
        let line = "TEXS.LZ.DC RZ, R16, R2, R6, 0x28, ARRAY_2D, R";
        assert_eq!(nearest(line, &registers, &layered)[0], held, "{line} {reference}");
    }
}

#[test]
fn masks_pack_components() {
    let names = ["R", "G", "B", "A", "RG", "RA", "GA", "BA"];
    let kept: [&[usize]; 8] = [&[0], &[1], &[2], &[3], &[0, 1], &[0, 3], &[1, 3], &[2, 3]];
    let (d2, all) = (d2(1), texel([0, 0, 7, 3]));
    let registers = [0, 0, 3, 0, 0, 0, 7];
    // 730 to 733 as binary16 are 0x61b4 and so on: the last binary digit is 1/2.
    let half = |i: usize| 0x61b4 + 2 * i as u32;
    for (name, kept) in names.into_iter().zip(kept) {
        let expected: Vec<f32> = kept.iter().map(|i| all[*i]).collect();
        let line = format!("TLDS.LZ RZ, R16, R2, R6, 0x28, 2D, {name}");
        assert_eq!(nearest(&line, &registers, &d2)[..kept.len()], expected, "{line}");
        let packed = kept.iter().enumerate().map(|(n, i)| half(*i) << (16 * n)).sum::<u32>();
        let line = format!("TLDS.F16.LZ RZ, R16, R2, R6, 0x28, 2D, {name}");
        assert_eq!(run(&line, &registers, &d2, Sampler::default()), [packed, 0, 0, 0, 0, 0, 0, 0], "{line}");
    }
    let names = ["RGB", "RGA", "RBA", "GBA", "RGBA"];
    let kept: [&[usize]; 5] = [&[0, 1, 2], &[0, 1, 3], &[0, 2, 3], &[1, 2, 3], &[0, 1, 2, 3]];
    for (name, kept) in names.into_iter().zip(kept) {
        let mut expected = [OLD; 8];
        for (n, i) in kept.iter().enumerate() {
            expected[[0, 1, 4, 5][n]] = all[*i];
        }
        let line = format!("TLDS.LZ R20, R16, R2, R6, 0x28, 2D, {name}");
        assert_eq!(nearest(&line, &registers, &d2), expected, "{line}");
        let mut expected = [0; 8];
        expected[0] = half(kept[0]) | half(kept[1]) << 16;
        expected[4] = half(kept[2]) | kept.get(3).map_or(0, |i| half(*i) << 16);
        let line = format!("TLDS.F16.LZ R20, R16, R2, R6, 0x28, 2D, {name}");
        assert_eq!(run(&line, &registers, &d2, Sampler::default()), expected, "{line}");
    }
    for mask in 0..16u32 {
        let mut expected = [OLD; 8];
        let kept = (0..4).filter(|i| mask >> i & 1 != 0);
        kept.enumerate().for_each(|(n, i)| expected[n] = all[i]);
        let line = format!("TLD.LZ R16, R2, 0x28, 2D, {mask:#x}");
        assert_eq!(nearest(&line, &[0, 0, 3, 7], &d2), expected, "{line}");
    }
}

#[test]
fn long_reads_take_their_registers_in_order() {
    let d1 = texture(Dim::D1.into(), flat(8, 1), 1);
    let a1 = texture(Shape::from(Dim::D1).layered(), Size { layers: 3, ..flat(8, 1) }, 1);
    let cubes = texture(Shape::from(Dim::Cube).layered(), Size { layers: 2, ..flat(4, 4) }, 1);
    let ms = texture(
        Shape { multisampled: true, ..Shape::from(Dim::D2).layered() },
        Size { samples: 2, layers: 3, ..flat(4, 4) },
        1,
    );
    let [x, y] = [centre(3, 8), centre(6, 8)];
    let [u, v, w] = [centre(3, 4), centre(2, 4), centre(1, 4)];
    let [cx, cy, cz] = [0.25f32, 0.75, -1.0].map(f32::to_bits);
    let [one, two] = [1f32, 2.0].map(f32::to_bits);
    let cases: [(&str, &[u32], &Texture, Place); 19] = [
        ("TLD.LZ R16, R2, 0x28, 1D, 0xf", &[0, 0, 5], &d1, [0, 0, 0, 5]),
        ("TLD.LZ R16, R2, 0x28, ARRAY_1D, 0xf", &[0, 0, 2, 5], &a1, [0, 2, 0, 5]),
        ("TLD.LL R16, R2, R6, 0x28, 2D, 0xf", &[0, 0, 3, 2, 0, 0, 1], &d2(2), [1, 0, 2, 3]),
        ("TLD.LL.AOFFI R16, R2, R6, 0x28, 2D, 0xf", &[0, 0, 3, 2, 0, 0, 1, 0x1f], &d2(2), [1, 0, 3, 2]),
        ("TLD.LZ.AOFFI R16, R2, R6, 0x28, 3D, 0xf", &[0, 0, 3, 2, 1, 0, 0x2ff], &volume(), [0, 3, 1, 2]),
        ("TLD.B.LL R16, R2, R6, 0x0, 2D, 0xf", &[0, 0, 3, 2, 0, 0, HANDLE, 1], &d2(2), [1, 0, 2, 3]),
        ("TLD.B.LZ R16, R2, R6, 0x0, 2D, 0xf", &[0, 0, 3, 2, 0, 0, HANDLE], &d2(2), [0, 0, 2, 3]),
        ("TLD.LZ.MS R16, R2, R6, 0x28, ARRAY_2D, 0xf", &[0, 0, 2, 3, 1, 0, 1], &ms, [0, 5, 1, 3]),
        ("TEX.LZ R16, R2, 0x28, ARRAY_2D, 0xf", &[0, 0, 2, x, y], &array(), [0, 2, 6, 3]),
        ("TEX R16, R2, 0x28, 1D, 0xf", &[0, 0, x], &d1, [0, 0, 0, 3]),
        ("TEX R16, R2, 0x28, ARRAY_1D, 0xf", &[0, 0, 1, x], &a1, [0, 1, 0, 3]),
        ("TEX R16, R2, 0x28, 3D, 0xf", &[0, 0, u, v, w], &volume(), [0, 1, 2, 3]),
        ("TEX R16, R2, 0x28, ARRAY_CUBE, 0xf", &[0, 0, 1, cx, cy, cz], &cubes, [0, 11, 0, 1]),
        ("TEX.LL R16, R2, R6, 0x28, 2D, 0xf", &[0, 0, u, v, 0, 0, one], &d2(3), [1, 0, 2, 3]),
        ("TEX.LLA R16, R2, R6, 0x28, 2D, 0xf", &[0, 0, u, v, 0, 0, one], &d2(3), [1, 0, 2, 3]),
        ("TEX.LC R16, R2, 0x28, ARRAY_2D, 0xf", &[0, 0, 0x300_0002, x, y], &array(), [0, 2, 6, 3]),
        (
            "TEX.B.LL.AOFFI R16, R2, R6, 0x0, 2D, 0xf",
            &[0, 0, u, v, 0, 0, HANDLE, one, 0xf1],
            &d2(3),
            [1, 0, 1, 3],
        ),
        ("TEX.LL.AOFFI R16, R2, R6, 0x28, 2D, 0xf", &[0, 0, x, y, 0, 0, 0, 0x1e], &d2(1), [0, 0, 7, 1]),
        ("TEX.B.LL R16, R2, R6, 0x0, 2D, 0xf", &[0, 0, 0, 0, 0, 0, HANDLE, two], &d2(3), [2, 0, 0, 0]),
    ];
    for (line, registers, texture, place) in cases {
        assert_eq!(nearest(line, registers, texture)[..4], texel(place), "{line}");
    }
}

/// The size of a level, then layers; components without a dimension are 0, and the number of levels is the fourth.
#[test]
fn queries_read_sizes_and_numbers() {
    let line = Shape::from(Dim::D1);
    let cubes = texture(Shape::from(Dim::Cube).layered(), Size { layers: 2, ..flat(4, 4) }, 1);
    let cases: [(&Texture, u32, [u32; 4]); 9] = [
        (&texture(line, flat(8, 1), 2), 1, [4, 0, 0, 2]),
        (&texture(line.layered(), Size { layers: 3, ..flat(8, 1) }, 1), 0, [8, 3, 0, 1]),
        (&d2(3), 0, [8, 8, 0, 3]),
        (&d2(3), 2, [2, 2, 0, 3]),
        (&d2(3), 3, [0, 0, 0, 3]),
        (&array(), 0, [8, 8, 3, 1]),
        (&volume(), 0, [4, 4, 4, 1]),
        (&texture(Dim::Cube.into(), flat(4, 4), 2), 1, [2, 2, 0, 2]),
        (&cubes, 0, [4, 4, 2, 1]),
    ];
    for (texture, level, [w, h, d, levels]) in cases {
        let sampler = Sampler::default();
        let all = run("TXQ R16, R2, TEX_HEADER_DIMENSION, 0x28, 0xf", &[0, 0, level], texture, sampler);
        assert_eq!(all, [w, h, d, levels, 0, 0, 0, 0], "{level}");
        let line = "TXQ.B R16, R2, TEX_HEADER_DIMENSION, 0x0, 0xa";
        let some = run(line, &[0, 0, HANDLE, level], texture, sampler);
        assert_eq!(some, [h, levels, 0, 0, 0, 0, 0, 0], "{level}");
    }
    let line = "TXQ R16, R2, TEX_HEADER_TEXTURE_TYPE, 0x28, 0x4";
    assert_eq!(run(line, &[0; 3], &samples(), Sampler::default())[0], 4);
    assert_eq!(run(line, &[0; 3], &d2(1), Sampler::default())[0], 1);
    for line in [
        "TXQ R16, R2, TEX_HEADER_TEXTURE_TYPE, 0x28, 0x1",
        "TXQ R16, R2, TEX_SAMPLER_LOD, 0x28, 0x1",
        "TMML.LOD R16, R2, 0x28, 2D, 0x4",
    ] {
        assert_eq!(lifted(line).map(drop).unwrap_err().code, "lift-texture", "{line}");
    }
}

/// Layers do not have to agree: without one, layer 0 is read.
#[test]
fn textures_with_and_without_layers_read_the_same() {
    let [x, y] = [centre(3, 8), centre(6, 8)];
    assert_eq!(nearest("TEX.LZ R16, R2, 0x28, 2D, 0xf", &[0, 0, x, y], &array())[..4], texel([0, 0, 6, 3]));
    let line = "TEX.LZ R16, R2, 0x28, ARRAY_2D, 0xf";
    assert_eq!(nearest(line, &[0, 0, 2, x, y], &d2(1))[..4], texel([0, 0, 6, 3]));
}
