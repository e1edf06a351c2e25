//! Pictures of programs, compared with what their formulas yield.

use shisa::data::pictures::{Counts, Heat, Image, Picture, Preview, Shader, preview};
use shisa::diag::Limits;
use shisa::{File, Settings};

const LIMITS: fn() -> Limits = Limits::default;

fn shader(source: &str) -> Box<dyn Shader> {
    let file = File::open(source.as_bytes(), &Settings::new()).unwrap();
    file.program(1).unwrap().shader(None).unwrap()
}

fn picture(shader: &mut dyn Shader, size: [usize; 2]) -> Picture {
    preview(shader, &Preview { size, counts: true, ..Preview::default() }, &LIMITS()).unwrap()
}

fn counts(source: &str, size: [usize; 2], constants: &[(&str, [f32; 4])]) -> Counts {
    let mut shader = shader(source);
    constants.iter().for_each(|(name, value)| shader.set_constant(name, 0, value).unwrap());
    picture(&mut *shader, size).counts.unwrap()
}

/// The centre of a pixel, from 0 to 1.
fn at(pixel: usize, pixels: usize) -> f32 {
    (pixel as f32 + 0.5) / pixels as f32
}

#[test]
fn agal_multiplies_coordinates_by_a_constant() {
    let mut shader = shader("// agal 1 fragment\nmul oc, v0, fc0");
    shader.set_constant("fc0", 0, &[2.0, 4.0]).unwrap();
    shader.set_constant("fc0", 3, &[0.5]).unwrap();
    let picture = picture(&mut *shader, [5, 3]);
    for (n, pixel) in picture.pixels.iter().enumerate() {
        assert_eq!(*pixel, [2.0 * at(n % 5, 5), 4.0 * at(n / 5, 3), 0.0, 0.5], "{n}");
    }
    assert_eq!((picture.drawn, picture.executed), (vec![true; 15], 24));
    for (name, first, values) in
        [("fc0", 4, &[1.0][..]), ("fc0", 3, &[1.0, 2.0]), ("fc999", 0, &[1.0]), ("v0", 0, &[1.0])]
    {
        let fault = shader.set_constant(name, first, values).unwrap_err().remove(0);
        assert_eq!(fault.code, "picture-input", "{name} {first}");
    }
}

#[test]
fn agal_derives_within_quads() {
    let mut shader = shader("// agal 2 fragment\nddx ft0, v0\nddy ft1, v0\nadd ft0, ft0, ft1\nmov oc, ft0");
    let picture = picture(&mut *shader, [8, 4]);
    assert!(picture.pixels.iter().all(|pixel| *pixel == [0.125, 0.25, 0.0, 0.0]), "{:?}", picture.pixels);
}

#[test]
fn agal_discards_pixels() {
    let mut shader = shader("// agal 1 fragment\nsub ft0.x, v0.x, fc0.x\nkil ft0.x\nmov oc, fc0");
    shader.set_constant("fc0", 0, &[0.5; 4]).unwrap();
    let picture = picture(&mut *shader, [4, 2]);
    assert_eq!(picture.drawn, [false, false, true, true, false, false, true, true]);
    assert_eq!(picture.image(false).bytes()[8..12], [128, 128, 128, 255]);
    assert_eq!(picture.image(false).bytes()[..4], [0; 4]);
}

#[test]
fn agal_samples_images() {
    let mut shader = shader("// agal 1 fragment\ntex oc, v0, fs0 <2d, nearest, mipnone, clamp>");
    assert!(shader.textures().iter().all(|slot| slot.name == "fs0" && !slot.is_set));
    let bytes: Vec<u8> = (0..6u8).flat_map(|n| [40 * n, 255 - 40 * n, n, 255]).collect();
    shader.set_texture("fs0", &Image::new(3, 2, bytes.clone(), &LIMITS()).unwrap()).unwrap();
    let picture = picture(&mut *shader, [3, 2]);
    assert_eq!(picture.image(true).bytes(), bytes);
    assert!(shader.textures().iter().all(|slot| slot.is_set));
    let fault = shader.set_texture("fs1", &Image::coordinates()).unwrap_err().remove(0);
    assert_eq!(
        (fault.code, &*fault.message),
        ("picture-input", "the program reads no texture `fs1`; it reads fs0")
    );
}

#[test]
fn inputs_of_runs_state_constants() {
    let input = r#"{"version": 1, "lanes": 1, "constants": {"fc0": "3f800000 40000000 40400000 40800000"}}"#;
    let file = File::open(b"// agal 1 fragment\nmov ft0, fc0\nadd oc, ft0, fc1", &Settings::new()).unwrap();
    let mut shader = file.program(1).unwrap().shader(Some(input)).unwrap();
    let set: Vec<(String, bool)> =
        shader.constants().iter().map(|constant| (constant.name.to_string(), constant.is_set)).collect();
    assert_eq!(set, [("fc0".into(), true), ("fc1".into(), false)]);
    shader.set_constant("fc1", 0, &[1.0; 4]).unwrap();
    assert_eq!(picture(&mut *shader, [1, 1]).pixels, [[2.0, 3.0, 4.0, 5.0]]);
}

/// A wave is eight quads: here two rows of quads, so that both sides of the condition are in it.
#[test]
fn counts_follow_the_branches_of_each_pixel() {
    let source = "// agal 2 fragment\nmov ft0, fc0\nifg v0.x, fc0.x\nadd ft0, ft0, fc0\nadd ft0, ft0, fc0\neif\nmov oc, ft0";
    let counts = counts(source, [8, 4], &[("fc0", [0.7; 4])]);
    for n in 0..32 {
        let taken = at(n % 8, 8) > 0.7;
        // The additions and eif are skipped.
        let (steps, waits) = if taken { (6, 0) } else { (3, 3) };
        assert_eq!((counts.steps[n], counts.waits[n], counts.nans[n]), (steps, waits, 0), "pixel {n}");
    }
}

#[test]
fn nans_count_where_they_are_made() {
    // 0 / 0 on the left; the copies and sums of that NaN are not counted.
    let source = "// agal 2 fragment\nmov ft0, fc1\nifl v0.x, fc0.x\ndiv ft0, ft0, fc1\neif\nmov ft1, ft0\nadd ft1, ft1, ft0\nmov oc, ft1";
    let counts = counts(source, [4, 2], &[("fc0", [0.5; 4]), ("fc1", [0.0; 4])]);
    assert_eq!(counts.nans, [1, 1, 0, 0, 1, 1, 0, 0]);
    let picture = Picture { width: 4, height: 2, counts: Some(counts), ..Picture::default() };
    let map = Heat::Nan.map(&picture).unwrap();
    assert_eq!(map.bytes()[..16], [255, 255, 208, 255, 255, 255, 208, 255, 0, 0, 0, 255, 0, 0, 0, 255]);
}

#[test]
fn programs_without_pixels_are_refused() {
    let refused = |source: &str, code: &str| {
        let faults = preview(&mut *shader(source), &Preview::default(), &LIMITS()).unwrap_err();
        assert_eq!(faults[0].code, code, "{source}");
    };
    refused("// agal 1 vertex\nmov op, va0", "picture-stage");
    refused("// agal 2 fragment\nmov od.x, v0.x", "picture-output");
    let little = Limits { run_work: 10, ..Limits::default() };
    let settings = Settings::new().limits(little.clone());
    let file = File::open(b"// agal 1 fragment\nmov oc, v0", &settings).unwrap();
    let mut shader = file.program(1).unwrap().shader(None).unwrap();
    assert_eq!(preview(&mut *shader, &Preview::default(), &little).unwrap_err()[0].code, "limit-exceeded");
}

/// Programs with a Shader Program Header are sources here.
fn maxwell(header: &str, code: &str) -> Box<dyn Shader> {
    shader(&format!("// maxwell\n.chip sm_53\n{header}\n.code \"main\"\n{code}\n"))
}

const FRAGMENT: &str = ".sph SphType PS\n.sph Version 3\n.sph ShaderType PIXEL\n.sph ImapGenericVector[1] perspective.xyzw\n.sph OmapTarget[0] xyzw\n.sph KillsPixels 1";

#[test]
fn maxwell_multiplies_coordinates_by_constants() {
    let code = "IPA.PASS R0, a[0x90], RZ ; {3f:-:-:-:f}\nIPA.PASS R1, a[0x94], RZ ; {3f:-:-:-:f}\n\
        FMUL R0, R0, c[0x3][0x10] ; {3f:-:-:-:f}\nFMUL R1, R1, c[0x3][0x14] ; {3f:-:-:-:f}\n\
        MOV R2, c[0x3][0x18], 0xf ; {3f:-:-:-:f}\nMOV R3, c[0x3][0x1c], 0xf ; {3f:-:-:-:f}\nEXIT ; {3f:-:-:-:f}";
    let mut shader = maxwell(FRAGMENT, code);
    let constants = shader.constants();
    let names: Vec<(&str, u8, bool)> =
        constants.iter().map(|constant| (&*constant.name, constant.count, constant.is_set)).collect();
    assert_eq!(names, [("c[0x3][0x10]", 4, false)]);
    shader.set_constant("c[0x3][0x10]", 0, &[2.0, 4.0]).unwrap();
    shader.set_constant("c[0x3][0x10]", 2, &[8.0, 0.5]).unwrap();
    assert!(shader.constants()[0].is_set);
    let picture = picture(&mut *shader, [5, 3]);
    for (n, pixel) in picture.pixels.iter().enumerate() {
        assert_eq!(*pixel, [2.0 * at(n % 5, 5), 4.0 * at(n / 5, 3), 8.0, 0.5], "{n}");
    }
    for name in ["c[0x3][0x11]", "c[3]", "c[0x100][0x0]", "c[0x3][0xfffc]"] {
        assert_eq!(shader.set_constant(name, 1, &[1.0]).unwrap_err()[0].code, "picture-input", "{name}");
    }
}

#[test]
fn maxwell_samples_images_and_discards() {
    let code = "IPA.PASS R0, a[0x90], RZ ; {3f:-:-:-:f}\nIPA.PASS R1, a[0x94], RZ ; {3f:-:-:-:f}\n\
        FSETP.LT.AND P0, PT, R0, c[0x3][0x0], PT ; {3f:-:-:-:f}\n@P0 KIL ; {3f:-:-:-:f}\n\
        TEXS.LL.PR R2, R0, R0, RZ, 0x8, 2D, RGBA ; {3f:-:0:-:f}\nEXIT ; {3f:-:-:-:f}";
    let code = code.replace("TEXS.LL.PR R2, R0, R0, RZ, 0x8, 2D, RGBA", "TEX.NODEP.T R0, R0, 0x8, 2D, 0xf");
    let mut shader = maxwell(FRAGMENT, &code);
    let slots = shader.textures();
    let names: Vec<(&str, bool)> = slots.iter().map(|slot| (&*slot.name, slot.is_set)).collect();
    assert_eq!(names, [("tex8", false)]);
    let bytes: Vec<u8> = (0..8u8).flat_map(|n| [20 * n, 255 - 20 * n, n, 255]).collect();
    shader.set_texture("tex8", &Image::new(4, 2, bytes.clone(), &LIMITS()).unwrap()).unwrap();
    shader.set_constant("c[0x3][0x0]", 0, &[0.25]).unwrap();
    let picture = picture(&mut *shader, [4, 2]);
    assert_eq!(picture.drawn, [false, true, true, true, false, true, true, true]);
    let drawn = picture.image(true);
    for n in (0..8).filter(|n| n % 4 != 0) {
        assert_eq!(drawn.bytes()[4 * n..4 * n + 4], bytes[4 * n..4 * n + 4], "{n}");
    }
}

#[test]
fn maxwell_counts_divergence() {
    let code = "IPA.PASS R0, a[0x90], RZ ; {3f:-:-:-:f}\nMOV R1, c[0x3][0x0], 0xf ; {3f:-:-:-:f}\n\
        FSETP.LT.AND P0, PT, R0, R1, PT ; {3f:-:-:-:f}\n@P0 EXIT ; {3f:-:-:-:f}\n\
        FADD R1, R1, R1 ; {3f:-:-:-:f}\nFADD R1, R1, R1 ; {3f:-:-:-:f}\nEXIT ; {3f:-:-:-:f}";
    let mut shader = maxwell(FRAGMENT, code);
    shader.set_constant("c[0x3][0x0]", 0, &[0.5]).unwrap();
    let counts = picture(&mut *shader, [4, 2]).counts.unwrap();
    assert_eq!(counts.steps, [4, 4, 7, 7, 4, 4, 7, 7]);
    assert_eq!(counts.waits, [3, 3, 0, 0, 3, 3, 0, 0]);
}

fn agx(code: &str) -> Box<dyn Shader> {
    shader(&format!("// agx\n{code}\n"))
}

#[test]
fn agx_multiplies_coordinates_by_uniforms() {
    let mut shader = agx("ldimm r0l, 0\niter r4_r5, cf1, cf0\nfmul r4, r4, u0\nfmul r5, r5, u1\n\
        mov r6, u2\nldimm r7, 1056964608\npixwait 12, 0\nst_tile r4_r5_r6_r7, 0, 255, 0, i32, xyzw\nstop");
    let names: Vec<String> = shader.constants().iter().map(|constant| constant.name.to_string()).collect();
    assert_eq!(names, ["u0", "u1", "u2"]);
    shader.set_constant("u0", 0, &[2.0, 4.0]).unwrap();
    shader.set_constant("u2", 0, &[8.0]).unwrap();
    assert!(shader.constants().iter().all(|constant| constant.is_set));
    let picture = picture(&mut *shader, [5, 3]);
    for (n, pixel) in picture.pixels.iter().enumerate() {
        assert_eq!(*pixel, [2.0 * at(n % 5, 5), 4.0 * at(n / 5, 3), 8.0, 0.5], "{n}");
    }
    for (name, first) in [("u255", 1), ("u256", 0), ("fc0", 0)] {
        assert_eq!(shader.set_constant(name, first, &[1.0]).unwrap_err()[0].code, "picture-input", "{name}");
    }
}

/// Columns with an odd number survive.
#[test]
fn agx_samples_images_and_kills() {
    let mut shader = agx("ldimm r0l, 0\niter r4_r5, cf1, cf0\nmov r1, thread_in_grid_x\nand r2l, r1, 1\n\
        smpf r8_r9_r10_r11, ts0, ss0, r4_r5, 0, 2d, xyzw, auto_lod, a\nwait a\npixwait 1, 0\n\
        sample_mask 255, r2l\npixwait 12, 0\nst_tile r8_r9_r10_r11, 0, 255, 4, u8norm, xyzw\nstop");
    let bytes: Vec<u8> = (0..8u8).flat_map(|n| [20 * n, 255 - 20 * n, n, 128]).collect();
    shader.set_texture("ts0", &Image::new(4, 2, bytes.clone(), &LIMITS()).unwrap()).unwrap();
    assert_eq!(shader.set_texture("ts1", &Image::coordinates()).unwrap_err()[0].code, "picture-input");
    let picture = picture(&mut *shader, [4, 2]);
    assert_eq!(picture.drawn, [false, true, false, true, false, true, false, true]);
    let drawn = picture.image(true);
    for n in [1, 3, 5, 7] {
        assert_eq!(drawn.bytes()[4 * n..4 * n + 4], bytes[4 * n..4 * n + 4], "{n}");
    }
}

#[test]
fn agx_formats_become_floats() {
    for (format, mask, expected) in [
        ("f16", "xyzw", [0.25, 0.5, 0.0, 1.0]),
        ("f16", "xyz", [0.25, 0.5, 0.0, 1.0]),
        ("u16norm", "x", [16384.0 / 65535.0, 0.0, 0.0, 1.0]),
        ("u8norm", "xy", [64.0 / 255.0, 128.0 / 255.0, 0.0, 1.0]),
        ("s8norm", "xy", [32.0 / 127.0, 64.0 / 127.0, 0.0, 1.0]),
        ("s16norm", "xy", [8192.0 / 32767.0, 16384.0 / 32767.0, 0.0, 1.0]),
        ("i32", "xyz", [0.25, 0.5, 0.0, 1.0]),
    ] {
        let registers = ["r4", "r4_r5", "r4_r5_r6", "r4_r5_r6_r7"][mask.len() - 1];
        let mut shader = agx(&format!(
            "ldimm r0l, 0\nldimm r4, 1048576000\nldimm r5, 1056964608\nldimm r6, 0\n\
            ldimm r7, 1065353216\npixwait 12, 0\nst_tile {registers}, 0, 255, 0, {format}, {mask}\nstop"
        ));
        assert_eq!(picture(&mut *shader, [1, 1]).pixels, [expected], "{format} {mask}");
    }
    let source = "// agx\nldimm r0l, 0\npixwait 12, 0\nst_tile r4, 0, 255, 0, i8, x\nstop";
    let file = File::open(source.as_bytes(), &Settings::new()).unwrap();
    let Err(refused) = file.program(1).unwrap().shader(None) else { panic!("integers are shown") };
    assert_eq!(refused.diagnostics[0].code, "picture-output");
}
