//! The JSON of the command matches its schemas.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

#[path = "../../../docs/schema/check.rs"]
mod schema;

use serde_json::Value as Json;
use std::process::Command;

const IDENTIFY: &str = include_str!("../../../docs/schema/identify.schema.json");
const DIAGNOSTIC: &str = include_str!("../../../docs/schema/diagnostic.schema.json");
const LISTING: &str = include_str!("../../../docs/schema/listing.schema.json");
const CFG: &str = include_str!("../../../docs/schema/cfg.schema.json");
const EXPLAIN: &str = include_str!("../../../docs/schema/explain.schema.json");
const RUN: &str = include_str!("../../../docs/schema/agal-run.schema.json");
const REFLECTION: &str = include_str!("../../../docs/schema/reflection.schema.json");
const PART: &str = include_str!("../../../docs/schema/agx-part.schema.json");
const COUNTED: &str = include_str!("../../../docs/schema/report.schema.json");
const REPORT: &str = include_str!("../../../docs/schema/agx-report.schema.json");
const LOCKSTEP: &str = include_str!("../../../docs/schema/lockstep.schema.json");
const PICTURE: &str = include_str!("../../../docs/schema/picture.schema.json");
const SOURCE_MAP: &str = include_str!("../../../docs/schema/source-map.schema.json");

/// What the command writes.
fn output(args: &[&str]) -> std::process::Output {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    Command::new(env!("CARGO_BIN_EXE_shisa")).args(args).current_dir(root).output().unwrap()
}

fn parsed(text: &[u8]) -> Vec<Json> {
    serde_json::Deserializer::from_slice(text).into_iter().map(Result::unwrap).collect()
}

/// The JSON values that the command writes to its output.
fn values(args: &[&str]) -> Vec<Json> {
    parsed(&output(args).stdout)
}

/// The JSON values that the command writes to its error output.
fn findings(args: &[&str]) -> Vec<Json> {
    parsed(&output(args).stderr)
}

fn conform(schema: &str, values: &[Json]) {
    let schema: Json = serde_json::from_str(schema).unwrap();
    for value in values {
        assert_eq!(schema::faults(&schema, &schema, value, ""), [""; 0]);
    }
}

#[test]
fn identify() {
    let found = values(&[
        "identify",
        "--format",
        "json",
        "examples/fog.frag.agal",
        "tests/swf/shaders.swf",
        "tests/identify/shaders.csdr",
        "tests/identify/library.so",
        "tests/identify/shaders.dksh",
        "Cargo.toml",
    ]);
    assert_eq!(found.len(), 6);
    conform(IDENTIFY, &found);
}

#[test]
fn diagnostics() {
    let text = findings(&["check", "--format", "json", "tests/check/broken.agal"]);
    let bytes = findings(&["check", "--format", "json", "tests/swf/shaders.swf"]);
    let none = findings(&["check", "--format", "json", "Cargo.toml"]);
    assert!(text.len() > 1 && !bytes.is_empty() && none.len() == 1);
    for found in [text, bytes, none] {
        conform(DIAGNOSTIC, &found);
    }
}

#[test]
fn listings() {
    let program = values(&["dis", "--format", "json", "tests/swf/shaders.swf", "--program", "1"]);
    let swf = values(&["dis", "--format", "json", "tests/swf/shaders.swf"]);
    assert!(swf[0]["programs"].as_array().unwrap().len() > 1);
    let csdr = values(&["dis", "--format", "json", "tests/identify/shaders.csdr"]);
    let one = values(&["dis", "--format", "json", "tests/identify/shaders.csdr", "--program", "1"]);
    assert!(csdr[0]["programs"].as_array().unwrap().len() == 1 && one[0]["isa"] == "pica200");
    let metal = values(&["dis", "--format", "json", "tests/identify/shaders.metal-archive"]);
    let second =
        values(&["dis", "--format", "json", "tests/identify/shaders.metal-archive", "--program", "2"]);
    assert!(metal[0]["programs"].as_array().unwrap().len() == 2 && second[0]["isa"] == "agx");
    assert_eq!(metal[0]["programs"][1]["listing"], second[0]);
    assert_eq!(metal[0]["programs"][1]["offset"], second[0]["instructions"][0]["offset"]);
    let cubin = values(&["dis", "--format", "json", "tests/identify/kernels.cubin"]);
    assert!(cubin[0]["programs"].as_array().unwrap().len() == 2);
    let dksh = values(&["dis", "--format", "json", "tests/identify/shaders.dksh", "--program", "1"]);
    assert!(dksh[0]["instructions"][0]["control"]["stall"].is_u64() && dksh[0]["stage"] == "fragment");
    let raw = values(&["dis", "--format", "json", "tests/identify/shader.sph"]);
    conform(LISTING, &[program, swf, csdr, one, metal, second, cubin, dksh, raw].concat());
}

#[test]
fn graphs() {
    let graph = values(&["dis", "--cfg", "json", "examples/fog.frag.agal"]);
    assert!(graph[0]["blocks"].as_array().unwrap().len() > 1);
    let pica200 = values(&["dis", "--cfg", "json", "tests/identify/shaders.csdr"]);
    let agx = values(&["dis", "--cfg", "json", "examples/collatz.agx"]);
    conform(CFG, &[graph, pica200, agx].concat());
}

#[test]
fn reports() {
    let found = values(&["report", "--format", "json", "examples/collatz.agx", "tests/link/main.json"]);
    assert_eq!(found.len(), 2);
    conform(REPORT, &found);
    let counted = [
        "examples/fog.frag.agal",
        "examples/sprite.g.pica",
        "examples/saxpy.maxwell",
        "tests/swf/shaders.swf",
    ];
    let found = values(&[&["report", "--format", "json"], &counted[..]].concat());
    assert!(found.len() > 4);
    conform(COUNTED, &found);
}

/// The schema accepts the parts that the reader accepts, and what they link to.
#[test]
fn parts() {
    let linked =
        values(&["link", "--prolog", "tests/link/prolog.json", "--main", "tests/link/main.json", "-o", "-"]);
    let part: Json = serde_json::from_str(include_str!("../../../tests/link/main.json")).unwrap();
    assert_eq!(linked.len(), 1);
    conform(PART, &[part.clone(), linked[0].clone()]);
    let schema: Json = serde_json::from_str(PART).unwrap();
    let settings = shisa::Settings::default();
    for (path, bad) in [
        ("/code", 1.into()),
        ("/meta/stage", "PS".into()),
        ("/meta/nr_gprs", (-1).into()),
        ("/meta/has_preamble", 2.into()),
        ("/meta/key", 1.into()),
        ("/meta/key/no_stop", "no".into()),
    ] {
        let mut json = part.clone();
        *json.pointer_mut(path).unwrap() = bad;
        assert_ne!(schema::faults(&schema, &schema, &json, ""), [""; 0], "{path}");
        let read = shisa::agx::PartFile::read(json.to_string().as_bytes(), &settings);
        assert!(read.is_err(), "{path}");
    }
    let mut later = part;
    later["version"] = 2.into();
    assert_ne!(schema::faults(&schema, &schema, &later, ""), [""; 0]);
    assert!(shisa::agx::PartFile::read(later.to_string().as_bytes(), &settings).is_err());
}

#[test]
fn explanations() {
    for word in ["tex", "agal-3647", "lane", "FADD", ".FTZ"] {
        conform(EXPLAIN, &values(&["explain", "--format", "json", word]));
    }
}

#[test]
fn runs() {
    let input: Json = serde_json::from_str(include_str!("../../../examples/fog.json")).unwrap();
    let output = values(&["run", "examples/fog.frag.agal", "--input", "examples/fog.json", "--trace"]);
    for member in ["version", "expected", "executed", "trace"] {
        assert!(output[0].get(member).is_some(), "{member}");
    }
    conform(RUN, &[vec![input], output].concat());
}

/// The schema accepts what the reader accepts.
#[test]
fn run_inputs() {
    let good = serde_json::json!({
        "lanes": 1, "grid": { "width": 1, "height": 1 }, "instance": [3],
        "attributes": { "va0": { "format": "float2", "values": ["3f800000 00000000"] } },
        "varyings": { "v0": ["3f800000"] }, "constants": { "vc0": "00000000 00000000 00000000 00000000" },
        "textures": { "fs0": {
            "dimension": "2d", "width": 1, "height": 1, "format": "rgba8", "levels": [["01020304"]],
            "sampler": { "filter": "linear", "mip": "mipnone", "wrap": "repeat", "bias": -0.5 },
        } },
        "judges": {},
    });
    let schema: Json = serde_json::from_str(RUN).unwrap();
    let faults = |value: &Json| schema::faults(&schema, &schema, value, "");
    assert_eq!(faults(&good), [""; 0]);
    assert!(shisa::agal::RunInput::from_json(&good.to_string()).is_ok());
    for (path, bad) in [
        ("/lanes", Json::Null),
        ("/grid/width", (-1).into()),
        ("/instance/0", "3".into()),
        ("/attributes/va0/format", "float5".into()),
        ("/varyings/v0/0", 1.into()),
        ("/constants/vc0", Json::Null),
        ("/textures/fs0/dimension", "3d".into()),
        ("/textures/fs0/format", "rgba".into()),
        ("/textures/fs0/levels/0", "01020304".into()),
        ("/textures/fs0/sampler/filter", "cubic".into()),
        ("/textures/fs0/sampler/mip", "none".into()),
        ("/textures/fs0/sampler/wrap", "mirror".into()),
    ] {
        let mut json = good.clone();
        *json.pointer_mut(path).unwrap() = bad;
        assert_ne!(faults(&json), [""; 0], "{path}");
        assert!(shisa::agal::RunInput::from_json(&json.to_string()).is_err(), "{path}");
    }
    let later = serde_json::json!({ "version": 2, "lanes": 1 });
    assert_eq!(faults(&later).len(), 1);
    assert!(shisa::agal::RunInput::from_json(&later.to_string()).is_err());
}

#[test]
fn translations() {
    let pair = ["examples/lit.vert.agal", "--pair", "examples/lit.frag.agal"];
    for program in [&pair[..1], &pair] {
        let json = |option| {
            let code = concat!(env!("CARGO_TARGET_TMPDIR"), "/schemas.wgsl");
            values(&[&["translate", "--to", "wgsl", "-o", code, option, "-"], program].concat())
        };
        let reflections = match json("--reflect").remove(0) {
            Json::Array(two) => two,
            one => vec![one],
        };
        conform(REFLECTION, &reflections);
        conform(SOURCE_MAP, &json("--source-map"));
    }
}

/// The schema check itself finds faults.
#[test]
fn wrong_json_is_noticed() {
    let schema: Json = serde_json::from_str(IDENTIFY).unwrap();
    let mut line = values(&["identify", "--format", "json", "Cargo.toml"]).remove(0);
    line["version"] = 2.into();
    assert_eq!(schema::faults(&schema, &schema, &line, "").len(), 1);
}

#[test]
fn pictures() {
    let preview = ["preview", "examples/fog.frag.agal", "--size", "4x4", "--json"];
    let plain = values(&preview);
    let counted = values(&[&preview[..], &["--heat", "cost"]].concat());
    assert!(plain[0].get("counts").is_none() && counted[0].get("counts").is_some());
    conform(PICTURE, &[plain, counted].concat());
}

/// Comparisons of each verdict, with and without values, and with an instruction that differs.
#[test]
fn comparisons() {
    let agal = |rest: &[&str]| {
        let own =
            ["lockstep", "examples/lit.vert.agal", "--input", "tests/lockstep/lit.json", "--format", "json"];
        values(&[&own[..], rest].concat())
    };
    let outputs = agal(&["--engines", "eval,batch"]);
    let all = agal(&["--engines", "eval,batch", "--values"]);
    let differs = agal(&["--engines", "eval,batch", "--precision", "fast"]);
    assert!(outputs[0].get("buffers").is_some() && all[0].get("unchecked").is_some());
    assert!(differs[0]["output"].is_object() && differs[0]["located"].is_object(), "{differs:?}");
    // Only some threads come to a vote, which only the evaluator runs.
    let refused = values(&[
        "lockstep",
        "tests/lockstep/vote.maxwell",
        "--input",
        "examples/saxpy.json",
        "--engines",
        "eval,jit",
        "--format",
        "json",
    ]);
    assert_eq!(refused[0]["verdict"], "refused");
    conform(LOCKSTEP, &[outputs, all, differs.clone(), refused].concat());
    let schema: Json = serde_json::from_str(LOCKSTEP).unwrap();
    let mut wrong = differs[0].clone();
    wrong["located"]["reduced"]["ir"] = 1.into();
    assert_ne!(schema::faults(&schema, &schema, &wrong, ""), [""; 0]);
}
