//! AGX programs that draw, on vertices and on pixels.

use serde_json::{Value, json};
use shisa::agx::text::{AsmOptions, assemble};
use shisa::agx::{DrawPixels, DrawVertex, Drawing, PixelOutput};
use shisa::data::NoTrace;
use shisa::diag::Limits;
use shisa::eval::{Format, Texture, TextureSet};
use shisa::ir::{Dim, Sampler};
use shisa::{File, Isa, RunOptions, Settings};
use shisa_conformance::Data;

fn code(lines: &str) -> Vec<u8> {
    let done = assemble(lines, &AsmOptions::default(), &Limits::default());
    done.bytes.unwrap_or_else(|| panic!("{:?}", done.diagnostics))
}

fn drawing(lines: &str) -> Drawing {
    Drawing { code: code(lines), ..Drawing::default() }
}

fn pixels(size: [usize; 2], samples: u16, bytes: usize) -> DrawPixels {
    let coefficients =
        [(0, [0.0, 0.0, 0.5]), (1, [1.0, 0.0, 10.0]), (2, [0.0, 2.0, 0.0]), (3, [0.0, 0.0, 0.25])];
    DrawPixels { size, samples, coefficients: coefficients.into(), bytes, ..DrawPixels::default() }
}

fn floats(output: &PixelOutput) -> Vec<f32> {
    output.tile.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// The rectangle is divided into quads, whose helper lanes have no effect.
#[test]
fn coefficients_become_values_at_pixels() {
    let drawing = drawing(
        "ldimm r0l, 0\niter r4, cf1\niter r5, cf2, cf0\nldcf r8_r9_r10, cf1\npixwait 12, 0\n\
         st_tile r4_r5, 0, 255, 0, i32, xy\nst_tile r8, 0, 255, 8, i32, x\nst_tile r10, 0, 255, 12, i32, x\nstop",
    );
    let output = drawing.pixels(&pixels([5, 3], 1, 16), &mut NoTrace, &Settings::default()).unwrap();
    let floats = floats(&output);
    for (i, got) in floats.chunks(4).enumerate() {
        let (x, y) = ((i % 5) as f32, (i / 5) as f32);
        assert_eq!(got, [10.5 + x, 2.0 * (2.0 * y + 1.0), 1.0, 10.0], "{x}, {y}");
    }
    assert_eq!(floats.len(), 60);
}

/// The value at the corner is that of a tile of 32 by 32 pixels.
#[test]
fn tiles_have_corners() {
    let drawing = drawing(
        "ldimm r0l, 0\nldcf r4_r5_r6, cf1\nldcf r8_r9_r10, cf2\npixwait 12, 0\n\
         st_tile r6, 0, 255, 0, i32, x\nst_tile r10, 0, 255, 4, i32, x\nstop",
    );
    let output = drawing.pixels(&pixels([34, 33], 1, 8), &mut NoTrace, &Settings::default()).unwrap();
    for (i, got) in floats(&output).chunks(2).enumerate() {
        let [x, y] = [i % 34, i / 34].map(|at| (at / 32 * 32) as f32);
        assert_eq!(got, [10.0 + x, 2.0 * y], "pixel {i}");
    }
}

/// The loop that the linker puts around programs with per-sample shading.
#[test]
fn samples_are_shaded_in_a_loop() {
    let drawing = drawing(
        "ldimm r0l, 0\nldimm r1l, 1\nnext:\nffs r2l, r1l\niter r4, cf1, r2l, sample\npixwait 12, 0\n\
         ld_tile r5, 0, r1l, 0, i32, x\nfadd r4, r4, r5\nst_tile r4, 0, r1l, 0, i32, x\nshl r1l, r1l, 1\n\
         while r1l, 3, 1, ult\njmp_any next\npop_exec 1\nstop",
    );
    let mut asked = pixels([2, 1], 2, 4);
    asked.tile = [100f32, 200.0, 300.0, 400.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let output = drawing.pixels(&asked, &mut NoTrace, &Settings::default()).unwrap();
    assert_eq!(floats(&output), [110.75, 210.25, 311.75, 411.25]);
}

/// Bytes of a sample, and whole samples, that a program does not write are unchanged in the tile.
#[test]
fn the_rest_of_the_tile_stays() {
    let drawing = drawing("ldimm r0l, 0\nldimm r4, 7\npixwait 12, 0\nst_tile r4, 0, 1, 2, i16, x\nstop");
    let mut asked = pixels([1, 1], 2, 6);
    asked.tile = (20..32).collect();
    let output = drawing.pixels(&asked, &mut NoTrace, &Settings::default()).unwrap();
    assert_eq!(output.tile, [20, 21, 7, 0, 24, 25, 26, 27, 28, 29, 30, 31]);
}

/// A pixel whose samples are all killed changes neither the tile nor memory.
#[test]
fn killed_samples_leave_nothing() {
    let mut drawing = drawing(
        "ldimm r0l, 0\nmov r1, thread_in_grid_x\nand r2l, r1, 1\npixwait 1, 0\nsample_mask 255, r2l\n\
         ldimm r3, 7\nstore r3, du0, r1, i32, x, a\nwait a\npixwait 12, 0\nst_tile r3, 0, 255, 0, i8, x\nstop",
    );
    drawing.uniforms = 0x1000u64.to_le_bytes().to_vec();
    drawing.buffers = vec![(0x1000, vec![0; 16])];
    let output = drawing.pixels(&pixels([4, 1], 1, 1), &mut NoTrace, &Settings::default()).unwrap();
    assert_eq!(output.tile, [0, 7, 0, 7]);
    assert_eq!(output.buffers, [[0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0]]);
    let masks: Vec<_> = output.pixels.iter().map(|p| (p.killed & 1, p.tested & 1)).collect();
    assert_eq!(masks, [(1, 0), (0, 1), (1, 0), (0, 1)]);
}

#[test]
fn depth_and_textures() {
    let mut drawing = drawing(
        "ldimm r0l, 0\niter r4, cf3\nldimm r5, 0\nldimm r6, 0\nsmpf r8_r9_r10_r11, ts0, ss0, r4_r5, 0, 2d, xyzw, auto_lod, a\n\
         wait a\npixwait 12, 0\nzs_emit 255, r4\nst_tile r8_r9_r10_r11, 0, 255, 0, u8norm, xyzw\nstop",
    );
    let (limits, texels) = (Limits::default(), vec![1, 2, 3, 4, 5, 6, 7, 8]);
    let texture = Texture::new(Format::Rgba8, Dim::D2, 2, 1, &[[texels]], &limits).unwrap();
    drawing.textures.bind(0, texture, Sampler::default(), &limits).unwrap();
    let output = drawing.pixels(&pixels([1, 1], 1, 4), &mut NoTrace, &Settings::default()).unwrap();
    assert_eq!(output.tile, [1, 2, 3, 4]);
    assert_eq!(output.pixels[0].depth_stencil, [[0.25f32.to_bits(), 0]]);
}

/// Samples for which a program emits no depth have that of the triangle.
#[test]
fn depth_stays_where_none_is_emitted() {
    let triangle = [1.0, 4.0, 8.0];
    let depths = |lines: &str| {
        let asked = DrawPixels { depth: triangle, ..pixels([2, 1], 1, 4) };
        let output = drawing(lines).pixels(&asked, &mut NoTrace, &Settings::default()).unwrap();
        output.pixels.iter().map(|p| f32::from_bits(p.depth_stencil[0][0])).collect::<Vec<_>>()
    };
    assert_eq!(depths("stop"), [10.5, 11.5]);
    let some = "ldimm r0l, 0\nmov r1, thread_in_grid_x\nif r1, 0, 1, ieq\nldimm r2, 0\nzs_emit 255, r2\npop_exec 1\nstop";
    assert_eq!(depths(some), [0.0, 11.5]);
}

/// Outputs with a fixed number and with a computed one, of more vertices than a wave has.
#[test]
fn vertices_give_on_outputs() {
    let near = drawing(
        "ldimm r0l, 0\niadd r1, r5, r6\nst_var r1, 0\nand r2l, r5, 3\niadd r2l, r2l, 4\nst_var r5, r2l\n\
         st_var r6, 9, last\nstop",
    );
    let vertices: Vec<_> = (0..40).map(|i| DrawVertex { vertex: 70_000 + i, instance: i / 8 }).collect();
    let output = near.vertices(&vertices, &mut NoTrace, &Settings::default()).unwrap();
    assert_eq!(output.vertices.len(), 40);
    for (given, v) in output.vertices.iter().zip(&vertices) {
        let want = [(0, v.vertex + v.instance), (4 + (v.vertex & 3) as u16, v.vertex), (9, v.instance)];
        assert_eq!(*given, want.into(), "{v:?}");
    }
    let far = drawing("ldimm r0l, 0\nldimm r1l, 256\nst_var r5, r1l\nstop");
    assert!(
        far.vertices(&vertices, &mut NoTrace, &Settings::default())
            .unwrap_err()
            .to_string()
            .contains("run-output")
    );
}

#[test]
fn impossible_inputs_are_reported() {
    let drawing = drawing("stop");
    for asked in [pixels([1, 1], 3, 0), pixels([1, 1], 1, 513)] {
        let error = drawing.pixels(&asked, &mut NoTrace, &Settings::default()).unwrap_err();
        assert!(error.to_string().contains("run-input"), "{error}");
    }
    let error =
        drawing.pixels(&pixels([usize::MAX, 2], 4, 512), &mut NoTrace, &Settings::default()).unwrap_err();
    assert!(error.to_string().contains("limit-exceeded"), "{error}");
    assert!(
        drawing.pixels(&pixels([0, 0], 1, 4), &mut NoTrace, &Settings::default()).unwrap().tile.is_empty()
    );
}

#[test]
fn runs_as_json() {
    let run = |lines: &str, input: &Value| {
        let code = code(lines);
        let file = File::open(&code, &Settings::new().isa(Isa::Agx)).unwrap();
        let text = file.run_json(&input.to_string(), RunOptions::new().trace(2));
        let root: Value =
            serde_json::from_str(include_str!("../../../../docs/schema/agx-run.schema.json")).unwrap();
        let output = text.unwrap();
        crate::compute_engines::agree(&code, &Settings::new().isa(Isa::Agx), input, &output);
        for value in [input, &output] {
            assert_eq!(crate::schema::faults(&root, &root, value, ""), [""; 0]);
        }
        output
    };
    let input = json!({
        "version": 1, "uniforms_hex": "0000803f",
        "pixels": { "width": 2, "height": 1, "coefficients": { "cf1": [1.0, 0.0, 0.0] }, "tile_bytes": 4 },
        "textures": { "ts0": { "width": 1, "height": 1, "format": "rgba8", "data": "AAAAAA==", "linear": true } },
    });
    let output = run(
        "ldimm r0l, 0\niter r1, cf1\nfadd r1, r1, u0\npixwait 12, 0\nst_tile r1, 0, 255, 0, f16, x\nstop",
        &input,
    );
    assert_eq!(output["drawn"]["tile"], "AD4AAABBAAA=");
    assert_eq!(output["drawn"]["killed"], json!([0, 0]));
    let output = run("st_var r5, 2, last\nstop", &json!({ "vertices": [3, 9], "instances": [1] }));
    assert_eq!(output["outputs"], json!([{ "2": "00000003" }, { "2": "00000009" }]));
    let write = json!({ "register": "v2", "values": ["00000003", "00000009"] });
    let step =
        |at: u32, writes: Value| json!({ "wave": 0, "instruction": at, "lanes": [0, 1], "writes": writes });
    assert_eq!(output["trace"], json!([step(0, json!([write])), step(4, json!([]))]));
    let grid = json!({ "grid": [2, 2, 1], "workgroup": [2, 1, 1] });
    let output = run("ldimm r1l, 7\nmov r2l, thread_index_in_threadgroup\nstop", &grid);
    let write = json!({ "register": "r2l", "values": ["00000000", "00000001"] });
    let last = json!({ "wave": 2, "instruction": 4, "lanes": [2, 3], "writes": [write] });
    assert_eq!(output["trace"][0], last);
}

/// Every linked program of the corpus runs to its end, or the report states which of the made-up inputs does not suit
/// it.
#[test]
fn linked_programs_run() {
    let text = Data::corpus("agx").unwrap().text("agx/links.jsonl").unwrap();
    let settings = Settings::new().limits(Limits { lane_steps: 4096, ..Limits::default() });
    let texture = Texture::new(Format::Rgba8, Dim::D2, 1, 1, &[[[1u8, 2, 3, 4]]], &settings.limits).unwrap();
    let mut textures = TextureSet::new();
    for unit in 0..4 {
        textures.bind(unit, texture.clone(), Sampler::default(), &settings.limits).unwrap();
    }
    let (mut all, mut done) = (0, 0);
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let linked = &case["linked"];
        let drawing = Drawing {
            code: shisa::rows::source::hex_bytes(linked["code"].as_str().unwrap()).unwrap(),
            stack: 4096,
            uniforms: vec![0; 1024],
            buffers: vec![(0, vec![0; 1 << 12])],
            textures: textures.clone(),
            ..Drawing::default()
        };
        let ran = if linked["meta"]["fragment"] == 1 {
            let samples = linked["meta"]["nr_samples_shaded"].as_u64().unwrap().max(1) as u16;
            drawing.pixels(&pixels([3, 2], samples, 32), &mut NoTrace, &settings).map(|_| ())
        } else {
            drawing.vertices(&[DrawVertex::default()], &mut NoTrace, &settings).map(|_| ())
        };
        all += 1;
        match ran {
            Ok(()) => done += 1,
            Err(e) => {
                let text = e.to_string();
                let known = [
                    "eval-memory-outside",
                    "limit-exceeded",
                    "texture-shape",
                    "texture-missing",
                    "lift-unstated",
                ];
                assert!(known.iter().any(|code| text.contains(code)), "{text}");
            }
        }
    }
    println!("{done} of {all} linked programs ran to the end");
    assert!(done * 10 > all * 9, "only {done} of {all}");
}
