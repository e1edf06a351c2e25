//! Running Maxwell programs of graphics stages: inputs, outputs, and what is refused.
use serde_json::{Value, json};
use shisa::{File, Isa, Language, Result, RunOptions, Settings};

/// Code with a header, of which `fields` are set; each instruction waits for everything.
pub(crate) fn assembled(stage: &str, fields: &[&str], source: &str) -> Vec<u8> {
    let kind = if stage == "PIXEL" { "PS" } else { "VTG" };
    let own = [format!("SphType {kind}"), "Version 3".into(), format!("ShaderType {stage}")];
    let fields = own.into_iter().chain(fields.iter().map(|field| (*field).into()));
    let header: String = fields.map(|field| format!(".sph {field}\n")).collect();
    let lines: String =
        source.lines().chain(["EXIT"]).map(|line| format!("{} ; {{3f:-:-:-:f}}\n", line.trim())).collect();
    let text = format!("// maxwell\n.chip sm_53\n{header}.code \"main\"\n{lines}");
    let mut settings = Settings::default();
    settings.unchecked = true;
    shisa::assemble(&text, Language::Maxwell, &settings).unwrap_or_else(|e| panic!("{e}\n{text}")).bytes
}

/// Runs a source; input and output match the schema.
fn run(stage: &str, fields: &[&str], source: &str, input: &Value) -> Result<Value> {
    let root: Value =
        serde_json::from_str(include_str!("../../../../docs/schema/maxwell-run.schema.json")).unwrap();
    let code = assembled(stage, fields, source);
    let file = File::open(&code, &Settings::new().isa(Isa::Maxwell))?;
    let output = file.run_json(&input.to_string(), RunOptions::new().trace(3))?;
    crate::compute_engines::agree(&code, &Settings::new().isa(Isa::Maxwell), input, &output);
    for value in [input, &output] {
        assert_eq!(crate::schema::faults(&root, &root, value, ""), [""; 0]);
    }
    Ok(output)
}

fn ran(stage: &str, fields: &[&str], source: &str, input: &Value) -> Value {
    run(stage, fields, source, input).unwrap_or_else(|e| panic!("{e}"))
}

const VERTEX: [&str; 3] =
    ["ImapGenericVector[0] xyzw", "OmapGenericVector[0] xyzw", "OmapSystemValuesB PositionX PositionY"];

#[test]
fn vertices_have_inputs_and_outputs() {
    let input = json!({ "vertices": [
        { "in": { "generic0": [1, 2.5, -3, 4], "instance": 7 } },
        { "in": { "generic0": "00000001 ffffffff" } },
    ] });
    let source = "ALD.128 R0, a[0x80]\nAST.128 a[0x80], R0\nALD.64 R4, a[0x2f8]\nAST.64 a[0x70], R4";
    let fields = [&VERTEX[..], &["ImapSystemValuesC InstanceId VertexId"]].concat();
    let output = ran("VERTEX", &fields, source, &input);
    let out = |n: usize| &output["vertices"][n]["out"];
    let words = "3f800000 40200000 c0400000 40800000";
    assert_eq!(*out(0), json!({ "generic0": words, "position": "00000007 00000000" }));
    let words = "00000001 ffffffff 00000000 00000000";
    assert_eq!(*out(1), json!({ "generic0": words, "position": "00000000 00000001" }));
}

#[test]
fn constants_come_from_banks_and_from_bindings() {
    let input = json!({
        "vertices": [{}], "constants": { "1": "05000000" },
        "resources": [{ "kind": "ubo", "binding": 1, "data": "BwAAAAgAAAA=" }],
    });
    let source = "MOV R0, c[0x1][0x0]\nIADD R0, R0, c[0x3][0x4]\nMOV R1, c[0x0][0x10]\nAST.64 a[0x70], R0";
    let output = ran("VERTEX", &VERTEX, source, &input);
    assert_eq!(output["vertices"][0]["out"]["position"], "0000000d 00400004");
}

/// Resources that the program does not change have no contents that are expected, unless the input states some.
#[test]
fn resources_that_change_are_written() {
    let texture = json!({
        "kind": "texture", "binding": 0, "dim": "2d", "format": "r32ui", "width": 1, "height": 1, "data": "BwAAAA==",
    });
    let mut stated = texture.clone();
    (stated["binding"], stated["expected"]) = (json!(1), json!("AAAAAA=="));
    let buffer = json!({ "kind": "ssbo", "binding": 0, "data": "AAAAAA==" });
    let input = json!({ "vertices": [{}], "resources": [texture, stated, buffer] });
    let output = ran("VERTEX", &VERTEX, "MOV R0, 0x1", &input);
    let expected = [0, 1, 2].map(|n| output["resources"][n].get("expected").cloned());
    assert_eq!(expected, [None, Some(json!("BwAAAA==")), None]);
}

const PIXEL: [&str; 3] = [
    "ImapGenericVector[0] perspective.x",
    "ImapSystemValuesB PositionX PositionY PositionW",
    "OmapTarget[0] xy",
];

#[test]
fn pixels_run_in_quads() {
    // The slope of the attribute from pixel to pixel, with 1 / w of 1.
    let slope = "IPA R2, a[0x80], RZ\nMOV32I R3, 0x3f800000\nIPA R0, a[0x80], R3\n\
                 SHFL.BFLY PT, R1, R0, 0x1, 0x1c03\nFADD R1, R1, -R0";
    let input =
        json!({ "pixels": { "width": 2, "height": 2, "each": { "generic0": [[1], [3], [5], [8]] } } });
    let output = ran("PIXEL", &PIXEL, slope, &input);
    let expected = ["3f800000 40000000", "40400000 c0000000", "40a00000 40400000", "41000000 c0400000"];
    assert_eq!(output["pixels"]["out"], json!({ "target0": expected }));
    assert_eq!(output["pixels"]["killed"], json!([false, false, false, false]));
    // The centre of each pixel.
    let centre = "IPA.PASS R0, a[0x70], RZ\nIPA.PASS R1, a[0x74], RZ";
    let output = ran("PIXEL", &PIXEL, centre, &input);
    let expected = ["3f000000 3f000000", "3fc00000 3f000000", "3f000000 3fc00000", "3fc00000 3fc00000"];
    assert_eq!(output["pixels"]["out"]["target0"], json!(expected));
}

#[test]
fn pixels_are_discarded_if_the_header_permits() {
    let source = "IPA.PASS R0, a[0x70], RZ\nFSETP.GT.AND P0, PT, R0, 1, PT\n@P0 KIL";
    let input = json!({ "pixels": { "width": 2, "height": 1 } });
    let fields = [&PIXEL[..], &["KillsPixels 1"]].concat();
    let killed = |fields: &[&str]| ran("PIXEL", fields, source, &input)["pixels"]["killed"].clone();
    assert_eq!(killed(&fields), json!([false, true]));
    assert_eq!(killed(&PIXEL), json!([false, false]));
}

const GEOMETRY: [&str; 6] = [
    "ThreadsPerInputPrimitive 2",
    "OutputTopology LINESTRIP",
    "MaxOutputVertexCount 4",
    "StreamOutMask 0x3",
    "ImapGenericVector[0] xyzw",
    "OmapGenericVector[1] x",
];

/// Each run passes the vertices on in reverse, with its number added, to the stream of its number.
const REVERSE: &str = "MOV R0, RZ\nS2R R2, SR_INVOCATION_ID\nS2R R3, SR_INVOCATION_INFO\nBFE.U32 R3, R3, 0x810\n\
    IADD R3, R3, -0x1\nISBERD R4, [R3]\nALD R5, a[0x80], R4\nIADD R5, R5, R2\nAST a[0x90], R5, R0\n\
    OUT.EMIT R0, R0, R2\nISETP.GT.AND P0, PT, R3, RZ, PT\n@P0 BRA 0x30";

#[test]
fn primitives_give_streams() {
    let vertex = |n: u32| json!({ "in": { "generic0": format!("{n:08x}") } });
    let input = json!({ "primitives": [{ "vertices": [vertex(10), vertex(20), vertex(30)] }] });
    let output = ran("GEOMETRY", &GEOMETRY, REVERSE, &input);
    let stream = |words: [&str; 3]| {
        let vertices = words.map(|word| json!({ "generic1": word }));
        json!({ "vertices": vertices, "primitives": [[0, 1], [1, 2]] })
    };
    let expected = json!([
        { "streams": { "0": stream(["0000001e", "00000014", "0000000a"]) } },
        { "streams": { "1": stream(["0000001f", "00000015", "0000000b"]) } },
    ]);
    assert_eq!(output["primitives"][0]["out"], expected);
    // A damaged state loses the output.
    let output = ran("GEOMETRY", &GEOMETRY, &format!("{REVERSE}\nMOV32I R0, 0x3"), &input);
    assert_eq!(output["primitives"][0]["out"][0], json!({ "streams": {}, "damaged": true }));
}

#[test]
fn patches_are_controlled_and_evaluated() {
    let control = ["ThreadsPerInputPrimitive 3", "ImapGenericVector[0] x", "OmapGenericVector[0] x"];
    // Each invocation stores its vertex, and the last one the sum of the outputs as a level.
    let source = "S2R R2, SR_INVOCATION_ID\nISBERD R3, [R2]\nALD R4, a[0x80], R3\nAST a[0x80], R4\n\
                  MOV R6, RZ\nMOV32I R7, 0x1\nALD.O R5, a[0x80], R6\nALD.O R6, a[0x80], R7\nFADD R5, R5, R6\n\
                  ISETP.EQ.AND P0, PT, R2, 0x2, PT\n@P0 AST.P a[0x4], R5\n@P0 AST.P a[0x30], R4";
    let vertices: Value = [1, 2, 4].iter().map(|n| json!({ "in": { "generic0": [n] } })).collect();
    let input = json!({ "patches": [{ "vertices": vertices }] });
    let output = ran("TESSELLATION_INIT", &control, source, &input);
    let expected = json!({
        "vertices": [{ "generic0": "3f800000" }, { "generic0": "40000000" }, { "generic0": "40800000" }],
        "patch": { "tess_level_outer": "00000000 40400000", "patch1": "40800000" },
    });
    assert_eq!(output["patches"][0]["out"], expected);

    let evaluation = ["ImapGenericVector[0] x", "OmapSystemValuesB PositionX PositionY PositionZ"];
    let source = "S2R R0, SR_LANEID\nALD.O.64 R2, a[0x2f0], R0\nMOV32I R1, 0x2\nALD R4, a[0x80], R1\n\
                  FMUL R4, R4, R2\nALD.P R5, a[0x30]\nMOV R6, R3\nAST.96 a[0x70], R4";
    let input = json!({ "patches": [{
        "vertices": vertices, "patch": { "patch1": [5] }, "points": [[0.5, 0.25], [1, 0]],
    }] });
    let output = ran("TESSELLATION", &evaluation, source, &input);
    let expected = ["40000000 40a00000 3e800000", "40800000 40a00000 00000000"];
    assert_eq!(output["patches"][0]["out"], json!(expected.map(|words| json!({ "position": words }))));
}

#[test]
fn inputs_of_another_form_are_refused() {
    let refused = |stage: &str, input: &Value| {
        let code = assembled(stage, &[], "NOP");
        let file = File::open(&code, &Settings::new().isa(Isa::Maxwell)).unwrap();
        file.run_json(&input.to_string(), RunOptions::new()).unwrap_err().to_string()
    };
    let vertices = json!({ "vertices": [] });
    for (stage, input, message) in [
        ("PIXEL", &vertices, "a fragment program runs for pixels"),
        ("VERTEX", &json!({ "vertices": [{ "in": { "colour": [1] } }] }), "there is no attribute \"colour\""),
        (
            "VERTEX",
            &json!({ "vertices": [{ "in": { "vertex": [1, 2] } }] }),
            "vertex has 1 components, 2 given",
        ),
        (
            "VERTEX",
            &json!({ "vertices": [{ "in": { "vertex": "xyz" } }] }),
            "vertex: the words are not hexadecimal",
        ),
        ("VERTEX", &json!({ "vertices": [{ "given": {} }] }), "given"),
        ("PIXEL", &json!({ "pixels": { "width": 0, "height": 1 } }), "are at least 1"),
        (
            "PIXEL",
            &json!({ "pixels": { "width": 2, "height": 1, "each": { "fog": [1] } } }),
            "fog has 1 values for 2 pixels",
        ),
        ("GEOMETRY", &json!({ "primitives": [{ "vertices": [] }] }), "a primitive or patch has 1 to 32"),
        (
            "GEOMETRY",
            &json!({ "primitives": [{ "vertices": [{}] }, { "vertices": [{}, {}] }] }),
            "2 vertices after a first primitive or patch of 1",
        ),
    ] {
        let error = refused(stage, input);
        assert!(error.contains(message), "{error}");
    }
    let code = "NOP ; {3f:-:-:-:f}\nEXIT ; {3f:-:-:-:f}";
    let text = format!("// maxwell\n.chip sm_53\n.code \"main\"\n{code}\n");
    let bytes = shisa::assemble(&text, Language::Maxwell, &Settings::default()).unwrap().bytes;
    let file = File::open(&bytes, &Settings::new().isa(Isa::Maxwell)).unwrap();
    let error = file.run_json(&vertices.to_string(), RunOptions::new()).unwrap_err().to_string();
    assert!(error.contains("has no Shader Program Header"), "{error}");
}
