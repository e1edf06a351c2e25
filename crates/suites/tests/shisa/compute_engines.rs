//! Compute programs on the batch engine and as machine code, against the evaluator.
use serde_json::Value;
use shisa::agx::{ComputeCode, ComputeRun, run_compute};
use shisa::data::engines::Engine;
use shisa::data::{TraceSink, TraceStep};
use shisa::diag::Diagnostic;
use shisa::maxwell::{KernelCode, KernelRun, run_kernel};
use shisa::{File, RunOptions, Settings};
use shisa_conformance::Data;
use shisa_run::from_base64;
use std::collections::BTreeMap;

/// Why programs were left to the evaluator.
#[derive(Default)]
struct Notes(Vec<String>);

impl TraceSink for Notes {
    fn needs_steps(&self) -> bool {
        false
    }

    fn step(&mut self, _: TraceStep) {}

    fn note(&mut self, note: Diagnostic) {
        self.0.push(note.message);
    }
}

/// Engines for compute programs, besides the evaluator.
const FAST: [Engine; 2] = [Engine::Batch, Engine::MachineCode];

fn on(engine: Engine) -> Settings {
    let mut settings = Settings::default();
    settings.engine = engine;
    settings
}

/// Checks that every engine has the result that the evaluator has for an input.
pub(crate) fn agree(file: &[u8], settings: &Settings, input: &Value, output: &Value) {
    for engine in FAST {
        let mut settings = settings.clone();
        settings.engine = engine;
        let file = File::open(file, &settings).unwrap();
        let got = file
            .run_json(&input.to_string(), RunOptions::new())
            .unwrap_or_else(|e| panic!("{engine:?}: {e}"));
        assert_eq!(bare(&got), bare(output), "{engine:?}");
    }
}

/// A result without what only the evaluator states.
fn bare(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let members = object
                .iter()
                .filter(|(key, _)| !["executed", "steps", "end", "trace"].contains(&key.as_str()));
            Value::Object(members.map(|(key, value)| (key.clone(), bare(value))).collect())
        }
        Value::Array(list) => list.iter().map(bare).collect(),
        other => other.clone(),
    }
}

#[test]
fn kernels_leave_the_memory_that_the_evaluator_leaves() {
    let (mut ran, mut left) = (0, BTreeMap::<String, u32>::new());
    for case in Data::corpus("maxwell").unwrap().values("maxwell/cuda/cases.jsonl").unwrap() {
        let name = case["name"].as_str().unwrap();
        let cubin = case["cubin"].as_str().and_then(from_base64).unwrap();
        let run = KernelRun::from_json(&cubin, &case.to_string(), &Settings::default()).expect(name);
        let code = KernelCode::new(&run.kernel).expect(name);
        let want = run_kernel(&run, &Settings::default()).expect(name);
        for settings in FAST.map(on) {
            let mut notes = Notes::default();
            let mut fast = code.compile(&settings).expect(name);
            match fast.run(&run, &mut notes, &settings).expect(name) {
                Some(fast) => {
                    assert_eq!(fast.buffers, want.buffers, "{name}");
                    assert_eq!(fast.textures, want.textures, "{name}");
                    ran += 1;
                }
                None => *left.entry(notes.0.join("; ")).or_default() += 1,
            }
        }
    }
    // A recursion, traps, and a branch to a computed address.
    assert_eq!((ran, left.values().sum()), (2 * 259, 2 * 16), "{left:#?}");
    assert!(left.keys().all(|note| !note.is_empty()), "{left:#?}");
}

#[test]
fn programs_of_agx_leave_the_memory_that_the_evaluator_leaves() {
    let mut ran = 0;
    for line in Data::corpus("agx").unwrap().text("agx/exec.jsonl").unwrap().lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        for run in ComputeRun::from_json(line).expect(name) {
            let code = ComputeCode::new(&run.program, &Settings::default()).expect(name);
            let plan = code.plan(&Settings::default()).expect(name);
            let want = run_compute(&run, &Settings::default()).expect(name);
            for settings in FAST.map(on) {
                let mut notes = Notes::default();
                let fast = plan.compile(&settings).expect(name).run(&run, &mut notes, &settings).expect(name);
                let fast = fast.unwrap_or_else(|| panic!("{name}: {}", notes.0.join("; ")));
                assert_eq!(fast.buffers, want.buffers, "{name}");
                assert_eq!(fast.textures, want.textures, "{name}");
                ran += 1;
            }
        }
    }
    assert_eq!(ran, 2 * 293);
}
