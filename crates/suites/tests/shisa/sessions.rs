//! Programs from the memory of an emulated shader unit, on every engine.

use shisa::Settings;
use shisa::data::batch::{Attribute, Outputs, Slot};
use shisa::data::engines::{Cache, Engine, Program, Session};
use shisa::diag::Diagnostic;
use shisa::eval::{Environment, LaneView};
use shisa::ir::{Emission, Reg, Stage, WAVE};
use shisa::pica200::container::Shbin;
use shisa::pica200::{self, INPUTS, OUTPUTS, Options, ShaderSet, options::PastEnd};
use shisa_conformance::Data;

/// The words of a shader unit.
const WORDS: usize = 4096;
/// Lanes of a run: more than a slab, and a part of a chunk.
const LANES: usize = 150;

/// A vertex: its settings, and the bits of all outputs.
type Vertex = (Emission, [u32; 64]);

/// What lanes emit.
struct Emitted {
    lanes: Vec<Vec<Vertex>>,
    wave: [Option<usize>; WAVE],
}

impl Environment for Emitted {
    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        self.wave = *lanes;
    }

    fn emit(&mut self, emission: Emission, outputs: LaneView<'_>) -> Result<(), Diagnostic> {
        let mut bits = [0; 64];
        outputs.registers(Reg::new(OUTPUTS, 0), &mut bits).unwrap();
        let last = outputs.register(Reg::new(OUTPUTS, 63)).unwrap();
        assert_eq!(last, bits[63]);
        let lane = self.wave[outputs.lane()].expect("a lane that runs");
        self.lanes[lane].push((emission, bits));
        Ok(())
    }
}

/// The outputs of all lanes, each with its 16 registers, and what lanes emit.
fn run(session: &mut Session, inputs: &[u32]) -> (Vec<u32>, Vec<Vec<Vertex>>) {
    let slot = |file, register: u16| {
        let offset = 4 * usize::from(register);
        Slot { reg: Reg::new(file, 4 * register), units: 4, offset, stride: 64, step: 1 }
    };
    let attributes: Vec<_> = (0..16).map(|n| Attribute { slot: slot(INPUTS, n), data: inputs }).collect();
    let slots: Vec<_> = (0..16).map(|n| slot(OUTPUTS, n)).collect();
    // An output that the program never writes is zero on every engine.
    let mut data = vec![u32::MAX; LANES * 64];
    let mut outputs = Outputs { slots: &slots, data: &mut data };
    let mut emitted = Emitted { lanes: vec![Vec::new(); LANES], wave: [None; WAVE] };
    session.run_with(LANES, &attributes, &mut outputs, &mut [], &mut emitted).expect("a run");
    (data, emitted.lanes)
}

#[test]
fn engines_agree_on_programs_in_the_memory_of_a_shader_unit() {
    let data = Data::corpus("pica200").unwrap();
    let (mut fast, mut all, mut emitting) = (0, 0, 0);
    for path in data.list("pica200/run", ".json").unwrap() {
        let text = data.text(&path).unwrap();
        let name = serde_json::from_str::<serde_json::Value>(&text).unwrap()["program"].clone();
        let bytes = data.read(&format!("pica200/{}", name.as_str().unwrap())).unwrap();
        let file = Shbin::read(&bytes, &Default::default()).unwrap();
        let Some(set) = ShaderSet::from_json(&text).unwrap().into_iter().find(|set| !set.runs.is_empty())
        else {
            continue;
        };
        let mut words = file.program(set.program).unwrap();
        // What was in memory before the program: no instructions, and operands that do not exist.
        words.code.resize(WORDS, u32::MAX);
        words.descriptors.resize(128, u32::MAX);
        for options in [Options::emulators(), Options { past_end: PastEnd::Zeros, ..Options::default() }] {
            let mut settings = Settings::new();
            settings.pica200.options = options;
            let compile = |engine| pica200::compile(&words, engine, &settings).expect(&path);
            let mut want = None;
            for engine in Engine::ALL {
                let program: Program = compile(engine);
                all += 1;
                fast += usize::from(program.engine() != Engine::Evaluator);
                assert_eq!(program.engine() == engine, program.refused().is_empty(), "{path} {engine:?}");
                let mut session = program.session();
                let mut uniforms = set.uniforms.clone();
                uniforms.floats.iter_mut().flatten().for_each(|bits| *bits = program.stored(*bits));
                uniforms.load(&file.programs[set.program], &settings.pica200.options);
                for (first, units) in uniforms.registers() {
                    // Some units first, then those after them.
                    let (some, rest) = units.split_at(units.len() / 2);
                    session.set_uniforms(first, some).expect(&path);
                    session.set_uniforms(Reg { unit: some.len() as u16, ..first }, rest).expect(&path);
                }
                let vertex = |lane: usize| {
                    let inputs = &set.runs[lane % set.runs.len()].inputs;
                    (0..16u8).flat_map(|v| inputs.get(&v).copied().unwrap_or_default())
                };
                let inputs: Vec<u32> = (0..LANES).flat_map(vertex).map(|bits| program.stored(bits)).collect();
                let got = run(&mut session, &inputs);
                let emits = got.1.iter().any(|lane| !lane.is_empty());
                emitting += usize::from(emits && program.engine() != Engine::Evaluator);
                assert_eq!(&got, want.get_or_insert_with(|| got.clone()), "{path} {engine:?}");
            }
        }
    }
    assert!(all > 300 && fast * 2 > all, "{fast} of {all}");
    assert!(emitting > 8, "{emitting}");
}

#[test]
fn uniforms_that_do_not_exist_are_refused() {
    let code = [0x8800_0000];
    let words = pica200::Program { stage: Stage::Vertex, code: code.to_vec(), descriptors: vec![], entry: 0 };
    for engine in Engine::ALL {
        let program = pica200::compile(&words, engine, &Settings::new()).unwrap();
        let mut session = program.session();
        let (first, units) = program.register("c95").unwrap();
        assert_eq!(units, 4);
        assert!(session.set_uniforms(first, &[0; 4]).is_ok());
        assert_eq!(session.set_uniforms(first, &[0; 5]).unwrap_err().code, "exec-attribute");
        assert!(session.set_uniforms(Reg { unit: 385, ..first }, &[]).is_ok());
        assert_eq!(session.set_uniforms(Reg::new(INPUTS, 0), &[0]).unwrap_err().code, "exec-attribute");
        for name in ["c96", "r0", "", "c", "cmp", "v16", "v65536"] {
            assert_eq!(program.register(name), program.register(name).filter(|_| name == "c"), "{name}");
        }
    }
}

/// A program can be shared, and a session can move to another thread.
#[test]
fn programs_and_sessions_cross_threads() {
    fn shared<T: Clone + Send + Sync + 'static>() {}
    fn moved<T: Send + 'static>() {}
    shared::<Program>();
    shared::<shisa::data::batch::Program>();
    moved::<Session>();
    moved::<shisa::data::batch::Runner>();
}

/// Runs of JSON have the same outputs on every engine; only the evaluator counts words and states registers at the end.
#[test]
fn engines_agree_on_runs_as_json() {
    let data = Data::corpus("pica200").unwrap();
    let (mut fast, mut all) = (0, 0);
    for path in data.list("pica200/run", ".json").unwrap() {
        let text = data.text(&path).unwrap();
        let name = serde_json::from_str::<serde_json::Value>(&text).unwrap()["program"].clone();
        let bytes = data.read(&format!("pica200/{}", name.as_str().unwrap())).unwrap();
        let run = |engine| {
            let mut settings = Settings::new();
            settings.engine = engine;
            let file = shisa::File::open(&bytes, &settings).expect(&path);
            file.run_json(&text, shisa::RunOptions::new()).map_err(|e| e.diagnostics[0].code)
        };
        let mut want = run(Engine::Evaluator);
        for engine in [Engine::Batch, Engine::MachineCode] {
            let mut got = run(engine);
            for (got, want) in [&mut got].into_iter().flatten().zip([&mut want].into_iter().flatten()) {
                let sets = got["sets"].as_array_mut().unwrap().iter_mut();
                for (got, want) in sets.zip(want["sets"].as_array_mut().unwrap()) {
                    let kinds = ["vertices", "invocations"];
                    let Some(kind) = kinds.into_iter().find(|kind| got.get(kind).is_some()) else { continue };
                    let runs = got[kind].as_array_mut().unwrap();
                    for (got, want) in runs.iter_mut().zip(want[kind].as_array_mut().unwrap()) {
                        all += 1;
                        fast += usize::from(got.get("end").is_none() && got.get("steps").is_none());
                        for of in [got, want] {
                            let of = of.as_object_mut().unwrap();
                            of.remove("end");
                            of.remove("steps");
                        }
                    }
                }
            }
            assert_eq!(got, want, "{path} {engine:?}");
        }
    }
    assert!(all > 500 && fast * 10 > all * 8, "{fast} of {all}");
}

/// A draw whose program the cache has: neither finding the session nor running it allocates.
#[test]
fn a_draw_of_a_cached_program_allocates_nothing() {
    // mov r0, v0; mov o0, r0; end
    let (code, descriptors) = ([0x4e00_0000, 0x4c01_0000, 0x8800_0000], [0x0006_c36f]);
    let slot = |file| Slot { reg: Reg::new(file, 0), units: 4, offset: 0, stride: 4, step: 1 };
    let vertices: Vec<u32> = (0..64u16).map(|n| f32::from(n).to_bits()).collect();
    let (mut results, mut made) = (vec![0; 64], 0);
    for engine in [Engine::Batch, Engine::MachineCode] {
        let mut cache = Cache::new(Cache::<Session>::CAPACITY);
        let mut draw = || {
            let parts: [&[u32]; 3] = [&code, &descriptors, &[0]];
            let session = cache.get(&parts, || {
                made += 1;
                let (code, descriptors) = (code.to_vec(), descriptors.to_vec());
                let words = pica200::Program { stage: Stage::Vertex, code, descriptors, entry: 0 };
                pica200::compile(&words, engine, &Settings::new()).map(|program| program.session())
            });
            let attributes = [Attribute { slot: slot(INPUTS), data: &vertices }];
            let mut outputs = Outputs { slots: &[slot(OUTPUTS)], data: &mut results };
            session.unwrap().run(16, &attributes, &mut outputs, &mut []).unwrap();
        };
        draw();
        let counted = allocation_counter::measure(&mut draw);
        assert_eq!(counted.count_total, 0, "{engine:?}");
    }
    assert_eq!(made, 2);
    assert_eq!(results, vertices);
}
