//! The batch engine against the evaluator, bit for bit, on the programs of the corpus.

use shisa::data::LatestSteps;
use shisa::data::batch::{Attribute, HostLevel, Outputs, Precision, Program, Slot, Start};
use shisa::data::engines::{Choice, Engine};
use shisa::diag::Limits;
use shisa::eval::{self, Batch, Column, NoEnvironment, NoObserver};
use shisa::ir::{FloatModel, Lifted, Reg, Sequencer, Stage};
use shisa::pica200::container::Shbin;
use shisa::pica200::{self, INPUTS, OUTPUTS, Options, ShaderSet};
use shisa_conformance::Data;

/// An engine for batches: the batch engine on a level, or machine code for a level.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Batch(HostLevel),
    MachineCode(HostLevel),
}

/// Runs a batch on the evaluator, and on every level of the batch engine and of machine code; returns `None` if the engine
/// refuses it, else the chunks that machine code left, and all of its chunks.
fn compare<S: Sequencer>(
    name: &str,
    batch: &Batch,
    lifted: &Lifted,
    sequencer: &S,
    model: FloatModel,
) -> Option<(u64, u64)> {
    let limits = Limits::default();
    let plan = eval::Program::with_model(lifted, model, &limits).expect(name);
    let want = batch.run(&plan, sequencer, &mut NoEnvironment, &mut NoObserver, &limits);
    let start = || Start { sequencer, entry: batch.entry, words: lifted.files };
    let compiled = || Program::of_lifted(lifted.clone(), start(), model, &limits);
    let program = match compiled() {
        Ok(program) => program,
        Err(d) => {
            assert_eq!(d.code, "exec-unsupported", "{name}: {d}");
            return None;
        }
    };
    let slot =
        |reg: Reg, units: u16, offset: usize, stride: usize| Slot { reg, units, offset, stride, step: 1 };
    let attributes: Vec<Attribute<'_>> = batch
        .inputs
        .iter()
        .map(|c| Attribute { slot: slot(c.reg, c.units, 0, c.units.into()), data: &c.bits })
        .collect();
    let stride: usize = batch.outputs.iter().map(|(_, units)| usize::from(*units)).sum();
    let mut offset = 0;
    let slots: Vec<Slot> = batch
        .outputs
        .iter()
        .map(|&(reg, units)| {
            offset += usize::from(units);
            slot(reg, units, offset - usize::from(units), stride)
        })
        .collect();
    let available = || HostLevel::ALL.into_iter().filter(|level| level.is_available());
    let with_code = available().filter(|level| *level != HostLevel::Base);
    let engines = available().map(Kind::Batch).chain(with_code.map(Kind::MachineCode));
    let mut left = (0, 0);
    for engine in engines {
        let mut runner = match engine {
            Kind::Batch(level) => {
                let mut runner = program.runner();
                assert!(runner.set_level(level));
                runner
            }
            Kind::MachineCode(level) => {
                let mut coded = compiled().expect(name);
                coded
                    .add_machine_code_for(level, &limits)
                    .unwrap_or_else(|d| panic!("{name} {level:?}: {d}"));
                assert!(coded.machine_code().is_some_and(|bytes| bytes > 0));
                coded.runner()
            }
        };
        for (first, units) in &batch.uniforms {
            runner.set_uniforms(*first, units);
        }
        let mut data = vec![0; stride * batch.lanes];
        let mut outputs = Outputs { slots: &slots, data: &mut data };
        let got = runner.run(batch.lanes, &attributes, &mut outputs, &mut []);
        if let Kind::MachineCode(_) = engine {
            left.0 += runner.left_chunks();
            left.1 += batch.lanes.div_ceil(16) as u64;
        }
        let want = match (&want, got) {
            (Ok(want), Ok(())) => want,
            (Err(a), Err(b)) => {
                assert_eq!(a.code, b.code);
                continue;
            }
            (a, b) => panic!("{name} {engine:?}: the evaluator {:?}, the engine {b:?}", a.as_ref().err()),
        };
        for (column, slot) in want.outputs.iter().zip(&slots) {
            for lane in 0..batch.lanes {
                let at = slot.offset + lane * stride;
                let (got, want) = (&data[at..at + usize::from(slot.units)], column.lane(lane).expect(name));
                assert_eq!(
                    got, want,
                    "{name} {model:?} {engine:?}: lane {lane}, {:?}: got {got:x?}, want {want:x?}",
                    slot.reg
                );
            }
        }
    }
    Some(left)
}

/// Calls `f` with every set of runs of the corpus of PICA200 that engines take, as a batch: its name, the lifted program and
/// its options.
fn each_of_pica200(models: &[Options], mut f: impl FnMut(&str, &Batch, &Lifted, &Options)) {
    let data = Data::corpus("pica200").unwrap();
    let limits = Limits::default();
    for path in data.list("pica200/run", ".json").unwrap() {
        let text = data.text(&path).unwrap();
        let program = serde_json::from_str::<serde_json::Value>(&text).unwrap()["program"]
            .as_str()
            .unwrap()
            .to_string();
        let bytes = data.read(&format!("pica200/{program}")).unwrap();
        let file = Shbin::read(&bytes, &limits).unwrap();
        for (n, set) in ShaderSet::from_json(&text).unwrap().iter().enumerate() {
            let (program, dvle) = (file.program(set.program).unwrap(), &file.programs[set.program]);
            if program.stage == Stage::Geometry || set.keep_registers || set.runs.is_empty() {
                continue;
            }
            for options in models {
                let lifted = pica200::lift(&program, options).unwrap();
                let stored = |bits: &u32| pica200::upload::stored(*bits, options);
                let mut uniforms = set.uniforms.clone();
                uniforms.floats.iter_mut().flatten().for_each(|bits| *bits = stored(bits));
                uniforms.load(dvle, options);
                // Lanes of two slabs and a part of a chunk.
                let lanes = 150;
                let inputs = (0..16u8).map(|v| {
                    let value = |lane: usize| {
                        let run = &set.runs[lane % set.runs.len()];
                        run.inputs.get(&v).copied().unwrap_or_default().map(|bits| stored(&bits))
                    };
                    let bits = (0..lanes).flat_map(value).collect();
                    Column { reg: Reg::new(INPUTS, 4 * u16::from(v)), units: 4, bits }
                });
                let outputs = (0..16u16).filter(|o| dvle.enabled_outputs() >> o & 1 != 0);
                let batch = Batch {
                    entry: dvle.entry,
                    lanes,
                    inputs: inputs.collect(),
                    uniforms: uniforms.registers().to_vec(),
                    outputs: outputs.map(|o| (Reg::new(OUTPUTS, 4 * o), 4)).collect(),
                    ..Batch::default()
                };
                f(&format!("{path} {n}"), &batch, &lifted, options);
            }
        }
    }
}

#[test]
fn vertex_programs_of_pica200() {
    let (mut ran, mut refused, mut left, mut all) = (0, Vec::new(), 0, 0);
    each_of_pica200(
        &[Options::emulators(), Options::default()],
        |name, batch, lifted, options| match compare(
            name,
            batch,
            lifted,
            &pica200::Sequencer,
            options.float_model(),
        ) {
            Some((of_left, of_all)) => (ran, left, all) = (ran + 1, left + of_left, all + of_all),
            None => refused.push(name.to_string()),
        },
    );
    println!("{ran} ran, {} refused: {refused:?}; {left} of {all} chunks left", refused.len());
    // Some inputs have infinities and NaN.
    assert!(left * 10 <= all, "{left} of {all} chunks left");
    assert!(ran > 500, "{ran}");
    assert!(refused.is_empty(), "{refused:?}");
}

/// Results with small errors are near those of the evaluator in binary32. A small error of a number decides a comparison of
/// nearly equal numbers, and a difference of such numbers has few correct bits, so some results are not.
#[test]
fn fast_results_are_near() {
    let limits = Limits::default();
    let (mut near, mut far, mut equal) = (0, 0, 0);
    each_of_pica200(&[Options::emulators()], |name, batch, lifted, options| {
        let model = options.float_model();
        let plan = eval::Program::with_model(lifted, model, &limits).expect(name);
        let want = batch.run(&plan, &pica200::Sequencer, &mut NoEnvironment, &mut NoObserver, &limits);
        for wanted in [Engine::Batch, Engine::MachineCode] {
            let choice = Choice::new(wanted, &limits).with_precision(Precision::Fast);
            let mut notes = LatestSteps::new(0);
            let program = (lifted, &pica200::Sequencer);
            let got = choice.run(batch, program, model, &mut NoEnvironment, &mut notes);
            let (want, got) = match (&want, got) {
                (Ok(want), Ok(Some(got))) => (want, got),
                (Err(a), Err(b)) => {
                    assert_eq!(a.code, b.code);
                    continue;
                }
                (a, b) => panic!("{name} {wanted:?}: {:?}, the engine {:?}", a.as_ref().err(), b.err()),
            };
            for (want, got) in want.outputs.iter().zip(&got.outputs) {
                for (want, got) in
                    want.bits.iter().zip(&got.bits).map(|(a, b)| (f32::from_bits(*a), f32::from_bits(*b)))
                {
                    let is_near = want == got
                        || want.is_nan() && got.is_nan()
                        || (want - got).abs() <= want.abs() * 1e-5;
                    if is_near {
                        near += 1
                    } else {
                        far += 1
                    }
                    equal += u64::from(want.to_bits() == got.to_bits());
                }
            }
        }
    });
    println!("{near} near, of which {equal} are equal, {far} not near");
    assert!(far * 1000 <= near, "{far} results are not near, {near} are");
    assert!(equal < near, "no result differs");
}
