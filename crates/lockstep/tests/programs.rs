//! Programs of the corpus with inputs, recorded.

use serde_json::{Value, json};
use shisa::data::debug::{RECORDING_BYTES, Session, captured};
use shisa::{File, Isa, Settings};
use shisa_conformance::Data;
use shisa_run::from_base64;

/// Programs of an instruction set.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// Their names, with their runs, which are recorded when they are taken.
    pub(crate) runs: Box<dyn Iterator<Item = (String, Session)>>,
}

/// How many programs of a family are recorded, at most.
const SAMPLE: usize = 24;

/// Some programs of each family.
pub(crate) fn families() -> [Family; 4] {
    [agal(), pica200(), maxwell(), agx()]
}

/// Some of many, from all parts of their list.
fn sample<T>(all: Vec<T>) -> impl Iterator<Item = T> + use<T> {
    let step = all.len().div_ceil(SAMPLE).max(1);
    all.into_iter().step_by(step)
}

/// The recorded runs of a file; none if it does not run with the input.
fn sessions(bytes: &[u8], input: &str, settings: &Settings) -> Vec<Session> {
    let Ok(file) = File::open(bytes, settings) else { return Vec::new() };
    let runs = captured(|trace| file.run_traced(input, trace)).unwrap_or_default();
    let all = runs.into_iter().map(|run| run.session(RECORDING_BYTES));
    all.filter(|session| session.recorded().failure().is_none()).collect()
}

fn named(name: &str, bytes: &[u8], input: &str, settings: &Settings) -> Vec<(String, Session)> {
    sessions(bytes, input, settings).into_iter().map(|session| (name.to_owned(), session)).collect()
}

fn of_files(family: &'static str) -> Family {
    let data = Data::corpus(family).unwrap();
    let runs = sample(data.list(&format!("{family}/run"), ".json").unwrap()).flat_map(move |path| {
        let input = data.text(&path).unwrap();
        let json: Value = serde_json::from_str(&input).unwrap();
        let bytes = data.read(&format!("{family}/{}", json["program"].as_str().unwrap())).unwrap();
        named(&path, &bytes, &input, &Settings::new())
    });
    Family { name: family, runs: Box::new(runs) }
}

fn agal() -> Family {
    of_files("agal")
}

fn pica200() -> Family {
    of_files("pica200")
}

fn maxwell() -> Family {
    let data = Data::corpus("maxwell").unwrap();
    let kernels = sample(data.values("maxwell/cuda/cases.jsonl").unwrap()).flat_map(|case| {
        let bytes = case["cubin"].as_str().and_then(from_base64).unwrap();
        named(case["name"].as_str().unwrap(), &bytes, &case.to_string(), &Settings::new())
    });
    Family { name: "maxwell", runs: Box::new(kernels) }
}

/// Compute programs, and linked programs with inputs of our own: three vertices, or three by two pixels.
fn agx() -> Family {
    let computes = sample(Data::corpus("agx").unwrap().values("agx/exec.jsonl").unwrap()).flat_map(|case| {
        let code = case["programs"][0].to_string();
        named(case["name"].as_str().unwrap(), code.as_bytes(), &case.to_string(), &Settings::new())
    });
    let settings = Settings::new().isa(Isa::Agx);
    let uniforms: String =
        (0..256).map(|n| format!("{:08x}", (1.0 + n as f32 / 7.0).to_bits().swap_bytes())).collect();
    let coefficients: serde_json::Map<String, Value> =
        (0..16).map(|n| (format!("cf{n}"), json!([0.25 * f64::from(n), 0.5, 1.5]))).collect();
    let lines = Data::corpus("agx").unwrap().text("agx/links.jsonl").unwrap();
    let lines = lines.lines().map(str::to_owned).collect();
    let runs = sample(lines).flat_map(move |line: String| {
        let case: Value = serde_json::from_str(&line).unwrap();
        let linked = &case["linked"];
        let code = shisa::rows::source::hex_bytes(linked["code"].as_str().unwrap()).unwrap();
        let mut input = json!({ "uniforms_hex": uniforms, "buffers": [] });
        match linked["meta"]["fragment"] == 1 {
            true => {
                let pixels =
                    json!({ "width": 3, "height": 2, "coefficients": coefficients, "tile_bytes": 32 });
                input["pixels"] = pixels;
            }
            false => input["vertices"] = json!([3, 9, 70_000]),
        }
        named(case["name"].as_str().unwrap_or("linked"), &code, &input.to_string(), &settings)
    });
    Family { name: "agx", runs: Box::new(computes.chain(runs)) }
}
