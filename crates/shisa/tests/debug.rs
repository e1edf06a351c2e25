//! The debugger: every program of the corpus that runs, in both directions.
#![cfg(all(feature = "agal", feature = "pica200", feature = "maxwell", feature = "agx", feature = "eval"))]

use serde_json::Value;
use shisa::data::debug::{Event, RECORDING_BYTES, Recorded, Session, Time, View, Watcher};
use shisa::data::{TraceSink, TraceStep, captured};
use shisa::diag::Diagnostic;
use shisa::eval::Plane;
use shisa::ir::{At, Lanes, Space, Stack};
use shisa::{File, Settings};
use shisa_conformance::Data;
use shisa_run::from_base64;
use std::ops::ControlFlow;

/// A program with an input.
struct Case {
    name: String,
    bytes: Vec<u8>,
    input: String,
}

impl Case {
    fn sessions(&self, most: usize) -> Vec<Session> {
        let file = File::open(&self.bytes, &Settings::new()).expect(&self.name);
        let runs = captured(|trace| file.run_traced(&self.input, trace));
        runs.expect(&self.name).into_iter().map(|run| run.session(most)).collect()
    }

    /// The steps of a run that nobody records.
    fn trace(&self) -> Vec<TraceStep> {
        let mut steps = All::default();
        let file = File::open(&self.bytes, &Settings::new()).expect(&self.name);
        // Some programs end with an error, after all of their steps.
        drop(file.run_traced(&self.input, &mut steps));
        steps.0
    }
}

#[derive(Default)]
struct All(Vec<TraceStep>);

impl TraceSink for All {
    fn step(&mut self, step: TraceStep) {
        self.0.push(step);
    }
}

fn agal() -> Vec<Case> {
    let data = Data::corpus("agal").unwrap();
    let case = |path: &String| {
        let input = data.text(path).unwrap();
        let json: Value = serde_json::from_str(&input).unwrap();
        let bytes = data.read(&format!("agal/{}", json["program"].as_str().unwrap())).unwrap();
        Case { name: path.clone(), bytes, input }
    };
    data.list("agal/run", ".json").unwrap().iter().map(case).collect()
}

fn pica200() -> Vec<Case> {
    let data = Data::corpus("pica200").unwrap();
    let case = |path: &String| {
        let input = data.text(path).unwrap();
        let json: Value = serde_json::from_str(&input).unwrap();
        let bytes = data.read(&format!("pica200/{}", json["program"].as_str().unwrap())).unwrap();
        Case { name: path.clone(), bytes, input }
    };
    data.list("pica200/run", ".json").unwrap().iter().map(case).collect()
}

fn maxwell() -> Vec<Case> {
    let data = Data::corpus("maxwell").unwrap();
    let kernels = data.values("maxwell/cuda/cases.jsonl").unwrap().into_iter().map(|case| Case {
        name: case["name"].as_str().unwrap().into(),
        bytes: case["cubin"].as_str().and_then(from_base64).unwrap(),
        input: case.to_string(),
    });
    let shaders = data.values("maxwell/glsl/shaders.jsonl").unwrap().into_iter().filter_map(|shader| {
        Some(Case {
            name: shader["name"].as_str().unwrap().into(),
            bytes: shader["dksh"].as_str().and_then(from_base64).unwrap(),
            input: shader.get("run")?.to_string(),
        })
    });
    kernels.chain(shaders).collect()
}

fn agx() -> Vec<Case> {
    let data = Data::corpus("agx").unwrap();
    let case = |case: Value| Case {
        name: case["name"].as_str().unwrap().into(),
        bytes: case["programs"][0].to_string().into_bytes(),
        input: case.to_string(),
    };
    data.values("agx/exec.jsonl").unwrap().into_iter().map(case).collect()
}

/// Everything that a state has.
#[derive(Clone, Debug, PartialEq)]
struct State {
    portion: usize,
    at: At,
    masks: [Lanes; 3],
    registers: Vec<Plane>,
    stacks: Vec<Stack>,
    memory: Vec<u8>,
}

/// The addresses of the buffers that an input states.
fn addresses(input: &str) -> Vec<u64> {
    let json: Value = serde_json::from_str(input).unwrap();
    let number = |value: &Value| match value {
        Value::String(text) => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        value => value.as_u64(),
    };
    let buffers = json["buffers"].as_array().into_iter().flatten();
    buffers.filter_map(|buffer| number(&buffer["address"])).take(4).collect()
}

fn state(recorded: &dyn Recorded, view: &mut dyn View, addresses: &[u64]) -> State {
    let units = recorded.program().units();
    let mut memory = Vec::new();
    for address in addresses {
        let mut bytes = [0; 4];
        for at in (0..64).step_by(4) {
            if view.load(Space::Global, 0, address + at, &mut bytes).is_ok() {
                memory.extend(bytes);
            }
        }
    }
    State {
        portion: view.portion(),
        at: view.at(),
        masks: [view.active(), view.lanes(), view.killed()],
        registers: units.iter().map(|reg| *view.register(*reg).unwrap()).collect(),
        stacks: view.stacks(),
        memory,
    }
}

/// The states and the steps of a run, in one pass.
struct Pass<'r> {
    recorded: &'r dyn Recorded,
    addresses: &'r [u64],
    states: Vec<State>,
    /// For each step the written units with the values of the active lanes.
    writes: Vec<(Lanes, Vec<Vec<u32>>)>,
}

impl Watcher for Pass<'_> {
    fn needs_events(&self) -> bool {
        true
    }

    fn state(&mut self, view: &mut dyn View) -> Result<ControlFlow<()>, Diagnostic> {
        self.states.push(state(self.recorded, view, self.addresses));
        Ok(ControlFlow::Continue(()))
    }

    fn event(&mut self, event: &mut Event<'_>) -> Result<ControlFlow<()>, Diagnostic> {
        let values = |plane: &Plane| {
            (0..32)
                .filter(|lane| event.active >> lane & 1 != 0)
                .map(|lane| plane.0[lane])
                .collect::<Vec<u32>>()
        };
        self.writes.push((event.active, event.writes.iter().map(|write| values(&write.new)).collect()));
        Ok(ControlFlow::Continue(()))
    }
}

/// The largest number of steps of a run of which all states are compared.
const STEPS: Time = 3000;

fn pass<'r>(recorded: &'r dyn Recorded, addresses: &'r [u64]) -> Pass<'r> {
    let mut pass = Pass { recorded, addresses, states: Vec::new(), writes: Vec::new() };
    recorded.replay(0..recorded.end(), &mut pass).unwrap();
    pass
}

/// Checks a program: each state from the start, each state alone from the end back to the start, and some in no order.
fn check(case: &Case) -> usize {
    let whole = check_within(case, RECORDING_BYTES);
    // Room for a few states only: the others are made again.
    assert_eq!(whole, check_within(case, 20_000), "{}", case.name);
    whole
}

fn check_within(case: &Case, most: usize) -> usize {
    let addresses = addresses(&case.input);
    let (mut steps, mut ran) = (Vec::new(), 0);
    for mut session in case.sessions(most) {
        let end = session.recorded().end();
        if end > STEPS {
            continue;
        }
        let Pass { states, writes, .. } = pass(session.recorded(), &addresses);
        assert_eq!((states.len(), writes.len()), (end as usize + 1, end as usize), "{}", case.name);
        let mut at = |time: Time| {
            session.go(time);
            let recorded = session.recorded();
            let mut seen = None;
            recorded
                .view(session.time(), &mut |view| {
                    seen = Some(state(recorded, view, &addresses));
                    Ok(())
                })
                .unwrap();
            seen.unwrap()
        };
        let every = (end / 40).max(1) as usize;
        for time in (0..=end).rev().step_by(every) {
            assert_eq!(at(time), states[time as usize], "{} at step {time}", case.name);
        }
        let mut random = 12345u64;
        for _ in 0..8 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let time = (random >> 33) % (end + 1);
            assert_eq!(at(time), states[time as usize], "{} at step {time}", case.name);
        }
        steps.extend(writes);
        ran += 1;
    }
    if ran > 0 {
        let trace = case.trace();
        assert_eq!(steps.len(), trace.len(), "{}", case.name);
        let mut compared = 0;
        for (number, ((_, writes), step)) in steps.iter().zip(&trace).enumerate() {
            let lanes: Vec<Vec<u32>> = step.writes.iter().map(|write| write.values.clone()).collect();
            // Traces lack hidden registers and helper lanes.
            if lanes.len() == writes.len() && lanes.iter().zip(writes).all(|(a, b)| a.len() == b.len()) {
                assert_eq!(&lanes, writes, "{} step {number}", case.name);
                compared += 1;
            }
        }
        assert!(2 * compared >= trace.len(), "{}: {compared} of {} steps", case.name, trace.len());
    }
    ran
}

fn all(cases: &[Case]) -> usize {
    cases.iter().map(check).sum()
}

#[test]
fn agal_goes_back_to_the_states_that_it_had() {
    assert_eq!(all(&agal()), 214);
}

#[test]
fn pica200_goes_back_to_the_states_that_it_had() {
    assert_eq!(all(&pica200()), 420);
}

#[test]
fn maxwell_goes_back_to_the_states_that_it_had() {
    assert_eq!(all(&maxwell()), 289);
}

#[test]
fn agx_goes_back_to_the_states_that_it_had() {
    assert_eq!(all(&agx()), 289);
}
