//! What surface instructions read and write, against the bytes of images.

use crate::assembled::lifted;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::texture::{Format, Size, Texture, TextureSet};
use shisa_eval::{Machine, NoObserver, Program};
use shisa_ir::{Dim, Reg, Sampler, Shape};
use shisa_maxwell::*;

/// The number and the handle of the image.
const UNIT: u16 = 0x48;
const HANDLE: u32 = 0x0480_0048;

/// What `lanes` lanes leave in R16 to R19, lane after lane, and the bytes of the image. Registers from R0 on hold these
/// values; those that no instruction names hold 0.
fn ran(
    line: &str,
    registers: &[u32],
    image: &Texture,
    lanes: usize,
) -> Result<(Vec<[u32; 4]>, Vec<u8>), Diagnostic> {
    let lifted = lifted(line)?;
    let program = Program::new(&lifted, &Limits::default())?;
    let mut machine = Machine::new(&program, &Sequencer, 8, u32::MAX >> (32 - lanes));
    for lane in 0..lanes {
        for (n, bits) in (0..).zip(registers) {
            machine.set_input(Reg::new(REGISTERS, n), lane, *bits)?;
        }
    }
    let mut set = TextureSet::new();
    set.bind(UNIT, image.clone(), Sampler::default(), &Limits::default())?;
    set.alias(HANDLE.into(), UNIT);
    machine.run(&mut set, &mut NoObserver, &Limits::default())?;
    let of = |lane| [16, 17, 18, 19].map(|n| machine.register(Reg::new(REGISTERS, n), lane).unwrap());
    Ok(((0..lanes).map(of).collect(), set.get(UNIT).unwrap().encoded().unwrap()))
}

/// As [`ran`] with one lane.
fn run(line: &str, registers: &[u32], image: &Texture) -> ([u32; 4], Vec<u8>) {
    let (registers, bytes) = ran(line, registers, image, 1).unwrap_or_else(|d| panic!("{line}: {d}"));
    (registers[0], bytes)
}

fn image(format: Format, shape: impl Into<Shape>, size: Size, bytes: &[u8]) -> Texture {
    let slices = size.depth * size.layers;
    let level: Vec<&[u8]> = bytes.chunks(bytes.len() / slices).collect();
    Texture::shaped(format, shape, size, &[level], &Limits::default()).unwrap()
}

/// An image of 4 by 2 texels of four bytes, which count from 1.
fn flat(format: Format) -> Texture {
    image(format, Dim::D2, Size::flat(4, 2), &(1..=32).collect::<Vec<u8>>())
}

fn floats(numbers: impl Iterator<Item = u32>) -> Vec<u8> {
    numbers.flat_map(|n| (n as f32).to_le_bytes()).collect()
}

#[test]
fn formatted_loads_take_coordinates_and_components() {
    let size = Size { layers: 3, ..Size::flat(4, 2) };
    let layers = image(Format::Rgba32F, Shape::from(Dim::D2).layered(), size, &floats(0..96));
    let deep = image(Format::R32F, Dim::D3, Size { depth: 2, ..Size::flat(2, 2) }, &floats(0..8));
    let rows = image(
        Format::R32F,
        Shape::from(Dim::D1).layered(),
        Size { layers: 2, ..Size::flat(3, 1) },
        &floats(0..6),
    );
    let of = |numbers: [f32; 4]| numbers.map(f32::to_bits);
    let red = |n: f32| of([n, 0.0, 0.0, 1.0]);
    // Texel (3, 1) of layer 2 is number 2 * 8 + 7.
    for (line, registers, texture, expected) in [
        ("SULD.P.2D_ARRAY.IGN R16, [R2], 0x48", &[0, 0, 3, 1, 2][..], &layers, of([92.0, 93.0, 94.0, 95.0])),
        (
            "SULD.P.2D_ARRAY.IGN R16, [R2], R6",
            &[0, 0, 3, 1, 2, 0, HANDLE],
            &layers,
            of([92.0, 93.0, 94.0, 95.0]),
        ),
        ("SULD.P.3D.IGN R16, [R2], 0x48", &[0, 0, 1, 0, 1], &deep, red(5.0)),
        ("SULD.P.1D_ARRAY.IGN R16, [R2], 0x48", &[0, 0, 2, 1], &rows, red(5.0)),
        // Outside: nothing, or the nearest texel.
        ("SULD.P.2D_ARRAY.IGN R16, [R2], 0x48", &[0, 0, 4, 1, 2], &layers, [0; 4]),
        ("SULD.P.2D_ARRAY.IGN R16, [R2], 0x48", &[0, 0, !0, 1, 2], &layers, [0; 4]),
        ("SULD.P.2D_ARRAY R16, [R2], 0x48", &[0, 0, !0, 9, 7], &layers, of([80.0, 81.0, 82.0, 83.0])),
        ("SULD.P.3D R16, [R2], 0x48", &[0, 0, 1, 5, !4], &deep, red(3.0)),
    ] {
        assert_eq!(run(line, registers, texture).0, expected, "{line} {registers:x?}");
    }
    let some = run("SULD.P.2D_ARRAY.GA.IGN R16, [R2], 0x48", &[0; 5], &layers).0;
    assert_eq!(some, [1f32.to_bits(), 3f32.to_bits(), 0, 0]);
    let whole = run("SULD.P.2D.IGN R16, [R2], 0x48", &[0, 0, 1, 0], &flat(Format::Rgba8I)).0;
    assert_eq!(whole, [5, 6, 7, 8]);
    let refused = ran("SULD.P.2D.TRAP R16, [R2], 0x48", &[0, 0, 4, 0], &flat(Format::Rgba8), 1);
    assert_eq!(refused.unwrap_err().code, "texture-outside");
    assert_eq!(
        run("SULD.P.2D.TRAP R16, [R2], 0x48", &[0, 0, 3, 1], &flat(Format::Rgba8Ui)).0,
        [29, 30, 31, 32]
    );
}

#[test]
fn formatted_stores_convert() {
    let at = |bytes: Vec<u8>, texel: usize| bytes[4 * texel..][..4].to_vec();
    let registers = [0, 0, 2, 1, 0.5f32.to_bits(), 2f32.to_bits(), (-1f32).to_bits(), 1f32.to_bits()];
    let line = "SUST.P.2D.IGN [R2], R4, 0x48";
    assert_eq!(at(run(line, &registers, &flat(Format::Rgba8)).1, 6), [128, 255, 0, 255]);
    let whole = [0, 0, 2, 1, 3, 300, !0, 128];
    assert_eq!(at(run(line, &whole, &flat(Format::Rgba8Ui)).1, 6), [3, 255, 255, 128]);
    assert_eq!(at(run(line, &whole, &flat(Format::Rgba8I)).1, 6), [3, 127, 255, 127]);
    // The other components become 0.
    assert_eq!(
        at(run("SUST.P.2D.RG.IGN [R2], R4, 0x48", &whole, &flat(Format::Rgba8Ui)).1, 6),
        [3, 255, 0, 0]
    );
    let before = flat(Format::Rgba8Ui).encoded().unwrap();
    assert_eq!(run(line, &[0, 0, 2, 2, 1, 1, 1, 1], &flat(Format::Rgba8Ui)).1, before);
    let nearest = run("SUST.P.2D [R2], R4, 0x48", &[0, 0, 9, 9, 1, 1, 1, 1], &flat(Format::Rgba8Ui)).1;
    assert_eq!(at(nearest, 7), [1; 4]);
    let refused = ran("SUST.P.2D.TRAP [R2], R4, 0x48", &[0, 0, 0, 2], &flat(Format::Rgba8Ui), 1);
    assert_eq!(refused.unwrap_err().code, "texture-outside");
}

/// x counts texels, or bytes with `.BA`.
#[test]
fn raw_accesses_move_bytes() {
    let word = |first: u32| u32::from_le_bytes([0, 1, 2, 3].map(|n| first as u8 + n));
    for (line, x, expected) in [
        ("SULD.D.2D.IGN R16, [R2], 0x48", 1, [word(21), 0, 0, 0]),
        ("SULD.D.2D.64.IGN R16, [R2], 0x48", 1, [word(21), word(25), 0, 0]),
        ("SULD.D.2D.U8.IGN R16, [R2], 0x48", 1, [21, 0, 0, 0]),
        ("SULD.D.2D.U16.IGN R16, [R2], R6", 2, [26 << 8 | 25, 0, 0, 0]),
        ("SULD.D.BA.2D.IGN R16, [R2], 0x48", 4, [word(21), 0, 0, 0]),
        ("SULD.D.BA.2D.U8.IGN R16, [R2], 0x48", 7, [24, 0, 0, 0]),
        ("SULD.D.BA.2D.128.IGN R16, [R2], 0x48", 0, [word(17), word(21), word(25), word(29)]),
        ("SULD.D.BA.2D.IGN R16, [R2], 0x48", 16, [0, 0, 0, 0]),
        ("SULD.D.BA.2D.IGN R16, [R2], 0x48", !3, [0, 0, 0, 0]),
        ("SULD.D.BA.2D R16, [R2], 0x48", 99, [word(29), 0, 0, 0]),
        ("SULD.D.BA.2D.U8 R16, [R2], 0x48", !5, [17, 0, 0, 0]),
    ] {
        let registers = [0, 0, x, 1, 0, 0, HANDLE];
        assert_eq!(run(line, &registers, &flat(Format::Rgba8)).0, expected, "{line} {x:x}");
    }
    let negative = image(Format::R8, Dim::D1, Size::flat(2, 1), &[0x7f, 0x80]);
    assert_eq!(run("SULD.D.1D_BUFFER.S8.IGN R16, [R2], 0x48", &[0, 0, 1], &negative).0[0], !0x7f);
    let before = flat(Format::Rgba8).encoded().unwrap();
    for (line, x, at, new) in [
        ("SUST.D.2D.IGN [R2], R4, 0x48", 1, 20, &[1u8, 2, 3, 4][..]),
        ("SUST.D.BA.2D.U8.IGN [R2], R4, 0x48", 6, 22, &[1]),
        ("SUST.D.BA.2D.64.IGN [R2], R4, 0x48", 8, 24, &[1, 2, 3, 4, 5, 6, 7, 8]),
        ("SUST.D.2D.IGN [R2], R4, 0x48", 4, 0, &[]),
    ] {
        let mut expected = before.clone();
        expected[at..at + new.len()].copy_from_slice(new);
        let registers = [0, 0, x, 1, 0x0403_0201, 0x0807_0605];
        assert_eq!(run(line, &registers, &flat(Format::Rgba8)).1, expected, "{line} {x:x}");
    }
    let refused = ran("SULD.D.BA.2D.TRAP R16, [R2], 0x48", &[0, 0, 16, 0], &flat(Format::Rgba8), 1);
    assert_eq!(refused.unwrap_err().code, "texture-outside");
    let packed = image(Format::Bgr565, Dim::D2, Size::flat(2, 1), &[0; 4]);
    let refused = lifted("SULD.D.2D.IGN R16, [R2], 0x48").and_then(|lifted| {
        let program = Program::new(&lifted, &Limits::default())?;
        let mut set = TextureSet::new();
        set.bind(UNIT, packed, Sampler::default(), &Limits::default())?;
        Machine::new(&program, &Sequencer, 8, 1).run(&mut set, &mut NoObserver, &Limits::default())
    });
    assert_eq!(refused.unwrap_err().code, "texture-store");
}

/// All lanes change one texel, one after the other.
#[test]
fn atomic_operations_change_texels_in_turn() {
    let words = |bytes: Vec<u8>| -> Vec<u32> {
        bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
    };
    let counts = |first: u32| {
        image(Format::R32Ui, Dim::D2, Size::flat(2, 1), &[first.to_le_bytes(), 7u32.to_le_bytes()].concat())
    };
    let registers = [0, 0, 0, 0, 5, 9, HANDLE];
    let (old, left) = ran("SUATOM.D.2D.ADD.IGN R16, [R2], R4, 0x48", &registers, &counts(100), 32).unwrap();
    assert_eq!(words(left), [260, 7]);
    assert_eq!(
        old.iter().map(|r| r[0]).collect::<Vec<_>>(),
        (0..32).map(|n| 100 + 5 * n).collect::<Vec<_>>()
    );
    let far = [0, 0, 4, 0, 5, 9, HANDLE];
    for (line, registers, first, gives, expected) in [
        ("SURED.D.2D.ADD.IGN [R2], R4, 0x48", &registers, 100, 0, [105, 7]),
        ("SURED.P.2D.OR.IGN [R2], R4, R6", &registers, 0x18, 0, [0x1d, 7]),
        ("SURED.D.BA.2D.ADD.IGN [R2], R4, 0x48", &far, 100, 0, [100, 12]),
        ("SURED.D.2D.MIN.S32.IGN [R2], R4, 0x48", &registers, !0, 0, [!0, 7]),
        ("SURED.D.2D.MIN.IGN [R2], R4, 0x48", &registers, !0, 0, [5, 7]),
        ("SUATOM.D.2D.EXCH.IGN R16, [R2], R4, 0x48", &registers, 100, 100, [5, 7]),
        ("SUATOM.P.2D.XOR.IGN R16, [R2], R4, R6", &registers, 4, 4, [1, 7]),
        ("SUATOM.D.2D.INC.IGN R16, [R2], R4, R6", &registers, 5, 5, [0, 7]),
        ("SUATOM.D.2D.CAS.IGN R16, [R2], R4, 0x48", &registers, 5, 5, [9, 7]),
        ("SUATOM.D.2D.CAS.IGN R16, [R2], R4, 0x48", &registers, 6, 6, [6, 7]),
        ("SUATOM.P.2D.CAS.IGN R16, [R2], R4, R6", &registers, 5, 5, [9, 7]),
        // Outside, nothing is there.
        ("SUATOM.D.2D.ADD.IGN R16, [R2], R4, 0x48", &far, 100, 0, [100, 7]),
    ] {
        let (old, left) = run(line, registers, &counts(first));
        assert_eq!((old[0], words(left)), (gives, expected.to_vec()), "{line} {first:x}");
    }
    let sums = image(Format::R32F, Dim::D1, Size::flat(1, 1), &1.5f32.to_le_bytes());
    let left = run("SURED.D.1D.ADD.F32.FTZ.RN.IGN [R2], R4, 0x48", &[0, 0, 0, 0, 2f32.to_bits()], &sums).1;
    assert_eq!(left, 3.5f32.to_le_bytes());
    let wide = image(Format::Rg32Ui, Dim::D1, Size::flat(1, 1), &(u64::from(u32::MAX)).to_le_bytes());
    let (old, left) = run("SUATOM.D.1D.ADD.U64.IGN R16, [R2], R4, 0x48", &[0, 0, 0, 0, 2, 3], &wide);
    assert_eq!((old[..2].to_vec(), words(left)), (vec![!0, 0], vec![1, 4]));
}

#[test]
fn accesses_that_nothing_describes_are_refused() {
    for (line, code) in [
        ("SULD.P.INVALIDSURFACEDIM6.IGN R16, [R2], 0x48", "lift-surface"),
        ("SULD.P.2D.INVALIDSURFACECLAMP3 R16, [R2], 0x48", "lift-surface"),
        ("SULD.D.2D.INVALIDSIZE7.IGN R16, [R2], 0x48", "lift-surface"),
        ("SURED.P.2D.MIN.IGN [R2], R4, 0x48", "lift-surface"),
        ("SUATOM.D.2D.CAS.F32.FTZ.RN.IGN R16, [R2], R4, 0x48", "lift-surface"),
        ("SUATOM.D.2D.ADD.SD32.IGN R16, [R2], R4, 0x48", "lift-atomic"),
        ("SURED.D.2D.INC.F32.FTZ.RN.IGN [R2], R4, 0x48", "lift-atomic"),
        ("TXA R16, R2, 0x28, 0xf", "lift-unstated"),
        ("B2R R16, 0x1", "lift-unstated"),
        ("R2B.WARP 0x0, R16", "lift-unstated"),
        ("F2F.INVALIDFPDEST0.INVALIDFPSRC0 R16, R2", "lift-unstated"),
    ] {
        assert_eq!(lifted(line).map(drop).map_err(|d| d.code), Err(code), "{line}");
    }
}
