//! Runs of AGX programs on inputs as JSON: textures, samplers, preambles.

use serde_json::{Value, json};
use shisa::agx::text::{AsmOptions, assemble};
use shisa::diag::Limits;
use shisa::{File, Isa, Result, RunOptions, Settings};

fn code(lines: &str) -> Vec<u8> {
    let done = assemble(lines, &AsmOptions::default(), &Limits::default());
    done.bytes.unwrap_or_else(|| panic!("{:?}", done.diagnostics))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Runs a file, with the latest steps of the trace; input and output match the schema.
fn run(file: &[u8], input: &Value) -> Result<Value> {
    let root: Value =
        serde_json::from_str(include_str!("../../../../docs/schema/agx-run.schema.json")).unwrap();
    let output = File::open(file, &Settings::new().isa(Isa::Agx))?
        .run_json(&input.to_string(), RunOptions::new().trace(3))?;
    crate::compute_engines::agree(file, &Settings::new().isa(Isa::Agx), input, &output);
    for value in [input, &output] {
        assert_eq!(crate::schema::faults(&root, &root, value, ""), [""; 0]);
    }
    Ok(output)
}

fn refused(file: &[u8], input: &Value) -> String {
    run(file, input).unwrap_err().to_string()
}

/// Reads the second layer of a texture in a heap, filtered by a sampler of the heap, and writes the result to an
/// image.
const COPY: &str = "ldimm r0l, 0\nldimm r1, 24\nldimm r2l, 7\nmov r4, u2\nmov r5, u2\nldimm r6l, 1\n\
    smpf r8_r9_r10_r11, du0, r1, r2l, r4_r5_r6l, 0, 2d_array, xyzw, auto_lod, a\nwait a\n\
    mov r12, thread_in_grid_x\nldimm r13, 0\nimgw r8_r9_r10_r11, ts2, r12_r13, 0, 2d\nstop";

fn copy() -> Value {
    json!({
        "version": 1, "grid": [2, 1, 1], "workgroup": [2, 1, 1],
        // The heap, and one half.
        "uniforms_hex": "00000000010000000000003f",
        "textures": {
            // Red 0, 1, then 2, 4.
            "0x100000018": {
                "shape": "2d_array", "width": 2, "layers": 2, "format": "r32f", "data": "AAAAAAAAgD8AAABAAACAQA==",
            },
            "ts2": { "width": 3, "format": "rgba8", "data": "AAAAAAAAAAAAAAAA" },
        },
        "samplers": { "7": { "linear": true, "compare": "less" }, "ss1": { "mip": "linear" }, "0x8": {} },
    })
}

/// Formats with several elements in a 32-bit word are indexed without the shift; in sRGB each byte is an element.
#[test]
fn formats_tell_where_elements_lie() {
    let program = code(
        "ldimm r0, 1\n\
        load r4_r5_r6_r7, du0, r0, lsl 2, rgb10a2, xyzw, a\nload r8_r9, du0, r0, lsl 2, srgba8, yw, a\nwait a\n\
        store r4_r5_r6_r7, du2, r0, lsl 2, rgb10a2, xyzw, a\nstore r8_r9, du2, 2, lsl 2, srgba8, yw, a\n\
        store r4_r5_r6_r7, du2, 4, i32, xyzw, a\nstore r8_r9, du2, 8, i32, xy, a\nstop",
    );
    let output = run(
        &program,
        &json!({
            "version": 1, "grid": [1, 1, 1], "workgroup": [1, 1, 1],
            "uniforms_hex": "00000000010000000010000001000000",
            "buffers": [
                // 0, 0x7ff003ff.
                { "addr": 0x1_0000_0000_u64, "data": "AAAAAP8D8H8=" },
                { "addr": 0x1_0000_1000_u64, "data": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==" },
            ],
        }),
    )
    .unwrap();
    let stored = shisa::agx::from_base64(output["buffers"][1]["expect"].as_str().unwrap()).unwrap();
    assert_eq!(stored[..16], [0, 0, 0, 0, 0xff, 3, 0xf0, 0x7f, 0, 3, 0, 0x7f, 0, 0, 0, 0]);
    let floats: Vec<f32> =
        stored[16..].chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    let (third, dark, half) = (1.0 / 3.0, 3.0 / 255.0 / 12.92, 127.0 / 255.0);
    let near = |(got, want): (&f32, &f32)| (got - want).abs() < 1e-6;
    assert!(floats.iter().zip(&[1.0, 0.0, 1.0, third, dark, half]).all(near), "{floats:?}");
}

#[test]
fn compute_programs_have_textures() {
    let output = run(&code(COPY), &copy()).unwrap();
    // 3 is more than an image of this format holds.
    assert_eq!(output["textures"]["ts2"]["expect"], "/wAA//8AAP8AAAAA");
    assert_eq!(output["textures"]["0x100000018"].get("expect"), None);
    let texel = |lane: u32| {
        let values = ["40400000", "00000000", "00000000", "3f800000"];
        json!({ "lane": lane, "texture": "ts2", "place": [lane, 0], "level": 0, "values": values })
    };
    let store = &output["trace"][1];
    assert_eq!(store["texels"], json!([texel(0), texel(1)]));
    assert_eq!(output["trace"][0].get("texels"), None);
}

#[test]
fn textures_that_mean_nothing_are_refused() {
    let with = |name: &str, field: &str, value: Value| {
        let mut input = copy();
        input["textures"][name][field] = value;
        refused(&code(COPY), &input)
    };
    for (field, value, said) in [
        ("format", json!("rgb9e5"), "`rgb9e5` is not a texel format"),
        ("shape", json!("4d"), "`4d` is not a texture shape"),
        ("width", json!(4), "ts2 has too few bytes of texels"),
        ("width", json!(2), "ts2 has 4 bytes after its texels"),
        ("layers", json!(1u64 << 60), "too few bytes"),
        ("mip", json!("cubic"), "`cubic` is not a filter between levels"),
    ] {
        let text = with("ts2", field, value);
        assert!(text.contains(said), "{field}: {text}");
    }
    for name in ["tx1", "ts256", "0xg"] {
        let mut input = copy();
        input["textures"][name] = input["textures"]["ts2"].clone();
        assert!(refused(&code(COPY), &input).contains(name));
    }
    let mut input = copy();
    input["samplers"]["7"]["compare"] = json!("more");
    assert!(refused(&code(COPY), &input).contains("`more` is not a comparison"));
}

/// A part whose preamble adds 5 to a constant in `u3` for `u4`, and loads a texture of a heap into a state register.
#[test]
fn what_comes_before_fills_uniforms() {
    let mut bytes =
        code("mov r1, u3\niadd r1, r1, 5\nmov u4, r1\nldimm r1, 24\nload ts3, du0, r1, a\nwait a\nstop");
    bytes.extend([8, 0].repeat(8));
    let constants = bytes.len();
    bytes.extend(7u32.to_le_bytes());
    let offset = bytes.len();
    let main = code(
        "ldimm r0l, 0\nmov r1, u4\nldimm r2, 1\nldimm r3, 0\nsmpi r4, ts3, ss0, r2_r3, 0, 2d, x, auto_lod, a\n\
         wait a\nst_var r1, 0\nst_var r4, 1, last\nstop",
    );
    bytes.extend(&main);
    let meta = |id: &str| {
        let rodata = json!({ "offset": constants, "base_uniform": 6, "size_16": 2 });
        json!({
            "id": id, "has_preamble": 1, "preamble_offset": 0, "main_offset": offset, "main_size": main.len(),
            "rodata": rodata,
        })
    };
    let part = json!({ "code": hex(&bytes), "meta": meta("0001") });
    let linked = json!({ "code": hex(&main), "meta": { "kind": "linked", "main": "0001" } });
    let texture = json!({ "width": 2, "format": "r32f", "data": "AAAAAAAAgD8=" });
    let input = |programs: Value| {
        json!({
            "vertices": [0], "uniforms_hex": "0000000001000000", "textures": { "0x100000018": texture },
            "programs": programs,
        })
    };
    let (none, other) = (json!([]), json!([{ "code": "", "meta": { "id": "0002" } }]));
    let outputs = |file: &Value, programs: &Value| {
        run(file.to_string().as_bytes(), &input(programs.clone())).unwrap()["outputs"].clone()
    };
    let want = json!([{ "0": "0000000c", "1": "3f800000" }]);
    assert_eq!(outputs(&part, &none), want);
    assert_eq!(outputs(&linked, &json!([part])), want);
    let text = refused(linked.to_string().as_bytes(), &input(other));
    assert!(text.contains("none of the programs is 0001"), "{text}");
    // Without it, nothing binds ts3.
    let text = refused(linked.to_string().as_bytes(), &input(none));
    assert!(text.contains("texture-missing"), "{text}");
    let mut outside = part.clone();
    outside["meta"]["preamble_offset"] = json!(1 << 20);
    let text = refused(outside.to_string().as_bytes(), &input(json!([])));
    assert!(text.contains("the preamble is outside of the code"), "{text}");
}

/// A preamble that stores elements to uniforms, where an option determines how: the third word from `u0`.
#[test]
fn choices_tell_what_elements_of_uniforms_are() {
    use shisa::agx::{ComputeProgram, ComputeRun, run_compute};
    let mut bytes = code("ldimm r0, 77\nldimm r1, 3\nuniform_store_unk r0, r1.sx, i32, x, a\nstop");
    bytes.extend([8, 0].repeat(8));
    let start = bytes.len();
    bytes.extend(code("ldimm r0l, 0\nmov r1, u3\nldimm r2, 0\nstore r1, du0, r2, i32, x, a\nstop"));
    let main = (start, bytes.len() - start);
    let program = ComputeProgram { code: bytes, main, preamble: Some(0), ..ComputeProgram::default() };
    let run = ComputeRun {
        program,
        grid: [1; 3],
        workgroup: [1; 3],
        uniforms: 0x1_0000_0000u64.to_le_bytes().to_vec(),
        buffers: vec![(0x1_0000_0000, vec![0; 4])],
        ..ComputeRun::default()
    };
    let mut settings = Settings::default();
    let refused = run_compute(&run, &settings).unwrap_err();
    assert!(refused.diagnostics[0].help[0].contains("uniform-elements=memory"), "{refused}");
    assert!(settings.agx.options.set("uniform-elements", "memory"));
    assert_eq!(run_compute(&run, &settings).unwrap().buffers, [77u32.to_le_bytes()]);
}

/// A workgroup at the edge of the grid is smaller than those that the program was dispatched with.
#[test]
fn special_registers_have_the_sizes_of_the_grid() {
    let names = ["threadgroup_in_grid", "threads_per_threadgroup", "dispatch_threads_per_threadgroup"];
    let mut lines = String::new();
    for (i, name) in names.iter().enumerate() {
        for (j, axis) in ["x", "y", "z"].iter().enumerate() {
            lines += &format!("mov r4, {name}_{axis}\nstore r4, du0, {}, i32, x, a\nwait a\n", 3 * i + j);
        }
    }
    let input = json!({
        "version": 1, "grid": [3, 5, 7], "workgroup": [2, 3, 4], "uniforms_hex": "0000000001000000",
        "buffers": [{ "addr": 0x1_0000_0000_u64, "data": shisa_run::to_base64(&[0; 36]) }],
    });
    let output = run(&code(&(lines + "stop")), &input).unwrap();
    let bytes = output["buffers"][0]["expect"].as_str().and_then(shisa_run::from_base64).unwrap();
    let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    // The last workgroup is the last to write.
    assert_eq!(words, [1, 1, 1, 1, 2, 3, 2, 3, 4]);
}
