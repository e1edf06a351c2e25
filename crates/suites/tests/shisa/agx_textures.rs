//! Texture instructions of AGX, on textures with one number in each texel.

use shisa::Settings;
use shisa::agx::text::{AsmOptions, assemble};
use shisa::agx::{DrawPixels, Drawing};
use shisa::data::{LatestSteps, NoTrace};
use shisa::diag::Limits;
use shisa::eval::{Compare, Format, Size, Texture};
use shisa::ir::{Dim, Filter, Sampler, Shape};

/// Numbers in `u0` and up.
const UNIFORMS: [f32; 8] = [0.375, 0.625, 1.0, 6.0, 0.5, 0.0, 2.0, 3.0];
/// The address of the heap of descriptors, in `du8`.
const HEAP: u64 = 0x10_0000_0000;

/// A texture whose texels count from `first` on: x fastest, then y, then slices.
fn counted(shape: Shape, size: Size, slices: usize, first: f32) -> Texture {
    let texels = size.width * size.height;
    let slice =
        |s: usize| (0..texels).flat_map(|i| (first + (s * texels + i) as f32).to_le_bytes()).collect();
    let level: Vec<Vec<u8>> = (0..slices).map(slice).collect();
    Texture::shaped(Format::R32F, shape, size, &[level], &Limits::default()).unwrap()
}

fn drawing(lines: &str) -> Drawing {
    let done = assemble(lines, &AsmOptions::default(), &Limits::default());
    let code = done.bytes.unwrap_or_else(|| panic!("{lines}: {:?}", done.diagnostics));
    let numbers = UNIFORMS.iter().flat_map(|n| n.to_le_bytes());
    let uniforms = numbers.chain(HEAP.to_le_bytes()).collect();
    let mut drawing = Drawing { code, uniforms, ..Drawing::default() };
    let (limits, flat) = (Limits::default(), Size::flat(4, 4));
    let d2 = Shape::from(Dim::D2);
    let mut bind = |unit, texture| drawing.textures.bind(unit, texture, Sampler::default(), &limits).unwrap();
    bind(0, counted(d2, flat, 1, 0.0));
    bind(1, counted(d2.layered(), Size { layers: 2, ..flat }, 2, 100.0));
    let samples = Shape { multisampled: true, ..d2.layered() };
    bind(2, counted(samples, Size { layers: 2, samples: 2, ..Size::flat(2, 1) }, 4, 200.0));
    bind(3, counted(Dim::D3.into(), Size { depth: 2, ..flat }, 2, 300.0));
    let empty = vec![vec![0; Format::Rgba32F.bytes(4, 4)]; 2];
    let image = Texture::shaped(Format::Rgba32F, d2.layered(), Size { layers: 2, ..flat }, &[empty], &limits);
    bind(4, image.unwrap());
    drawing.textures.bind_at(HEAP + 24, counted(d2, flat, 1, 500.0), &limits).unwrap();
    let linear = Sampler { filter: Filter::Linear, ..Sampler::default() };
    let plain = Texture::new(Format::Rgba8, Dim::D2, 4, 4, &[[vec![0; 64]]], &limits).unwrap();
    drawing.textures.bind(5, plain, Sampler::default(), &limits).unwrap();
    drawing.textures.bind_sampler(1, linear, Compare::Less);
    drawing.textures.bind_sampler_in_heap(1, linear, Compare::Less);
    drawing.textures.bind_sampler_at(HEAP + 48, linear, Compare::Less);
    drawing
}

/// The contents of r8 to r11 of one pixel after a program.
fn run(lines: &str) -> [f32; 4] {
    run_with(lines, "").unwrap_or_else(|e| panic!("{lines}: {e}"))
}

/// The same with an option.
fn run_with(lines: &str, choice: &str) -> shisa::Result<[f32; 4]> {
    let mut settings = Settings::default();
    assert!(
        choice.split_once('=').is_none_or(|(key, value)| settings.agx.options.set(key, value)),
        "{choice}"
    );
    let all = format!(
        "ldimm r0l, 0\nmov r4, u0\nmov r5, u1\n{lines}\nwait a\npixwait 12, 0\n\
         st_tile r8_r9_r10_r11, 0, 255, 0, i32, xyzw\nstop"
    );
    let asked = DrawPixels { size: [1, 1], samples: 1, bytes: 16, ..DrawPixels::default() };
    let tile = drawing(&all).pixels(&asked, &mut NoTrace, &settings)?.tile;
    Ok(std::array::from_fn(|i| f32::from_le_bytes(tile[4 * i..4 * i + 4].try_into().unwrap())))
}

fn red(lines: &str) -> f32 {
    run(lines)[0]
}

/// Position (0.375, 0.625) of four by four is in texel (1, 2), number 9; the linear filter samples its centre.
#[test]
fn samples_of_all_kinds() {
    let plain = "smpf r8_r9_r10_r11, ts0, ss0, r4_r5, 0, 2d, xyzw, auto_lod, a";
    assert_eq!(run(plain), [9.0, 0.0, 0.0, 1.0]);
    let layer = "ldimm r6l, 1\nsmpf r8_r9_r10_r11, ts1, ss0, r4_r5_r6l, 0, 2d_array, xyzw, auto_lod, a";
    assert_eq!(red(layer), 125.0);
    let deep = "mov r6, u2\nsmpf r8_r9_r10_r11, ts3, ss0, r4_r5_r6, 0, 3d, xyzw, auto_lod, a";
    assert_eq!(red(deep), 325.0);
    // The centre of texels 5, 6, 9, 10.
    let middle = "mov r4, u4\nmov r5, u4\n";
    let linear = "smpf r8_r9_r10_r11, ts0, ss1, r4_r5, 0, 2d, xyzw, auto_lod, a";
    assert_eq!(red(&[middle, linear].concat()), 7.5);
    // 6 is less than two of them.
    let shadow = "mov r6, u3\nsmpf r8, ts0, ss1, r4_r5, 0, r6, shadow, 2d, x, auto_lod, a";
    assert_eq!(red(&[middle, shadow].concat()), 0.5);
    let gather = "smpf r8_r9_r10_r11, ts0, ss1, r4_r5, 0, 2d, xyzw, auto_lod, gather_r, a";
    assert_eq!(run(&[middle, gather].concat()), [9.0, 10.0, 6.0, 5.0]);
    // One to the right, one up.
    let offset = "ldimm r6l, 241\nsmpf r8_r9_r10_r11, ts0, ss0, r4_r5, 0, r6l, 2d, xyzw, auto_lod, a";
    assert_eq!(red(offset), 6.0);
    let both = "mov r6, u3\nldimm r7l, 241\n\
                smpf r8_r9_r10_r11, ts0, ss1, r4_r5, 0, r6l_r6h_r7l, shadow, 2d, xyzw, auto_lod, a";
    assert_eq!(red(both), 0.0, "6 is not less than 6");
    let level = "ldimm r6l, 15360\nsmpf r8_r9_r10_r11, ts0, ss0, r4_r5, r6l, 2d, xyzw, lod_min, a";
    assert_eq!(red(level), 9.0);
    // Writes the half of the result that is requested.
    let halves = "ldimm r8, 0\nsmpf r8l, ts0, ss0, r4_r5, 0, 2d, x, auto_lod, a";
    assert_eq!(red(halves).to_bits(), 0x4880);
}

/// Gradients of four texels a pixel along x and two along y select level 2; the least level here is 6.
#[test]
fn gradients_and_levels_of_detail() {
    let gradient = "mov r12, u2\nmov r13, u5\nmov r14, u5\nmov r15, u4\nldimm r16l, 17920\n\
                    smpf r8_r9_r10_r11, ts0, ss0, r4_r5, r12_r13_r14_r15, 2d, xyzw, lod_grad, a";
    assert_eq!(red(gradient), 9.0);
    let asked = "ldimm r12l, 16896\nldimm r12h, 17408\n\
                 smpf r8_r9, ts0, ss0, r4_r5, r12l_r12h, query_lod, 2d, xy, auto_lod_bias_min, a";
    assert_eq!(run(asked)[..2], [0.0, 4.0], "no level but 0 exists");
}

#[test]
fn texels_by_number() {
    let at = "ldimm r4, 1\nldimm r5, 2\n";
    let fetch = "smpi r8_r9_r10_r11, ts0, ss0, r4_r5, 0, 2d, xyzw, auto_lod, a";
    assert_eq!(red(&[at, fetch].concat()), 9.0);
    let moved = "ldimm r6l, 241\nsmpi r8_r9_r10_r11, ts0, ss0, r4_r5, 0, r6l, 2d, xyzw, auto_lod, a";
    assert_eq!(red(&[at, moved].concat()), 6.0);
    // Sample 1 of layer 1, then sample 0.
    for (sample, want) in [(1, 207.0), (0, 205.0)] {
        let samples = format!(
            "ldimm r4, 1\nldimm r5, 0\nldimm r6l, {sample}\nldimm r6h, 1\n\
             smpi r8_r9_r10_r11, ts2, ss0, r4_r5_r6l_r6h, 0, rw, 2d_ms_array, xyzw, auto_lod, a"
        );
        assert_eq!(red(&samples), want);
    }
    let level = "ldimm r6l, 1\nsmpi r8_r9_r10_r11, ts0, ss0, r4_r5, r6l, 2d, xyzw, lod_min, a";
    assert_eq!(run(&[at, level].concat()), [0.0; 4], "there is no level 1");
}

#[test]
fn handles_are_addresses_in_a_heap() {
    let bindless =
        "ldimm r6, 24\nldimm r7l, 1\nsmpf r8_r9_r10_r11, du8, r6, r7l, r4_r5, 0, 2d, xyzw, auto_lod, a";
    assert_eq!(red(bindless), 509.0);
}

/// Descriptors of a heap are loaded into state registers, whose numbers can come from registers.
#[test]
fn states_are_loaded_and_numbered() {
    let numbered =
        "ldimm r7l, 3\nldimm r6, 0\nsmpf r8_r9_r10_r11, r7l, ss0, r4_r5_r6, 0, 3d, xyzw, auto_lod, a";
    assert_eq!(red(numbered), 309.0);
    let load = "ldimm r6, 24\nload ts9, du8, r6, a\nwait a\n";
    let by_number = "ldimm r7l, 9\nsmpf r8_r9_r10_r11, r7l, ss0, r4_r5, 0, 2d, xyzw, auto_lod, a";
    let by_name = "smpf r8_r9_r10_r11, ts9, ss0, r4_r5, 0, 2d, xyzw, auto_lod, a";
    for sample in [by_number, by_name] {
        assert_eq!(red(&[load, sample].concat()), 509.0);
    }
    // At the centre of texels 5, 6, 9, 10 the sampler of the texture takes one texel, the other sampler all four.
    let middle = "mov r4, u4\nmov r5, u4\n";
    let sample = "smpf r8_r9_r10_r11, ts0, ss2, r4_r5, 0, 2d, xyzw, auto_lod, a";
    assert_eq!(red(&[middle, sample].concat()), 10.0);
    let load = "ldimm r6, 48\nload ss2, du8, r6, a\nwait a\n";
    assert_eq!(red(&[middle, load, sample].concat()), 7.5);
}

/// The residency word follows the texel; its bit 0 states that not all of the texel is resident.
#[test]
fn textures_are_there_as_a_whole() {
    let sparse = "ldimm r12, 7\nsmpf r8_r9_r10_r11, ts0, ss0, r4_r5, 0, sparse, 2d, xyzw, auto_lod, a\n";
    assert_eq!(run(sparse), [9.0, 0.0, 0.0, 1.0]);
    assert_eq!(red(&[sparse, "wait a\nmov r8, r12"].concat()), 0.0);
    let halves =
        "ldimm r12, 458759\nsmpf r10l_r10h_r11l_r11h, ts0, ss0, r4_r5, 0, sparse, 2d, xyzw, auto_lod, a\n";
    let left = red(&[halves, "wait a\nmov r8, r12"].concat());
    assert_eq!(left.to_bits(), 0x70000, "only a half is written");
}

/// After fewer components it is in the next register, unless the fifth is selected.
#[test]
fn choices_select_the_register_of_the_residency() {
    let fewer = "ldimm r10, 7\nldimm r12, 7\n\
                 smpf r8_r9, ts0, ss0, r4_r5, 0, sparse, 2d, xy, auto_lod, a\nwait a\nmov r9, r10\nmov r10, r12";
    for (choice, answers) in [("sparse-answer=next", [0, 7]), ("sparse-answer=fifth", [7, 0])] {
        let [texel, next, fifth, _] = run_with(fewer, choice).unwrap();
        assert_eq!((texel, [next, fifth].map(f32::to_bits)), (9.0, answers), "{choice}");
    }
    assert_eq!(run(fewer)[1], 0.0);
}

/// The second descriptor of the heap is 24 bytes after its beginning.
#[test]
fn choices_tell_what_numbers_of_a_heap_mean() {
    let numbered = |n| format!("smpf r8_r9_r10_r11, du8, {n}, ss0, r4_r5, 0, 2d, xyzw, auto_lod, a");
    for (choice, number) in [("heap-numbers=descriptors", 1), ("heap-numbers=bytes", 24)] {
        assert_eq!(run_with(&numbered(number), choice).unwrap()[0], 509.0, "{choice}");
    }
    let refused = run_with(&numbered(1), "").unwrap_err();
    assert_eq!(refused.diagnostics[0].code, "lift-unstated");
    assert!(refused.diagnostics[0].help[0].contains("--set heap-numbers=descriptors"), "{refused}");
}

#[test]
fn images_round_as_they_are_told() {
    for (rounding, want) in [("", 96.0), (", rtz", 95.0)] {
        // 0.375 of 255 is 95.625.
        let lines = format!(
            "ldimm r0l, 0\nmov r12, u0\nmov r13, u5\nmov r14, u5\nmov r15, u2\nldimm r16, 1\nldimm r17, 2\n\
             imgw r12_r13_r14_r15, ts5, r16_r17, 0, 2d{rounding}\nstop"
        );
        let asked = DrawPixels { size: [1, 1], samples: 1, ..DrawPixels::default() };
        let output = drawing(&lines).pixels(&asked, &mut NoTrace, &Settings::default()).unwrap();
        let texel = output.textures.get(5).unwrap().texel(0, 0, [1, 2]).unwrap();
        assert_eq!(texel.map(|c| (c * 255.0).round()), [want, 0.0, 0.0, 255.0], "{rounding}");
    }
}

#[test]
fn images_are_written() {
    let lines = "ldimm r0l, 0\nmov r12, u2\nmov r13, u3\nmov r14, u4\nmov r15, u6\nldimm r16, 3\nldimm r17, 1\n\
                 ldimm r18l, 1\nimgw r12_r13_r14_r15, ts4, r16_r17_r18l, 0, 2d_array\nstop";
    let asked = DrawPixels { size: [1, 1], samples: 1, bytes: 16, ..DrawPixels::default() };
    let mut drawing = drawing(lines);
    let output = drawing.pixels(&asked, &mut NoTrace, &Settings::default()).unwrap();
    drawing.textures = output.textures;
    let image = drawing.textures.get(4).unwrap();
    assert_eq!(image.texel(0, 1, [3, 1]).unwrap(), [1.0, 6.0, 0.5, 2.0]);
    assert_eq!(image.texel(0, 0, [3, 1]).unwrap(), [0.0; 4]);
}

/// The second of two pixels writes a texel.
#[test]
fn traces_have_the_texels_of_pixels_that_write() {
    let lines = "ldimm r0l, 0\nmov r1, thread_in_grid_x\nldimm r16, 3\nldimm r17, 1\nldimm r18l, 1\n\
                 if r1, 1, 1, ieq\nimgw r12_r13_r14_r15, ts4, r16_r17_r18l, 0, 2d_array\npop_exec 1\nstop";
    let asked = DrawPixels { size: [2, 1], samples: 1, ..DrawPixels::default() };
    let mut steps = LatestSteps::new(9);
    drawing(lines).pixels(&asked, &mut steps, &Settings::default()).unwrap();
    let steps = steps.take(None);
    let texels = steps.iter().flat_map(|step| &step.texels);
    let texels: Vec<_> =
        texels.map(|texel| (texel.lane, &*texel.texture, &texel.place[..], texel.layer)).collect();
    assert_eq!(texels, [(1, "ts4", &[3, 1][..], Some(1))]);
}

/// The texels of a 4 by 4 image after a program that 4 by 2 pixels run, and how many texels its trace has.
fn blocks(
    lines: &str,
    samples: u16,
    bytes: usize,
    tile: Vec<u8>,
    image: (u16, usize),
) -> (Vec<[f32; 4]>, usize) {
    let asked = DrawPixels { size: [4, 2], samples, bytes, tile, ..DrawPixels::default() };
    let mut drawing = drawing(&format!("{lines}\nstop"));
    let shape = Shape { multisampled: true, ..Dim::D2.into() };
    let size = Size { samples: 2, ..Size::flat(4, 4) };
    let limits = Limits::default();
    drawing.textures.bind(6, counted(shape, size, 2, 0.0), Sampler::default(), &limits).unwrap();
    let mut steps = LatestSteps::new(9);
    let output = drawing.pixels(&asked, &mut steps, &Settings::default());
    let output = output.unwrap_or_else(|e| panic!("{lines}: {e}"));
    let (unit, slice) = image;
    let image = output.textures.get(unit).unwrap();
    let texels = (0..16).map(|i| image.texel(0, slice, [i % 4, i / 4]).unwrap()).collect();
    (texels, steps.take(None).iter().map(|step| step.texels.len()).sum())
}

/// Eight pixels cover the upper half of the image; the rest is unchanged.
#[test]
fn blocks_of_the_tile_become_texels() {
    // Eight bytes a pixel: a 32-bit number at offset 4.
    let numbers = (0..8).flat_map(|i| [99.0f32, 50.0 + i as f32]).flat_map(f32::to_le_bytes).collect();
    let lines = "ldimm r1l, 4\nimgwblk r1l, ts0, r0, 0, 2d, i32";
    let (texels, told) = blocks(lines, 1, 8, numbers, (0, 0));
    let reds: Vec<f32> = texels.iter().map(|t| t[0]).collect();
    let want = [50.0, 51.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0];
    assert_eq!(reds, want);
    assert_eq!(told, 8);
    // Bytes from an odd offset: 51 of 255 is a fifth.
    let bytes: Vec<u8> = (0..8).flat_map(|i| [7, 51 * (i % 6), 255, 0, 102, 7]).collect();
    let lines = "ldimm r1l, 1\nimgwblk r1l, ts5, r0, 0, 2d, u8norm";
    let (texels, _) = blocks(lines, 1, 6, bytes.clone(), (5, 0));
    assert_eq!(texels[..2], [[0.0, 1.0, 0.0, 0.4], [0.2, 1.0, 0.0, 0.4]]);
    assert_eq!(texels[5..9], [[1.0, 1.0, 0.0, 0.4], [0.0, 1.0, 0.0, 0.4], [0.2, 1.0, 0.0, 0.4], [0.0; 4]]);
    // Integers of 8 bits are the bits of a texel.
    let lines = "ldimm r1l, 1\nimgwblk r1l, ts4, r2, 0, 2d_array, i8";
    let (texels, _) = blocks(&format!("ldimm r2l, 0\n{lines}"), 1, 6, bytes, (4, 0));
    assert_eq!(texels[1].map(f32::to_bits), [51, 255, 0, 102]);
}

/// Halves are floats, and the layer follows the sample, of which there is none.
#[test]
fn blocks_have_layers_and_samples() {
    let halves: Vec<u8> =
        (0..8u16).flat_map(|i| [0x3c00, 0x4000, 0xc000 | i, 0]).flat_map(u16::to_le_bytes).collect();
    let lines = "ldimm r1l, 0\nldimm r2l, 1\nimgwblk r1l, ts4, r2, 0, 2d_array, i16";
    let (texels, told) = blocks(lines, 1, 8, halves.clone(), (4, 1));
    assert_eq!(texels[0], [1.0, 2.0, -2.0, 0.0]);
    // The last bit of a binary16 at 2 is 1/512.
    assert_eq!(texels[7], [1.0, 2.0, -2.0 - 7.0 / 512.0, 0.0]);
    assert_eq!((texels[8], told), ([0.0; 4], 8));
    assert_eq!(blocks(lines, 1, 8, halves, (4, 0)).0, [[0.0; 4]; 16], "the other layer stays");
    // Pixel (1, 0) has samples 102 and 103; the image ignores samples that do not exist.
    let samples: Vec<u8> = (0..16).flat_map(|i| (100.0 + i as f32).to_le_bytes()).collect();
    for sample in 0..2 {
        let lines = "ldimm r1l, 0\nimgwblk r1l, ts6, r0, 0, 2d_ms, i32";
        let (texels, _) = blocks(lines, 2, 4, samples.clone(), (6, sample));
        let reds: Vec<f32> = texels.iter().map(|t| t[0]).collect();
        let want: Vec<f32> = (0..8).map(|i| (100 + 2 * i + sample) as f32).collect();
        assert_eq!(reds[..8], want);
        assert_eq!(reds[8], (16 * sample + 8) as f32);
    }
}

#[test]
fn blocks_without_a_tile_are_refused() {
    let pixels = |lines: &str| {
        let asked = DrawPixels { size: [1, 1], samples: 1, bytes: 4, ..DrawPixels::default() };
        let output = drawing(lines).pixels(&asked, &mut NoTrace, &Settings::default());
        output.unwrap_err().to_string()
    };
    let explicit = "imgwblk r1l, ts0, r2_r3, 0, explicit_coords, 2d, i32\nstop";
    assert!(pixels(explicit).contains("lift-tile"));
    assert!(pixels("imgwblk r1l, ts0, r0, 0, 3d, i32\nstop").contains("lift-texture"));
    assert!(pixels("ld_tile r2, r1l_r1h, 1, 0, i32, x\nstop").contains("lift-tile"));
}
