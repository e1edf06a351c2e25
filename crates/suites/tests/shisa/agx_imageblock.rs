//! Tiles of compute workgroups, and blocks of them that are written as texels.

use shisa::agx::Imageblock;
use shisa::agx::text::{AsmOptions, assemble};
use shisa::agx::{ComputeOutput, ComputeProgram, ComputeRun, run_compute};
use shisa::diag::Limits;
use shisa::eval::{Format, Size, Texture};
use shisa::ir::{Dim, Sampler, Shape};
use shisa::{Isa, Result, RunOptions, Settings};

/// One workgroup of 32 by 32 threads over images of 40 by 36 texels: `ts0` flat, `ts1` with two layers, `ts2` with two
/// samples; texels are -1. Thread (x, y) has x in `r1`, y in `r2`, both in halves of `r3`, and x + 100 * y as a float in
/// `r4`.
fn run(lines: &str, imageblock: Option<Imageblock>) -> Result<ComputeOutput> {
    let begin = "mov r1, thread_in_threadgroup_x\nmov r2, thread_in_threadgroup_y\n\
                 mov r3l, r1l\nmov r3h, r2l\nimadd r4, r2, 100, r1\nu32_to_f r4, r4, rte\nldimm r0l, 0\n";
    let text = format!("{begin}{lines}\nstop");
    let done = assemble(&text, &AsmOptions::default(), &Limits::default());
    let code = done.bytes.unwrap_or_else(|| panic!("{text}: {:?}", done.diagnostics));
    let program = ComputeProgram { main: (0, code.len()), code, imageblock, ..ComputeProgram::default() };
    let size = [32, 32, 1];
    let buffers = vec![(0x1_0000_0000, vec![0; 4096])];
    let uniforms = 0x1_0000_0000u64.to_le_bytes().to_vec();
    let mut run =
        ComputeRun { program, grid: size, workgroup: size, uniforms, buffers, ..ComputeRun::default() };
    let flat = Size::flat(40, 36);
    let d2 = Shape::from(Dim::D2);
    for (unit, shape, size, slices) in [
        (0, d2, flat, 1),
        (1, d2.layered(), Size { layers: 2, ..flat }, 2),
        (2, Shape { multisampled: true, ..d2 }, Size { samples: 2, ..flat }, 2),
    ] {
        let slice: Vec<u8> = (0..40 * 36 * 4).flat_map(|_| (-1.0f32).to_le_bytes()).collect();
        let level = vec![slice; slices];
        let image = Texture::shaped(Format::Rgba32F, shape, size, &[level], &Limits::default()).unwrap();
        run.textures.bind(unit, image, Sampler::default(), &Limits::default()).unwrap();
    }
    run_compute(&run, &Settings::default())
}

fn texel(output: &ComputeOutput, unit: u16, slice: usize, at: [usize; 2]) -> [f32; 4] {
    output.textures.get(unit).unwrap().texel(0, slice, at).unwrap()
}

/// What thread (0, 0) does after a barrier, with a block's position (5, 3) in `r5_r6`, layer 1 in `r7l`, and 0 in
/// `r10l`.
fn first(line: &str) -> String {
    format!(
        "barrier\nldimm r5, 5\nldimm r6, 3\nldimm r7l, 1\nldimm r10l, 0\nimadd r8, r2, 100, r1\n\
         if r8, 0, 1, ieq\n{line}\npop_exec 1"
    )
}

const STORE: &str = "st_tile r4, r3l_r3h, 1, 0, explicit_coords, i32, x\n";

#[test]
fn a_block_is_the_tile_of_the_workgroup() {
    let block = "imgwblk r10l, ts0, r5_r6, 0, explicit_coords, 2d, i32";
    let output = run(&[STORE, &first(block)].concat(), None).unwrap();
    for (x, y) in (0..40).flat_map(|x| (0..36).map(move |y| (x, y))) {
        let inside = (5..37).contains(&x) && (3..35).contains(&y);
        let want = if inside { (x - 5) as f32 + 100.0 * (y - 3) as f32 } else { -1.0 };
        assert_eq!(texel(&output, 0, 0, [x, y])[0], want, "({x}, {y})");
    }
    // The instruction runs once for each pixel, in one lane.
    let without = run(&[STORE, &first("mov r9, 0")].concat(), None).unwrap();
    assert_eq!(output.executed - without.executed, 1023);
}

/// One thread loads what another stored, here the one at the mirrored position.
#[test]
fn threads_load_what_others_stored() {
    let lines = format!(
        "{STORE}barrier\nxor r5l, r1l, 31\nxor r5h, r2l, 31\nld_tile r6, r5l_r5h, 1, 0, i32, x\n\
         imadd r7, r2, 32, r1\nstore r6, du0, r7, i32, x, a"
    );
    let output = run(&lines, None).unwrap();
    let words: Vec<f32> =
        output.buffers[0].chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    for (i, word) in words.iter().enumerate() {
        assert_eq!(*word, (31 - i % 32) as f32 + 100.0 * (31 - i / 32) as f32);
    }
    // Without coordinates it is the thread's own pixel.
    let lines =
        format!("{STORE}ld_tile r6, 0, 1, 0, i32, x\nimadd r7, r2, 32, r1\nstore r6, du0, r7, i32, x, a");
    assert_eq!(run(&lines, None).unwrap().buffers[0][4 * 33..4 * 34], 101.0f32.to_le_bytes());
}

/// Sample 0 of even columns and sample 1 of odd ones; the others stay the zeros of the memory.
#[test]
fn masks_choose_samples() {
    let tile = Imageblock::new([32, 32], 2, 8).unwrap();
    let chosen = "and r9, r1, 1\niadd r9l, r9l, 1\nst_tile r4, r3l_r3h, r9l, 4, explicit_coords, i32, x\n";
    let block = "ldimm r10l, 4\nimgwblk r10l, ts2, r5_r6_r7l, 0, explicit_coords, 2d_ms, i32";
    let output = run(&[chosen, &first(block)].concat(), Some(tile)).unwrap();
    for (x, sample) in [(0, 0), (1, 1), (2, 0), (31, 1)] {
        let red = |sample| texel(&output, 2, sample, [x + 5, 10])[0];
        assert_eq!([red(sample), red(1 - sample)], [x as f32 + 700.0, 0.0], "column {x}");
    }
    // With several samples, the first is loaded.
    let load = "ldimm r9l, 2\nld_tile r6, r3l_r3h, r9l, 4, i32, x\n\
                imadd r7, r2, 32, r1\nstore r6, du0, r7, i32, x, a";
    let output = run(&[chosen, load].concat(), Some(tile)).unwrap();
    assert_eq!(output.buffers[0][..12], [[0.0f32, 1.0, 0.0].map(f32::to_le_bytes)].concat().concat());
}

/// Formats, an offset, a layer, and the position of a workgroup in the grid.
#[test]
fn blocks_have_formats_layers_and_places() {
    let bytes = "st_tile r1l_r2l_, r3l_r3h, 1, 3, explicit_coords, i8, xy".replace("r1l_r2l_", "r3l_r3h");
    let block = "ldimm r10l, 3\nimgwblk r10l, ts0, r5_r6, 0, explicit_coords, 2d, i8";
    let output = run(&format!("{bytes}\n{}", first(block)), None).unwrap();
    assert_eq!(texel(&output, 0, 0, [5 + 17, 3 + 9]).map(f32::to_bits), [17, 9, 0, 0]);
    let halves = "fadd r9l, r4, 0.5\nst_tile r9l, r3l_r3h, 1, 0, explicit_coords, f16, x\n";
    let block = "imgwblk r10l, ts1, r5_r6_r7l, 0, explicit_coords, 2d_array, i16";
    let output = run(&[halves, &first(block)].concat(), None).unwrap();
    assert_eq!(texel(&output, 1, 1, [5 + 2, 3 + 1]), [102.5, 0.0, 0.0, 0.0]);
    assert_eq!(texel(&output, 1, 0, [5 + 2, 3 + 1]), [-1.0; 4]);
    let output = run(&[STORE, &first("imgwblk r10l, ts0, r5, 0, 2d, i32")].concat(), None).unwrap();
    assert_eq!(texel(&output, 0, 0, [31, 31])[0], 3131.0);
    assert_eq!(texel(&output, 0, 0, [32, 31])[0], -1.0);
}

#[test]
fn what_lies_outside_of_a_tile_is_refused() {
    let refused = |lines: &str, tile| run(lines, tile).unwrap_err().to_string();
    let small = Imageblock::new([16, 16], 1, 8).unwrap();
    assert!(refused(STORE, Some(small)).contains("eval-memory-outside"));
    let behind = "st_tile r4, r3l_r3h, 1, 6, explicit_coords, i32, x";
    assert!(refused(behind, Some(small)).contains("lift-tile"));
    let number = "st_tile r4, 5, 1, 0, explicit_coords, i32, x";
    assert!(refused(number, Some(small)).contains("lift-tile"));
    for (size, samples, stride) in
        [([32, 8], 1, 8), ([16, 32], 1, 8), ([32, 32], 3, 8), ([32, 32], 1, 0), ([32, 32], 2, 17)]
    {
        assert_eq!(Imageblock::new(size, samples, stride).unwrap_err().code, "imageblock");
    }
    assert_eq!(Imageblock::new([32, 32], 4, 3).unwrap().stride(), 8);
}

/// The tile of an input, else that of a part's compiler; no other memory is allowed with it.
#[test]
fn inputs_tell_the_tile() {
    let text = "ldimm r0l, 0\nmov r1, thread_in_threadgroup_x\nmov r3l, r1l\nldimm r3h, 0\nldimm r4, 9\n\
                st_tile r4, r3l_r3h, 1, 12, explicit_coords, i32, x\nstop";
    let code = assemble(text, &AsmOptions::default(), &Limits::default()).bytes.unwrap();
    let hex: String = code.iter().map(|b| format!("{b:02x}")).collect();
    let run = |width: u32, meta: &str, member: &str| {
        let part = format!(r#"{{"code": "{hex}", "meta": {{{meta}}}}}"#);
        let input = format!(r#"{{"grid": [{width}, 1, 1], "workgroup": [{width}, 1, 1]{member}}}"#);
        let done = shisa::File::open(part.as_bytes(), &Settings::new().isa(Isa::Agx));
        let done = done.and_then(|file| file.run_json(&input, RunOptions::new()));
        done.map_err(|e| e.to_string())
    };
    run(32, "", "").unwrap();
    let small = r#", "imageblock": {"width": 16, "height": 16, "stride": 16}"#;
    run(16, "", small).unwrap();
    assert!(run(32, "", small).unwrap_err().contains("eval-memory-outside"));
    assert!(run(32, r#""imageblock_stride": 8"#, "").unwrap_err().contains("lift-tile"));
    run(16, r#""imageblock_stride": 8"#, small).unwrap();
    let wrong = small.replace("16}", "160}");
    assert!(run(16, "", &wrong).unwrap_err().contains("imageblock"));
    assert!(run(16, r#""local_size": 64"#, "").unwrap_err().contains("64 bytes of other memory"));
}
